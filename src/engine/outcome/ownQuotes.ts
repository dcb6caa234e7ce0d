import { assert } from '../../unit/assert.ts'
import { NONE } from '../../unit/none.ts'
import { NumberRing } from '../../unit/numberRing.ts'
import { SlotColumns } from '../../unit/slotColumns.ts'
import type { Image, Snapshot } from '../../unit/snapshot.ts'
import { WithdrawalMessage } from '../messageCells.ts'
import { MessageWord } from '../messages.ts'
import type { Transit } from '../transit.ts'

/**
 * A row for each RFQ, from its first quote until every quote is answered and the RFQ is over or has no known quote. Each maker has a place
 * of its own in the row, from slot × makers on. All places are 0 again when the row is given back.
 */
class OwnQuoteColumns extends SlotColumns {
  declare readonly makerCount: number
  /** Quotes of all makers that are not answered yet, and makers with a quote that the venue took. */
  pending = new Int32Array(this.capacity)
  known = new Int32Array(this.capacity)
  isOver = new Uint8Array(this.capacity)
  /** A maker's quotes that are not answered yet. */
  declare underWay: Int32Array
  /** Number of its latest that the venue took, from 1, or 0; and when the maker is told of it, µs. */
  declare quote: Float64Array
  declare toldUs: Float64Array

  constructor(capacity: number, makerCount: number) {
    super(capacity)
    this.makerCount = makerCount
    this.underWay = new Int32Array(capacity * makerCount)
    this.quote = new Float64Array(capacity * makerCount)
    this.toldUs = new Float64Array(capacity * makerCount)
  }

  begin(): number {
    const row = this.take()
    this.pending[row] = this.known[row] = this.isOver[row] = 0
    return row
  }

  /** What the maker has at `place` will not be asked for any more. */
  clear(place: number): void {
    this.quote[place] = this.toldUs[place] = 0
  }
}

/**
 * The numbers of makers' quotes as the makers learn them, because a withdrawal names one. A withdrawal waits until the quotes that were
 * under way before it are answered, and then names the latest one. What a maker is told while it is away, it knows when it is back.
 */
export class OwnQuotes implements Snapshot {
  private declare readonly transit: Transit
  private declare readonly makerCount: number
  private declare readonly rows: OwnQuoteColumns
  /** Row by RFQ number. */
  private readonly rowOf = new NumberRing()
  /** Messages of withdrawals that wait for replies, in the order in which they were asked for. */
  private waiting: number[] = []

  constructor(transit: Transit, makerCount: number) {
    this.transit = transit
    this.makerCount = makerCount
    this.rows = new OwnQuoteColumns(256, makerCount)
  }

  /** Maker `seat` sends a quote. */
  sent(rfq: number, seat: number): void {
    const { rows } = this
    let row = this.rowOf.get(rfq)
    if (row < 0) {
      row = rows.begin()
      this.rowOf.set(rfq, row)
    }
    rows.pending[row]!++
    rows.underWay[row * this.makerCount + seat]!++
  }

  /** A quote of maker `seat` is answered: its number, −1 when it was refused; the maker is told at `toldUs`, Infinity for never. */
  answered(rfq: number, seat: number, quote: number, toldUs: number): void {
    const { rows } = this
    const row = this.rowOf.get(rfq)
    const place = row * this.makerCount + seat
    assert(row >= 0 && rows.underWay[place]! > 0, 'a quote is answered that was sent')
    if (quote >= 0) {
      if (rows.quote[place] === 0) rows.known[row]!++
      rows.quote[place] = quote
      rows.toldUs[place] = toldUs
    }
    rows.pending[row]!--
    rows.underWay[place]!--
    if (this.waiting.length > 0) this.countDown(rfq, seat, this.quoteAt(place), toldUs)
    if (rows.isOver[row] === 1 && rows.underWay[place] === 0) rows.clear(place)
    this.forgetIdle(row, rfq)
  }

  private quoteAt(place: number): number {
    const quote = this.rows.quote[place]!
    return quote === 0 ? NONE : quote
  }

  private countDown(rfq: number, seat: number, quote: number, toldUs: number): void {
    const { words, cells } = this.transit.messages
    let kept = 0
    for (const message of this.waiting) {
      const isOf = cells[message + WithdrawalMessage.request] === rfq && words[message + MessageWord.target] === seat
      if (isOf && --cells[message + WithdrawalMessage.repliesLeft]! === 0) this.send(message, quote, toldUs, cells[message + WithdrawalMessage.wayUs]!)
      else this.waiting[kept++] = message
    }
    this.waiting.length = kept
  }

  /** Sends the withdrawal of message `message`, whose way to the venue takes `wayUs`, as soon as its maker knows what it withdraws. */
  withdraw(message: number, wayUs: number): void {
    const { rows, transit: { messages: { words, cells }, nowUs } } = this
    const row = this.rowOf.get(cells[message + WithdrawalMessage.request]!)
    if (row < 0) return this.send(message, NONE, nowUs, wayUs)
    const place = row * this.makerCount + words[message + MessageWord.target]!
    if (rows.underWay[place] === 0) return this.send(message, this.quoteAt(place), rows.toldUs[place]!, wayUs)
    cells[message + WithdrawalMessage.repliesLeft] = rows.underWay[place]!
    cells[message + WithdrawalMessage.wayUs] = wayUs
    this.waiting.push(message)
  }

  private send(message: number, quote: number, toldUs: number, wayUs: number): void {
    const { messages, nowUs } = this.transit
    if (toldUs === Infinity) return messages.give(message)
    messages.cells[message + WithdrawalMessage.quote] = quote
    this.transit.send(message, Math.max(0, toldUs - nowUs) + wayUs)
  }

  /** The RFQ is over. */
  forget(rfq: number): void {
    const { rows } = this
    const row = this.rowOf.get(rfq)
    if (row < 0) return
    rows.isOver[row] = 1
    const end = (row + 1) * this.makerCount
    for (let place = row * this.makerCount; place < end; place++) if (rows.underWay[place] === 0) rows.clear(place)
    this.forgetIdle(row, rfq)
  }

  /** A row that tells nothing any more, or never did, is given back. */
  private forgetIdle(row: number, rfq: number): void {
    const { rows } = this
    if (rows.pending[row]! > 0 || (rows.isOver[row] === 0 && rows.known[row]! > 0)) return
    this.rowOf.delete(rfq)
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
