import { NONE } from '../venue/eventRows.ts'
import { Action, Refusal } from './vocabulary.ts'

/** Most legs that a view can show. */
export const VIEW_LEGS_MAX = 64

/** Legs of a parlay as columns; the first `legCount` entries count. Views are valid during the call only. */
export class LegsView {
  legCount = 0
  readonly markets = new Int32Array(VIEW_LEGS_MAX)
  /** 1 for yes, 0 for no. */
  readonly sides = new Uint8Array(VIEW_LEGS_MAX)

  /** Overwrites the view with values that no handler can mistake for data; tests switch it on. */
  poison(): void {
    this.legCount = -77
    this.markets.fill(-77)
    this.sides.fill(77)
  }
}

/** A quote request as a maker received it. */
export class RequestView {
  request = NONE
  version = NONE
  contentTag = NONE
  /** When the maker got it; times are µs since the epoch. */
  deliveredUs = NONE
  expiresAtUs = NONE
  betMicros = 0
  /** Bet less the taker fee at the rate in force when the request was made. */
  stakeMicros = 0
  /** Odds of the best public quote that this maker has seen on the request, four decimals; −1 none. */
  bestOddsE4 = NONE
  /** `book_seq` that came with it: how often the book has changed. */
  bookSeq = 0
  readonly legs = new LegsView()

  poison(): void {
    this.request = this.version = this.contentTag = this.deliveredUs = this.expiresAtUs = -77
    this.betMicros = this.stakeMicros = this.bestOddsE4 = this.bookSeq = Number.NaN
    this.legs.poison()
  }
}

/** A selection of the maker's quote: it must confirm before the deadline or decline (last look). */
export class SelectionView {
  request = NONE
  version = NONE
  quote = NONE
  deliveredUs = NONE
  deadlineUs = NONE
  oddsE4 = NONE
  /** 1/odds. */
  quotedProbability = 0
  stakeMicros = 0
  /** What the maker loses if every leg wins; of a bid that was taken (`onBidTaken`) its price. */
  riskMicros = 0
  /** What it pays if every leg wins. */
  payoutMicros = 0
  /** Of a bid that was taken: the position that it buys; −1 of a quote. */
  position = NONE
  /** Number of the acceptance on the outcome service; −1 on the other. */
  acceptance = NONE
  readonly legs = new LegsView()

  poison(): void {
    this.request = this.version = this.quote = this.deliveredUs = this.deadlineUs = this.oddsE4 = this.position = this.acceptance = -77
    this.quotedProbability = this.stakeMicros = this.riskMicros = this.payoutMicros = Number.NaN
    this.legs.poison()
  }
}

/** A reply to one of the maker's own commands. */
export class AckView {
  /** What is answered, and why it was refused; `Refusal.none`: it was accepted. */
  action: Action = Action.submitQuote
  refusal: Refusal = Refusal.none
  request = NONE
  /** Of the quote, or of the bid when it is about an auction. */
  quote = NONE
  auction = NONE
  deliveredUs = NONE
  /** Of a `rateLimited` command: time from now until another one can pass, µs, as the service's Retry-After says; else −1. */
  retryAfterUs = NONE

  poison(): void {
    this.action = this.refusal = -77 as never
    this.request = this.quote = this.auction = this.deliveredUs = this.retryAfterUs = -77
  }
}

/** Why a wish was refused. */
export class RefusalView {
  action: Action = Action.commit
  refusal: Refusal = Refusal.none
  /** With `rateLimited`: time from now until another command can pass, µs, as the service's Retry-After says; else −1. */
  retryAfterUs = NONE

  set(action: Action, refusal: Refusal, retryAfterUs: number): this {
    this.action = action
    this.refusal = refusal
    this.retryAfterUs = retryAfterUs
    return this
  }

  poison(): void {
    this.action = this.refusal = this.retryAfterUs = -77 as never
  }
}

/** A cash-out auction as a maker received it: somebody offers its position, and takes the highest bid or none. Times are µs since the epoch. */
export class AuctionView {
  auction = NONE
  /** Generation of the auction's RFQ on the outcome service; −1 on the other. */
  version = NONE
  position = NONE
  deliveredUs = NONE
  endsAtUs = NONE
  stakeMicros = 0
  /** What the position pays its holder if every leg wins, before the profit fee. */
  payoutMicros = 0
  /** Rate of the position's profit fee, bps. */
  profitFeeBps = 0
  /** Rate of the fee on this maker's own gain as the backer of the position, bps; 0: it pays none. */
  makerFeeBps = 0
  /** What a buyer's later profit is counted from; −1: the price that it pays. */
  basisMicros = NONE
  /** This maker sells the position: it may not bid. */
  isSeller = false
  /** This maker backs the position: its bid would close it, and is paid out of the pot. */
  isBacker = false
  /** Highest price that this maker may bid: the buyback bound if it backs the position, else the payout. */
  maxPriceMicros = 0
  /** Best bid that this maker has been told of (`onBestBid`), its own included; −1 none. */
  bestPriceMicros = NONE
  readonly legs = new LegsView()

  poison(): void {
    this.auction = this.version = this.position = this.deliveredUs = this.endsAtUs = this.basisMicros = -77
    this.stakeMicros = this.payoutMicros = this.profitFeeBps = this.makerFeeBps = this.maxPriceMicros = this.bestPriceMicros = Number.NaN
    this.isSeller = this.isBacker = false
    this.legs.poison()
  }
}

/** A position of the maker that opened or ended, or that it took over. */
export class PositionView {
  position = NONE
  request = NONE
  quote = NONE
  deliveredUs = NONE
  oddsE4 = NONE
  stakeMicros = 0
  riskMicros = 0
  /** The maker holds the position, instead of backing it: it wins when the legs do. */
  isHeld = false
  /** What the maker put in: its risk, or for a held position the price. */
  costMicros = 0
  /** Profit of the maker when it ended: what it got less its cost; 0 at the opening. */
  profitMicros = 0
  /** It ended as the maker, which backed it, bought it back. */
  isBoughtBack = false
  /** What it pays its holder if every leg wins, before the profit fee. */
  payoutMicros = 0
  /** Of a held position: rate of its profit fee, bps, and what the profit is counted from. */
  profitFeeBps = 0
  basisMicros = NONE
  /** Held, and neither an auction nor a command about one is under way: `desk.cashOut` may be called. */
  isFree = false
  /** An auction of the maker's runs and no bid is being taken: `desk.takeBid` and `desk.cancelCashOut` may be called. */
  isAuctioned = false
  /** How many auctions of it this maker has opened. */
  auctions = 0
  /** When `desk.cashOut` was last called, µs; −1 never. */
  askedUs = NONE
  /** Best bid delivered so far in the maker's running auction, microUSDC; −1 none. What it got once it has sold. */
  bestPriceMicros = NONE
  /** How often `onCheck` was called for it, this call included. */
  checks = 0
  readonly legs = new LegsView()

  poison(): void {
    this.position = this.request = this.quote = this.deliveredUs = this.oddsE4 = -77
    this.stakeMicros = this.riskMicros = this.costMicros = this.profitMicros = this.payoutMicros = this.bestPriceMicros = Number.NaN
    this.profitFeeBps = this.basisMicros = this.auctions = this.askedUs = this.checks = -77
    this.isHeld = this.isBoughtBack = this.isFree = this.isAuctioned = false
    this.legs.poison()
  }
}
