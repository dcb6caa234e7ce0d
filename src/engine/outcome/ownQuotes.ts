import { assert } from '../../unit/assert.ts'
import { NumberRing } from '../../unit/numberRing.ts'
import { SlotColumns } from '../../unit/slotColumns.ts'
import type { Image, Snapshot } from '../../unit/snapshot.ts'
import { NONE } from '../../venue/eventRows.ts'
import { M } from '../messages.ts'
import type { Transit } from '../transit.ts'

/** One row for each maker and RFQ, from its first quote until the RFQ is over and every quote is answered. */
class OwnQuoteColumns extends SlotColumns {
  /** Quotes that are not answered yet. */
  underWay = new Int32Array(this.capacity)
  /** The latest that the venue took, or −1, and when its maker is told of it, µs. */
  quote = new Float64Array(this.capacity)
  toldUs = new Float64Array(this.capacity)
  isOver = new Uint8Array(this.capacity)

  begin(): number {
    const row = this.take()
    this.underWay[row] = this.isOver[row] = 0
    this.quote[row] = NONE
    this.toldUs[row] = 0
    return row
  }
}

/** Of a withdrawal that waits: replies to come before it is sent, and its own way to the venue, µs. */
const LEFT = M.version
const WAY_US = M.seconds

/**
 * The numbers of makers' quotes as they are told them, since a withdrawal names one: it waits until the quotes that were under way before
 * it are answered, and then names the latest that was made. What a maker is told while it is away it knows when it is back.
 */
export class OwnQuotes implements Snapshot {
  private readonly transit: Transit
  private readonly makerCount: number
  private readonly rows = new OwnQuoteColumns(256)
  /** Row by RFQ number × makers + seat. */
  private readonly rowOf = new NumberRing()
  /** Messages of withdrawals that wait for replies, in the order in which they were asked for. */
  private waiting: number[] = []

  constructor(transit: Transit, makerCount: number) {
    this.transit = transit
    this.makerCount = makerCount
  }

  /** Maker `seat` sends a quote. */
  sent(rfq: number, seat: number): void {
    const key = rfq * this.makerCount + seat
    let row = this.rowOf.get(key)
    if (row < 0) {
      row = this.rows.begin()
      this.rowOf.set(key, row)
    }
    this.rows.underWay[row]!++
  }

  /** A quote of maker `seat` is answered: its number, −1 when it was refused; the maker is told at `toldUs`, Infinity for never. */
  answered(rfq: number, seat: number, quote: number, toldUs: number): void {
    const { rows } = this
    const row = this.rowOf.get(rfq * this.makerCount + seat)
    assert(row >= 0, 'a quote is answered that was sent')
    if (quote >= 0) {
      rows.quote[row] = quote
      rows.toldUs[row] = toldUs
    }
    rows.underWay[row]!--
    if (this.waiting.length > 0) this.countDown(rfq, seat, rows.quote[row]!, toldUs)
    this.forgetIdle(row, rfq, seat)
  }

  private countDown(rfq: number, seat: number, quote: number, toldUs: number): void {
    const { words, cells } = this.transit.messages
    let kept = 0
    for (const message of this.waiting) {
      const isOf = cells[message + M.request] === rfq && words[message + M.target] === seat
      if (isOf && --cells[message + LEFT]! === 0) this.send(message, quote, toldUs, cells[message + WAY_US]!)
      else this.waiting[kept++] = message
    }
    this.waiting.length = kept
  }

  /** Sends the withdrawal of message `message`, whose way to the venue takes `wayUs`, as soon as its maker knows what it withdraws. */
  withdraw(message: number, wayUs: number): void {
    const { rows, transit: { messages: { words, cells }, nowUs } } = this
    const row = this.rowOf.get(cells[message + M.request]! * this.makerCount + words[message + M.target]!)
    if (row >= 0 && rows.underWay[row]! > 0) {
      cells[message + LEFT] = rows.underWay[row]!
      cells[message + WAY_US] = wayUs
      this.waiting.push(message)
    } else if (row >= 0) this.send(message, rows.quote[row]!, rows.toldUs[row]!, wayUs)
    else this.send(message, NONE, nowUs, wayUs)
  }

  private send(message: number, quote: number, toldUs: number, wayUs: number): void {
    const { messages, nowUs } = this.transit
    if (toldUs === Infinity) return messages.give(message)
    messages.cells[message + M.quote] = quote
    this.transit.send(message, Math.max(0, toldUs - nowUs) + wayUs)
  }

  /** The RFQ is over. */
  forget(rfq: number): void {
    for (let seat = 0; seat < this.makerCount; seat++) {
      const row = this.rowOf.get(rfq * this.makerCount + seat)
      if (row < 0) continue
      this.rows.isOver[row] = 1
      this.forgetIdle(row, rfq, seat)
    }
  }

  /** A row that tells nothing any more, or never did, is given back. */
  private forgetIdle(row: number, rfq: number, seat: number): void {
    const { rows } = this
    if (rows.underWay[row]! > 0 || (rows.isOver[row] === 0 && rows.quote[row]! >= 0)) return
    this.rowOf.delete(rfq * this.makerCount + seat)
    rows.give(row)
  }

  snapshot(): Image {
    return { rows: this.rows.snapshot(), rowOf: this.rowOf.snapshot(), waiting: [...this.waiting] }
  }

  restore(image: Image): void {
    const from = image as { rows: Image; rowOf: Image; waiting: readonly number[] }
    this.rows.restore(from.rows)
    this.rowOf.restore(from.rowOf)
    this.waiting = [...from.waiting]
  }
}
