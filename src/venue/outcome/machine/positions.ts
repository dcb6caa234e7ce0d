import { AccountKind, PostingCause } from '../../../ledger/ledger.ts'
import { NONE } from '../../eventRows.ts'
import { OutcomeResult } from '../protocol/commands.ts'
import { OutcomeEvent, OutcomeField, PositionState } from '../protocol/events.ts'
import { cancelCashoutOfDecided } from './cashouts.ts'
import { O } from './operationRows.ts'
import { openOperationRow } from './operations.ts'
import { P } from './positionRows.ts'
import { scheduleSettlement } from './settlement.ts'
import type { OutcomeState } from './state.ts'
import { openFundsRow } from './vault.ts'

/** Whether results have decided position `p`; −1, one that is settled and forgotten, is decided too. */
export const isPositionDecided = (s: OutcomeState, p: number): boolean => p === NONE || s.positions.words[p + P.decided] === 1

/** The fill of operation `o` is done: moves what was reserved and the core part into the pot and opens the position. */
export function openPosition(s: OutcomeState, o: number): void {
  const { positions, operations } = s
  const p = positions.take()
  const { words, cells } = positions
  const netStakeMicros = operations.cells[o + O.netStakeMicros]!
  const stakeMicros = operations.cells[o + O.stakeMicros]!
  words[p + P.holder] = operations.words[o + O.account]!
  words[p + P.backer] = operations.words[o + O.other]!
  words[p + P.state] = PositionState.open
  words[p + P.feeBps] = operations.words[o + O.feeBps]!
  words[p + P.decided] = words[p + P.wonLegs] = words[p + P.lostLegs] = words[p + P.voidLegs] = 0
  cells[p + P.number] = positions.index.lastNumber
  cells[p + P.rfq] = operations.cells[o + O.rfq]!
  cells[p + P.quote] = operations.cells[o + O.quote]!
  cells[p + P.netStakeMicros] = netStakeMicros
  cells[p + P.payoutMicros] = operations.cells[o + O.payoutMicros]!
  cells[p + P.costMicros] = stakeMicros
  cells[p + P.basisMicros] = s.profile.profitOverGross === 1 ? stakeMicros : netStakeMicros
  cells[p + P.cashout] = NONE
  cells[p + P.entryFeeMicros] = stakeMicros - netStakeMicros
  fillPot(s, p, o)
  takeLegs(s, p, o)

  const coreMicros = operations.cells[o + O.coreMicros]!
  if (coreMicros > 0) openFundsRow(s, OutcomeEvent.fundsDeposited, words[p + P.holder]!, coreMicros)
  openOperationRow(s, OutcomeEvent.operationUpdated, o)
  announce(s, p, o)
}

/** Counts a result for the positions on `outcome`, and cancels the cash-outs of those that it decides, by number. */
export function decidePositions(s: OutcomeState, outcome: number): void {
  const { outcomes, positions } = s
  const decided: number[] = []
  for (let node = outcomes.firstLeg[outcome]!; node !== NONE; node = positions.legAfter[node]!) {
    const p = positions.positionOf(node)
    if (countLeg(s, p, node)) decided.push(positions.cells[p + P.number]!)
  }
  decided.sort((a, b) => a - b)
  for (const number of decided) cancelCashoutOfDecided(s, positions.rowOf(number))
}

/** Gives the position's row back and takes its legs off the lists of outcomes without a result. */
export function releasePosition(s: OutcomeState, p: number): void {
  const { positions, outcomes } = s
  const from = positions.legsFrom(p)
  for (let node = from; node < from + positions.words[p + P.legCount]!; node++) {
    const outcome = positions.legOutcomes[node]!
    if (outcomes.resolved[outcome] === 1) continue
    const before = positions.legBefore[node]!
    const after = positions.legAfter[node]!
    if (before === NONE) outcomes.firstLeg[outcome] = after
    else positions.legAfter[before] = after
    if (after !== NONE) positions.legBefore[after] = before
  }
  positions.index.release(positions.cells[p + P.number]!)
}

/** The stake less the fee and the maker's risk become the pot, the fee the house's (OM-252, readings B01). */
function fillPot(s: OutcomeState, p: number, o: number): void {
  const { positions, operations, ledger } = s
  const { external, house, pot, reserved } = AccountKind
  const slot = positions.slotAt(p)
  const holder = positions.words[p + P.holder]!
  const number = positions.cells[p + P.number]!
  const rfq = positions.cells[p + P.rfq]!
  const backer = positions.words[p + P.backer]!
  ledger.ensurePositions(positions.index.slotCount)
  ledger.post(s.nowUs, PostingCause.deposit, external, external, reserved, holder, operations.cells[o + O.coreMicros]!, rfq, number)
  ledger.post(s.nowUs, PostingCause.commit, reserved, holder, pot, slot, positions.cells[p + P.netStakeMicros]!, rfq, number)
  ledger.post(s.nowUs, PostingCause.takerFee, reserved, holder, house, house, positions.cells[p + P.entryFeeMicros]!, rfq, number)
  ledger.post(s.nowUs, PostingCause.commit, reserved, backer, pot, slot, operations.cells[o + O.riskMicros]!, rfq, number)
}

/**
 * Copies the fill's legs and links each to its outcome. One that got its result while the fill was under way counts at once, so
 * that such a position may be decided when it opens.
 */
function takeLegs(s: OutcomeState, p: number, o: number): void {
  const { positions, operations, outcomes } = s
  const count = operations.words[o + O.legCount]!
  const from = positions.legsFrom(p)
  const source = operations.legsFrom(o)
  positions.words[p + P.legCount] = count
  for (let i = 0; i < count; i++) {
    const node = from + i
    const outcome = operations.legOutcomes[source + i]!
    positions.legOutcomes[node] = outcome
    positions.legSides[node] = operations.legSides[source + i]!
    if (outcomes.resolved[outcome] === 1) {
      countLeg(s, p, node)
      continue
    }
    const first = outcomes.firstLeg[outcome]!
    positions.legBefore[node] = NONE
    positions.legAfter[node] = first
    if (first !== NONE) positions.legBefore[first] = node
    outcomes.firstLeg[outcome] = node
  }
}

/** Counts the result of a leg's outcome. Whether that decides the position, whose settlement is then scheduled. */
function countLeg(s: OutcomeState, p: number, node: number): boolean {
  const { positions, positions: { words }, outcomes } = s
  const result = outcomes.result[positions.legOutcomes[node]!]
  if (result === OutcomeResult.void) words[p + P.voidLegs]!++
  else if (result === positions.legSides[node]) words[p + P.wonLegs]!++
  else words[p + P.lostLegs]!++
  const isDecided = words[p + P.lostLegs]! > 0 || words[p + P.voidLegs]! > 0 || words[p + P.wonLegs] === words[p + P.legCount]
  if (!isDecided || words[p + P.decided] === 1) return false
  words[p + P.decided] = 1
  scheduleSettlement(s, p)
  return true
}

/** Tells the opening, with the legs. */
function announce(s: OutcomeState, p: number, o: number): void {
  const { positions, operations, events } = s
  events.open(s.nowUs, OutcomeEvent.positionOpened, s.cause)
  events.set(OutcomeField.account, positions.words[p + P.holder]!)
  events.set(OutcomeField.other, positions.words[p + P.backer]!)
  events.set(OutcomeField.rfq, positions.cells[p + P.rfq]!)
  events.set(OutcomeField.quote, positions.cells[p + P.quote]!)
  events.set(OutcomeField.position, positions.cells[p + P.number]!)
  events.set(OutcomeField.acceptance, operations.cells[o + O.acceptance]!)
  events.set(OutcomeField.oddsE4, operations.cells[o + O.oddsE4]!)
  events.set(OutcomeField.amountA, positions.cells[p + P.netStakeMicros]!)
  events.set(OutcomeField.amountB, positions.cells[p + P.payoutMicros]!)
  events.set(OutcomeField.amountC, positions.cells[p + P.entryFeeMicros]!)
  events.set(OutcomeField.amountD, positions.words[p + P.feeBps]!)
  const from = positions.legsFrom(p)
  for (let node = from; node < from + positions.words[p + P.legCount]!; node++) {
    events.push(positions.legOutcomes[node]!)
    events.push(positions.legSides[node]!)
  }
}
