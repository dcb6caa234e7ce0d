import type { Kind, RowCells } from '../../../../src/venue/eventCells.ts'
import { EventRows } from '../../../../src/venue/eventRows.ts'
import { ParlayEvent } from '../../../../src/venue/parlay/protocol/events.ts'
import { WireIdentity } from '../../../../src/venue/parlay/wire/identity.ts'
import { cellNamed } from '../../namedCells.ts'
import { kindNames, replyNames } from '../cellNames.ts'

/** 2025-06-20T00:23:00.000007Z. */
export const AT_US = 1_750_378_980_000_007

export const identity = new WireIdentity('session 7')

/** Cells by the names of the row's kind. */
export type Fields = Readonly<Record<string, number>>

/** One event row with the cells given by name, the rest −1; its seq is 9. */
export function row<N extends string>(kind: Kind<N>, fields: Fields, names = kindNames(kind)): RowCells<N> {
  const rows = new EventRows({ next: 9 }, 1, 4)
  const first = rows.open(AT_US, kind, -1)
  for (const [name, value] of Object.entries(fields)) rows.write(first, cellNamed(names, name), value)
  return rows.rowCells(first)
}

/** The same of a reply to the opcode `op` with `code`. */
export const replyRow = (op: number, code: number, fields: Fields = {}): RowCells<'parlay.reply'> =>
  row(ParlayEvent.reply, { op, code, ...fields }, replyNames(op, code))
