import type { Action, Refusal } from './vocabulary.ts'

/** Most legs that a view can show. */
export const VIEW_LEGS_MAX = 64

/**
 * What handlers are shown. A view is read-only and holds during its handler: afterwards every read of it throws. What a strategy wants to
 * keep it copies, number by number. Times are µs since the epoch, money microUSDC, odds have four decimals, and NaN is what is unknown.
 */

/** Legs of a parlay, numbered from 0. */
export interface LegsView {
  readonly count: number
  /** The market of a leg; throws for a leg that there is none of. */
  market(leg: number): number
  /** A Side. */
  side(leg: number): number
  /** Copies of all, leg by leg. */
  readonly markets: readonly number[]
  readonly sides: readonly number[]
}

/** A quote request as a maker received it. */
export interface RequestView {
  readonly request: number
  readonly version: number
  /** When the maker got it. */
  readonly deliveredAtUs: number
  readonly expiresAtUs: number
  readonly betMicros: number
  /** Bet less the taker fee at the rate in force when the request was made. */
  readonly netStakeMicros: number
  /** Odds of the best public quote that this maker has seen on the request; NaN: none. */
  readonly bestOddsE4: number
  /** How often the request's book had changed by then; NaN where the service does not tell. */
  readonly bookSeq: number
  readonly legs: LegsView
}

/** A selection of the maker's quote or bid, which it confirms or declines (last look). */
export interface SelectionView {
  readonly request: number
  readonly version: number
  readonly quote: number
  readonly deliveredAtUs: number
  /** The first instant at which an answer is too late. */
  readonly deadlineAtUs: number
  /** NaN of a bid. */
  readonly oddsE4: number
  /** 1/odds; of a bid its price for a dollar of payout. */
  readonly quotedProbability: number
  readonly netStakeMicros: number
  /** What the maker loses if every leg wins; of a bid that was taken (`onBidTaken`) its price. */
  readonly riskMicros: number
  /** What it pays if every leg wins. */
  readonly payoutMicros: number
  /** Of a bid that was taken: the position that it buys; NaN of a quote. */
  readonly position: number
  readonly legs: LegsView
}

/** A reply to one of the maker's own commands. */
export interface AckView {
  /** What is answered, and why it was refused; `Refusal.none`: it was accepted. */
  readonly action: Action
  readonly refusal: Refusal
  /** Of a quote; NaN of a bid. */
  readonly request: number
  /** Of the quote or the bid; NaN where the answer names none. */
  readonly quote: number
  /** Of a bid; NaN of a quote. */
  readonly auction: number
  readonly deliveredAtUs: number
  /** With `rateLimited`: time from now until another command can pass, µs, as the service says; else NaN. */
  readonly retryAfterUs: number
}

/** Why a wish was refused. */
export interface RefusalView {
  readonly action: Action
  readonly refusal: Refusal
  /** With `rateLimited`: time from now until another command can pass, µs, as the service says; else NaN. */
  readonly retryAfterUs: number
}

/** A cash-out auction as a maker received it: somebody offers its position, and takes the highest bid or none. */
export interface AuctionView {
  readonly auction: number
  readonly position: number
  readonly deliveredAtUs: number
  readonly endsAtUs: number
  readonly netStakeMicros: number
  /** What the position pays its holder if every leg wins, before the profit fee. */
  readonly payoutMicros: number
  /** Rate of the position's profit fee, bps. */
  readonly profitFeeBps: number
  /** Rate of the fee on this maker's own gain as the backer of the position, bps; 0: it pays none. */
  readonly makerFeeBps: number
  /** What a buyer's later profit is counted from; NaN: the price that it pays. */
  readonly costBasisMicros: number
  /** This maker sells the position: it may not bid. */
  readonly isSeller: boolean
  /** This maker backs the position: its bid would close it, and is paid out of the pot. */
  readonly isBackingMaker: boolean
  /** Highest price that this maker may bid: the buyback bound if it backs the position, else the payout. */
  readonly maxPriceMicros: number
  /** Best bid that this maker has been told of (`onBestBid`), its own included; NaN: none. */
  readonly bestPriceMicros: number
  readonly legs: LegsView
}

/** A position of the maker that opened or ended, or that it took over. */
export interface PositionView {
  readonly position: number
  readonly request: number
  readonly quote: number
  readonly deliveredAtUs: number
  /** NaN of a position that it holds. */
  readonly oddsE4: number
  readonly netStakeMicros: number
  readonly riskMicros: number
  /** The maker holds the position, instead of backing it: it wins when the legs do. */
  readonly isHolder: boolean
  /** What the maker put in: its risk, or for a held position the price. */
  readonly costMicros: number
  /** Profit of the maker when it ended: what it got less its cost; 0 at the opening. */
  readonly profitMicros: number
  /** It ended as the maker, which backed it, bought it back. */
  readonly isBoughtBack: boolean
  /** What it pays its holder if every leg wins, before the profit fee. */
  readonly payoutMicros: number
  /** Of a held position: rate of its profit fee, bps, and what the profit is counted from. */
  readonly profitFeeBps: number
  readonly costBasisMicros: number
  /** The maker holds it, and neither an auction nor a command about one is under way: `desk.openCashOut` may be called. */
  readonly canCashOut: boolean
  /** An auction of the maker's runs and no bid is being taken: `desk.takeBid` and `desk.cancelCashOut` may be called. */
  readonly isAuctioned: boolean
  /** How many auctions of it this maker has opened. */
  readonly auctions: number
  /** When `desk.openCashOut` was last called; NaN: never. */
  readonly askedAtUs: number
  /** Best bid delivered so far in the maker's running auction; NaN: none. What it got once it has sold. */
  readonly bestPriceMicros: number
  /** How often `onCheck` was called for it, this call included. */
  readonly checks: number
  readonly legs: LegsView
}

/** What a bettor is about to ask for, or has asked for. */
export interface IntentView {
  /** Which arrival of the cohort it is, from 0. */
  readonly arrival: number
  readonly betMicros: number
  /** Lowest odds that the bettor takes. */
  readonly minOddsE4: number
  /** Odds of the best quote delivered so far; NaN: none. */
  readonly bestOddsE4: number
  /** How often `onDecision` was called for it, this call included. */
  readonly decisions: number
  readonly legs: LegsView
  /** Makes leg `i`, from 0 to 49, a Side of a market; it counts once `setLegCount` has been told of it. */
  setLeg(i: number, market: number, side: number): void
  /** `side` is a Side. */
  setSide(i: number, side: number): void
  /** From 0 to 50. */
  setLegCount(legs: number): void
}

/** A position of a bettor as it was delivered. */
export interface HoldingView {
  /** Of the intent that became the position. */
  readonly arrival: number
  readonly position: number
  readonly request: number
  /** What the bettor paid, its taker fee included. */
  readonly costMicros: number
  /** That without the taker fee. */
  readonly netStakeMicros: number
  /** What it pays if every leg wins, before the profit fee. */
  readonly payoutMicros: number
  /** When the position opened. */
  readonly openedAtUs: number
  /** Neither an auction nor a command about one is under way: `desk.openCashOut` may be called. */
  readonly canCashOut: boolean
  /** An auction runs and no bid is being taken: `desk.takeBid` and `desk.cancelCashOut` may be called. */
  readonly isAuctioned: boolean
  /** How many auctions of the position have begun. */
  readonly auctions: number
  /** When `desk.openCashOut` was last called; NaN: never. */
  readonly askedAtUs: number
  /** Best bid delivered so far in the running auction; NaN: none. What the bettor got once it has sold. */
  readonly bestPriceMicros: number
  /** How often `onCheck` was called for it, this call included. */
  readonly checks: number
  readonly legs: LegsView
}
