import { shownWords } from './visibleText.ts'

/** What a column shows of a name, so that the columns beside it stay in the line. The last one has the rest of the line. */
const CELL_LETTERS_MAX = 500

/** Rows of texts, which are cut where they are long, as aligned columns. The first row is the head. Columns named in `right` are aligned to the right. */
export function columnsText(all: readonly (readonly string[])[], right: readonly number[] = []): string {
  const rows = all.map((row) => row.map((text, i) => (i < row.length - 1 ? shownWords(text, CELL_LETTERS_MAX) : shownWords(text))))
  const widths = rows[0]!.map((_, i) => rows.reduce((most, row) => Math.max(most, (row[i] ?? '').length), 0))
  return rows.map((row) => row.map((text, i) => (right.includes(i) ? text.padStart(widths[i]!) : text.padEnd(widths[i]!))).join('  ').trimEnd()).join('\n')
}
