import { expect, it } from 'vitest'
import { makersOf } from '../../bench/makerFiles.ts'
import { MAKERS, workload } from '../../bench/workload.ts'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'
import { newFolder } from '../scenario/small.ts'

it('ten files in rooms play the session of the one function', async () => {
  const strategies = (await makersOf('rooms', newFolder()))!
  const digestOf = (settings: Parameters<typeof workload>[2]): string => {
    const digest = new Digest()
    new Session({ ...workload(400, [], settings), sinks: [digest] }).runToEnd()
    return digest.hex()
  }
  expect(new Set(strategies.map(({ facades }) => facades)).size).toBe(MAKERS)
  expect(digestOf({ strategies })).toBe(digestOf({}))
})
