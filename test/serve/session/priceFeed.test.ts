import { describe, expect, it } from 'vitest'
import type { Ticks } from '../../../src/market/ticks.ts'
import { type Asker, PriceFeed, type TickBody } from '../../../src/serve/session/priceFeed.ts'

/** [at, market, bid, ask, bid size, ask size, last] */
const RECORDED = [
  [100, 0, 400_000, 420_000, 7, -1, -1], [200, 1, -1, 990_000, -1, 3, 985_000], [300, 0, 410_000, 430_000, 1, 2, 420_000], [300, 2, 0, 1_000_000, 0, 0, -1], [400, 1, 10_000, -1, 5, -1, 985_000],
]
const column = (i: number): Int32Array => Int32Array.from(RECORDED, (row) => row[i]!)
const TICKS: Ticks = {
  count: RECORDED.length, atUs: Float64Array.from(RECORDED, ([atUs]) => atUs!), market: column(1), bidE6: column(2), askE6: column(3), bidSize: column(4), askSize: column(5), lastE6: column(6),
}
const SHIFT_US = 1_000_000
const asker = (nowUs: number, feedUs = 50, key = `a seat of ${feedUs}`): Asker => ({ key, nowUs, feedUs, marketName: (market) => `M${market}` })
const feed = (): PriceFeed => new PriceFeed(TICKS, 3, SHIFT_US)

interface Told {
  readonly now_us: number
  readonly next: number
  readonly has_more: boolean
  readonly prices: readonly TickBody[]
}
const told = (of: PriceFeed, query: string, who: Asker): Told => {
  const { status, body } = of.answer({ method: 'GET', query }, who)
  expect(status).toBe(200)
  return JSON.parse(body) as Told
}
const seqs = ({ prices }: Told): number[] => prices.map(({ seq }) => seq)

describe('the feed of recorded prices', () => {
  it('tells a tick from its instant and the latency of the seat on, and not a microsecond before', () => {
    const of = feed()
    const table: [nowUs: number, feedUs: number, seqs: number[]][] = [[149, 50, []], [150, 50, [0]], [299, 100, [0]], [299, 0, [0, 1]], [300, 0, [1, 2, 3]], [349, 50, [0, 1]], [350, 50, [1, 2, 3]], [1000, 50, [2, 3, 4]]]
    for (const [nowUs, feedUs, expected] of table) expect([nowUs, feedUs, seqs(told(of, '', asker(nowUs, feedUs)))]).toEqual([nowUs, feedUs, expected])
  })

  it('tells each of two seats of one latency what is visible at its own instant', () => {
    const of = feed()
    const book = ({ prices }: Told) => prices.map(({ seq, has_book }) => [seq, has_book])
    const [early, late] = [asker(150, 50, 'early'), asker(1000, 50, 'late')]
    expect([early, late, early].map((who) => seqs(told(of, '', who)))).toEqual([[0], [2, 3, 4], [0]])
    expect(told(of, 'from=0', early)).toMatchObject({ next: 1, prices: [{ seq: 0 }] })
    expect(book(told(of, '', late))).toEqual([[2, true], [3, true], [4, true]])
  })

  it('tells a seat that asks for an earlier instant than before what was visible then', () => {
    const of = new PriceFeed({ ...TICKS, count: 2, market: Int32Array.of(0, 0), bidE6: Int32Array.of(-1, 5), askE6: Int32Array.of(-1, 5) }, 1, SHIFT_US)
    const at = (nowUs: number) => told(of, '', asker(nowUs)).prices.map(({ seq, has_book }) => [seq, has_book])
    expect([150, 250, 249, 149, 250].map(at)).toEqual([[[0, false]], [[1, true]], [[0, false]], [], [[1, true]]])
  })

  it.each(['bid', 'ask'] as const)('says that a market has shown a book from its first %s on', (side) => {
    const of = new PriceFeed({
      count: 3, atUs: Float64Array.of(100, 200, 300), market: Int32Array.of(0, 0, 0), bidE6: Int32Array.of(-1, side === 'bid' ? 0 : -1, -1), askE6: Int32Array.of(-1, side === 'ask' ? 0 : -1, -1),
      bidSize: Int32Array.of(-1, -1, -1), askSize: Int32Array.of(-1, -1, -1), lastE6: Int32Array.of(5, 5, 5),
    }, 1, SHIFT_US)
    expect([150, 249, 250, 350].map((nowUs) => told(of, '', asker(nowUs)).prices[0]!.has_book)).toEqual([false, false, true, true])
  })

  it('tells prices in dollars, and null where a side is empty or a size is not known', () => {
    const { now_us, prices } = told(feed(), '', asker(1000))
    expect(now_us).toBe(SHIFT_US + 1000)
    expect(prices).toEqual([
      { seq: 2, at_us: SHIFT_US + 300, market: 'M0', yes_bid: 0.41, yes_ask: 0.43, yes_bid_size: 1, yes_ask_size: 2, last: 0.42, has_book: true },
      { seq: 3, at_us: SHIFT_US + 300, market: 'M2', yes_bid: 0, yes_ask: 1, yes_bid_size: 0, yes_ask_size: 0, last: null, has_book: true },
      { seq: 4, at_us: SHIFT_US + 400, market: 'M1', yes_bid: 0.01, yes_ask: null, yes_bid_size: 5, yes_ask_size: null, last: 0.985, has_book: true },
    ])
  })

  it('goes on from a number, a page at a time, and nobody misses one', () => {
    const of = feed()
    const begin = told(of, '', asker(149))
    expect([seqs(begin), begin.next, begin.has_more]).toEqual([[], 0, false])
    expect(told(of, `from=${begin.next}`, asker(249))).toMatchObject({ next: 1, has_more: false, prices: [{ seq: 0 }] })
    const pages = [1, 2, 3, 4].reduce<Told[]>((list) => [...list, told(of, `from=${list.at(-1)?.next ?? 0}&limit=2`, asker(500))], [])
    expect(pages.map((page) => [seqs(page), page.next, page.has_more])).toEqual([[[0, 1], 2, true], [[2, 3], 4, true], [[4], 5, false], [[], 5, false]])
    expect(told(of, 'from=99', asker(500))).toMatchObject({ next: 99, has_more: false, prices: [] })
  })

  it('tells the latest of each market a page at a time, and a market that ticks meanwhile on a later page', () => {
    const of = feed()
    const first = told(of, 'limit=1', asker(250))
    expect([seqs(first), first.next, first.has_more]).toEqual([[0], 1, true])
    const second = told(of, `ticks=latest&from=${first.next}&limit=2`, asker(1000))
    expect([seqs(second), second.next, second.has_more]).toEqual([[2, 3], 4, true])
    const third = told(of, `ticks=latest&from=${second.next}&limit=2`, asker(1000))
    expect([seqs(third), third.next, third.has_more]).toEqual([[4], 5, false])
  })

  it.each([
    ['limit=0', 400], ['limit=1', 200], ['limit=1000', 200], ['limit=1001', 400], ['limit=x', 400], ['limit=1&limit=2', 400], ['from=-1', 400], ['from=', 400], ['from=1.5', 400], ['from=1&from=2', 400], ['from=0', 200], ['ticks=x', 400], ['ticks=all', 200], ['ticks=latest', 200],
  ])('answers ?%s with %i', (query, status) => {
    expect(feed().answer({ method: 'GET', query }, asker(500)).status).toBe(status)
  })

  it('is read with GET', () => {
    expect(feed().answer({ method: 'POST', query: '' }, asker(500)).status).toBe(405)
  })
})
