import { AccountKind, PostingCause } from '../../../ledger/ledger.ts'
import { type Kind, type KindOf, type Row, rowAs } from '../../eventCells.ts'
import { NONE } from '../../../unit/none.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import type { OutcomeCommand } from '../protocol/commands.ts'
import {
  OutcomeEvent, PositionClosed, PositionState, PositionTransferred, Refusal, RfqEnd, RfqReply, RfqState, SaleRow,
} from '../protocol/events.ts'
import { profitFee } from './fees.ts'
import { OperationCell, OperationWord } from './operationRows.ts'
import { openOperationRow } from './operations.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { closePosition, isPositionDecided } from './positions.ts'
import { payFromPot, takeProfitFee } from './pots.ts'
import { RfqCell, RfqWord } from './rfqRows.ts'
import { cancelRfqIn, openCashOutRfq } from './rfqs.ts'
import { openReply, refuseField, reply, replyOnRfq } from './rows.ts'
import type { OutcomeState } from './state.ts'

/** The holder of a position asks for prices for it (OM-009, OM-093). */
export function openCashout(s: OutcomeState, c: OutcomeCommand): void {
  const { positions, rfqs, events } = s
  if (!Number.isSafeInteger(c.position)) return refuseField(s, c, InvalidField.position)
  if (s.terms.financialActionsDisabled) return reply(s, c, OutcomeCode.financialActionsDisabled)
  const p = positions.rowOf(c.position)
  if (p === NONE || positions.words[p + PositionWord.holder] !== c.account) return reply(s, c, OutcomeCode.notFound)
  const refusal = refusalOfCashOut(s, p)
  if (refusal !== OutcomeCode.ok) {
    return events.write(rowAs(Refusal, openReply(s, s.cause, c.account, c.op, refusal)), Refusal.position, c.position)
  }

  const last = lastCashOutOf(s, p)
  if (last !== NONE && stateOf(s, last) === RfqState.closed) cancelRfqIn(s, last, RfqEnd.superseded)
  const r = openCashOutRfq(s, p)
  positions.cells[p + PositionCell.cashout] = rfqs.cells[r + RfqCell.number]!
  events.write(rowAs(RfqReply, replyOnRfq(s, c, r)), RfqReply.openUntilUs, rfqs.cells[r + RfqCell.openUntilUs]!)
}

function refusalOfCashOut(s: OutcomeState, p: number): number {
  const { positions, accounts } = s
  if (positions.words[p + PositionWord.state] === PositionState.closing || isPositionDecided(s, p)) return OutcomeCode.stateConflict
  const last = lastCashOutOf(s, p)
  const state = last === NONE ? NONE : stateOf(s, last)
  if (state === RfqState.open || state === RfqState.inFlight) return OutcomeCode.stateConflict
  return accounts.openRfqs[positions.words[p + PositionWord.holder]!]! >= s.profile.rfqIntentLimit ? OutcomeCode.rfqIntentLimit : OutcomeCode.ok
}

/** Cancels the cash-out RFQ of a position that results have decided, unless an acceptance or the sale is under way. */
export function cancelCashOutOfDecided(s: OutcomeState, p: number): void {
  const r = lastCashOutOf(s, p)
  if (r === NONE) return
  const state = stateOf(s, r)
  if (state === RfqState.open || state === RfqState.closed) cancelRfqIn(s, r, RfqEnd.decided)
}

/** The buyer confirmed: the position is neither sold nor settled until the chain has answered. */
export function cashOutConfirmed(s: OutcomeState, p: number): void {
  s.positions.words[p + PositionWord.state] = PositionState.closing
}

/** The backing maker takes the position back, or another maker takes it over (readings B16). */
export function cashOutDone(s: OutcomeState, o: number): void {
  const { positions, operations } = s
  const p = positions.rowOf(operations.cells[o + OperationCell.position]!)
  const priceMicros = operations.cells[o + OperationCell.amountMicros]!
  const profitMicros = priceMicros - positions.cells[p + PositionCell.basisMicros]!
  const feeMicros = s.profile.feeOnCashout === 1 ? profitFee(profitMicros, positions.words[p + PositionWord.feeBps]!) : 0
  if (operations.words[o + OperationWord.other] === positions.words[p + PositionWord.backer]) close(s, o, p, priceMicros, feeMicros)
  else transfer(s, o, p, priceMicros, feeMicros)
}

/** The chain dropped the sale: the price is released, and the position is open again. */
export function cashOutFailed(s: OutcomeState, o: number): void {
  const { positions, operations, ledger } = s
  const { free, reserved } = AccountKind
  const buyer = operations.words[o + OperationWord.other]!
  const rfq = operations.cells[o + OperationCell.rfq]!
  positions.words[positions.rowOf(operations.cells[o + OperationCell.position]!) + PositionWord.state] = PositionState.open
  ledger.post(s.nowUs, PostingCause.release, reserved, buyer, free, buyer, operations.cells[o + OperationCell.riskMicros]!, rfq, NONE)
  openOperationRow(s, OutcomeEvent.operationUpdated, o)
}

/** Splits the pot between seller, house and backing maker, and ends the position. */
function close(s: OutcomeState, o: number, p: number, priceMicros: number, feeMicros: number): void {
  const { positions, operations, events } = s
  const rfq = operations.cells[o + OperationCell.rfq]!
  const toMakerMicros = positions.cells[p + PositionCell.payoutMicros]! - priceMicros
  payFromPot(s, p, PostingCause.buyback, positions.words[p + PositionWord.holder]!, priceMicros - feeMicros, rfq)
  takeProfitFee(s, p, feeMicros, rfq)
  payFromPot(s, p, PostingCause.buyback, positions.words[p + PositionWord.backer]!, toMakerMicros, rfq)
  openOperationRow(s, OutcomeEvent.operationUpdated, o)
  const row = openSaleRow(s, OutcomeEvent.positionClosed, o, p, priceMicros, feeMicros)
  events.write(row, PositionClosed.holder, positions.words[p + PositionWord.holder]!)
  events.write(row, PositionClosed.backer, positions.words[p + PositionWord.backer]!)
  events.write(row, PositionClosed.toHolderMicros, priceMicros - feeMicros)
  events.write(row, PositionClosed.toBackerMicros, toMakerMicros)
  closePosition(s, p)
}

/** The buyer pays out of what it has reserved. Pot, backing maker, payout and rates stay (INV-08, INV-21). */
function transfer(s: OutcomeState, o: number, p: number, priceMicros: number, feeMicros: number): void {
  const { positions, operations, events, ledger } = s
  const { free, house, reserved } = AccountKind
  const rfq = operations.cells[o + OperationCell.rfq]!
  const number = positions.cells[p + PositionCell.number]!
  const buyer = operations.words[o + OperationWord.other]!
  ledger.post(s.nowUs, PostingCause.transfer, reserved, buyer, free, positions.words[p + PositionWord.holder]!, priceMicros - feeMicros, rfq, number)
  ledger.post(s.nowUs, PostingCause.profitFee, reserved, buyer, house, house, feeMicros, rfq, number)
  openOperationRow(s, OutcomeEvent.operationUpdated, o)
  const row = openSaleRow(s, OutcomeEvent.positionTransferred, o, p, priceMicros, feeMicros)
  events.write(row, PositionTransferred.seller, positions.words[p + PositionWord.holder]!)
  events.write(row, PositionTransferred.buyer, buyer)
  events.write(row, PositionTransferred.toSellerMicros, priceMicros - feeMicros)
  positions.words[p + PositionWord.state] = PositionState.open
  positions.words[p + PositionWord.holder] = buyer
  positions.cells[p + PositionCell.costMicros] = priceMicros
  if (s.profile.feeOnCashout === 1) positions.cells[p + PositionCell.basisMicros] = priceMicros
}

/** Opens the row of a sale under the cash-out RFQ. The caller writes who sells, who buys and what they get. */
function openSaleRow<N extends KindOf<typeof SaleRow>>(
  s: OutcomeState, kind: Kind<N>, o: number, p: number, priceMicros: number, feeMicros: number,
): Row<N> {
  const { positions, operations, events } = s
  const row = events.open(s.nowUs, kind, s.cause)
  events.write(row, SaleRow.rfq, operations.cells[o + OperationCell.rfq]!)
  events.write(row, SaleRow.generation, operations.words[o + OperationWord.generation]!)
  events.write(row, SaleRow.quote, operations.cells[o + OperationCell.quote]!)
  events.write(row, SaleRow.position, positions.cells[p + PositionCell.number]!)
  events.write(row, SaleRow.acceptance, operations.cells[o + OperationCell.acceptance]!)
  events.write(row, SaleRow.priceMicros, priceMicros)
  events.write(row, SaleRow.profitFeeMicros, feeMicros)
  return row
}

/** Row of the position's last cash-out RFQ, or −1 when there is none or it is forgotten. */
const lastCashOutOf = (s: OutcomeState, p: number): number => s.rfqs.rowOf(s.positions.cells[p + PositionCell.cashout]!)

const stateOf = (s: OutcomeState, r: number): number => s.rfqs.words[r + RfqWord.state]!
