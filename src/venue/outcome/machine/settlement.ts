import * as ledgerModule from '../../../ledger/ledger.ts'
import * as timeModule from '../../../unit/time.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as eventsModule from '../protocol/events.ts'
import { closePot, payFromPot, profitFee, takeProfitFee } from './pots.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { PostingCause } = ledgerModule
const { MS_US } = timeModule
const { Field, NONE } = eventRowsModule
const { OutcomeEvent, PositionOutcome, PositionState } = eventsModule

/** Schedules the settlement of a decided position in the first batch at or after this instant (OM-262, readings B14). */
export function scheduleSettlement(s: OutcomeState, p: number): void {
  const everyUs = s.profile.settlementEveryMs * MS_US
  const phaseUs = s.profile.settlementPhaseMs * MS_US
  const batch = Math.ceil((s.nowUs - phaseUs) / everyUs)
  s.deadlines.push(phaseUs + batch * everyUs, DeadlineRank.settlement, s.positions.number[p]!)
}

/**
 * Deadline: a batch that position `number`, which results have decided, is to be settled and claimed in. It waits for the
 * next one while the chain is stalled or a sale of it is under way.
 */
export function settlementDue(s: OutcomeState, number: number): void {
  const { positions } = s
  const p = positions.index.slotOf(number)
  // A cash-out has closed it meanwhile.
  if (p === NONE) return
  if (s.terms.chainStalled || positions.state[p] === PositionState.closing) {
    return s.deadlines.push(s.nowUs + s.profile.settlementEveryMs * MS_US, DeadlineRank.settlement, number)
  }
  if (positions.lostLegs[p]! > 0) settleLost(s, p)
  else if (positions.voidLegs[p]! > 0) settleVoid(s, p)
  else settleWon(s, p)
  closePot(s, p)
}

function settleLost(s: OutcomeState, p: number): void {
  const { positions } = s
  const payoutMicros = positions.payoutMicros[p]!
  payFromPot(s, p, PostingCause.settle, positions.backer[p]!, payoutMicros, positions.rfq[p]!)
  tellSettled(s, p, PositionOutcome.lost, 0, payoutMicros, 0)
}

/** The holder, whoever it is by now, gets the net stake, the backing maker its risk; the entry fee is not returned. */
function settleVoid(s: OutcomeState, p: number): void {
  const { positions } = s
  const netStakeMicros = positions.netStakeMicros[p]!
  const riskMicros = positions.payoutMicros[p]! - netStakeMicros
  payFromPot(s, p, PostingCause.void, positions.holder[p]!, netStakeMicros, positions.rfq[p]!)
  payFromPot(s, p, PostingCause.void, positions.backer[p]!, riskMicros, positions.rfq[p]!)
  tellSettled(s, p, PositionOutcome.void, netStakeMicros, riskMicros, 0)
}

/** Settled and claimed in one: the fee is taken at the claim (OM-253). */
function settleWon(s: OutcomeState, p: number): void {
  const { positions, events } = s
  const payoutMicros = positions.payoutMicros[p]!
  const feeMicros = profitFee(payoutMicros - positions.basisMicros[p]!, positions.feeBps[p]!)
  const toHolderMicros = payoutMicros - feeMicros
  payFromPot(s, p, PostingCause.settle, positions.holder[p]!, toHolderMicros, positions.rfq[p]!)
  takeProfitFee(s, p, feeMicros, positions.rfq[p]!)
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
  events.set(Field.account, positions.holder[p]!)
  events.set(Field.other, positions.backer[p]!)
  events.set(Field.request, positions.rfq[p]!)
  events.set(Field.position, positions.number[p]!)
}
