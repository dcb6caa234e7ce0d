import { PostingCause } from '../../../src/ledger/ledger.ts'
import { NONE } from '../../../src/unit/none.ts'
import { OutcomeFault } from '../../../src/venue/outcome/protocol/commands.ts'
import { OperationKind, OperationStatus, OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import { usOfMs, usOfSecond } from './numbers.ts'
import { closePosition, openPosition, transferPosition } from './positions.ts'
import { external, free, move, reserved, type Turn, write } from './rows.ts'
import {
  type Acceptance, change, type Fill, heldOf, isCashOut, isFaultOn, type Operation, put, type Quote, type Rfq, type State,
} from './state.ts'

type Start = Pick<Operation, 'kind' | 'account' | 'amountMicros' | 'validBeforeS' | 'exitUntilS' | 'fill'>

/** Starts an operation, whose first step comes after its time. */
export function startOperation(turn: Turn, start: Start): Operation {
  const { state, profile, atUs } = turn
  const operation = put(state.operations, {
    ...start, number: ++state.lastOperation, status: OperationStatus.pending, stepAtUs: atUs + usOfMs(profile.operationMs), forgetAtUs: null,
  })
  write(turn, OutcomeEvent.operationStarted, aboutOperation(operation))
  return operation
}

/** Starts the fill of a confirmed acceptance. */
export function startFill(turn: Turn, rfq: Rfq, quote: Quote, acceptance: Acceptance): void {
  const { riskMicros, netStakeMicros, payoutMicros, feeBps } = quote
  const { stakeMicros, coreMicros, validBeforeS } = acceptance
  const fill: Fill = {
    rfq: rfq.number, generation: rfq.generation, quote: quote.number, acceptance: acceptance.number, maker: quote.maker,
    position: rfq.position, stakeMicros, netStakeMicros, coreMicros, riskMicros, payoutMicros, feeBps, legs: rfq.legs,
  }
  startOperation(turn, {
    kind: isCashOut(rfq) ? OperationKind.cashout : OperationKind.fill, account: rfq.owner,
    amountMicros: isCashOut(rfq) ? payoutMicros : stakeMicros + riskMicros, validBeforeS, exitUntilS: NONE, fill,
  })
}

/** The next step of a pending operation. */
export function stepOperation(turn: Turn, operation: Operation): void {
  const { state, profile, atUs } = turn
  if (isFaultOn(state, OutcomeFault.chainDropped) || isTooLate(operation, atUs)) return fail(turn, operation)
  if (!isFaultOn(state, OutcomeFault.chainStalled)) return complete(turn, operation)
  const later = change(state.operations, operation.number, { stepAtUs: atUs + usOfMs(Math.max(profile.operationMs, STALLED_MS_MIN)) })
  writeUpdate(turn, later)
}

const STALLED_MS_MIN = 1_000

const isTooLate = ({ validBeforeS, exitUntilS }: Operation, atUs: number): boolean =>
  (validBeforeS !== NONE && atUs >= usOfSecond(validBeforeS)) || (exitUntilS !== NONE && atUs >= usOfSecond(exitUntilS))

function fail(turn: Turn, operation: Operation): void {
  const ended = end(turn, operation, OperationStatus.failed)
  const { fill, account, amountMicros } = operation
  if (fill === null) move(turn, PostingCause.release, reserved(account), free(account), amountMicros)
  else {
    const vaultMicros = operation.kind === OperationKind.fill ? fill.stakeMicros - fill.coreMicros : 0
    move(turn, PostingCause.release, reserved(account), free(account), vaultMicros, fill.rfq)
    move(turn, PostingCause.release, reserved(fill.maker), free(fill.maker), fill.riskMicros, fill.rfq)
    if (operation.kind === OperationKind.cashout) change(turn.state.positions, fill.position, { closing: false })
  }
  writeUpdate(turn, ended)
}

function complete(turn: Turn, operation: Operation): void {
  const ended = end(turn, operation, OperationStatus.done)
  if (operation.fill === null) payOut(turn, ended)
  else if (operation.kind === OperationKind.fill) openPosition(turn, operation.account, operation.fill, () => writeUpdate(turn, ended))
  else if (isBackers(turn.state, operation.fill)) closePosition(turn, operation.account, operation.fill, () => writeUpdate(turn, ended))
  else transferPosition(turn, operation.account, operation.fill, () => writeUpdate(turn, ended))
}

const isBackers = (state: State, { maker, position }: Fill): boolean => state.positions.get(position)!.backer === maker

const end = ({ state, profile, atUs }: Turn, { number }: Operation, status: number): Operation =>
  change(state.operations, number, { status, stepAtUs: null, forgetAtUs: atUs + usOfMs(profile.retentionMs) })

function payOut(turn: Turn, operation: Operation): void {
  const { number, account, amountMicros } = operation
  move(turn, PostingCause.withdraw, reserved(account), external, amountMicros)
  writeUpdate(turn, operation)
  write(turn, OutcomeEvent.fundsWithdrawn, { account, operation: number, amountMicros, accountBalanceMicros: heldOf(turn.state, account) })
}

const writeUpdate = (turn: Turn, operation: Operation): void =>
  write(turn, OutcomeEvent.operationUpdated, { ...aboutOperation(operation), status: operation.status })

function aboutOperation({ number, kind, account, amountMicros, stepAtUs, fill }: Operation) {
  const about = fill === null ? {} : {
    rfq: fill.rfq, generation: fill.generation, quote: fill.quote, acceptance: fill.acceptance, position: fill.position, maker: fill.maker,
  }
  return { ...about, operation: number, account, amountMicros, operationKind: kind, nextStepAtUs: stepAtUs ?? NONE }
}
