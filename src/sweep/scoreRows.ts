import type { ColumnSpec } from '../arrow/tableSchema.ts'
import type { TableWriter } from '../arrow/tableWriter.ts'
import { caveatOf, type Scores } from '../score/scores.ts'

/** Column names in snake_case, as in all tables. */
export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Columns for scores: the owner and the cluster, then sums, then figures of whole sessions. */
export const scoreColumns = (columns: readonly string[], figures: readonly string[]): ColumnSpec[] => [
  { name: 'service', type: 'text', about: 'service of the session' },
  { name: 'maker', type: 'text', about: 'maker' },
  { name: 'cluster', type: 'text', nullable: true, about: 'settlement cluster; empty in the row of the whole session' },
  ...columns.map((name): ColumnSpec => ({ name: snakeCase(name), type: 'int64', nullable: true, about: 'sum over the cluster; of money in microUSDC' })),
  ...figures.map((name): ColumnSpec => ({ name: snakeCase(name), type: 'float64', nullable: true, about: ['over the whole session', caveatOf(name), 'empty where it is undefined'].filter((part) => part !== '').join('; ') })),
]

/**
 * Writes scores into a table that has `scoreColumns` from column `at` on: for each maker a row per cluster, then one for the whole
 * session. `begin` is called at the beginning of each row, to fill the columns before `at`.
 */
export function writeScoreRows(writer: TableWriter, scores: Scores, at: number, begin: (isWholeSession: boolean) => void): void {
  const { service, makers, clusters, columns, sums, figures, values } = scores
  const row = (maker: string, isWholeSession: boolean): void => {
    writer.row()
    begin(isWholeSession)
    writer.text(at, service)
    writer.text(at + 1, maker)
  }
  const [firstSum, width] = [at + 3, columns.length]
  for (const [m, maker] of makers.entries()) {
    for (const [c, cluster] of clusters.entries()) {
      row(maker, false)
      writer.text(at + 2, cluster)
      for (let k = 0; k < width; k++) writer.int(firstSum + k, sums[(m * clusters.length + c) * width + k]!)
    }
    row(maker, true)
    for (let k = 0; k < figures.length; k++) {
      const value = values[m * figures.length + k]!
      if (!Number.isNaN(value)) writer.float(firstSum + width + k, value)
    }
  }
}
