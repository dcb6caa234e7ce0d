import { basename } from 'node:path'
import type { ImportReport } from '../importReport.ts'
import { checkFiles } from './storeFiles.ts'
import { importsOf, isCurrent, marketsFiles, type OlderHead, readAnyHead, type StoreHead } from './storeHead.ts'
import { readMarkets } from './storeMarkets.ts'
import { mergedReport, readReport } from './storeReports.ts'

/** What `parlor data` shows of a store, without reading its ticks. */
export type StoreDescription = (StoreHead | OlderHead) & {
  readonly path: string
  readonly name: string
  readonly bytes: number
  readonly report: ImportReport
}

/** The reports of older versions have this name. */
const OLDER_REPORT = 'import.json'

/** What a store of any version says of itself. Of its files only the lengths are checked. */
export function describeStore(path: string): StoreDescription {
  const head = readAnyHead(path)
  checkFiles(path, head)
  const bytes = Object.values(head.files).reduce((sum, file) => sum + file.bytes, 0)
  const report = isCurrent(head) ? mergedReport(importsOf(head).map((file) => readReport(path, file)), readMarkets(path, marketsFiles(head.files)).markets) : readReport(path, OLDER_REPORT)
  return { path, name: basename(path), bytes, report, ...head }
}
