import { SECOND_US } from '../../unit/time.ts'
import { type FieldsOf, readCsv } from '../csvRows.ts'
import { askOrEmpty, bidOrEmpty, exactPriceE6 } from '../exactDecimal.ts'
import type { Importer } from '../importer.ts'
import type { FileTally } from '../importTally.ts'
import { type MarketDraft, NOT_STATED } from '../marketDraft.ts'
import { sourceFiles } from '../sourceFiles.ts'
import { resultOfWord } from '../resultWord.ts'
import type { TickSink } from '../tickSink.ts'
import { NO_PRICE } from '../../market/ticks.ts'

const FORMAT = 'kalshi-mlb-close'
const COLUMNS = ['ticker', 'event', 'yes_team', 'winner', 'close_bid', 'close_ask', 'result', 'settled_ts'] as const

/**
 * Settled baseball games of Kalshi with their closing quotes. The source does not say when a closing quote stood. Its tick is
 * put at the settlement, the only instant by which the quote had surely been seen: for calibration, not for trading.
 */
export const kalshiMlbClose: Importer = {
  format: FORMAT,
  about: 'Kalshi settled baseball games: closing bid and ask in cents, and results (CSV)',
  async read(paths, ticks, tally) {
    const { games } = await sourceFiles(paths, { games: COLUMNS }, tally)
    const drafts: MarketDraft[] = []
    const seen = new Set<string>()
    for (const file of games) {
      const fileTally = tally.file(file)
      await readCsv(file, COLUMNS, fileTally, (fields, line) => readGame(fields, line, fileTally, seen, drafts, ticks))
    }
    return { markets: drafts, coverage: { 'closing quotes only': drafts.length } }
  },
}

function readGame(
  [ticker, event, team, winner, bid, ask, result, settled]: FieldsOf<typeof COLUMNS>,
  line: number,
  tally: FileTally,
  seen: Set<string>,
  drafts: MarketDraft[],
  ticks: TickSink,
): void {
  const bidE6 = centsE6(bid)
  const askE6 = centsE6(ask)
  if (typeof bidE6 === 'string') return tally.quarantine(bidE6, line, `close_bid ${bid}`)
  if (typeof askE6 === 'string') return tally.quarantine(askE6, line, `close_ask ${ask}`)
  if (bidE6 > askE6) return tally.quarantine('crossed book', line, `bid ${bid} over ask ${ask}`)
  if (!/^\d{10}$/.test(settled)) return tally.quarantine('bad timestamp', line, `${settled} is no Unix time in s`)
  if (seen.has(ticker)) return tally.quarantine('duplicate', line, `a second row of ${ticker}`)
  seen.add(ticker)
  tally.accept()
  const outcome = resultOfWord(result)
  if (outcome === null) tally.note('unknown result', line, `result '${result}'`)
  if (winner === '') tally.note('winner not named', line, 'the result column decides')
  else if (outcome !== null && outcome !== 'void' && (winner === team) !== (outcome === 'yes')) {
    tally.note('winner contradicts result', line, `${ticker}: the result column decides`)
  }
  const settledUs = Number(settled) * SECOND_US
  ticks.add(settledUs, drafts.length, bidOrEmpty(bidE6), askOrEmpty(askE6), NO_PRICE, NO_PRICE, NO_PRICE)
  drafts.push({
    ...NOT_STATED,
    ticker,
    venue: 'venue_a',
    event,
    series: ticker.split('-', 1)[0]!,
    category: 'sports',
    title: `${event}: ${team} wins`,
    game: event,
    exclusionKeys: [`game:${event}`],
    openUs: settledUs,
    outcome,
    settledUs: outcome === null ? null : settledUs,
    listing: { subcategory: 'mlb' },
  })
}

/** Whole cents, 0 to 100, in millionths of a dollar. */
function centsE6(cents: string) {
  return /^\d+$/.test(cents) ? exactPriceE6(`${cents}e-2`) : 'not a number'
}
