import { Field } from '../../eventRows.ts'

/**
 * What the fields of `venue/eventRows.ts` are called here: an RFQ is a request, its generation the version; the acceptance
 * stands in the cell of an auction, the operation in that of the book's sequence number.
 */
export const OutcomeField = {
  ...Field,
  rfq: Field.request,
  generation: Field.version,
  acceptance: Field.auction,
  operation: Field.bookSeq,
} as const

/**
 * Kinds of event row of the outcome service, and what each puts into the fields. `rfq` and `generation` are set wherever an
 * RFQ is concerned, `position` wherever it is a cash-out RFQ; only the other fields are named. Legs are outcome, side pairs.
 */
export const OutcomeEvent = {
  /**
   * The one reply to a command: cause = its seq, account = its account, amountA = its opcode, code; what else it answers:
   * docs/conformance/outcome.md, "Replies".
   */
  reply: 1,

  /** amountA outcome; untilUs its close; list = limbs of its outcome_id. */
  outcomeListed: 2,
  outcomeHalted: 3,
  outcomeResumed: 4,
  outcomeDelisted: 5,
  /** amountA outcome, amountB OutcomeResult. */
  outcomeResolved: 6,
  /** amountA taker_fee_bps, amountB fee_bps. */
  feesChanged: 7,
  /** amountA fault, amountB 0 or 1. */
  faultChanged: 8,
  /** account, code AccountRole. */
  accountBound: 9,

  /** account, amountA amount, amountB free + reserved after. */
  fundsDeposited: 10,
  /** The same; operation of a withdrawal; of a released collateral reduction NONE, amountC its number. */
  fundsWithdrawn: 11,
  /** account, amountA signer. */
  signerChanged: 12,
  /** account, amountA amount, amountC number of the reduction, untilUs its release. */
  reductionStarted: 13,

  /** account, amountA stake, amountB net stake, amountC taker_fee_bps, amountD fee_bps, untilUs end of the window, list = legs. Of a cash-out: amountA payout of the position, amountB its net stake, other = its backing maker. */
  rfqCreated: 20,
  /** The window is over: no new quotes. account. */
  rfqClosed: 21,
  /** account, code RfqEnd. */
  rfqCancelled: 22,
  /** account, quote, acceptance. */
  rfqFilled: 23,

  /** A quote's rows: quote, account maker, other the RFQ's owner. oddsE4, amountA risk, amountB taker_fee_bps, amountC net stake, amountD payout, untilUs its expiry. Of a cash-out: oddsE4 NONE, amountA and amountD price. */
  quoteCreated: 30,
  quoteReplaced: 31,
  quoteCancelled: 32,
  quoteExpired: 33,
  /** The RFQ was cancelled or filled by another. */
  quoteDead: 34,
  /** oddsE4, amountA risk, amountB stake, amountC net stake, amountD payout; acceptance; untilUs the confirm deadline, its last instant; list = legs. Of a cash-out as quoteCreated. */
  quoteAccepted: 35,
  /** acceptance, operation. */
  quoteFilled: 36,
  /** acceptance, amountA 0 no confirmation in time, 1 declined. */
  quoteFailed: 37,
  /** The best listed quote is another one, or gone (quote NONE): account maker, quote, oddsE4, amountD payout or price, untilUs, other = the RFQ's owner. What a taker that lists quotes sees first; no event of the service. */
  bestQuoteChanged: 38,

  /** operation, account (taker, seller, withdrawer), other = maker or NONE, acceptance or NONE, amountA amount, code OperationKind, untilUs its next step. */
  operationStarted: 40,
  /** The same with amountB OperationStatus; untilUs NONE once it ended. */
  operationUpdated: 41,

  /** account holder, other backing maker, position, quote, acceptance, oddsE4, amountA net stake, amountB payout, amountC entry fee, amountD fee_bps, list = legs. */
  positionOpened: 45,
  /** account holder, other backing maker, position, code PositionOutcome; amountA to the holder, amountB to the maker, amountC profit fee; amountD 0. */
  positionSettled: 46,
  /** Won and paid: account holder, other backing maker, position, amountA to the holder, amountC profit fee. */
  positionClaimed: 47,
  /** The backing maker took it back: account holder, other backing maker, position, acceptance; amountA price, amountB to the holder, amountC fee, amountD to the maker. */
  positionClosed: 48,
  /** account seller, other buyer, position, acceptance; amountA price, amountB to the seller, amountC fee. */
  positionTransferred: 49,

  /** Of the gate; docs/conformance/outcome-gate.md. account, amountA credential, untilUs its end or NONE. */
  sessionStarted: 70,
  /** account, amountA credential, code SessionEnd. */
  sessionEnded: 71,
  /** account, amountA challenge, untilUs. */
  challengeMade: 72,
  /** account, amountA credential, amountB scopes, untilUs expiry or NONE. */
  keyIssued: 73,
  keyRevoked: 74,
  keyExpired: 75,
  /** account (NONE: market data), amountA stream, amountB ChannelBit mask, amountC first cursor, amountD items of the snapshot or events replayed, code 0 snapshot, 1 replay. */
  streamOpened: 76,
  /** account, amountA stream, code why (an OutcomeCode; ok: its client closed it), amountC last applied cursor. */
  streamClosed: 77,
  /** account, amountA stream, amountC the newest cursor. */
  streamHeartbeat: 78,
} as const

export const OUTCOME_EVENT_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(OutcomeEvent).map(([name, kind]) => [kind, name]),
)

export const RfqState = { open: 1, inFlight: 2, filled: 3, cancelled: 4, closed: 5 } as const
/** Why an RFQ was cancelled: by its owner, as its position was decided, or by the position's next cash-out RFQ. */
export const RfqEnd = { byOwner: 0, decided: 1, superseded: 2 } as const
export const QuoteState = { live: 1, replaced: 2, cancelled: 3, expired: 4, dead: 5, accepted: 6, filled: 7, failed: 8 } as const
export const AcceptanceState = { accepted: 1, confirmed: 2, declined: 3, timedOut: 4 } as const
export const OperationKind = { fill: 1, cashout: 2, withdrawal: 3 } as const
export const OperationStatus = { pending: 1, done: 2, failed: 3 } as const
/** `open`: undecided or waiting for the next batch. Ended positions are forgotten. */
export const PositionState = { open: 1, closing: 2 } as const
export const PositionOutcome = { lost: 0, won: 1, void: 2 } as const
/** How a wallet session ended. */
export const SessionEnd = { signedOut: 0, idle: 1, aged: 2 } as const

/** Service names of the events of `/v1/stream` (OM-150…154), by the kind of row that is one. */
export const STREAM_EVENT_NAMES: Readonly<Record<number, string>> = {
  [OutcomeEvent.rfqCreated]: 'RFQ_CREATED', [OutcomeEvent.quoteCreated]: 'QUOTE_CREATED', [OutcomeEvent.quoteAccepted]: 'QUOTE_ACCEPTED',
  [OutcomeEvent.operationStarted]: 'OPERATION_UPDATED', [OutcomeEvent.operationUpdated]: 'OPERATION_UPDATED',
}
