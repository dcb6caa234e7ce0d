import { AccountKind, PostingCause } from '../../../ledger/ledger.ts'
import { NONE } from '../../../unit/none.ts'
import { MS_US, SECOND_US } from '../../../unit/time.ts'
import { OperationKind, OperationStatus, OutcomeEvent } from '../protocol/events.ts'
import { cashOutDone, cashOutFailed } from './cashOuts.ts'
import { OperationCell, OperationWord } from './operationRows.ts'
import { endOperation, openOperationRow, scheduleStep } from './operations.ts'
import { openPosition } from './positions.ts'
import type { OutcomeState } from './state.ts'
import { withdrawalDone, withdrawalFailed } from './vault.ts'

/** While the chain is stalled, a step is put off by at least this time. */
const RETRY_MIN_US = SECOND_US

/**
 * Deadline: the next step of operation `number` (docs/conformance/outcome.md, Operations). A step that ends it posts the money,
 * then writes the row of the operation (`openOperationRow`), then its own rows.
 */
export function operationDue(s: OutcomeState, number: number): void {
  const { operations, terms } = s
  const o = operations.rowOf(number)
  if (terms.chainDropped || isTooLate(s, o)) return failOperation(s, o)
  if (terms.chainStalled) {
    scheduleStep(s, o, Math.max(s.profile.operationMs * MS_US, RETRY_MIN_US))
    return openOperationRow(s, OutcomeEvent.operationUpdated, o)
  }
  endOperation(s, o, OperationStatus.done)
  switch (operations.words[o + OperationWord.kind]) {
    case OperationKind.fill: return openPosition(s, o)
    case OperationKind.cashout: return cashOutDone(s, o)
    default: return withdrawalDone(s, o)
  }
}

function isTooLate(s: OutcomeState, o: number): boolean {
  const { operations: { cells }, nowUs } = s
  return nowUs >= cells[o + OperationCell.validUntilUs]! || nowUs >= cells[o + OperationCell.exitUntilUs]!
}

function failOperation(s: OutcomeState, o: number): void {
  const { operations } = s
  endOperation(s, o, OperationStatus.failed)
  switch (operations.words[o + OperationWord.kind]) {
    case OperationKind.fill: return fillFailed(s, o)
    case OperationKind.cashout: return cashOutFailed(s, o)
    default: return withdrawalFailed(s, o)
  }
}

/** Gives taker and maker back what the fill held. The RFQ stays filled. */
function fillFailed(s: OutcomeState, o: number): void {
  const { operations, ledger } = s
  const { free, reserved } = AccountKind
  const taker = operations.words[o + OperationWord.account]!
  const maker = operations.words[o + OperationWord.other]!
  const heldMicros = operations.cells[o + OperationCell.stakeMicros]! - operations.cells[o + OperationCell.coreMicros]!
  const rfq = operations.cells[o + OperationCell.rfq]!
  ledger.post(s.nowUs, PostingCause.release, reserved, taker, free, taker, heldMicros, rfq, NONE)
  ledger.post(s.nowUs, PostingCause.release, reserved, maker, free, maker, operations.cells[o + OperationCell.riskMicros]!, rfq, NONE)
  openOperationRow(s, OutcomeEvent.operationUpdated, o)
}
