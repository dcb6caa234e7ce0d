import { AsciiLine, asciiBytes } from '../arrow/asciiLine.ts'
import type { RowWriter } from '../arrow/rowWriter.ts'
import { Bug } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import { Service } from '../unit/services.ts'
import { OUTCOME_OP_NAMES, OutcomeCommand } from '../venue/outcome/protocol/commands.ts'
import { JOURNAL_STRIDE as OUTCOME_STRIDE, JournalField as OutcomeField, OutcomeJournal } from '../venue/outcome/protocol/journal.ts'
import { PARLAY_OP_NAMES } from '../venue/parlay/protocol/commands.ts'
import { JOURNAL_STRIDE as PARLAY_STRIDE, JournalField as ParlayField } from '../venue/parlay/protocol/journal.ts'
import { OUTCOME_COLUMNS, OUTCOME_MORE, PARLAY_COLUMNS, PARLAY_MORE } from './journalFields.ts'
import { type journalTable, OP_NAMES } from './logTables.ts'
import { NumberedCodes } from './numberedCodes.ts'
import type { Batch } from './sink.ts'

const SPACE = 32
const COLON = 58
const OP = asciiBytes('op=')

/** Commands of one service in a batch, as the service's journal has them. */
interface Commands {
  readonly cells: Float64Array
  readonly pool: Int32Array
  readonly count: number
}

/** How one service's journal rows are laid out, and which columns take their fields. */
class JournalLayout {
  declare readonly service: number
  declare readonly stride: number
  declare readonly seq: number
  declare readonly atUs: number
  declare readonly op: number
  declare readonly memoE9: number
  declare readonly productE9: number
  declare readonly legCount: number
  declare readonly listCount: number
  declare readonly poolStart: number
  /** Fields with a column of their own: their names as `name=`, offsets and columns. */
  declare readonly names: readonly Uint8Array[]
  declare readonly offsets: Int32Array
  declare readonly columns: Int32Array
  /** 1: the column holds 32 bits. */
  declare readonly narrow: Uint8Array
  /** Fields that stand in `more`: their names and offsets. */
  declare readonly moreNames: readonly Uint8Array[]
  declare readonly moreOffsets: Int32Array
  /** Codes of opcodes in the table. */
  declare readonly ops: NumberedCodes

  constructor(
    service: number, stride: number, at: Readonly<Record<string, number>>, opNames: Readonly<Record<number, string>>,
    columns: readonly (readonly [field: string, column: string])[], more: readonly string[], writer: RowWriter,
  ) {
    this.service = service
    this.stride = stride
    this.seq = at['seq']!
    this.atUs = at['atUs']!
    this.op = at['op']!
    this.memoE9 = at['memoE9']!
    this.productE9 = at['productE9']!
    this.legCount = at['legCount']!
    this.listCount = at['listCount']!
    this.poolStart = at['poolStart']!
    this.names = columns.map(([field]) => asciiBytes(`${field}=`))
    this.offsets = Int32Array.from(columns, ([field]) => at[field]!)
    this.columns = Int32Array.from(columns, ([, column]) => writer.columnIndex(column))
    this.narrow = Uint8Array.from(this.columns, (column) => (writer.spec.columns[column]!.type === 'int32' ? 1 : 0))
    this.moreNames = more.map((field) => asciiBytes(`${field}=`))
    this.moreOffsets = Int32Array.from(more, (field) => at[field]!)
    this.ops = new NumberedCodes(new Map(Object.entries(opNames).map(([op, name]) => [Number(op), OP_NAMES.indexOf(name)])))
  }
}

/** The commands of one service, and the next of them that has no row yet. */
class JournalPart {
  declare readonly layout: JournalLayout
  commands: Commands | null = null
  row = 0

  constructor(layout: JournalLayout) {
    this.layout = layout
  }

  begin(commands: Commands | null): void {
    this.commands = commands
    this.row = 0
  }

  /** Number of the next command, Infinity after the last. */
  next(): number {
    const { commands, row, layout } = this
    return commands === null || row >= commands.count ? Infinity : commands.cells[row * layout.stride + layout.seq]!
  }
}

/**
 * Commands of all services as rows, in the order applied. Commands and events of a batch are walked side by side. A command's row
 * is written at the first event whose cause is the command or a later one, and the event's `seq` is its place in the total order.
 * Only a repeat that waits for an answer (outcome gate) has no event of its own.
 */
export class JournalRows {
  private declare readonly writer: RowWriter
  private declare readonly at: ReturnType<typeof journalTable>['at']
  private declare readonly parlay: JournalPart
  private declare readonly outcome: JournalPart
  /** The text of `more` for the row that is being written. */
  private readonly more = new AsciiLine()
  /** The text of its legs, and then of its list. */
  private readonly line = new AsciiLine()
  /** The result of `nextCommand`, kept so that an event costs one comparison. */
  private readonly next = Float64Array.of(Infinity)
  /** Commands of earlier batches that have no row yet. */
  private waiting: OutcomeJournal | null = null

  constructor(writer: RowWriter, at: ReturnType<typeof journalTable>['at']) {
    this.writer = writer
    this.at = at
    this.parlay = new JournalPart(
      new JournalLayout(Service.parlay, PARLAY_STRIDE, ParlayField, PARLAY_OP_NAMES, PARLAY_COLUMNS, PARLAY_MORE, writer),
    )
    this.outcome = new JournalPart(
      new JournalLayout(Service.outcome, OUTCOME_STRIDE, OutcomeField, OUTCOME_OP_NAMES, OUTCOME_COLUMNS, OUTCOME_MORE, writer),
    )
  }

  /** Begins a batch. */
  begin({ parlay, outcome }: Batch): void {
    this.parlay.begin(parlay === null ? null : parlay.journal)
    if (this.waiting !== null && outcome !== null) copyCommands(outcome.journal, 0, this.waiting)
    this.outcome.begin(this.waiting ?? (outcome === null ? null : outcome.journal))
    this.next[0] = this.nextCommand()
  }

  /** An event of command `cause` stands at `seq`. */
  caused(cause: number, seq: number): void {
    if (this.next[0]! <= cause) this.writeTo(cause, seq)
  }

  /** The fair probability in command `cause` of the parlay service, which must be the last command written, and its maker's product of leg prices. NaN without one. */
  parlayFairOf(cause: number): number {
    return memoOf(this.parlay, cause, this.parlay.layout.memoE9)
  }

  parlayProductOf(cause: number): number {
    return memoOf(this.parlay, cause, this.parlay.layout.productE9)
  }

  /** The same of the outcome service. */
  outcomeFairOf(cause: number): number {
    return memoOf(this.outcome, cause, this.outcome.layout.memoE9)
  }

  outcomeProductOf(cause: number): number {
    return memoOf(this.outcome, cause, this.outcome.layout.productE9)
  }

  /** Ends a batch. */
  end(): void {
    const { parlay, outcome } = this
    if (parlay.next() < Infinity) throw new Bug(`command ${parlay.next()} left no row`)
    const left = outcome.next() < Infinity ? (outcome.commands as OutcomeJournal) : null
    this.waiting = null
    if (left === null) return
    this.waiting = new OutcomeJournal(Service.outcome, 64)
    copyCommands(left, outcome.row, this.waiting)
  }

  /** The session is over. */
  finish(): void {
    if (this.waiting !== null) throw new Bug(`command ${this.waiting.cells[0]} left no row`)
  }

  /** Number of the next command of either service, Infinity after the last. */
  private nextCommand(): number {
    return Math.min(this.parlay.next(), this.outcome.next())
  }

  /** Writes the commands up to number `last`. */
  private writeTo(last: number, seq: number): void {
    const { parlay, outcome, next } = this
    while (next[0]! <= last) {
      this.write(parlay.next() < outcome.next() ? parlay : outcome, seq)
      next[0] = this.nextCommand()
    }
  }

  private write(part: JournalPart, seq: number): void {
    const { writer, at } = this
    const { layout } = part
    const { cells, pool } = part.commands!
    const row = writer.cells
    const from = part.row++ * layout.stride
    // The command counts as written, so that what is read of it by its number is found.
    if (!writer.isRead) return
    const to = writer.row()
    const op = layout.ops.of(cells[from + layout.op]!)
    row[to + at.seq] = seq
    row[to + at.service] = layout.service
    row[to + at.command] = cells[from + layout.seq]!
    row[to + at.at] = cells[from + layout.atUs]!
    row[to + at.op] = op
    this.more.clear()
    this.noteMore(layout, cells, from)
    if (Number.isNaN(op)) this.note(OP, cells[from + layout.op]!)
    const { columns, offsets, narrow } = layout
    for (let i = 0; i < columns.length; i++) {
      const value = cells[from + offsets[i]!]!
      if (value === NONE) continue
      const fits = narrow[i] === 1 ? (value | 0) === value : Number.isSafeInteger(value)
      if (fits) row[to + columns[i]!] = value
      else this.note(layout.names[i]!, value)
    }
    if (this.more.length > 0) writer.ascii(at.more, this.more)
    let place = cells[from + layout.poolStart]!
    const legCount = cells[from + layout.legCount]!
    if (legCount > 0) this.writeLegs(pool, place, legCount)
    place += 2 * legCount
    const listCount = cells[from + layout.listCount]!
    if (listCount > 0) this.writeList(pool, place, listCount)
  }

  private noteMore({ moreNames, moreOffsets }: JournalLayout, cells: Float64Array, from: number): void {
    for (let i = 0; i < moreOffsets.length; i++) {
      const value = cells[from + moreOffsets[i]!]!
      if (value !== NONE) this.note(moreNames[i]!, value)
    }
  }

  /** Adds `name=value` to the row's `more`. */
  private note(name: Uint8Array, value: number): void {
    const { more } = this
    if (more.length > 0) more.byte(SPACE)
    more.word(name)
    more.number(value)
  }

  private writeLegs(pool: Int32Array, from: number, legCount: number): void {
    const { line } = this
    line.clear()
    for (let i = 0; i < legCount; i++) {
      if (i > 0) line.byte(SPACE)
      line.number(pool[from + 2 * i]!)
      line.byte(COLON)
      line.number(pool[from + 2 * i + 1]!)
    }
    this.writer.ascii(this.at.legs, line)
  }

  private writeList(pool: Int32Array, from: number, listCount: number): void {
    const { line } = this
    line.clear()
    for (let i = 0; i < listCount; i++) {
      if (i > 0) line.byte(SPACE)
      line.number(pool[from + i]!)
    }
    this.writer.ascii(this.at.list, line)
  }
}

function memoOf({ commands, row, layout }: JournalPart, cause: number, field: number): number {
  if (commands === null || row === 0) return NaN
  const from = (row - 1) * layout.stride
  if (commands.cells[from + layout.seq] !== cause) return NaN
  const memoE9 = commands.cells[from + field]!
  return memoE9 >= 0 ? memoE9 / 1e9 : NaN
}

/** Appends the commands from row `row` on to another journal, because this one will be emptied. */
function copyCommands(journal: OutcomeJournal, row: number, to: OutcomeJournal): void {
  const command = new OutcomeCommand()
  for (let i = row; i < journal.count; i++) to.append(journal.read(i, command), command)
}
