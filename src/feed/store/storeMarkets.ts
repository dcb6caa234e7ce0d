import { z } from 'zod'
import { writeWholeText } from '../../arrow/wholeFile.ts'
import { checkMarket } from '../../market/catalogue.ts'
import type { Catalogue } from '../../market/market.ts'
import { InputError } from '../../unit/inputError.ts'
import { byText, catalogueOf, type MarketDraft } from '../marketDraft.ts'
import { storePlace } from './storeFiles.ts'
import { readStoreJson } from './storeJson.ts'

const instant = z.int().nullable()

const marketsSchema = z.array(z.strictObject({
  ticker: z.string(),
  venue: z.enum(['venue_a', 'venue_b']),
  event: z.string(),
  series: z.string(),
  category: z.string(),
  title: z.string(),
  game: z.string(),
  ladder: z.string(),
  exclusionKeys: z.array(z.string()),
  openUs: z.int(),
  scheduledCloseUs: instant,
  scheduledCloseKnownUs: instant,
  actualCloseUs: instant,
  outcome: z.enum(['yes', 'no', 'void', 'scalar']).nullable(),
  settlementE6: z.int().nullable(),
  settledUs: instant,
  listing: z.strictObject({
    subcategory: z.string().optional(),
    frequency: z.enum(['hourly', 'daily', 'weekly', 'monthly', 'other']).optional(),
    eventTitle: z.string().optional(),
    isExclusive: z.boolean().optional(),
  }).optional(),
}))

/** Writes markets, one a line, in order of ticker. */
export function writeMarkets(path: string, markets: readonly MarketDraft[]): void {
  writeWholeText(path, markets.length === 0 ? '[]\n' : `[\n${markets.map((market) => JSON.stringify(market)).join(',\n')}\n]\n`)
}

/**
 * The markets of a store by the files of some of its imports: of a market that several files have, the last one holds. Throws InputError for
 * a file that is damaged, and for markets that are not as a catalogue may have them.
 */
export function readMarkets(path: string, names: readonly string[]): Catalogue {
  const known = new Map<string, MarketDraft>()
  for (const name of names) {
    const file = storePlace(path, name)
    const markets: MarketDraft[] = readStoreJson(file, marketsSchema)
    for (const [i, market] of markets.entries()) {
      const before = markets[i - 1]
      if (before !== undefined && byText(before.ticker, market.ticker) >= 0) throw new InputError(`market ${market.ticker} is there twice, or not in order of tickers`, { position: { file } })
      checkMarket(market, i, file)
      known.set(market.ticker, market)
    }
  }
  return catalogueOf(known.values())
}
