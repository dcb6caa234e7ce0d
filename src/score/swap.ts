import { InputError } from '../unit/inputError.ts'
import { instantText } from '../unit/time.ts'

/** A maker whose seat another strategy took, or the same one with other parameters. Strategies have the names that the scenario gives them. */
export interface SwappedMaker {
  readonly name: string
  readonly service: string
  readonly strategy: string
  /** What had the seat until then. Null where the run's makers do not have the seat. */
  readonly formerStrategy: string | null
}

/** Strategies that took seats of makers while a run went on (`parlor whatif --from`). */
export interface RunSwap {
  readonly atUs: number
  readonly makers: readonly SwappedMaker[]
}

/** The strategy of a maker, as a manifest's scenario has it. */
export interface PlayedMaker {
  readonly name: string
  readonly service?: unknown
  readonly strategy?: unknown
}

/** Reads `swap` of a manifest's scenario. Null where there is none. Throws InputError for a seat without a service or a strategy. */
export function swapOf(swap: { readonly atUs?: unknown; readonly makers?: readonly PlayedMaker[] } | undefined, makers: readonly PlayedMaker[] = []): RunSwap | null {
  if (typeof swap?.atUs !== 'number' || swap.makers === undefined) return null
  const swapped = swap.makers.map(({ name, service, strategy }) => {
    if (typeof service !== 'string' || typeof strategy !== 'string') throw new InputError(`the manifest has a swap of ${name} without its service or its strategy`)
    const former = makers.find((maker) => maker.name === name && maker.service === service)?.strategy
    return { name, service, strategy, formerStrategy: typeof former === 'string' ? former : null }
  })
  return { atUs: swap.atUs, makers: swapped }
}

/** The part of a swap that concerns a service. Null where that is nothing. */
export function swapOfService(swap: RunSwap | null, service: string): RunSwap | null {
  const makers = swap?.makers.filter((maker) => maker.service === service) ?? []
  return swap === null || makers.length === 0 ? null : { atUs: swap.atUs, makers }
}

/**
 * A swap in words: `from 2025-06-19T22:35:00Z on, near plays shade in place of fixed-margin`.
 *
 * @param namesServices whether makers' services are named, for a text about several
 */
export const swapText = ({ atUs, makers }: RunSwap, namesServices = false): string =>
  `from ${instantText(atUs)} on, ${makers.map((maker) => makerText(maker, namesServices)).join(', ')}`

function makerText({ name, service, strategy, formerStrategy }: SwappedMaker, namesServices: boolean): string {
  const what = strategy === formerStrategy ? `${nameOf(strategy)} with other parameters`
    : formerStrategy === null ? `${nameOf(strategy)} in place of what the manifest does not name`
      : `${nameOf(strategy, formerStrategy)} in place of ${nameOf(formerStrategy, strategy)}`
  return `${name}${namesServices ? ` of the service ${service}` : ''} plays ${what}`
}

/** The places of strategy files are no part of a page, but for what tells a file apart from the other one. */
function nameOf(strategy: string, other = ''): string {
  const [own, others] = [strategy.split(/[/\\]/), other.split(/[/\\]/)]
  let parts = 1
  while (parts < own.length && own.at(-parts) === others.at(-parts)) parts += 1
  return own.slice(-parts).join('/')
}
