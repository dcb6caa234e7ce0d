import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LiveQuotes } from '../../../src/venue/outcome/machine/liveQuotes.ts'
import { QUOTE_STRIDE, QuoteInt, QuoteRows } from '../../../src/venue/outcome/machine/quoteRows.ts'
import { QuoteState } from '../../../src/venue/outcome/protocol/events.ts'

interface Quoting {
  readonly rfq: number
  readonly maker: number
  /** Makes or replaces the maker's quote on the RFQ; else ends it. */
  readonly quotes: boolean
}

/** Live quotes beside a plain map of them. */
class Book {
  readonly rows = new QuoteRows(4)
  readonly live = new LiveQuotes(this.rows)
  readonly slots = new Map<string, number>()

  play({ rfq, maker, quotes }: Quoting): void {
    const key = `${rfq},${maker}`
    const own = this.slots.get(key)
    if (own !== undefined) this.rows.ints[own * QUOTE_STRIDE + QuoteInt.state] = QuoteState.replaced
    if (quotes) this.quote(rfq, maker, key)
    else if (own !== undefined) {
      this.live.remove(own)
      this.slots.delete(key)
    }
  }

  private quote(rfq: number, maker: number, key: string): void {
    const cell = this.live.cellOf(rfq, maker)
    const q = this.rows.take()
    const at = q * QUOTE_STRIDE
    this.rows.ints[at + QuoteInt.rfq] = rfq
    this.rows.ints[at + QuoteInt.maker] = maker
    this.rows.ints[at + QuoteInt.state] = QuoteState.live
    this.live.put(cell, q)
    this.slots.set(key, q)
  }

  slotOf(rfq: number, maker: number): number {
    return this.live.at(this.live.cellOf(rfq, maker))
  }
}

const RFQS = 12
const MAKERS = 30

function expectAlike(book: Book): void {
  for (let rfq = 0; rfq < RFQS; rfq++) {
    for (let maker = 0; maker < MAKERS; maker++) expect(book.slotOf(rfq, maker)).toBe(book.slots.get(`${rfq},${maker}`) ?? -1)
  }
}

describe('the live quote of a maker on an RFQ', () => {
  const quoting = fc.record({ rfq: fc.nat(RFQS - 1), maker: fc.nat(MAKERS - 1), quotes: fc.boolean() })

  it('is found as in a plain map, through replacements, ends and more quotes than the table began with', () => {
    fc.assert(fc.property(fc.array(quoting, { maxLength: 600 }), (script) => {
      const book = new Book()
      for (const step of script) book.play(step)
      expectAlike(book)
    }), { numRuns: 60 })
  })

  it('is found again from the quotes alone', () => {
    fc.assert(fc.property(fc.array(quoting, { maxLength: 600 }), (script) => {
      const book = new Book()
      for (const step of script) book.play(step)
      book.live.refill()
      expectAlike(book)
    }), { numRuns: 20 })
  })

  it('is one for each maker, however many quote on one RFQ', () => {
    const book = new Book()
    for (let maker = 0; maker < MAKERS; maker++) for (let again = 0; again < 3; again++) book.play({ rfq: 7, maker, quotes: true })
    expect(Array.from({ length: MAKERS }, (_, maker) => book.slotOf(7, maker))).toEqual(Array.from({ length: MAKERS }, (_, maker) => 3 * maker + 2))
    expect(book.slotOf(6, 0)).toBe(-1)
  })
})
