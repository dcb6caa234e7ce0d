import type { ColumnSpec, TableSpec } from '../arrow/tableSchema.ts'
import { TableWriter } from '../arrow/tableWriter.ts'
import type { Contestant } from './contestants.ts'
import { KINDS, type LeagueSession } from './leagueSessions.ts'
import type { TaskResult } from './task.ts'
import { snakeCase } from './scoreRows.ts'

const HEAD: readonly ColumnSpec[] = [
  { name: 'setting', type: 'enum', values: KINDS, about: 'what the session was played for' },
  { name: 'entries', type: 'text', about: 'names of the entries that play, joined by " | "' },
  { name: 'choice', type: 'text', nullable: true, about: 'JSON of what tuning chose for the first of them; empty of one that is not tuned' },
  { name: 'rivals', type: 'int64', nullable: true, about: 'rivals, of a band and of aggressiveness' },
  { name: 'demand', type: 'float64', nullable: true, about: 'share of the scenario\'s bettors, of a band' },
  { name: 'rivals_margin', type: 'float64', nullable: true, about: 'margin of all rivals, of aggressiveness' },
  { name: 'replication', type: 'int64', about: 'from 1; equal ones have equal seeds' },
  { name: 'task', type: 'text', about: 'identity of the session' },
  { name: 'service', type: 'text', about: 'service of the session' },
  { name: 'maker', type: 'text', about: 'maker' },
  { name: 'cluster', type: 'text', about: 'settlement cluster' },
]
const Head = Object.fromEntries(HEAD.map(({ name }, column) => [name, column])) as Readonly<Record<string, number>>

/** `league.arrow`: a row for each session with a result, each maker, and each settlement cluster in which that maker had anything. */
export class LeagueTable {
  private readonly path: string
  private readonly contestants: readonly Contestant[]
  private writer: TableWriter | undefined

  /** The file appears at `finish`. */
  constructor(path: string, contestants: readonly Contestant[]) {
    this.path = path
    this.contestants = contestants
  }

  add(session: LeagueSession, { id, scores }: TaskResult): void {
    for (const { service, makers, clusters, columns, sums } of scores) {
      const writer = (this.writer ??= this.begin(columns))
      for (const [m, maker] of makers.entries()) {
        for (const [c, cluster] of clusters.entries()) {
          const from = (m * clusters.length + c) * columns.length
          const cells = sums.subarray(from, from + columns.length)
          if (cells.every((sum) => sum === 0)) continue
          this.head(writer, session)
          writer.text(Head['task']!, id)
          writer.text(Head['service']!, service)
          writer.text(Head['maker']!, maker)
          writer.text(Head['cluster']!, cluster)
          for (const [k, sum] of cells.entries()) writer.int(HEAD.length + k, sum)
        }
      }
    }
  }

  finish(): void {
    this.writer ??= this.begin([])
    this.writer.finish()
  }

  abort(): void {
    this.writer?.abort()
  }

  private head(writer: TableWriter, { setting, contestants, replication }: LeagueSession): void {
    const { kind, rivals, demand, margin } = setting
    writer.row()
    writer.label(Head['setting']!, kind)
    writer.text(Head['entries']!, contestants.map((contestant) => this.contestants[contestant]!.name).join(' | '))
    const { choice } = this.contestants[contestants[0]!]!
    if (Object.keys(choice).length > 0) writer.text(Head['choice']!, JSON.stringify(choice))
    if (rivals !== undefined) writer.int(Head['rivals']!, rivals)
    if (demand !== undefined) writer.float(Head['demand']!, demand)
    if (margin !== undefined) writer.float(Head['rivals_margin']!, margin)
    writer.int(Head['replication']!, replication)
  }

  private begin(columns: readonly string[]): TableWriter {
    return new TableWriter(leagueTableSpec(columns), this.path)
  }
}

/** `league.arrow` of scores with these sums. */
export const leagueTableSpec = (columns: readonly string[]): TableSpec => ({
  name: 'league', about: 'sums by session, maker and settlement cluster',
  columns: [...HEAD, ...columns.map((name): ColumnSpec => ({ name: snakeCase(name), type: 'int64', about: 'sum over the cluster; of money in microUSDC' }))],
})
