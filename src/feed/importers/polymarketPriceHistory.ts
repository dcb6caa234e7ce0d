import { NO_PRICE, PRICE_ONE_E6 } from '../../market/ticks.ts'
import { DAY_US } from '../../unit/time.ts'
import type { Importer } from '../importer.ts'
import type { FileTally } from '../importTally.ts'
import { PROBABILITY, PriceReader } from '../mapping/prices.ts'
import { ROUNDED, roundedText } from '../mapping/sectionRows.ts'
import { RESULT_WORDS, wordsWith } from '../mapping/words.ts'
import { byText, type MarketDraft, NOT_STATED } from '../marketDraft.ts'
import type { Cells } from '../rows/cells.ts'
import { readRows, sourceTables } from '../rows/sourceTables.ts'
import { relationsOfSlug } from '../slugRelations.ts'
import { anyInstants } from './anyInstants.ts'
import type { TickSink } from '../tickSink.ts'

const FORMAT = 'polymarket-price-history'
const COLUMNS = ['timestamp', 'market_slug', 'question', 'price', 'outcome', 'category']
const [AT, SLUG, QUESTION, PRICE, OUTCOME, CATEGORY] = [0, 1, 2, 3, 4, 5]
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
  /** Millionths of a dollar that YES is worth. */
  worthE6: number | null
  outcomes: number
}

/** Price series of resolved Polymarket markets: one price per instant, without bid or ask. */
export const polymarketPriceHistory: Importer = {
  format: FORMAT,
  about: 'Polymarket price history of resolved markets: a price every ten minutes or so (Parquet, CSV or NDJSON)',
  async read(paths, ticks, tally) {
    const { tables, close } = await sourceTables(paths, { prices: COLUMNS }, tally)
    try {
      const series = new Map<string, Series>()
      for (const source of tables.prices) {
        const fileTally = tally.file(source.file.name)
        const reader = new PriceRows(fileTally, series, ticks)
        await readRows(source, fileTally, (cells, row, number) => reader.row(cells, row, number))
      }
      const all = [...series.values()]
      noteEndings(all)
      return { markets: drafts(all), coverage: { 'prices without bid and ask': all.length } }
    } finally {
      await close()
    }
  },
}

class PriceRows {
  private declare readonly tally: FileTally
  private declare readonly all: Map<string, Series>
  private declare readonly ticks: TickSink
  /** Times of no stated zone are UTC. */
  private readonly times = anyInstants(AT, 'UTC')
  private readonly prices = new PriceReader(PROBABILITY)
  private readonly words = wordsWith(RESULT_WORDS)

  constructor(tally: FileTally, all: Map<string, Series>, ticks: TickSink) {
    this.tally = tally
    this.all = all
    this.ticks = ticks
  }

  row(cells: readonly Cells[], row: number, number: number): void {
    const { tally, all } = this
    const text = (column: number): string => cells[column]!.text(row)
    const slug = text(SLUG)
    if (cells[SLUG]!.isEmpty(row)) return tally.quarantine('no market', number, 'market_slug is empty')
    const atUs = this.times.read(cells, row)
    if (typeof atUs === 'string') return tally.quarantine(atUs, number, `'${this.times.text(cells, row)}' is no instant`)
    const lastE6 = this.prices.read(cells[PRICE]!, row)
    if (typeof lastE6 === 'string' || lastE6 < 0) return tally.quarantine(typeof lastE6 === 'string' ? lastE6 : 'not a number', number, `price ${text(PRICE)}`)
    const { isRounded } = this.prices
    let series = all.get(slug)
    if (series === undefined) {
      series = {
        slug, question: text(QUESTION), category: text(CATEGORY), tally, firstRow: number, place: all.size, prices: new Map(),
        openUs: atUs, lastUs: atUs, lastRow: number, pinnedUs: -1, worthE6: null, outcomes: 0,
      }
      all.set(slug, series)
    }
    if (!cells[OUTCOME]!.isEmpty(row)) this.readOutcome(series, text(OUTCOME), number)
    const before = series.prices.get(atUs)
    if (before !== undefined) {
      const kind = before === lastE6 ? 'duplicate' : 'conflicting duplicate'
      return tally.quarantine(kind, number, `a second price of ${slug} at that instant: the first one stands`)
    }
    keep(series, atUs, lastE6, number)
    tally.accept()
    if (isRounded) tally.note(ROUNDED, number, roundedText(text(PRICE)))
    this.ticks.add(atUs, series.place, NO_PRICE, NO_PRICE, NO_PRICE, NO_PRICE, lastE6)
  }

  /** A word for yes or no, or what YES is worth: 1, 0 or a half. Anything else is a last price, and no result. */
  private readOutcome(series: Series, text: string, number: number): void {
    const word = this.words.get(text.toLowerCase())
    const worth = word === 'yes' ? PRICE_ONE_E6 : word === 'no' ? 0 : this.prices.ofText(text)
    const isRounded = word !== 'yes' && word !== 'no' && this.prices.isRounded
    if (typeof worth === 'string' || isRounded || ![0, PRICE_ONE_E6 / 2, PRICE_ONE_E6].includes(worth)) return this.tally.note('unknown result', number, `${series.slug}: outcome '${text}'`)
    series.outcomes += 1
    if (series.outcomes === 1) series.worthE6 = worth
    else if (series.worthE6 !== worth) {
      series.worthE6 = null
      series.tally.note('conflicting outcome', number, `${series.slug}: two outcomes, none is taken`)
    }
  }
}

function keep(series: Series, atUs: number, lastE6: number, number: number): void {
  series.prices.set(atUs, lastE6)
  series.openUs = Math.min(series.openUs, atUs)
  if (atUs < series.lastUs) return
  series.lastUs = atUs
  series.lastRow = number
  const pinned = lastE6 >= PINNED_E6 || lastE6 <= PRICE_ONE_E6 - PINNED_E6
  series.pinnedUs = !pinned ? -1 : series.pinnedUs < 0 ? atUs : series.pinnedUs
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
      ...outcomeOf(series.worthE6),
    }
  })
}

function outcomeOf(worthE6: number | null): Pick<MarketDraft, 'outcome' | 'settlementE6'> {
  if (worthE6 === null) return { outcome: null, settlementE6: null }
  if (worthE6 === 0 || worthE6 === PRICE_ONE_E6) return { outcome: worthE6 === 0 ? 'no' : 'yes', settlementE6: null }
  return { outcome: 'scalar', settlementE6: worthE6 }
}
