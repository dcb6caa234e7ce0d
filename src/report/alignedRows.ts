/** Of a name that does not fit so many letters are shown at least. */
const NAME_SHOWN = 14
/** Labels of other lines are as wide. */
const NAME_LEAST = 11

/** Rows of a table, whose names are cut where it is wider than the terminal. */
export interface AlignedRows {
  readonly rows: readonly (readonly string[])[]
  readonly gap: string
}

/** What a text consists of, until the width of the terminal is known. */
export type Line = string | AlignedRows

/** A table. The first row is its head. @param gap between columns, where they fit */
export const aligned = (rows: AlignedRows['rows'], gap = '  '): [AlignedRows] => [{ rows, gap }]

/**
 * Columns of equal width, the first aligned to the left and the others to the right. One blank separates them where two would not fit, and names are cut where
 * that does not fit either.
 */
export function alignedLines({ rows, gap: most }: AlignedRows, columns: number): string[] {
  const widths = rows[0]!.map((_, k) => Math.max(...rows.map((row) => row[k]!.length)))
  widths[0] = Math.max(widths[0]!, NAME_LEAST)
  const others = widths.slice(1).reduce((sum, width) => sum + width, 0)
  const gap = widths[0] + others + most.length * (widths.length - 1) > columns ? ' ' : most
  widths[0] = Math.min(widths[0], Math.max(NAME_SHOWN, columns - others - gap.length * (widths.length - 1)))
  const padded = (cell: string, k: number): string => (k === 0 ? shortTo(cell, widths[0]!).padEnd(widths[0]!) : cell.padStart(widths[k]!))
  return rows.map((row) => row.map(padded).join(gap))
}

const shortTo = (name: string, letters: number): string => (name.length > letters ? `${name.slice(0, letters - 1)}~` : name)
