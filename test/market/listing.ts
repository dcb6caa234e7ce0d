import type { Catalogue, Market } from '../../src/market/market.ts'
import type { ListMoment, MarketFigures, MarketPage, MarketStatus } from '../../src/market/marketList.ts'
import { MarketList } from '../../src/market/marketList.ts'
import { isRejection, type MarketParameters } from '../../src/market/marketQuery.ts'
import { numberMarkets } from './numberMarkets.ts'

/** Wednesday 2025-06-18, 22:00 UTC. */
export const NOW = 1_750_284_000_000_000
export const HOUR = 3_600_000_000
export const DAY = 24 * HOUR

export type Fields = Partial<Omit<Market, 'number'>> & { readonly ticker: string }

/** A sports market of venue_a, listed an hour ago, that closes in two hours; its event is the ticker up to the last dash. */
export const draft = (fields: Fields): Omit<Market, 'number'> => ({
  venue: 'venue_a', event: fields.ticker.slice(0, Math.max(0, fields.ticker.lastIndexOf('-'))), series: 'S', category: 'sports',
  title: fields.ticker, game: '', ladder: '', exclusionKeys: [`market:${fields.ticker}`], openUs: NOW - HOUR, scheduledCloseUs: NOW + 2 * HOUR,
  scheduledCloseKnownUs: NOW - HOUR, actualCloseUs: null, outcome: null, settlementE6: null, settledUs: null, ...fields,
})

export const catalogue = (...fields: Fields[]): Catalogue => ({ markets: numberMarkets(fields.map(draft)) })

export interface Around {
  readonly nowUs?: number
  readonly shiftUs?: number
  readonly status?: (market: number) => MarketStatus
  readonly figures?: (market: number) => MarketFigures | null
}
export const moment = ({ nowUs = NOW, shiftUs = 0, status = () => 'open', figures = () => null }: Around = {}): ListMoment => ({ nowUs, shiftUs, status, figures })

/** A page, or the message of the first issue as an error. */
export function read(list: MarketList, parameters: MarketParameters = {}, around: Around = {}): MarketPage {
  const page = list.read(parameters, moment(around))
  if (isRejection(page)) throw new Error(JSON.stringify(page.issues))
  return page
}

/** Tickers of the markets on a page, in order. */
export const tickers = (page: MarketPage): string[] => page.data.events.flatMap(({ markets }) => markets.map(({ ticker }) => ticker))

/** Fields that the query finds wrong; none when it is right. */
export function wrong(parameters: MarketParameters, list = new MarketList(catalogue())): string[] {
  const page = list.read(parameters, moment())
  return isRejection(page) ? page.issues.map(({ path }) => path.join('.')) : []
}
