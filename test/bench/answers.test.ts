import { describe, expect, it } from 'vitest'
import { Answers } from '../../bench/answers.ts'
import { workload } from '../../bench/workload.ts'
import type { SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'

function digestOf(config: SessionConfig): string {
  const digest = new Digest()
  new Session({ ...config, sinks: [digest] }).runToEnd()
  return digest.hex()
}

describe.each(['parlay', 'outcome'] as const)('answers of a session of the %s service', (service) => {
  const config = workload(400, [], { service })
  const digest = digestOf(config)
  const answers = new Answers()

  it('are written down without changing the session', () => {
    expect(digestOf(answers.written(config))).toBe(digest)
  })

  it('give the same session when they are read, each once, as often as one likes', () => {
    for (let time = 0; time < 2; time++) {
      expect(digestOf(answers.read(config))).toBe(digest)
      expect(answers.areRead).toBe(true)
    }
  })

  it('are left over where less is played', () => {
    new Session({ ...answers.read(config), sinks: [] }).run(5_000)
    expect(answers.areRead).toBe(false)
  })
})
