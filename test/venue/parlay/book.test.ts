import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { QuoteState } from '../../../src/venue/parlay/protocol/events.ts'
import { type Driver, sec, table, usd } from './driver.ts'

function book(): Driver {
  const d = table()
  d.create(10)
  return d
}

const best = (d: Driver) => d.of('bestQuoteChanged').map((row) => [row['quote'], row['oddsE4'], row['maker'], row['bookSeq']])

describe('the book of a request', () => {
  it('PQ-005 INV-16 holds one live quote of each maker', () => {
    const d = book()
    d.submit(20, 1, 4)
    d.submit(21, 1, 4)
    d.submit(20, 1, 3)
    expect([1, 2, 3].map((number) => d.view.quote(number)?.state)).toEqual([undefined, QuoteState.live, QuoteState.live])
  })

  it('PQ-039 PQ-189 book_seq rises by one for each change and for nothing else', () => {
    const d = book()
    const seq = (): number => d.view.request(1)!.bookSeq
    const steps: [string, () => unknown, number][] = [
      ['submit', () => d.submit(20, 1, 4), 1],
      ['refused submit', () => d.submit(20, 1, 4, { version: 9 }), 1],
      ['replace', () => d.submit(20, 1, 5), 2],
      ['second maker', () => d.submit(21, 1, 3, { validMs: 60_000 }), 3],
      ['withdraw', () => d.withdrawQuote(20, 1), 4],
      ['nothing to withdraw', () => d.withdrawQuote(20, 1), 4],
      ['third maker', () => d.submit(22, 1, 2), 5],
      ['expiry', () => d.pulse(sec(15)), 6],
      ['commit that selects', () => d.commit(10, 1), 6],
      ['failed selection', () => d.pulse(sec(20)), 7],
      ['update of an empty book', () => d.update(10, 1), 7],
      ['submit', () => d.submit(20, 1, 4), 8],
      ['submit', () => d.submit(21, 1, 4), 9],
      ['update of two quotes', () => d.update(10, 1), 10],
    ]
    for (const [what, step, after] of steps) {
      step()
      expect([what, seq()]).toEqual([what, after])
    }
  })

  it('PQ-189 a fill alone is no step; quotes left over make one', () => {
    const d = book()
    d.submit(20, 1, 4)
    d.commit(10, 1)
    d.confirm(20, 1, 1)
    expect(d.of('requestCommitted')).toMatchObject([{ bookSeq: 1 }])
    d.create(10)
    d.submit(20, 2, 4)
    d.submit(21, 2, 3)
    d.submit(22, 2, 3)
    d.commit(10, 2)
    d.confirm(20, 2, 2)
    expect(d.of('quoteInvalidated')).toMatchObject([{ quote: 3, bookSeq: 4 }, { quote: 4, bookSeq: 4 }])
    expect(d.of('requestCommitted')).toMatchObject([{ bookSeq: 4 }])
  })

  it('tells a new best quote, and only a new one', () => {
    const d = book()
    d.submit(20, 1, 4)
    expect(d.of('bestQuoteChanged')).toEqual([{
      event: 'bestQuoteChanged', at: 0, cause: d.seq, maker: 20, owner: 10, request: 1, version: 1, quote: 1, bookSeq: 1, oddsE4: 40_000,
      expiresAtUs: sec(15),
    }])
    d.submit(21, 1, 3.9999)
    expect(best(d)).toEqual([])
    d.submit(22, 1, 4.0001)
    expect(best(d)).toEqual([[3, 40_001, 22, 3]])
    d.withdrawQuote(22, 1)
    expect(best(d)).toEqual([[1, 40_000, 20, 4]])
    d.submit(20, 1, 2)
    expect(best(d)).toEqual([[2, 39_999, 21, 5]])
    d.withdrawQuote(20, 1)
    expect(best(d)).toEqual([])
    d.withdrawQuote(21, 1)
    expect(best(d)).toEqual([[undefined, undefined, undefined, 7]])
  })

  it('PQ-186 equal odds: the earliest is best, and a resubmission loses its place (readings A06)', () => {
    const d = book()
    d.submit(20, 1, 4)
    d.submit(21, 1, 4)
    expect(best(d)).toEqual([])
    d.submit(20, 1, 4)
    expect(best(d)).toEqual([[2, 40_000, 21, 3]])
    d.submit(21, 1, 4)
    expect(best(d)).toEqual([[3, 40_000, 20, 4]])
  })

  it('a replaced best quote at the same odds is a new best quote', () => {
    const d = book()
    d.submit(20, 1, 4)
    d.submit(20, 1, 4)
    expect(best(d)).toEqual([[2, 40_000, 20, 2]])
  })

  it('quotes that expire at one instant go by number, each with its own step', () => {
    const d = book()
    d.submit(21, 1, 3)
    d.submit(20, 1, 4)
    d.submit(22, 1, 5)
    d.pulse(sec(15))
    expect(d.rows.map((row) => [row.event, row['quote'], row['bookSeq']])).toEqual([
      ['quoteExpired', 1, 4], ['quoteExpired', 2, 5], ['quoteExpired', 3, 6], ['bestQuoteChanged', undefined, 6],
    ])
  })

  it('a reserved quote stays the best that readers see until the outcome', () => {
    const d = book()
    d.submit(20, 1, 5)
    d.submit(21, 1, 4)
    d.commit(10, 1)
    expect(best(d)).toEqual([])
    d.submit(22, 1, 4.5)
    expect(best(d)).toEqual([])
    d.decline(20, 1, 1)
    expect(best(d)).toEqual([[3, 45_000, 22, 4]])
  })

  it('a reserved quote is found again as the best of what is left', () => {
    const d = book()
    d.submit(20, 1, 5)
    d.submit(21, 1, 4)
    d.submit(22, 1, 3)
    d.commit(10, 1, {}, [20])
    d.withdrawQuote(20, 1)
    expect(best(d)).toEqual([[2, 40_000, 21, 4]])
  })

  it('INV-13 INV-14 INV-16 the best quote is that of a full scan after any walk', () => {
    const step = fc.record({ maker: fc.integer({ min: 20, max: 26 }), odds: fc.integer({ min: 20_000, max: 20_006 }), what: fc.integer({ min: 0, max: 9 }) })
    fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const d = book()
      for (let maker = 20; maker <= 26; maker++) d.deposit(maker, usd(1000))
      let last = 0
      let seq = 0
      for (const { maker, odds, what } of steps) {
        if (what < 6) last = (d.submit(maker, 1, 0, { oddsE4: odds, validMs: 5_000 + maker })['quote'] as number | undefined) ?? last
        else if (what < 8) d.withdrawQuote(maker, 1)
        else if (what === 8) d.at(d.now + 1_500_000).deposit(10, 1)
        else d.update(10, 1)
        const request = d.view.request(1)!
        const live = Array.from({ length: last }, (_, i) => d.view.quote(i + 1)).filter((quote) => quote?.state === QuoteState.live)
        live.sort((a, b) => b!.oddsE4 - a!.oddsE4 || a!.number - b!.number)
        expect(request.bestQuote).toBe(live[0]?.number ?? -1)
        expect(new Set(live.map((quote) => quote!.maker)).size).toBe(live.length)
        for (const quote of live) expect(quote!.version).toBe(request.version)
        expect(request.bookSeq).toBeGreaterThanOrEqual(seq)
        seq = request.bookSeq
        if (request.state !== 1) break
      }
    }), { numRuns: 60 })
  })
})
