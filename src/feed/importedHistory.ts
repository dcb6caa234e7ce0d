import type { Market, MarketOutcome } from '../market/market.ts'
import type { Ticks } from '../market/ticks.ts'
import { assert } from '../unit/assert.ts'
import { NEVER_US } from '../unit/time.ts'
import type { ImportResult } from './importer.ts'
import type { ImportTally } from './importTally.ts'
import type { TickBuffer } from './tickBuffer.ts'

/** A market before its number is known. */
export type MarketDraft = Omit<Market, 'number'>

/** What stays unknown where a source does not say it. */
export const NOT_STATED = {
  game: '',
  ladder: '',
  scheduledCloseUs: null,
  scheduledCloseKnownUs: null,
  actualCloseUs: null,
  outcome: null,
  settlementE6: null,
  settledUs: null,
} as const

/** Orders texts by code units, which is the same on every machine. */
export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Numbers the markets by ticker, sorts the ticks (which name their markets by index in `drafts`) and closes the report. */
export function importedHistory(
  format: string,
  tally: ImportTally,
  drafts: readonly MarketDraft[],
  ticks: TickBuffer,
  coverage: Readonly<Record<string, number>> = {},
): ImportResult {
  const order = drafts.map((_, place) => place).sort((a, b) => byText(drafts[a]!.ticker, drafts[b]!.ticker))
  const numberOf = new Int32Array(drafts.length)
  order.forEach((place, number) => {
    numberOf[place] = number
  })
  const markets = order.map((place, number): Market => ({ number, ...drafts[place]! }))
  for (let i = 1; i < markets.length; i += 1) {
    const { ticker } = markets[i]!
    assert(markets[i - 1]!.ticker !== ticker, `two markets are called ${ticker}`)
  }
  const sorted = ticks.sorted(numberOf)
  return {
    markets,
    ticks: sorted,
    report: {
      format,
      ...tally.close(),
      markets: markets.length,
      ticks: sorted.count,
      coverage: { ...known(markets), 'ticks after the scheduled close': ticksAfterClose(markets, sorted), ...coverage },
    },
  }
}

function known(markets: readonly Market[]): Record<string, number> {
  const count = (of: (market: Market) => boolean) => markets.filter(of).length
  const resolved = (outcome: MarketOutcome) => count((market) => market.outcome === outcome)
  return {
    'resolved yes': resolved('yes'),
    'resolved no': resolved('no'),
    'resolved void': resolved('void'),
    'resolved scalar': resolved('scalar'),
    unresolved: count((market) => market.outcome === null),
    'resolved without settlement time': count((market) => market.outcome !== null && market.settledUs === null),
    'without scheduled close': count((market) => market.scheduledCloseUs === null),
  }
}

function ticksAfterClose(markets: readonly Market[], { count, atUs, market }: Ticks): number {
  const closeUs = markets.map(({ scheduledCloseUs }) => scheduledCloseUs ?? NEVER_US)
  let after = 0
  for (let i = 0; i < count; i += 1) if (atUs[i]! > closeUs[market[i]!]!) after += 1
  return after
}
