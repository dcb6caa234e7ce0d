import { parse } from 'yaml'
import type { BettorStrategy } from '../agent/bettor.ts'
import type { MakerStrategy } from '../agent/maker.ts'
import type { Parameters } from '../agent/parameters.ts'
import { InputError } from '../unit/inputError.ts'
import { parameterSchema } from './settings.ts'
import { builtInNames, importOf, isPath, loadStrategy, loadStrategyOfAnyRole, type Role } from './strategies.ts'

/** The strategy that a name or a path means, of either role: files run in a room, as inside a session. Throws InputError as `loadStrategy`. */
export async function loadNamedStrategy(use: string, isTrusted: boolean): Promise<MakerStrategy | BettorStrategy> {
  if (isPath(use)) return (await loadStrategyOfAnyRole(use, importOf(isTrusted))).strategy
  const role: Role = builtInNames('bettor').includes(use) ? 'bettor' : 'maker'
  return (await loadStrategy(use, role, '.')).strategy
}

/** Values of parameters, of which some are written as `name=value` with their units. Throws InputError for what is no such thing. */
export function writtenValues(parameters: Parameters, written: readonly string[]): Record<string, number> {
  const given = Object.fromEntries(written.map((one) => {
    const at = one.indexOf('=')
    if (at < 1) throw new InputError(`expected --set name=value, got ${one}`)
    if (!Object.hasOwn(parameters, one.slice(0, at))) throw new InputError(`--set ${one}: the strategy has no such parameter`, { hint: namesOf(parameters) })
    return [one.slice(0, at), parse(one.slice(at + 1)) as unknown]
  }))
  const read = parameterSchema(parameters).safeParse(given, { reportInput: true })
  if (!read.success) {
    const { path, message } = read.error.issues[0]!
    throw new InputError(`--set ${path.map(String).join('.')}: ${message}`, { hint: namesOf(parameters) })
  }
  const values = read.data as Readonly<Record<string, number | undefined>>
  return Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, values[name] ?? parameter.default]))
}

const namesOf = (parameters: Parameters): string => `expected one of ${Object.keys(parameters).join(', ') || 'no parameter'}`
