import { PostingCause } from '../../../ledger/ledger.ts'
import { MS_US } from '../../../unit/time.ts'
import { Field, NONE } from '../../eventRows.ts'
import { OutcomeEvent, PositionOutcome, PositionState } from '../protocol/events.ts'
import { profitFee } from './fees.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { closePosition } from './positions.ts'
import { payFromPot, takeProfitFee } from './pots.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'

/**
 * Deadline: a batch that position `number`, which results have decided, is to be settled and claimed in. It waits for the
 * next one while the chain is stalled or a sale of it is under way.
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

/** The holder, whoever it is by now, gets the net stake, the backing maker its risk; the entry fee is not returned. */
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
  openPositionRow(s, OutcomeEvent.positionClaimed, p)
  events.set(Field.amountA, toHolderMicros)
  events.set(Field.amountC, feeMicros)
}

function tellSettled(s: OutcomeState, p: number, outcome: number, toHolderMicros: number, toBackerMicros: number, feeMicros: number): void {
  const { events } = s
  openPositionRow(s, OutcomeEvent.positionSettled, p)
  events.set(Field.code, outcome)
  events.set(Field.amountA, toHolderMicros)
  events.set(Field.amountB, toBackerMicros)
  events.set(Field.amountC, feeMicros)
  events.set(Field.amountD, 0)
}

/** Opens a row about a settled position, under the RFQ of its fill. */
function openPositionRow(s: OutcomeState, event: number, p: number): void {
  const { events, positions } = s
  events.open(s.nowUs, event, s.cause)
  events.set(Field.account, positions.words[p + PositionWord.holder]!)
  events.set(Field.other, positions.words[p + PositionWord.backer]!)
  events.set(Field.request, positions.cells[p + PositionCell.rfq]!)
  events.set(Field.position, positions.cells[p + PositionCell.number]!)
}
