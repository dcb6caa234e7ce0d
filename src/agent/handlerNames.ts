import type { BettorHandlers } from './bettor.ts'
import type { MakerHandlers } from './maker.ts'
import { InputError } from '../unit/inputError.ts'
import { nearestName } from '../unit/nearestName.ts'

export type MakerHandlerName = Exclude<keyof MakerHandlers, 'state'>
export type BettorHandlerName = keyof BettorHandlers
export type HandlerName = MakerHandlerName | BettorHandlerName

// As keys, so that a handler that an interface has and its list lacks is a type error.
const OF_MAKERS: Readonly<Record<MakerHandlerName, true>> = {
  onRequest: true, onLater: true, onBest: true, onSelected: true, onDecision: true, onAck: true, onOpened: true, onSettled: true, onCashOut: true,
  onBestBid: true, onBidTaken: true, onBought: true, onCheck: true, onBid: true, onAuctionEnded: true, onCashOutRefused: true, onStart: true, onEnd: true, onTimer: true,
  onPrice: true, onPositionPrice: true, onRequestEnded: true,
  adopt: true,
}
const OF_BETTORS: Readonly<Record<BettorHandlerName, true>> = {
  onArrival: true, onDecision: true, onRefused: true, onOpened: true, onSettled: true, onCheck: true, onListened: true, onBid: true, onAuctionEnded: true,
  onCashOutRefused: true, onStart: true, onEnd: true, onPrice: true,
}

/** Every handler of makers. */
export const MAKER_HANDLERS = Object.keys(OF_MAKERS) as readonly MakerHandlerName[]
/** Every handler of bettors. */
export const BETTOR_HANDLERS = Object.keys(OF_BETTORS) as readonly BettorHandlerName[]
/** Every handler, where those that both roles have count once. */
export const HANDLER_NAMES = Object.keys({ ...OF_MAKERS, ...OF_BETTORS }) as readonly HandlerName[]

export type StrategyRole = 'maker' | 'bettor'
export const HANDLERS_OF: Readonly<Record<StrategyRole, readonly HandlerName[]>> = { maker: MAKER_HANDLERS, bettor: BETTOR_HANDLERS }

/** What looks like the name of a handler. Other methods are a strategy's own affair. */
const HANDLER_LIKE = /^on[A-Z]/

/** Functions of what a strategy made that look like handlers and are none of its role's, by name. It calls none of the strategy's code but traps of a proxy. */
export function unknownHandlers(made: object, known: readonly string[]): string[] {
  const unknown: string[] = []
  for (let holder: object | null = made; holder !== null; holder = Object.getPrototypeOf(holder) as object | null) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      if (!HANDLER_LIKE.test(name) || known.includes(name) || unknown.includes(name)) continue
      const property = Object.getOwnPropertyDescriptor(holder, name)!
      if (!('value' in property) || typeof property.value === 'function') unknown.push(name)
    }
  }
  return unknown
}

/** What is wrong with the name of a handler that there is not. */
export function handlerFault(name: string, role: StrategyRole): string {
  const other = role === 'maker' ? 'bettor' : 'maker'
  if ((HANDLERS_OF[other] as readonly string[]).includes(name)) return `${name} is a handler of a ${other}, and this is a ${role}`
  const near = nearestName(name, HANDLERS_OF[role])
  return `a ${role} has no handler ${name}${near === undefined ? '' : `; did you mean ${near}?`}`
}

export const handlersHint = (role: StrategyRole): string =>
  `handlers of a ${role}: ${HANDLERS_OF[role].join(', ')}; a method of your own begins otherwise than with on and a capital letter`

/** What a strategy made, which has handlers of its role alone. Throws InputError for others. */
export function withKnownHandlers<H extends object>(made: H, role: StrategyRole): H {
  const [unknown] = unknownHandlers(made, HANDLERS_OF[role])
  if (unknown !== undefined) throw new InputError(handlerFault(unknown, role), { hint: handlersHint(role) })
  return made
}

/** A room's strategy made handlers that there are not: their names. */
export class UnknownHandlers extends Error {
  override name = 'UnknownHandlers'
  declare readonly names: readonly string[]

  constructor(names: readonly string[]) {
    super(`unknown handlers: ${names.join(', ')}`)
    this.names = names
  }
}
