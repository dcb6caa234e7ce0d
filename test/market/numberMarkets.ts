import { checkCatalogue } from '../../src/market/catalogue.ts'
import type { Market } from '../../src/market/market.ts'

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Numbers markets densely from 0 in the order of their tickers, with their keys sorted, as a catalogue has them. */
export function numberMarkets(drafts: readonly Omit<Market, 'number'>[]): Market[] {
  const sorted = [...drafts].sort((a, b) => byText(a.ticker, b.ticker))
  const markets = sorted.map((draft, number): Market => ({ number, ...draft, exclusionKeys: [...draft.exclusionKeys].sort(byText) }))
  checkCatalogue({ markets }, 'test')
  return markets
}
