import { NONE } from '../../../src/unit/none.ts'
import type { Kind } from '../../../src/venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../src/venue/eventRows.ts'
import { CommitReply, ParlayEvent, Reply } from '../../../src/venue/parlay/protocol/events.ts'
import { cellsByName, type CellNames } from '../../venue/namedCells.ts'
import { type CellName, kindNames, type KindName, namesOf, type ReplyName, replyNames } from '../../venue/parlay/cellNames.ts'

/** What every row has; its list in place of the list's place and length. */
export interface Head {
  readonly atUs: number
  readonly service: number
  readonly kind: number
  readonly cause: number
  readonly list: readonly number[]
}

/** An event row by the names of its kind, or by those that all of several kinds have; what is not set is −1. */
export type Row<N extends KindName = KindName> = Head & { readonly [name in CellName<N>]: number }

/** The number of a kind, or of one of several. */
export type EventKind<N extends KindName> = Kind<`parlay.${N}`>

/** Cells of a row to write; those not given are −1. */
export type Fields<N extends KindName> = { readonly [name in CellName<N>]?: number } & { readonly list?: readonly number[] }

/** What a reply says beside its account and opcode. */
export type Answer = { readonly [name in ReplyName]?: number } & { readonly code: number }

const blanks = new WeakMap<CellNames, Readonly<Record<string, number>>>()

function blankOf(names: CellNames): Readonly<Record<string, number>> {
  const known = blanks.get(names)
  if (known !== undefined) return known
  const blank = Object.fromEntries(Object.keys(names).map((name) => [name, NONE]))
  blanks.set(names, blank)
  return blank
}

export const rowOf = <N extends KindName>(head: Omit<Head, 'kind' | 'list'>, kind: EventKind<N>, fields: Fields<N>): Row<N> =>
  ({ list: [], ...blankOf(kindNames(kind)), ...head, kind, ...fields }) as unknown as Row<N>

export const replyOf = (head: Omit<Head, 'kind' | 'list'>, account: number, op: number, answer: Answer): Row<'reply'> =>
  ({ list: [], ...blankOf(replyNames(op, answer.code)), ...head, kind: ParlayEvent.reply, account, op, ...answer }) as unknown as Row<'reply'>

/** The rows from `first` on as plain objects; throws where a cell is set that has no name. */
export const rowsOf = (events: EventRows, first = 0): Row[] => Array.from({ length: events.count - first }, (_, i) => {
  const at = events.row(first + i)
  const cells = events.rowCells(at)
  return {
    atUs: events.read(at, EventCell.atUs), service: events.read(at, EventCell.service), kind: events.kindOf(at),
    cause: events.read(at, EventCell.cause), list: [...events.list(at)], ...cellsByName(cells, namesOf(cells)),
  }
})

export const isOfKind = <N extends KindName>(row: Row, kind: EventKind<N>): row is Row<N> => row.kind === kind

/** The rows of a kind, or of several, in their order. */
export const rowsOfKind = <N extends KindName>(rows: readonly Row[], ...kinds: readonly EventKind<N>[]): Row<N>[] =>
  rows.filter((row): row is Row<N> => (kinds as readonly number[]).includes(row.kind))

/** A cell that rows of many kinds have, or −1 where this row's kind has none of that name. */
export const cellOf = (row: Row, name: 'request' | 'position' | 'auction'): number => (row as Partial<Row<'auctionOpened'>>)[name] ?? NONE

/** Cells of a row that name the accounts it is about. */
const PARTIES: readonly number[] = [Reply.account, CommitReply.maker]

/** The accounts that the row is about. */
export function accountsOf(row: Row): number[] {
  const names = row.kind === ParlayEvent.reply ? { account: Reply.account, maker: CommitReply.maker } : kindNames(row.kind)
  return Object.entries(names).filter(([, cell]) => PARTIES.includes(cell)).map(([name]) => (row as unknown as Record<string, number>)[name] ?? NONE)
}
