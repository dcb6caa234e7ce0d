import { existsSync, writeFileSync } from 'node:fs'
import type { RfqLogReport } from '../feed/rfqLog/rfqLog.ts'
import { InputError } from '../unit/inputError.ts'
import { nearestName } from '../unit/nearestName.ts'
import { throwIfAborted } from '../unit/interrupted.ts'
import { type ActionOptions, acting } from './options.ts'

export interface ConvertRfqsOptions extends Pick<ActionOptions, 'signal'> {
  /** The log to write, as `night.ndjson`. */
  readonly into: string
  /** Replaces a file that is there already. */
  readonly force?: boolean
}

/** A log that was written. */
export interface ConvertedRfqs {
  readonly path: string
  /** Rows of the log. */
  readonly rows: number
  /** What was read, and what became of it. */
  readonly report: RfqLogReport
}

const FORMATS = ['kalshi-rfq'] as const

/**
 * Makes a log of requests for quotes (docs/rfq-logs.md) of recordings of another format. Rows that a log has no place for are set aside, and every
 * kind is reported.
 *
 * @param format `kalshi-rfq`: rows of requests and quotes as that exchange's API gives them, frames of its socket, or recorded steps of round trips
 * @param files files of one JSON object a line
 * @returns the log, and what became of the rows
 * @throws InputError for an unknown format, files that cannot be read or say nothing of a request, and a log that is there already
 * @throws Interrupted by the signal
 * @example
 * const log = await convertRfqs('kalshi-rfq', ['frames.jsonl'], { into: 'night.ndjson' })
 * console.log(log.rows, log.report.quarantinedRows, log.report.troubles)
 */
export const convertRfqs = (format: string, files: readonly string[], options: ConvertRfqsOptions): Promise<ConvertedRfqs> => acting(async () => {
  const { into: path, force = false, signal } = options
  throwIfAborted(signal)
  if (!(FORMATS as readonly string[]).includes(format)) {
    const near = nearestName(format, FORMATS)
    throw new InputError(`no format ${format}${near === undefined ? '' : `; did you mean ${near}?`}`, { hint: `expected ${FORMATS.join(', ')}` })
  }
  if (!force && existsSync(path)) throw new InputError('is there already', { position: { file: path }, hint: 'expected a new file; --force replaces it' })
  const { convertKalshiRfq } = await import('../feed/rfqLog/kalshiRfq.ts')
  const { lines, report } = convertKalshiRfq(files)
  if (lines.length === 0) throw new InputError('say nothing of a request that a log can hold', { position: { file: files.join(', ') }, hint: report.troubles[0]?.about ?? 'expected one JSON object a line' })
  writeFileSync(path, `${lines.join('\n')}\n`)
  return { path, rows: lines.length, report }
})
