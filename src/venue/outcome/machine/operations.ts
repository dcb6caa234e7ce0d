import * as ledgerModule from '../../../ledger/ledger.ts'
import { EntityColumns } from '../../../unit/countedColumns.ts'
import * as timeModule from '../../../unit/time.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as eventsModule from '../protocol/events.ts'
import { CoreState } from './accounts.ts'
import { cashoutDone, cashoutFailed } from './cashouts.ts'
import { forgetLater, Forgotten } from './forgetting.ts'
import { openPosition } from './positions.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'
import { withdrawalDone, withdrawalFailed } from './vault.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { AccountKind, PostingCause } = ledgerModule
const { MS_US, NEVER_US, SECOND_US } = timeModule
const { NONE } = eventRowsModule
const { OperationKind, OperationStatus, OutcomeEvent, OutcomeField } = eventsModule

/**
 * Operations by slot, until they are forgotten: fills, cash-outs and withdrawals on their way through the chain. They hold
 * all that their end needs, since RFQ, quote and acceptance may be forgotten before it.
 */
export class OperationColumns extends EntityColumns {
  declare readonly legWidth: number
  number = new Float64Array(this.capacity)
  /** An `OperationKind`. */
  kind = new Uint8Array(this.capacity)
  /** An `OperationStatus`. */
  status = new Uint8Array(this.capacity)
  /** Taker, seller or withdrawer. */
  account = new Int32Array(this.capacity)
  /** The maker whose quote was accepted; NONE of a withdrawal, like the numbers of acceptance, RFQ and quote. */
  other = new Int32Array(this.capacity)
  acceptance = new Float64Array(this.capacity)
  rfq = new Float64Array(this.capacity)
  generation = new Int32Array(this.capacity)
  quote = new Float64Array(this.capacity)
  /** Number of the position that a cash-out sells, or NONE. */
  position = new Float64Array(this.capacity)
  /** Stake + risk, the price, or what is withdrawn. */
  amountMicros = new Float64Array(this.capacity)
  /** What the maker has reserved: its risk. */
  riskMicros = new Float64Array(this.capacity)
  /** Of a fill; of others meaningless, like the rates and the legs. */
  stakeMicros = new Float64Array(this.capacity)
  /** Part of the stake that comes out of the core wallet; 0 of others. */
  coreMicros = new Float64Array(this.capacity)
  netStakeMicros = new Float64Array(this.capacity)
  payoutMicros = new Float64Array(this.capacity)
  oddsE4 = new Float64Array(this.capacity)
  feeBps = new Int32Array(this.capacity)
  /** First instant at which a fill or a withdrawal is too late for its valid_before. */
  validUntilUs = new Float64Array(this.capacity)
  /** First instant at which a withdrawal is too late for its Exit; NEVER_US without one. */
  exitUntilUs = new Float64Array(this.capacity)
  /** Instant of its next step; meaningless once it ended. */
  stepAtUs = new Float64Array(this.capacity)
  legCount = new Uint8Array(this.capacity)
  declare legOutcomes: Int32Array
  declare legSides: Uint8Array

  constructor(capacity: number, legWidth: number) {
    super(capacity)
    this.legWidth = legWidth
    this.legOutcomes = new Int32Array(capacity * legWidth)
    this.legSides = new Uint8Array(capacity * legWidth)
  }
}

/** While the chain is stalled a step is put off by at least so long. */
const RETRY_MIN_US = SECOND_US

/**
 * Starts an operation of `account` and schedules its step. Returns its slot, for the caller to set what else it is about (all
 * that is not set here is NONE, 0 or NEVER_US) and then to tell it with `openOperationRow`.
 */
export function startOperation(s: OutcomeState, kind: number, account: number, amountMicros: number): number {
  const { operations } = s
  const o = operations.take()
  operations.number[o] = operations.index.lastNumber
  operations.kind[o] = kind
  operations.status[o] = OperationStatus.pending
  operations.account[o] = account
  operations.other[o] = operations.acceptance[o] = operations.rfq[o] = operations.generation[o] = NONE
  operations.quote[o] = operations.position[o] = NONE
  operations.amountMicros[o] = amountMicros
  operations.riskMicros[o] = operations.stakeMicros[o] = operations.coreMicros[o] = 0
  operations.netStakeMicros[o] = operations.payoutMicros[o] = operations.oddsE4[o] = 0
  operations.feeBps[o] = operations.legCount[o] = 0
  operations.validUntilUs[o] = operations.exitUntilUs[o] = NEVER_US
  if (kind === OperationKind.withdrawal) s.accounts.core[account] = CoreState.moving
  scheduleStep(s, o, s.profile.operationMs * MS_US)
  return o
}

/** Opens a row about an operation as it stands: its start, or a change. */
export function openOperationRow(s: OutcomeState, event: number, o: number): void {
  const { operations, events } = s
  const at = events.open(s.nowUs, event, s.cause)
  const { cells } = events
  const pending = operations.status[o] === OperationStatus.pending
  cells[at + OutcomeField.account] = operations.account[o]!
  cells[at + OutcomeField.other] = operations.other[o]!
  cells[at + OutcomeField.rfq] = operations.rfq[o]!
  cells[at + OutcomeField.generation] = operations.generation[o]!
  cells[at + OutcomeField.quote] = operations.quote[o]!
  cells[at + OutcomeField.position] = operations.position[o]!
  cells[at + OutcomeField.acceptance] = operations.acceptance[o]!
  cells[at + OutcomeField.operation] = operations.number[o]!
  cells[at + OutcomeField.code] = operations.kind[o]!
  cells[at + OutcomeField.amountA] = operations.amountMicros[o]!
  if (event === OutcomeEvent.operationUpdated) cells[at + OutcomeField.amountB] = operations.status[o]!
  cells[at + OutcomeField.untilUs] = pending ? operations.stepAtUs[o]! : NONE
}

/**
 * Deadline: the next step of operation `number` (docs/conformance/outcome.md, Operations). What ends it posts its money,
 * tells the operation (`openOperationRow`), then its own rows.
 */
export function operationDue(s: OutcomeState, number: number): void {
  const { operations, terms } = s
  const o = operations.index.slotOf(number)
  if (terms.chainDropped || isTooLate(s, o)) return failOperation(s, o)
  if (terms.chainStalled) {
    scheduleStep(s, o, Math.max(s.profile.operationMs * MS_US, RETRY_MIN_US))
    return openOperationRow(s, OutcomeEvent.operationUpdated, o)
  }
  end(s, o, OperationStatus.done)
  switch (operations.kind[o]) {
    case OperationKind.fill: return openPosition(s, o)
    case OperationKind.cashout: return cashoutDone(s, o)
    default: return withdrawalDone(s, o)
  }
}

/** The ended operation is gone from now on. */
export function forgetOperation(s: OutcomeState, number: number): void {
  s.operations.index.release(number)
}

function isTooLate(s: OutcomeState, o: number): boolean {
  return s.nowUs >= s.operations.validUntilUs[o]! || s.nowUs >= s.operations.exitUntilUs[o]!
}

function scheduleStep(s: OutcomeState, o: number, afterUs: number): void {
  const { operations } = s
  operations.stepAtUs[o] = s.nowUs + afterUs
  s.deadlines.push(operations.stepAtUs[o]!, DeadlineRank.operation, operations.number[o]!)
}

/** Gives the operation its last status: what it kept of the core wallet is free again. */
function end(s: OutcomeState, o: number, status: number): void {
  const { operations, accounts } = s
  operations.status[o] = status
  const coreMicros = operations.coreMicros[o]!
  accounts.pendingCoreMicros -= coreMicros
  if (coreMicros > 0 || operations.kind[o] === OperationKind.withdrawal) accounts.core[operations.account[o]!] = CoreState.idle
  forgetLater(s, Forgotten.operation, operations.number[o]!)
}

function failOperation(s: OutcomeState, o: number): void {
  const { operations } = s
  end(s, o, OperationStatus.failed)
  switch (operations.kind[o]) {
    case OperationKind.fill: return fillFailed(s, o)
    case OperationKind.cashout: return cashoutFailed(s, o)
    default: return withdrawalFailed(s, o)
  }
}

/** Gives taker and maker back what the fill held; the RFQ stays filled. */
function fillFailed(s: OutcomeState, o: number): void {
  const { operations, ledger } = s
  const { free, reserved } = AccountKind
  const taker = operations.account[o]!
  const maker = operations.other[o]!
  const heldMicros = operations.stakeMicros[o]! - operations.coreMicros[o]!
  const rfq = operations.rfq[o]!
  ledger.post(s.nowUs, PostingCause.release, reserved, taker, free, taker, heldMicros, rfq, NONE)
  ledger.post(s.nowUs, PostingCause.release, reserved, maker, free, maker, operations.riskMicros[o]!, rfq, NONE)
  openOperationRow(s, OutcomeEvent.operationUpdated, o)
}
