import { type EventRows, Field, NONE } from '../../../src/venue/eventRows.ts'

/** An event row: the fields of `Field`, the list itself in place of its start and length. */
export type Row = { readonly [name in Exclude<keyof typeof Field, 'listStart' | 'listLength'>]: number } & {
  readonly list: readonly number[]
}

export type RowFields = Partial<Omit<Row, 'seq' | 'atUs' | 'service' | 'kind' | 'cause'>>

const { listStart: _start, listLength: _length, ...CELLS } = Field
const CELL_ENTRIES = Object.entries(CELLS)

const BLANK: Required<RowFields> = {
  account: NONE, other: NONE, request: NONE, version: NONE, quote: NONE, position: NONE, auction: NONE, code: NONE, bookSeq: NONE,
  oddsE4: NONE, amountA: NONE, amountB: NONE, amountC: NONE, amountD: NONE, untilUs: NONE, list: [],
}

export const rowOf = (seq: number, atUs: number, service: number, kind: number, cause: number, fields: RowFields): Row =>
  ({ seq, atUs, service, kind, cause, ...BLANK, ...fields })

/** The rows as plain objects. */
export function rowsOf(events: EventRows): Row[] {
  return Array.from({ length: events.count }, (_, i) => {
    const row: Record<string, number | number[]> = {}
    for (const [name, field] of CELL_ENTRIES) row[name] = events.get(i, field)
    const from = events.get(i, Field.listStart)
    row['list'] = Array.from(events.pool.subarray(from, from + events.get(i, Field.listLength)))
    return row as unknown as Row
  })
}
