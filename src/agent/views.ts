import { NONE } from '../venue/eventRows.ts'
import { Action, Refusal } from './vocabulary.ts'

/** A number of the engine's, which is −1 where there is none, as strategies see it. */
export const orUnknown = (value: number): number => (value < 0 ? NaN : value)

/** Most legs that a view can show. */
export const VIEW_LEGS_MAX = 64

/** Legs of a parlay, numbered from 0. */
export interface LegsView {
  readonly count: number
  market(leg: number): number
  /** A Side. */
  side(leg: number): number
}

/** Legs as columns, of which the first `count` entries count. */
export class LegsRow implements LegsView {
  count = 0
  readonly markets = new Int32Array(VIEW_LEGS_MAX)
  readonly sides = new Uint8Array(VIEW_LEGS_MAX)

  market(leg: number): number {
    return this.markets[leg]!
  }

  side(leg: number): number {
    return this.sides[leg]!
  }

  /** Overwrites the view with values that no handler can mistake for data; tests switch it on. */
  poison(): void {
    this.count = -77
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
  deliveredAtUs = NONE
  expiresAtUs = NONE
  betMicros = 0
  /** Bet less the taker fee at the rate in force when the request was made. */
  netStakeMicros = 0
  /** Odds of the best public quote that this maker has seen on the request, four decimals; NaN: none. */
  bestOddsE4 = NaN
  /** How often the request's book had changed by then; NaN where the service does not tell. */
  bookSeq = NaN
  readonly legs = new LegsRow()

  poison(): void {
    this.request = this.version = this.contentTag = this.deliveredAtUs = this.expiresAtUs = -77
    this.betMicros = this.netStakeMicros = this.bestOddsE4 = this.bookSeq = Number.NaN
    this.legs.poison()
  }
}

/** A selection of the maker's quote or bid, which it confirms or declines (last look). */
export class SelectionView {
  request = NONE
  version = NONE
  quote = NONE
  deliveredAtUs = NONE
  /** The first instant at which an answer is too late. */
  deadlineAtUs = NONE
  /** NaN of a bid. */
  oddsE4 = NaN
  /** 1/odds; of a bid its price for a dollar of payout. */
  quotedProbability = 0
  netStakeMicros = 0
  /** What the maker loses if every leg wins; of a bid that was taken (`onBidTaken`) its price. */
  riskMicros = 0
  /** What it pays if every leg wins. */
  payoutMicros = 0
  /** Of a bid that was taken: the position that it buys; NaN of a quote. */
  position = NaN
  /** What the engine names the selection by, where the service gives it a number; else −1. */
  acceptance = NONE
  readonly legs = new LegsRow()

  poison(): void {
    this.request = this.version = this.quote = this.deliveredAtUs = this.deadlineAtUs = this.oddsE4 = this.position = this.acceptance = -77
    this.quotedProbability = this.netStakeMicros = this.riskMicros = this.payoutMicros = Number.NaN
    this.legs.poison()
  }
}

/** A reply to one of the maker's own commands. */
export class AckView {
  /** What is answered, and why it was refused; `Refusal.none`: it was accepted. */
  action: Action = Action.submitQuote
  refusal: Refusal = Refusal.none
  /** Of a quote; NaN of a bid. */
  request = NaN
  /** Of the quote or the bid; NaN where the answer names none. */
  quote = NaN
  /** Of a bid; NaN of a quote. */
  auction = NaN
  deliveredAtUs = NONE
  /** With `rateLimited`: time from now until another command can pass, µs, as the service says; else NaN. */
  retryAfterUs = NaN

  poison(): void {
    this.action = this.refusal = -77 as never
    this.request = this.quote = this.auction = this.deliveredAtUs = this.retryAfterUs = -77
  }
}

/** Why a wish was refused. */
export class RefusalView {
  action: Action = Action.commit
  refusal: Refusal = Refusal.none
  /** With `rateLimited`: time from now until another command can pass, µs, as the service says; else NaN. */
  retryAfterUs = NaN

  /** `retryAfterUs` −1: nothing is said of it. */
  set(action: Action, refusal: Refusal, retryAfterUs: number): this {
    this.action = action
    this.refusal = refusal
    this.retryAfterUs = orUnknown(retryAfterUs)
    return this
  }

  poison(): void {
    this.action = this.refusal = this.retryAfterUs = -77 as never
  }
}

/** A cash-out auction as a maker received it: somebody offers its position, and takes the highest bid or none. Times are µs since the epoch. */
export class AuctionView {
  auction = NONE
  /** What the engine names the state of the auction by, where the service gives it a number; else −1. */
  version = NONE
  position = NONE
  deliveredAtUs = NONE
  endsAtUs = NONE
  netStakeMicros = 0
  /** What the position pays its holder if every leg wins, before the profit fee. */
  payoutMicros = 0
  /** Rate of the position's profit fee, bps. */
  profitFeeBps = 0
  /** Rate of the fee on this maker's own gain as the backer of the position, bps; 0: it pays none. */
  makerFeeBps = 0
  /** What a buyer's later profit is counted from; NaN: the price that it pays. */
  costBasisMicros = NaN
  /** This maker sells the position: it may not bid. */
  isSeller = false
  /** This maker backs the position: its bid would close it, and is paid out of the pot. */
  isBackingMaker = false
  /** Highest price that this maker may bid: the buyback bound if it backs the position, else the payout. */
  maxPriceMicros = 0
  /** Best bid that this maker has been told of (`onBestBid`), its own included; NaN: none. */
  bestPriceMicros = NaN
  readonly legs = new LegsRow()

  poison(): void {
    this.auction = this.version = this.position = this.deliveredAtUs = this.endsAtUs = this.costBasisMicros = -77
    this.netStakeMicros = this.payoutMicros = this.profitFeeBps = this.makerFeeBps = this.maxPriceMicros = this.bestPriceMicros = Number.NaN
    this.isSeller = this.isBackingMaker = false
    this.legs.poison()
  }
}

/** A position of the maker that opened or ended, or that it took over. */
export class PositionView {
  position = NONE
  request = NONE
  quote = NONE
  deliveredAtUs = NONE
  /** NaN of a position that it holds. */
  oddsE4 = NaN
  netStakeMicros = 0
  riskMicros = 0
  /** The maker holds the position, instead of backing it: it wins when the legs do. */
  isHolder = false
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
  costBasisMicros = NaN
  /** The maker holds it, and neither an auction nor a command about one is under way: `desk.openCashOut` may be called. */
  canCashOut = false
  /** An auction of the maker's runs and no bid is being taken: `desk.takeBid` and `desk.cancelCashOut` may be called. */
  isAuctioned = false
  /** How many auctions of it this maker has opened. */
  auctions = 0
  /** When `desk.openCashOut` was last called, µs; NaN: never. */
  askedAtUs = NaN
  /** Best bid delivered so far in the maker's running auction, microUSDC; NaN: none. What it got once it has sold. */
  bestPriceMicros = NaN
  /** How often `onCheck` was called for it, this call included. */
  checks = 0
  readonly legs = new LegsRow()

  poison(): void {
    this.position = this.request = this.quote = this.deliveredAtUs = this.oddsE4 = -77
    this.netStakeMicros = this.riskMicros = this.costMicros = this.profitMicros = this.payoutMicros = this.bestPriceMicros = Number.NaN
    this.profitFeeBps = this.costBasisMicros = this.auctions = this.askedAtUs = this.checks = -77
    this.isHolder = this.isBoughtBack = this.canCashOut = this.isAuctioned = false
    this.legs.poison()
  }
}
