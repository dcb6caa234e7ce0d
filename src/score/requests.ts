import { NONE } from '../unit/none.ts'
import { RowIndex } from './rowIndex.ts'
import { codesIn, type Names, type RunTables } from './runTables.ts'

/** How versions of requests of the parlay service and generations of RFQs of the outcome service end. */
export const REQUEST_STATES = ['updated', 'committed', 'cancelled', 'expired', 'open'] as const
export const RFQ_STATES = ['committed', 'failed', 'closed', 'cancelled', 'open'] as const
const STATES = [...REQUEST_STATES, 'closed', 'failed'] as const
const COMMITTED = STATES.indexOf('committed')

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
  /** Versions by how they ended. */
  readonly byEnd: Tally<(typeof REQUEST_STATES)[number]> | Tally<(typeof RFQ_STATES)[number]>
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

  constructor(tables: RunTables, names: { readonly groups: Names; readonly clusters: Names }) {
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
    for (let row = 0; row < rows; row++) this.byEnd[this.state[row]!]!++
    this.index = new RowIndex(request)
  }

  /** @param areRfqs whether the requests are RFQs of the outcome service. */
  summary(areRfqs: boolean): RequestsSummary {
    const all = tallyOf(STATES, this.byEnd)
    const { updated, committed, cancelled, expired, open, closed, failed } = all
    return {
      count: this.index.distinct, versions: this.count, clusters: new Set(this.cluster).size,
      byEnd: areRfqs ? { committed, failed, closed, cancelled, open } : { updated, committed, cancelled, expired, open },
    }
  }

  /** Row of a version, or −1. */
  find(request: number, version: number): number {
    let row = this.index.newest(request)
    while (row !== NONE && this.version[row] !== version) row = this.index.before(row)
    return row
  }

  /** Row of the version that the request was committed at, or −1. */
  findCommitted(request: number): number {
    let row = this.index.newest(request)
    while (row !== NONE && this.state[row] !== COMMITTED) row = this.index.before(row)
    return row
  }

  clusterOf(row: number): number {
    return this.cluster[row]!
  }

  /** Requests and committed ones by group number. */
  byGroup(groupCount: number): { readonly requests: Float64Array; readonly committed: Float64Array } {
    const requests = new Float64Array(groupCount)
    const committed = new Float64Array(groupCount)
    for (let row = 0; row < this.count; row++) {
      // A request counts once, at its first version.
      if (this.index.before(row) === NONE) requests[this.group[row]!]!++
      if (this.state[row] === COMMITTED) committed[this.group[row]!]!++
    }
    return { requests, committed }
  }
}
