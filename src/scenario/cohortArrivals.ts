import { resolve } from 'node:path'
import { z } from 'zod'
import { type CsvField, readColumn } from '../feed/csvColumn.ts'
import { InputError } from '../unit/inputError.ts'
import { DAY_US } from '../unit/time.ts'
import type { LoadedScenario } from './load.ts'
import type { Mistake } from './mistakes.ts'
import type { Window } from './resolve.ts'
import { quantity, strict } from './settings.ts'
import { instantText, type Quantity, readInstant, shown } from './units.ts'
import { instantOrSpan, list, text } from './written.ts'

const TIMES_MAX = 1_000_000
const DEFAULT_COLUMN = 'at'
const KINDS = 'kind: poisson, hawkes or replay'

const poisson = strict({ kind: z.literal('poisson') })

const hawkes = strict({
  kind: z.literal('hawkes'),
  excitation: quantity('share').refine((branching) => branching < 1, { error: 'must be under 100%: where each arrival calls forth one more or several, there is no end of them' })
    .describe('arrivals that each calls forth directly, on average; under 1'),
  decay: quantity('duration', 1, DAY_US).prefault('10s').describe('mean time from an arrival to one that it calls forth'),
})

const replay = strict({
  kind: z.literal('replay'),
  file: text.min(1).optional().describe('CSV file with a header, relative to the scenario'),
  column: text.optional().describe(`its column of instants, or of whole microseconds since 1970; default: ${DEFAULT_COLUMN}`),
  times: list(instantOrSpan('after the begin'), 1, 'times').optional().describe('the arrivals, in order, instead of a file'),
  first: instantOrSpan('after the begin').optional().describe('when the first of them is to come, the others as long after it as they were; default: as they stand'),
}).superRefine(({ file, column, times }, context) => {
  if ((file === undefined) === (times === undefined)) context.addIssue({ code: 'custom', message: `expected file or times, got ${file === undefined ? 'neither' : 'both'}` })
  if (file === undefined && column !== undefined) context.addIssue({ code: 'custom', path: ['column'], message: 'means nothing without a file' })
})

/** How the bettors of a cohort arrive. */
export const cohortArrivals = z.discriminatedUnion('kind', [poisson, hawkes, replay], {
  error: (issue) => {
    if ((issue.code as string) === 'invalid_type') return `expected a map with ${KINDS}, got ${shown(issue.input)}`
    return issue.code === 'invalid_union' ? `expected ${KINDS}` : undefined
  },
})

export type CohortArrivalsFile = z.output<typeof cohortArrivals>
type ReplayFile = z.output<typeof replay>

/** Arrivals of a cohort that are not Poisson. */
export type ResolvedArrivals =
  | { readonly kind: 'hawkes'; readonly excitation: number; readonly decayUs: number }
  /** Instants within the session, in order. */
  | { readonly kind: 'replay'; readonly timesUs: readonly number[] }

interface Context extends Pick<LoadedScenario, 'source' | 'folder'> {
  readonly window: Window | undefined
  readonly mistakes: Mistake[]
}

/**
 * What a cohort's arrivals at `path` of the scenario mean; undefined for Poisson ones and, with a mistake, for times that are out of
 * order or all out of the session. Those before its begin and from the end of the arrivals on are left out, as prices are. Throws
 * InputError, with the line, for what is wrong inside of a file of times.
 */
export function arrivalsOf(context: Context, path: readonly PropertyKey[], arrivals: CohortArrivalsFile | undefined): ResolvedArrivals | undefined {
  if (arrivals === undefined || arrivals.kind === 'poisson') return undefined
  if (arrivals.kind === 'hawkes') return { kind: 'hawkes', excitation: arrivals.excitation, decayUs: arrivals.decay }
  const { source, window, mistakes } = context
  const times = arrivals.file === undefined ? writtenTimes(context, path, arrivals) : recordedTimes(context, path, arrivals.file, arrivals.column)
  // What is wrong with the window is a mistake of its own.
  if (times === undefined || window === undefined) return undefined
  const { first } = arrivals
  const shiftUs = first === undefined || times.length === 0 ? 0 : instantOf(first, window) - times[0]!
  const timesUs = times.map((us) => us + shiftUs).filter((us) => us >= window.fromUs && us < window.untilUs)
  if (timesUs.length > 0 && timesUs.length <= TIMES_MAX) return { kind: 'replay', timesUs }
  const span = `the session, in which bettors arrive from ${instantText(window.fromUs)} until ${instantText(window.untilUs)}`
  mistakes.push(timesUs.length > 0
    ? source.mistake(path, `${timesUs.length} of the times are within the session, expected at most ${TIMES_MAX}`)
    : source.mistake(path, `none of the ${times.length} times is within ${span}`, { hint: 'first: 0s moves the first of them to its begin' }))
  return undefined
}

const instantOf = (at: { atUs: number } | { spanUs: number }, { fromUs }: Window): number => ('atUs' in at ? at.atUs : fromUs + at.spanUs)

function writtenTimes({ source, window, mistakes }: Context, path: readonly PropertyKey[], { times = [] }: ReplayFile): number[] | undefined {
  if (window === undefined) return undefined
  const instants = times.map((at) => instantOf(at, window))
  const late = instants.findIndex((us, i) => i > 0 && us < instants[i - 1]!)
  if (late < 0) return instants
  mistakes.push(source.mistake([...path, 'times', late], `${instantText(instants[late]!)} is before ${instantText(instants[late - 1]!)}: times stand in order`))
  return undefined
}

function recordedTimes({ source, folder, mistakes }: Context, path: readonly PropertyKey[], name: string, column = DEFAULT_COLUMN): number[] | undefined {
  const file = resolve(folder, name)
  let fields: CsvField[]
  try {
    fields = readColumn(file, column)
  } catch (error) {
    // A file that is not there or cannot be read is a mistake of the scenario's; what is wrong inside is shown there.
    if (!(error instanceof InputError) || error.position?.line !== undefined) throw error
    mistakes.push(source.mistake([...path, 'file'], `${error.message}: ${file}`))
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
