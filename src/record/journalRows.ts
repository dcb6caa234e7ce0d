import type { TableWriter } from '../arrow/tableWriter.ts'
import { assert } from '../unit/assert.ts'
import { JOURNAL_STRIDE, JournalField, type ParlayJournal } from '../venue/parlay/protocol/journal.ts'
import type { journalTable } from './logTables.ts'
import { OP_CODES } from './rejectionRows.ts'
import { PARLAY_SERVICE } from './tableShape.ts'

const NONE = -1

/** Fields of a command with a column of their own. */
const FIELDS = [
  ['account', 'account'], ['credential', 'credential'], ['source', 'source'], ['request', 'request'], ['version', 'version'],
  ['contentTag', 'content_tag'], ['quote', 'quote'], ['bookSeq', 'book_seq'], ['oddsE4', 'odds'], ['validMs', 'valid_ms'],
  ['betMicros', 'bet_micros'], ['amountMicros', 'amount_micros'], ['market', 'market'], ['value', 'value'], ['memoE9', 'memo_e9'],
] as const
/** Fields without one. */
const MORE_FIELDS = ['closeUs', 'value2', 'position', 'auction'] as const

/**
 * Commands as rows. Commands and events of a batch are walked side by side: a command's row is written at the first event
 * that names it as its cause, whose `seq` places it in the total order.
 */
export class JournalRows {
  private readonly writer: TableWriter
  private readonly at: ReturnType<typeof journalTable>['at']
  /** Columns of `FIELDS`, and the offsets of the fields in a journal row. */
  private readonly columns: Int32Array
  private readonly offsets: Int32Array
  /** 1: the column holds 32 bits. */
  private readonly narrow: Uint8Array
  private journal: ParlayJournal | null = null
  private row = 0

  constructor(writer: TableWriter, at: ReturnType<typeof journalTable>['at']) {
    this.writer = writer
    this.at = at
    this.columns = Int32Array.from(FIELDS, ([, column]) => at[column])
    this.offsets = Int32Array.from(FIELDS, ([name]) => JournalField[name])
    this.narrow = Uint8Array.from(this.columns, (column) => (writer.spec.columns[column]!.type === 'int32' ? 1 : 0))
  }

  /** Begins a batch. */
  begin(journal: ParlayJournal): void {
    this.journal = journal
    this.row = 0
  }

  /** An event of command `cause` stands at `seq`. */
  caused(cause: number, seq: number): void {
    const journal = this.journal!
    while (this.row < journal.count && journal.cells[this.row * JOURNAL_STRIDE + JournalField.seq]! <= cause) {
      this.write(journal, this.row++, seq)
    }
  }

  /** Fair probability that command `cause`, the last one passed, carried; NaN without one. */
  fairOf(cause: number): number {
    const journal = this.journal!
    const from = (this.row - 1) * JOURNAL_STRIDE
    if (this.row === 0 || journal.cells[from + JournalField.seq] !== cause) return NaN
    const memoE9 = journal.cells[from + JournalField.memoE9]!
    return memoE9 >= 0 ? memoE9 / 1e9 : NaN
  }

  /** Ends a batch. */
  end(): void {
    const journal = this.journal!
    assert(this.row === journal.count, `command ${journal.cells[this.row * JOURNAL_STRIDE]} left no row`)
  }

  private write(journal: ParlayJournal, row: number, seq: number): void {
    const { writer, at } = this
    const from = row * JOURNAL_STRIDE
    const { cells, pool } = journal
    writer.row()
    writer.int(at.seq, seq)
    writer.code(at.service, PARLAY_SERVICE)
    writer.int(at.command, cells[from + JournalField.seq]!)
    writer.int(at.at, cells[from + JournalField.atUs]!)
    const op = OP_CODES.get(cells[from + JournalField.op]!)
    let more = moreOf(cells, from)
    if (op !== undefined) writer.code(at.op, op)
    else more += ` op=${cells[from + JournalField.op]!}`
    const { columns, offsets, narrow } = this
    for (let i = 0; i < columns.length; i++) {
      const value = cells[from + offsets[i]!]!
      if (value === NONE) continue
      const fits = narrow[i] === 1 ? (value | 0) === value : Number.isSafeInteger(value)
      if (fits) writer.int(columns[i]!, value)
      else more += ` ${FIELDS[i]![0]}=${value}`
    }
    if (more !== '') writer.text(at.more, more.slice(1))
    let place = cells[from + JournalField.poolStart]!
    const legCount = cells[from + JournalField.legCount]!
    if (legCount > 0) writer.text(at.legs, legsText(pool, place, legCount))
    place += 2 * legCount
    const listCount = cells[from + JournalField.listCount]!
    if (listCount > 0) writer.text(at.list, pool.subarray(place, place + listCount).join(' '))
  }
}

function moreOf(cells: Float64Array, from: number): string {
  let more = ''
  for (const name of MORE_FIELDS) {
    const value = cells[from + JournalField[name]]!
    if (value !== NONE) more += ` ${name}=${value}`
  }
  return more
}

function legsText(pool: Int32Array, from: number, legCount: number): string {
  let text = ''
  for (let i = 0; i < legCount; i++) text += `${i === 0 ? '' : ' '}${pool[from + 2 * i]}:${pool[from + 2 * i + 1]}`
  return text
}
