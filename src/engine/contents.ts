import type { LegsRow } from '../agent/views.ts'
import { assert } from '../unit/assert.ts'
import { SlotColumns } from '../unit/slotColumns.ts'
import type { Row } from '../venue/eventCells.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'

/** Most legs of a parlay that the engine carries. */
export const CONTENT_LEGS_MAX = 50

/** Small integers of a content, by their offsets in a row of `Contents.words`. */
export const ContentWord = {
  /** How many still refer to it. */
  references: 0,
  legCount: 1,
  /** Of requests: how often it had been selected, a selection's own included. */
  selections: 2,
  /** Shares a word: of positions that a maker backs, how often it has laid them off. */
  layOffs: 2,
  /** Of positions and auctions, and of requests of the outcome service, bps. */
  profitFeeBps: 3,
  /** Of requests of the outcome service alone, bps. */
  takerFeeBps: 4,
  /** Of positions and auctions alone: how many auctions the position has had, an auction's own included. */
  auctions: 5,
  /** Of auctions alone: seller, backing maker and its highest price; of these and of held positions what the holder's profit is counted from. */
  seller: 6,
  backer: 7,
} as const

/** All else, by its offset in a row of `Contents.cells`. */
export const ContentCell = {
  /** The request's (see drawKeys.ts). */
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
export const CONTENT_STRIDE = STRIDE
/** Of a row of legs, over that of the others: the first legs of a parlay share a cache line. */
const LEGS = 64 / STRIDE
const UNSET = -1

/**
 * What delivered messages share: the legs and amounts of a request or position, counted by who still refers to them. A content is named
 * by the index of its row's first word and cell: `words[content + ContentWord.references]`, `cells[content + ContentCell.drawKey]`.
 */
export class Contents extends SlotColumns {
  declare words: Int32Array
  declare cells: Float64Array
  /** Market × 2 + side, the market below 2³⁰; those of a content begin at content × LEGS. */
  private declare legs: Int32Array

  constructor(capacity = 1024) {
    super(capacity, STRIDE)
    this.words = new Int32Array(capacity * STRIDE)
    this.cells = new Float64Array(capacity * STRIDE)
    this.legs = new Int32Array(capacity * STRIDE * LEGS)
  }

  /** Copies the legs (market, side pairs) that are the row's list; the caller holds the one reference. */
  ofRow(rows: EventRows, row: Row, drawKey: number): number {
    const content = this.begin(drawKey)
    const { legs } = this
    const { pool } = rows
    const count = rows.read(row, EventCell.listLength) >> 1
    const from = rows.read(row, EventCell.listStart) | 0
    const to = content * LEGS
    for (let i = 0; i < count; i++) legs[to + i] = pool[from + 2 * i]! * 2 + pool[from + 2 * i + 1]!
    this.words[content + ContentWord.legCount] = count
    return content
  }

  /** Another content with the legs, the stake and the risk of `from`; the caller holds the one reference. */
  copy(from: number): number {
    const content = this.begin(this.cells[from + ContentCell.drawKey]!)
    const { words, cells, legs } = this
    const count = words[from + ContentWord.legCount]!
    for (let i = 0; i < count; i++) legs[content * LEGS + i] = legs[from * LEGS + i]!
    words[content + ContentWord.legCount] = count
    cells[content + ContentCell.betMicros] = cells[from + ContentCell.betMicros]!
    cells[content + ContentCell.stakeMicros] = cells[from + ContentCell.stakeMicros]!
    cells[content + ContentCell.riskMicros] = cells[from + ContentCell.riskMicros]!
    return content
  }

  /** A row with nothing of its former tenant; its legs are the caller's. */
  private begin(drawKey: number): number {
    const content = this.take()
    const { words, cells } = this
    words[content + ContentWord.references] = 1
    words[content + ContentWord.legCount] = words[content + ContentWord.selections] = 0
    words[content + ContentWord.profitFeeBps] = words[content + ContentWord.takerFeeBps] = words[content + ContentWord.auctions] = 0
    words[content + ContentWord.seller] = words[content + ContentWord.backer] = UNSET
    cells[content + ContentCell.drawKey] = drawKey
    cells[content + ContentCell.betMicros] = cells[content + ContentCell.stakeMicros] = cells[content + ContentCell.riskMicros] = 0
    cells[content + ContentCell.contentTag] = cells[content + ContentCell.expiresAtUs] = UNSET
    cells[content + ContentCell.basisMicros] = cells[content + ContentCell.boundMicros] = UNSET
    return content
  }

  hold(content: number, times = 1): void {
    this.words[content + ContentWord.references]! += times
  }

  drop(content: number): void {
    const left = --this.words[content + ContentWord.references]!
    assert(left >= 0, 'content dropped more often than held')
    if (left === 0) this.give(content)
  }

  show(content: number, view: LegsRow): void {
    const { legs } = this
    const { markets, sides } = view
    const count = this.words[content + ContentWord.legCount]!
    const from = content * LEGS
    view.count = count
    for (let i = 0; i < count; i++) {
      const leg = legs[from + i]!
      markets[i] = leg >> 1
      sides[i] = leg & 1
    }
  }

  /** Puts the legs of a content into what is made of them. */
  putLegs(content: number, into: { leg(market: number, side: number): unknown }): void {
    const from = content * LEGS
    for (let i = from; i < from + this.words[content + ContentWord.legCount]!; i++) into.leg(this.legs[i]! >> 1, this.legs[i]! & 1)
  }
}
