import { join } from 'node:path'
import { type ActionOptions, acting, sayOf } from './options.ts'
import { PAGE_NAME } from '../unit/pageName.ts'

export interface ReportOptions extends Pick<ActionOptions, 'onNote'> {
  /** The path of the page. The default is `report.html` in the folder, where it becomes a part of the result. */
  readonly out?: string
  /** Of a run: the numbers of requests whose books are shown over time. Without any, those with the most quotes are. */
  readonly requests?: readonly number[]
}

/** A page that was written. */
export interface WrittenReport {
  /** What the folder holds. */
  readonly kind: 'run' | 'sweep' | 'league' | 'validation'
  readonly path: string
}

/**
 * Writes one HTML page about the run, sweep, league or validation in a folder. The page needs no network and no other file, and the same folder
 * gives the same bytes.
 *
 * @param folder the folder of a result
 * @returns what the page is about, and its path
 * @throws InputError where there is nothing that has a page
 * @throws RunFailure of the kind `damaged` where a file of the result is not as it was written
 * @example
 * const { path } = await report('runs/quickstart', { out: 'page.html' })
 */
export const report = (folder: string, options: ReportOptions = {}): Promise<WrittenReport> => acting(async () => {
  const { out, requests = [] } = options
  const { writeReport } = await import('../report/folderReport.ts')
  const kind = await writeReport(folder, { requests, say: sayOf(options), ...(out === undefined ? {} : { out }) })
  return { kind, path: out ?? join(folder, PAGE_NAME) }
})
