import { z } from 'zod'
import { DAY_US } from '../unit/time.ts'
import { quantity, strict } from './settings.ts'
import { shown } from './units.ts'
import { instantOrSpan, list, text } from './fields.ts'

export const DEFAULT_COLUMN = 'at'
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
  first: instantOrSpan('after the begin').optional().describe('instant of the first arrival; the gaps between arrivals stay; default: the recorded instants'),
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
export type ReplayFile = z.output<typeof replay>
