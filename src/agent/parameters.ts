import { InputError } from '../unit/inputError.ts'
import { USDC } from '../unit/micros.ts'
import { nearestName } from '../unit/nearestName.ts'
import { MS_US, SECOND_US } from '../unit/time.ts'
import type { Share, Us, UsdMicros } from './quantities.ts'

/**
 * A setting of a strategy, as plain data. `scenario` turns it into a check with these bounds and this unit. Values reach the
 * strategy as numbers: fractions, microUSDC, microseconds or plain numbers.
 */
export interface Parameter<U extends ParameterUnit = ParameterUnit> {
  readonly default: number
  readonly min: number
  readonly max: number
  readonly unit: U
  readonly about?: string
}

/** What the values of a unit are. */
interface ValueOfUnit {
  readonly fraction: Share
  readonly micros: UsdMicros
  readonly us: Us
  readonly number: number
  readonly count: number
}
type ParameterUnit = keyof ValueOfUnit

/** The parameters of a strategy, by name. */
export type Parameters = Readonly<Record<string, Parameter>>

/** The values of a set of parameters, by name, each in its unit. */
export type ValuesOf<P extends Parameters> = { readonly [name in keyof P]: ValueOfUnit[P[name]['unit']] }

type Bounds = { readonly min?: number; readonly max?: number; readonly about?: string }

const parameter = <U extends ParameterUnit>(unit: U, value: number, min: number, max: number, about?: string): Parameter<U> =>
  about === undefined ? { default: value, min, max, unit } : { default: value, min, max, unit, about }

/** A share: `pct(4)` is 0.04. Bounds are in per cent, 0 to 100 unless given. */
export const pct = (percent: number, b: Bounds = {}): Parameter<'fraction'> =>
  parameter('fraction', percent / 100, (b.min ?? 0) / 100, (b.max ?? 100) / 100, b.about)

/** A price difference in cents of a dollar: `cents(2)` is 0.02. */
export const cents = (value: number, b: Bounds = {}): Parameter<'fraction'> =>
  parameter('fraction', value / 100, (b.min ?? 0) / 100, (b.max ?? 100) / 100, b.about)

/** Money in USDC: `usd(200)` is 200,000,000 microUSDC. */
export const usd = (dollars: number, b: Bounds = {}): Parameter<'micros'> =>
  parameter('micros', Math.round(dollars * USDC), Math.round((b.min ?? 0) * USDC), Math.round((b.max ?? 1e9) * USDC), b.about)

/** A duration in milliseconds. The strategy gets whole microseconds. */
export const ms = (value: number, b: Bounds = {}): Parameter<'us'> =>
  parameter('us', Math.round(value * MS_US), Math.round((b.min ?? 0) * MS_US), Math.round((b.max ?? 1e9) * MS_US), b.about)

/** A duration in seconds. The strategy gets whole microseconds. */
export const seconds = (value: number, b: Bounds = {}): Parameter<'us'> =>
  parameter('us', Math.round(value * SECOND_US), Math.round((b.min ?? 0) * SECOND_US), Math.round((b.max ?? 1e7) * SECOND_US), b.about)

/** A plain number. */
export const num = (value: number, b: Bounds = {}): Parameter<'number'> =>
  parameter('number', value, b.min ?? -1e9, b.max ?? 1e9, b.about)

/** A whole number. */
export const count = (value: number, b: Bounds = {}): Parameter<'count'> =>
  parameter('count', value, b.min ?? 0, b.max ?? 1e9, b.about)

/** The defaults of a set of parameters with some values replaced. Throws InputError for a name that is no parameter's, and a value that is no number. */
export function parameterValues<P extends Parameters>(parameters: P, given: Partial<ValuesOf<P>> = {}): ValuesOf<P> {
  const values: Record<string, number> = {}
  for (const [name, value] of Object.entries(given)) checkValue(parameters, name, value)
  for (const [name, p] of Object.entries(parameters)) values[name] = p.default
  return { ...values, ...given } as ValuesOf<P>
}

function checkValue(parameters: Parameters, name: string, value: unknown): void {
  const names = Object.keys(parameters)
  if (!Object.hasOwn(parameters, name)) {
    const near = nearestName(name, names)
    throw new InputError(`the strategy has no parameter ${name}${near === undefined ? '' : `; did you mean ${near}?`}`, { hint: `expected one of ${names.join(', ') || 'no parameter'}` })
  }
  if (typeof value !== 'number' || Number.isNaN(value)) throw new InputError(`the parameter ${name} is a number, not ${String(value)}`)
}
