import { NONE } from '../../../src/unit/none.ts'
import type { Kind, Row as RowOf } from '../../../src/venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../src/venue/eventRows.ts'
import { AcceptReply, OutcomeEvent, Reply } from '../../../src/venue/outcome/protocol/events.ts'
import { cellsByName, type CellNames } from '../../venue/namedCells.ts'
import { type CellName, kindNames, type KindName, namesOf, type ReplyName, replyNames } from '../../venue/outcome/cellNames.ts'

/** What every row has; its list in place of the list's place and length. */
export interface Head {
  readonly atUs: number
  readonly service: number
  readonly kind: number
  readonly cause: number
  readonly list: readonly number[]
}

/**
 * An event row by the names of its kind, or by those that all of several kinds have; what is not set is −1. A row of a kind that has two
 * forms has the names of both.
 */
export type Row<N extends KindName = KindName> = Head & { readonly [name in CellName<N>]: number }

/** The number of a kind, or of one of several. */
export type EventKind<N extends KindName> = Kind<`outcome.${N}`>

/** Cells of a row to write; those not given are −1. */
export type Fields<N extends KindName> = { readonly [name in CellName<N>]?: number } & { readonly list?: readonly number[] }

/** What a reply says beside its account and opcode. */
export type Answer = { readonly [name in ReplyName]?: number } & { readonly code: number }

const blanks = new Map<CellNames, Readonly<Record<string, number>>>()

/** Every name that rows with these names, or with those of another form of their kind, have: −1. */
function blankOf(names: CellNames, others: CellNames = names): Readonly<Record<string, number>> {
  const known = blanks.get(names)
  if (known !== undefined) return known
  const blank = Object.fromEntries(Object.keys({ ...others, ...names }).map((name) => [name, NONE]))
  blanks.set(names, blank)
  return blank
}

const blankOfKind = (kind: number): Readonly<Record<string, number>> => blankOf(kindNames(kind), kindNames(kind, true))

export const rowOf = <N extends KindName>(head: Omit<Head, 'kind' | 'list'>, kind: EventKind<N>, fields: Fields<N>): Row<N> =>
  ({ list: [], ...blankOfKind(kind), ...head, kind, ...fields }) as unknown as Row<N>

export const replyOf = (head: Omit<Head, 'kind' | 'list'>, account: number, op: number, answer: Answer): Row<'reply'> =>
  ({ list: [], ...blankOf(replyNames(op, answer.code)), ...head, kind: OutcomeEvent.reply, account, op, ...answer }) as unknown as Row<'reply'>

/** A row as a plain object; throws where a cell is set that has no name. */
export function rowAt(events: EventRows, at: RowOf): Row {
  const cells = events.rowCells(at)
  const kind = events.kindOf(at)
  return {
    ...(kind === OutcomeEvent.reply ? {} : blankOfKind(kind)),
    atUs: events.read(at, EventCell.atUs), service: events.read(at, EventCell.service), kind, cause: events.read(at, EventCell.cause),
    list: [...events.list(at)], ...cellsByName(cells, namesOf(cells)),
  }
}

export const rowsOf = (events: EventRows): Row[] => Array.from({ length: events.count }, (_, i) => rowAt(events, events.row(i)))

export const isOfKind = <R extends Row, N extends KindName>(row: R, kind: EventKind<N>): row is R & Row<N> => row.kind === kind

/** The rows of a kind, or of several, in their order. */
export const rowsOfKind = <R extends Row, N extends KindName>(rows: readonly R[], ...kinds: readonly EventKind<N>[]): (R & Row<N>)[] =>
  rows.filter((row): row is R & Row<N> => (kinds as readonly number[]).includes(row.kind))

/** A cell that rows of many kinds have, or −1 where this row's kind has none of that name. */
export const cellOf = (row: Row, name: 'rfq' | 'quote' | 'position'): number => (row as Partial<Row<'quoteCreated'>>)[name] ?? NONE

/** What a reply says; the names that it has depend on its opcode and code. */
export const answerIn = (row: Row<'reply'>): Answer => row

/** Cells of a row that name the accounts it is about. */
const PARTIES: readonly number[] = [Reply.account, AcceptReply.maker]
const partyNames = new Map<number, readonly string[]>()

function partyNamesOf(kind: number): readonly string[] {
  const known = partyNames.get(kind)
  if (known !== undefined) return known
  const names = { ...(kind === OutcomeEvent.reply ? AcceptReply : {}), ...kindNames(kind), ...kindNames(kind, true) }
  const parties = Object.entries(names).filter(([, cell]) => PARTIES.includes(cell)).map(([name]) => name)
  partyNames.set(kind, parties)
  return parties
}

/** The accounts that the row is about. */
export const accountsOf = (row: Row): number[] =>
  partyNamesOf(row.kind).map((name) => (row as unknown as Readonly<Record<string, number | undefined>>)[name] ?? NONE)
