import { bettor } from '../agent/bettor.ts'
import type { BettorStrategy } from '../agent/bettor.ts'
import { type MakerHandlers, type MakerStrategy, maker } from '../agent/maker.ts'
import { GIVEN_NUMBERS } from '../agent/seatNumbers.ts'
import type { AuctionOutcome } from '../agent/vocabulary.ts'
import type { ServiceName } from '../engine/config.ts'

/** What stands in the place of a strategy's name where a client outside of the session holds the seat. */
export const EXTERNAL = 'external'

/** What reaches the seat of a maker, as the handler of a strategy in its place would be called. */
type Told = Required<Omit<MakerHandlers, 'state' | 'onLater' | 'onDecision' | 'onCheck' | 'onStart' | 'onEnd' | 'onTimer' | 'onPrice' | 'onPositionPrice' | 'onRequestEnded'>>

/**
 * One message that has reached a maker's seat: by what handler of a strategy it is named, and what that handler is shown. Views are valid during
 * the call only. `onAuctionEnded` says how the auction ended.
 */
export type SeatMessage = { [K in keyof Told]: { readonly kind: K; readonly view: Parameters<Told[K]>[0]; readonly outcome?: AuctionOutcome } }[keyof Told]

/** Hears what has reached the seats of makers that clients hold. */
export type SeatListener = (seat: { readonly name: string; readonly service: ServiceName }, message: SeatMessage) => void

/** Every message but what a desk's own wishes bring about. A seat must have all of them, so that it is sent the same whoever listens. */
const KINDS = [
  'onRequest', 'onBest', 'onSelected', 'onAck', 'onOpened', 'onSettled', 'onCashOut', 'onBestBid', 'onBidTaken', 'onBought', 'onBid', 'onAuctionEnded', 'onCashOutRefused',
] as const satisfies readonly (keyof Told)[]

/** A maker whose handlers pass on what they are called with, and wish for nothing. */
export const externalMaker = (hear: (message: SeatMessage) => void): MakerStrategy => ({
  ...maker({}, () => Object.fromEntries(KINDS.map((kind) => [
    kind, (view: never, outcome: AuctionOutcome) => { hear(kind === 'onAuctionEnded' ? { kind, view, outcome } : { kind, view }) },
  ])) as MakerHandlers),
  numbers: GIVEN_NUMBERS,
})

/** A bettor to whom nothing occurs. */
export const EXTERNAL_BETTOR = bettor({}, () => ({ onArrival: () => {}, onDecision: () => {} })) as unknown as BettorStrategy

/** Whether a client holds one of the seats. */
export const hasExternalSeats = ({ makers, bettors }: Record<'makers' | 'bettors', readonly { readonly external?: true }[]>): boolean =>
  [...makers, ...bettors].some(({ external }) => external === true)
