import { arrowSchemaOf, type ColumnSpec, type TableSpec, UNITS } from '../arrow/tableSchema.ts'
import { assert } from '../unit/assert.ts'
import { OUTCOME_CODES } from '../venue/outcome/protocol/codes.ts'
import { PARLAY_CODES } from '../venue/parlay/protocol/codes.ts'
import { deliveryTable } from './deliveryTable.ts'
import { DirectoryCodes } from './directory.ts'
import { externalTable } from './externalTable.ts'
import { marketTable } from './marketTable.ts'
import { commonFields, type Opcode, type OpcodeField, opcodes } from './opcodes.ts'
import { openTables } from './openTables.ts'
import { recordedTable } from './recordedTable.ts'
import { SCHEMA_VERSION } from './tableShape.ts'
import { logTable, passTable } from './toldTables.ts'

/** One column as data. */
export interface DictionaryColumn {
  readonly name: string
  /** The type in Arrow's words. */
  readonly type: string
  readonly unit?: string
  /** The power of ten that the numbers are scaled by. */
  readonly scale?: number
  readonly about: string
  /** `with service`: each service numbers these by itself, so that a join needs the column `service` too. */
  readonly join?: 'with service'
  /** What an empty cell says. Absent where no cell is empty. */
  readonly null?: string
  /** The words of an enumeration, each with its meaning where its protocol's list does not say it. */
  readonly values?: readonly { readonly value: string; readonly meaning?: string }[]
  /** What has the names that the column holds, where each run has names of its own. */
  readonly namesOf?: string
}

export interface DictionaryTable {
  readonly name: string
  readonly about: string
  /** Which runs have the table. */
  readonly of: string
  /** Columns whose values together name one row. Empty where nothing does. */
  readonly key: readonly string[]
  readonly columns: readonly DictionaryColumn[]
}

/** A reply with an error. */
export interface DictionaryRejection {
  readonly service: 'parlay' | 'outcome'
  readonly rejection: string
  /** 0 of a code that only closes a stream. */
  readonly httpStatus: number
  readonly code: string
  readonly reason?: string
  readonly retry?: string
}

/** What every cell of a run's tables means. */
export interface TableDictionary {
  readonly schemaVersion: number
  readonly tables: readonly DictionaryTable[]
  readonly rejections: readonly DictionaryRejection[]
  /** What commands of each opcode ask for, and which columns of the journal hold their fields. */
  readonly opcodes: readonly Opcode[]
  /** Fields that commands of all opcodes have. */
  readonly commonFields: Readonly<Record<Opcode['service'], readonly OpcodeField[]>>
}

/** The dictionary of the tables that runs of this version have, of both services. */
export function tableDictionary(): TableDictionary {
  const codes = new DirectoryCodes({ accounts: [], markets: [] })
  const tables: DictionaryTable[] = []
  const add = (spec: TableSpec, of: string): void => { tables.push(describe(spec, of)) }
  openTables((shape) => {
    add(shape.spec, 'every run')
    return [undefined as never, shape.at]
  }, codes)
  for (const { spec } of [marketTable(codes, []), passTable(codes), logTable()]) add(spec, 'every run that keeps its folder')
  add(deliveryTable(codes).spec, 'a run with `record.deliveries`')
  add(recordedTable().spec, 'a run with `bettors: { kind: recorded }` that keeps its folder')
  add(externalTable().spec, 'a run of `parlor serve`')
  return { schemaVersion: Number(SCHEMA_VERSION), tables, rejections: rejections(), opcodes: opcodes(), commonFields: { parlay: commonFields('parlay'), outcome: commonFields('outcome') } }
}

const KEYS: Readonly<Record<string, readonly string[]>> = {
  requests: ['service', 'request', 'version'], quotes: ['service', 'quote'], acceptances: ['selected_seq'], positions: ['service', 'position'],
  settlements: ['service', 'position'], auctions: ['service', 'auction'], bids: ['service', 'bid'], vault_transactions: ['service', 'transaction'],
  operations: ['started_seq'], webhooks: ['service', 'delivery', 'redeliveries'], ledger: ['seq'], rejections: ['seq'], journal: ['command'],
  marks: ['service', 'quote', 'horizon_us'], equity: ['service', 'maker', 'at'], markets: ['market'], passes: [], logs: [], deliveries: [], recorded: [], external: [],
}

function describe(spec: TableSpec, of: string): DictionaryTable {
  const { fields } = arrowSchemaOf(spec, {})
  return { name: spec.name, about: spec.about, of, key: KEYS[spec.name]!, columns: spec.columns.map((column, i) => describeColumn(column, String(fields[i]!.type))) }
}

function describeColumn({ name, type, nullable = false, isOfService = false, about, whenNull, values, meanings = {}, namesOf }: ColumnSpec, arrow: string): DictionaryColumn {
  assert(nullable === (whenNull !== undefined), `column ${name} says what an empty cell says if it has empty cells`)
  const { unit, scale } = UNITS[type] ?? {}
  return {
    name, type: arrow, ...(unit === undefined ? {} : { unit }), ...(scale === undefined ? {} : { scale: Number(scale) }), about,
    ...(isOfService ? { join: 'with service' as const } : {}), ...(whenNull === undefined ? {} : { null: whenNull }),
    ...(namesOf !== undefined ? { namesOf } : values === undefined ? {} : {
      values: values.map((value) => ({ value, ...(meanings[value] === undefined ? {} : { meaning: meanings[value] }) })),
    }),
  }
}

function rejections(): DictionaryRejection[] {
  const parlay = Object.values(PARLAY_CODES).filter(({ code }) => code !== '').map(({ name, status, code, reason }) => (
    { service: 'parlay' as const, rejection: name, httpStatus: status, code, ...(reason === '' ? {} : { reason }) }))
  const outcome = Object.values(OUTCOME_CODES).filter(({ code }) => code !== '').map(({ name, status, code, retry }) => (
    { service: 'outcome' as const, rejection: name, httpStatus: status, code, ...(retry === null ? {} : { retry }) }))
  return [...parlay, ...outcome]
}
