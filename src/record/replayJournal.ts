import { checkColumns } from '../arrow/olderRun.ts'
import { readTable, type Table, type TableColumn } from '../arrow/tableReader.ts'
import { InputError } from '../unit/inputError.ts'
import { type OutcomeCommand, OutcomeOp } from '../venue/outcome/protocol/commands.ts'
import { type ParlayCommand, ParlayOp } from '../venue/parlay/protocol/commands.ts'
import { OUTCOME_COLUMNS, OUTCOME_MORE, PARLAY_COLUMNS, PARLAY_MORE } from './journalFields.ts'

/** What takes the commands of one service: a command to reuse, and the function that applies it. */
export interface CommandTaker<C> {
  readonly command: C
  readonly apply: (atUs: number, command: C) => void
}

/** Where a taker is null or absent, the journal must have no commands of that service. */
export interface CommandTakers {
  readonly parlay?: CommandTaker<ParlayCommand> | null
  readonly outcome?: CommandTaker<OutcomeCommand> | null
}

/** What the commands of both services have in common. Other fields go by name. */
interface AnyCommand {
  seq: number
  reset(op: number, account: number): unknown
  leg(market: number, side: number): unknown
  item(value: number): unknown
}

/** Reads the commands of one service from the table. */
class CommandReader<C extends AnyCommand> {
  private declare readonly taker: CommandTaker<C>
  private declare readonly columns: readonly (readonly [field: string, column: string])[]
  private declare readonly more: ReadonlySet<string>
  private declare readonly ops: Readonly<Record<string, number>>

  constructor(
    taker: CommandTaker<C>, columns: readonly (readonly [string, string])[], more: readonly string[], ops: Readonly<Record<string, number>>,
  ) {
    this.taker = taker
    this.columns = columns
    this.more = new Set([...columns.map(([field]) => field), ...more, 'op'])
    this.ops = ops
  }

  /** Hands over row `row` of a batch. `opName` is undefined for an unknown opcode. */
  take(batch: JournalBatch, row: number, opName: string | undefined): void {
    const { command, apply } = this.taker
    const fields = command as unknown as Record<string, number>
    command.reset(opName === undefined ? UNSET : (this.ops[opName] ?? UNSET), UNSET)
    command.seq = batch.numbers[row]!
    for (const [field, column] of this.columns) fields[field] = cell(batch.column(column), row)
    for (const part of wordsOf(batch.column('more'), row)) this.setField(fields, part, batch.table.path)
    for (const part of wordsOf(batch.column('legs'), row)) {
      const colon = part.indexOf(':')
      command.leg(Number(part.slice(0, colon)), Number(part.slice(colon + 1)))
    }
    for (const part of wordsOf(batch.column('list'), row)) command.item(Number(part))
    apply(batch.instants[row]!, command)
  }

  private setField(fields: Record<string, number>, part: string, file: string): void {
    const equals = part.indexOf('=')
    const field = part.slice(0, equals)
    if (!this.more.has(field)) throw new InputError(`the journal names the field ${field}, which no command has`, { position: { file } })
    fields[field] = Number(part.slice(equals + 1))
  }
}

/** A batch of the table with its columns at hand. */
class JournalBatch {
  declare readonly table: Table
  declare readonly numbers: ArrayLike<number>
  declare readonly instants: ArrayLike<number>
  private readonly columns = new Map<string, TableColumn>()

  constructor(table: Table) {
    this.table = table
    this.numbers = table.numbers('command', 'int64')
    this.instants = table.numbers('at', 'timeUs')
  }

  column(name: string): TableColumn {
    let column = this.columns.get(name)
    if (column === undefined) {
      column = this.table.column(name)
      this.columns.set(name, column)
    }
    return column
  }

  /** Value of an enum column, undefined where it is empty. */
  label(name: string, row: number): string | undefined {
    const { codes, values } = this.column(name)
    return codes![row]! < 0 ? undefined : values![codes![row]!]
  }
}

const UNSET = -1
const COMMANDS_AT_ONCE = 8192

/**
 * Hands every command of a journal table to the taker of its service, with the instant of its application, in the order
 * applied. Commands are reused. Throws InputError for a file that is no journal table or has commands without a taker.
 */
export function replayJournal(path: string, takers: CommandTakers): void {
  for (const _ of replayingJournal(path, takers));
}

/** The same as `replayJournal`, but yields the share that is done, 0…1, now and then. */
export function* replayingJournal(path: string, takers: CommandTakers): Generator<number, void> {
  const table = readTable(path)
  checkColumns(table, ['service', 'op', 'odds_e4'])
  // Runs of schema version 5 and older do not have it.
  const written = <C extends readonly [string, string]>(columns: readonly C[]): C[] => columns.filter(([field, column]) => field !== 'productE9' || table.columnNames.includes(column))
  const readers: Readonly<Record<string, CommandReader<ParlayCommand> | CommandReader<OutcomeCommand> | undefined>> = {
    parlay: takers.parlay ? new CommandReader(takers.parlay, written(PARLAY_COLUMNS), PARLAY_MORE, ParlayOp) : undefined,
    outcome: takers.outcome ? new CommandReader(takers.outcome, written(OUTCOME_COLUMNS), OUTCOME_MORE, OutcomeOp) : undefined,
  }
  for (let i = 0; i < table.batchCount; i++) {
    const batch = new JournalBatch(table.batch(i))
    for (let row = 0; row < batch.table.rowCount; row++) {
      const service = batch.label('service', row)!
      const reader = readers[service]
      if (reader === undefined) throw new InputError(`the journal has commands of the service ${service}, which the run does not have`, { position: { file: path } })
      reader.take(batch, row, batch.label('op', row))
      if (row % COMMANDS_AT_ONCE === COMMANDS_AT_ONCE - 1) yield (i + row / batch.table.rowCount) / table.batchCount
    }
    yield (i + 1) / table.batchCount
  }
}

const cell = (column: TableColumn, row: number): number =>
  column.valid !== null && column.valid[row] === 0 ? UNSET : column.numbers![row]!

function wordsOf(column: TableColumn, row: number): readonly string[] {
  const text = column.texts![row]!
  return text === '' ? [] : text.split(' ')
}
