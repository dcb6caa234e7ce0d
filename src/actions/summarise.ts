import { formatAnswer } from '../report/answerText.ts'
import { formatSummary } from '../report/summaryText.ts'
import { quietLines as linesOfQuiet } from '../report/quietMakers.ts'
import { unaskedLines } from '../report/unaskedText.ts'
import { reading } from '../result/check.ts'
import { type RunSummary, summariseRun } from '../score/summary.ts'
import { acting } from './options.ts'

/**
 * Works out the figures of a finished run from its tables, as they stand in its `summary.json` (docs/metrics.md).
 *
 * @param folder the folder of a run
 * @returns the summary; of a run with both services one for each
 * @throws InputError for a folder without a run, or of a run without tables
 * @throws RunFailure of the kind `damaged` where a file is not as it was written
 * @example
 * const summary = await summarise('runs/quickstart')
 */
export const summarise = (folder: string): Promise<RunSummary> => acting(() => reading(folder, (from) => summariseRun(from)))

/**
 * A summary as aligned text of about 100 columns, as `parlor run --full` prints it.
 *
 * @param summary what `summarise` or `run` returns
 * @param columns of the terminal: names are cut where a table is wider, to 14 letters at least. 100 unless given
 * @returns the text
 * @example
 * console.log(summaryText(await summarise('runs/quickstart')))
 */
export const summaryText = (summary: RunSummary, columns?: number): string => formatSummary(summary, columns)

/**
 * What a summary says in about ten lines, as `parlor run` prints them: what each maker earned, with what confidence, and what looks wrong.
 *
 * @param summary what `summarise` or `run` returns
 * @returns the text
 * @example
 * console.log(answerText(await summarise('runs/quickstart')))
 */
export const answerText = (summary: RunSummary): string => formatAnswer(summary)

/**
 * The cohorts of a run that asked for nothing, and the makers that never quoted, or most of whose commands were refused, a line each with
 * the reason.
 *
 * @param summary what `summarise` or `run` returns
 * @returns the lines, none where all is well
 * @example
 * for (const line of quietLines(await summarise('runs/quickstart'))) console.warn(line)
 */
export const quietLines = (summary: RunSummary): string[] => [...unaskedLines(summary), ...linesOfQuiet(summary)]
