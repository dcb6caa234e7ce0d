import { assert } from '../unit/assert.ts'
import { SlotColumns } from '../unit/slotColumns.ts'
import * as eventRowsModule from '../venue/eventRows.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { NONE } = eventRowsModule

/** Most legs of a position that a bettor watches. */
export const HOLDING_LEGS_MAX = 50

/** `opening`: a cash-out is asked for; `auctioned`: its auction runs; `selling`: a bid is being taken; `sold`: the bettor is being told. */
export const HoldingState = { held: 1, opening: 2, auctioned: 3, selling: 4, sold: 5, ended: 6 } as const

/** Positions of bettors that may cash out, as columns: one row from the opening of a position to its end or its sale. */
export class Holdings extends SlotColumns {
  /** Raised each time a row is taken, so that late messages know a former tenant. */
  declare generation: Int32Array
  declare state: Uint8Array
  declare cohort: Int32Array
  declare bettor: Int32Array
  /** Of the intent that became the position: the key of its draws. */
  declare arrival: Float64Array
  declare position: Float64Array
  declare request: Float64Array
  /** Gross bet: the stake and the taker fee. */
  declare costMicros: Float64Array
  declare stakeMicros: Float64Array
  declare payoutMicros: Float64Array
  declare legCount: Uint8Array
  declare legMarkets: Int32Array
  declare legSides: Uint8Array
  declare openedUs: Float64Array
  /** Number of the running auction, or −1. */
  declare auction: Float64Array
  /** How many auctions of it have begun, as far as the bettor has been told; so of all that is about an auction. */
  declare auctions: Int32Array
  /** When the bettor last asked for one, or −1. */
  declare askedUs: Float64Array
  /** How long after that it wants to listen to bids, µs, or −1. */
  declare listenUs: Float64Array
  declare bestBid: Float64Array
  declare bestPriceMicros: Float64Array
  declare checks: Int32Array
  /** What the last refusal said of the time until another command can pass, µs; −1 nothing. */
  declare retryAfterUs: Float64Array

  constructor(capacity = 256) {
    super(capacity)
    this.generation = new Int32Array(capacity)
    this.state = new Uint8Array(capacity)
    this.cohort = new Int32Array(capacity)
    this.bettor = new Int32Array(capacity)
    this.arrival = new Float64Array(capacity)
    this.position = new Float64Array(capacity)
    this.request = new Float64Array(capacity)
    this.costMicros = new Float64Array(capacity)
    this.stakeMicros = new Float64Array(capacity)
    this.payoutMicros = new Float64Array(capacity)
    this.legCount = new Uint8Array(capacity)
    this.legMarkets = new Int32Array(capacity * HOLDING_LEGS_MAX)
    this.legSides = new Uint8Array(capacity * HOLDING_LEGS_MAX)
    this.openedUs = new Float64Array(capacity)
    this.auction = new Float64Array(capacity)
    this.auctions = new Int32Array(capacity)
    this.askedUs = new Float64Array(capacity)
    this.listenUs = new Float64Array(capacity)
    this.bestBid = new Float64Array(capacity)
    this.bestPriceMicros = new Float64Array(capacity)
    this.checks = new Int32Array(capacity)
    this.retryAfterUs = new Float64Array(capacity)
  }

  /** Starts the holding of account `bettor` that intent `arrival` of the cohort led to; position, money and legs are the caller's. */
  begin(cohort: number, bettor: number, arrival: number, openedUs: number): number {
    const slot = this.take()
    this.generation[slot]!++
    this.state[slot] = HoldingState.held
    this.cohort[slot] = cohort
    this.bettor[slot] = bettor
    this.arrival[slot] = arrival
    this.openedUs[slot] = openedUs
    this.position[slot] = this.request[slot] = this.auction[slot] = this.askedUs[slot] = NONE
    this.listenUs[slot] = this.bestBid[slot] = this.bestPriceMicros[slot] = this.retryAfterUs[slot] = NONE
    this.costMicros[slot] = this.stakeMicros[slot] = this.payoutMicros[slot] = 0
    this.legCount[slot] = this.auctions[slot] = this.checks[slot] = 0
    return slot
  }

  end(slot: number): void {
    assert(this.state[slot] !== HoldingState.ended, 'a holding ends once')
    this.state[slot] = HoldingState.ended
    this.give(slot)
  }
}
