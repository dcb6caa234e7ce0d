import type { ColumnSpec, TableSpec } from '../arrow/tableSchema.ts'
import { TableWriter } from '../arrow/tableWriter.ts'
import type { Scores } from '../score/scores.ts'
import { InputError } from '../unit/inputError.ts'
import type { Design, Settings } from './design.ts'
import { scoreColumns, writeScoreRows } from './scoreRows.ts'
import type { TaskResult } from './task.ts'

/** A session of a point that was played to its end. */
export interface Session {
  readonly replication: number
  readonly seed: string
  readonly result: TaskResult
}

const LEADING: readonly ColumnSpec[] = [
  { name: 'point', type: 'int32', about: 'point of the design, from 1' },
  { name: 'replication', type: 'int32', about: 'replication, from 1: all points have the same seeds' },
  { name: 'seed', type: 'text', nullable: true, about: 'seed of the session; in the row of the whole session' },
  { name: 'task', type: 'text', nullable: true, about: 'identity of the task; in the row of the whole session' },
  { name: 'digest', type: 'text', nullable: true, about: 'digest of the session, as `parlor run` gives it; in the row of the whole session' },
]

/** The table of a sweep: sums of every session, from which other figures can be made. Its columns are those of the first session. */
export class SweepTable {
  readonly path: string
  private readonly axes: readonly string[]
  private readonly metadata: Readonly<Record<string, string>>
  private columns = ''
  private writer: TableWriter | undefined

  constructor(path: string, { name, label, seed, design }: { readonly name: string; readonly label: string; readonly seed: string; readonly design: Design }) {
    this.path = path
    this.axes = design.axes.map((axis) => axis.path)
    this.metadata = { name, label, seed }
  }

  get rows(): number {
    return this.writer?.rowCount ?? 0
  }

  /** Adds a session of a point, counted from 0. Throws InputError when its columns differ from those of the first session. */
  add(point: number, settings: Settings, { replication, seed, result: { id, digest, scores } }: Session): void {
    for (const one of scores) {
      const writer = this.writerOf(one)
      writeScoreRows(writer, one, LEADING.length + settings.length, (isWholeSession) => {
        writer.int(0, point + 1)
        writer.int(1, replication)
        if (isWholeSession) for (const [i, text] of [seed, id, digest].entries()) writer.text(2 + i, text)
        for (const [i, value] of settings.entries()) writer.text(LEADING.length + i, value)
      })
    }
  }

  finish(): void {
    this.writer?.finish()
  }

  /** Gives the table up. Nothing stays on the disk. */
  abort(): void {
    this.writer?.abort()
  }

  private writerOf({ columns, figures }: Scores): TableWriter {
    const own = JSON.stringify([columns, figures])
    if (this.writer === undefined) {
      this.columns = own
      this.writer = new TableWriter(sweepTableSpec(this.axes, columns, figures), this.path, this.metadata)
    }
    if (own !== this.columns) throw new InputError('the points do not record the same figures', { hint: 'record.marks is the same at all points of a sweep' })
    return this.writer
  }
}

/** `sweep.arrow` of a design with these axes and scores with these sums and figures. */
export const sweepTableSpec = (axes: readonly string[], columns: readonly string[], figures: readonly string[]): TableSpec => ({
  name: 'sweep', about: 'per point, replication, service and maker a row for each settlement cluster, then one for the whole session',
  columns: [
    ...LEADING, ...axes.map((path): ColumnSpec => ({ name: `set_${path.replaceAll(/[^A-Za-z0-9]+/g, '_')}`, type: 'text', about: `value of ${path}` })),
    ...scoreColumns(columns, figures),
  ],
})
