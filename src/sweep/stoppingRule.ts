import { readQuantity } from '../scenario/units.ts'
import type { Scores } from '../score/scores.ts'
import { GROWTH, isNarrow, LEAST_REPLICATIONS, looks } from '../stats/stopping.ts'
import { InputError } from '../unit/inputError.ts'
import { figureNamed, type MakerKey, makersIn, type PooledFigure, POOLED_FIGURES, pooledInterval, replicatedSums } from './figures.ts'

/** A rule for when a point has been played often enough: when a figure's interval is narrow. */
export interface StoppingRule {
  readonly figure: PooledFigure
  readonly maker: string
  /** The widest acceptable interval, from end to end, in the figure's unit. */
  readonly width: number
  /** The rule as it was written. */
  readonly text: string
}

/** A figure's name may contain `of`. A maker's name hardly contains `within`. */
const WRITTEN = /^(.+?) of (?!committed of )(.+) within (.+)$/
const EXPECTED = 'expected as `profit of fixed-margin within 50 USDC` or `hit ratio of fixed-margin within 2%`: the widest interval, from end to end'

/** Reads a rule. Throws InputError for one that names no known figure. */
export function readUntil(text: string, position: { readonly file: string }): StoppingRule {
  const [, name = '', maker = '', size] = WRITTEN.exec(text.trim()) ?? []
  if (name === '') throw new InputError('is no stopping rule', { position, hint: EXPECTED })
  const figure = figureNamed(name)
  if (figure === undefined) {
    throw new InputError(`no figure ${name}`, { position, hint: `known figures: ${POOLED_FIGURES.map((known) => known.name).join(', ')}, mark-out 60s` })
  }
  const { kind, scale } = WIDTHS[figure.unit]
  const width = readQuantity(kind, size)
  if ('fault' in width) throw new InputError(width.fault, { position, hint: EXPECTED })
  if (!(width.value > 0)) throw new InputError('expected a width above 0', { position, hint: EXPECTED })
  return { figure, maker, width: width.value / scale, text: text.trim() }
}

/** How the width of an interval is written for each unit, and how many written units are one of the figure's. */
const WIDTHS = {
  usdc: { kind: 'money', scale: 1e6 }, share: { kind: 'share', scale: 1 }, cents: { kind: 'share', scale: 0.01 }, number: { kind: 'number', scale: 1 },
} as const

/** Numbers of replications at which one looks. They do not depend on what was played. */
export const lookTimes = (until: StoppingRule | null, most: number): number[] =>
  (until === null ? [most] : looks({ width: until.width, least: LEAST_REPLICATIONS, growth: GROWTH, most }))

/** Whether a point has enough replications: every maker of that name has a narrow interval, or nothing at all in a sum. */
export function isEnough({ figure, maker, width }: StoppingRule, sessions: readonly (readonly Scores[])[]): boolean {
  const keys = makersIn(sessions).filter((key) => key.maker === maker)
  return keys.length > 0 && keys.every((key) => isIdle(figure, sessions, key) || isNarrow(pooledInterval(sessions, key, figure), width))
}

/** Whether a sum is 0 because the maker had nothing in any cluster of any replication. Equal results of real deals do not make it certain. */
const isIdle = ({ columns, isSum }: PooledFigure, sessions: readonly (readonly Scores[])[], key: MakerKey): boolean =>
  isSum === true && replicatedSums(sessions, key, { columns }).cells.every((cell) => cell === 0)

