import { cellsOf, commonCellsOf, formCellsOf, kindsOf } from '../../eventCells.ts'
import { Field } from '../../eventRows.ts'

/** Kinds of event row of the parlay service. The names of their cells follow below, kind by kind. */
export const ParlayEvent = kindsOf('parlay', {
  /** The one reply to a command. */
  reply: 1,

  marketListed: 2, marketHalted: 3, marketResumed: 4, marketDelisted: 5, marketResolved: 6,
  feesChanged: 7, faultChanged: 8,

  fundsDeposited: 10, fundsWithdrawn: 11, vaultTransactionStarted: 12, vaultTransactionChanged: 13, walletChanged: 14,

  requestCreated: 20, requestUpdated: 21, requestCancelled: 22, requestExpired: 23, requestCommitted: 24,

  quoteSubmitted: 30, quoteReplaced: 31, quoteWithdrawn: 32, quoteExpired: 33, quoteInvalidated: 34,
  /** `quote:accepted` to the maker. */
  quoteSelected: 35,
  quoteFilled: 36, quoteFailed: 37,
  /** The request's best live quote is another one, or gone (quote NONE). */
  bestQuoteChanged: 38,

  positionOpened: 40, positionSettled: 41,
  /** `position.cancelled` (readings A20). */
  positionCancelled: 42,
  /** `parlay.status_changed` (PQ-123). */
  statusChanged: 43,
  positionBoughtBack: 44, positionTransferred: 45,
  /** The chain failed to fund it. */
  positionFailed: 46,
  /** The chain is at fault, or the position is not funded yet, so the decided position is paid later. */
  settlementDelayed: 47,

  auctionOpened: 50, auctionCancelled: 51, auctionExpired: 52, auctionCommitted: 53,
  bidSubmitted: 54, bidReplaced: 55, bidExpired: 56,
  /** The auction ended. */
  bidInvalidated: 57,
  bidWon: 58,
  /** The seller's commit of it was refused; the bidder is not told (PQ-407). */
  bidFailed: 59,
  /** The auction's best live bid is another one, or gone (bid NONE). */
  bestBidChanged: 60,

  /** Kinds of the gate, from here on. */
  keyCreated: 70, keyRevoked: 71, keyExpired: 72,
  endpointSet: 73, secretRotated: 74,
  deliveryQueued: 75, deliveryAttempted: 76,
  /** After an attempt, or instead of one. */
  deliveryChanged: 77,
  deliveryRequeued: 78,
  streamOpened: 79, streamClosed: 80,
} as const)

export type ParlayKind = (typeof ParlayEvent)[keyof typeof ParlayEvent]

const {
  reply, marketListed, marketHalted, marketResumed, marketDelisted, marketResolved, feesChanged, faultChanged, fundsDeposited, fundsWithdrawn,
  vaultTransactionStarted, vaultTransactionChanged, walletChanged, requestCreated, requestUpdated, requestCancelled, requestExpired,
  requestCommitted, quoteSubmitted, quoteReplaced, quoteWithdrawn, quoteExpired, quoteInvalidated, quoteSelected, quoteFilled, quoteFailed,
  bestQuoteChanged, positionOpened, positionSettled, positionCancelled, statusChanged, positionBoughtBack, positionTransferred, positionFailed,
  settlementDelayed, auctionOpened, auctionCancelled, auctionExpired, auctionCommitted, bidSubmitted, bidReplaced, bidExpired, bidInvalidated,
  bidWon, bidFailed, bestBidChanged, keyCreated, keyRevoked, keyExpired, endpointSet, secretRotated, deliveryQueued, deliveryAttempted,
  deliveryChanged, deliveryRequeued, streamOpened, streamClosed,
} = ParlayEvent

/** Cells that several kinds have in common. Rows that concern a request have its number and version. */
const REQUEST = { request: Field.request, version: Field.version } as const
const QUOTE = { ...REQUEST, maker: Field.account, quote: Field.quote } as const
const POSITION = { ...REQUEST, holder: Field.account, backer: Field.other, position: Field.position } as const
const AUCTION = { ...REQUEST, position: Field.position, auction: Field.auction } as const
const BID = { ...AUCTION, maker: Field.account, seller: Field.other, bid: Field.quote, priceMicros: Field.amountA } as const
const DELIVERY = { account: Field.account, delivery: Field.amountA, webhookEvent: Field.amountB } as const

/**
 * Cells of every reply: whose command it answers, the opcode, a `ParlayCode`, and the request that it is about, or NONE. Other cells are
 * named by opcode or by code.
 */
export const Reply = commonCellsOf(reply, { account: Field.account, op: Field.amountA, code: Field.code, request: Field.request })
/** Refusals: what the command names, where its sender may see it. */
export const Refusal = formCellsOf(reply, 'refused', { request: Field.request, position: Field.position, auction: Field.auction })
/** Replies to createRequest and updateRequest. A reply to cancelRequest has the request alone. */
export const RequestReply = formCellsOf(reply, 'request', { ...REQUEST, bookSeq: Field.bookSeq, expiresAtUs: Field.untilUs })
/** The maker is the chosen one, or the one that failed to confirm. */
export const CommitReply = formCellsOf(reply, 'commit', {
  ...REQUEST, quote: Field.quote, maker: Field.other, oddsE4: Field.oddsE4, position: Field.position, confirmBeforeUs: Field.untilUs,
})
/** Replies to submitQuote and withdrawQuote. Only the former have odds, fee and expiry. */
export const QuoteReply = formCellsOf(reply, 'quote', {
  ...REQUEST, quote: Field.quote, bookSeq: Field.bookSeq, oddsE4: Field.oddsE4, takerFeeBps: Field.amountB, expiresAtUs: Field.untilUs,
})
/** Replies to confirmSelection and declineSelection. Only the former have a position. */
export const LastLookReply = formCellsOf(reply, 'lastLook', { ...REQUEST, quote: Field.quote, position: Field.position })
/** Cells of every reply to a maker: the quote or bid and the auction that it is about, or NONE. */
export const MakerReply = formCellsOf(
  reply, ['quote', 'lastLook', 'auction', 'refused', 'insufficientCollateral', 'priceAboveMaxPayout', 'rateLimited'],
  { quote: Field.quote, auction: Field.auction },
)
/** Cells of every reply about a cash-out, that to commitCashout too. */
export const CashOutReply = formCellsOf(reply, ['auction', 'sale'], {
  request: Field.request, position: Field.position, auction: Field.auction, bid: Field.quote,
})
/** Replies to openCashout, cancelCashout and submitBid. `untilUs` is when an opened auction ends, or a bid expires. */
export const AuctionReply = formCellsOf(reply, 'auction', {
  request: Field.request, position: Field.position, auction: Field.auction, bid: Field.quote, untilUs: Field.untilUs,
})
/** Replies to commitCashout. The maker is the one that won, or whose bid failed. */
export const SaleReply = formCellsOf(reply, 'sale', {
  request: Field.request, position: Field.position, auction: Field.auction, bid: Field.quote, maker: Field.other, toSellerMicros: Field.amountB,
  profitFeeMicros: Field.amountC, priceMicros: Field.amountD,
})
/** `partialVaultOnly` of a wallet withdrawal: what left the vault. */
export const PartialReply = formCellsOf(reply, 'partialVaultOnly', { amountMicros: Field.amountC })
/** A deposit or a withdrawal that is pending, or recovering. */
export const VaultReply = formCellsOf(reply, 'vault', { transaction: Field.amountC })
export const KeyReply = formCellsOf(reply, 'key', { credential: Field.amountB })
export const SecretReply = formCellsOf(reply, 'secret', { secretGeneration: Field.amountB })
/** `insufficientCollateral` of a quote: what it needs, and what is free. */
export const CollateralRefusal = formCellsOf(reply, 'insufficientCollateral', {
  request: Field.request, requiredMicros: Field.amountC, availableMicros: Field.amountD,
})
/** `priceAboveMaxPayout` of a bid: the position's total_payout. */
export const PriceRefusal = formCellsOf(reply, 'priceAboveMaxPayout', { auction: Field.auction, maxPriceMicros: Field.amountC })
/** `rateLimited`: the bucket of the call, its limit and the end of its window. */
export const LimitRefusal = formCellsOf(reply, 'rateLimited', {
  limit: Field.amountB, retryAfterS: Field.amountC, bucket: Field.amountD, resetAtUs: Field.untilUs,
})

/** Its list: exclusion keys. */
export const MarketListed = cellsOf(marketListed, { market: Field.amountA, closeUs: Field.untilUs })
export const MarketChanged = cellsOf([marketListed, marketHalted, marketResumed, marketDelisted, marketResolved], { market: Field.amountA })
/** The result is a MarketResult. */
export const MarketResolved = cellsOf(marketResolved, { market: Field.amountA, result: Field.amountB })
export const FeesChanged = cellsOf(feesChanged, { takerFeeBps: Field.amountA, profitFeeBps: Field.amountB })
export const FaultChanged = cellsOf(faultChanged, { fault: Field.amountA, isOn: Field.amountB })

/** The balance is what the account then has free and locked. */
export const FundsMoved = cellsOf([fundsDeposited, fundsWithdrawn], {
  account: Field.account, amountMicros: Field.amountA, grossBalanceMicros: Field.amountB,
})
/** Status: a VaultStatus, effect: a VaultEffect. Of a fill the account is the holder, and only then there are backer, request and position. */
export const VaultTransactionChanged = cellsOf([vaultTransactionStarted, vaultTransactionChanged], {
  ...REQUEST, account: Field.account, backer: Field.other, position: Field.position, status: Field.code, amountMicros: Field.amountA,
  effect: Field.amountB, transaction: Field.amountC, nextStepAtUs: Field.untilUs,
})
export const WalletChanged = cellsOf(walletChanged, { account: Field.account, isOnRecord: Field.amountA })

/** Every row about a request as such, or about one of its quotes. */
export const RequestRow = cellsOf([
  requestCreated, requestUpdated, requestCancelled, requestExpired, requestCommitted, quoteSubmitted, quoteReplaced, quoteWithdrawn,
  quoteExpired, quoteInvalidated, quoteSelected, quoteFilled, quoteFailed, bestQuoteChanged, positionOpened, positionCancelled, statusChanged,
], REQUEST)
/** Their list: legs as market, side pairs. */
export const RequestCreated = cellsOf([requestCreated, requestUpdated], {
  ...REQUEST, owner: Field.account, betMicros: Field.amountA, contentTag: Field.amountB, bookSeq: Field.bookSeq, expiresAtUs: Field.untilUs,
})
export const RequestEnded = cellsOf([requestCancelled, requestExpired, requestCommitted], {
  ...REQUEST, owner: Field.account, bookSeq: Field.bookSeq,
})

export const QuoteRow = cellsOf(
  [quoteSubmitted, quoteReplaced, quoteWithdrawn, quoteExpired, quoteInvalidated, quoteSelected, quoteFilled, quoteFailed], QUOTE,
)
export const QuoteSubmitted = cellsOf(quoteSubmitted, {
  ...QUOTE, oddsE4: Field.oddsE4, riskMicros: Field.amountA, takerFeeBps: Field.amountB, netStakeMicros: Field.amountC,
  bookSeq: Field.bookSeq, expiresAtUs: Field.untilUs,
})
/** The book's number is the one after it; of a replaced quote that of the submission that replaces it. */
export const QuoteEnded = cellsOf([quoteReplaced, quoteWithdrawn, quoteExpired, quoteInvalidated, quoteFailed], { ...QUOTE, bookSeq: Field.bookSeq })
/** Its list: legs. */
export const QuoteSelected = cellsOf(quoteSelected, {
  ...QUOTE, owner: Field.other, oddsE4: Field.oddsE4, riskMicros: Field.amountA, betMicros: Field.amountB, netStakeMicros: Field.amountC,
  confirmBeforeUs: Field.untilUs,
})
export const QuoteFilled = cellsOf(quoteFilled, { ...QUOTE, owner: Field.other, position: Field.position, oddsE4: Field.oddsE4 })
/** Declined, or not confirmed in time. */
export const QuoteFailed = cellsOf(quoteFailed, { ...QUOTE, owner: Field.other, isDeclined: Field.amountA, bookSeq: Field.bookSeq })
export const BestQuoteChanged = cellsOf(bestQuoteChanged, {
  ...QUOTE, owner: Field.other, oddsE4: Field.oddsE4, bookSeq: Field.bookSeq, expiresAtUs: Field.untilUs,
})

export const PositionRow = cellsOf([positionOpened, positionSettled, positionBoughtBack, positionFailed, settlementDelayed], POSITION)
/** Its list: legs. */
export const PositionOpened = cellsOf(positionOpened, {
  ...POSITION, quote: Field.quote, oddsE4: Field.oddsE4, netStakeMicros: Field.amountA, payoutMicros: Field.amountB,
  takerFeeMicros: Field.amountC, profitFeeBps: Field.amountD,
})
/** The outcome is a PositionOutcome; the taker fee is what the house keeps of it. */
export const PositionSettled = cellsOf(positionSettled, {
  ...POSITION, outcome: Field.code, toHolderMicros: Field.amountA, toBackerMicros: Field.amountB, profitFeeMicros: Field.amountC,
  takerFeeKeptMicros: Field.amountD,
})
/** The reason is a CancelReason; only a failed fill has a backer. */
export const PositionCancelled = cellsOf(positionCancelled, { ...REQUEST, owner: Field.account, backer: Field.other, reason: Field.code })
/** The status is a ParlayStatus, the quote the accepted one or NONE. */
export const StatusChanged = cellsOf(statusChanged, { ...REQUEST, owner: Field.account, quote: Field.quote, status: Field.amountA })
/** |price − user_stake| is paid by the maker or by the user; the profit fee comes out of the price. */
export const PositionBoughtBack = cellsOf(positionBoughtBack, {
  ...POSITION, auction: Field.auction, isPaidByMaker: Field.code, differenceMicros: Field.amountA, toHolderMicros: Field.amountB,
  profitFeeMicros: Field.amountC, toBackerMicros: Field.amountD,
})
export const PositionTransferred = cellsOf(positionTransferred, {
  ...AUCTION, seller: Field.account, buyer: Field.other, priceMicros: Field.amountA, toSellerMicros: Field.amountB, profitFeeMicros: Field.amountC,
})
export const PositionFailed = cellsOf(positionFailed, { ...POSITION, toHolderMicros: Field.amountA, toBackerMicros: Field.amountB })
export const SettlementDelayed = cellsOf(settlementDelayed, { ...POSITION, outcome: Field.code, nextTryAtUs: Field.untilUs })

/** Every row about a cash-out. */
export const CashOutRow = cellsOf([
  auctionOpened, auctionCancelled, auctionExpired, auctionCommitted, bidSubmitted, bidReplaced, bidExpired, bidInvalidated, bidWon, bidFailed,
  bestBidChanged, positionBoughtBack, positionTransferred,
], AUCTION)
export const AuctionRow = cellsOf([auctionOpened, auctionCancelled, auctionExpired, auctionCommitted], { ...AUCTION, seller: Field.account })
/** The basis is what the seller's profit is counted from, the bound the highest price of a buyback. Its list: legs. */
export const AuctionOpened = cellsOf(auctionOpened, {
  ...AUCTION, seller: Field.account, backer: Field.other, payoutMicros: Field.amountA, netStakeMicros: Field.amountB, basisMicros: Field.amountC,
  boundMicros: Field.amountD, endsAtUs: Field.untilUs,
})
/** The reason is an AuctionEnd. */
export const AuctionCancelled = cellsOf(auctionCancelled, { ...AUCTION, seller: Field.account, reason: Field.code })
/** The winner is `market_maker_id`, the route an AuctionRoute. */
export const AuctionCommitted = cellsOf(auctionCommitted, {
  ...AUCTION, seller: Field.account, winner: Field.other, bid: Field.quote, route: Field.code, priceMicros: Field.amountA,
  profitFeeMicros: Field.amountB,
})

export const BidRow = cellsOf([bidSubmitted, bidReplaced, bidExpired, bidInvalidated, bidWon, bidFailed, bestBidChanged], BID)
/** What a bid offers, of rows that begin it, end it early, or say that it is the best. */
export const BidOffer = cellsOf([bidSubmitted, bidReplaced, bidExpired, bestBidChanged], { ...BID, expiresAtUs: Field.untilUs })
/** Why the commit of it was refused: a ParlayCode. */
export const BidFailed = cellsOf(bidFailed, { ...BID, failure: Field.code })

/** Every row of the gate but replies. */
export const GateRow = cellsOf([
  keyCreated, keyRevoked, keyExpired, endpointSet, secretRotated, deliveryQueued, deliveryAttempted, deliveryChanged, deliveryRequeued,
  streamOpened, streamClosed,
], { account: Field.account })
export const KeyChanged = cellsOf([keyCreated, keyRevoked, keyExpired], {
  account: Field.account, credential: Field.amountA, scopes: Field.amountB, expiresAtUs: Field.untilUs,
})
/** The owner is an OwnerKind; the events are a mask, and the endpoint stands on the credential. */
export const EndpointSet = cellsOf(endpointSet, {
  account: Field.account, ownerKind: Field.code, webhookEvents: Field.amountA, credential: Field.amountB,
})
/** Generations count from 1. */
export const SecretRotated = cellsOf(secretRotated, { account: Field.account, ownerKind: Field.code, secretGeneration: Field.amountA })
export const DeliveryRow = cellsOf([deliveryQueued, deliveryAttempted, deliveryChanged, deliveryRequeued], DELIVERY)
/** `eventSeq` is the seq of the row that the delivery tells of. */
export const DeliveryQueued = cellsOf(deliveryQueued, { ...DELIVERY, ownerKind: Field.code, eventSeq: Field.amountC })
/** Attempts count from 1. */
export const DeliveryAttempted = cellsOf(deliveryAttempted, {
  ...DELIVERY, ownerKind: Field.code, attempt: Field.amountC, secretGeneration: Field.amountD, timeoutAtUs: Field.untilUs,
})
/** The status is a DeliveryStatus, the response an HTTP status or an Answer; the next attempt may be NONE. */
export const DeliveryChanged = cellsOf([deliveryChanged, deliveryRequeued], {
  ...DELIVERY, status: Field.code, attempts: Field.amountC, response: Field.amountD, nextAttemptAtUs: Field.untilUs,
})
/** Rows that webhooks tell (webhooks.ts). The counterparty is the backing maker wherever a maker can subscribe. */
export const WebhookRow = cellsOf(
  [positionSettled, positionCancelled, positionBoughtBack, positionTransferred, statusChanged, fundsDeposited, fundsWithdrawn],
  { user: Field.account, counterparty: Field.other, request: Field.request },
)
export const StreamChanged = cellsOf([streamOpened, streamClosed], { account: Field.account })

export const PARLAY_EVENT_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(ParlayEvent).map(([name, kind]) => [kind, name]),
)

/** Statuses that `parlay.status_changed` reports (PQ-123). */
export const ParlayStatus = { accepted: 1, confirmed: 2, executed: 3, cancelled: 4 } as const

export const RequestState = { active: 1, committed: 2, cancelled: 3, expired: 4 } as const
export const QuoteState = { live: 1, replaced: 2, withdrawn: 3, expired: 4, invalidated: 5, reserved: 6, filled: 7, failed: 8 } as const
/** `confirmed` until the chain has funded it. */
export const PositionState = { executed: 1, settled: 2, confirmed: 3, decided: 4 } as const
export const CancelReason = { userCancelled: 0, chainFailed: 1 } as const
/** `execution`: a fill while the chain is well, where executionMs is above 0; it fences nobody. */
export const VaultEffect = { deposit: 1, withdrawal: 2, fill: 3, execution: 4 } as const
export const VaultStatus = { completed: 0, chainPending: 1, balancePending: 2, failed: 3 } as const
export const AuctionState = { active: 1, committed: 2, cancelled: 3, expired: 4 } as const
export const AuctionEnd = { bySeller: 0, positionDecided: 1 } as const
export const AuctionRoute = { closes: 0, transfers: 1 } as const
export const BidState = { live: 1, replaced: 2, expired: 3, invalidated: 4, won: 5, failed: 6 } as const
export const PositionOutcome = { lost: 0, won: 1, void: 2 } as const
