// What the page of a session is told (docs/decisions/0018-serving.md). Instants are the wire's, µs, money is microUSDC, and null stands for what is not known.

import type { MarkedMoney } from './makerMoney.ts'

/** A leg, by its market's ticker. */
export interface ShownLeg {
  readonly ticker: string
  readonly side: 'yes' | 'no'
}

/** What a maker offers: odds for a bet, a price for a position. */
export interface ShownOffer {
  readonly maker: string
  /** In 1/10,000. */
  readonly oddsE4: number | null
  readonly priceMicros: number | null
}

/** A request for a price of a bet, or of a position that its holder would sell. */
export interface ShownRequest {
  /** Names it among requests and auctions, in what the page asks for. */
  readonly key: string
  readonly isCashOut: boolean
  /** When it came. */
  readonly atUs: number | null
  readonly owner: string
  readonly legs: readonly ShownLeg[]
  /** The bet, or what the position pays. */
  readonly amountMicros: number | null
  readonly state: string
  readonly isOpen: boolean
  /** Makers with an offer, ended ones too. */
  readonly offers: number
  readonly best: ShownOffer | null
}

export interface ShownBookOffer extends ShownOffer {
  readonly state: string
  readonly isLive: boolean
  readonly isBest: boolean
  readonly riskMicros: number | null
  readonly untilUs: number | null
}

/** The offers for one request, the best first, of each maker its last. */
export interface ShownBook {
  readonly key: string
  /** The request's id on the wire. */
  readonly id: string
  readonly request: ShownRequest
  readonly untilUs: number | null
  readonly offers: readonly ShownBookOffer[]
}

export interface ShownMaker extends MarkedMoney {
  readonly name: string
  readonly isClient: boolean
}

export interface ShownPosition {
  readonly number: number
  readonly holder: string
  readonly backer: string
  readonly legs: readonly ShownLeg[]
  readonly stakeMicros: number
  readonly payoutMicros: number
  /** The reference V that it pays, 0…1. */
  readonly value: number | null
}

export interface LiveState {
  /** The newest first. */
  readonly requests: readonly ShownRequest[]
  readonly makers: readonly ShownMaker[]
  /** The newest first, of `positionCount` that are open. */
  readonly positions: readonly ShownPosition[]
  readonly positionCount: number
}

/** Where virtual time is, and what it follows. */
export interface LiveClock {
  readonly atUs: number
  /** Multiples of the wall's time; null when time waits for clients. */
  readonly speed: number | null
  /** Null when time follows the wall's. */
  readonly turns: LiveTurns | null
}

/** How clients take their turns, by the names of their first seats. */
export interface LiveTurns {
  readonly count: number
  /** Those that have not come yet, or whose turn it is. */
  readonly waitsFor: readonly string[]
  /** Those that were dropped and have not come back. */
  readonly away: readonly string[]
}

/** What one look at a service sees. */
export interface LiveFrame {
  readonly clock: LiveClock
  readonly state: LiveState
  /** By key; a request that is not known any more has none. */
  readonly books: Readonly<Record<string, ShownBook>>
  /** How long the session stood for the look, ms of the wall. */
  readonly tookMs: number
}

type ServiceName = 'parlay' | 'outcome'

/** What the thread of HTTP asks of that of the session: a look at a service with the books of some requests, or nothing more of it for now. */
export type LiveAsk =
  | { readonly kind: 'look'; readonly service: ServiceName; readonly keys: readonly string[] }
  | { readonly kind: 'leave'; readonly service: ServiceName }

export interface LiveTold {
  readonly service: ServiceName
  readonly frame: LiveFrame
}
