import { createHash } from 'node:crypto'
import { readTable, type Table } from '../arrow/tableReader.ts'
import type { ToldRows } from '../unit/toldRows.ts'
import { visibleText } from '../unit/visibleText.ts'
import type { Sink } from './sink.ts'

type Cell = string | number | null

/** Columns of the tables of what strategies say, in the order of a row's cells. */
const COLUMNS = {
  passes: ['service', 'at', 'maker', 'handler', 'request', 'leg_count', 'reason'],
  logs: ['service', 'at', 'participant', 'handler', 'request', 'leg_count', 'text', 'name', 'value'],
} as const

export type ToldTable = keyof typeof COLUMNS
export const TOLD_TABLES: readonly ToldTable[] = ['passes', 'logs']

/** A hash over rows, 64 hex digits, and their number. */
export interface ToldDigest {
  readonly rows: number
  readonly hash: string
}

class RowsHash {
  private readonly hash = createHash('sha256')
  private rows = 0

  add(cells: readonly Cell[]): void {
    this.rows++
    // As text, because JSON has no infinite numbers, and one 0.
    this.hash.update(`${JSON.stringify(cells.map((cell) => `${typeof cell} ${cell}`))}\n`)
  }

  digest(): ToldDigest {
    return { rows: this.rows, hash: this.hash.copy().digest('hex') }
  }
}

const orNone = (number: number): number | null => (number < 0 ? null : number)
/** As a table has it. */
const textOf = (text: string): string => visibleText(text).toWellFormed()

/** Hashes what strategies say of themselves in a session, as its tables would have it. It clears the rows. */
export class ToldHashes implements Sink {
  private declare readonly told: ToldRows
  private readonly passes = new RowsHash()
  private readonly logs = new RowsHash()

  constructor(told: ToldRows) {
    this.told = told
  }

  flush(): void {
    for (const { service, atUs, participant, handler, request, legCount, reason } of this.told.passes) {
      this.passes.add([service, atUs, participant, handler, orNone(request), orNone(legCount), textOf(reason)])
    }
    for (const { service, atUs, participant, handler, request, legCount, text, name, value } of this.told.logs) {
      this.logs.add([
        service, atUs, participant, handler, orNone(request), orNone(legCount), textOf(text), name === '' ? null : textOf(name), Number.isNaN(value) ? null : value,
      ])
    }
    this.told.clear()
  }

  finish(): void {
    this.flush()
  }

  abort(): void {}

  /** Of all that has been said so far. */
  digest(table: ToldTable): ToldDigest {
    this.flush()
    return this[table].digest()
  }
}

/** The same of a table that a run left. Throws InputError for a file that is no such table. */
export function readToldDigest(path: string, name: ToldTable): ToldDigest {
  const table = readTable(path)
  const hash = new RowsHash()
  for (let b = 0; b < table.batchCount; b++) {
    const batch = table.batch(b)
    const columns = COLUMNS[name].map((column) => cellsOf(batch, column))
    for (let row = 0; row < batch.rowCount; row++) hash.add(columns.map((cellAt) => cellAt(row)))
  }
  return hash.digest()
}

function cellsOf(table: Table, name: string): (row: number) => Cell {
  const { texts, numbers, codes, values, valid } = table.column(name)
  return (row) => {
    if (valid !== null && valid[row] === 0) return null
    if (codes !== undefined) return values![codes[row]!] ?? null
    return texts === undefined ? numbers![row]! : texts[row]!
  }
}
