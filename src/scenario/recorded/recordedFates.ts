import { join } from 'node:path'
import { readTable, type TableColumn } from '../../arrow/tableReader.ts'
import type { LoggedAcceptance } from '../../feed/rfqLog/rfqLog.ts'
import type { PLAYED_OUTCOMES, RECORDED_OUTCOMES, RecordedRow } from '../../record/recordedTable.ts'
import { netStake, type OfferedIn, offerAt, payoutAt } from '../../unit/quotedPrice.ts'
import type { ResolvedCohort, ResolvedScenario } from '../resolved.ts'
import type { PlayedLogs, PlayedRequest } from './playableLog.ts'
import { acceptedUs, offeredIn } from './recordedEntries.ts'

type Outcome = (typeof PLAYED_OUTCOMES)[number]

interface Selection {
  readonly maker: string
  readonly selectedUs: number
  readonly outcome: Outcome
  readonly oddsE4: number | null
  readonly payoutMicros: number
}

interface Quoted {
  readonly maker: string
  readonly fromUs: number
  readonly untilUs: number
}

/** What the tables of a run say of one request. */
interface Played {
  readonly request: number
  readonly selections: readonly Selection[]
  readonly quotes: readonly Quoted[]
  readonly result: string | null
}

/** The requests of all logs of a session beside what became of them there, by the tables that the session left in a folder. */
export function recordedFates(folder: string, resolved: ResolvedScenario, logs: PlayedLogs): RecordedRow[] {
  const played = playedRequests(folder)
  return resolved.bettors.flatMap((cohort) => (cohort.recorded === undefined ? [] : cohortFates(cohort, cohort.recorded.log, resolved, logs, played)))
}

function cohortFates({ name, service }: ResolvedCohort, log: string, resolved: ResolvedScenario, logs: PlayedLogs, played: ReadonlyMap<string, Played>): RecordedRow[] {
  const seats = new Map(resolved.makers.flatMap((seat) => (seat.service === service && seat.recorded?.log === log ? [[seat.recorded.maker, seat.name] as const] : [])))
  const { takerFeeBps } = resolved.services[service]!.settings
  let arrivals = 0
  return logs.requests(log, service).map((one): RecordedRow => {
    const { request } = one
    const arrival = one.leftOut === null ? arrivals++ : null
    const made = arrival === null ? undefined : played.get(`${service} ${name} ${arrival}`)
    const expected = request.acceptances.map((acceptance) => expectedOf(acceptance, netStake(request.betMicros, takerFeeBps), offeredIn(service)))
    const why = one.leftOut ?? whyOther(expected, made, seats, request.result)
    const last = expected.at(-1)
    return {
      service, cohort: name, log, id: request.id, version: request.version, atUs: request.atUs, result: request.result, arrival, request: made?.request ?? null,
      recorded: {
        outcome: last?.recorded ?? 'untaken', selections: expected.length, maker: last?.maker ?? null, atUs: last?.acceptance.atUs ?? null, oddsE4: last?.oddsE4 ?? null, payoutMicros: last?.payoutMicros ?? null,
      },
      played: playedEnd(one, made), verdict: one.leftOut !== null ? 'left_out' : why === null ? 'reproduced' : 'other', why,
    }
  })
}

interface Expected {
  readonly acceptance: LoggedAcceptance
  readonly maker: string
  readonly recorded: (typeof RECORDED_OUTCOMES)[number]
  readonly outcome: Outcome
  readonly oddsE4: number | null
  readonly payoutMicros: number | null
}

function expectedOf(acceptance: LoggedAcceptance, netStakeMicros: number, offered: OfferedIn): Expected {
  const { maker, price, answer } = acceptance
  const isPriced = price !== null && netStakeMicros > 0
  return {
    acceptance, maker, recorded: answer ?? 'confirmed', outcome: answer === null ? 'confirmed' : answer === 'lapsed' ? 'timed_out' : answer,
    oddsE4: isPriced ? offerAt(price, netStakeMicros, offered).oddsE4 : null, payoutMicros: isPriced ? payoutAt(price, netStakeMicros) : null,
  }
}

function playedEnd({ leftOut }: PlayedRequest, made: Played | undefined): RecordedRow['played'] {
  const last = made?.selections.at(-1)
  const outcome = leftOut !== null ? 'left_out' : made === undefined ? 'refused' : last?.outcome ?? 'untaken'
  return { outcome, selections: made?.selections.length ?? 0, maker: last?.maker ?? null, atUs: last?.selectedUs ?? null, oddsE4: last?.oddsE4 ?? null, payoutMicros: last?.payoutMicros ?? null }
}

/** The first thing that did not go as recorded; null when all did. */
function whyOther(expected: readonly Expected[], made: Played | undefined, seats: ReadonlyMap<string, string>, result: string | null): string | null {
  if (made === undefined) return 'the service refused the request'
  const { selections } = made
  for (let i = 0; i < Math.max(expected.length, selections.length); i++) {
    const [one, selection] = [expected[i], selections[i]]
    if (one === undefined) return 'taken now, and not in the log'
    const why = whyOtherSelection(one, selection, made, seats.get(one.maker))
    if (why !== null) return why
  }
  return result !== null && made.result !== null && made.result !== result ? 'another result' : null
}

function whyOtherSelection({ acceptance, oddsE4, outcome }: Expected, selection: Selection | undefined, { quotes }: Played, seat: string | undefined): string | null {
  if (seat === undefined) return 'its maker has no seat'
  const atUs = acceptedUs(acceptance)
  if (selection === undefined) {
    if (acceptance.price === null) return 'the log has no price of it'
    return quotes.some(({ maker, fromUs, untilUs }) => maker === seat && fromUs <= atUs && untilUs > atUs) ? 'the offer was not taken' : 'the quote was not there'
  }
  if (selection.maker !== seat) return 'another maker was chosen'
  if (selection.selectedUs !== atUs) return 'at another instant'
  if (selection.oddsE4 !== oddsE4) return 'at other odds'
  return selection.outcome === outcome ? null : 'another last look'
}

/** Requests of the run by service, cohort and arrival. */
function playedRequests(folder: string): Map<string, Played> {
  const tableOf = (name: string): Rows => new Rows(join(folder, 'tables', `${name}.arrow`))
  const [requests, quotes, acceptances, positions] = [tableOf('requests'), tableOf('quotes'), tableOf('acceptances'), tableOf('positions')]
  const made = new Map<string, { key: string; request: number; selections: Selection[]; quotes: Quoted[]; result: string | null }>()
  const idOf = (rows: Rows, row: number): string => `${rows.text('service', row)} ${rows.number('request', row)!}`
  for (let row = 0; row < requests.count; row++) {
    const arrival = requests.number('arrival', row)
    if (arrival === null) continue
    const id = idOf(requests, row)
    if (!made.has(id)) made.set(id, { key: `${requests.text('service', row)} ${requests.text('cohort', row)} ${arrival}`, request: requests.number('request', row)!, selections: [], quotes: [], result: null })
  }
  for (let row = 0; row < quotes.count; row++) {
    made.get(idOf(quotes, row))?.quotes.push({ maker: quotes.text('maker', row), fromUs: quotes.number('submitted_at', row)!, untilUs: quotes.number('ended_at', row) ?? Infinity })
  }
  for (let row = 0; row < acceptances.count; row++) {
    made.get(idOf(acceptances, row))?.selections.push({
      maker: acceptances.text('maker', row), selectedUs: acceptances.number('selected_at', row)!, outcome: acceptances.text('outcome', row) as Outcome,
      oddsE4: acceptances.number('selected_odds_e4', row), payoutMicros: acceptances.number('net_stake_micros', row)! + acceptances.number('risk_micros', row)!,
    })
  }
  for (let row = 0; row < positions.count; row++) {
    const one = made.get(idOf(positions, row))
    const outcome = positions.text('outcome', row)
    if (one !== undefined && ['won', 'lost', 'void'].includes(outcome)) one.result = outcome
  }
  return new Map([...made.values()].map(({ key, request, selections, quotes: of, result }) =>
    [key, { request, selections: selections.toSorted((a, b) => a.selectedUs - b.selectedUs), quotes: of, result }]))
}

/** Cells of a table, row by row. */
class Rows {
  readonly count: number
  private readonly columns = new Map<string, TableColumn>()
  private declare readonly table: ReturnType<typeof readTable>

  constructor(path: string) {
    this.table = readTable(path)
    this.count = this.table.rowCount
  }

  number(name: string, row: number): number | null {
    const { numbers, valid } = this.column(name)
    return valid !== null && valid[row] === 0 ? null : numbers![row]!
  }

  /** '' where it is empty. */
  text(name: string, row: number): string {
    const { codes, values } = this.column(name)
    return codes![row]! < 0 ? '' : values![codes![row]!]!
  }

  private column(name: string): TableColumn {
    let column = this.columns.get(name)
    if (column === undefined) this.columns.set(name, column = this.table.column(name))
    return column
  }
}
