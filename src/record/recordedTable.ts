import { TableWriter } from '../arrow/tableWriter.ts'
import type { TableFile } from './manifest.ts'
import { int, micros, numbered, odds, oneOf, orNull, SCHEMA_VERSION, service, shapeOf, text, time, word } from './tableShape.ts'

export const RECORDED_NAME = 'recorded'

/** What became of a request in the log, and in the session. */
export const RECORDED_OUTCOMES = ['untaken', 'confirmed', 'declined', 'lapsed'] as const
export const PLAYED_OUTCOMES = ['left_out', 'refused', 'untaken', 'confirmed', 'declined', 'timed_out', 'open'] as const
export const VERDICTS = ['reproduced', 'other', 'left_out'] as const

/** How the last selection of a request went. */
interface Ended<Outcome> {
  readonly outcome: Outcome
  readonly selections: number
  /** Null of a request of which nothing was selected. */
  readonly maker: string | null
  readonly atUs: number | null
  readonly oddsE4: number | null
  readonly payoutMicros: number | null
}

/** A request of a log, beside what the session made of it. */
export interface RecordedRow {
  readonly service: 'parlay' | 'outcome'
  readonly cohort: string
  readonly log: string
  readonly id: string
  readonly version: number
  readonly atUs: number
  readonly recorded: Ended<(typeof RECORDED_OUTCOMES)[number]>
  readonly result: 'won' | 'lost' | 'void' | null
  readonly arrival: number | null
  readonly request: number | null
  readonly played: Ended<(typeof PLAYED_OUTCOMES)[number]>
  readonly verdict: (typeof VERDICTS)[number]
  readonly why: string | null
}

const NONE_SELECTED = 'nothing was selected'
const LEFT_OUT = 'the session left it out, or the service refused it'

export const recordedTable = () => shapeOf(RECORDED_NAME, 'requests of recorded logs beside what the session made of them, one row each version of a request in a log, in the order of the log', {
  service,
  cohort: text('name of the cohort that makes them'),
  log: text('the log, as the scenario names it'),
  logged: text('id of the request in the log'),
  logged_version: word('its version, from 1: an update in the log begins the next'),
  logged_at: time('when it was made'),
  recorded_outcome: oneOf(RECORDED_OUTCOMES, 'how its last acceptance went in the log', {
    untaken: 'no quote was accepted', confirmed: 'the maker confirmed, or the log does not say', declined: 'the maker declined', lapsed: 'the maker said nothing in time',
  }),
  recorded_selections: word('acceptances in the log'),
  recorded_maker: orNull(text('maker of the last one, as the log names it'), 'no quote was accepted'),
  recorded_selected_at: orNull(time('the last one'), 'no quote was accepted'),
  recorded_odds_e4: orNull(odds('its odds, as the service states them'), 'no quote was accepted, or the log has no price of it'),
  recorded_payout_micros: orNull(micros('what it pays a winner, to the micro-unit: finer than odds of four decimals can say, where the log has a probability or a payout'), 'no quote was accepted, or the log has no price of it'),
  recorded_result: orNull(text('what the log says that the position came to: won, lost or void'), 'the log does not say'),
  arrival: orNull(int('its number in the cohort, as in requests'), 'the session left it out'),
  request: orNull(numbered('number of the request, or of the RFQ'), LEFT_OUT),
  outcome: oneOf(PLAYED_OUTCOMES, 'how its last selection went in the session', {
    left_out: 'the session does not have the request', refused: 'the service refused the request', untaken: 'nothing was selected', confirmed: 'the maker confirmed', declined: 'the maker declined',
    timed_out: 'the maker let the deadline pass', open: 'the maker had not answered when the session ended',
  }),
  selections: word('selections in the session'),
  maker: orNull(text('maker of the last one, by the name of its seat'), NONE_SELECTED),
  selected_at: orNull(time('the last one'), NONE_SELECTED),
  odds_e4: orNull(odds('its odds'), NONE_SELECTED),
  payout_micros: orNull(micros('what it pays a winner'), NONE_SELECTED),
  verdict: oneOf(VERDICTS, 'whether the session repeats the log', {
    reproduced: 'every selection has the recorded maker, instant, odds and answer, and there are no others', other: 'it went another way', left_out: 'the session does not have the request',
  }),
  why: orNull(text('the first thing that is not as recorded, or why it was left out'), 'it was reproduced'),
})

/** Writes the table `recorded`. */
export function writeRecorded(path: string, rows: readonly RecordedRow[], metadata: Readonly<Record<string, string>>, isDurable: boolean): TableFile {
  const { spec, at } = recordedTable()
  const writer = new TableWriter(spec, path, { ...metadata, schema_version: SCHEMA_VERSION }, { isDurable })
  const some = (column: number, value: number | null): void => { if (value !== null) writer.int(column, value) }
  const said = (column: number, value: string | null): void => { if (value !== null) writer.text(column, value) }
  try {
    for (const row of rows) {
      writer.row()
      writer.label(at.service, row.service)
      writer.text(at.cohort, row.cohort)
      writer.text(at.log, row.log)
      writer.text(at.logged, row.id)
      writer.int(at.logged_version, row.version)
      writer.int(at.logged_at, row.atUs)
      writer.label(at.recorded_outcome, row.recorded.outcome)
      writer.int(at.recorded_selections, row.recorded.selections)
      said(at.recorded_maker, row.recorded.maker)
      some(at.recorded_selected_at, row.recorded.atUs)
      some(at.recorded_odds_e4, row.recorded.oddsE4)
      some(at.recorded_payout_micros, row.recorded.payoutMicros)
      said(at.recorded_result, row.result)
      some(at.arrival, row.arrival)
      some(at.request, row.request)
      writer.label(at.outcome, row.played.outcome)
      writer.int(at.selections, row.played.selections)
      said(at.maker, row.played.maker)
      some(at.selected_at, row.played.atUs)
      some(at.odds_e4, row.played.oddsE4)
      some(at.payout_micros, row.played.payoutMicros)
      writer.label(at.verdict, row.verdict)
      said(at.why, row.why)
    }
    writer.finish()
  } catch (error) {
    writer.abort()
    throw error
  }
  return { name: RECORDED_NAME, path, rows: writer.rowCount }
}
