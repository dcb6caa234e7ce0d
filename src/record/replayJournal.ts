import { readTable, type Table, type TableColumn } from '../arrow/tableReader.ts'
import { InputError } from '../unit/inputError.ts'
import { type ParlayCommand, ParlayOp } from '../venue/parlay/protocol/commands.ts'

/** Fields of a command by the columns of the journal table; what is empty there is unset. */
const COLUMNS = [
  ['account', 'account'], ['credential', 'credential'], ['source', 'source'], ['request', 'request'], ['version', 'version'],
  ['content_tag', 'contentTag'], ['quote', 'quote'], ['book_seq', 'bookSeq'], ['odds', 'oddsE4'], ['valid_ms', 'validMs'],
  ['bet_micros', 'betMicros'], ['amount_micros', 'amountMicros'], ['market', 'market'], ['value', 'value'], ['memo_e9', 'memoE9'],
] as const

type NumberField = (typeof COLUMNS)[number][1] | 'closeUs' | 'value2' | 'position' | 'auction' | 'op'
const FIELDS: ReadonlySet<string> = new Set([...COLUMNS.map(([, field]) => field), 'closeUs', 'value2', 'position', 'auction', 'op'])
const UNSET = -1

/**
 * Hands every command of a journal table to `apply`, with the instant of its application, in the order applied. The
 * command is reused. Throws InputError for a file that is no journal table.
 */
export function replayJournal(path: string, command: ParlayCommand, apply: (atUs: number, command: ParlayCommand) => void): void {
  const table = readTable(path)
  for (let i = 0; i < table.batchCount; i++) replayBatch(table.batch(i), command, apply)
}

function replayBatch(table: Table, command: ParlayCommand, apply: (atUs: number, command: ParlayCommand) => void): void {
  const numbers = table.numbers('command', 'int64')
  const instants = table.numbers('at', 'timeUs')
  const ops = table.column('op')
  const fields = COLUMNS.map(([column, field]) => ({ field, column: table.column(column) }))
  const [legs, list, more] = [table.column('legs'), table.column('list'), table.column('more')]
  const opOf = (ops.values ?? []).map((name) => (ParlayOp as Readonly<Record<string, number>>)[name] ?? UNSET)
  for (let row = 0; row < table.rowCount; row++) {
    const op = ops.codes![row]!
    command.reset(op < 0 ? UNSET : opOf[op]!, UNSET)
    command.seq = numbers[row]!
    for (const { field, column } of fields) command[field] = cell(column, row)
    for (const part of wordsOf(more, row)) setField(command, part, table.path)
    for (const part of wordsOf(legs, row)) {
      const colon = part.indexOf(':')
      command.leg(Number(part.slice(0, colon)), Number(part.slice(colon + 1)))
    }
    for (const part of wordsOf(list, row)) command.item(Number(part))
    apply(instants[row]!, command)
  }
}

const cell = (column: TableColumn, row: number): number =>
  column.valid !== null && column.valid[row] === 0 ? UNSET : column.numbers![row]!

function wordsOf(column: TableColumn, row: number): readonly string[] {
  const text = column.texts![row]!
  return text === '' ? [] : text.split(' ')
}

function setField(command: ParlayCommand, part: string, file: string): void {
  const equals = part.indexOf('=')
  const field = part.slice(0, equals)
  if (!FIELDS.has(field)) throw new InputError(`the journal names the field ${field}, which no command has`, { position: { file } })
  command[field as NumberField] = Number(part.slice(equals + 1))
}
