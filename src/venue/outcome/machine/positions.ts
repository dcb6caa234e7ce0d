import { AccountKind, PostingCause } from '../../../ledger/ledger.ts'
import { MarketResult } from '../../../market/sides.ts'
import { Bug } from '../../../unit/assert.ts'
import { NONE } from '../../../unit/none.ts'
import { MS_US } from '../../../unit/time.ts'
import { OutcomeEvent, PositionOpened, PositionState } from '../protocol/events.ts'
import { OperationCell, OperationWord } from './operationRows.ts'
import { openOperationRow } from './operations.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'
import { openFundsRow } from './vault.ts'

/** Whether results have decided position `p`. A settled and forgotten one, −1, is decided too. */
export const isPositionDecided = (s: OutcomeState, p: number): boolean => p === NONE || s.positions.words[p + PositionWord.decided] === 1

/** The fill of operation `o` is done: moves what was reserved and the core part into the pot and opens the position. */
export function openPosition(s: OutcomeState, o: number): void {
  const { positions, operations } = s
  const p = positions.take()
  const { words, cells } = positions
  const netStakeMicros = operations.cells[o + OperationCell.netStakeMicros]!
  const stakeMicros = operations.cells[o + OperationCell.stakeMicros]!
  words[p + PositionWord.holder] = operations.words[o + OperationWord.account]!
  words[p + PositionWord.backer] = operations.words[o + OperationWord.other]!
  words[p + PositionWord.state] = PositionState.open
  words[p + PositionWord.feeBps] = operations.words[o + OperationWord.feeBps]!
  words[p + PositionWord.decided] = words[p + PositionWord.wonLegs] = words[p + PositionWord.lostLegs] = words[p + PositionWord.voidLegs] = 0
  cells[p + PositionCell.number] = positions.index.lastNumber
  cells[p + PositionCell.rfq] = operations.cells[o + OperationCell.rfq]!
  cells[p + PositionCell.quote] = operations.cells[o + OperationCell.quote]!
  cells[p + PositionCell.netStakeMicros] = netStakeMicros
  cells[p + PositionCell.payoutMicros] = operations.cells[o + OperationCell.payoutMicros]!
  cells[p + PositionCell.costMicros] = stakeMicros
  cells[p + PositionCell.basisMicros] = s.profile.profitOverGross === 1 ? stakeMicros : netStakeMicros
  cells[p + PositionCell.cashout] = NONE
  cells[p + PositionCell.entryFeeMicros] = stakeMicros - netStakeMicros
  fillPot(s, p, o)
  takeLegs(s, p, o)

  const coreMicros = operations.cells[o + OperationCell.coreMicros]!
  if (coreMicros > 0) openFundsRow(s, OutcomeEvent.fundsDeposited, words[p + PositionWord.holder]!, coreMicros)
  openOperationRow(s, OutcomeEvent.operationUpdated, o)
  announce(s, p, o)
}

/** Ends a position that has been paid out in full, and forgets it (INV-06). */
export function closePosition(s: OutcomeState, p: number): void {
  const { positions, ledger } = s
  if (ledger.potMicros(positions.slotAt(p)) !== 0) throw new Bug(`position ${positions.cells[p + PositionCell.number]} is not paid out in full`)
  releasePosition(s, p)
}

/** Gives the position's row back and takes its legs off the lists of outcomes without a result. */
function releasePosition(s: OutcomeState, p: number): void {
  const { positions, outcomes } = s
  const from = positions.legsFrom(p)
  for (let node = from; node < from + positions.words[p + PositionWord.legCount]!; node++) {
    const outcome = positions.legOutcomes[node]!
    if (outcomes.resolved[outcome] === 1) continue
    positions.unlink(outcomes.firstLeg, outcome, node)
  }
  positions.index.release(positions.cells[p + PositionCell.number]!)
}

/** The stake minus the fee and the maker's risk become the pot. The fee goes to the house (OM-252, readings B01). */
function fillPot(s: OutcomeState, p: number, o: number): void {
  const { positions, operations, ledger } = s
  const { external, house, pot, reserved } = AccountKind
  const slot = positions.slotAt(p)
  const holder = positions.words[p + PositionWord.holder]!
  const number = positions.cells[p + PositionCell.number]!
  const rfq = positions.cells[p + PositionCell.rfq]!
  const backer = positions.words[p + PositionWord.backer]!
  ledger.ensurePositions(positions.index.slotCount)
  ledger.post(s.nowUs, PostingCause.deposit, external, external, reserved, holder, operations.cells[o + OperationCell.coreMicros]!, rfq, number)
  ledger.post(s.nowUs, PostingCause.commit, reserved, holder, pot, slot, positions.cells[p + PositionCell.netStakeMicros]!, rfq, number)
  ledger.post(s.nowUs, PostingCause.takerFee, reserved, holder, house, house, positions.cells[p + PositionCell.entryFeeMicros]!, rfq, number)
  ledger.post(s.nowUs, PostingCause.commit, reserved, backer, pot, slot, operations.cells[o + OperationCell.riskMicros]!, rfq, number)
}

/**
 * Copies the fill's legs and links each to its outcome. The result of an outcome that resolved while the fill was under way counts
 * at once, so that such a position may be decided when it opens.
 */
function takeLegs(s: OutcomeState, p: number, o: number): void {
  const { positions, operations, outcomes } = s
  const count = operations.words[o + OperationWord.legCount]!
  const from = positions.legsFrom(p)
  const source = operations.legsFrom(o)
  positions.words[p + PositionWord.legCount] = count
  for (let i = 0; i < count; i++) {
    const node = from + i
    const outcome = operations.legOutcomes[source + i]!
    positions.legOutcomes[node] = outcome
    positions.legSides[node] = operations.legSides[source + i]!
    if (outcomes.resolved[outcome] === 1) {
      countLeg(s, p, node)
      continue
    }
    positions.link(outcomes.firstLeg, outcome, node)
  }
}

/** Counts the result of a leg's outcome. Returns whether that decides the position, whose settlement is then scheduled. */
export function countLeg(s: OutcomeState, p: number, node: number): boolean {
  const { positions, positions: { words }, outcomes } = s
  const result = outcomes.result[positions.legOutcomes[node]!]
  if (result === MarketResult.void) words[p + PositionWord.voidLegs]!++
  else if (result === positions.legSides[node]) words[p + PositionWord.wonLegs]!++
  else words[p + PositionWord.lostLegs]!++
  const isDecided = words[p + PositionWord.lostLegs]! > 0 || words[p + PositionWord.voidLegs]! > 0 || words[p + PositionWord.wonLegs] === words[p + PositionWord.legCount]
  if (!isDecided || words[p + PositionWord.decided] === 1) return false
  words[p + PositionWord.decided] = 1
  scheduleSettlement(s, p)
  return true
}

/** Schedules the settlement of a decided position in the first batch at or after this instant (OM-262, readings B14). */
function scheduleSettlement(s: OutcomeState, p: number): void {
  const everyUs = s.profile.settlementEveryMs * MS_US
  const phaseUs = s.profile.settlementPhaseMs * MS_US
  const batch = Math.ceil((s.nowUs - phaseUs) / everyUs)
  s.deadlines.push(phaseUs + batch * everyUs, DeadlineRank.settlement, s.positions.cells[p + PositionCell.number]!)
}

/** Writes the row of the opening, with the legs. */
function announce(s: OutcomeState, p: number, o: number): void {
  const { positions, operations, events } = s
  const row = events.open(s.nowUs, OutcomeEvent.positionOpened, s.cause)
  events.write(row, PositionOpened.holder, positions.words[p + PositionWord.holder]!)
  events.write(row, PositionOpened.backer, positions.words[p + PositionWord.backer]!)
  events.write(row, PositionOpened.rfq, positions.cells[p + PositionCell.rfq]!)
  events.write(row, PositionOpened.quote, positions.cells[p + PositionCell.quote]!)
  events.write(row, PositionOpened.position, positions.cells[p + PositionCell.number]!)
  events.write(row, PositionOpened.acceptance, operations.cells[o + OperationCell.acceptance]!)
  events.write(row, PositionOpened.oddsE4, operations.cells[o + OperationCell.oddsE4]!)
  events.write(row, PositionOpened.netStakeMicros, positions.cells[p + PositionCell.netStakeMicros]!)
  events.write(row, PositionOpened.payoutMicros, positions.cells[p + PositionCell.payoutMicros]!)
  events.write(row, PositionOpened.takerFeeMicros, positions.cells[p + PositionCell.entryFeeMicros]!)
  events.write(row, PositionOpened.profitFeeBps, positions.words[p + PositionWord.feeBps]!)
  const from = positions.legsFrom(p)
  for (let node = from; node < from + positions.words[p + PositionWord.legCount]!; node++) {
    events.push(positions.legOutcomes[node]!)
    events.push(positions.legSides[node]!)
  }
}
