import type { Parameter, Parameters } from '../agent/parameters.ts'
import { parameterText as textOf } from '../scenario/settings.ts'
import { throwIfAborted } from '../unit/interrupted.ts'
import { type ActionOptions, acting, signalOf, type TrustOption } from './options.ts'

/** A strategy, as a scenario can use it. */
export interface DescribedStrategy {
  /** Its name, or the path of its file. */
  readonly name: string
  readonly role: 'maker' | 'bettor'
  readonly parameters: Parameters
  /** What it does. */
  readonly about?: string
}

function described(name: string, { role, parameters, about }: Omit<DescribedStrategy, 'name'>): DescribedStrategy {
  return { name, role, parameters, ...(about === undefined ? {} : { about }) }
}

/**
 * The built-in strategies with their parameters.
 *
 * @returns makers, then bettors
 * @example
 * for (const { name, role } of await listStrategies()) console.log(name, role)
 */
export async function listStrategies(): Promise<DescribedStrategy[]> {
  const { BUILT_IN_BETTORS, BUILT_IN_MAKERS, RECORDED, SCRIPTED } = await import('../scenario/builtIn.ts')
  return [
    ...Object.entries({ ...BUILT_IN_MAKERS, ...BUILT_IN_BETTORS }).map(([name, strategy]) => described(name, strategy)),
    { name: SCRIPTED, role: 'bettor', parameters: {}, about: 'makes the requests that the scenario lists; see `parlor schema`' },
    { name: RECORDED, role: 'bettor', parameters: {}, about: 'makes the requests of a recorded log, and takes what it took; needs log, see docs/rfq-logs.md' },
  ]
}

/**
 * What strategy files declare. Files are read in a thread of their own, so that one whose loading never ends is ended and named.
 *
 * @param files paths of strategy files
 * @returns one for each file
 * @throws InputError for a file that does not load, or holds no strategy
 * @throws Interrupted by the signal
 * @example
 * const [mine] = await describeStrategies(['./mine.ts'])
 */
export const describeStrategies = (files: readonly string[], options: Pick<ActionOptions, 'signal'> & TrustOption = {}): Promise<DescribedStrategy[]> => acting(async () => {
  throwIfAborted(options.signal)
  const [{ loadStrategyOfAnyRole }, { StrategyReader }] = await Promise.all([import('../scenario/strategies.ts'), import('../sweep/strategyReader.ts')])
  const reader = new StrategyReader({ isTrusted: options.trusted === true, signal: signalOf(options) })
  try {
    const all: DescribedStrategy[] = []
    for (const file of files) all.push(described(file, (await loadStrategyOfAnyRole(file, reader.read)).strategy))
    return all
  } finally {
    await reader.close()
  }
})

/** How a parameter is written. */
export interface ParameterText {
  readonly default: string
  /** Both ends. */
  readonly range: string
  /** An example of its unit. */
  readonly written: string
}

/**
 * A parameter's default and range as a scenario writes them, with their units.
 *
 * @param parameter one of the parameters of a described strategy
 * @returns texts with units
 * @example
 * for (const { name, parameters } of await listStrategies()) console.log(name, Object.values(parameters).map((one) => parameterText(one).default))
 */
export const parameterText = (parameter: Parameter): ParameterText => textOf(parameter)
