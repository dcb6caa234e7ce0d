import { assert } from '../unit/assert.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { widened } from '../unit/widened.ts'
import { MESSAGE_STRIDE } from './messageCells.ts'

/** Kinds of messages in flight. */
export const MessageKind = {
  /** A bettor of cohort `target` arrives; `index` counts arrivals of the cohort. */
  arrival: 1,
  /** Decision time of an intent: `intent`, `generation`. */
  decision: 2,
  /** A command on its way to the venue; `index` is the draw key of its request. In \`later\` and \`decideLater\` it counts how often in a row the maker asked for that. */
  command: 3,
  /** Rows on their way to maker seat `target`; `combo` holds what they share. */
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
  /** The holder sold the position in its own auction. */
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
  cashOutReply: 26,
  listened: 27,
  /** A bid of maker seat `target` was taken, and it has a last look (outcome service). */
  bidTaken: 28,
  /** Account `account` makes itself another key, in a session with a gate. */
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
  /** A call from outside of the session on its way to the service, and its answer on the way back; `amount` is its serial number (externalCalls.ts). */
  call: 36,
  callAnswered: 37,
  /** The instant has come at which a client outside of the session asked to be called again (turns.ts). */
  wake: 38,
  /** The instant has come at which maker seat `target` wanted to be called, whatever it is told. */
  timer: 39,
  /** A price has moved as far as maker seat `target` said, of a leg of a request, and of a position that it backs or holds. */
  price: 40,
  backedPrice: 41,
  heldPrice: 42,
  /** The same about a bettor's position. */
  holdingPrice: 43,
  /** The time is over until which a request said to maker seat `target` that it is open. */
  requestOver: 44,
  /** A bettor's position has ended, and brought `amount`. */
  holdingSettled: 45,
} as const

/** `code` of a `settled` message: how a position that the maker backed ended. */
export const BackedEnd = { settled: 0, boughtBack: 1 } as const

/** First kind that is about a bettor's position, and the first of a gate. */
export const FIRST_HOLDING_KIND = MessageKind.holdingOpened
export const FIRST_GATE_KIND = MessageKind.keyRenewal

/**
 * Small integers of a message, by their offsets in a row of `Messages.words`. All else lies in its cells (messageCells.ts). An index or a kind that is read as a double costs a checked
 * conversion wherever it is used.
 */
export const MessageWord = {
  kind: 0, target: 1, action: 2, account: 3, intent: 4, generation: 5, combo: 6, code: 7,
  /** Row of a position that a maker holds. */
  held: 8,
  /** Shares a cell: how often a command has been repeated, since no command has a code. */
  repeats: 7,
} as const

const UNSET = -1

/**
 * Messages in flight: rows of two arrays with a free list. A message is named by the index of its first word and cell, which
 * the event queue carries; its fields are `words[message + MessageWord.kind]`, `cells[message + RequestMessage.request]`. Both may be other arrays after `take`.
 */
export class Messages implements Snapshot {
  declare words: Int32Array
  declare cells: Float64Array
  private declare free: Int32Array
  private freeCount = 0
  /** First word of the rows never used yet. */
  private used = 0

  constructor(capacity = 4096) {
    this.words = new Int32Array(capacity * MESSAGE_STRIDE)
    this.cells = new Float64Array(capacity * MESSAGE_STRIDE)
    this.free = new Int32Array(capacity)
  }

  /** A fresh message with every other field −1; returns its first word. */
  take(kind: number, target: number): number {
    const at = this.takeBare(kind, target)
    const { words, cells } = this
    for (let i = at + MessageWord.action; i <= at + MessageWord.held; i++) words[i] = UNSET
    // A loop: TypedArray.prototype.fill costs several times as much for so few cells.
    for (let i = at; i < at + MESSAGE_STRIDE; i++) cells[i] = UNSET
    return at
  }

  /**
   * The same, but other fields keep what a former message left. It is for the kinds that are sent most, whose senders write every field that
   * is read (test/engine/messages.test.ts).
   */
  takeBare(kind: number, target: number): number {
    let at: number
    if (this.freeCount > 0) at = this.free[--this.freeCount]!
    else {
      at = this.used
      this.used += MESSAGE_STRIDE
      if (this.used > this.words.length) this.widen()
    }
    this.words[at + MessageWord.kind] = kind
    this.words[at + MessageWord.target] = target
    return at
  }

  give(at: number): void {
    assert(this.freeCount < this.free.length, 'message given back twice')
    this.free[this.freeCount++] = at
  }

  /** Gives message `to` the fields of message `from`, its kind and target apart. */
  copyFields(from: number, to: number): void {
    this.words.copyWithin(to + MessageWord.action, from + MessageWord.action, from + MessageWord.held + 1)
    this.cells.copyWithin(to, from, from + MESSAGE_STRIDE)
  }

  private widen(): void {
    this.words = widened(this.words)
    this.cells = widened(this.cells)
    this.free = widened(this.free)
  }

  snapshot(): Image {
    const { used } = this
    return { words: this.words.slice(0, used), cells: this.cells.slice(0, used), free: this.free.slice(0, this.freeCount), capacity: this.free.length }
  }

  restore(image: Image): void {
    const from = image as unknown as { words: Int32Array; cells: Float64Array; free: Int32Array; capacity: number }
    this.words = new Int32Array(from.capacity * MESSAGE_STRIDE)
    this.words.set(from.words)
    this.cells = new Float64Array(from.capacity * MESSAGE_STRIDE)
    this.cells.set(from.cells)
    this.free = new Int32Array(from.capacity)
    this.free.set(from.free)
    this.freeCount = from.free.length
    this.used = from.words.length
  }
}
