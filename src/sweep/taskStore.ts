import { createHash } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTable, type Table } from '../arrow/tableReader.ts'
import type { TableSpec } from '../arrow/tableSchema.ts'
import { TableWriter } from '../arrow/tableWriter.ts'
import { bytesOf } from '../result/failures.ts'
import { isFirst } from '../result/firstName.ts'
import { makeFolders, permitted } from '../result/folders.ts'
import type { Scores } from '../score/scores.ts'
import { assert, Bug } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'
import { scoreColumns, snakeCase, writeScoreRows } from './scoreRows.ts'
import type { TaskResult } from './task.ts'

/** The shape of one service's scores. It is kept as metadata, because a service may have no makers. */
type Shape = Omit<Scores, 'sums' | 'values'>

/**
 * The results of finished tasks, one file each, named by the task's identity, so that the same task need not be played again. A file
 * appears whole or not at all, and has a hash of its bytes and a hash of its contents.
 */
export class TaskStore {
  readonly dir: string
  private readonly scratch: string

  /** @param scratch a folder on the same disk in which files are written before they are renamed. */
  constructor(dir: string, scratch: string) {
    this.dir = dir
    this.scratch = scratch
  }

  pathOf(id: string): string {
    return join(this.dir, `${id}.arrow`)
  }

  /** The kept result of a task, null without one. Throws InputError when its file is damaged. */
  read(id: string): TaskResult | null {
    const path = this.pathOf(id)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return null
    // A pipe would be waited for without end. That a folder is none, the system says.
    const isPlain = stat.isFile() || stat.isDirectory()
    if (!isPlain || !isSealed(bytesOf(path))) throw damagedTask(path)
    const result = resultIn(readTable(path), path)
    if (result.id !== id) throw ofAnother(path)
    return result
  }

  /**
   * Keeps a result, and returns it as it will be read again. Where another process was quicker and the task is kept already, both must
   * have the same bytes: throws Bug when they do not.
   */
  keep(result: TaskResult): TaskResult {
    const own = this.written(result)
    try {
      const kept = resultIn(readTable(own), own)
      this.put(own, result.id)
      return kept
    } finally {
      rmSync(own, { force: true })
    }
  }

  /** The bytes of a kept task's file. */
  fileOf(id: string): Uint8Array {
    return bytesOf(this.pathOf(id))
  }

  /**
   * Keeps the file of a task as another process kept it. Throws InputError, with `place` for where the file lay, when it is damaged or of another
   * task, and Bug when the task is kept already with other bytes.
   */
  adopt(id: string, bytes: Uint8Array, place: string): TaskResult {
    if (!isSealed(bytes)) throw damagedTask(place)
    const own = join(this.scratch, `${id}.taken.arrow`)
    try {
      permitted(() => { writeFileSync(own, bytes) })
      const result = resultIn(readTable(own), place)
      if (result.id !== id) throw ofAnother(place)
      this.put(own, id)
      return result
    } finally {
      rmSync(own, { force: true })
    }
  }

  /** Whether a new play of a kept task gave the same bytes. */
  agrees(result: TaskResult): boolean {
    const own = this.written(result)
    try {
      return readFileSync(own).equals(bytesOf(this.pathOf(result.id)))
    } finally {
      rmSync(own, { force: true })
    }
  }

  /** Drops a kept file that is damaged. */
  drop(id: string): void {
    rmSync(this.pathOf(id), { force: true })
  }

  /** Gives a complete file the name of its task. Throws Bug when there is one with other bytes. */
  private put(own: string, id: string): void {
    const path = this.pathOf(id)
    permitted(() => makeFolders(this.dir))
    if (!permitted(() => isFirst(own, path)) && !readFileSync(own).equals(bytesOf(path))) throw new Bug(`task ${id} gave other bytes than are kept in ${path}`)
  }

  private written(result: TaskResult): string {
    const path = join(this.scratch, `${result.id}.kept.arrow`)
    writeResult(result, path)
    writeFileSync(path, sealed(readFileSync(path)))
    return path
  }
}

/** The end of an Arrow file, after its footer: the footer's length, 4 bytes, and `ARROW1`. */
const TRAILER_BYTES = 10
const SEAL_BYTES = 32

/** Where the footer of an Arrow file begins, by what its last bytes say. */
const footerStart = (bytes: Buffer): number => bytes.length - TRAILER_BYTES - bytes.readInt32LE(bytes.length - TRAILER_BYTES)

const sealOf = (before: Uint8Array, after: Uint8Array): Buffer => createHash('sha256').update(before).update(after).digest()

/**
 * An Arrow file with the SHA-256 of its bytes placed before its footer. No reader of Arrow files looks there: readers find the footer
 * from the end and everything else through the footer.
 */
function sealed(bytes: Buffer): Buffer {
  const at = footerStart(bytes)
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  return Buffer.concat([before, sealOf(before, after), after])
}

/** Whether a kept file is as it was written. Call this before decoding anything, because decoding damaged bytes may never end. */
export function isSealed(file: Uint8Array): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (bytes.length < TRAILER_BYTES + SEAL_BYTES) return false
  const to = footerStart(bytes)
  const from = to - SEAL_BYTES
  if (from < 0 || to > bytes.length - TRAILER_BYTES) return false
  return sealOf(bytes.subarray(0, from), bytes.subarray(to)).equals(bytes.subarray(from, to))
}

const ofAnother = (path: string): InputError => new InputError('the file has the result of another task than its name says', { position: { file: path } })

const damagedTask = (path: string, cause?: unknown): InputError => new InputError('the kept task is damaged', { position: { file: path }, cause })

function writeResult({ id, digest, scores }: TaskResult, path: string): void {
  const shapes = scores.map(({ service, makers, clusters, columns, figures }): Shape => ({ service, makers, clusters, columns, figures }))
  const metadata = { id, digest, shapes: JSON.stringify(shapes), content: contentHash(id, digest, scores) }
  const rows = scores.reduce((count, { makers, clusters }) => count + makers.length * (clusters.length + 1), 0)
  // It is sealed before it gets its name, and a file that a failing disk cut off is played again: nothing waits for the disk.
  const writer = new TableWriter(tableOf(shapes), path, metadata, { batchRows: Math.max(1, rows), isDurable: false })
  try {
    for (const score of scores) writeScoreRows(writer, score, 0, () => {})
    writer.finish()
  } catch (error) {
    writer.abort()
    throw error
  }
}

function tableOf(shapes: readonly Shape[]): TableSpec {
  const { columns, figures } = shapes[0] ?? { columns: [], figures: [] }
  assert(shapes.every((shape) => String(shape.columns) === String(columns) && String(shape.figures) === String(figures)), 'services have the same columns')
  return {
    name: 'task', about: 'what is kept of one session: per maker a row for each settlement cluster, then one for the whole session',
    columns: scoreColumns(columns, figures),
  }
}

function resultIn(table: Table, path: string): TaskResult {
  const { id = '', digest = '', shapes = '', content = '' } = table.metadata
  let scores: Scores[]
  try {
    scores = scoresIn(table, JSON.parse(shapes) as Shape[])
  } catch (cause) {
    throw damagedTask(path, cause)
  }
  if (contentHash(id, digest, scores) !== content) throw damagedTask(path)
  return { id, digest, scores }
}

function scoresIn(table: Table, shapes: readonly Shape[]): Scores[] {
  const { columns, figures } = shapes[0]!
  const sums = columns.map((name) => table.column(snakeCase(name)).numbers!)
  const values = figures.map((name) => table.column(snakeCase(name)))
  let row = 0
  const scores = shapes.map((shape): Scores => {
    const [makers, clusters] = [shape.makers.length, shape.clusters.length]
    const read: Scores = { ...shape, sums: new Float64Array(makers * clusters * columns.length), values: new Float64Array(makers * figures.length) }
    for (let m = 0; m < makers; m++) {
      for (let c = 0; c < clusters; c++, row++) {
        for (let k = 0; k < sums.length; k++) read.sums[(m * clusters + c) * sums.length + k] = sums[k]![row]!
      }
      for (const [k, { numbers, valid }] of values.entries()) read.values[m * figures.length + k] = valid === null || valid[row] === 1 ? numbers![row]! : NaN
      row++
    }
    return read
  })
  assert(row === table.rowCount, 'as many rows as the shapes say')
  return scores
}

/** SHA-256 over the contents of a kept task. Both zeros count as one value, and so do all NaNs. */
function contentHash(id: string, digest: string, scores: readonly Scores[]): string {
  const hash = createHash('sha256')
  const plain = (array: Float64Array): Uint8Array => new Uint8Array(array.map((value) => (Number.isNaN(value) ? NaN : value + 0)).buffer)
  for (const { sums, values, ...shape } of scores) {
    hash.update(`${JSON.stringify([shape.service, shape.makers, shape.clusters, shape.columns, shape.figures])}\n`).update(plain(sums)).update(plain(values))
  }
  return hash.update(`${id}\n${digest}\n`).digest('hex')
}
