import { type Cell, type RowCells, rowOfKind } from '../../../src/venue/eventCells.ts'
import { EventCell, readCell } from '../../../src/venue/eventRows.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import * as events from '../../../src/venue/parlay/protocol/events.ts'
import type { CellNames } from '../namedCells.ts'

export type KindName = keyof typeof events.ParlayEvent
type NamesOf<F extends string> = Readonly<Record<string, Cell<F>>>

const { ParlayEvent } = events

/** What the cells of each kind are called, all of them. Those of a reply are told by `replyNames`. */
const KINDS = {
  marketListed: events.MarketListed, marketHalted: events.MarketChanged, marketResumed: events.MarketChanged, marketDelisted: events.MarketChanged,
  marketResolved: events.MarketResolved, feesChanged: events.FeesChanged, faultChanged: events.FaultChanged,
  fundsDeposited: events.FundsMoved, fundsWithdrawn: events.FundsMoved, vaultTransactionStarted: events.VaultTransactionChanged,
  vaultTransactionChanged: events.VaultTransactionChanged, walletChanged: events.WalletChanged,
  requestCreated: events.RequestCreated, requestUpdated: events.RequestCreated, requestCancelled: events.RequestEnded,
  requestExpired: events.RequestEnded, requestCommitted: events.RequestEnded,
  quoteSubmitted: events.QuoteSubmitted, quoteReplaced: events.QuoteEnded, quoteWithdrawn: events.QuoteEnded, quoteExpired: events.QuoteEnded,
  quoteInvalidated: events.QuoteEnded, quoteSelected: events.QuoteSelected, quoteFilled: events.QuoteFilled, quoteFailed: events.QuoteFailed,
  bestQuoteChanged: events.BestQuoteChanged,
  positionOpened: events.PositionOpened, positionSettled: events.PositionSettled, positionCancelled: events.PositionCancelled,
  statusChanged: events.StatusChanged, positionBoughtBack: events.PositionBoughtBack, positionTransferred: events.PositionTransferred,
  positionFailed: events.PositionFailed, settlementDelayed: events.SettlementDelayed,
  auctionOpened: events.AuctionOpened, auctionCancelled: events.AuctionCancelled, auctionExpired: events.AuctionRow,
  auctionCommitted: events.AuctionCommitted,
  bidSubmitted: events.BidOffer, bidReplaced: events.BidOffer, bidExpired: events.BidOffer, bidInvalidated: events.BidRow,
  bidWon: events.BidRow, bidFailed: events.BidFailed, bestBidChanged: events.BidOffer,
  keyCreated: events.KeyChanged, keyRevoked: events.KeyChanged, keyExpired: events.KeyChanged,
  endpointSet: events.EndpointSet, secretRotated: events.SecretRotated,
  deliveryQueued: events.DeliveryQueued, deliveryAttempted: events.DeliveryAttempted, deliveryChanged: events.DeliveryChanged,
  deliveryRequeued: events.DeliveryChanged,
  streamOpened: events.StreamChanged, streamClosed: events.StreamChanged,
} satisfies { readonly [K in Exclude<KindName, 'reply'>]: NamesOf<`parlay.${K}`> }

type CellsOfKinds = typeof KINDS & { readonly reply: typeof events.Reply }
/** What the cells of a kind are called, or of each of several kinds; of a reply, what every reply has. */
export type CellName<N extends KindName> = keyof CellsOfKinds[N] & string

const NAMES: Readonly<Record<number, CellNames>> = Object.fromEntries(
  Object.entries(KINDS).map(([name, names]) => [ParlayEvent[name as KindName], names]),
)

const OPS = {
  [ParlayOp.createRequest]: events.RequestReply, [ParlayOp.updateRequest]: events.RequestReply, [ParlayOp.commitRequest]: events.CommitReply,
  [ParlayOp.submitQuote]: events.QuoteReply, [ParlayOp.withdrawQuote]: events.QuoteReply,
  [ParlayOp.confirmSelection]: events.LastLookReply, [ParlayOp.declineSelection]: events.LastLookReply,
  [ParlayOp.openCashout]: events.AuctionReply, [ParlayOp.cancelCashout]: events.AuctionReply, [ParlayOp.submitBid]: events.AuctionReply,
  [ParlayOp.commitCashout]: events.SaleReply,
  [ParlayOp.deposit]: events.VaultReply, [ParlayOp.withdraw]: events.VaultReply, [ParlayOp.walletWithdraw]: events.VaultReply,
  [ParlayOp.createKey]: events.KeyReply, [ParlayOp.rotateSecret]: events.SecretReply,
} as const
const REFUSALS = {
  [ParlayCode.insufficientCollateral]: events.CollateralRefusal, [ParlayCode.priceAboveMaxPayout]: events.PriceRefusal,
  [ParlayCode.rateLimited]: events.LimitRefusal, [ParlayCode.partialVaultOnly]: events.PartialReply,
} as const
type Form = (typeof OPS)[keyof typeof OPS] | (typeof REFUSALS)[keyof typeof REFUSALS]
type NameIn<F> = F extends unknown ? keyof F & string : never
/** What the cells of some reply are called. */
export type ReplyName = CellName<'reply'> | NameIn<Form>

type Forms = Readonly<Record<number, CellNames>>
const replies = new Map<CellNames | undefined, CellNames>()

/** What the cells of a reply to the opcode `op` with `code` are called. */
export function replyNames(op: number, code: number): CellNames {
  const form: CellNames | undefined = (REFUSALS as Forms)[code] ?? (OPS as Forms)[op]
  const known = replies.get(form)
  if (known !== undefined) return known
  const names = { ...events.Reply, ...form }
  replies.set(form, names)
  return names
}

/** What the cells of a kind are called; of a reply what every reply has. */
export const kindNames = (kind: number): CellNames => NAMES[kind] ?? events.Reply

/** What the cells of a row are called. */
export function namesOf(row: RowCells): CellNames {
  const kind = readCell(row, EventCell.kind) as events.ParlayKind
  if (kind !== ParlayEvent.reply) return kindNames(kind)
  const reply = rowOfKind(row, kind)
  return replyNames(readCell(reply, events.Reply.op), readCell(reply, events.Reply.code))
}
