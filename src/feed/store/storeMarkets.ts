import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { z } from 'zod'
import { writeWholeText } from '../../arrow/wholeFile.ts'
import { checkMarket } from '../../market/catalogue.ts'
import type { Catalogue } from '../../market/market.ts'
import { InputError } from '../../unit/inputError.ts'
import { byText, catalogueOf, type MarketDraft } from '../marketDraft.ts'
import { storePlace } from './storeFiles.ts'
import { readStoreJson } from './storeJson.ts'

const instant = z.int().nullable()

const FREQUENCIES = ['hourly', 'daily', 'weekly', 'monthly', 'other'] as const

/** A market as a file has it. */
export const marketSchema = z.strictObject({
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
    frequency: z.enum(FREQUENCIES).optional(),
    eventTitle: z.string().optional(),
    isExclusive: z.boolean().optional(),
  }).optional(),
})
const marketsSchema = z.array(marketSchema)

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
    const markets: readonly MarketDraft[] = readByLine(file) ?? readStoreJson(file, marketsSchema)
    for (const [i, market] of markets.entries()) {
      const before = markets[i - 1]
      if (before !== undefined && byText(before.ticker, market.ticker) >= 0) throw new InputError(`market ${market.ticker} is there twice, or not in order of tickers`, { position: { file } })
      checkMarket(market, i, file)
      known.set(market.ticker, market)
    }
  }
  return catalogueOf(known.values())
}

/** The same as `marketsByLine`, and null for a file that the system refuses too. */
function readByLine(path: string): MarketDraft[] | null {
  try {
    return marketsByLine(path)
  } catch {
    return null
  }
}

/**
 * The markets of a file that has one a line, as parlor writes it: only one at a time is in memory as text. Null for any other file, also for one that is damaged, of
 * which whoever reads all of it says what is wrong.
 */
function marketsByLine(path: string): MarketDraft[] | null {
  const markets: MarketDraft[] = []
  let state: 'begin' | 'market' | 'end' | 'over' = 'begin'
  for (const line of linesOf(path)) {
    if (state === 'begin' && line === '[') state = 'market'
    else if (state === 'end' && line === ']') state = 'over'
    else if (state === 'market') {
      const isLast = !line.endsWith(',')
      const market = marketIn(isLast ? line : line.slice(0, -1))
      if (market === null) return null
      markets.push(market)
      if (isLast) state = 'end'
    } else return null
  }
  return state === 'over' ? markets : null
}

function marketIn(line: string): MarketDraft | null {
  try {
    const value: unknown = JSON.parse(line)
    return isMarket(value) ? value : null
  } catch {
    return null
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isInstant = (value: unknown): boolean => value === null || Number.isSafeInteger(value)
/** Fields that every market has. */
const FIELDS = Object.keys(marketSchema.shape).length - 1

/** Whether a value is one of `marketSchema`, told in a tenth of the time. */
export function isMarket(value: unknown): value is MarketDraft {
  if (typeof value !== 'object' || value === null) return false
  const { ticker, venue, event, series, category, title, game, ladder, exclusionKeys, openUs, scheduledCloseUs, scheduledCloseKnownUs, actualCloseUs, outcome, settlementE6, settledUs, listing } = value as Readonly<Record<string, unknown>>
  return Object.keys(value).length === FIELDS + (listing === undefined ? 0 : 1) && (listing === undefined || isListing(listing))
    && isText(ticker) && (venue === 'venue_a' || venue === 'venue_b') && isText(event) && isText(series) && isText(category) && isText(title) && isText(game) && isText(ladder)
    && Array.isArray(exclusionKeys) && exclusionKeys.every(isText) && Number.isSafeInteger(openUs) && isInstant(scheduledCloseUs) && isInstant(scheduledCloseKnownUs) && isInstant(actualCloseUs)
    && (outcome === null || outcome === 'yes' || outcome === 'no' || outcome === 'void' || outcome === 'scalar') && isInstant(settlementE6) && isInstant(settledUs)
}

function isListing(listing: unknown): boolean {
  if (typeof listing !== 'object' || listing === null || Array.isArray(listing)) return false
  return Object.entries(listing).every(([name, value]) => {
    switch (name) {
      case 'subcategory': case 'eventTitle': return isText(value)
      case 'frequency': return (FREQUENCIES as readonly unknown[]).includes(value)
      case 'isExclusive': return typeof value === 'boolean'
      default: return false
    }
  })
}

const CHUNK_BYTES = 1 << 20
const NEWLINE = 10

/** The lines of a text file, up to one that is longer than any of a market. None of what is no file. */
function* linesOf(path: string): Generator<string, void> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return
  const file = openSync(path, 'r')
  try {
    let held = Buffer.alloc(0)
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const read = readSync(file, chunk)
      if (read === 0) break
      held = Buffer.concat([held, chunk.subarray(0, read)])
      let from = 0
      for (let end = held.indexOf(NEWLINE); end >= 0; end = held.indexOf(NEWLINE, from)) {
        yield held.toString('utf8', from, end)
        from = end + 1
      }
      held = held.subarray(from)
      if (held.length > CHUNK_BYTES) return
    }
    if (held.length > 0) yield held.toString('utf8')
  } finally {
    closeSync(file)
  }
}
