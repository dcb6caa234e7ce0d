/** Where the commands about intents go: the engine. Intents are named as in `Intents`. */
export interface BettorPort {
  /** Precondition: the intent is arriving. */
  requestQuote(intent: number): void
  /** Precondition: the intent is open; also of `cancelRequest`. */
  commit(intent: number): void
  cancelRequest(intent: number): void
  decideIn(intent: number, delayUs: number): void
}

/** Where the commands about positions go: the engine. Positions are named as in `Holdings`. */
export interface HoldingPort {
  /** `listenUs` from now to `onListened`, −1: it does not come. */
  openCashOut(holding: number, listenUs: number): void
  /** Precondition: the holding is auctioned; also of `cancelCashOut`. `minPriceMicros` is the lowest price taken. */
  takeBid(holding: number, minPriceMicros: number): void
  cancelCashOut(holding: number): void
  checkIn(holding: number, delayUs: number): void
}
