import { assert } from '../unit/assert.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'

/** What a message in flight is. */
export const MessageKind = {
  /** A bettor of cohort `target` arrives; `index` counts arrivals of the cohort. */
  arrival: 1,
  /** Decision time of an intent: `intent`, `generation`. */
  decision: 2,
  /** A command on its way to the venue; `index` is the draw key of its request. */
  command: 3,
  /** Rows on their way to maker seat `target`; `content` holds what they share. */
  request: 4,
  later: 5,
  best: 6,
  selected: 7,
  ack: 8,
  opened: 9,
  settled: 10,
  /** Rows on their way to a bettor: `intent`, `generation`. */
  bestToBettor: 11,
  refused: 12,
  /** Auctions and positions on their way to maker seat `target`. */
  auction: 13,
  bestBid: 14,
  bought: 15,
  heldEnded: 16,
  /** It sold the position in its own auction. */
  heldSold: 17,
  heldReply: 18,
  heldBid: 19,
  heldAuctionEnded: 20,
  heldCheck: 21,
  /** About a bettor's position: `intent` and `generation` are those of its holding. */
  holdingOpened: 22,
  check: 23,
  bidToSeller: 24,
  auctionEnded: 25,
  cashoutReply: 26,
  listened: 27,
  /** A bid of maker seat `target` was taken, and it has a last look (outcome service). */
  bidTaken: 28,
  /** Of a session with a gate: account `account` makes itself another key. */
  keyRenewal: 30,
  /** Maker seat `target` opens or closes its stream, as its connection is. */
  stream: 31,
  /** An endpoint's answer `code` to attempt `version` of delivery `index`. */
  answer: 32,
  /** The bettor of `intent` asks for prices once more. */
  requestAgain: 33,
  /** Endpoint `target` can be reached again and asks for delivery `index` once more. */
  redelivery: 34,
  /** Maker seat `target` has put off the decision about a selection to now. */
  decideLater: 35,
} as const

/** `code` of a `settled` message: how a position that the maker backed ended. */
export const BackedEnd = { settled: 0, boughtBack: 1 } as const

/** First kind that is about a bettor's position, and the first of a gate. */
export const FIRST_HOLDING_KIND = MessageKind.holdingOpened
export const FIRST_GATE_KIND = MessageKind.keyRenewal

/** Offsets of a message's fields in its row. */
export const M = {
  kind: 0, target: 1, op: 2, account: 3, intent: 4, generation: 5, request: 6, version: 7, contentTag: 8, quote: 9, bookSeq: 10,
  oddsE4: 11, validMs: 12, amount: 13, memo: 14, content: 15, untilUs: 16, code: 17, position: 18, index: 19,
  /** Shares a cell: what an auction is about has no content tag. */
  auction: 8,
  /** The same: row of a position that a maker holds; what is about it has no book. */
  held: 10,
  /** Of commands to the outcome service alone, whose quotes have payouts and whole seconds: fingerprint of signed terms, idempotency key. */
  termsTag: 11,
  key: 12,
  /** The same: `expiryS` of a quote, `validAfterS` of an acceptance. */
  seconds: 16,
} as const

/** Even, so that the queue's payload holds the number of a message's service beside its first cell. */
const STRIDE = 20
const UNSET = -1

/**
 * Messages in flight: rows of one Float64Array with a free list. A message is named by the index of its first cell, which
 * the event queue carries; its fields are `cells[message + M.x]`. `cells` may be another array after `take`.
 */
export class Messages implements Snapshot {
  cells: Float64Array
  private free: Int32Array
  private freeCount = 0
  private used = 0

  constructor(capacity = 4096) {
    this.cells = new Float64Array(capacity * STRIDE)
    this.free = new Int32Array(capacity)
  }

  /** A fresh message with every other field −1; returns its first cell. */
  take(kind: number, target: number): number {
    let slot: number
    if (this.freeCount > 0) slot = this.free[--this.freeCount]!
    else {
      slot = this.used++
      if (this.used * STRIDE > this.cells.length) this.widen()
    }
    const { cells } = this
    const at = slot * STRIDE
    // A loop: TypedArray.prototype.fill costs several times as much for so few cells.
    for (let i = at + 2; i < at + STRIDE; i++) cells[i] = UNSET
    cells[at] = kind
    cells[at + 1] = target
    return at
  }

  give(at: number): void {
    assert(this.freeCount < this.free.length, 'message given back twice')
    this.free[this.freeCount++] = at / STRIDE
  }

  private widen(): void {
    const cells = new Float64Array(this.cells.length * 2)
    cells.set(this.cells)
    this.cells = cells
    const free = new Int32Array(this.free.length * 2)
    free.set(this.free)
    this.free = free
  }

  snapshot(): Image {
    return {
      cells: this.cells.slice(0, this.used * STRIDE), free: this.free.slice(0, this.freeCount), used: this.used,
      capacity: this.free.length,
    }
  }

  restore(image: Image): void {
    const from = image as unknown as { cells: Float64Array; free: Int32Array; used: number; capacity: number }
    this.cells = new Float64Array(from.capacity * STRIDE)
    this.cells.set(from.cells)
    this.free = new Int32Array(from.capacity)
    this.free.set(from.free)
    this.freeCount = from.free.length
    this.used = from.used
  }
}
