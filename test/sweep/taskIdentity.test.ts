import { describe, expect, it } from 'vitest'
import { taskIdOf, withSeed } from '../../src/sweep/taskIdentity.ts'
import { prepared, SMALL } from '../scenario/small.ts'

const idOf = async (text: string, sourceTree = 'tree'): Promise<string> => taskIdOf((await prepared(text)).prepared, sourceTree)
const recording = (record: string): string => `${SMALL}record: { ${record} }\n`

describe('the identity of a task', () => {
  it('is another one where rows or scores can be another', async () => {
    const { prepared: base } = await prepared(SMALL)
    const id = taskIdOf(base, 'tree')
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    const others = [
      taskIdOf(base, 'another tree'), taskIdOf(withSeed(base, 'another seed'), 'tree'),
      await idOf(recording('marks: [10s, 1m, 11m]')), await idOf(recording('marks: [10s, 1m]')), await idOf(recording('equityEvery: 2m')),
      await idOf(`${SMALL}inference: { cluster: event }\n`), await idOf(SMALL.replace('n: 100', 'n: 101')),
    ]
    expect(new Set([id, ...others]).size).toBe(1 + others.length)
  })

  it('is the same where nothing of a session can be another', async () => {
    const id = await idOf(SMALL)
    expect(await idOf(SMALL)).toBe(id)
    expect(await idOf(recording('marks: [10m, 10s, 1m]'))).toBe(id)
    expect(await idOf(`${SMALL}inference: { replications: 7 }\n`)).toBe(id)
  })
})
