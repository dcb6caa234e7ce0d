import { expect, it } from 'vitest'
import { type MakerHandlers, type MakerStrategy, maker } from '../../../src/agent/maker.ts'
import { KnownMarkets } from '../../../src/trade/knownMarkets.ts'
import { MakerHost } from '../../../src/trade/maker/makerHost.ts'
import type { MakerTold } from '../../../src/trade/maker/makerWords.ts'
import { TradePrices } from '../../../src/trade/prices.ts'

const SECOND = 1_000_000

/** A version of request 1 that comes at an instant and is open for 90 s from then on. */
const versionAt = (version: number, atS: number): MakerTold =>
  ({ kind: 'onRequest', atUs: atS * SECOND, numbers: { request: 1, version, expiresAtUs: (atS + 90) * SECOND, betMicros: SECOND }, markets: [0], sides: [1] })

/** What a strategy hears of the ends of versions that come in an order, all before any of them is over. */
function endsOf(...comings: readonly MakerTold[]): string[] {
  const heard: string[] = []
  const handlers: MakerHandlers = { onRequestEnded: ({ request, version }, desk) => void heard.push(`${request}.${version} over ${desk.nowUs / SECOND}`) }
  const prices = new TradePrices(1, 0)
  const { results, facts } = new KnownMarkets(1, prices)
  const host = new MakerHost({ service: 'parlay', name: 'ours', seed: 'x', strategy: maker({}, () => handlers) as unknown as MakerStrategy, values: {}, capitalMicros: SECOND, marketCount: 1, prices, results, facts })
  const ends = comings.flatMap((told) => host.hear(told)).flatMap((deed) => ('told' in deed ? [deed.told] : []))
  for (const told of ends.toSorted((a, b) => a.atUs - b.atUs)) host.hear(told)
  return heard
}

it('PQ-111 PQ-112 a client hears of the end of the newest version that has come, in whatever order versions come', () => {
  expect(endsOf(versionAt(1, 2), versionAt(2, 30))).toEqual(['1.2 over 120'])
  expect(endsOf(versionAt(2, 30), versionAt(1, 31))).toEqual(['1.2 over 120'])
})
