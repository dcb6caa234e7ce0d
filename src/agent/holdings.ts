import { assert } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import { SlotColumns } from '../unit/slotColumns.ts'

/** `opening`: a cash-out is asked for. `auctioned`: its auction runs. `selling`: a bid is being taken. `sold` and `settled`: the bettor is being told. */
export const HoldingState = { held: 1, opening: 2, auctioned: 3, selling: 4, sold: 5, ended: 6, settled: 7 } as const
const { held, ended } = HoldingState

/** Small integers of a holding, by their offsets in a row of `Holdings.words`. */
export const HoldingWord = {
  /** A `HoldingState`. */
  state: 0,
  /** Raised each time a row is taken, so that late messages know a former tenant. */
  generation: 1,
  cohort: 2,
  bettor: 3,
  legCount: 4,
  /** How many auctions of it have begun, as far as the bettor has been told. The same holds for all fields about an auction. */
  auctions: 5,
  checks: 6,
  /** 1: the bettor has been told that it opened. */
  isTold: 7,
} as const

/** All else, by its offset in a row of `Holdings.cells`. */
export const HoldingCell = {
  /** The arrival of the intent that became the position, which keys the position's draws. */
  arrival: 0,
  position: 1,
  payoutMicros: 2,
  /** Gross bet: the stake and the taker fee. */
  costMicros: 3,
  /** Number of the running auction, or −1. */
  auction: 4,
  bestPriceMicros: 5,
  bestBid: 6,
  /** When the bettor last asked for an auction, or −1. */
  askedAtUs: 7,
  /** How long after that it wants to listen to bids, µs, or −1. */
  listenUs: 8,
  openedAtUs: 9,
  request: 10,
  stakeMicros: 11,
  /** What the bettor got at its end, as far as it has been told, or −1. */
  returnedMicros: 12,
} as const

const STRIDE = 16
/** A row of legs is so many times as long as the other rows: the first legs share a cache line. */
const LEGS = 64 / STRIDE

/**
 * Positions of bettors that may cash out, one row each from the opening of the position to its end or sale. A holding is named by the
 * index of its row's first word and cell: `words[holding + HoldingWord.state]`, `cells[holding + HoldingCell.position]`.
 */
export class Holdings extends SlotColumns {
  declare words: Int32Array
  declare cells: Float64Array
  /** The legs of a holding begin at `legsFrom`. */
  declare legMarkets: Int32Array
  declare legSides: Uint8Array

  constructor(capacity = 256) {
    super(capacity, STRIDE)
    this.words = new Int32Array(capacity * STRIDE)
    this.cells = new Float64Array(capacity * STRIDE)
    this.legMarkets = new Int32Array(capacity * STRIDE * LEGS)
    this.legSides = new Uint8Array(capacity * STRIDE * LEGS)
  }

  /** Starts the holding of account `bettor` that intent `arrival` of the cohort led to. The caller sets position, money and legs. */
  begin(cohort: number, bettor: number, arrival: number, openedAtUs: number): number {
    const holding = this.take()
    const { words, cells } = this
    words[holding + HoldingWord.state] = held
    words[holding + HoldingWord.generation]!++
    words[holding + HoldingWord.cohort] = cohort
    words[holding + HoldingWord.bettor] = bettor
    words[holding + HoldingWord.legCount] = words[holding + HoldingWord.auctions] = words[holding + HoldingWord.checks] = words[holding + HoldingWord.isTold] = 0
    cells[holding + HoldingCell.arrival] = arrival
    cells[holding + HoldingCell.openedAtUs] = openedAtUs
    cells[holding + HoldingCell.position] = cells[holding + HoldingCell.request] = cells[holding + HoldingCell.auction] = NONE
    cells[holding + HoldingCell.askedAtUs] = cells[holding + HoldingCell.listenUs] = NONE
    cells[holding + HoldingCell.bestBid] = cells[holding + HoldingCell.bestPriceMicros] = cells[holding + HoldingCell.returnedMicros] = NONE
    cells[holding + HoldingCell.costMicros] = cells[holding + HoldingCell.stakeMicros] = cells[holding + HoldingCell.payoutMicros] = 0
    return holding
  }

  /** Place of the first leg of a holding. */
  legsFrom(holding: number): number {
    return holding * LEGS
  }

  end(holding: number): void {
    assert(this.words[holding + HoldingWord.state] !== ended, 'a holding ends once')
    this.words[holding + HoldingWord.state] = ended
    this.give(holding)
  }
}
