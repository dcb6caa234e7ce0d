import { describe, expect, it } from 'vitest'
import { type Leg, ms, table, TWO_LEGS, usd } from './driver.ts'

const legs = (count: number): Leg[] => Array.from({ length: count }, (_, i) => [i + 1, 'yes'] as const)

describe('a profile with other values', () => {
  it('PQ-412 PQ-414 moves the expiry of requests', () => {
    const d = table({ requestExpiryMs: 7 })
    expect(d.create(10)['expiresAtUs']).toBe(ms(7))
    expect(d.pulse(ms(7) - 1)).toEqual([])
    expect(d.pulse(ms(7)).map((row) => row.event)).toEqual(['requestExpired'])
  })

  it('PQ-412 PQ-413 moves the limits and the default of a quote\'s validity', () => {
    const d = table({ quoteValidityMinMs: 10, quoteValidityMaxMs: 20, quoteValidityDefaultMs: 12 })
    d.create(10)
    expect([9, 10, 20, 21].map((validMs) => d.submit(20, 1, 4, { validMs }).code)).toEqual(['invalid', 'ok', 'ok', 'invalid'])
    expect(d.submit(20, 1, 4)['expiresAtUs']).toBe(ms(12))
  })

  it('moves the limits of odds, bet and legs', () => {
    const d = table({ oddsE4Min: 20_000, oddsE4Max: 30_000, betMinMicros: 5, betMaxMicros: usd(500), legsMin: 1, legsMax: 6 })
    expect([0, 1, 6, 7].map((count) => d.create(10, legs(count)).code)).toEqual(['invalid', 'ok', 'ok', 'invalid'])
    expect([4, 5, usd(500), usd(500) + 1].map((bet) => d.create(10, TWO_LEGS, bet).code)).toEqual(['invalid', 'ok', 'ok', 'invalid'])
    expect([1.9999, 2, 3, 3.0001].map((odds) => d.submit(20, 1, odds).code)).toEqual(['invalid', 'ok', 'ok', 'invalid'])
  })

  it('sets the first fee rates', () => {
    const d = table({ takerFeeBps: 20, profitFeeBps: 0 })
    d.open(10, 20, 4)
    expect(d.view.position(1)).toMatchObject({ takerFeeBps: 20, takerFeeMicros: 50_000, profitFeeBps: 0 })
  })

  it('a taker fee of everything leaves a position of nothing, which still settles', () => {
    const d = table({ takerFeeBps: 10_000 })
    d.open(10, 20, 4)
    expect(d.view.position(1)).toMatchObject({ stakeMicros: 0, payoutMicros: 0, takerFeeMicros: usd(25) })
    d.resolve(1, 'no')
    d.pulse()
    expect(d.of('positionSettled')).toMatchObject([{ outcome: 'lost', toBackerMicros: 0, takerFeeKeptMicros: usd(25) }])
  })

  it('a retention of nothing forgets an ended request at once', () => {
    const d = table({ requestRetentionMs: 0 })
    d.create(10)
    d.cancel(10, 1)
    expect(d.view.request(1)).not.toBeNull()
    expect(d.cancel(10, 1).code).toBe('notFound')
  })

  it('moves the limits of deposits and withdrawals', () => {
    const d = table({ depositMaxMicros: usd(1000), withdrawMaxMicros: 10 })
    expect([usd(1000), usd(1000) + 1].map((amount) => d.deposit(10, amount).code)).toEqual(['ok', 'invalid'])
    expect([10, 11].map((amount) => d.withdraw(10, amount).code)).toEqual(['ok', 'invalid'])
  })
})
