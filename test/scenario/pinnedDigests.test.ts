import { describe, expect, it } from 'vitest'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { PINNED } from './pinned.ts'
import { prepared } from './small.ts'

async function digestOf(text: string): Promise<string> {
  const { resolved, strategies, store } = (await prepared(text)).prepared
  const digest = new Digest()
  new Session({ ...buildSession(resolved, strategies, store).config, sinks: [digest] }).runToEnd()
  return digest.hex().slice(0, 12)
}

/** To change a digest on purpose, write the new one here, why into the commit, and what became of runs into CHANGELOG.md (CONTRIBUTING.md). */
describe('the digest of a small scenario changes by decision alone', () => {
  it.each(PINNED)('%s', async (_, text, digest) => {
    expect(await digestOf(text)).toBe(digest)
  })
})
