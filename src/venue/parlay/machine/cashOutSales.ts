import { AccountKind, PostingCause } from '../../../ledger/ledger.ts'
import { feeFloor, type Micros } from '../../../unit/micros.ts'
import { NONE } from '../../../unit/none.ts'
import { type Row, rowAs } from '../../eventCells.ts'
import { ParlayCode } from '../protocol/codes.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import {
  AuctionCommitted, AuctionRoute, AuctionState, ParlayEvent, PositionBoughtBack, PositionTransferred, SaleReply,
} from '../protocol/events.ts'
import { countBacked, countEnded, countTakenOver, hasWallet, isFenced } from './accounts.ts'
import { AuctionCell, AuctionWord } from './auctionRows.ts'
import { endAuction } from './auctions.ts'
import { BidCell, BidWord } from './bidRows.ts'
import { failBid, winBid } from './bids.ts'
import { isNearClose } from './markets.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { closePosition } from './positions.ts'
import { payFromPot, takeProfitFee, takeTakerFee } from './pots.ts'
import { openAuctionRow, openCashOutRow, refuseOnAuction, replyOnAuction } from './rows.ts'
import type { ParlayState } from './state.ts'

/** The seller takes the best bid: the backing maker closes the position, or another maker takes it over (PQ-455, PQ-456). */
export function commitCashout(s: ParlayState, c: ParlayCommand): void {
  const refusal = refusalOfCommit(s, c)
  if (refusal !== ParlayCode.ok) return refuseOnAuction(s, c, refusal)
  const { auctions, bids, positions, events } = s
  const a = auctions.rowOf(c.auction)
  const b = auctions.words[a + AuctionWord.bestBid]!
  const buyer = bids.words[b + BidWord.maker]!
  const bid = codeOfBuyer(s, a, b)
  if (bid === ParlayCode.vaultFenced) return refuseOnAuction(s, c, bid)
  if (bid !== ParlayCode.ok) {
    failBid(s, b, bid)
    replyOnSale(s, c, bid, a, b)
    return
  }

  const p = positions.rowOf(auctions.cells[a + AuctionCell.position]!)
  const closes = buyer === auctions.words[a + AuctionWord.backer]
  const priceMicros = bids.cells[b + BidCell.priceMicros]!
  const feeMicros = closes || s.profile.profitFeeOnTransfer === 1
    ? profitFee(priceMicros - positions.cells[p + PositionCell.basisMicros]!, positions.words[p + PositionWord.profitFeeBps]!)
    : 0
  const makerFeeMicros = makerFee(s, p, priceMicros)
  if (closes) payBuyback(s, p, priceMicros, feeMicros, makerFeeMicros)
  else payTransfer(s, p, buyer, priceMicros, feeMicros)
  winBid(s, b)
  auctions.words[a + AuctionWord.winner] = buyer
  endAuction(s, a, AuctionState.committed)
  const row = openAuctionRow(s, ParlayEvent.auctionCommitted, a)
  events.write(row, AuctionCommitted.winner, buyer)
  events.write(row, AuctionCommitted.bid, bids.cells[b + BidCell.number]!)
  events.write(row, AuctionCommitted.priceMicros, priceMicros)
  events.write(row, AuctionCommitted.profitFeeMicros, feeMicros)
  events.write(row, AuctionCommitted.route, closes ? AuctionRoute.closes : AuctionRoute.transfers)
  if (closes) buyBack(s, a, p, priceMicros, feeMicros, makerFeeMicros)
  else transfer(s, a, p, buyer, priceMicros, feeMicros)
  const answer = replyOnSale(s, c, ParlayCode.ok, a, b)
  events.write(answer, SaleReply.toSellerMicros, priceMicros - feeMicros)
  events.write(answer, SaleReply.profitFeeMicros, feeMicros)
  events.write(answer, SaleReply.priceMicros, priceMicros)
}

/** Opens the reply to the commit that took bid `b`, or could not take it. */
function replyOnSale(s: ParlayState, c: ParlayCommand, code: number, a: number, b: number): Row<'parlay.reply.sale'> {
  const { bids, events } = s
  const row = rowAs(SaleReply, replyOnAuction(s, c, code, a))
  events.write(row, SaleReply.bid, bids.cells[b + BidCell.number]!)
  events.write(row, SaleReply.maker, bids.words[b + BidWord.maker]!)
  return row
}

/** Why a commit is refused before its best bid is looked at, or ok. */
function refusalOfCommit(s: ParlayState, c: ParlayCommand): number {
  const { auctions, bids, positions, terms } = s
  const amountValid = c.amountMicros === NONE || (Number.isInteger(c.amountMicros) && c.amountMicros >= 1)
  if (!Number.isInteger(c.auction) || !amountValid) return ParlayCode.invalid
  const a = auctions.rowOf(c.auction)
  if (a === NONE) return ParlayCode.notFound
  if (auctions.words[a + AuctionWord.seller] !== c.account) return ParlayCode.forbidden
  const p = positions.rowOf(auctions.cells[a + AuctionCell.position]!)
  if (p !== NONE && positions.words[p + PositionWord.holder] !== c.account) return ParlayCode.alreadyTransferred
  if (auctions.words[a + AuctionWord.state] === AuctionState.expired) return ParlayCode.gone
  if (auctions.words[a + AuctionWord.state] !== AuctionState.active) return ParlayCode.auctionNotActive
  if (isNearClose(s, p)) return ParlayCode.marketNearClose
  if (terms.chainDisabled) return ParlayCode.chainDisabled
  if (terms.chainFault() || isFenced(s, c.account)) return ParlayCode.vaultFenced
  const best = auctions.words[a + AuctionWord.bestBid]!
  return best === NONE || bids.cells[best + BidCell.priceMicros]! < c.amountMicros ? ParlayCode.noActiveBid : ParlayCode.ok
}

/** Why the maker of the best bid cannot buy, or ok (readings A34). */
function codeOfBuyer(s: ParlayState, a: number, b: number): number {
  const { auctions, bids, vaults, ledger } = s
  const buyer = bids.words[b + BidWord.maker]!
  const priceMicros = bids.cells[b + BidCell.priceMicros]!
  if (buyer === auctions.words[a + AuctionWord.backer]) {
    if (!hasWallet(s, buyer)) return ParlayCode.buyerIsCounterparty
    if (isFenced(s, buyer)) return ParlayCode.vaultFenced
    return priceMicros > auctions.cells[a + AuctionCell.boundMicros]! ? ParlayCode.amountOverBound : ParlayCode.ok
  }
  if (!vaults.has(buyer)) return ParlayCode.buyerNoVault
  if (isFenced(s, buyer)) return ParlayCode.vaultFenced
  return ledger.freeMicros(buyer) < priceMicros ? ParlayCode.insufficientBuyerBalance : ParlayCode.ok
}

const profitFee = (profitMicros: number, feeBps: number): number => feeFloor(Math.max(0, profitMicros) as Micros, feeBps)

/** The backing maker's own fee when it closes a position below its stake. */
const makerFee = ({ positions: { words, cells }, profile }: ParlayState, p: number, priceMicros: number): number =>
  profile.profitFeeOnMaker === 1 ? profitFee(cells[p + PositionCell.stakeMicros]! - priceMicros, words[p + PositionWord.profitFeeBps]!) : 0

/** Splits the pot between seller, house and maker. The house keeps the taker fee (PQ-426, readings A30). */
function payBuyback(s: ParlayState, p: number, priceMicros: number, feeMicros: number, makerFeeMicros: number): void {
  const { positions } = s
  const payoutMicros = positions.cells[p + PositionCell.stakeMicros]! + positions.cells[p + PositionCell.riskMicros]!
  payFromPot(s, p, PostingCause.buyback, positions.words[p + PositionWord.holder]!, priceMicros - feeMicros)
  takeProfitFee(s, p, feeMicros)
  payFromPot(s, p, PostingCause.buyback, positions.words[p + PositionWord.backer]!, payoutMicros - priceMicros - makerFeeMicros)
  takeProfitFee(s, p, makerFeeMicros)
  takeTakerFee(s, p)
}

/** The buyer pays out of its free balance. Pot and escrow stay (readings A29). */
function payTransfer(s: ParlayState, p: number, buyer: number, priceMicros: number, feeMicros: number): void {
  const { positions, ledger } = s
  const { free, house } = AccountKind
  const request = positions.cells[p + PositionCell.request]!
  const number = positions.cells[p + PositionCell.number]!
  ledger.post(s.nowUs, PostingCause.transfer, free, buyer, free, positions.words[p + PositionWord.holder]!, priceMicros - feeMicros, request, number)
  ledger.post(s.nowUs, PostingCause.profitFee, free, buyer, house, house, feeMicros, request, number)
}

/** Ends the paid-out position (PQ-455). */
function buyBack(s: ParlayState, a: number, p: number, priceMicros: number, feeMicros: number, makerFeeMicros: number): void {
  const { positions, events } = s
  const stakeMicros = positions.cells[p + PositionCell.stakeMicros]!
  const toMakerMicros = stakeMicros + positions.cells[p + PositionCell.riskMicros]! - priceMicros - makerFeeMicros
  const row = openCashOutRow(s, ParlayEvent.positionBoughtBack, a)
  events.write(row, PositionBoughtBack.holder, positions.words[p + PositionWord.holder]!)
  events.write(row, PositionBoughtBack.backer, positions.words[p + PositionWord.backer]!)
  events.write(row, PositionBoughtBack.differenceMicros, Math.abs(priceMicros - stakeMicros))
  events.write(row, PositionBoughtBack.isPaidByMaker, priceMicros >= stakeMicros ? 1 : 0)
  events.write(row, PositionBoughtBack.toHolderMicros, priceMicros - feeMicros)
  events.write(row, PositionBoughtBack.profitFeeMicros, feeMicros)
  events.write(row, PositionBoughtBack.toBackerMicros, toMakerMicros)
  countEnded(s, p, priceMicros - feeMicros)
  countBacked(s, p, toMakerMicros)
  closePosition(s, p)
}

/** Gives the position to its buyer, who may sell it again (PQ-456, PQ-457). */
function transfer(s: ParlayState, a: number, p: number, buyer: number, priceMicros: number, feeMicros: number): void {
  const { positions, events } = s
  const row = openCashOutRow(s, ParlayEvent.positionTransferred, a)
  events.write(row, PositionTransferred.seller, positions.words[p + PositionWord.holder]!)
  events.write(row, PositionTransferred.buyer, buyer)
  events.write(row, PositionTransferred.priceMicros, priceMicros)
  events.write(row, PositionTransferred.toSellerMicros, priceMicros - feeMicros)
  events.write(row, PositionTransferred.profitFeeMicros, feeMicros)
  countEnded(s, p, priceMicros - feeMicros)
  positions.words[p + PositionWord.holder] = buyer
  positions.cells[p + PositionCell.costMicros] = priceMicros
  if (s.profile.profitFeeOnTransfer === 1) positions.cells[p + PositionCell.basisMicros] = priceMicros
  countTakenOver(s, p)
}
