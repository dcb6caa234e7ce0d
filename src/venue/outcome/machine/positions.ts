import * as ledgerModule from '../../../ledger/ledger.ts'
import { EntityColumns } from '../../../unit/countedColumns.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as commandsModule from '../protocol/commands.ts'
import * as eventsModule from '../protocol/events.ts'
import { cancelCashoutOfDecided } from './cashouts.ts'
import { openOperationRow } from './operations.ts'
import { scheduleSettlement } from './settlement.ts'
import type { OutcomeState } from './state.ts'
import { openFundsRow } from './vault.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { AccountKind, PostingCause } = ledgerModule
const { NONE } = eventRowsModule
const { OutcomeResult } = commandsModule
const { OutcomeEvent, OutcomeField, PositionState } = eventsModule

/**
 * Open positions by slot. A leg is a node, numbered slot × legWidth + place; the nodes of one unresolved outcome form a
 * doubly linked list that starts at `OutcomeColumns.firstLeg`.
 */
export class PositionColumns extends EntityColumns {
  declare readonly legWidth: number
  number = new Float64Array(this.capacity)
  /** Numbers of the fill's RFQ and quote, which are forgotten before the position settles. */
  rfq = new Float64Array(this.capacity)
  quote = new Float64Array(this.capacity)
  holder = new Int32Array(this.capacity)
  backer = new Int32Array(this.capacity)
  netStakeMicros = new Float64Array(this.capacity)
  payoutMicros = new Float64Array(this.capacity)
  /** What the holder paid: the stake, or the price of its cash-out. */
  costMicros = new Float64Array(this.capacity)
  /** What the holder's profit is counted from (readings B02). */
  basisMicros = new Float64Array(this.capacity)
  entryFeeMicros = new Float64Array(this.capacity)
  feeBps = new Int32Array(this.capacity)
  /** A `PositionState`. */
  state = new Uint8Array(this.capacity)
  /** 1 from when results have decided it and its settlement is scheduled. */
  decided = new Uint8Array(this.capacity)
  /** Number of its last cash-out RFQ, which may be forgotten, or −1. */
  cashout = new Float64Array(this.capacity)
  legCount = new Uint8Array(this.capacity)
  wonLegs = new Uint8Array(this.capacity)
  lostLegs = new Uint8Array(this.capacity)
  voidLegs = new Uint8Array(this.capacity)
  declare legOutcomes: Int32Array
  declare legSides: Uint8Array
  declare legBefore: Int32Array
  declare legAfter: Int32Array

  constructor(capacity: number, legWidth: number) {
    super(capacity)
    this.legWidth = legWidth
    this.legOutcomes = new Int32Array(capacity * legWidth)
    this.legSides = new Uint8Array(capacity * legWidth)
    this.legBefore = new Int32Array(capacity * legWidth)
    this.legAfter = new Int32Array(capacity * legWidth)
  }
}

/** Whether results have decided the position in slot `p`; −1, one that is settled and forgotten, is decided too. */
export const isPositionDecided = (s: OutcomeState, p: number): boolean => p === NONE || s.positions.decided[p] === 1

/** The fill of operation slot `o` is done: moves what was reserved and the core part into the pot and opens the position. */
export function openPosition(s: OutcomeState, o: number): void {
  const { positions, operations } = s
  const p = positions.take()
  const netStakeMicros = operations.netStakeMicros[o]!
  const stakeMicros = operations.stakeMicros[o]!
  positions.number[p] = positions.index.lastNumber
  positions.rfq[p] = operations.rfq[o]!
  positions.quote[p] = operations.quote[o]!
  positions.holder[p] = operations.account[o]!
  positions.backer[p] = operations.other[o]!
  positions.netStakeMicros[p] = netStakeMicros
  positions.payoutMicros[p] = operations.payoutMicros[o]!
  positions.costMicros[p] = stakeMicros
  positions.basisMicros[p] = s.profile.profitOverGross === 1 ? stakeMicros : netStakeMicros
  positions.entryFeeMicros[p] = stakeMicros - netStakeMicros
  positions.feeBps[p] = operations.feeBps[o]!
  positions.state[p] = PositionState.open
  positions.decided[p] = positions.wonLegs[p] = positions.lostLegs[p] = positions.voidLegs[p] = 0
  positions.cashout[p] = NONE
  fillPot(s, p, o)
  takeLegs(s, p, o)

  const coreMicros = operations.coreMicros[o]!
  if (coreMicros > 0) openFundsRow(s, OutcomeEvent.fundsDeposited, positions.holder[p]!, coreMicros)
  openOperationRow(s, OutcomeEvent.operationUpdated, o)
  announce(s, p, o)
}

/** Counts a result for the positions on `outcome`, and cancels the cash-outs of those that it decides, by number. */
export function decidePositions(s: OutcomeState, outcome: number): void {
  const { outcomes, positions } = s
  const decided: number[] = []
  for (let node = outcomes.firstLeg[outcome]!; node !== NONE; node = positions.legAfter[node]!) {
    const p = Math.floor(node / positions.legWidth)
    if (countLeg(s, p, node)) decided.push(positions.number[p]!)
  }
  decided.sort((a, b) => a - b)
  for (const number of decided) cancelCashoutOfDecided(s, positions.index.slotOf(number))
}

/** Gives the position's slot back and takes its legs off the lists of outcomes without a result. */
export function releasePosition(s: OutcomeState, p: number): void {
  const { positions, outcomes } = s
  const from = p * positions.legWidth
  for (let node = from; node < from + positions.legCount[p]!; node++) {
    const outcome = positions.legOutcomes[node]!
    if (outcomes.resolved[outcome] === 1) continue
    const before = positions.legBefore[node]!
    const after = positions.legAfter[node]!
    if (before === NONE) outcomes.firstLeg[outcome] = after
    else positions.legAfter[before] = after
    if (after !== NONE) positions.legBefore[after] = before
  }
  positions.index.release(positions.number[p]!)
}

/** The stake less the fee and the maker's risk become the pot, the fee the house's (OM-252, readings B01). */
function fillPot(s: OutcomeState, p: number, o: number): void {
  const { positions, operations, ledger } = s
  const { external, house, pot, reserved } = AccountKind
  const holder = positions.holder[p]!
  const number = positions.number[p]!
  const rfq = positions.rfq[p]!
  ledger.ensurePositions(positions.index.slotCount)
  ledger.post(s.nowUs, PostingCause.deposit, external, external, reserved, holder, operations.coreMicros[o]!, rfq, number)
  ledger.post(s.nowUs, PostingCause.commit, reserved, holder, pot, p, positions.netStakeMicros[p]!, rfq, number)
  ledger.post(s.nowUs, PostingCause.takerFee, reserved, holder, house, house, positions.entryFeeMicros[p]!, rfq, number)
  ledger.post(s.nowUs, PostingCause.commit, reserved, positions.backer[p]!, pot, p, operations.riskMicros[o]!, rfq, number)
}

/**
 * Copies the fill's legs and links each to its outcome. One that got its result while the fill was under way counts at once, so
 * that such a position may be decided when it opens.
 */
function takeLegs(s: OutcomeState, p: number, o: number): void {
  const { positions, operations, outcomes } = s
  const count = operations.legCount[o]!
  const from = p * positions.legWidth
  const source = o * operations.legWidth
  positions.legCount[p] = count
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
  const { positions, outcomes } = s
  const result = outcomes.result[positions.legOutcomes[node]!]
  if (result === OutcomeResult.void) positions.voidLegs[p]!++
  else if (result === positions.legSides[node]) positions.wonLegs[p]!++
  else positions.lostLegs[p]!++
  const isDecided = positions.lostLegs[p]! > 0 || positions.voidLegs[p]! > 0 || positions.wonLegs[p] === positions.legCount[p]
  if (!isDecided || positions.decided[p] === 1) return false
  positions.decided[p] = 1
  scheduleSettlement(s, p)
  return true
}

/** Tells the opening, with the legs. */
function announce(s: OutcomeState, p: number, o: number): void {
  const { positions, operations, events } = s
  events.open(s.nowUs, OutcomeEvent.positionOpened, s.cause)
  events.set(OutcomeField.account, positions.holder[p]!)
  events.set(OutcomeField.other, positions.backer[p]!)
  events.set(OutcomeField.rfq, positions.rfq[p]!)
  events.set(OutcomeField.quote, positions.quote[p]!)
  events.set(OutcomeField.position, positions.number[p]!)
  events.set(OutcomeField.acceptance, operations.acceptance[o]!)
  events.set(OutcomeField.oddsE4, operations.oddsE4[o]!)
  events.set(OutcomeField.amountA, positions.netStakeMicros[p]!)
  events.set(OutcomeField.amountB, positions.payoutMicros[p]!)
  events.set(OutcomeField.amountC, positions.entryFeeMicros[p]!)
  events.set(OutcomeField.amountD, positions.feeBps[p]!)
  const from = p * positions.legWidth
  for (let node = from; node < from + positions.legCount[p]!; node++) {
    events.push(positions.legOutcomes[node]!)
    events.push(positions.legSides[node]!)
  }
}
