import type { Action, AuctionOutcome, Refusal } from '../../agent/vocabulary.ts'
import type { MarketNames } from '../../market/publicList.ts'
import type { Act, Answer, Call, ChannelTerms, Frame } from '../link.ts'

/** A market as the service's public list shows it. */
export interface ListedMarket {
  /** Its name on the service's wire: `market_ticker` or `outcome_id`. */
  readonly name: string
  /** Markets with a key in common are not bet on together. Empty where the list does not say. */
  readonly exclusionKeys: readonly string[]
  /** Whether it can be bet on now. */
  readonly isOpen: boolean
  /** What the list calls it. */
  readonly names: MarketNames
}

export interface WireLeg {
  readonly market: string
  readonly side: 'yes' | 'no'
}

/** What a bettor wishes. A request and the position that it became are named by the number of their arrival. */
export type BettorWish =
  | { readonly kind: 'requestQuote'; readonly arrival: number; readonly legs: readonly WireLeg[]; readonly betMicros: number }
  | { readonly kind: 'commit'; readonly arrival: number; readonly minOddsE4: number }
  | { readonly kind: 'cancelRequest'; readonly arrival: number }
  | { readonly kind: 'openCashOut'; readonly arrival: number }
  | { readonly kind: 'takeBid'; readonly arrival: number; readonly minPriceMicros: number }
  | { readonly kind: 'cancelCashOut'; readonly arrival: number }

/** Why the service refused a wish. `retryAfterUs` is NaN where the service does not say. */
export interface Refused {
  readonly refusal: Refusal
  readonly retryAfterUs: number
}

/** What the service has told a bettor, in the order in which it told it. Money is microUSDC. */
export type BettorTold =
  | { readonly kind: 'markets'; readonly markets: readonly ListedMarket[] }
  | { readonly kind: 'takerFee'; readonly bps: number }
  /** The request is open, or was refused: `refusal` is then not none. */
  | { readonly kind: 'requested'; readonly arrival: number } & Refused
  /** Odds of the best quote, NaN: there is none any more. */
  | { readonly kind: 'best'; readonly arrival: number; readonly oddsE4: number }
  | { readonly kind: 'commitRefused'; readonly arrival: number } & Refused
  /** The request was filled, cancelled, or has expired. */
  | { readonly kind: 'requestEnded'; readonly arrival: number }
  | { readonly kind: 'opened'; readonly arrival: number; readonly costMicros: number; readonly stakeMicros: number; readonly payoutMicros: number }
  | { readonly kind: 'auctionBegan'; readonly arrival: number }
  /** NaN: there is no bid any more. */
  | { readonly kind: 'bid'; readonly arrival: number; readonly priceMicros: number }
  /** `receivedMicros` is NaN unless the position was sold. */
  | { readonly kind: 'auctionEnded'; readonly arrival: number; readonly outcome: AuctionOutcome; readonly receivedMicros: number }
  | { readonly kind: 'cashOutRefused'; readonly arrival: number; readonly action: Action } & Refused
  /** The position was settled, or never funded. */
  | { readonly kind: 'positionEnded'; readonly arrival: number }

export interface Heard {
  readonly told: readonly BettorTold[]
  /** What the words themselves do next. */
  readonly acts: readonly Act[]
}

/** A service as a bettor's client has it: it knows paths, bodies and frames. Tags of its calls and wakes are its own. */
export interface BettorWords {
  readonly channels: readonly ChannelTerms[]
  /** Time begins. */
  begun(): readonly Act[]
  /**
   * The client was away: frames are lost, and nobody answers these calls any more, each of which was carried out, or comes in yet, or never came.
   * What is done about that neither loses what was wished nor does it twice.
   */
  cameBack(calls: readonly Call[], nowUs: number): readonly Act[]
  /** What has come by now, or nothing: time has gone on. */
  framesCame(frames: readonly Frame[], nowUs: number): Heard
  /** Nothing is done about what has ended, of which the bettor hears next. */
  wished(wish: BettorWish, nowUs: number): readonly Act[]
  answered(tag: unknown, answer: Answer, nowUs: number): Heard
  /** @param areMoreToCome somebody may bet again: the list of markets is still wanted. */
  woken(tag: unknown, nowUs: number, areMoreToCome: boolean): Heard
  /** Calls that end its open requests and auctions. */
  leaving(nowUs: number): readonly Act[]
  /** How often each code of the service refused a call. */
  readonly refusals: ReadonlyMap<string, number>
}

export const NOTHING: Heard = { told: [], acts: [] }
