import type { BettorHandlers } from './bettor.ts'
import type { MakerHandlers } from './maker.ts'

export type MakerHandlerName = Exclude<keyof MakerHandlers, 'state'>
export type BettorHandlerName = keyof BettorHandlers
export type HandlerName = MakerHandlerName | BettorHandlerName

// As keys, so that a handler that an interface has and its list lacks is a type error.
const OF_MAKERS: Readonly<Record<MakerHandlerName, true>> = {
  onRequest: true, onLater: true, onBest: true, onSelected: true, onDecision: true, onAck: true, onOpened: true, onSettled: true, onCashOut: true,
  onBestBid: true, onBidTaken: true, onBought: true, onCheck: true, onBid: true, onAuctionEnded: true, onCashOutRefused: true,
}
const OF_BETTORS: Readonly<Record<BettorHandlerName, true>> = {
  onArrival: true, onDecision: true, onRefused: true, onOpened: true, onCheck: true, onListened: true, onBid: true, onAuctionEnded: true,
  onCashOutRefused: true,
}

/** Every handler of makers. */
export const MAKER_HANDLERS = Object.keys(OF_MAKERS) as readonly MakerHandlerName[]
/** Every handler of bettors. */
export const BETTOR_HANDLERS = Object.keys(OF_BETTORS) as readonly BettorHandlerName[]
/** Every handler, where those that both roles have count once. */
export const HANDLER_NAMES = Object.keys({ ...OF_MAKERS, ...OF_BETTORS }) as readonly HandlerName[]
