import { type EventRows, Field, NONE } from '../../../src/venue/eventRows.ts'

/** An event row without its seq: the other fields of `Field`, the list itself in place of its start and length. */
export type Row = { readonly [name in Exclude<keyof typeof Field, 'seq' | 'listStart' | 'listLength'>]: number } & {
  readonly list: readonly number[]
}

export type RowFields = Partial<Omit<Row, 'atUs' | 'service' | 'kind' | 'cause'>>

const { seq: _seq, listStart: _start, listLength: _length, ...CELLS } = Field
const CELL_ENTRIES = Object.entries(CELLS)

const BLANK: Omit<Row, 'atUs' | 'service' | 'kind' | 'cause'> = {
  account: NONE, other: NONE, request: NONE, version: NONE, quote: NONE, position: NONE, auction: NONE, code: NONE, bookSeq: NONE,
  oddsE4: NONE, amountA: NONE, amountB: NONE, amountC: NONE, amountD: NONE, untilUs: NONE, list: [],
}

export const rowOf = (atUs: number, service: number, kind: number, cause: number, fields: RowFields): Row =>
  ({ atUs, service, kind, cause, ...BLANK, ...fields })

/** The rows from `first` on as plain objects. */
export function rowsOf(events: EventRows, first = 0): Row[] {
  return Array.from({ length: events.count - first }, (_, i) => {
    const row: Record<string, number | number[]> = {}
    for (const [name, field] of CELL_ENTRIES) row[name] = events.get(first + i, field)
    const from = events.get(first + i, Field.listStart)
    row['list'] = Array.from(events.pool.subarray(from, from + events.get(first + i, Field.listLength)))
    return row as unknown as Row
  })
}
