import { z } from 'zod'
import { oneOf, quantity, strict } from './settings.ts'
import { shown } from './units.ts'
import { list, text } from './fields.ts'

export const DESIGNS = ['grid', 'list', 'random', 'sobol'] as const
export type DesignKind = (typeof DESIGNS)[number]

/** Most points of a design, and most replications of a point. */
export const POINTS_MAX = 100_000
export const REPLICATIONS_MAX = 100_000
const STEPS_MAX = 10_000

/** What a setting of the scenario runs through. Values are texts, as `--set` takes them. */
export interface Axis {
  /** Path of the setting, as `makers.0.params.margin`. */
  readonly path: string
  readonly span: AxisValues | AxisRange
}

export interface AxisValues {
  readonly values: readonly string[]
}

/** Every number from `low` to `high`, in a unit; `low` below `high`. */
export interface AxisRange {
  readonly low: number
  readonly high: number
  readonly unit: string
}

const NUMBER = String.raw`([+-]?(?:\d+(?:\.\d*)?|\.\d+))`
const RANGE = new RegExp(String.raw`^${NUMBER}\s*([^\d\s.:]*)\s*\.\.\s*${NUMBER}\s*([^\d\s.:]*)\s*(?::\s*(\d+))?$`)
export const AXIS_EXPECTED = 'expected values as 2%,4%,8%, or a range as 2%..8%, with :7 for seven values evenly from end to end'

/** Reads what an axis runs through, or says what is wrong with it. */
export function readSpan(input: string): Axis['span'] | { readonly fault: string } {
  const written = input.trim()
  const match = RANGE.exec(written)
  if (match === null) {
    const values = written.split(',').map((value) => value.trim())
    return written.includes('..') || values.some((value) => value === '') ? { fault: `${AXIS_EXPECTED}, got ${shown(input)}` } : { values }
  }
  const [low, high] = [Number(match[1]), Number(match[3])]
  const [lowUnit, unit] = [match[2]!, match[4]!]
  if (lowUnit !== '' && lowUnit !== unit) return { fault: `the ends of ${shown(input)} have different units` }
  if (low >= high) return { fault: `expected a range from the lower end to the higher, got ${shown(input)}` }
  if (match[5] === undefined) return { low, high, unit }
  const steps = Number(match[5])
  if (steps < 2 || steps > STEPS_MAX) return { fault: `expected 2 to ${STEPS_MAX} values, got ${steps}` }
  return { values: Array.from({ length: steps }, (_, i) => valueIn({ low, high, unit }, i / (steps - 1), 12)) }
}

/** The number at a share of a range, 0…1, with so many significant digits, as it would be written. */
export function valueIn({ low, high, unit }: AxisRange, share: number, digits: number): string {
  const value = Number((low + (high - low) * share).toPrecision(digits))
  const number = Math.abs(value) < 1e-6 && value !== 0 ? value.toFixed(20).replace(/0+$/, '') : String(value)
  return unit === '' || unit === '%' ? `${number}${unit}` : `${number} ${unit}`
}

const scalar = z.union([z.string(), z.number(), z.boolean()], { error: (issue) => `expected a value, got ${shown(issue.input)}` }).transform(String)

const span = z.union([z.string(), z.array(scalar).min(1)], { error: (issue) => `${AXIS_EXPECTED}, or a list of values, got ${shown(issue.input)}` })
  .transform((input, context): Axis['span'] => {
    if (typeof input !== 'string') return { values: input }
    const read = readSpan(input)
    if (!('fault' in read)) return read
    context.addIssue({ code: 'custom', message: read.fault })
    return z.NEVER
  })

const axes = z.record(z.string(), span, { error: (issue) => `expected a map from settings to what they run through, got ${shown(issue.input)}` })
  .transform((map): Axis[] => Object.entries(map).map(([path, through]) => ({ path, span: through })))

/** The `sweep` section: which settings `parlor sweep` varies and how often it plays each point. It changes no session of the scenario itself. */
export const sweep = strict({
  design: oneOf(DESIGNS).prefault('grid').describe('all combinations; the first values of all axes, then the second, …; or points drawn, at random or as a Sobol sequence'),
  axes: axes.prefault({}).describe('settings, as --set names them, and what each runs through: 2%..8%:7, or a list'),
  points: quantity('count', 1, POINTS_MAX).optional().describe('of a random or a Sobol design'),
  replications: quantity('count', 1, REPLICATIONS_MAX).optional().describe('sessions of each point, at most; the same seeds at all points; default: inference.replications'),
  expect: list(text, 0, 'expectations').prefault([]).describe('what theory says of the way from the first point to the last: profit of NAME falls'),
  maximise: text.optional().describe('play by successive halving, and find the point with the most: luck-adjusted of NAME, or profit of NAME'),
  until: text.optional().describe('stop at a point sooner, as soon as an interval is narrow: profit of NAME within 50 USDC'),
})
