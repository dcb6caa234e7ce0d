import type { PriceWatchTerms } from './makerPort.ts'

/** The port for commands about intents: the engine. Intents are named as in `Intents`. */
export interface BettorPort {
  /** Precondition: the intent is arriving. */
  requestQuote(intent: number): void
  /** Precondition, for `cancelRequest` too: the intent is open. */
  commit(intent: number): void
  cancelRequest(intent: number): void
  decideIn(intent: number, delayUs: number): void
}

/** The port for commands about positions: the engine. Positions are named as in `Holdings`. */
export interface HoldingPort {
  /** `listenUs` is the time from now to `onListened`, −1 for none. */
  openCashOut(holding: number, listenUs: number): void
  /** Precondition, for `cancelCashOut` too: the holding is auctioned. `minPriceMicros` is the lowest price taken. */
  takeBid(holding: number, minPriceMicros: number): void
  cancelCashOut(holding: number): void
  checkIn(holding: number, delayUs: number): void
  watch(holding: number, terms: PriceWatchTerms): void
}
