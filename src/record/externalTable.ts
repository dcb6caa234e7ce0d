import { readTable, type TableColumn } from '../arrow/tableReader.ts'
import { TableWriter } from '../arrow/tableWriter.ts'
import { InputError } from '../unit/inputError.ts'
import { SERVICE_NAMES } from '../unit/services.ts'
import { OUTCOME_OP_NAMES, OutcomeOp } from '../venue/outcome/protocol/commands.ts'
import { PARLAY_OP_NAMES, ParlayOp } from '../venue/parlay/protocol/commands.ts'
import { OP_NAMES } from './logTables.ts'
import type { TableFile } from './manifest.ts'
import { int, numbered, oneOf, orNull, SCHEMA_VERSION, service, shapeOf, text, time, word, wordOf } from './tableShape.ts'

/** What came in, or gave a client its turn. Of a session on the wall's clock all rows are commands. */
export const EXTERNAL_KINDS = ['command', 'turn', 'wake', 'left', 'joined'] as const

/** Something that came in from outside of a session, or a turn of a client: what the session is played again from. */
export interface ExternalRow {
  /** Absent: a command. */
  readonly kind?: (typeof EXTERNAL_KINDS)[number]
  /** With virtual time that waits for clients: number of the turn in which it came in, or that it is, from 1. */
  readonly turn?: number | undefined
  /** Number of the client's call within the turn, from 1; absent for what no call of a client's stands behind. */
  readonly call?: number | undefined
  /** Of a turn: what the client was told. Of a wake: what its turn will be, `wake` or the `answer` to a call that needed no way. */
  readonly why?: string | undefined
  /** When it came in. Rows stand in the order in which they did. */
  readonly atUs: number
  readonly service: (typeof SERVICE_NAMES)[number]
  /** −1: of nobody. */
  readonly account: number
  /** −1 for what is no command. */
  readonly op: number
  /** Number of the credential; undefined: the one that the session keeps up for the account. */
  readonly credential: number | undefined
  /** Fields of the service's command by their names. */
  readonly fields: Readonly<Record<string, number>>
  readonly legs: readonly (readonly [market: number, side: number])[]
  readonly list: readonly number[]
}

export const EXTERNAL_NAME = 'external'

export const externalTable = () => shapeOf('external', 'commands that clients sent from outside of the session, and their turns, one row each; they hold no secrets', {
  at: time('when it came in'),
  service,
  account: orNull(word('account that it is of'), 'nobody'),
  op: orNull(wordOf(OP_NAMES, 'opcode of the command'), 'no command'),
  credential: orNull(numbered('number of the credential that came with it'), 'the one that the session keeps up for the account'),
  fields: text('fields of the command, as name=value, separated by blanks; of a wake `wake_us`, the instant asked for'),
  legs: text('legs, as market:side, separated by blanks'),
  list: text('the command\'s list of numbers, separated by blanks'),
  kind: oneOf(EXTERNAL_KINDS, 'what came in, or whether a client\'s turn began', {
    command: 'a command of a client', turn: 'a client was told something and had its turn', wake: 'a client asked to be called again',
    left: 'a client left the session', joined: 'a client came, or came back',
  }),
  turn: orNull(int('number of the turn, from 1'), 'virtual time did not wait for clients'),
  call: orNull(int('number of the client\'s call within its turn, from 1'), 'no call of a client stands behind it'),
  why: orNull(text('of a turn what the client was told, of a wake what its turn is'), 'neither a turn nor a wake'),
})

const OP_NAMES_OF = { parlay: PARLAY_OP_NAMES, outcome: OUTCOME_OP_NAMES } as const
const OPS_OF: Readonly<Record<string, Readonly<Record<string, number>>>> = { parlay: ParlayOp, outcome: OutcomeOp }

function fieldsText(fields: ExternalRow['fields']): string {
  let text = ''
  for (const name in fields) text += `${text === '' ? '' : ' '}${name}=${fields[name]!}`
  return text
}

/** Writes the table `external` of a session that clients trade in. */
export class ExternalJournal {
  private readonly shape = externalTable()
  private declare readonly writer: TableWriter

  constructor(path: string, metadata: Readonly<Record<string, string>> = {}) {
    this.writer = new TableWriter(this.shape.spec, path, { ...metadata, schema_version: SCHEMA_VERSION })
  }

  append(row: ExternalRow): void {
    const { writer, shape: { at } } = this
    writer.row()
    writer.int(at.at, row.atUs)
    writer.label(at.service, row.service)
    writer.intOrNone(at.account, row.account)
    if (row.op >= 0) writer.label(at.op, OP_NAMES_OF[row.service][row.op]!)
    if (row.credential !== undefined) writer.int(at.credential, row.credential)
    writer.text(at.fields, fieldsText(row.fields))
    writer.text(at.legs, row.legs.length === 0 ? '' : row.legs.map(([market, side]) => `${market}:${side}`).join(' '))
    writer.text(at.list, row.list.length === 0 ? '' : row.list.join(' '))
    writer.label(at.kind, row.kind ?? 'command')
    if (row.turn !== undefined) writer.int(at.turn, row.turn)
    if (row.call !== undefined) writer.int(at.call, row.call)
    if (row.why !== undefined) writer.text(at.why, row.why)
  }

  finish(): TableFile {
    this.writer.finish()
    return { name: EXTERNAL_NAME, path: this.writer.path, rows: this.writer.rowCount }
  }

  abort(): void {
    this.writer.abort()
  }
}

/** The rows of a table `external`. Throws InputError for a file that is none. */
export function readExternal(path: string): ExternalRow[] {
  const table = readTable(path)
  const instants = table.numbers('at', 'timeUs')
  const [services, ops] = [table.column('service'), table.column('op')]
  const [accounts, credentials] = [table.column('account'), table.column('credential')]
  const [kinds, turns, calls, whys] = [table.column('kind'), table.column('turn'), table.column('call'), table.column('why')]
  const [fields, legs, list] = ['fields', 'legs', 'list'].map((name) => table.column(name))
  return Array.from(instants, (atUs, row): ExternalRow => {
    const name = labelOf(services, row) as ExternalRow['service']
    const kind = labelOf(kinds, row) as NonNullable<ExternalRow['kind']>
    const op = kind === 'command' ? OPS_OF[name]?.[labelOf(ops, row)] : -1
    if (op === undefined) throw new InputError(`row ${row} has an opcode that its service does not have`, { position: { file: path } })
    return {
      atUs, kind, service: name, op, turn: numberOf(turns, row), call: numberOf(calls, row), why: whys.texts![row] ?? undefined, account: numberOf(accounts, row) ?? -1, credential: numberOf(credentials, row),
      fields: Object.fromEntries(wordsOf(fields!, row).map((word) => {
        const equals = word.indexOf('=')
        return [word.slice(0, equals), Number(word.slice(equals + 1))]
      })),
      legs: wordsOf(legs!, row).map((word) => word.split(':').map(Number) as [number, number]),
      list: wordsOf(list!, row).map(Number),
    }
  })
}

const labelOf = ({ codes, values }: TableColumn, row: number): string => values![codes![row]!] ?? ''
const numberOf = ({ valid, numbers }: TableColumn, row: number): number | undefined => (valid !== null && valid[row] === 0 ? undefined : numbers![row])

function wordsOf(column: TableColumn, row: number): readonly string[] {
  const words = column.texts![row]!
  return words === '' ? [] : words.split(' ')
}
