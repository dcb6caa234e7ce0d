import { describe, expect, it } from 'vitest'
import { answerDelayUs, answerOf, type EndpointBehaviour, isOut } from '../../src/engine/parlay/endpointBehaviour.ts'
import { Draws, Purpose, rootKey } from '../../src/kernel/random.ts'
import { SOUND_ENDPOINT } from './soundEndpoint.ts'

const draws = new Draws(rootKey('endpoints'), Purpose.endpoints)
const answers = (behaviour: Partial<EndpointBehaviour>, attempts = 4_000): Map<number, number> => {
  const counts = new Map<number, number>()
  for (let delivery = 0; delivery < attempts; delivery++) {
    const answer = answerOf({ ...SOUND_ENDPOINT, ...behaviour }, draws, 1, delivery, 1)
    counts.set(answer, (counts.get(answer) ?? 0) + 1)
  }
  return counts
}

describe('a simulated endpoint', () => {
  it('answers everything with 200 when nothing else is said', () => {
    expect([...answers({})]).toEqual([[200, 4_000]])
  })

  it.each([
    ['timeout', -1], ['serverError', 500], ['requestTimeout', 408], ['tooManyRequests', 429], ['clientError', 400], ['networkError', 0],
  ] as const)('answers with its share of %s', (name, answer) => {
    expect([...answers({ [name]: 1 }).keys()]).toEqual([answer])
    const some = answers({ [name]: 0.25 })
    // Four standard deviations of a binomial with n = 4,000, p = ¼ are 110.
    expect(Math.abs(some.get(answer)! - 1_000)).toBeLessThan(110)
    expect(some.get(200)).toBe(4_000 - some.get(answer)!)
  })

  it('draws by endpoint, delivery and attempt, each of them', () => {
    const half = { ...SOUND_ENDPOINT, serverError: 0.5 }
    const row = (of: (i: number) => number): string => Array.from({ length: 64 }, (_, i) => of(i)).join(' ')
    const base = row((i) => answerOf(half, draws, 1, i, 1))
    expect(row((i) => answerOf(half, draws, 1, i, 1))).toBe(base)
    expect(row((i) => answerOf(half, draws, 2, i, 1))).not.toBe(base)
    expect(row((i) => answerOf(half, draws, 1, i, 2))).not.toBe(base)
  })

  it('waits its delay, within the bounds', () => {
    const slow = { ...SOUND_ENDPOINT, delay: { baseUs: 5_000, jitterUs: 10 } }
    const delays = Array.from({ length: 500 }, (_, i) => answerDelayUs(slow, draws, 1, i, 1))
    expect([Math.min(...delays), Math.max(...delays)]).toEqual([5_000, 5_010])
  })

  it('is out from the first instant of an outage and before its last', () => {
    const behaviour = { ...SOUND_ENDPOINT, outages: [{ fromUs: 10, untilUs: 20 }, { fromUs: 30, untilUs: 31 }] }
    expect([9, 10, 19, 20, 29, 30, 31].map((atUs) => isOut(behaviour, atUs))).toEqual([false, true, true, false, false, true, false])
  })
})
