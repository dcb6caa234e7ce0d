import { NONE } from '../unit/none.ts'
import type { FailedFills } from './failedFills.ts'
import { RowIndex } from './rowIndex.ts'
import { codesIn, type Names, type RunTables } from './runTables.ts'

/** How versions of requests of the parlay service and generations of RFQs of the outcome service end. */
export const REQUEST_STATES = ['updated', 'committed', 'cancelled', 'expired', 'open'] as const
export const RFQ_STATES = ['committed', 'failed', 'closed', 'cancelled', 'open'] as const
const STATES = [...REQUEST_STATES, 'closed', 'failed', 'chain_failed'] as const
const COMMITTED = STATES.indexOf('committed')
/** The request was committed, and the chain did not carry its fill out. No table has this state: see `FailedFills`. */
const CHAIN_FAILED = STATES.indexOf('chain_failed')

/** How often each state occurs, by name. */
export type Tally<Name extends string> = { readonly [name in Name]: number }

export const tallyOf = <Name extends string>(names: readonly Name[], counts: ArrayLike<number>): Tally<Name> =>
  Object.fromEntries(names.map((name, i) => [name, counts[i]!])) as Tally<Name>

export interface RequestsSummary {
  /** Requests. An update makes another version of the same request. */
  readonly count: number
  readonly versions: number
  /** Settlement clusters among the versions. */
  readonly clusters: number
  /** Versions by how they ended. Committed ones whose fill failed on the chain are counted apart, where there are any. */
  readonly byEnd: (Tally<(typeof REQUEST_STATES)[number]> | Tally<(typeof RFQ_STATES)[number]>) & Partial<Tally<'chain_failed'>>
}

/** The versions of requests, found by request and version, with their settlement clusters. */
export class RequestVersions {
  count = 0
  private readonly byEnd = new Float64Array(STATES.length)
  private readonly index: RowIndex
  private readonly version: Int32Array
  private readonly cluster: Int32Array
  private readonly group: Int32Array
  private readonly state: Int8Array

  constructor(tables: RunTables, names: { readonly groups: Names; readonly clusters: Names }, failed: FailedFills) {
    const rows = tables.rowCount('requests')
    const request = new Float64Array(rows)
    this.version = new Int32Array(rows)
    this.cluster = new Int32Array(rows)
    this.group = new Int32Array(rows)
    this.state = new Int8Array(rows)
    for (const batch of tables.batches('requests')) {
      const from = this.count
      request.set(batch.numbers('request', 'int64'), from)
      this.version.set(batch.numbers('version', 'int32'), from)
      this.cluster.set(names.clusters.of(batch, 'cluster'), from)
      this.group.set(names.groups.of(batch, 'cohort'), from)
      this.state.set(codesIn(STATES, batch, 'state'), from)
      this.count += batch.rowCount
    }
    for (let row = 0; row < rows; row++) {
      if (this.state[row] === COMMITTED && failed.hasRequest(request[row]!)) this.state[row] = CHAIN_FAILED
      this.byEnd[this.state[row]!]!++
    }
    this.index = new RowIndex(request)
  }

  /** @param areRfqs whether the requests are RFQs of the outcome service. */
  summary(areRfqs: boolean): RequestsSummary {
    const all = tallyOf(STATES, this.byEnd)
    const { updated, committed, cancelled, expired, open, closed, failed, chain_failed: onChain } = all
    const apart = onChain > 0 ? { chain_failed: onChain } : {}
    return {
      count: this.index.distinct, versions: this.count, clusters: new Set(this.cluster).size,
      byEnd: areRfqs ? { committed, failed, closed, cancelled, open, ...apart } : { updated, committed, cancelled, expired, open, ...apart },
    }
  }

  /** Row of a version, or −1. */
  find(request: number, version: number): number {
    let row = this.index.newest(request)
    while (row !== NONE && this.version[row] !== version) row = this.index.before(row)
    return row
  }

  /** Row of the version that the request was filled at, or −1. */
  findFilled(request: number): number {
    let row = this.index.newest(request)
    while (row !== NONE && this.state[row] !== COMMITTED) row = this.index.before(row)
    return row
  }

  clusterOf(row: number): number {
    return this.cluster[row]!
  }

  /** By group number: requests, committed ones, and those whose fill failed on the chain, which are not among the committed ones. */
  byGroup(groupCount: number): { readonly requests: Float64Array; readonly committed: Float64Array; readonly chainFailed: Float64Array } {
    const [requests, committed, chainFailed] = [new Float64Array(groupCount), new Float64Array(groupCount), new Float64Array(groupCount)]
    for (let row = 0; row < this.count; row++) {
      // A request counts once, at its first version.
      if (this.index.before(row) === NONE) requests[this.group[row]!]!++
      if (this.state[row] === COMMITTED) committed[this.group[row]!]!++
      if (this.state[row] === CHAIN_FAILED) chainFailed[this.group[row]!]!++
    }
    return { requests, committed, chainFailed }
  }
}
