import type { DirectoryCodes } from './directory.ts'
import type { OpenTable } from './openTables.ts'
import { bool, type Column, float, int, nameOf, namesOf, oneOf, orNull, shapeOf, text, time, word } from './tableShape.ts'

const RECORDED_RESULTS = ['yes', 'no', 'void', 'scalar'] as const
const RESULTS = ['yes', 'no', 'void'] as const
const REDRAWN_AS = ['alone', 'partition', 'lost'] as const
const RESULTS_BY = ['recorded', 'drawn', 'policy'] as const

/** One market that a session lists: what its history says, and what the session made of it. Instants in µs, null where nothing is known. */
export interface ListedMarket {
  readonly number: number
  readonly venue: string
  readonly series: string
  readonly event: string
  readonly eventTitle: string | null
  readonly title: string
  readonly category: string | null
  readonly subcategory: string | null
  readonly frequency: string | null
  readonly game: string | null
  readonly ladder: string | null
  readonly exclusionKeys: readonly string[]
  readonly isExclusive: boolean | null
  /** Decimal text. Null in a session without the outcome service. */
  readonly outcomeId: string | null
  readonly openUs: number
  readonly scheduledCloseUs: number | null
  readonly scheduledCloseKnownUs: number | null
  readonly actualCloseUs: number | null
  readonly recordedResult: (typeof RECORDED_RESULTS)[number] | null
  /** Millionths of a dollar that YES pays, of a scalar result. */
  readonly recordedValueE6: number | null
  readonly recordedResultUs: number | null
  readonly result: (typeof RESULTS)[number]
  readonly resultUs: number
  readonly resultBy: (typeof RESULTS_BY)[number]
  /** The value of YES at the market's close, 0…1: the chance with which it was drawn, where it was. */
  readonly closing: number | null
  /** How a redraw draws the outcome. Null where the result stands. */
  readonly redrawn: RedrawnMarket | null
}

/** The outcome is YES where the uniform number of `source` lies in [`from`, `to`). */
export interface RedrawnMarket {
  readonly kind: (typeof REDRAWN_AS)[number]
  readonly source: string
  readonly group: string
  readonly from: number
  readonly to: number
}

const distinct = (names: readonly (string | null)[]): string[] => [...new Set(names.filter((name) => name !== null))].toSorted()

export const marketTable = (codes: DirectoryCodes, markets: readonly ListedMarket[]) => {
  const named = (of: (market: ListedMarket) => string | null, kinds: string, about: string): Column => nameOf(distinct(markets.map(of)), kinds, about)
  const results = { yes: 'YES happened', no: 'NO happened', void: 'neither: stakes are given back' }
  return shapeOf('markets', 'markets that the session lists, one row each, in the order of their numbers; no strategy sees more of a row than what was known by then', {
    market: word('number of the market, or outcome: that of `journal.market` and `journal.legs`'),
    ticker: nameOf(codes.tickers, 'markets', 'ticker: that of `leg_markets`'),
    outcome_id: orNull(text('outcome_id of the outcome service, a decimal integer'), 'the session does not have that service'),
    venue: named(({ venue }) => venue, 'venues', 'venue that the history is of'),
    series: named(({ series }) => series, 'series', 'series of events'),
    event: named(({ event }) => event, 'events', 'event that the market is about'),
    event_title: orNull(text('title of the event'), 'the history gives none'),
    title: text('title of the market'),
    category: orNull(named(({ category }) => category, 'categories', 'category, as the history names it'), 'the history gives none'),
    subcategory: orNull(named(({ subcategory }) => subcategory, 'subcategories', 'subcategory'), 'the history gives none'),
    frequency: orNull(named(({ frequency }) => frequency, 'frequencies', 'how often markets like it come'), 'the history does not say'),
    game: orNull(named(({ game }) => game, 'games', 'game that the market is about'), 'it is about none'),
    ladder: orNull(named(({ ladder }) => ladder, 'ladders', 'ladder of thresholds that it is a rung of'), 'it is a rung of none'),
    exclusion_keys: namesOf(distinct(markets.flatMap(({ exclusionKeys }) => exclusionKeys)), 'exclusion keys', 'exclusion keys: two markets that share one cannot be legs of one parlay'),
    is_exclusive: orNull(bool('the history says that at most one market of the event comes true'), 'the history does not say'),
    cluster: nameOf(codes.clusters, 'settlement clusters', 'settlement cluster of a bet on this market alone'),
    opened_at: time('when the history begins to list it'),
    scheduled_close_at: orNull(time('announced end of trading'), 'none was announced'),
    scheduled_close_known_at: orNull(time('when that was known'), 'none was announced, or the history does not say when'),
    closed_at: orNull(time('when trading really ended, known at that instant'), 'the history does not say'),
    recorded_result: orNull(oneOf(RECORDED_RESULTS, 'result by the history', { ...results, scalar: 'YES pays a value in between' }), 'the history has none'),
    recorded_value_e6: orNull(int('what YES pays by a scalar result, millionths of a dollar'), 'the result is no scalar'),
    recorded_result_at: orNull(time('when the result was published, and known'), 'the history does not say'),
    result: oneOf(RESULTS, 'result that the operator of the session gives', results),
    result_at: time('when the operator gives it; after the end of the session it never did'),
    result_by: oneOf(RESULTS_BY, 'where that result comes from', {
      recorded: 'from the history', drawn: 'it was drawn at the last price', policy: "from the scenario's policy for markets without a result, or with a scalar one",
    }),
    closing_price: orNull(float('value of YES at its close, 0…1: the last price up to the end of trading, or the chance with which the outcome was drawn'), 'it had no price'),
    redrawn_as: orNull(oneOf(REDRAWN_AS, 'how a redraw draws the outcome', {
      alone: 'by itself, at its close', partition: 'with its event: one of the markets is YES, each as often as its share of their closes', lost: 'it is NO: another market of its event was known to be YES',
    }), STANDS),
    redrawn_by: orNull(named(({ redrawn }) => redrawn?.source ?? null, 'markets or events', 'what decides it: the event of a partition, or the market itself'), STANDS),
    redrawn_group: orNull(named(({ redrawn }) => redrawn?.group ?? null, 'groups of outcomes', 'outcomes that share a factor, where the scenario sets a correlation; it stands in the metadata as outcome_correlation'), STANDS),
    redrawn_from: orNull(float('it is YES where the uniform number of redrawn_by is at least this'), STANDS),
    redrawn_to: orNull(float('and below this'), STANDS),
  })
}

const STANDS = 'its result stands in every redraw'

/** Writes the table of markets. */
export function writeMarkets([writer, at]: OpenTable<ReturnType<typeof marketTable>>, codes: DirectoryCodes, markets: readonly ListedMarket[]): void {
  const keys = new Map(writer.spec.columns[at.exclusion_keys]!.values!.map((key, code) => [key, code]))
  const label = (column: number, value: string | null): void => { if (value !== null) writer.label(column, value) }
  const instant = (column: number, atUs: number | null): void => { if (atUs !== null) writer.int(column, atUs) }
  for (const market of markets) {
    writer.row()
    writer.int(at.market, market.number)
    writer.code(at.ticker, market.number)
    if (market.outcomeId !== null) writer.text(at.outcome_id, market.outcomeId)
    for (const name of ['venue', 'series', 'event', 'category', 'subcategory', 'frequency', 'game', 'ladder'] as const) label(at[name], market[name])
    if (market.eventTitle !== null) writer.text(at.event_title, market.eventTitle)
    writer.text(at.title, market.title)
    writer.list(at.exclusion_keys, market.exclusionKeys.map((key) => keys.get(key)!), 0, market.exclusionKeys.length)
    if (market.isExclusive !== null) writer.bool(at.is_exclusive, market.isExclusive)
    writer.code(at.cluster, codes.cluster([market.number], 0, 1))
    writer.int(at.opened_at, market.openUs)
    instant(at.scheduled_close_at, market.scheduledCloseUs)
    instant(at.scheduled_close_known_at, market.scheduledCloseKnownUs)
    instant(at.closed_at, market.actualCloseUs)
    label(at.recorded_result, market.recordedResult)
    if (market.recordedValueE6 !== null) writer.int(at.recorded_value_e6, market.recordedValueE6)
    instant(at.recorded_result_at, market.recordedResultUs)
    writer.label(at.result, market.result)
    writer.int(at.result_at, market.resultUs)
    writer.label(at.result_by, market.resultBy)
    if (market.closing !== null) writer.float(at.closing_price, market.closing)
    if (market.redrawn === null) continue
    writer.label(at.redrawn_as, market.redrawn.kind)
    writer.label(at.redrawn_by, market.redrawn.source)
    writer.label(at.redrawn_group, market.redrawn.group)
    writer.float(at.redrawn_from, market.redrawn.from)
    writer.float(at.redrawn_to, market.redrawn.to)
  }
}
