import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CatalogueIndex, checkCatalogue } from '../../src/market/catalogue.ts'
import { deriveKeys, internKeys, keysIntersect, keysOf } from '../../src/market/exclusion.ts'
import { knownAt } from '../../src/market/knownAt.ts'
import type { Market } from '../../src/market/market.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { numberMarkets } from './numberMarkets.ts'

const draft = (ticker: string, rest: Partial<Market> = {}): Omit<Market, 'number'> => ({
  ticker, venue: 'venue_a', event: `E-${ticker}`, series: '', category: 'sports', title: ticker, game: '', ladder: '',
  exclusionKeys: [`event:E-${ticker}`], openUs: 1000, scheduledCloseUs: 2000, scheduledCloseKnownUs: 1000,
  actualCloseUs: 2100, outcome: 'yes', settlementE6: null, settledUs: 2500, ...rest,
})
const market = (rest: Partial<Market> = {}): Market => ({ number: 0, ...draft('A', rest) })

describe('a catalogue', () => {
  test.each<[string, Partial<Market>, RegExp]>([
    ['no keys', { exclusionKeys: [] }, /A has no exclusion keys/],
    ['a key twice', { exclusionKeys: ['k', 'k'] }, /empty, unsorted or double/],
    ['keys out of order', { exclusionKeys: ['z', 'k'] }, /empty, unsorted or double/],
    ['half a microsecond', { openUs: 0.5 }, /whole microseconds/],
    ['a close before the opening', { actualCloseUs: 999 }, /closes before it opens/],
    ['settled without an outcome', { outcome: null }, /settled without an outcome/],
    ['scalar without a value', { outcome: 'scalar' }, /if and only if it is scalar/],
    ['yes with a value', { settlementE6: 1 }, /if and only if it is scalar/],
    ['a value above 1', { outcome: 'scalar', settlementE6: 1_000_001 }, /settles at 1000001/],
    ['a known-at without a close', { scheduledCloseUs: null }, /knew a close/],
  ])('refuses %s, naming file and market', (_, rest, message) => {
    try {
      checkCatalogue({ markets: [market(rest)] }, 'in.csv')
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(InputError)
      expect((error as InputError).message).toMatch(message)
      expect((error as InputError).position).toEqual({ file: 'in.csv' })
    }
  })

  test('accepts a scalar at both ends, a close at the opening and an unresolved market', () => {
    for (const rest of [
      { outcome: 'scalar', settlementE6: 0 }, { outcome: 'scalar', settlementE6: 1_000_000 }, { actualCloseUs: 1000 },
      { outcome: null, settledUs: null, actualCloseUs: null, scheduledCloseUs: null, scheduledCloseKnownUs: null },
    ] as const) checkCatalogue({ markets: [market(rest)] }, 'in.csv')
  })

  test('refuses a ticker twice, and numbers out of the order of code units', () => {
    expect(() => checkCatalogue({ markets: [market(), market({ number: 1 })] }, 'f')).toThrow(/A is there twice/)
    expect(() => checkCatalogue({ markets: [market({ ticker: 'a' }), market({ ticker: 'B', number: 1 })] }, 'f')).toThrow(/B is not numbered/)
    expect(() => checkCatalogue({ markets: [{ ...market(), number: 1 }] }, 'f')).toThrow(/not numbered/)
  })

  test('finds by ticker, event, game and ladder', () => {
    const markets = numberMarkets([
      draft('a', { event: 'E', game: 'G' }), draft('b', { event: 'E', game: 'G', ladder: 'L' }), draft('c', { ladder: 'L' }),
    ])
    const index = new CatalogueIndex({ markets })
    expect(index.ofTicker('b')!.number).toBe(1)
    expect(index.ofTicker('z')).toBeUndefined()
    expect(index.ofEvent('E').map((m) => m.number)).toEqual([0, 1])
    expect(index.ofGame('G').map((m) => m.number)).toEqual([0, 1])
    expect(index.ofLadder('L').map((m) => m.number)).toEqual([1, 2])
    expect(index.ofGame('')).toEqual([])
  })
})

describe('exclusion keys', () => {
  test('PQ-067 are derived from event, game and ladder, and never empty', () => {
    expect(deriveKeys({ ticker: 'T', event: 'E', game: 'G', ladder: 'L' })).toEqual(['event:E', 'game:G', 'ladder:L'])
    expect(deriveKeys({ ticker: 'T', event: '', game: '', ladder: '' })).toEqual(['market:T'])
  })

  test('are numbered in the order of first sight', () => {
    const keys = internKeys(numberMarkets([
      draft('a', { exclusionKeys: ['m', 'x'] }), draft('b', { exclusionKeys: ['a', 'm'] }), draft('c', { exclusionKeys: ['q'] }),
    ]))
    expect(keys.texts).toEqual(['m', 'x', 'a', 'q'])
    expect([0, 1, 2].map((m) => [...keysOf(keys, m)])).toEqual([[0, 1], [0, 2], [3]])
  })

  test('PQ-065 PQ-066 two markets exclude each other if and only if they share a key', () => {
    const own = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { minLength: 1, maxLength: 4 })
    fc.assert(fc.property(fc.array(own, { minLength: 2, maxLength: 6 }), (lists) => {
      const markets = numberMarkets(lists.map((exclusionKeys, i) => draft(`m${i}`, { exclusionKeys })))
      const keys = internKeys(markets)
      for (let a = 0; a < lists.length; a++) {
        for (let b = 0; b < lists.length; b++) {
          expect(keysIntersect(keys, a, b)).toBe(lists[a]!.some((key) => lists[b]!.includes(key)))
        }
      }
    }))
  })
})

describe('what is known of a market', () => {
  test('each fact from its instant on, not a microsecond before', () => {
    const m = market({ scheduledCloseKnownUs: 1500 })
    expect(knownAt(m, 999)).toBeNull()
    expect(knownAt(m, 1000)).toMatchObject({ ticker: 'A', scheduledCloseUs: null, actualCloseUs: null, outcome: null, settledUs: null })
    expect(knownAt(m, 1499)!.scheduledCloseUs).toBeNull()
    expect(knownAt(m, 1500)!.scheduledCloseUs).toBe(2000)
    expect(knownAt(m, 2099)!.actualCloseUs).toBeNull()
    expect(knownAt(m, 2100)!.actualCloseUs).toBe(2100)
    expect(knownAt(m, 2499)).toMatchObject({ outcome: null, settledUs: null })
    expect(knownAt(m, 2500)).toMatchObject({ outcome: 'yes', settledUs: 2500 })
  })

  test('an outcome without a publication time, or a close without a known-at time, is never shown', () => {
    const m = market({ settledUs: null, scheduledCloseKnownUs: null })
    expect(knownAt(m, Number.MAX_SAFE_INTEGER)).toMatchObject({ outcome: null, scheduledCloseUs: null })
    const scalar = market({ outcome: 'scalar', settlementE6: 400_000 })
    expect(knownAt(scalar, 2499)!.settlementE6).toBeNull()
    expect(knownAt(scalar, 2500)!.settlementE6).toBe(400_000)
  })

  test('no look-ahead: changing every fact that became known after t changes nothing shown up to t', () => {
    const later = (t: number): fc.Arbitrary<number | null> => fc.option(fc.integer({ min: t + 1, max: 40 }), { nil: null })
    const facts = (t: number) => fc.record({ close: later(t), closeKnown: later(t), scheduled: fc.integer(), settled: later(t) })
    const instants = fc.record({ close: fc.integer({ min: 0, max: 30 }), closeKnown: fc.integer({ min: 0, max: 30 }), settled: fc.integer({ min: 0, max: 30 }) })
    fc.assert(fc.property(
      instants, fc.integer({ min: 0, max: 30 }).chain((t) => fc.tuple(fc.constant(t), facts(t))), fc.constantFrom('yes', 'no', 'void'),
      (own, [t, other], outcome) => {
        const a = market({
          openUs: 0, actualCloseUs: own.close, scheduledCloseKnownUs: own.closeKnown, settledUs: own.settled, outcome: 'yes',
        })
        const b: Market = {
          ...a,
          actualCloseUs: own.close > t ? other.close : own.close,
          ...(own.closeKnown > t ? { scheduledCloseKnownUs: other.closeKnown, scheduledCloseUs: other.scheduled } : {}),
          ...(own.settled > t ? { settledUs: other.settled, outcome } : {}),
        }
        for (let nowUs = 0; nowUs <= t; nowUs++) expect(knownAt(b, nowUs)).toEqual(knownAt(a, nowUs))
      },
    ))
  })
})
