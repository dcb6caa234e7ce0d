import { z } from 'zod'
import type { Parameter, Parameters } from '../agent/parameters.ts'
import type { ProfileSettings, Setting } from '../venue/profile.ts'
import { EXAMPLES, type Quantity, type QuantityKind, quantityText, readQuantity, readWithin, shown } from './units.ts'

/** What every mistake about keys begins with; `load` splits it into one mistake per key. */
export const KNOWN_KEYS = 'known keys: '

/** An object without unknown keys, whose mistakes name the keys that it knows. */
export const strict = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') return KNOWN_KEYS + (Object.keys(shape).join(', ') || 'none')
      return issue.code === 'invalid_type' ? `expected a map, got ${shown(issue.input)}` : undefined
    },
  })

/** A setting that is one of some names. */
export const oneOf = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.enum(values, { error: (issue) => `expected ${values.join(' or ')}, got ${shown(issue.input)}` })

const faultOf = (quantity: Quantity): string => ('fault' in quantity ? quantity.fault : '')

/** A written quantity as its number (see QuantityKind), within [min, max]. */
export function quantity(kind: QuantityKind, min = 0, max = Number.MAX_SAFE_INTEGER) {
  const kinds = kind === 'flag' ? [z.boolean()] as const : [z.string(), z.number()] as const
  const input = z.union(kinds, { error: (issue) => faultOf(readQuantity(kind, issue.input)) })
  return read(input, (value) => readWithin(kind, value, min, max))
}

/** A text that `reader` turns into a number. */
export const read = <I extends z.ZodType>(input: I, reader: (value: unknown) => Quantity) =>
  input.transform((value, context) => {
    const quantity = reader(value)
    if ('value' in quantity) return quantity.value
    context.addIssue({ code: 'custom', message: quantity.fault })
    return z.NEVER
  })

const SETTING_KINDS: Readonly<Record<Setting['unit'], QuantityKind>> = {
  ms: 'ms', micros: 'money', bps: 'bps', count: 'count', oddsE4: 'odds', flag: 'flag',
}

const PARAMETER_KINDS: Readonly<Record<Parameter['unit'], QuantityKind>> = {
  fraction: 'share', micros: 'money', us: 'duration', number: 'number', count: 'count',
}

export const isParameterUnit = (unit: unknown): boolean => typeof unit === 'string' && Object.hasOwn(PARAMETER_KINDS, unit)

/** The name under which a scenario sets a profile's setting: its own without the unit, as `betMax` for `betMaxMicros`. */
export const settingName = (name: string): string => name.replace(/(Micros|Ms|Bps)$/, '').replace('E4', '')

/** A check for each setting of a profile, by the name that scenarios use. `ceilings` lowers the upper end of some. */
export function settingsSchema(settings: ProfileSettings, ceilings: Readonly<Record<string, number>> = {}) {
  return strict(Object.fromEntries(Object.entries(settings).map(([name, setting]) => {
    const kind = SETTING_KINDS[setting.unit]
    const max = Math.min(setting.max, ceilings[name] ?? Infinity)
    const about = `${setting.about}; default ${quantityText(kind, setting.default)}`
    return [settingName(name), quantity(kind, setting.min, max).optional().describe(about)]
  })))
}

/** What a scenario sets of a profile, by the profile's own names. */
export function profileNames(settings: ProfileSettings, set: Readonly<Record<string, number | undefined>>): Record<string, number> {
  return Object.fromEntries(Object.keys(settings).flatMap((name) => {
    const value = set[settingName(name)]
    return value === undefined ? [] : [[name, value]]
  }))
}

/** A check for each parameter of a strategy; all may be left out. */
export function parameterShape(parameters: Parameters) {
  return Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => {
    const kind = PARAMETER_KINDS[parameter.unit]
    const about = `${parameter.about === undefined ? '' : `${parameter.about}; `}default ${quantityText(kind, parameter.default)}`
    return [name, quantity(kind, parameter.min, parameter.max).optional().describe(about)]
  }))
}

export const parameterSchema = (parameters: Parameters) => strict(parameterShape(parameters))

/** How a parameter's value is written, and its range. */
export function parameterText(parameter: Parameter): { readonly default: string; readonly range: string; readonly written: string } {
  const kind = PARAMETER_KINDS[parameter.unit]
  return {
    default: quantityText(kind, parameter.default),
    range: `${quantityText(kind, parameter.min)} … ${quantityText(kind, parameter.max)}`,
    written: EXAMPLES[kind],
  }
}

/** A parameter's value as it would be written. */
export const parameterValueText = (parameter: Parameter, value: number): string => quantityText(PARAMETER_KINDS[parameter.unit], value)
