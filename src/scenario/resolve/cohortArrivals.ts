import { resolve } from 'node:path'
import { type CsvField, readColumn } from '../../feed/csvColumn.ts'
import { InputError } from '../../unit/inputError.ts'
import { type CohortArrivalsFile, DEFAULT_COLUMN, type ReplayFile } from '../arrivalsSchema.ts'
import type { Fail, Path } from '../mistakes.ts'
import type { ResolvedArrivals } from '../resolved.ts'
import { instantText } from '../../unit/time.ts'
import { type Quantity, readInstant } from '../units.ts'
import { instantOf, type Window } from './window.ts'

const TIMES_MAX = 1_000_000

/**
 * What a cohort's arrivals at `path` of the scenario mean; undefined for Poisson ones and, with a mistake, for times that are out of
 * order or all out of the session. Those before its begin and from the end of the arrivals on are left out, as prices are. Throws
 * InputError, with the line, for what is wrong inside of a file of times.
 * @param folder Where the path of a file begins.
 */
export function readArrivals(
  path: Path, arrivals: CohortArrivalsFile | undefined, folder: string, window: Window | undefined, fail: Fail,
): ResolvedArrivals | undefined {
  if (arrivals === undefined || arrivals.kind === 'poisson') return undefined
  if (arrivals.kind === 'hawkes') return { kind: 'hawkes', excitation: arrivals.excitation, decayUs: arrivals.decay }
  const times = arrivals.file === undefined ? writtenTimes(path, arrivals, window, fail) : recordedTimes(path, resolve(folder, arrivals.file), arrivals.column ?? DEFAULT_COLUMN, fail)
  // What is wrong with the window is a mistake of its own.
  if (times === undefined || window === undefined) return undefined
  const { first } = arrivals
  const shiftUs = first === undefined || times.length === 0 ? 0 : instantOf(first, window) - times[0]!
  const timesUs = times.map((us) => us + shiftUs).filter((us) => us >= window.fromUs && us < window.untilUs)
  if (timesUs.length > 0 && timesUs.length <= TIMES_MAX) return { kind: 'replay', timesUs }
  const span = `the session, in which bettors arrive from ${instantText(window.fromUs)} until ${instantText(window.untilUs)}`
  if (timesUs.length > 0) fail(path, `${timesUs.length} of the times are within the session, expected at most ${TIMES_MAX}`)
  else fail(path, `none of the ${times.length} times is within ${span}`, { hint: 'first: 0s moves the first of them to its begin' })
  return undefined
}

function writtenTimes(path: Path, { times = [] }: ReplayFile, window: Window | undefined, fail: Fail): number[] | undefined {
  if (window === undefined) return undefined
  const instants = times.map((at) => instantOf(at, window))
  const late = instants.findIndex((us, i) => i > 0 && us < instants[i - 1]!)
  if (late < 0) return instants
  fail([...path, 'times', late], `${instantText(instants[late]!)} is before ${instantText(instants[late - 1]!)}: times stand in order`)
  return undefined
}

function recordedTimes(path: Path, file: string, column: string, fail: Fail): number[] | undefined {
  let fields: CsvField[]
  try {
    fields = readColumn(file, column)
  } catch (error) {
    // A file that is not there or cannot be read is a mistake of the scenario's; what is wrong inside is shown there.
    if (!(error instanceof InputError) || error.position?.line !== undefined) throw error
    fail([...path, 'file'], `${error.message}: ${file}`)
    return undefined
  }
  const times: number[] = []
  for (const { text: written, line } of fields) {
    const at = readTime(written)
    const before = times.at(-1)
    const fault = 'fault' in at ? at.fault
      : before !== undefined && at.value < before ? `${instantText(at.value)} is before ${instantText(before)} of the row above it` : undefined
    if (fault !== undefined) throw new InputError(`${column}: ${fault}`, { position: { file, line }, hint: 'expected instants in order of time' })
    times.push((at as { value: number }).value)
  }
  return times
}

const WHOLE_NUMBER = /^\d+$/
/** 2000-01-01. A smaller number counts seconds or milliseconds, or is no time at all. */
const MICROSECONDS_MIN = 946_684_800_000_000

function readTime(written: string): Quantity {
  if (!WHOLE_NUMBER.test(written)) return readInstant(written)
  const us = Number(written)
  return us >= MICROSECONDS_MIN && Number.isSafeInteger(us) ? { value: us } : { fault: `expected microseconds since the epoch or an instant, got ${written}` }
}
