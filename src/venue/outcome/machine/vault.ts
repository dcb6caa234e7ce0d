import * as ledgerModule from '../../../ledger/ledger.ts'
import * as timeModule from '../../../unit/time.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as codesModule from '../protocol/codes.ts'
import * as commandsModule from '../protocol/commands.ts'
import type { OutcomeCommand } from '../protocol/commands.ts'
import * as eventsModule from '../protocol/events.ts'
import { NET_DEPOSITS_MAX_MICROS } from '../protocol/profile.ts'
import { EntityColumns } from '../../../unit/countedColumns.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { AccountKind, PostingCause } = ledgerModule
const { MS_US, SECOND_US } = timeModule
const { Field, NONE } = eventRowsModule
const { InvalidField, OutcomeCode } = codesModule
const { SIGNER_MAX } = commandsModule
const { OutcomeEvent, OperationKind } = eventsModule

/** Collateral reductions under way, by slot (OM-087, OM-277). */
export class ReductionColumns extends EntityColumns {
  number = new Float64Array(this.capacity)
  account = new Int32Array(this.capacity)
  amountMicros = new Float64Array(this.capacity)
}
