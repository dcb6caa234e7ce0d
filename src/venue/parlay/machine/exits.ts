import * as ledgerModule from '../../../ledger/ledger.ts'
import { feeFloor, type Micros } from '../../../unit/micros.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as codesModule from '../protocol/codes.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import * as eventsModule from '../protocol/events.ts'
import { countBacked, countEnded, countTakenOver, hasWallet, isFenced } from './accounts.ts'
import { endAuction, isNearClose, openAuctionRow, refuseOnAuction, replyOnAuction } from './auctions.ts'
import { failBid, winBid } from './bids.ts'
import { closePot, payFromPot, takeProfitFee, takeTakerFee } from './pots.ts'
import type { ParlayState } from './state.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { AccountKind, PostingCause } = ledgerModule
const { Field, NONE } = eventRowsModule
const { ParlayCode } = codesModule
const { AuctionRoute, AuctionState, ParlayEvent } = eventsModule

/** The seller takes the best bid: the backing maker closes the position, another maker takes it over (PQ-455, PQ-456). */
export function commitCashout(s: ParlayState, c: ParlayCommand): void {
  const refusal = refusalOfCommit(s, c)
  if (refusal !== ParlayCode.ok) return refuseOnAuction(s, c, refusal)
  const { auctions, bids, positions, events } = s
  const a = auctions.index.slotOf(c.auction)
  const b = auctions.bestBid[a]!
  const buyer = bids.maker[b]!
  const bid = codeOfBuyer(s, a, b)
  if (bid === ParlayCode.vaultFenced) return refuseOnAuction(s, c, bid)
  if (bid !== ParlayCode.ok) {
    failBid(s, b, bid)
    replyOnAuction(s, c, bid, a)
    events.set(Field.quote, bids.number[b]!)
    events.set(Field.other, buyer)
    return
  }

  const p = positions.index.slotOf(auctions.position[a]!)
  const closes = buyer === auctions.backer[a]
  const priceMicros = bids.priceMicros[b]!
  const feeMicros = closes || s.profile.profitFeeOnTransfer === 1
    ? profitFee(priceMicros - positions.basisMicros[p]!, positions.profitFeeBps[p]!)
    : 0
  const makerFeeMicros = makerFee(s, p, priceMicros)
  if (closes) payBuyback(s, p, priceMicros, feeMicros, makerFeeMicros)
  else payTransfer(s, p, buyer, priceMicros, feeMicros)
  winBid(s, b)
  auctions.winner[a] = buyer
  endAuction(s, a, AuctionState.committed)
  openAuctionRow(s, ParlayEvent.auctionCommitted, a, c.account)
  events.set(Field.other, buyer)
  events.set(Field.quote, bids.number[b]!)
  events.set(Field.amountA, priceMicros)
  events.set(Field.amountB, feeMicros)
  events.set(Field.code, closes ? AuctionRoute.closes : AuctionRoute.transfers)
  if (closes) buyBack(s, a, p, priceMicros, feeMicros, makerFeeMicros)
  else transfer(s, a, p, buyer, priceMicros, feeMicros)
  replyOnAuction(s, c, ParlayCode.ok, a)
  events.set(Field.quote, bids.number[b]!)
  events.set(Field.other, buyer)
  events.set(Field.amountB, priceMicros - feeMicros)
  events.set(Field.amountC, feeMicros)
  events.set(Field.amountD, priceMicros)
}

/** Why a commit is refused before its best bid is looked at, or ok. */
function refusalOfCommit(s: ParlayState, c: ParlayCommand): number {
  const { auctions, bids, positions, terms } = s
  const amountValid = c.amountMicros === NONE || (Number.isInteger(c.amountMicros) && c.amountMicros >= 1)
  if (!Number.isInteger(c.auction) || !amountValid) return ParlayCode.invalid
  const a = auctions.index.slotOf(c.auction)
  if (a === NONE) return ParlayCode.notFound
  if (auctions.seller[a] !== c.account) return ParlayCode.forbidden
  const p = positions.index.slotOf(auctions.position[a]!)
  if (p !== NONE && positions.holder[p] !== c.account) return ParlayCode.alreadyTransferred
  if (auctions.state[a] === AuctionState.expired) return ParlayCode.gone
  if (auctions.state[a] !== AuctionState.active) return ParlayCode.auctionNotActive
  if (isNearClose(s, p)) return ParlayCode.marketNearClose
  if (terms.chainDisabled) return ParlayCode.chainDisabled
  if (terms.chainFault() || isFenced(s, c.account)) return ParlayCode.vaultFenced
  const best = auctions.bestBid[a]!
  return best === NONE || bids.priceMicros[best]! < c.amountMicros ? ParlayCode.noActiveBid : ParlayCode.ok
}

/** Why the maker of the best bid cannot buy, or ok (readings A34). */
function codeOfBuyer(s: ParlayState, a: number, b: number): number {
  const { auctions, bids, vaults, ledger } = s
  const buyer = bids.maker[b]!
  const priceMicros = bids.priceMicros[b]!
  if (buyer === auctions.backer[a]) {
    if (!hasWallet(s, buyer)) return ParlayCode.buyerIsCounterparty
    if (isFenced(s, buyer)) return ParlayCode.vaultFenced
    return priceMicros > auctions.boundMicros[a]! ? ParlayCode.amountOverBound : ParlayCode.ok
  }
  if (!vaults.has(buyer)) return ParlayCode.buyerNoVault
  if (isFenced(s, buyer)) return ParlayCode.vaultFenced
  return ledger.freeMicros(buyer) < priceMicros ? ParlayCode.insufficientBuyerBalance : ParlayCode.ok
}

const profitFee = (profitMicros: number, feeBps: number): number => feeFloor(Math.max(0, profitMicros) as Micros, feeBps)

/** The backing maker's own fee when it closes a position below its stake. */
const makerFee = (s: ParlayState, p: number, priceMicros: number): number =>
  s.profile.profitFeeOnMaker === 1 ? profitFee(s.positions.stakeMicros[p]! - priceMicros, s.positions.profitFeeBps[p]!) : 0

/** Splits the pot between seller, house and maker; the house keeps the taker fee (PQ-426, readings A30). */
function payBuyback(s: ParlayState, p: number, priceMicros: number, feeMicros: number, makerFeeMicros: number): void {
  const { positions } = s
  const payoutMicros = positions.stakeMicros[p]! + positions.riskMicros[p]!
  payFromPot(s, p, PostingCause.buyback, positions.holder[p]!, priceMicros - feeMicros)
  takeProfitFee(s, p, feeMicros)
  payFromPot(s, p, PostingCause.buyback, positions.backer[p]!, payoutMicros - priceMicros - makerFeeMicros)
  takeProfitFee(s, p, makerFeeMicros)
  takeTakerFee(s, p)
}

/** The buyer pays out of its free balance; pot and escrow stay (readings A29). */
function payTransfer(s: ParlayState, p: number, buyer: number, priceMicros: number, feeMicros: number): void {
  const { positions, ledger } = s
  const { free, house } = AccountKind
  const request = positions.request[p]!
  const number = positions.number[p]!
  ledger.post(s.nowUs, PostingCause.transfer, free, buyer, free, positions.holder[p]!, priceMicros - feeMicros, request, number)
  ledger.post(s.nowUs, PostingCause.profitFee, free, buyer, house, house, feeMicros, request, number)
}

/** Ends the paid-out position (PQ-455). */
function buyBack(s: ParlayState, a: number, p: number, priceMicros: number, feeMicros: number, makerFeeMicros: number): void {
  const { positions, events } = s
  const stakeMicros = positions.stakeMicros[p]!
  const toMakerMicros = stakeMicros + positions.riskMicros[p]! - priceMicros - makerFeeMicros
  openAuctionRow(s, ParlayEvent.positionBoughtBack, a, positions.holder[p]!)
  events.set(Field.other, positions.backer[p]!)
  events.set(Field.amountA, Math.abs(priceMicros - stakeMicros))
  events.set(Field.code, priceMicros >= stakeMicros ? 1 : 0)
  events.set(Field.amountB, priceMicros - feeMicros)
  events.set(Field.amountC, feeMicros)
  events.set(Field.amountD, toMakerMicros)
  countEnded(s, p, priceMicros - feeMicros)
  countBacked(s, p, toMakerMicros)
  closePot(s, p)
}

/** Gives the position to its buyer, who may sell it again (PQ-456, PQ-457). */
function transfer(s: ParlayState, a: number, p: number, buyer: number, priceMicros: number, feeMicros: number): void {
  const { positions, events } = s
  openAuctionRow(s, ParlayEvent.positionTransferred, a, positions.holder[p]!)
  events.set(Field.other, buyer)
  events.set(Field.amountA, priceMicros)
  events.set(Field.amountB, priceMicros - feeMicros)
  events.set(Field.amountC, feeMicros)
  countEnded(s, p, priceMicros - feeMicros)
  positions.holder[p] = buyer
  positions.costMicros[p] = priceMicros
  if (s.profile.profitFeeOnTransfer === 1) positions.basisMicros[p] = priceMicros
  countTakenOver(s, p)
}
