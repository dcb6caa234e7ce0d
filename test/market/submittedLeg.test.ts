import { describe, expect, it } from 'vitest'
import { CatalogueIndex } from '../../src/market/catalogue.ts'
import { resolveLegs } from '../../src/market/submittedLeg.ts'
import { catalogue } from './listing.ts'

const index = new CatalogueIndex(catalogue({ ticker: 'A-1' }, { ticker: 'A-2' }, { ticker: 'B-1', venue: 'venue_b' }))
const issues = (...legs: unknown[]): string[] => {
  const found = resolveLegs(index, legs)
  return 'issues' in found ? found.issues.map(({ path }) => path.join('.')) : []
}
const YES = { market_ticker: 'A-1', side: 'yes' }

describe('a submitted leg', () => {
  it('PQ-003 PQ-053 PQ-054 names one market of one venue and a side of it, and is kept as it came', () => {
    expect(resolveLegs(index, [{ ...YES, venue: 'venue_a' }, { market_ticker: 'B-1', side: 'no', venue: 'venue_b' }])).toEqual([
      { market: 0, sideNumber: 1, event_ticker: 'A', market_ticker: 'A-1', side: 'yes', venue: 'venue_a' },
      { market: 2, sideNumber: 0, event_ticker: 'B', market_ticker: 'B-1', side: 'no', venue: 'venue_b' },
    ])
  })

  it('PQ-051 without a venue is one of venue_a', () => {
    expect(resolveLegs(index, [YES])).toMatchObject([{ market: 0, venue: 'venue_a' }])
    expect(resolveLegs(index, [{ market_ticker: 'B-1', side: 'yes' }])).toEqual({
      code: 'VALIDATION_ERROR', issues: [], leg_errors: [{ reason: 'market_not_found', legs: [0] }],
    })
  })

  it('PQ-356 that names no market of its venue is a leg error', () => {
    const legs = [{ ...YES, venue: 'venue_b' }, YES, { market_ticker: 'Z', side: 'no' }, { market_ticker: 'toString', side: 'no' }]
    expect(resolveLegs(index, legs)).toEqual({
      code: 'VALIDATION_ERROR', issues: [],
      leg_errors: [0, 2, 3].map((place) => ({ reason: 'market_not_found', legs: [place] })),
    })
  })

  it.each([undefined, null, '', 7, {}])('PQ-048 PQ-355 with the ticker %j is refused', (market_ticker) => {
    expect(issues({ market_ticker, side: 'yes' })).toEqual(['legs.0.market_ticker'])
  })

  it.each([undefined, null, '', 'YES', 'maybe', 1, true])('PQ-049 PQ-355 with the side %j is refused', (side) => {
    expect(issues(YES, { market_ticker: 'A-2', side })).toEqual(['legs.1.side'])
  })

  it('PQ-049 has yes or no for a side', () => {
    expect(['yes', 'no'].flatMap((side) => issues({ market_ticker: 'A-1', side }))).toEqual([])
  })

  it.each([null, '', 'venue_c', 'VENUE_A', 1])('PQ-050 PQ-355 with the venue %j is refused', (venue) => {
    expect(issues({ ...YES, venue })).toEqual(['legs.0.venue'])
  })

  it.each([null, 'A-1', 3, [], undefined])('PQ-355 that is %j is refused', (leg) => {
    expect(issues(leg)[0]).toMatch(/^legs\.0/)
  })

  it('tells every issue of every leg before it looks for markets', () => {
    expect(issues({ side: 'x', venue: 'y' }, { market_ticker: 'Z', side: 'no' }, 5)).toEqual([
      'legs.0.market_ticker', 'legs.0.side', 'legs.0.venue', 'legs.2',
    ])
  })
})
