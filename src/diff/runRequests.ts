import { listOf } from '../arrow/tableReader.ts'
import type { BookLegs } from '../score/figureBasis.ts'
import type { RunHead } from '../score/runHead.ts'
import { codesIn, orNaN, type RunTables, type TableRows } from '../score/runTables.ts'
import type { RealisedProfit } from '../score/scorecard.ts'
import { gather } from '../score/summary.ts'
import { MakerColumn } from '../score/columns.ts'

/** What a request was filled with. */
export interface Fill {
  readonly maker: string
  /** What one unit of stake pays: the odds, or the payout over the stake. Equal prices have equal numbers. */
  readonly odds: number
}

/** One request of a run, whatever its versions. */
export interface RunRequest {
  /** Settlement cluster of its legs. */
  readonly cluster: string
  fill: Fill | null
  /** Makers that were chosen and did not confirm. */
  readonly declined: Set<string>
}

/** What a maker earned with a request, by the position that it backs and by positions of that request that it had taken over. */
export interface Earned {
  readonly maker: string
  readonly key: string
  readonly cluster: string
  readonly backs: boolean
  readonly profitMicros: number
  readonly luckMicros: number
}

/** What a run of one service comes to, request by request. */
export interface RunRequests {
  readonly makers: readonly string[]
  /** By key: `requestKeys`. */
  readonly requests: ReadonlyMap<string, RunRequest>
  readonly earned: readonly Earned[]
  /** Profit over all that ended, by maker. */
  readonly profitMicros: ReadonlyMap<string, number>
  /** Counts the legs of a maker's book for an owner. */
  readonly addLegs: (maker: string, to: BookLegs, owner: number) => void
}

/** Whether a run's requests say which arrivals they come of. Those of older versions do not. */
export const tellsArrivals = (tables: RunTables): boolean => tables.open('requests').has('arrival')

/**
 * Reads one service of a run.
 * @param byArrival whether requests are told apart by their arrivals (else by bettor and instant).
 */
export function readRequests(head: RunHead, service: string, tables: RunTables, byArrival: boolean): RunRequests {
  const profits: RealisedProfit[] = []
  const { names, sums, shown, legs } = gather(head, service, tables, (profit) => { profits.push(profit) })
  const keys = requestKeys(tables, byArrival)
  const requests = new Map<string, RunRequest>()
  for (const { key, cluster } of keys.values()) requests.set(key, { cluster, fill: null, declined: new Set() })
  const places = positionsIn(tables)
  for (const { request, fill, isFunded } of places) if (isFunded) requests.get(keys.get(request)!.key)!.fill = fill
  for (const { request, maker } of declinesIn(tables)) requests.get(keys.get(request)!.key)!.declined.add(maker)
  return {
    makers: shown.map((maker) => names.makers.list[maker]!), requests,
    earned: profits.map(({ maker, row, backs, profitMicros, luckMicros }) => {
      const { request, cluster } = places[row]!
      return { maker: names.makers.list[maker]!, key: keys.get(request)!.key, cluster, backs, profitMicros, luckMicros }
    }),
    profitMicros: new Map(shown.map((maker) => [names.makers.list[maker]!, Number(sums.total(maker, MakerColumn.profit))])),
    addLegs: (maker, to, owner) => { if (names.makers.list.includes(maker)) to.addAll(owner, legs, names.makers.number(maker)) },
  }
}

interface KeyedRequest {
  readonly key: string
  readonly cluster: string
}

/**
 * The keys of requests, by request number. A request has the same key in every run under the same draws, and no other request has it: its cohort and
 * arrival, or its bettor and instant. Who asks and the legs stand in the key too, since under other draws the same arrival is another request.
 */
function requestKeys(tables: RunTables, byArrival: boolean): Map<number, KeyedRequest> {
  const first = new Map<number, KeyedRequest & { readonly version: number; readonly number: number }>()
  for (const batch of tables.batches('requests')) {
    const [request, version, bettor, created] = [batch.numbers('request'), batch.numbers('version'), batch.numbers('bettor'), batch.numbers('created_at')]
    const arrival = byArrival ? orNaN(batch, 'arrival') : null
    const [cohorts, clusters, markets, sides] = [textsOf(batch, 'cohort'), textsOf(batch, 'cluster'), batch.column('leg_markets'), batch.column('leg_sides')]
    for (let row = 0; row < batch.rowCount; row++) {
      const known = first.get(request[row]!)
      if (known !== undefined && known.version <= version[row]!) continue
      const from = arrival === null || Number.isNaN(arrival[row]) ? `at ${created[row]!}` : `${arrival[row]!}`
      const legs = listOf(markets, row).map((market, i) => `${market} ${listOf(sides, row)[i]!}`)
      first.set(request[row]!, { key: JSON.stringify([cohorts(row), from, bettor[row]!, ...legs]), cluster: clusters(row), version: version[row]!, number: request[row]! })
    }
  }
  const seen = new Map<string, number>()
  const keys = new Map<number, KeyedRequest>()
  for (const { key, cluster, number } of [...first.values()].toSorted((a, b) => a.number - b.number)) {
    const before = seen.get(key) ?? 0
    seen.set(key, before + 1)
    keys.set(number, { key: before === 0 ? key : `${key} ${before + 1}`, cluster })
  }
  return keys
}

/** The texts of an enum column without empty cells. */
function textsOf(batch: TableRows, name: string): (row: number) => string {
  const { codes, values } = batch.column(name)
  return (row) => values![codes![row]!]!
}

interface Place {
  readonly request: number
  readonly cluster: string
  readonly fill: Fill
  readonly isFunded: boolean
}

/** The positions of a run in the order of their rows. */
function positionsIn(tables: RunTables): Place[] {
  const places: Place[] = []
  for (const batch of tables.batches('positions')) {
    const [request, stake, payout] = [batch.numbers('request'), batch.numbers('net_stake_micros'), batch.numbers('payout_micros')]
    const [oddsE4, makers, clusters, state] = [orNaN(batch, 'filled_odds_e4'), textsOf(batch, 'maker'), textsOf(batch, 'cluster'), codesIn(['failed'], batch, 'state')]
    for (let row = 0; row < batch.rowCount; row++) {
      const odds = Number.isNaN(oddsE4[row]) ? payout[row]! / stake[row]! : oddsE4[row]!
      places.push({ request: request[row]!, cluster: clusters(row), fill: { maker: makers(row), odds }, isFunded: state[row]! < 0 })
    }
  }
  return places
}

const UNCONFIRMED = ['declined', 'timed_out']

function declinesIn(tables: RunTables): { readonly request: number; readonly maker: string }[] {
  const declines: { request: number; maker: string }[] = []
  for (const batch of tables.batches('acceptances')) {
    const [request, outcome, makers] = [batch.numbers('request'), codesIn(UNCONFIRMED, batch, 'outcome'), textsOf(batch, 'maker')]
    for (let row = 0; row < batch.rowCount; row++) if (outcome[row]! >= 0) declines.push({ request: request[row]!, maker: makers(row) })
  }
  return declines
}
