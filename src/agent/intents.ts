import { assert } from '../unit/assert.ts'
import { SlotColumns } from '../unit/slotColumns.ts'
import * as eventRowsModule from '../venue/eventRows.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { NONE } = eventRowsModule

/** Most legs of an intent and most makers that it can leave out. */
export const INTENT_LEGS_MAX = 50
export const INTENT_EXCLUDED_MAX = 8

export const IntentState = { arriving: 1, requesting: 2, open: 3, committing: 4, ended: 5 } as const

/** What bettors of all cohorts are about, as columns: one row from an arrival to its end. */
export class Intents extends SlotColumns {
  /** Raised each time a row is taken, so that late messages know a former tenant. */
  declare generation: Int32Array
  declare state: Uint8Array
  declare cohort: Int32Array
  /** Whose draws it has (engine/drawSources.ts). */
  declare source: Int32Array
  declare bettor: Int32Array
  declare arrival: Float64Array
  declare request: Float64Array
  declare version: Float64Array
  declare betMicros: Float64Array
  declare floorOddsE4: Float64Array
  declare legCount: Uint8Array
  declare legMarkets: Int32Array
  declare legSides: Uint8Array
  declare bestQuote: Float64Array
  declare bestOddsE4: Float64Array
  /** On the outcome service: what the best quote pays, and its maker; else −1. */
  declare bestPayoutMicros: Float64Array
  declare bestMaker: Int32Array
  declare bookSeq: Float64Array
  declare decisions: Int32Array
  /** Requests made once more, after a limit. */
  declare retries: Uint8Array
  /** What the last refusal said of the time until another command can pass, µs; −1 nothing. */
  declare retryAfterUs: Float64Array
  declare excludedCount: Uint8Array
  declare excluded: Int32Array

  constructor(capacity = 1024) {
    super(capacity)
    this.generation = new Int32Array(capacity)
    this.state = new Uint8Array(capacity)
    this.cohort = new Int32Array(capacity)
    this.source = new Int32Array(capacity)
    this.bettor = new Int32Array(capacity)
    this.arrival = new Float64Array(capacity)
    this.request = new Float64Array(capacity)
    this.version = new Float64Array(capacity)
    this.betMicros = new Float64Array(capacity)
    this.floorOddsE4 = new Float64Array(capacity)
    this.legCount = new Uint8Array(capacity)
    this.legMarkets = new Int32Array(capacity * INTENT_LEGS_MAX)
    this.legSides = new Uint8Array(capacity * INTENT_LEGS_MAX)
    this.bestQuote = new Float64Array(capacity)
    this.bestOddsE4 = new Float64Array(capacity)
    this.bestPayoutMicros = new Float64Array(capacity)
    this.bestMaker = new Int32Array(capacity)
    this.bookSeq = new Float64Array(capacity)
    this.decisions = new Int32Array(capacity)
    this.retries = new Uint8Array(capacity)
    this.retryAfterUs = new Float64Array(capacity)
    this.excludedCount = new Uint8Array(capacity)
    this.excluded = new Int32Array(capacity * INTENT_EXCLUDED_MAX)
  }

  /** Starts an intent of bettor account `bettor`, the `arrival`-th of its cohort, or of another source of draws. */
  begin(cohort: number, bettor: number, arrival: number, source = cohort): number {
    const slot = this.take()
    this.generation[slot]!++
    this.state[slot] = IntentState.arriving
    this.cohort[slot] = cohort
    this.source[slot] = source
    this.bettor[slot] = bettor
    this.arrival[slot] = arrival
    this.request[slot] = this.version[slot] = NONE
    this.bestQuote[slot] = this.bestOddsE4[slot] = this.bestPayoutMicros[slot] = this.bestMaker[slot] = NONE
    this.betMicros[slot] = this.floorOddsE4[slot] = this.bookSeq[slot] = 0
    this.legCount[slot] = this.decisions[slot] = this.excludedCount[slot] = this.retries[slot] = 0
    this.retryAfterUs[slot] = NONE
    return slot
  }

  end(slot: number): void {
    assert(this.state[slot] !== IntentState.ended, 'an intent ends once')
    this.state[slot] = IntentState.ended
    this.give(slot)
  }
}
