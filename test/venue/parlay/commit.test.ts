import { describe, expect, it } from 'vitest'
import { QuoteState, RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import { type Driver, sec, table, usd } from './driver.ts'

/** Request 1 of bettor 10 with quotes 1, 2, 3 of makers 20, 21, 22 at 4.0, 5.0 and 4.5. */
function quoted(): Driver {
  const d = table()
  d.create(10)
  d.submit(20, 1, 4)
  d.submit(21, 1, 5)
  d.submit(22, 1, 4.5)
  return d
}

const selected = (d: Driver) => d.of('quoteSelected').map((row) => row['quote'])
const drain = (d: Driver, account: number, leaveMicros: number) => d.withdraw(account, d.free(account) - leaveMicros)

describe('commit', () => {
  it('PQ-182 PQ-184 selects the highest odds and does not answer yet', () => {
    const d = quoted()
    expect(d.commit(10, 1)).toBeUndefined()
    expect(d.rows).toEqual([{
      event: 'quoteSelected', at: 0, cause: d.seq, maker: 21, owner: 10, request: 1, version: 1, quote: 2, oddsE4: 50_000,
      riskMicros: 99_000_000, betMicros: usd(25), netStakeMicros: 24_750_000, confirmBeforeUs: sec(5), list: [1, 1, 2, 0],
    }])
    expect(d.view.request(1)).toMatchObject({ state: RequestState.active, pendingQuote: 2, bestQuote: 2, bookSeq: 3 })
    expect(d.view.quote(2)).toMatchObject({ state: QuoteState.reserved })
  })

  it('PQ-190 reserves the bet and the risk, gross balances unchanged (readings A09)', () => {
    const d = quoted()
    d.commit(10, 1)
    expect(d.moved).toEqual(['hold: free 10 -> reserved 10 25000000', 'hold: free 21 -> reserved 21 99000000'])
    expect(d.balances(10, 21)).toEqual([[usd(975), usd(25)], [usd(901), usd(99)]])
    expect(d.view.balance(21)).toMatchObject({ lockedMicros: usd(99), grossMicros: usd(1000) })
  })

  it.each<[string, Partial<Record<string, number>>, string | undefined]>([
    ['floor 1.0000', { oddsE4: 10_000 }, 'invalid'],
    ['floor 1.0001', { oddsE4: 10_001 }, undefined],
    ['a floor above every limit', { oddsE4: 99_999_999 }, 'quoteExpired'],
    ['a fractional floor', { oddsE4: 10_001.5 }, 'invalid'],
    ['version 0', { version: 0 }, 'invalid'],
    ['quote 0', { quote: 0 }, 'invalid'],
    ['book_seq −1', { bookSeq: -1 }, 'invalid'],
    ['book_seq NaN', { bookSeq: Number.NaN }, 'invalid'],
    ['a list of 1024', { listCount: 1024 }, undefined],
    ['a list of 1025', { listCount: 1025 }, 'invalid'],
    ['a list of 300,000,000', { listCount: 3e8 }, 'invalid'],
    ['an endless list', { listCount: Infinity }, 'invalid'],
    ['a list of −1', { listCount: -1 }, 'invalid'],
    ['half a list', { listCount: 0.5 }, 'invalid'],
  ])('PQ-173 body with %s', (_, fields, code) => {
    expect(quoted().commit(10, 1, fields)?.code).toBe(code)
  })

  it.each([[50_000, [2]], [50_001, []], [45_001, [2]]])('PQ-182 PQ-187 a floor of %d selects %j', (oddsE4, quotes) => {
    const d = quoted()
    const reply = d.commit(10, 1, { oddsE4 })
    expect(selected(d)).toEqual(quotes)
    expect(reply?.code).toBe(quotes.length === 0 ? 'quoteExpired' : undefined)
  })

  it('PQ-188 the displayed quote and seq pin nothing (readings A02)', () => {
    const d = quoted()
    d.commit(10, 1, { quote: 999, bookSeq: 999 })
    expect(selected(d)).toEqual([2])
  })

  it('PQ-186 of equal odds the earliest is selected (readings A06)', () => {
    const d = quoted()
    d.submit(20, 1, 5)
    d.commit(10, 1)
    expect(selected(d)).toEqual([2])
  })

  it.each<[number[], number[]]>([[[21], [3]], [[21, 22], [1]], [[21, 21, 7], [3]], [[20, 21, 22], []]])(
    'PQ-096 excluding %j selects %j', (excluded, quotes) => {
      const d = quoted()
      const reply = d.commit(10, 1, {}, excluded)
      expect(selected(d)).toEqual(quotes)
      expect(reply?.code).toBe(quotes.length === 0 ? 'commitFailed' : undefined)
    },
  )

  it('PQ-362 INV-15 a best quote without collateral is skipped for the next, to the micro-unit', () => {
    const d = quoted()
    drain(d, 21, 98_999_999)
    d.commit(10, 1)
    expect(selected(d)).toEqual([3])
    const e = quoted()
    drain(e, 21, 99_000_000)
    e.commit(10, 1)
    expect(selected(e)).toEqual([2])
  })

  it('PQ-362 no maker with collateral: COMMIT_FAILED', () => {
    const d = quoted()
    for (const maker of [20, 21, 22]) drain(d, maker, 1)
    expect(d.commit(10, 1)!.code).toBe('commitFailed')
    expect(d.moved).toEqual([])
  })

  it('PQ-191 a bettor short of the bet: COMMIT_FAILED (readings A36)', () => {
    const d = quoted()
    drain(d, 10, 24_999_999)
    expect(d.commit(10, 1)!.code).toBe('commitFailed')
    d.deposit(10, 1)
    expect(d.commit(10, 1)).toBeUndefined()
    expect(d.balances(10)).toEqual([[0, usd(25)]])
  })

  it.each([[124_000_000, true], [123_999_999, false]])('PQ-011 bettor and maker in one need bet and risk: %d suffices: %s', (free, enough) => {
    const d = table()
    d.create(20)
    d.submit(20, 1, 5)
    drain(d, 20, free)
    const reply = d.commit(20, 1)
    expect(reply?.code).toBe(enough ? undefined : 'commitFailed')
    if (enough) expect(d.balances(20)).toEqual([[0, 124_000_000]])
  })

  it('PQ-361 an empty book, or quotes that ran out before: QUOTE_EXPIRED', () => {
    const d = table()
    d.create(10)
    expect(d.commit(10, 1)!.code).toBe('quoteExpired')
    d.submit(20, 1, 4, { validMs: 5_000 })
    expect(d.at(sec(5)).commit(10, 1)!.code).toBe('quoteExpired')
    d.submit(20, 1, 4, { validMs: 5_000 })
    expect(d.at(sec(10) - 1).commit(10, 1)).toBeUndefined()
  })

  it('PQ-359 another version: QUOTE_CHANGED, however good the quotes', () => {
    const d = quoted()
    expect(d.commit(10, 1, { version: 2 })!.code).toBe('quoteChanged')
    d.update(10, 1)
    expect(d.commit(10, 1, { version: 1 })!.code).toBe('quoteChanged')
  })

  it.each<[string, (d: Driver) => unknown]>([
    ['halted', (d) => d.halt(2)],
    ['delisted', (d) => d.send('delistMarket', 0, { market: 2 })],
    ['resolved', (d) => d.resolve(2, 'yes')],
    ['closed', (d) => d.list(2, [2], 0)],
  ])('PQ-181 PQ-360 a %s leg: MARKET_NOT_LIVE', (_, end) => {
    const d = quoted()
    end(d)
    expect(d.commit(10, 1)!.code).toBe('marketNotLive')
    expect(selected(d)).toEqual([])
  })

  it('PQ-360 a leg is live one microsecond before its close', () => {
    const d = quoted()
    d.list(2, [2], sec(3))
    expect(d.at(sec(3) - 1).commit(10, 1)).toBeUndefined()
    const e = quoted()
    e.list(2, [2], sec(3))
    expect(e.at(sec(3)).commit(10, 1)!.code).toBe('marketNotLive')
  })

  it('PQ-363 a second commit during the wait may be tried again', () => {
    const d = quoted()
    d.commit(10, 1)
    expect(d.commit(10, 1, { version: 9 })!.code).toBe('commitFailedRetryable')
    expect(d.update(10, 1).code).toBe('conflict')
    expect(d.cancel(10, 1).code).toBe('conflict')
    expect(d.view.request(1)).toMatchObject({ pendingQuote: 2, version: 1 })
  })

  it('PQ-118 PQ-192 a second commit after the fill is a CONFLICT and trades nothing', () => {
    const d = quoted()
    d.commit(10, 1)
    d.confirm(21, 1, 2)
    expect(d.commit(10, 1)!.code).toBe('conflict')
    expect([d.view.position(1) === null, d.view.position(2)]).toEqual([false, null])
  })

  it('answers in the order of the checks', () => {
    const d = quoted()
    d.halt(1)
    drain(d, 10, 0)
    const code = (account: number, request: number, fields = {}): string => d.commit(account, request, fields)!.code!
    const worst = { version: 9, oddsE4: 99_999 }
    expect(code(11, 9, { ...worst, bookSeq: -1 })).toBe('invalid')
    expect(code(11, 9, worst)).toBe('notFound')
    expect(code(11, 1, worst)).toBe('forbidden')
    expect(code(10, 1, worst)).toBe('quoteChanged')
    expect(code(10, 1, { oddsE4: 99_999 })).toBe('marketNotLive')
    d.send('resumeMarket', 0, { market: 1 })
    expect(code(10, 1, { oddsE4: 99_999 })).toBe('quoteExpired')
    expect(code(10, 1)).toBe('commitFailed')
    d.cancel(10, 1)
    expect(code(11, 1, worst)).toBe('forbidden')
    expect(code(10, 1, worst)).toBe('conflict')
  })

  it('PQ-185 PQ-183 a refused commit moves nothing', () => {
    const d = quoted()
    const before = d.balances(10, 20, 21, 22)
    d.commit(10, 1, { version: 2 })
    d.commit(10, 1, { oddsE4: 60_000 })
    d.commit(10, 1, {}, [20, 21, 22])
    d.halt(1)
    d.commit(10, 1)
    expect(d.balances(10, 20, 21, 22)).toEqual(before)
  })
})
