/**
 * What the cells of messages are called, kind by kind: offsets in a row of `Messages.cells`. A name has one meaning wherever it stands, and a
 * cell is read by the name by which the message's sender has written it. `test/engine/messageCells.test.ts` gives every name a cell of its
 * own, and sessions stay as they are.
 */

/** Both arrays have this stride. It is even, so that the queue's payload holds the number of a message's service beside its first cell. */
export const MESSAGE_STRIDE = 12

export const ArrivalMessage = { arrival: 11 } as const

/** Every message to a maker has its request, or NONE. */
export const MakerMessage = {
  request: 0,
  /** How often the maker has looked again in a row, by `later` or `decideLater`. */
  looks: 11,
} as const
/** request, later, best, price, requestOver */
export const RequestMessage = { request: 0, version: 1, bookChanges: 4, bestOddsE4: 5, looks: 11 } as const
/** timer: the strategy's own number, and how many requests had reached the maker when it asked. */
export const TimerMessage = { tag: 1, requests: 2, looks: 11 } as const
/** selected, decideLater */
export const SelectionMessage = { request: 0, version: 1, selection: 2, quote: 3, oddsE4: 5, deadlineAtUs: 9, looks: 11 } as const
export const BidTakenMessage = { request: 0, version: 1, selection: 2, quote: 3, priceMicros: 7, deadlineAtUs: 9, position: 10 } as const
/** opened, settled, backedPrice */
export const PositionMessage = { request: 0, quote: 3, oddsE4: 5, returnedMicros: 7, position: 10 } as const
export const AckMessage = { request: 0, auction: 2, quote: 3, retryAfterUs: 9 } as const
/** auction, bestBid */
export const AuctionMessage = { request: 0, version: 1, auction: 2, bestPriceMicros: 7, position: 10 } as const
/** All about a position that a maker took over. The amount is what it paid or received, or the price of a bid. */
export const HeldMessage = { request: 0, auction: 2, bid: 3, amountMicros: 7, retryAfterUs: 9, position: 10 } as const

export const BestMessage = { quote: 3, bookChanges: 4, oddsE4: 5, payoutMicros: 7 } as const
export const RefusedMessage = { quote: 3, retryAfterUs: 9 } as const
/** All about a bettor's position. */
export const HoldingMessage = { auction: 2, bid: 3, amountMicros: 7, retryAfterUs: 9 } as const

/** answer, redelivery */
export const WebhookMessage = { attempt: 1, delivery: 11 } as const
/** stream: what changes, in the gate's own numbers. */
export const StreamMessage = { change: 11 } as const
/** call, callAnswered, wake */
export const CallMessage = { request: 0, serial: 7, drawKey: 11 } as const

/** A command about a request or a quote, as the parlay service takes it. `drawKey` is the draw key of its request. */
export const CommandMessage = {
  request: 0, version: 1, contentTag: 2, quote: 3, bookChanges: 4, oddsE4: 5, validMs: 6, betMicros: 7, memoE9: 8, drawKey: 11,
  /** Only quotes have it, and they name no count of the book. */
  productE9: 4,
} as const
/** A command about an auction. The price is that of a bid, or the least that a seller takes. */
export const CashOutMessage = { auction: 2, quote: 3, productE9: 4, validMs: 6, priceMicros: 7, memoE9: 8, position: 10, drawKey: 11 } as const
/** A command with what the outcome service needs besides: request and version are its RFQ and generation, the tag is the fingerprint of signed terms. */
export const SignedMessage = {
  request: 0, version: 1, quote: 3, productE9: 4, termsTag: 5, key: 6, payoutMicros: 7, memoE9: 8, expiryS: 9, position: 10,
  /** Only acceptances have it, and they have no expiry. */
  validAfterS: 9,
} as const
/** A withdrawal of a quote that waits: replies to come before it is sent, and its own way to the service, µs. */
export const WithdrawalMessage = { request: 0, repliesLeft: 1, quote: 3, wayUs: 9 } as const
