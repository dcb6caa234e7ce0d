import { describe, expect, it } from 'vitest'
import { RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import { type Driver, type Leg, sec, table, tagOf, TWO_LEGS, usd } from './driver.ts'

const legs = (count: number): Leg[] => Array.from({ length: count }, (_, i) => [i + 1, 'yes'] as const)
const state = (d: Driver, request: number): number | undefined => d.view.request(request)?.state

describe('creating a quote request', () => {
  it('PQ-033 PQ-038 PQ-040 starts active at version 1 with an untouched book', () => {
    const d = table()
    expect(d.create(10)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'createRequest', code: 'ok', request: 1, version: 1, bookSeq: 0, expiresAtUs: sec(90),
    })
    expect(d.view.request(1)).toEqual({
      number: 1, owner: 10, state: RequestState.active, version: 1, contentTag: tagOf(TWO_LEGS, usd(25)), bookSeq: 0, betMicros: usd(25),
      expiresAtUs: expect.any(Number), legs: [{ market: 1, side: 1 }, { market: 2, side: 0 }], bestQuote: -1, pendingQuote: -1,
    })
  })

  it('tells the request with its legs at once', () => {
    const d = table()
    d.create(10)
    expect(d.rows[0]).toEqual({
      event: 'requestCreated', at: 0, cause: d.seq, owner: 10, request: 1, version: 1, bookSeq: 0, betMicros: usd(25),
      contentTag: tagOf(TWO_LEGS, usd(25)), expiresAtUs: sec(90), list: [1, 1, 2, 0],
    })
    expect(d.names()).toEqual(['requestCreated', 'reply ok'])
  })

  it.each([
    [999_999, 'invalid'], [1_000_000, 'ok'], [100_000_000, 'ok'], [100_000_001, 'invalid'], [1_000_000.5, 'invalid'], [Number.NaN, 'invalid'],
  ])('PQ-042 a bet of %d microUSDC is %s', (bet, code) => {
    expect(table().create(10, TWO_LEGS, bet).code).toBe(code)
  })

  it.each([[0, 'invalid'], [1, 'invalid'], [2, 'ok'], [5, 'ok'], [6, 'invalid']])('PQ-166 %d legs are %s', (count, code) => {
    expect(table().create(10, legs(count)).code).toBe(code)
  })

  it.each([[0, 'ok'], [1, 'ok'], [2, 'invalid'], [255, 'invalid']])('a side %d is %s', (side, code) => {
    const d = table()
    d.command.reset(30, 10).leg(1, 1).leg(2, side).betMicros = usd(25)
    expect(d.apply()!.code).toBe(code)
  })

  it('PQ-192 the same body twice makes two requests', () => {
    const d = table()
    expect([d.create(10)['request'], d.create(10)['request']]).toEqual([1, 2])
  })

  it('needs no money and no vault (readings A36)', () => {
    expect(table().create(999).code).toBe('ok')
  })
})

describe('updating', () => {
  it('PQ-034 PQ-109 raises the version by 1 and stays active, also with equal content', () => {
    const d = table()
    d.create(10)
    expect(d.update(10, 1)).toMatchObject({ code: 'ok', version: 2, bookSeq: 0 })
    expect(d.update(10, 1)).toMatchObject({ code: 'ok', version: 3 })
    expect(state(d, 1)).toBe(RequestState.active)
  })

  it('PQ-036 PQ-037 recomputes the tag from the content alone', () => {
    const d = table()
    d.create(10)
    const before = d.view.request(1)!.contentTag
    d.update(10, 1, TWO_LEGS, usd(26))
    expect(d.view.request(1)!.contentTag).not.toBe(before)
    d.update(10, 1)
    expect(d.view.request(1)!.contentTag).toBe(before)
  })

  it('PQ-110 PQ-111 invalidates every quote in one step and sends the new request', () => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    d.submit(21, 1, 5)
    d.update(10, 1, [[3, 'yes'], [4, 'yes'], [5, 'no']], usd(30))
    expect(d.names()).toEqual(['quoteInvalidated', 'quoteInvalidated', 'bestQuoteChanged', 'requestUpdated', 'reply ok'])
    expect(d.of('quoteInvalidated')).toMatchObject([
      { maker: 20, quote: 1, version: 1, bookSeq: 3 }, { maker: 21, quote: 2, version: 1, bookSeq: 3 },
    ])
    expect(d.of('bestQuoteChanged')).toEqual([{ event: 'bestQuoteChanged', at: 0, cause: d.seq, request: 1, version: 1, owner: 10, bookSeq: 3 }])
    expect(d.of('requestUpdated')).toMatchObject([{ owner: 10, version: 2, bookSeq: 3, betMicros: usd(30), list: [3, 1, 4, 1, 5, 0] }])
  })

  it('PQ-121 PQ-122 a quote of the older version is out until its maker quotes anew', () => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    d.update(10, 1)
    expect(d.commit(10, 1)!.code).toBe('quoteExpired')
    d.submit(20, 1, 3)
    expect(d.commit(10, 1)).toBeUndefined()
    expect(d.of('quoteSelected')).toMatchObject([{ quote: 2, version: 2, oddsE4: 30_000 }])
  })

  it('PQ-112 PQ-411 restarts the window; the former expiry does nothing', () => {
    const d = table()
    d.create(10)
    expect(d.at(sec(40)).update(10, 1)['expiresAtUs']).toBe(sec(130))
    expect(d.pulse(sec(90))).toEqual([])
    expect(d.pulse(sec(130) - 1)).toEqual([])
    expect(d.pulse(sec(130)).map((row) => row.event)).toEqual(['requestExpired'])
  })

  it('PQ-108 answers body, 404, owner, state and legs in this order', () => {
    const d = table()
    d.create(10)
    expect(d.update(11, 9, [[1, 'yes']]).code).toBe('invalid')
    expect(d.update(11, 9, [[99, 'yes'], [1, 'yes']])).toMatchObject({ code: 'notFound' })
    expect(d.update(11, 1, [[99, 'yes'], [1, 'yes']])).toMatchObject({ code: 'forbidden', request: 1 })
    expect(d.update(10, 1, [[99, 'yes'], [1, 'yes']])).toMatchObject({ code: 'legMarketNotFound', request: 1 })
    expect(d.update(10, Number.NaN).code).toBe('invalid')
    d.cancel(10, 1)
    expect(d.update(10, 1, [[99, 'yes'], [1, 'yes']]).code).toBe('conflict')
  })
})

describe('the end of a request', () => {
  it('PQ-119 PQ-303 PQ-304 a cancel tells the status and the position, both of this request', () => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    expect(d.cancel(10, 1)).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 10, op: 'cancelRequest', code: 'ok', request: 1 })
    expect(d.names()).toEqual([
      'quoteInvalidated', 'bestQuoteChanged', 'requestCancelled', 'statusChanged', 'positionCancelled', 'reply ok',
    ])
    expect(d.of('statusChanged')).toEqual([{ event: 'statusChanged', at: 0, cause: d.seq, owner: 10, request: 1, version: 1, status: 4 }])
    expect(d.of('positionCancelled')).toEqual([{ event: 'positionCancelled', at: 0, cause: d.seq, owner: 10, request: 1, version: 1, reason: 'by user' }])
    expect(state(d, 1)).toBe(RequestState.cancelled)
  })

  it('only its owner cancels it, once', () => {
    const d = table()
    d.create(10)
    expect(d.cancel(11, 1).code).toBe('forbidden')
    expect(d.cancel(10, 2)).toMatchObject({ code: 'notFound' })
    expect(d.cancel(10, 1.5).code).toBe('invalid')
    d.cancel(10, 1)
    expect(d.cancel(10, 1).code).toBe('conflict')
  })

  it('PQ-414 PQ-120 PQ-305 expires 90 s after creation, without a status event', () => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4, { validMs: 60_000 })
    d.at(sec(59)).submit(20, 1, 4, { validMs: 60_000 })
    expect(d.pulse(sec(90) - 1)).toEqual([])
    expect(state(d, 1)).toBe(RequestState.active)
    d.pulse(sec(90))
    expect(d.names()).toEqual(['quoteInvalidated', 'bestQuoteChanged', 'requestExpired'])
    expect(d.of('requestExpired')).toEqual([{ event: 'requestExpired', at: sec(90), cause: -1, owner: 10, request: 1, version: 1, bookSeq: 3 }])
  })

  it.each(['committed', 'cancelled', 'expired'] as const)('PQ-117 PQ-118 a %s request takes neither update nor commit', (end) => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    if (end === 'committed') {
      d.commit(10, 1)
      d.confirm(20, 1, 1)
    } else if (end === 'cancelled') d.cancel(10, 1)
    else d.pulse(sec(90))
    expect(state(d, 1)).toBe(RequestState[end])
    expect(d.update(10, 1)).toMatchObject({ code: 'conflict', request: 1 })
    expect(d.commit(10, 1)).toMatchObject({ code: 'conflict', request: 1 })
    expect(d.submit(21, 1, 4).code).toBe('requestNotActive')
    expect(d.view.request(1)).toMatchObject({ version: 1, state: RequestState[end] })
  })

  it('is known for its retention of 60 s, then 404 (readings A32)', () => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    d.at(sec(1)).cancel(10, 1)
    expect(d.at(sec(61) - 1).update(10, 1).code).toBe('conflict')
    expect(d.view.quote(1)).not.toBeNull()
    expect(d.at(sec(61)).update(10, 1)).toEqual({ event: 'reply', at: sec(61), cause: d.seq, account: 10, op: 'updateRequest', code: 'notFound' })
    expect(d.view.request(1)).toBeNull()
    expect(d.view.quote(1)).toBeNull()
  })
})

describe('equal instants', () => {
  it('an operator comes before a deadline of the same instant, a participant after it', () => {
    const d = table()
    d.create(10)
    d.at(sec(90)).halt(1)
    expect(d.names()).toEqual(['marketHalted', 'reply ok'])
    d.deposit(10, 1)
    expect(d.names()).toEqual(['requestExpired', 'fundsDeposited', 'reply ok'])
  })

  it('deadlines run by rank, then number: quotes before requests', () => {
    const d = table()
    d.create(10)
    d.create(10)
    d.at(sec(75)).submit(21, 2, 3)
    d.submit(20, 1, 3)
    d.pulse(sec(90))
    expect(d.rows.map((row) => [row.event, row['quote'] ?? row['request']])).toEqual([
      ['quoteExpired', 1], ['bestQuoteChanged', 2], ['quoteExpired', 2], ['bestQuoteChanged', 1], ['requestExpired', 1], ['requestExpired', 2],
    ])
  })

  it('time that falls is a bug of the caller', () => {
    const d = table()
    d.at(5).create(10)
    expect(() => d.at(4).create(10)).toThrow('time falls')
    expect(() => d.pulse(4)).toThrow('time falls')
  })

  it('an unknown opcode is invalid', () => {
    const d = table()
    d.command.reset(77, 10)
    expect(d.apply()).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 10, op: 77, code: 'invalid' })
  })
})
