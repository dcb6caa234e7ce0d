import type { MakerHandlers, MakerStrategy, MarketNames } from '../../src/index.ts'
import type { MarketFacts } from '../../src/market/marketFacts.ts'
import type { Touch } from './contractChecks.ts'

export const CAPITAL = 100_000_000_000
export const PROBABILITY = 0.1

/** What the world of a maker is, as far as the desk cannot say it, and what it lets a maker do. */
export interface MakerWorld {
  /** What the public list says about markets, by number. */
  readonly facts: MarketFacts
  /** What the list calls a market that is shown. Null: nobody tells the maker. */
  readonly namesOf: ((market: number) => MarketNames) | null
  /** What has reached the maker by then of a leg's price. */
  readonly touchOf: (market: number, side: number, nowUs: number) => Touch
  /** Handlers that the service never calls. */
  readonly uncalled: readonly (keyof MakerHandlers)[]
  /** Whether positions that a maker takes over and keeps end there, some won and some lost. */
  readonly endsKept?: boolean
  /** Whether a move of a price is told. */
  readonly tellsPrices?: boolean
  /** Whether it has an account on another service, which takes what it lays off. */
  readonly canLayOff?: boolean
}

export interface MakerCase extends Required<MakerWorld> {
  readonly play: (strategy: MakerStrategy) => void | Promise<void>
  /** Plays a maker of these handlers, which quotes whatever it is shown. */
  readonly played: (handlers: MakerHandlers) => Promise<void>
}
