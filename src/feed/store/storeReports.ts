import { z } from 'zod'
import type { Market } from '../../market/market.ts'
import { CONTRADICTIONS, coverageOf, TICKS_AFTER_CLOSE, TICKS_KNOWN } from '../importedHistory.ts'
import type { ImportReport } from '../importReport.ts'
import { storePlace } from './storeFiles.ts'
import { readStoreJson } from './storeJson.ts'

/** What `coverage` counts of an import itself. */
const OWN_COUNTS: ReadonlySet<string> = new Set([TICKS_AFTER_CLOSE, TICKS_KNOWN, CONTRADICTIONS])

const count = z.int().nonnegative()

const reportSchema = z.strictObject({
  format: z.string(),
  files: z.array(z.strictObject({
    file: z.string(), inputRows: count, acceptedRows: count, quarantinedRows: count,
    bytes: count.optional(), sha256: z.string().optional(), mapping: z.string().optional(), licence: z.string().optional(),
  })),
  inputRows: count,
  acceptedRows: count,
  quarantinedRows: count,
  troubles: z.array(z.strictObject({
    kind: z.string(), file: z.string(), rows: count, handling: z.enum(['noted', 'quarantined']), firstRow: count, about: z.string(), place: z.string().optional(),
  })),
  markets: count,
  ticks: count,
  coverage: z.record(z.string(), z.number()),
})

/** What an import of a store reported. Throws InputError for a file that is missing or damaged. */
export const readReport = (path: string, name: string): ImportReport => readStoreJson(storePlace(path, name), reportSchema)

/** Rows of a file that an earlier import read by another mapping are input of both. */
const ROWS_READ_AGAIN = 'rows read again by another mapping'

function rowsReadAgain(reports: readonly ImportReport[]): number {
  const before = new Set<string>()
  let rows = 0
  for (const { files } of reports) {
    for (const { sha256, inputRows } of files) if (sha256 !== undefined && before.has(sha256)) rows += inputRows
    for (const { sha256 } of files) if (sha256 !== undefined) before.add(sha256)
  }
  return rows
}

/** What all imports of a store reported, as if they were one. What is said of markets is said of those of the store, and ticks are summed. */
export function mergedReport(reports: readonly ImportReport[], markets: readonly Market[]): ImportReport {
  if (reports.length === 1) return reports[0]!
  const sum = (of: (report: ImportReport) => number): number => reports.reduce((total, report) => total + of(report), 0)
  const coverage: Record<string, number> = coverageOf(markets)
  // Counts of an import's own markets do not add up: one market may be in several.
  for (const report of reports) for (const [name, value] of Object.entries(report.coverage)) if (OWN_COUNTS.has(name)) coverage[name] = (coverage[name] ?? 0) + value
  const again = rowsReadAgain(reports)
  if (again > 0) coverage[ROWS_READ_AGAIN] = again
  return {
    format: [...new Set(reports.map(({ format }) => format))].join(', '),
    files: reports.flatMap(({ files }) => files),
    inputRows: sum(({ inputRows }) => inputRows),
    acceptedRows: sum(({ acceptedRows }) => acceptedRows),
    quarantinedRows: sum(({ quarantinedRows }) => quarantinedRows),
    troubles: reports.flatMap(({ troubles }) => troubles),
    markets: markets.length,
    ticks: sum(({ ticks }) => ticks),
    coverage,
  }
}
