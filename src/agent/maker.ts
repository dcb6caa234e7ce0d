import type { Image } from '../unit/snapshot.ts'
import type { MakerDesk } from './makerDesk.ts'
import type { Facades } from './facades/facades.ts'
import type { Parameters, ValuesOf } from './parameters.ts'
import type { UsdMicros } from './quantities.ts'
import type { SeatNumbers } from './seatNumbers.ts'
import type { AckView, AuctionView, PositionView, RefusalView, RequestView, SelectionView } from './views.ts'
import type { AuctionOutcome } from './vocabulary.ts'

/**
 * What a maker does with what it is told. Views are reused and valid during the call only. What a strategy keeps is in `state`,
 * one plain cloneable object, so that a checkpoint can include it (design.md, decision 10).
 */
export interface MakerHandlers {
  /** Everything that the strategy remembers. */
  state?: { [name: string]: Image }
  /**
   * The strategy takes the seat of another one in the middle of a session (`parlor whatif --from`), and is given a copy of that one's `state`, before
   * anything else. It is not called where the other had none. Without it the strategy begins empty.
   */
  adopt?(state: { [name: string]: Image }): void
  /** The session begins. Nothing has been told yet. */
  onStart?(desk: MakerDesk): void
  /** Nothing is left in the session. The desk is read, and takes lines of a log alone. A session that is stopped before has no such end. */
  onEnd?(desk: MakerDesk): void
  /** A request, or its new version, arrived. */
  onRequest?(request: RequestView, desk: MakerDesk): void
  /**
   * The time is over until which a request said that it is open, by its newest version that has reached the maker. It says nothing of what became
   * of the request (docs/decisions/0021-public-ends.md). It comes once for every request that `onRequest` was called with,
   * and once more for each version that comes when the time of the one before it is over.
   */
  onRequestEnded?(request: RequestView, desk: MakerDesk): void
  /** The time asked for with `desk.later` has come. */
  onLater?(request: RequestView, desk: MakerDesk): void
  /** The time asked for with `desk.after` has come. `tag` is the number that was given there. */
  onTimer?(tag: number, desk: MakerDesk): void
  /** The price of a leg has moved as far as `desk.watch` said of this request. */
  onPrice?(request: RequestView, desk: MakerDesk): void
  /** The same of a position, by `desk.watchPosition`. */
  onPositionPrice?(position: PositionView, desk: MakerDesk): void
  /** The best public quote of a request changed. A maker without this handler is not sent these events. */
  onBest?(request: RequestView, desk: MakerDesk): void
  /** A quote of the maker was chosen: confirm or decline. Without this handler the maker confirms. */
  onSelected?(selection: SelectionView, desk: MakerDesk): void
  /** The time asked for with `desk.decideLater` has come: confirm or decline. Without this handler the maker confirms. */
  onDecision?(selection: SelectionView, desk: MakerDesk): void
  /** A reply to the maker's own quote, withdrawal, bid, confirmation or decline. */
  onAck?(ack: AckView, desk: MakerDesk): void
  /** A position opened against the maker. */
  onOpened?(position: PositionView, desk: MakerDesk): void
  /** A position that the maker backed or held ended, its own buyback included. A sale in its own auction comes to `onAuctionEnded`. */
  onSettled?(position: PositionView, desk: MakerDesk): void
  /** A cash-out auction opened: call `desk.bid`, or leave it. A maker without this handler is not told. */
  onCashOut?(auction: AuctionView, desk: MakerDesk): void
  /** The best bid of an auction changed. A maker without this handler is not told. */
  onBestBid?(auction: AuctionView, desk: MakerDesk): void
  /** A bid was taken on the outcome service, where it has a last look too: confirm or decline. Without this handler the maker confirms. */
  onBidTaken?(selection: SelectionView, desk: MakerDesk): void
  /** The maker took a position over with a bid, and now holds it. */
  onBought?(position: PositionView, desk: MakerDesk): void
  /** The time asked for with `desk.checkIn` has come. */
  onCheck?(position: PositionView, desk: MakerDesk): void
  /** The best bid in the maker's own auction of a held position has changed, or is gone (`bestPriceMicros` is NaN). */
  onBid?(position: PositionView, desk: MakerDesk): void
  /** The maker's own auction is over. After `sold`, `bestPriceMicros` is what the position brought. */
  onAuctionEnded?(position: PositionView, outcome: AuctionOutcome, desk: MakerDesk): void
  /** `desk.openCashOut`, `takeBid` or `cancelCashOut` was refused. */
  onCashOutRefused?(position: PositionView, refusal: RefusalView, desk: MakerDesk): void
}

/** What a strategy is told about its place in the session. */
export interface MakerSeat {
  readonly name: string
  readonly capitalMicros: UsdMicros
  /** Draws in [0, 1) of the maker's own stream (seedrandom). They are the same whoever else plays. */
  readonly random: () => number
}

/** A maker strategy: parameters as data, and the function that makes its handlers. */
export interface MakerStrategy<P extends Parameters = Parameters> {
  readonly role: 'maker'
  readonly parameters: P
  readonly create: (values: ValuesOf<P>, seat: MakerSeat) => MakerHandlers
  /** What the strategy does, in a line. */
  readonly about?: string
  /** What is wrong with values that are each within their bounds: which parameter, and why. Undefined when they fit together. */
  readonly check?: (values: ValuesOf<P>) => ParameterFault | undefined
  /** What its handlers are given is made by these. Absent: by the engine's own. */
  readonly facades?: Facades
  /** What its views show of the numbers of things. Absent: counts of its seat's own. A seat that passes on what it is told has the service's (scenario/externalSeats.ts). */
  readonly numbers?: SeatNumbers
}

export interface ParameterFault {
  readonly parameter: string
  readonly message: string
}

/** Declares a maker strategy (design.md, decision 12). */
export const maker = <P extends Parameters>(
  parameters: P, create: MakerStrategy<P>['create'], more: Pick<MakerStrategy<P>, 'about' | 'check'> = {},
): MakerStrategy<P> => ({ role: 'maker', parameters, create, ...more })
