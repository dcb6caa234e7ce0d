import { describe, expect, it } from 'vitest'
import { NONE } from '../../../src/unit/none.ts'
import { fingerprint, FINGERPRINT_WORDS } from '../../../src/venue/outcome/gate/fingerprint.ts'
import { contentOf } from '../../../src/venue/outcome/gate/idempotency.ts'
import { Keyed, OutcomeCommand, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { GateDriver, TAKER } from './gateDriver.ts'

const LANE_PAIRS = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]] as const
const LANE_SPAN = 2 ** 32

/** Two of the four lanes as 52 bits, which a search of a few hundred thousand contents must not find twice. */
const pairOf = (lanes: Int32Array, [a, b]: readonly [number, number]): number => (lanes[a]! >>> 0) + (lanes[b]! & 0xfffff) * LANE_SPAN

/** How often two of the contents share two lanes, of all pairs of lanes. */
function meetings(count: number, lanesOf: (i: number) => Int32Array): number {
  const seen = LANE_PAIRS.map(() => new Float64Array(count))
  for (let i = 0; i < count; i++) {
    const lanes = lanesOf(i)
    for (let at = 0; at < seen.length; at++) seen[at]![i] = pairOf(lanes, LANE_PAIRS[at]!)
  }
  let met = 0
  for (const keys of seen) {
    keys.sort()
    for (let i = 1; i < count; i++) if (keys[i] === keys[i - 1]) met++
  }
  return met
}

describe('the fingerprint', () => {
  const of = (...words: number[]): number[] => {
    const lanes = new Int32Array(FINGERPRINT_WORDS)
    fingerprint(Int32Array.from(words), words.length, lanes)
    return [...lanes]
  }

  it('takes as many words as it is told, and gives the same for the same', () => {
    const lanes = new Int32Array(FINGERPRINT_WORDS)
    fingerprint(Int32Array.from([1, 2, 3]), 2, lanes)
    expect([...lanes]).toEqual(of(1, 2))
    expect(of(1, 2)).not.toEqual(of(1, 2, 0))
    expect(of()).not.toEqual(of(0))
  })

  it.each([0, 1, 2, 3, 4, 5, 6, 7])('word %i moves all four lanes, by each of its bits', (at) => {
    const words = [1, -1, 5, 0, 9, 2, 7, 3]
    const base = of(...words)
    for (let bit = 0; bit < 32; bit++) {
      const changed = of(...words.map((word, i) => (i === at ? word ^ (1 << bit) : word)))
      expect(changed.filter((lane, i) => lane === base[i])).toEqual([])
    }
  })

  it('counts the order of words', () => {
    expect(new Set([of(1, 2, 3), of(1, 3, 2), of(2, 1, 3), of(2, 3, 1), of(3, 1, 2), of(3, 2, 1)].map(String)).size).toBe(6)
  })

  // A word that went into one lane alone would leave the other lanes as they are.
  it.each([1, 2, 3, 4])('two words %i apart give every two lanes their own value in 65,536 contents', (apart) => {
    const words = new Int32Array(8)
    const lanes = new Int32Array(FINGERPRINT_WORDS)
    expect(meetings(65_536, (i) => {
      words[1] = 2_000_000 + (i >> 5)
      words[1 + apart] = i & 31
      fingerprint(words, words.length, lanes)
      return lanes
    })).toBe(0)
  })
})

describe('the content of a command', () => {
  const c = new OutcomeCommand()
  const IGNORED = ['op', 'account', 'credential', 'source', 'origin', 'key', 'memoE9', 'productE9', 'seq', 'legCount', 'listCount', Keyed.bodyTag]
  const FIELDS = Object.entries(c).filter(([name, value]) => typeof value === 'number' && !IGNORED.includes(name)).map(([name]) => name)
  const fresh = (): OutcomeCommand => c.reset(OutcomeOp.createRfq, TAKER)

  it('OM-111 stakes and outcomes that lie near each other have no two lanes in common, in 262,144 bodies', () => {
    expect(meetings(262_144, (i) => {
      fresh().stakeMicros = 2_000_000 + (i >> 5)
      c.leg(i & 31, 1)
      return contentOf(c)
    })).toBe(0)
  })

  it.each(FIELDS)('OM-111 any other field that changes together with %s is told apart, in every two lanes', (name) => {
    const others = FIELDS.filter((other) => other !== name)
    const values = [0, 1, 2, 3, 77, 2 ** 40, 0.5]
    const bodies = others.flatMap((other) => values.flatMap((mine) => values.map((its) => ({ [name]: mine, [other]: its }))))
    expect(meetings(bodies.length, (i) => contentOf(Object.assign(fresh(), bodies[i])))).toBe(0)
  })

  it('OM-109 of one that was made of a call is the call alone', () => {
    const texts = [[1, 5], [1, 6], [2, 5], [0, 5], [0.5, 5], [NONE, 5], [NONE, 6]].map(([tag, stakeMicros]) => contentOf(Object.assign(fresh(), { [Keyed.bodyTag]: tag, stakeMicros })).join())
    expect(texts.map((text) => texts.indexOf(text))).toEqual([0, 0, 2, 3, 4, 5, 6])
  })

  it('OM-111 legs and list count in their order, whatever their number', () => {
    const texts = [
      [[], []], [[[1, 1]], []], [[[1, 0]], []], [[[2, 1]], []], [[[1, 1], [2, 1]], []], [[[2, 1], [1, 1]], []], [[[1, 1], [1, 1]], []],
      [[], [1]], [[], [1, 1]], [[], [1, 2]], [[], [2, 1]], [[[1, 1]], [1]],
      [Array.from({ length: 64 }, (_, i) => [i, 1]), []], [Array.from({ length: 64 }, (_, i) => [i, i < 63 ? 1 : 0]), []],
      [[], Array.from({ length: 512 }, (_, i) => i)], [[], Array.from({ length: 512 }, (_, i) => (i < 511 ? i : 0))],
    ].map(([legs, list]) => {
      fresh()
      for (const leg of legs as number[][]) c.leg(leg[0]!, leg[1]!)
      for (const item of list as number[]) c.item(item)
      return contentOf(c).join()
    })
    expect(new Set(texts).size).toBe(texts.length)
  })

  // With one lane for each word these two had the same fingerprint: lanes of stake and outcome met.
  it('OM-111 OM-194 another stake on another outcome is refused under the same key', () => {
    const d = new GateDriver()
    expect(d.code('createRfq', TAKER, { key: 7, stakeMicros: 2_004_800, legs: [[22, 1]] })).toBe('ok')
    expect(d.code('createRfq', TAKER, { key: 7, stakeMicros: 2_008_697, legs: [[0, 1]] })).toBe('idempotencyKeyReused')
    expect(d.venue.effects).toBe(1)
  })
})
