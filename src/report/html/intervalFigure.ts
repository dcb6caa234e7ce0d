import { type DataTable, figure } from './figure.ts'
import { brief } from './format.ts'
import { intervalPlot, type IntervalRow } from './intervalPlot.ts'
import type { Content, Markup } from './markup.ts'

/** Estimates as dots in their 95% intervals, and their numbers as a table that opens. @param line value of a line, null for none */
export function intervalFigure(id: string, title: string, axis: string, rows: readonly IntervalRow[], line: number | null, note: Content, of = 'entry'): Markup {
  return figure({ id, title, note, picture: intervalPlot({ title, axis, rows, line }), table: intervalTable(title, axis, rows, of) })
}

function intervalTable(caption: string, axis: string, rows: readonly IntervalRow[], of: string): DataTable {
  const isGrouped = rows.some(({ group }) => group !== undefined)
  return {
    caption, head: [of, ...(isGrouped ? ['of'] : []), axis, 'low', 'high', 'rests on'], text: isGrouped ? [1, 5] : [4],
    rows: rows.map(({ name, group, interval: { estimate: value, low, high, label } }) => [name, ...(isGrouped ? [group ?? ''] : []), brief(value), brief(low), brief(high), label]),
  }
}
