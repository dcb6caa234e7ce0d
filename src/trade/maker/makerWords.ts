import type { Action, AuctionOutcome, Refusal } from '../../agent/vocabulary.ts'
import type { DeskNote, DeskSeat } from '../deskFeed.ts'
import type { Act, Answer, ChannelTerms, Frame } from '../link.ts'

/** What a maker is told: the handler of a strategy, and the numbers of its view by their names there. Instants are on the wire's clock, µs. */
export interface MakerTold {
  readonly kind: 'onRequest' | 'onBest' | 'onLater' | 'onRequestEnded' | 'onTimer' | 'onSelected' | 'onDecision' | 'onOpened' | 'onSettled' | 'onCashOut' | 'onBestBid' | 'onBidTaken' | 'onBought' | 'onCheck' | 'onBid' | 'onAuctionEnded' | 'onCashOutRefused'
  readonly atUs: number
  readonly numbers: Readonly<Record<string, number | boolean>>
  /** Legs: numbers of markets, and sides. */
  readonly markets: readonly number[]
  readonly sides: readonly number[]
  /** Of `onBid` and `onAuctionEnded`. */
  readonly sale?: SaleTold
}

/** What is told of the auction in which the maker sells what it took over. */
export interface SaleTold {
  /** NaN where it is over. */
  readonly auction: number
  /** Of the best bid, or what the position brought, microUSDC; NaN for none. */
  readonly bestPriceMicros: number
  /** Of an auction that is over. */
  readonly outcome?: AuctionOutcome
}

/** What a maker wishes. Requests, quotes, auctions and positions are named by the numbers that the words gave them. */
export type MakerWish =
  | { readonly kind: 'quote'; readonly request: number; readonly version: number; readonly oddsE4: number; readonly probability: number; readonly validUs: number }
  | { readonly kind: 'withdraw'; readonly request: number }
  | { readonly kind: 'bid'; readonly auction: number; readonly version: number; readonly priceMicros: number; readonly validUs: number }
  /** `position` is NaN of a quote, and known of a bid that was taken. */
  | SaleWish
  | { readonly kind: 'decide'; readonly request: number; readonly quote: number; readonly position: number; readonly confirm: boolean }

/** To sell what the maker took over. */
export type SaleWish =
  | { readonly kind: 'openCashOut' | 'cancelCashOut'; readonly position: number }
  | { readonly kind: 'takeBid'; readonly position: number; readonly minPriceMicros: number }

/** The answer to a wish. Numbers are NaN where it names none. */
export interface MakerAck {
  readonly action: Action
  readonly refusal: Refusal
  readonly request: number
  readonly quote: number
  readonly auction: number
  readonly retryAfterUs: number
  /** Of a wish to sell, what is sold; `auction` is then the auction's, or that which was opened. */
  readonly position?: number
  /** The bid that was to be taken is no offer any more. */
  readonly isOfferGone?: boolean
  /** The service's own code of a refusal, for the summary. */
  readonly code?: string
}

/** A service as a maker's client has it: it knows paths, bodies and frames, and gives things numbers of its own. */
export interface MakerWords {
  readonly service: 'parlay' | 'outcome'
  readonly channels: readonly ChannelTerms[]
  /** The seat that it speaks for, before it is told anything. */
  seated?(seat: DeskSeat): void
  /** The client was away: what it was about is answered by nobody any more. */
  cameBack(): void
  /** What the maker is told by frames and by its desk feed, in the order in which it reached the seat. */
  told(frames: readonly Frame[], notes: readonly DeskNote[], atUs: number): readonly MakerTold[]
  /** The call of a wish at an instant of the wire's clock, or none where it cannot be made yet or not any more. The tag is the words' own. */
  callOf(wish: MakerWish, nowUs: number): readonly Act[]
  /** What the answer to one of its calls says, and what is to be called at once for it. Null: nobody waits for it. */
  answered(tag: unknown, answer: Answer, nowUs: number): { readonly ack: MakerAck | null; readonly acts: readonly Act[] }
  /** What leaving withdraws: calls that end its open quotes and bids, and its auctions. */
  leaving(): readonly Act[]
}
