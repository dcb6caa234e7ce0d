import { cellsOf, commonCellsOf, formCellsOf, kindsOf } from '../../eventCells.ts'
import { Field } from '../../eventRows.ts'

/** Kinds of event row of the outcome service. The names of their cells follow below, kind by kind. */
export const OutcomeEvent = kindsOf('outcome', {
  /** The one reply to a command. */
  reply: 1,

  outcomeListed: 2, outcomeHalted: 3, outcomeResumed: 4, outcomeDelisted: 5, outcomeResolved: 6,
  feesChanged: 7, faultChanged: 8, accountBound: 9,

  fundsDeposited: 10, fundsWithdrawn: 11, signerChanged: 12, reductionStarted: 13,

  rfqCreated: 20,
  /** The window is over: no new quotes. */
  rfqClosed: 21,
  rfqCancelled: 22, rfqFilled: 23,

  quoteCreated: 30, quoteReplaced: 31, quoteCancelled: 32, quoteExpired: 33,
  /** The RFQ was cancelled or filled by another. */
  quoteDead: 34,
  quoteAccepted: 35, quoteFilled: 36, quoteFailed: 37,
  /** The best listed quote is another one, or gone (quote NONE). A taker that lists quotes sees it first. It is no event of the service. */
  bestQuoteChanged: 38,

  operationStarted: 40, operationUpdated: 41,

  positionOpened: 45, positionSettled: 46,
  /** Won and paid. */
  positionClaimed: 47,
  /** The backing maker took it back. */
  positionClosed: 48,
  positionTransferred: 49,

  /** Kinds of the gate, from here on (docs/conformance/outcome-gate.md). */
  sessionStarted: 70, sessionEnded: 71, challengeMade: 72,
  keyIssued: 73, keyRevoked: 74, keyExpired: 75,
  streamOpened: 76, streamClosed: 77, streamHeartbeat: 78,
} as const)

export type OutcomeKind = (typeof OutcomeEvent)[keyof typeof OutcomeEvent]

const {
  reply, outcomeListed, outcomeHalted, outcomeResumed, outcomeDelisted, outcomeResolved, feesChanged, faultChanged, accountBound, fundsDeposited,
  fundsWithdrawn, signerChanged, reductionStarted, rfqCreated, rfqClosed, rfqCancelled, rfqFilled, quoteCreated, quoteReplaced, quoteCancelled,
  quoteExpired, quoteDead, quoteAccepted, quoteFilled, quoteFailed, bestQuoteChanged, operationStarted, operationUpdated, positionOpened,
  positionSettled, positionClaimed, positionClosed, positionTransferred, sessionStarted, sessionEnded, challengeMade, keyIssued, keyRevoked,
  keyExpired, streamOpened, streamClosed, streamHeartbeat,
} = OutcomeEvent

/** Cells that several kinds have in common. A cash-out RFQ has a position, others NONE. Rows of a cash-out are a form of their kind. */
const RFQ = { rfq: Field.request, generation: Field.version, position: Field.position } as const
const QUOTE = { ...RFQ, maker: Field.account, owner: Field.other, quote: Field.quote } as const
const POSITION = { rfq: Field.request, generation: Field.version, position: Field.position, holder: Field.account, backer: Field.other } as const
const SALE = { ...RFQ, quote: Field.quote, acceptance: Field.auction, priceMicros: Field.amountA, profitFeeMicros: Field.amountC } as const
const STREAM = { account: Field.account, stream: Field.amountA } as const
const OPERATION = {
  ...RFQ, account: Field.account, maker: Field.other, quote: Field.quote, acceptance: Field.auction, operation: Field.bookSeq,
  operationKind: Field.code, amountMicros: Field.amountA, nextStepAtUs: Field.untilUs,
} as const

/**
 * Cells of every reply: whose command it answers, the opcode, and an `OutcomeCode`. Other cells are named by opcode or by code
 * (docs/conformance/outcome.md, "Replies"). A replayed answer has a list.
 */
export const Reply = commonCellsOf(reply, { account: Field.account, op: Field.amountA, code: Field.code })
/** Refusals: what the command names, where its sender may see it. */
export const Refusal = formCellsOf(reply, ['refused', 'capital'], { ...RFQ, quote: Field.quote })
/** Cells of every reply that takes a command about an RFQ, or about a quote. */
export const TakenReply = formCellsOf(reply, ['rfq', 'quote', 'accept'], RFQ)
export const TakenOnQuoteReply = formCellsOf(reply, ['quote', 'accept'], { quote: Field.quote })
/** Replies to createRfq, openCashout and cancelRfq. Only the former two have a window. */
export const RfqReply = formCellsOf(reply, 'rfq', { ...RFQ, openUntilUs: Field.untilUs })
/** Replies to submitQuote and cancelQuote. Only the former have odds, risk and expiry. */
export const QuoteReply = formCellsOf(reply, 'quote', {
  ...RFQ, quote: Field.quote, oddsE4: Field.oddsE4, riskMicros: Field.amountB, expiresAtUs: Field.untilUs,
})
/**
 * Replies to acceptQuote (ok, declined or timed out), confirmQuote and declineQuote. The operation is NONE unless confirmed. Maker, odds,
 * bet and payout are those of the accept. For a cash-out the bet is NONE and the payout is its price.
 */
export const AcceptReply = formCellsOf(reply, 'accept', {
  ...RFQ, quote: Field.quote, acceptance: Field.auction, operation: Field.bookSeq, maker: Field.other, oddsE4: Field.oddsE4,
  betMicros: Field.amountB, payoutMicros: Field.amountD,
})
/** Cells of every reply to a maker: the quote that it is about, or NONE. */
export const MakerReply = formCellsOf(reply, ['quote', 'accept', 'refused', 'invalidRequest', 'capital', 'rateLimited'], { quote: Field.quote })
/** Replies to deposits. The balance is free and reserved money after the deposit. */
export const DepositReply = formCellsOf(reply, 'deposit', { accountBalanceMicros: Field.amountB })
export const WithdrawalReply = formCellsOf(reply, 'withdrawal', { operation: Field.bookSeq, nextStepAtUs: Field.untilUs })
export const ReductionReply = formCellsOf(reply, 'reduction', { reduction: Field.amountC, releaseAtUs: Field.untilUs })
/** Replies to signIn and issueKey. */
export const CredentialReply = formCellsOf(reply, 'credential', { credential: Field.amountB, expiresAtUs: Field.untilUs })
export const ChallengeReply = formCellsOf(reply, 'challenge', { challenge: Field.amountB, expiresAtUs: Field.untilUs })
/** Replies to openStream and openMarketStream. */
export const StreamReply = formCellsOf(reply, 'stream', { stream: Field.amountB, firstCursor: Field.amountC, itemCount: Field.amountD })
/** Replies to reads of a list. */
export const ReadReply = formCellsOf(reply, 'read', { nextCursor: Field.amountB, pageLimit: Field.amountC })
/** `invalidRequest`: an InvalidField, of a leg with its place. */
export const FieldRefusal = formCellsOf(reply, 'invalidRequest', { invalidField: Field.amountC, legIndex: Field.amountD })
/** `quoteCapacityExceeded` has the risk and what is free, `quoteExposureLimit` the risks together and a multiple of what is free. */
export const CapitalRefusal = formCellsOf(reply, 'capital', {
  ...RFQ, quote: Field.quote, requiredMicros: Field.amountC, availableMicros: Field.amountD,
})
/** `rateLimited`: the bucket of the call, its limit and the end of its window. */
export const LimitRefusal = formCellsOf(reply, 'rateLimited', {
  limit: Field.amountB, retryAfterS: Field.amountC, bucket: Field.amountD, resetAtUs: Field.untilUs,
})

/** Its list: limbs of its outcome_id. */
export const OutcomeListed = cellsOf(outcomeListed, { outcome: Field.amountA, closeUs: Field.untilUs })
export const OutcomeChanged = cellsOf([outcomeListed, outcomeHalted, outcomeResumed, outcomeDelisted, outcomeResolved], { outcome: Field.amountA })
/** The result is a MarketResult. */
export const OutcomeResolved = cellsOf(outcomeResolved, { outcome: Field.amountA, result: Field.amountB })
export const FeesChanged = cellsOf(feesChanged, { takerFeeBps: Field.amountA, profitFeeBps: Field.amountB })
export const FaultChanged = cellsOf(faultChanged, { fault: Field.amountA, isOn: Field.amountB })
/** The role is an AccountRole. */
export const AccountBound = cellsOf(accountBound, { account: Field.account, role: Field.code })

export const FundsRow = cellsOf([fundsDeposited, fundsWithdrawn], {
  account: Field.account, amountMicros: Field.amountA, accountBalanceMicros: Field.amountB,
})
/** The balance is what the account then has free and reserved. */
export const FundsDeposited = cellsOf(fundsDeposited, {
  account: Field.account, amountMicros: Field.amountA, accountBalanceMicros: Field.amountB,
})
/** By an operation, or by the release of a reduction. */
export const FundsWithdrawn = cellsOf(fundsWithdrawn, {
  account: Field.account, amountMicros: Field.amountA, accountBalanceMicros: Field.amountB, operation: Field.bookSeq, reduction: Field.amountC,
})
export const SignerChanged = cellsOf(signerChanged, { account: Field.account, signer: Field.amountA })
export const ReductionStarted = cellsOf(reductionStarted, {
  account: Field.account, amountMicros: Field.amountA, reduction: Field.amountC, releaseAtUs: Field.untilUs,
})

export const RfqRow = commonCellsOf([rfqCreated, rfqClosed, rfqCancelled, rfqFilled], { ...RFQ, owner: Field.account })
/** Its list: legs as outcome, side pairs. */
export const RfqCreated = cellsOf(rfqCreated, {
  ...RFQ, owner: Field.account, betMicros: Field.amountA, netStakeMicros: Field.amountB, takerFeeBps: Field.amountC,
  profitFeeBps: Field.amountD, openUntilUs: Field.untilUs,
})
/** Payout and net stake are those of the position that is sold. Its list: legs. */
export const CashOutRfqCreated = formCellsOf(rfqCreated, 'cashOut', {
  ...RFQ, seller: Field.account, backer: Field.other, payoutMicros: Field.amountA, netStakeMicros: Field.amountB,
  profitFeeBps: Field.amountD, openUntilUs: Field.untilUs,
})
/** The reason is an RfqEnd. */
export const RfqCancelled = cellsOf(rfqCancelled, { ...RFQ, owner: Field.account, reason: Field.code })
export const RfqFilled = cellsOf(rfqFilled, { ...RFQ, owner: Field.account, quote: Field.quote, acceptance: Field.auction })

/** The owner is the RFQ's; of a cash-out the seller. */
export const QuoteRow = commonCellsOf(
  [quoteCreated, quoteReplaced, quoteCancelled, quoteExpired, quoteDead, quoteAccepted, quoteFilled, quoteFailed, bestQuoteChanged], QUOTE,
)
export const QuoteCreated = cellsOf(quoteCreated, {
  ...QUOTE, oddsE4: Field.oddsE4, riskMicros: Field.amountA, takerFeeBps: Field.amountB, netStakeMicros: Field.amountC,
  payoutMicros: Field.amountD, expiresAtUs: Field.untilUs,
})
/** What the seller gets before its fee; the price stands twice, as a quote's payout too. */
export const BidCreated = formCellsOf(quoteCreated, 'cashOut', {
  ...QUOTE, priceMicros: Field.amountA, payoutMicros: Field.amountD, expiresAtUs: Field.untilUs,
})
/** The last instant of a confirmation. Its list: legs. */
export const QuoteAccepted = cellsOf(quoteAccepted, {
  ...QUOTE, acceptance: Field.auction, oddsE4: Field.oddsE4, riskMicros: Field.amountA, betMicros: Field.amountB,
  netStakeMicros: Field.amountC, payoutMicros: Field.amountD, confirmUntilUs: Field.untilUs,
})
export const BidAccepted = formCellsOf(quoteAccepted, 'cashOut', {
  ...QUOTE, acceptance: Field.auction, priceMicros: Field.amountA, payoutMicros: Field.amountD, confirmUntilUs: Field.untilUs,
})
export const QuoteFilled = commonCellsOf(quoteFilled, { ...QUOTE, acceptance: Field.auction, operation: Field.bookSeq })
/** Declined, or not confirmed in time. */
export const QuoteFailed = commonCellsOf(quoteFailed, { ...QUOTE, acceptance: Field.auction, isDeclined: Field.amountA })
export const BestQuoteChanged = cellsOf(bestQuoteChanged, {
  ...QUOTE, oddsE4: Field.oddsE4, payoutMicros: Field.amountD, expiresAtUs: Field.untilUs,
})
export const BestBidChanged = formCellsOf(bestQuoteChanged, 'cashOut', { ...QUOTE, priceMicros: Field.amountD, expiresAtUs: Field.untilUs })

/** The account is the taker, the seller or the withdrawer; maker and acceptance may be NONE. The kind is an OperationKind. */
export const OperationRow = cellsOf([operationStarted, operationUpdated], OPERATION)
/** The status is an OperationStatus; there is no next step once it ended. */
export const OperationUpdated = cellsOf(operationUpdated, { ...OPERATION, status: Field.amountB })

export const PositionRow = cellsOf([positionOpened, positionSettled, positionClaimed, positionClosed], POSITION)
/** Its list: legs. */
export const PositionOpened = cellsOf(positionOpened, {
  ...POSITION, quote: Field.quote, acceptance: Field.auction, oddsE4: Field.oddsE4, netStakeMicros: Field.amountA,
  payoutMicros: Field.amountB, takerFeeMicros: Field.amountC, profitFeeBps: Field.amountD,
})
/** The outcome is a PositionOutcome. The house has kept the entry fee since the fill, so that takerFeeKeptMicros is 0. */
export const PositionSettled = cellsOf(positionSettled, {
  ...POSITION, outcome: Field.code, toHolderMicros: Field.amountA, toBackerMicros: Field.amountB, profitFeeMicros: Field.amountC,
  takerFeeKeptMicros: Field.amountD,
})
export const PositionClaimed = cellsOf(positionClaimed, { ...POSITION, toHolderMicros: Field.amountA, profitFeeMicros: Field.amountC })
/** The RFQ is the cash-out's, here and below. */
export const SaleRow = cellsOf([positionClosed, positionTransferred], SALE)
export const PositionClosed = cellsOf(positionClosed, {
  ...SALE, holder: Field.account, backer: Field.other, toHolderMicros: Field.amountB, toBackerMicros: Field.amountD,
})
export const PositionTransferred = cellsOf(positionTransferred, {
  ...SALE, seller: Field.account, buyer: Field.other, toSellerMicros: Field.amountB,
})

/** Kinds of which the gate writes rows. The venue writes some of them too. */
export const GATE_KINDS: ReadonlySet<number> = new Set([
  reply, faultChanged, sessionStarted, sessionEnded, challengeMade, keyIssued, keyRevoked, keyExpired, streamOpened, streamClosed, streamHeartbeat,
])

/** Rows that the gate writes name whom they are about. */
export const GateRow = commonCellsOf(
  [reply, sessionStarted, sessionEnded, challengeMade, keyIssued, keyRevoked, keyExpired, streamOpened, streamClosed, streamHeartbeat],
  { account: Field.account },
)
export const CredentialRow = cellsOf([sessionStarted, sessionEnded, keyIssued, keyRevoked, keyExpired], {
  account: Field.account, credential: Field.amountA, expiresAtUs: Field.untilUs,
})
/** The end is that of its age, or NONE; idleness can end it earlier. */
export const SessionStarted = cellsOf(sessionStarted, { account: Field.account, credential: Field.amountA, expiresAtUs: Field.untilUs })
/** The reason is a SessionEnd. */
export const SessionEnded = cellsOf(sessionEnded, {
  account: Field.account, credential: Field.amountA, reason: Field.code, expiresAtUs: Field.untilUs,
})
export const ChallengeMade = cellsOf(challengeMade, { account: Field.account, challenge: Field.amountA, expiresAtUs: Field.untilUs })
export const KeyChanged = cellsOf([keyIssued, keyRevoked, keyExpired], {
  account: Field.account, credential: Field.amountA, scopes: Field.amountB, expiresAtUs: Field.untilUs,
})
/** The account is NONE of market data; the start is a StreamStart, the channels a ChannelBit mask, the items those of the snapshot or the events replayed. */
export const StreamOpened = cellsOf(streamOpened, {
  ...STREAM, start: Field.code, channels: Field.amountB, firstCursor: Field.amountC, itemCount: Field.amountD,
})
/** Why: an OutcomeCode; ok: its client closed it. The cursor is the last that its client has applied. */
export const StreamClosed = cellsOf(streamClosed, { ...STREAM, reason: Field.code, appliedCursor: Field.amountC })
export const StreamHeartbeat = cellsOf(streamHeartbeat, { ...STREAM, newestCursor: Field.amountC })

/** How a stream begins. */
export const StreamStart = { snapshot: 0, replay: 1 } as const

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
