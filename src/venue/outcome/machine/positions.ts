import * as ledgerModule from '../../../ledger/ledger.ts'
import { assert } from '../../../unit/assert.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as commandsModule from '../protocol/commands.ts'
import * as eventsModule from '../protocol/events.ts'
import { EntityColumns } from '../../../unit/countedColumns.ts'
import type { OutcomeState } from './state.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { NONE } = eventRowsModule

/**
 * Open positions by slot. A leg is a node, numbered slot × legWidth + place; the nodes of one unresolved outcome form a
 * doubly linked list that starts at `OutcomeColumns.firstLeg`.
 */
export class PositionColumns extends EntityColumns {
  readonly legWidth: number
  number = new Float64Array(this.capacity)
  /** Numbers of the fill's, which are forgotten before the position settles. */
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
  legOutcomes: Int32Array
  legSides: Uint8Array
  legBefore: Int32Array
  legAfter: Int32Array

  constructor(capacity: number, legWidth: number) {
    super(capacity)
    this.legWidth = legWidth
    this.legOutcomes = new Int32Array(capacity * legWidth)
    this.legSides = new Uint8Array(capacity * legWidth)
    this.legBefore = new Int32Array(capacity * legWidth)
    this.legAfter = new Int32Array(capacity * legWidth)
  }
}
