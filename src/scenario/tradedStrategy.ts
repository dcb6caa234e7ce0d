import { parse } from 'yaml'
import { calledStrategy } from '../agent/calledStrategy.ts'
import type { Parameters } from '../agent/parameters.ts'
import { InputError } from '../unit/inputError.ts'
import { nearestName } from '../unit/nearestName.ts'
import { shownWords } from '../unit/visibleText.ts'
import { creatingKnownHandlers } from './knownHandlers.ts'
import { parameterSchema } from './settings.ts'
import { builtInNames, isPath, type LoadedStrategy, loadStrategy, loadStrategyOfAnyRole, type Role, type Strategy, type StrategyImport } from './strategies.ts'

/** The strategy that a name or a path means, of either role. Throws InputError as `loadStrategy`. */
export async function loadNamedStrategy(use: string, load: StrategyImport): Promise<LoadedStrategy> {
  if (isPath(use)) {
    const loaded = await loadStrategyOfAnyRole(use, load)
    const { strategy, path } = loaded
    return { ...loaded, strategy: { ...strategy, create: creatingKnownHandlers(strategy.create as (...given: unknown[]) => object, strategy.role, path) } as Strategy }
  }
  const role: Role = builtInNames('bettor').includes(use) ? 'bettor' : 'maker'
  return loadStrategy(use, role, '.')
}

/** Throws InputError for values of parameters with which the strategy of a seat says that it cannot play. */
export function checkValues(seat: string, strategy: Strategy, values: Readonly<Record<string, number>>): void {
  if (strategy.role !== 'maker') return
  const fault = calledStrategy.calling(seat, 'check', () => {
    try {
      return strategy.check?.(values)
    } catch (error) {
      throw new InputError(`the strategy's check of its parameters throws ${shownWords(error instanceof Error ? `${error.name}: ${error.message}` : String(error))}`, { hint: 'expected it to return a fault, or undefined' })
    }
  })
  if (fault !== undefined) throw new InputError(shownWords(`${fault.parameter}: ${fault.message}`), { hint: 'expected other values of --set' })
}

/** Values of parameters, of which some are written as `name=value` with their units. Throws InputError for what is no such thing. */
export function writtenValues(parameters: Parameters, written: readonly string[]): Record<string, number> {
  const given = Object.fromEntries(written.map((one) => {
    const at = one.indexOf('=')
    if (at < 1) throw new InputError(`expected --set name=value, got ${one}`)
    const name = one.slice(0, at)
    if (!Object.hasOwn(parameters, name)) {
      const near = nearestName(name, Object.keys(parameters))
      throw new InputError(`--set ${one}: the strategy has no such parameter${near === undefined ? '' : `; did you mean ${near}?`}`, { hint: namesOf(parameters) })
    }
    return [name, parse(one.slice(at + 1)) as unknown]
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
