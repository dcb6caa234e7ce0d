import { createHash } from 'node:crypto'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { POSTING_STRIDE, PostingField } from '../ledger/postingRows.ts'
import { EVENT_STRIDE, EventCell, type EventRows } from '../venue/eventRows.ts'
import { RowCursor, takeInOrder } from './rowCursor.ts'
import type { Batch, ServiceBatch, Sink } from './sink.ts'

/** Rows that one block digest covers, whatever the batches were. */
export const DIGEST_BLOCK_ROWS = 4096

const EVENT_TAG = 0x45564e54
const POSTING_TAG = 0x504f5354
/** Where the last turn over a row's cells begins. It takes all cells that are left, except `listStart`. */
const LAST_TURN = EVENT_STRIDE - 5

/**
 * Identity of a session's rows (design.md, decision 13): event rows with the contents of their lists, and posting rows, of
 * both services in the total order of `seq`. A block of 4096 rows goes through four multiply-rotate lanes (the mixing of
 * `unit/laneHash.ts`), and each block's lanes go into a SHA-256 chain. Every step of a lane is a bijection, so that a change of any
 * one word of a block certainly changes its lanes. Where a list starts in its pool is no part of a row. −0 counts as 0, and rows
 * hold no NaN.
 */
export class Digest implements Sink, Snapshot {
  private readonly lanes = new Int32Array(4)
  private chain: Uint8Array<ArrayBuffer> = new Uint8Array(32)
  private blockRows = 0

  constructor() {
    this.startBlock()
  }

  flush({ parlay, outcome }: Batch): void {
    const cursorOf = (batch: ServiceBatch | null): WordCursor | null => (batch === null ? null : new WordCursor(batch))
    takeInOrder(cursorOf(parlay), cursorOf(outcome), (cursor, belowSeq) => this.mixBelow(cursor, belowSeq))
  }

  finish(): void {}

  abort(): void {}

  /** The digest of all rows so far, 64 hex digits. It may be asked for at any time. */
  hex(): string {
    return Buffer.from(this.chained()).toString('hex')
  }

  snapshot(): Image {
    return { lanes: this.lanes.slice(), chain: this.chain.slice(), blockRows: this.blockRows }
  }

  restore(image: Image): void {
    const from = image as unknown as { lanes: Int32Array; chain: Uint8Array<ArrayBuffer>; blockRows: number }
    this.lanes.set(from.lanes)
    this.chain = from.chain.slice()
    this.blockRows = from.blockRows
  }

  /** Mixes in a service's rows whose seq is below `seq`. */
  private mixBelow(cursor: WordCursor, seq: number): void {
    const { events, postings, eventWords, postingWords } = cursor
    let { event, posting } = cursor
    for (;;) {
      const room = DIGEST_BLOCK_ROWS - this.blockRows
      const postingSeq = posting < postings.count ? postings.get(posting, PostingField.seq) : Infinity
      const bound = postingSeq < seq ? postingSeq : seq
      const end = runEnd(events, event, Math.min(events.count, event + room), bound)
      if (end > event) {
        mixEvents(this.lanes, events, eventWords, event, end)
        this.blockRows += end - event
        event = end
      } else {
        if (postingSeq >= seq) break
        mixPosting(this.lanes, postingWords, posting++ * POSTING_STRIDE * 2)
        this.blockRows++
      }
      if (this.blockRows === DIGEST_BLOCK_ROWS) {
        this.chain = this.chained()
        this.startBlock()
      }
    }
    cursor.event = event
    cursor.posting = posting
  }

  private startBlock(): void {
    this.lanes.set([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344])
    this.blockRows = 0
  }

  private chained(): Uint8Array<ArrayBuffer> {
    const block = new Uint8Array(20)
    const view = new DataView(block.buffer)
    for (let i = 0; i < 4; i++) view.setInt32(i * 4, this.lanes[i]!, true)
    view.setInt32(16, this.blockRows, true)
    return new Uint8Array(createHash('sha256').update(this.chain).update(block).digest())
  }
}

/** A cursor together with the words of its rows. */
class WordCursor extends RowCursor {
  declare readonly eventWords: Int32Array
  declare readonly postingWords: Int32Array

  constructor(batch: ServiceBatch) {
    super(batch)
    this.eventWords = wordsOf(batch.events.rawCells())
    this.postingWords = wordsOf(batch.postings.cells)
  }
}

const wordsOf = (cells: Float64Array): Int32Array => new Int32Array(cells.buffer, cells.byteOffset, cells.length * 2)

/** The first event row from `from` on whose seq is above `bound`, `limit` at most. */
function runEnd(events: EventRows, from: number, limit: number, bound: number): number {
  let row = from
  while (row < limit && events.read(events.row(row), EventCell.seq) < bound) row++
  return row
}

const mix = (lane: number, first: number, second: number): number => {
  const x = Math.imul(lane ^ first, 0x9e3779b1)
  const y = (((x << 15) | (x >>> 17)) + second) | 0
  return Math.imul(y ^ (y >>> 15), 0x85ebca6b)
}

/** The high word of a double, without the sign of −0. */
const high = (low: number, word: number): number => (word === -0x80000000 && low === 0 ? 0 : word)

/**
 * Mixes rows `from`…`to`−1: five turns of four cells, two for lanes a and b and two for c and d, then the list. The last turn takes
 * the last three cells before `listStart`, skips `listStart`, and takes `listLength`. The two words of one cell never meet in one
 * step, so that no change of a field can cancel itself.
 */
function mixEvents(lanes: Int32Array, events: EventRows, words: Int32Array, from: number, to: number): void {
  const pool = events.pool
  let a = lanes[0]!
  let b = lanes[1]!
  let c = lanes[2]!
  let d = lanes[3]!
  for (let row = from; row < to; row++) {
    const first = row * EVENT_STRIDE * 2
    const last = first + LAST_TURN * 2
    a ^= EVENT_TAG
    for (let at = first; at <= last; at += 8) {
      const fourth = at === last ? at + 8 : at + 6
      const low0 = words[at]!
      const low1 = words[at + 2]!
      const low2 = words[at + 4]!
      const low3 = words[fourth]!
      a = mix(a, low0, high(low1, words[at + 3]!))
      b = mix(b, low1, high(low0, words[at + 1]!))
      c = mix(c, low2, high(low3, words[fourth + 1]!))
      d = mix(d, low3, high(low2, words[at + 5]!))
    }
    const length = events.read(events.row(row), EventCell.listLength)
    if (length === 0) continue
    const start = events.read(events.row(row), EventCell.listStart)
    for (let i = 0; i < length; i++) {
      const turned = mix(a, pool[start + i]!, i)
      a = b
      b = c
      c = d
      d = turned
    }
  }
  lanes[0] = a
  lanes[1] = b
  lanes[2] = c
  lanes[3] = d
}

/** One posting row: five turns of two cells, for lanes 0 and 1. */
function mixPosting(lanes: Int32Array, words: Int32Array, from: number): void {
  let a = lanes[0]! ^ POSTING_TAG
  let b = lanes[1]!
  for (let at = from, end = from + POSTING_STRIDE * 2; at < end; at += 4) {
    const low0 = words[at]!
    const low1 = words[at + 2]!
    a = mix(a, low0, high(low1, words[at + 3]!))
    b = mix(b, low1, high(low0, words[at + 1]!))
  }
  lanes[0] = a
  lanes[1] = b
}
