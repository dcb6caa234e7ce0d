import { NO_PRICE, PRICE_ONE_E6 } from '../../market/ticks.ts'
import { DAY_US } from '../../unit/time.ts'
import { exactPriceE6 } from '../exactDecimal.ts'
import { byText, importedHistory, type MarketDraft, NOT_STATED } from '../importedHistory.ts'
import type { Importer } from '../importer.ts'
import { type FileTally, ImportTally } from '../importTally.ts'
import { type ParquetRow, readParquet } from '../parquetRows.ts'
import { relationsOfSlug } from '../slugRelations.ts'
import { sourceFiles } from '../sourceFiles.ts'
import { TickBuffer } from '../tickBuffer.ts'

const FORMAT = 'polymarket-price-history'
const COLUMNS = ['timestamp', 'market_slug', 'question', 'price', 'outcome', 'category']
const PINNED_E6 = 990_000

interface Series {
  readonly slug: string
  readonly question: string
  readonly category: string
  readonly tally: FileTally
  readonly firstRow: number
  readonly place: number
  /** Price by instant. */
  readonly prices: Map<number, number>
  openUs: number
  lastUs: number
  lastRow: number
  /** First instant of the pinned prices (within a cent of 0 or 1) with which the series ends, −1 if it does not end with any. */
  pinnedUs: number
  outcome: number | null
  outcomes: number
}

/** Price series of resolved Polymarket markets: one price per instant, without bid or ask. */
export const polymarketPriceHistory: Importer = {
  format: FORMAT,
  about: 'Polymarket price history of resolved markets: a price every ten minutes or so (Parquet)',
  async read(paths) {
    const tally = new ImportTally()
    const { prices } = await sourceFiles(paths, { prices: COLUMNS }, tally)
    const series = new Map<string, Series>()
    const ticks = new TickBuffer(1 << 18)
    for (const file of prices) {
      const fileTally = tally.file(file)
      await readParquet(file, COLUMNS, fileTally, (row, number) => readPrice(row, number, fileTally, series, ticks))
    }
    const all = [...series.values()]
    noteEndings(all)
    return importedHistory(FORMAT, tally, drafts(all), ticks, { 'prices without bid and ask': all.length })
  },
}

function readPrice(row: ParquetRow, number: number, tally: FileTally, all: Map<string, Series>, ticks: TickBuffer): void {
  const { timestamp: atUs, market_slug: slug, question, price, outcome, category } = row
  if (typeof slug !== 'string' || slug === '') return tally.quarantine('no market', number, 'market_slug is empty')
  if (typeof atUs !== 'number') return tally.quarantine('bad timestamp', number, `${String(atUs)} is no instant`)
  const lastE6 = exactPriceE6(String(price))
  if (typeof lastE6 === 'string') return tally.quarantine(lastE6, number, `price ${String(price)}`)
  let series = all.get(slug)
  if (series === undefined) {
    series = {
      slug, question: String(question), category: String(category), tally, firstRow: number, place: all.size, prices: new Map(),
      openUs: atUs, lastUs: atUs, lastRow: number, pinnedUs: -1, outcome: null, outcomes: 0,
    }
    all.set(slug, series)
  }
  if (outcome !== null && outcome !== undefined) readOutcome(series, Number(outcome), number)
  const before = series.prices.get(atUs)
  if (before !== undefined) {
    const kind = before === lastE6 ? 'duplicate' : 'conflicting duplicate'
    return tally.quarantine(kind, number, `a second price of ${slug} at that instant: the first one stands`)
  }
  series.prices.set(atUs, lastE6)
  series.openUs = Math.min(series.openUs, atUs)
  if (atUs >= series.lastUs) {
    series.lastUs = atUs
    series.lastRow = number
    const pinned = lastE6 >= PINNED_E6 || lastE6 <= PRICE_ONE_E6 - PINNED_E6
    series.pinnedUs = !pinned ? -1 : series.pinnedUs < 0 ? atUs : series.pinnedUs
  }
  tally.accept()
  ticks.add(atUs, series.place, NO_PRICE, NO_PRICE, NO_PRICE, NO_PRICE, lastE6)
}

function readOutcome(series: Series, outcome: number, number: number): void {
  series.outcomes += 1
  if (series.outcomes === 1) series.outcome = outcome
  else if (series.outcome !== outcome) {
    series.outcome = null
    series.tally.note('conflicting outcome', number, `${series.slug}: two outcomes, none is taken`)
  }
}

/** Notes what the ends of the series say about the source. None of it is a settlement time. */
function noteEndings(all: readonly Series[]): void {
  const captureDay = Math.floor(all.reduce((latest, { lastUs }) => Math.max(latest, lastUs), 0) / DAY_US)
  for (const { slug, tally, lastRow, lastUs, pinnedUs, outcomes } of all) {
    if (outcomes === 0) tally.note('no outcome', lastRow, `${slug}: unresolved`)
    if (Math.floor(lastUs / DAY_US) === captureDay) {
      tally.note('ends on the day of capture', lastRow, 'the last row is when the source was captured, not a settlement')
    }
    if (pinnedUs >= 0 && pinnedUs < lastUs) {
      tally.note('pinned before the end', lastRow, 'the price stood within a cent of 0 or 1 before the last row: decided earlier, when is not said')
    }
  }
}

function drafts(all: readonly Series[]): MarketDraft[] {
  const related = new Map<string, number>()
  const relations = all.map(({ slug }) => relationsOfSlug(slug))
  for (const key of relations.flatMap(({ exclusionKeys }) => exclusionKeys)) related.set(key, (related.get(key) ?? 0) + 1)
  return all.map((series, i): MarketDraft => {
    const { event, game, ladder, exclusionKeys } = relations[i]!
    if (!exclusionKeys.some((key) => (related.get(key) ?? 0) > 1)) {
      series.tally.note('no related market', series.firstRow, `${series.slug}: its name tells of no other market here`)
    }
    return {
      ...NOT_STATED,
      ticker: series.slug,
      venue: 'venue_b',
      event,
      series: '',
      category: series.category,
      title: series.question,
      game,
      ladder,
      exclusionKeys: [...exclusionKeys].sort(byText),
      openUs: series.openUs,
      ...outcomeOf(series.outcome),
    }
  })
}

function outcomeOf(outcome: number | null): Pick<MarketDraft, 'outcome' | 'settlementE6'> {
  if (outcome === null) return { outcome: null, settlementE6: null }
  if (outcome === 0 || outcome === 1) return { outcome: outcome === 1 ? 'yes' : 'no', settlementE6: null }
  const settlementE6 = exactPriceE6(String(outcome))
  return typeof settlementE6 === 'string' ? { outcome: null, settlementE6: null } : { outcome: 'scalar', settlementE6 }
}
