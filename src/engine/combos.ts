import type { LegsRow } from '../agent/rows.ts'
import { assert } from '../unit/assert.ts'
import { SlotColumns } from '../unit/slotColumns.ts'
import type { Row } from '../venue/eventCells.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'

/** Most legs of a parlay that the engine carries. */
export const COMBO_LEGS_MAX = 50

/** Small integers of a combo, by their offsets in a row of `Combos.words`. */
export const ComboWord = {
  /** How many messages and rows still refer to it. */
  references: 0,
  legCount: 1,
  /** How often a request had been selected, a selection's own included. */
  selections: 2,
  /** How often a maker has laid off a position that it backs. Positions have no selections, so the word is free. */
  layOffs: 2,
  /** Positions, auctions, and requests of the outcome service have it, bps. */
  profitFeeBps: 3,
  /** Only requests of the outcome service have it, bps. */
  takerFeeBps: 4,
  /** How many auctions a position has had, an auction's own included. Only positions and auctions have it. */
  auctions: 5,
  /**
   * Only auctions have seller, backer and the backer's highest price (`boundMicros`). They and held positions have what the holder's
   * profit is counted from (`basisMicros`).
   */
  seller: 6,
  backer: 7,
} as const

/** All else, by its offset in a row of `Combos.cells`. */
export const ComboCell = {
  /** The key of the request's draws (see drawKeys.ts). */
  drawKey: 0,
  betMicros: 1,
  stakeMicros: 2,
  contentTag: 3,
  expiresAtUs: 4,
  riskMicros: 5,
  basisMicros: 6,
  boundMicros: 7,
} as const

const STRIDE = 8
export const COMBO_STRIDE = STRIDE
/** A row of legs is so many times as long as the other rows: the first legs of a parlay share a cache line. */
const LEGS = 64 / STRIDE
const UNSET = -1

/**
 * What delivered messages share: the legs and amounts of a request or position, with a count of the references to them. A combo is named
 * by the index of its row's first word and cell: `words[combo + ComboWord.references]`, `cells[combo + ComboCell.drawKey]`.
 */
export class Combos extends SlotColumns {
  declare words: Int32Array
  declare cells: Float64Array
  /** Market × 2 + side, the market below 2³⁰; those of a combo begin at combo × LEGS. */
  private declare legs: Int32Array

  constructor(capacity = 1024) {
    super(capacity, STRIDE)
    this.words = new Int32Array(capacity * STRIDE)
    this.cells = new Float64Array(capacity * STRIDE)
    this.legs = new Int32Array(capacity * STRIDE * LEGS)
  }

  /** Copies the legs (market, side pairs) that are the row's list; the caller holds the one reference. */
  ofRow(rows: EventRows, row: Row, drawKey: number): number {
    const combo = this.begin(drawKey)
    const { legs } = this
    const { pool } = rows
    const count = rows.read(row, EventCell.listLength) >> 1
    const from = rows.read(row, EventCell.listStart) | 0
    const to = combo * LEGS
    for (let i = 0; i < count; i++) legs[to + i] = pool[from + 2 * i]! * 2 + pool[from + 2 * i + 1]!
    this.words[combo + ComboWord.legCount] = count
    return combo
  }

  /** Another combo with the legs, the stake and the risk of `from`; the caller holds the one reference. */
  copy(from: number): number {
    const combo = this.begin(this.cells[from + ComboCell.drawKey]!)
    const { words, cells, legs } = this
    const count = words[from + ComboWord.legCount]!
    for (let i = 0; i < count; i++) legs[combo * LEGS + i] = legs[from * LEGS + i]!
    words[combo + ComboWord.legCount] = count
    cells[combo + ComboCell.betMicros] = cells[from + ComboCell.betMicros]!
    cells[combo + ComboCell.stakeMicros] = cells[from + ComboCell.stakeMicros]!
    cells[combo + ComboCell.riskMicros] = cells[from + ComboCell.riskMicros]!
    return combo
  }

  /** A row with nothing of its former tenant; its legs are the caller's. */
  private begin(drawKey: number): number {
    const combo = this.take()
    const { words, cells } = this
    words[combo + ComboWord.references] = 1
    words[combo + ComboWord.legCount] = words[combo + ComboWord.selections] = 0
    words[combo + ComboWord.profitFeeBps] = words[combo + ComboWord.takerFeeBps] = words[combo + ComboWord.auctions] = 0
    words[combo + ComboWord.seller] = words[combo + ComboWord.backer] = UNSET
    cells[combo + ComboCell.drawKey] = drawKey
    cells[combo + ComboCell.betMicros] = cells[combo + ComboCell.stakeMicros] = cells[combo + ComboCell.riskMicros] = 0
    cells[combo + ComboCell.contentTag] = cells[combo + ComboCell.expiresAtUs] = UNSET
    cells[combo + ComboCell.basisMicros] = cells[combo + ComboCell.boundMicros] = UNSET
    return combo
  }

  retain(combo: number, times = 1): void {
    this.words[combo + ComboWord.references]! += times
  }

  release(combo: number): void {
    const left = --this.words[combo + ComboWord.references]!
    assert(left >= 0, 'a combo released more often than retained')
    if (left === 0) this.give(combo)
  }

  show(combo: number, view: LegsRow): void {
    const { legs } = this
    const { markets, sides } = view
    const count = this.words[combo + ComboWord.legCount]!
    const from = combo * LEGS
    view.count = count
    for (let i = 0; i < count; i++) {
      const leg = legs[from + i]!
      markets[i] = leg >> 1
      sides[i] = leg & 1
    }
  }

  /** Puts the legs of a combo into what is made of them. */
  putLegs(combo: number, into: { leg(market: number, side: number): unknown }): void {
    const from = combo * LEGS
    for (let i = from; i < from + this.words[combo + ComboWord.legCount]!; i++) into.leg(this.legs[i]! >> 1, this.legs[i]! & 1)
  }
}
