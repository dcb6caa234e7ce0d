import { parameterValues } from '../agent/parameters.ts'
import { InputError } from '../unit/inputError.ts'
import { creatingKnownHandlers } from './knownHandlers.ts'
import { placeIn } from './sourcePlaces.ts'
import type { Strategy } from './strategies.ts'

/** 10,000 USDC. */
const CAPITAL_MICROS = 10_000_000_000

/**
 * Makes the handlers of a strategy as for a seat, with the defaults of its parameters, and drops them. Throws InputError where they are others
 * than its role has, and where `create` throws.
 */
export function checkHandlers(strategy: Strategy, path: string): void {
  const create = creatingKnownHandlers(strategy.create as (...given: unknown[]) => object, strategy.role, path)
  const seat = Object.freeze({ name: strategy.role, capitalMicros: CAPITAL_MICROS, random: () => 0.5 })
  try {
    create(Object.freeze({ ...parameterValues(strategy.parameters) }), ...(strategy.role === 'maker' ? [seat] : []))
  } catch (error) {
    if (error instanceof InputError || !(error instanceof Error)) throw error
    throw new InputError(`the strategy makes no handlers: its create throws ${error.name}: ${error.message}`, { position: { file: path, ...placeIn(path, error.stack ?? '') } })
  }
}
