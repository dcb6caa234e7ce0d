import { PostingCause } from '../../../ledger/ledger.ts'
import { NONE } from '../../../unit/none.ts'
import { MS_US } from '../../../unit/time.ts'
import type { Kind, KindOf, Row } from '../../eventCells.ts'
import { OutcomeEvent, PositionClaimed, PositionOutcome, PositionRow, PositionSettled, PositionState } from '../protocol/events.ts'
import { profitFee } from './fees.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { closePosition } from './positions.ts'
import { payFromPot, takeProfitFee } from './pots.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'

/**
 * Deadline: the batch in which position `number`, which results have decided, is settled and claimed. The position waits for the
 * next batch while the chain is stalled or a sale of the position is under way.
 */
export function settlementDue(s: OutcomeState, number: number): void {
  const { positions } = s
  const p = positions.rowOf(number)
  // A cash-out has closed it meanwhile.
  if (p === NONE) return
  if (s.terms.chainStalled || positions.words[p + PositionWord.state] === PositionState.closing) {
    return s.deadlines.push(s.nowUs + s.profile.settlementEveryMs * MS_US, DeadlineRank.settlement, number)
  }
  if (positions.words[p + PositionWord.lostLegs]! > 0) settleLost(s, p)
  else if (positions.words[p + PositionWord.voidLegs]! > 0) settleVoid(s, p)
  else settleWon(s, p)
  closePosition(s, p)
}

function settleLost(s: OutcomeState, p: number): void {
  const { positions } = s
  const payoutMicros = positions.cells[p + PositionCell.payoutMicros]!
  payFromPot(s, p, PostingCause.settle, positions.words[p + PositionWord.backer]!, payoutMicros, positions.cells[p + PositionCell.rfq]!)
  tellSettled(s, p, PositionOutcome.lost, 0, payoutMicros, 0)
}

/** The present holder gets the net stake, and the backing maker its risk. The entry fee is not returned. */
function settleVoid(s: OutcomeState, p: number): void {
  const { positions } = s
  const netStakeMicros = positions.cells[p + PositionCell.netStakeMicros]!
  const riskMicros = positions.cells[p + PositionCell.payoutMicros]! - netStakeMicros
  payFromPot(s, p, PostingCause.void, positions.words[p + PositionWord.holder]!, netStakeMicros, positions.cells[p + PositionCell.rfq]!)
  payFromPot(s, p, PostingCause.void, positions.words[p + PositionWord.backer]!, riskMicros, positions.cells[p + PositionCell.rfq]!)
  tellSettled(s, p, PositionOutcome.void, netStakeMicros, riskMicros, 0)
}

/** Settled and claimed in one: the fee is taken at the claim (OM-253). */
function settleWon(s: OutcomeState, p: number): void {
  const { positions, events } = s
  const payoutMicros = positions.cells[p + PositionCell.payoutMicros]!
  const feeMicros = profitFee(payoutMicros - positions.cells[p + PositionCell.basisMicros]!, positions.words[p + PositionWord.feeBps]!)
  const toHolderMicros = payoutMicros - feeMicros
  payFromPot(s, p, PostingCause.settle, positions.words[p + PositionWord.holder]!, toHolderMicros, positions.cells[p + PositionCell.rfq]!)
  takeProfitFee(s, p, feeMicros, positions.cells[p + PositionCell.rfq]!)
  tellSettled(s, p, PositionOutcome.won, toHolderMicros, 0, feeMicros)
  const row = openPositionRow(s, OutcomeEvent.positionClaimed, p)
  events.write(row, PositionClaimed.toHolderMicros, toHolderMicros)
  events.write(row, PositionClaimed.profitFeeMicros, feeMicros)
}

function tellSettled(s: OutcomeState, p: number, outcome: number, toHolderMicros: number, toBackerMicros: number, feeMicros: number): void {
  const { events } = s
  const row = openPositionRow(s, OutcomeEvent.positionSettled, p)
  events.write(row, PositionSettled.outcome, outcome)
  events.write(row, PositionSettled.toHolderMicros, toHolderMicros)
  events.write(row, PositionSettled.toBackerMicros, toBackerMicros)
  events.write(row, PositionSettled.profitFeeMicros, feeMicros)
  events.write(row, PositionSettled.takerFeeKeptMicros, 0)
}

/** Opens a row about a settled position, under the RFQ of its fill. */
function openPositionRow<N extends KindOf<typeof PositionRow>>(s: OutcomeState, kind: Kind<N>, p: number): Row<N> {
  const { events, positions } = s
  const row = events.open(s.nowUs, kind, s.cause)
  events.write(row, PositionRow.holder, positions.words[p + PositionWord.holder]!)
  events.write(row, PositionRow.backer, positions.words[p + PositionWord.backer]!)
  events.write(row, PositionRow.rfq, positions.cells[p + PositionCell.rfq]!)
  events.write(row, PositionRow.position, positions.cells[p + PositionCell.number]!)
  return row
}
