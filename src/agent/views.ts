import type { AtUs, Bps, Odds, Share, Us, UsdMicros } from './quantities.ts'
import type { Action, Refusal } from './vocabulary.ts'

/** Most legs that a view can show. */
export const VIEW_LEGS_MAX = 64

/**
 * What handlers are shown. A view is read-only and valid during its handler. Afterwards every read of it throws, until a later handler is
 * given the same view: it then shows what that handler is about. A strategy copies what it wants to keep, number by number. Times are µs since the epoch, money is microUSDC, odds have four decimals, and unknown numbers are NaN.
 *
 * Requests, quotes, positions, auctions and bids have numbers of the maker's own (seatNumbers.ts): of each kind the first that its handlers read is 1, the
 * next one 2. A thing keeps its number. On the outcome service auctions count among requests and bids among quotes, because they are RFQs and
 * quotes there. Tables, `parlor explain` and messages have the numbers of the session.
 */

/** Legs of a parlay, numbered from 0. */
export interface LegsView {
  readonly count: number
  /** The market of a leg. Throws for a number that is no leg. */
  market(leg: number): number
  /** A Side. */
  side(leg: number): number
  /** Copies of all markets and of all sides, leg by leg. */
  readonly markets: readonly number[]
  readonly sides: readonly number[]
}

/** A quote request as a maker received it. */
export interface RequestView {
  /** A number of the maker's own, as all numbers of things are. `desk.withdrawQuote` takes it. */
  readonly request: number
  readonly version: number
  /** When the maker got it. */
  readonly deliveredAtUs: AtUs
  readonly expiresAtUs: AtUs
  readonly betMicros: UsdMicros
  /** The bet minus the taker fee at the rate in force when the request was made. */
  readonly netStakeMicros: UsdMicros
  /** Odds of the best public quote that this maker has seen on the request, NaN for none. */
  readonly bestOddsE4: Odds
  /** How often the request's book had changed by then, NaN where the service does not say. */
  readonly bookChanges: number
  readonly legs: LegsView
}

/** A selection of the maker's quote or bid, which it confirms or declines (last look). */
export interface SelectionView {
  readonly request: number
  readonly version: number
  readonly quote: number
  readonly deliveredAtUs: AtUs
  /** The first instant at which an answer is too late. */
  readonly deadlineAtUs: AtUs
  /** NaN of a bid. */
  readonly oddsE4: Odds
  /** 1/odds. For a bid its price for a dollar of payout. */
  readonly quotedProbability: Share
  readonly netStakeMicros: UsdMicros
  /** What the maker loses if every leg wins. For a bid that was taken (`onBidTaken`) its price. */
  readonly riskMicros: UsdMicros
  /** What it pays if every leg wins. */
  readonly payoutMicros: UsdMicros
  /** For a bid that was taken: the position that it buys. NaN for a quote. */
  readonly position: number
  readonly legs: LegsView
}

/** A reply to one of the maker's own commands. */
export interface AckView {
  /** Which action is answered, and why it was refused. `Refusal.none` means that it was accepted. */
  readonly action: Action
  readonly refusal: Refusal
  /** The request of a quote, NaN for a bid. */
  readonly request: number
  /** Number of the quote or the bid, NaN where the answer names none. */
  readonly quote: number
  /** The auction of a bid, NaN for a quote. */
  readonly auction: number
  readonly deliveredAtUs: AtUs
  /** With `rateLimited`: time from now until another command can pass, µs, as the service says; else NaN. */
  readonly retryAfterUs: Us
}

/** Why a wish was refused. */
export interface RefusalView {
  readonly action: Action
  readonly refusal: Refusal
  /** With `rateLimited`: time from now until another command can pass, µs, as the service says; else NaN. */
  readonly retryAfterUs: Us
}

/** A cash-out auction as a maker received it: a holder offers its position, and takes the highest bid or none. */
export interface AuctionView {
  readonly auction: number
  readonly position: number
  readonly deliveredAtUs: AtUs
  readonly endsAtUs: AtUs
  readonly netStakeMicros: UsdMicros
  /** What the position pays its holder if every leg wins, before the profit fee. */
  readonly payoutMicros: UsdMicros
  /** Rate of the position's profit fee, bps. */
  readonly profitFeeBps: Bps
  /** Rate of the fee on this maker's own gain as the backer of the position, bps, 0 for none. */
  readonly makerFeeBps: Bps
  /** What a buyer's later profit is counted from. NaN means the price that it pays. */
  readonly costBasisMicros: UsdMicros
  /** Whether this maker sells the position. It then may not bid. */
  readonly isSeller: boolean
  /** Whether this maker backs the position. Its bid would close the position, and is paid out of the pot. */
  readonly isBackingMaker: boolean
  /** Highest price that this maker may bid: the buyback bound if it backs the position, otherwise the payout. */
  readonly maxPriceMicros: UsdMicros
  /** Best bid that this maker has been told about (`onBestBid`), its own included, NaN for none. */
  readonly bestPriceMicros: UsdMicros
  readonly legs: LegsView
}

/** Where the cash-out of a position stands that its viewer holds. For any other position every flag is false, every count 0, and every time and price NaN. */
export interface CashOutState {
  /** Whether neither an auction nor a command about one is under way, so that `desk.openCashOut` may be called. */
  readonly canCashOut: boolean
  /** Whether the holder's auction runs and no bid is being taken, so that `desk.takeBid` and `desk.cancelCashOut` may be called. */
  readonly isAuctioned: boolean
  /** How many auctions of it the holder has opened. */
  readonly auctions: number
  /** When `desk.openCashOut` was last called; NaN: never. */
  readonly askedAtUs: AtUs
  /** Best bid delivered so far in the holder's running auction, NaN for none. Once the holder has sold, what it got. */
  readonly bestPriceMicros: UsdMicros
  /** How often `onCheck` was called for it, this call included. */
  readonly checks: number
}

/** A position of the maker that opened or ended, or that it took over. */
export interface PositionView extends CashOutState {
  readonly position: number
  /** The request that opened it. On the outcome service, of a position that it holds or bought back, the RFQ of the cash-out. */
  readonly request: number
  /** At the opening the quote that was filled, and at a buyback on the outcome service the bid. NaN of any other end, and of a position that it holds. */
  readonly quote: number
  readonly deliveredAtUs: AtUs
  /** Known at the opening. NaN of a position that ended or that it holds. */
  readonly oddsE4: Odds
  readonly netStakeMicros: UsdMicros
  readonly riskMicros: UsdMicros
  /** Whether the maker holds the position instead of backing it. It then wins when the legs win. */
  readonly isHolder: boolean
  /** What the maker put in: its risk, or for a held position the price. */
  readonly costMicros: UsdMicros
  /** Profit of the maker when it ended: what it got minus its cost. 0 at the opening. */
  readonly profitMicros: UsdMicros
  /** Whether it ended because the backing maker bought it back. */
  readonly isBoughtBack: boolean
  /** What it pays its holder if every leg wins, before the profit fee. */
  readonly payoutMicros: UsdMicros
  /** The profit fee of a held position, bps, and what its profit is counted from. */
  readonly profitFeeBps: Bps
  readonly costBasisMicros: UsdMicros
  readonly legs: LegsView
}

/** What a bettor is about to ask for, or has asked for. */
export interface IntentView {
  /** Which arrival of the cohort it is, from 0. */
  readonly arrival: number
  readonly betMicros: UsdMicros
  /** Lowest odds that the bettor takes. */
  readonly minOddsE4: Odds
  /** Odds of the best quote delivered so far, NaN for none. */
  readonly bestOddsE4: Odds
  /** How often `onDecision` was called for it, this call included. */
  readonly decisions: number
  readonly legs: LegsView
  /** Sets leg `i`, from 0 to 49, to a Side of a market of the catalogue. It counts once `setLegCount` includes it. */
  setLeg(i: number, market: number, side: number): void
  /** `side` is a Side. */
  setSide(i: number, side: number): void
  /** From 0 to 50. */
  setLegCount(legs: number): void
}

/** A level of a book. */
export interface LevelView {
  readonly price: Share
  /** Whole contracts, rounded down; 2,147,483,647 stands for so many or more. */
  readonly size: number
}

/**
 * The best levels of a market's book, as `history.depth` of the scenario says how many, and as they have reached this desk by now. NO is the
 * other side of the same book: its ask is one dollar less the bid of YES.
 */
export interface DepthView {
  /** The number of the market. */
  readonly market: number
  /** How long these levels have not changed. */
  readonly ageUs: Us
  /** Levels at which a Side could be sold, the best first. The list is a frozen copy, which may be kept. */
  bids(side: number): readonly LevelView[]
  /** Levels at which a Side could be bought, the best first. The list is a frozen copy, which may be kept. */
  asks(side: number): readonly LevelView[]
  /** The average price of buying so many contracts of a Side, a number above 0; undefined where these levels have fewer. */
  depthOf(side: number, size: number): Share | undefined
}

/** A position of a bettor as it was delivered. */
export interface HoldingView extends CashOutState {
  /** The arrival of the intent that became the position. */
  readonly arrival: number
  /** The arrival's number: each arrival leads to one position at most. */
  readonly position: number
  /** The arrival's number, too. The column `arrival` of the table `requests` has it. */
  readonly request: number
  /** What the bettor paid, including the taker fee. */
  readonly costMicros: UsdMicros
  /** What the bettor paid, without the taker fee. */
  readonly netStakeMicros: UsdMicros
  /** What it pays if every leg wins, before the profit fee. */
  readonly payoutMicros: UsdMicros
  /** When the position opened. */
  readonly openedAtUs: AtUs
  /** What the bettor got for it at its end or by its sale, all fees taken off. NaN before. */
  readonly returnedMicros: UsdMicros
  readonly legs: LegsView
}
