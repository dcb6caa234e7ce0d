import { ofAll } from '../score/figureBasis.ts'
import type { Scores } from '../score/scores.ts'
import type { Interval } from '../stats/interval.ts'
import { pairedDifference } from '../stats/replicatedSums.ts'
import { InputError, type InputPosition } from '../unit/inputError.ts'
import { heldOver } from './bookBasis.ts'
import { basisOf, figureNamed, makersIn, type PooledFigure, POOLED_FIGURES, replicatedSums } from './figures.ts'

/** What theory says about the change from the first point of a sweep to the last. */
export interface Expectation {
  readonly figure: PooledFigure
  readonly maker: string
  readonly direction: 'rises' | 'falls'
  /** The expectation as it was written. */
  readonly text: string
}

/** An expectation and what came of it. */
export interface ExpectationOutcome {
  readonly text: string
  /** The figure at the last point minus that at the first, paired replication by replication. Null when there was nothing to compare. */
  readonly difference: Interval | null
  /** Whether the whole interval lies on the expected side. */
  readonly holds: boolean
}

const WRITTEN = /^(.+?) of (?!committed of )(.+) (rises|falls)$/
const EXPECTED = 'expected as `profit of fixed-margin falls`: a figure of a maker that rises or falls from the first point to the last'

/** Reads an expectation. Throws InputError for one that names no known figure. */
export function readExpectation(text: string, position: InputPosition): Expectation {
  const [, name = '', maker = '', direction] = WRITTEN.exec(text.trim()) ?? []
  if (name === '') throw new InputError('is no expectation', { position, hint: EXPECTED })
  const figure = figureNamed(name)
  if (figure === undefined) {
    throw new InputError(`no figure ${name}`, { position, hint: `known figures: ${POOLED_FIGURES.map((known) => known.name).join(', ')}, mark-out 60s` })
  }
  return { figure, maker, direction: direction as Expectation['direction'], text: text.trim() }
}

/** Compares the sessions of the first point and the last. Each pair of sessions has the same seed. */
export function meet({ figure, maker, direction, text }: Expectation, first: readonly (readonly Scores[])[], last: readonly (readonly Scores[])[]): ExpectationOutcome {
  const key = makersIn(last).find((one) => one.maker === maker)
  if (key === undefined || first.length !== last.length || first.length === 0) return { text, difference: null, holds: false }
  // Both in one call, so that both have the same clusters in the same order.
  const both = replicatedSums([...first, ...last], key, figure)
  const half = both.cells.length / 2
  const part = (cells: Float64Array) => ({ ...both, replications: first.length, cells })
  const paired = pairedDifference(
    part(both.cells.subarray(half)), part(both.cells.subarray(0, half)), figure.statistic,
  )
  const difference = heldOver(paired, ofAll([first, last].map((sessions) => basisOf(sessions, key, figure.restsOn))))
  const { low, high } = difference
  const holds = direction === 'rises' ? low !== null && low > 0 : high !== null && high < 0
  return { text, difference, holds }
}
