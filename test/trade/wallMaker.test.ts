import { expect, it } from 'vitest'
import { maker, type MakerStrategy } from '../../src/agent/maker.ts'
import { AuctionOutcome, isKnown } from '../../src/agent/vocabulary.ts'
import { SMALL } from '../scenario/small.ts'
import { servedTrade } from './servedTrade.ts'

const SERVICES = { parlay: 'parlay: { profile: parlay@2.1, gate: {} }', outcome: 'outcome: { profile: outcome@1, signatures: eip712, gate: {} }' } as const

/** Bettors that soon sell, and another bidder, which buys what the maker sells again. */
const live = (service: keyof typeof SERVICES): string => SMALL.replace('parlay: { profile: parlay@2.1 }', SERVICES[service]).replace('until: 10m, max: 200', 'until: 9m')
  .replace(/bettors:\n[^]*$/, `bettors:
  - { kind: impatient, n: 100, every: 1m, params: { legsMax: 2, tries: 3, holdMin: 1s, holdMax: 5s, decideMax: 2s } }
makers:
  - { external: true, name: ours, capital: 100000 USDC }
  - { use: fixed-margin, name: rival, capital: 1000000 USDC, params: { bid: 5% } }
`)

/** Bids more than anybody, and sells to the first bid. Ends the session once one position is sold. */
const seller = (sold: () => void): MakerStrategy => maker({}, () => ({
  onCashOut: (auction, desk) => { if (!auction.isSeller) desk.bid(auction, { probability: 0.95, validUs: 40_000_000 }) },
  onBought: (position, desk) => { desk.checkIn(position, 1_000_000) },
  onCheck: (position, desk) => { if (position.canCashOut) desk.openCashOut(position) },
  onBid: (position, desk) => { if (position.isAuctioned && isKnown(position.bestPriceMicros)) desk.takeBid(position, 1) },
  onAuctionEnded(position, outcome, desk) {
    if (outcome === AuctionOutcome.sold) sold()
    else desk.checkIn(position, 1_000_000)
  },
  onCashOutRefused: (position, _, desk) => { desk.checkIn(position, 1_000_000) },
})) as unknown as MakerStrategy

it.each(['parlay', 'outcome'] as const)('a maker sells by the wall’s clock what it took over on the %s service, and its run is verified', async (service) => {
  const stop = new AbortController()
  let sales = 0
  const { summaries: [summary], faults } = await servedTrade(live(service), { clock: 'wall', speed: 4 }, [{ name: 'ours', strategy: seller(() => {
    sales++
    stop.abort()
  }) }], stop.signal)
  expect(sales).toBeGreaterThan(0)
  expect(summary!.figures['ended']).toBeGreaterThan(0)
  expect(faults).toEqual([])
})
