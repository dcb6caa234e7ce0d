import { EventRows, Field } from '../../../../src/venue/eventRows.ts'
import type { RowCells } from '../../../../src/venue/parlay/wire/webhookBody.ts'
import { WireIdentity } from '../../../../src/venue/parlay/wire/identity.ts'

/** 2025-06-20T00:23:00.000007Z. */
export const AT_US = 1_750_378_980_000_007

export const identity = new WireIdentity('session 7')

/** One event row with the fields given by name, the rest −1; its seq is 9. */
export function row(kind: number, fields: Partial<Record<keyof typeof Field, number>>): RowCells {
  const rows = new EventRows({ next: 9 }, 1, 4)
  const first = rows.open(AT_US, kind, -1)
  for (const [name, value] of Object.entries(fields)) rows.set(Field[name as keyof typeof Field], value)
  return { cells: rows.cells, first }
}
