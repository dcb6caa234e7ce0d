import type { AuctionRow, RequestRow, SelectionRow } from '../agent/rows.ts'

/**
 * Adds to a command, when it is sent, what a service needs and a strategy does not say: amounts, windows of time, keys, signatures. An
 * enricher knows what its participant was told, and nothing else. The parlay service needs none. `message` is a command's first cell. The
 * command's kind, its account and what the strategy said are already written.
 */
export interface CommandEnricher {
  /** A maker's quote on a request that is being shown; `combo` is that of the request. */
  quote(message: number, request: RequestRow, combo: number, probability: number, validMs: number): void
  /** A maker's withdrawal of its quote on a request, to be sent on its way of `wayUs` as soon as it can name the quote. */
  withdrawQuote(message: number, wayUs: number): void
  /** A maker's bid in an auction; its way to the venue takes `slowestUs` at most. */
  bid(message: number, auction: AuctionRow, combo: number, validMs: number, slowestUs: number): void
  /** A maker's confirmation; `combo` is that of what was selected, or −1 when it is over. */
  confirm(message: number, selection: SelectionRow, combo: number): void
  /** A bettor's commit of `quote`, −1: of none. */
  commit(message: number, quote: number, payoutMicros: number, betMicros: number): void
  /** The taking of bid `quote`, −1: of none, for a position. */
  takeBid(message: number, auction: number, position: number, quote: number, priceMicros: number): void
}
