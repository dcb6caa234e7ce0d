import { describe, expect, it } from 'vitest'
import { QuoteState } from '../../../src/venue/parlay/protocol/events.ts'
import { type Driver, ms, sec, table, tagOf, TWO_LEGS, usd } from './driver.ts'

function quoted(): Driver {
  const d = table()
  d.create(10)
  return d
}

const fault = (d: Driver, value: number, value2: number) => d.send('setFault', 0, { value, value2 })

describe('submitting a quote', () => {
  it('PQ-086 PQ-087 PQ-088 prices the net stake and echoes the fee rate', () => {
    const d = quoted()
    expect(d.submit(20, 1, 4)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'submitQuote', code: 'ok', request: 1, version: 1, quote: 1, bookSeq: 1,
      oddsE4: 40_000, takerFeeBps: 100, expiresAtUs: sec(15),
    })
    expect(d.names()).toEqual(['quoteSubmitted', 'bestQuoteChanged', 'reply ok'])
    expect(d.rows[0]).toEqual({
      event: 'quoteSubmitted', at: 0, cause: d.seq, maker: 20, request: 1, version: 1, quote: 1, bookSeq: 1, oddsE4: 40_000,
      riskMicros: 74_250_000, takerFeeBps: 100, netStakeMicros: 24_750_000, expiresAtUs: sec(15),
    })
  })

  it.each([[10_000, 'invalid'], [10_001, 'ok'], [10_000_000, 'ok'], [10_000_001, 'invalid'], [40_000.5, 'invalid']])(
    'PQ-205 odds of %d ten-thousandths are %s', (oddsE4, code) => {
      const d = table()
      d.deposit(20, usd(100_000))
      d.create(10)
      expect(d.submit(20, 1, 0, { oddsE4 }).code).toBe(code)
    },
  )

  it.each([[4_999, 'invalid'], [5_000, 'ok'], [60_000, 'ok'], [60_001, 'invalid'], [-1, 'ok'], [-2, 'invalid'], [0, 'invalid'], [5_000.5, 'invalid']])(
    'PQ-413 validity of %d ms is %s', (validMs, code) => {
      expect(quoted().submit(20, 1, 4, { validMs }).code).toBe(code)
    },
  )

  it.each([[5_000], [60_000]])('PQ-413 a quote for %d ms lives up to its last microsecond', (validMs) => {
    const d = quoted()
    d.submit(20, 1, 4, { validMs })
    expect(d.pulse(ms(validMs) - 1)).toEqual([])
    expect(d.pulse(ms(validMs)).map((row) => row.event)).toEqual(['quoteExpired', 'bestQuoteChanged'])
    expect(d.of('quoteExpired')).toEqual([
      { event: 'quoteExpired', at: ms(validMs), cause: -1, maker: 20, request: 1, version: 1, quote: 1, bookSeq: 2 },
    ])
  })

  it('PQ-374 needs free balance for the whole risk, to the micro-unit, and says how much', () => {
    const d = quoted()
    d.withdraw(20, usd(1000) - 74_249_999)
    expect(d.submit(20, 1, 4)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'submitQuote', code: 'insufficientCollateral', request: 1,
      requiredMicros: 74_250_000, availableMicros: 74_249_999,
    })
    d.deposit(20, 1)
    expect(d.submit(20, 1, 4).code).toBe('ok')
    expect(d.balances(20)).toEqual([[74_250_000, 0]])
  })

  it('PQ-374 locks nothing, so a maker may quote the same money twice (readings A09)', () => {
    const d = quoted()
    d.create(10)
    d.withdraw(20, usd(1000) - 74_250_000)
    expect([d.submit(20, 1, 4).code, d.submit(20, 2, 4).code]).toEqual(['ok', 'ok'])
  })

  it('PQ-376 PQ-375 is refused while fee or balance cannot be read', () => {
    const d = quoted()
    fault(d, 1, 1)
    expect(d.submit(20, 1, 4).code).toBe('collateralCheckUnavailable')
    fault(d, 2, 1)
    expect(d.submit(20, 1, 4).code).toBe('feeUnavailable')
    fault(d, 1, 0)
    expect(d.submit(20, 1, 4).code).toBe('feeUnavailable')
    fault(d, 2, 0)
    expect(d.submit(20, 1, 4).code).toBe('ok')
  })

  it.each<[string, Partial<Record<string, number>>, string]>([
    ['version 0', { version: 0 }, 'invalid'],
    ['version 1', { version: 1 }, 'versionMismatch'],
    ['version 3', { version: 3 }, 'versionMismatch'],
    ['a stale tag', { contentTag: 5 }, 'versionMismatch'],
    ['no tag', { contentTag: -1 }, 'invalid'],
    ['a tag of 1.5', { contentTag: 1.5 }, 'invalid'],
    ['both right', {}, 'ok'],
  ])('PQ-377 with %s', (_, fields, code) => {
    const d = quoted()
    d.update(10, 1)
    expect(d.submit(20, 1, 4, fields).code).toBe(code)
  })

  it('PQ-377 the tag of equal content is not enough after an update', () => {
    const d = quoted()
    const contentTag = tagOf(TWO_LEGS, usd(25))
    d.update(10, 1)
    expect(d.submit(20, 1, 4, { version: 1, contentTag }).code).toBe('versionMismatch')
    expect(d.submit(20, 1, 4, { version: 2, contentTag }).code).toBe('ok')
  })

  it('answers in the order of the checks', () => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    d.commit(10, 1)
    fault(d, 2, 1)
    fault(d, 1, 1)
    const poor = (request: number, fields = {}): string => d.submit(20, request, 1000, fields).code!
    expect(poor(9, { validMs: 1 })).toBe('invalid')
    expect(poor(9, { version: 7 })).toBe('notFound')
    expect(poor(1, { version: 7 })).toBe('conflict')
    d.decline(20, 1, 1)
    expect(poor(1, { version: 7 })).toBe('versionMismatch')
    expect(poor(1)).toBe('feeUnavailable')
    fault(d, 2, 0)
    expect(poor(1)).toBe('collateralCheckUnavailable')
    fault(d, 1, 0)
    expect(poor(1)).toBe('insufficientCollateral')
    d.cancel(10, 1)
    expect(poor(1, { version: 7 })).toBe('requestNotActive')
  })

  it('PQ-011 one may quote one\'s own request (readings A18)', () => {
    expect(quoted().submit(10, 1, 4).code).toBe('ok')
  })

  it('PQ-006 a quote alone moves nothing and makes no position', () => {
    const d = quoted()
    d.submit(20, 1, 4)
    d.pulse(sec(200))
    expect(d.view.position(1)).toBeNull()
    expect(d.balances(10, 20)).toEqual([[usd(1000), 0], [usd(1000), 0]])
  })
})

describe('replacing', () => {
  it('the maker\'s next quote replaces its live one in one step (readings A08)', () => {
    const d = quoted()
    d.submit(20, 1, 4)
    d.submit(20, 1, 5)
    expect(d.names()).toEqual(['quoteReplaced', 'quoteSubmitted', 'bestQuoteChanged', 'reply ok'])
    expect(d.rows.slice(0, 2)).toMatchObject([{ quote: 1, maker: 20, bookSeq: 2 }, { quote: 2, maker: 20, bookSeq: 2 }])
    expect(d.view.quote(1)).toBeNull()
    expect(d.view.quote(2)).toMatchObject({ maker: 20, request: 1, state: QuoteState.live, oddsE4: 50_000 })
  })

  it('a failed new quote leaves the old one', () => {
    const d = quoted()
    d.submit(20, 1, 4)
    expect(d.submit(20, 1, 1000).code).toBe('insufficientCollateral')
    expect(d.view.quote(1)).toMatchObject({ state: QuoteState.live })
  })

  it('the deadline of a replaced quote does nothing', () => {
    const d = quoted()
    d.submit(20, 1, 4, { validMs: 5_000 })
    d.submit(20, 1, 4, { validMs: 9_000 })
    expect(d.pulse(sec(9) - 1)).toEqual([])
    expect(d.pulse(sec(9)).map((row) => row['quote'])).toEqual([2, undefined])
  })
})

describe('withdrawing a quote', () => {
  it('takes it out of the book', () => {
    const d = quoted()
    d.submit(20, 1, 4)
    expect(d.withdrawQuote(20, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'withdrawQuote', code: 'ok', request: 1, version: 1, quote: 1, bookSeq: 2,
    })
    expect(d.names()).toEqual(['quoteWithdrawn', 'bestQuoteChanged', 'reply ok'])
    expect(d.view.quote(1)).toMatchObject({ state: QuoteState.withdrawn })
    expect(d.pulse(sec(15))).toEqual([])
  })

  it('PQ-380 PQ-210 answers by what became of the maker\'s last quote', () => {
    const d = quoted()
    expect(d.withdrawQuote(20, 1).code).toBe('noActiveQuote')
    d.submit(20, 1, 4, { validMs: 5_000 })
    expect(d.at(sec(5) - 1).withdrawQuote(20, 1).code).toBe('ok')
    expect(d.withdrawQuote(20, 1).code).toBe('noActiveQuote')
    d.submit(20, 1, 4, { validMs: 5_000 })
    expect(d.at(sec(10) - 1).withdrawQuote(20, 1)).toEqual({
      event: 'reply', at: sec(10) - 1, cause: d.seq, account: 20, op: 'withdrawQuote', code: 'alreadyExpired', request: 1, version: 1, quote: 2,
    })
    expect(d.withdrawQuote(20, 1).code).toBe('alreadyExpired')
    expect(d.withdrawQuote(21, 1).code).toBe('noActiveQuote')
  })

  it('PQ-204 a lapsed or invalidated quote of an older version is none', () => {
    const d = quoted()
    d.submit(20, 1, 4, { validMs: 5_000 })
    d.submit(21, 1, 4)
    d.at(sec(5)).update(10, 1)
    expect(d.withdrawQuote(20, 1).code).toBe('noActiveQuote')
    expect(d.withdrawQuote(21, 1).code).toBe('noActiveQuote')
  })

  it('PQ-381 the request must be active', () => {
    const d = quoted()
    d.submit(20, 1, 4)
    d.cancel(10, 1)
    expect(d.withdrawQuote(20, 1, { version: 9 }).code).toBe('requestNotActive')
    expect(d.withdrawQuote(20, 7, { version: 9 }).code).toBe('notFound')
  })

  it.each<[string, Partial<Record<string, number>>, string]>([
    ['no fields', {}, 'ok'],
    ['the present version', { version: 2 }, 'ok'],
    ['a stale version', { version: 1 }, 'versionMismatch'],
    ['version 0', { version: 0 }, 'invalid'],
    ['a stale tag', { contentTag: 0 }, 'versionMismatch'],
    ['tag −2', { contentTag: -2 }, 'invalid'],
    ['the present tag', { contentTag: tagOf(TWO_LEGS, usd(25)) }, 'ok'],
  ])('PQ-382 with %s', (_, fields, code) => {
    const d = quoted()
    d.update(10, 1)
    d.submit(20, 1, 4)
    expect(d.withdrawQuote(20, 1, fields).code).toBe(code)
  })

  it('PQ-382 a stale version comes before the selection, the selection before the rest', () => {
    const d = quoted()
    d.submit(20, 1, 4)
    d.commit(10, 1)
    expect(d.withdrawQuote(20, 1, { version: 9 }).code).toBe('versionMismatch')
    expect(d.withdrawQuote(20, 1).code).toBe('conflict')
    expect(d.withdrawQuote(21, 1).code).toBe('noActiveQuote')
  })
})
