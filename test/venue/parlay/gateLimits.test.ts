import { describe, expect, it } from 'vitest'
import type { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { type Fields, GateDriver, sec, T0, usd } from './gateDriver.ts'

const PORTFOLIO = { value: 1 }
const MARKETS = { value: 0 }
const MINUTE = sec(60)

type Call = readonly [op: keyof typeof ParlayOp, account: number, fields: Fields]

/** Calls `count` times at the present instant; none of them may be limited. */
function exhaust(d: GateDriver, [op, account, fields]: Call, count: number): void {
  for (let i = 0; i < count; i++) expect(d.code(op, account, fields)).not.toBe('rateLimited')
}

const BUCKETS: readonly [rule: string, limit: number, call: Call, another: Call][] = [
  ['PQ-433 the account\'s calls', 300, ['read', 10, PORTFOLIO], ['read', 11, PORTFOLIO]],
  ['PQ-434 calls of a source without a valid key', 100, ['read', 10, { ...PORTFOLIO, credential: -1, source: 7 }], ['read', 10, { ...PORTFOLIO, credential: -1, source: 8 }]],
  ['PQ-436 public calls of a source', 100, ['read', 10, { ...MARKETS, source: 7 }], ['read', 10, { ...MARKETS, source: 8 }]],
  ['PQ-439 quote-service calls of a source', 300, ['cancelRequest', 10, { request: 1, source: 7 }], ['cancelRequest', 10, { request: 1, source: 8 }]],
  ['PQ-441 withdrawals to a wallet', 5, ['walletWithdraw', 10, { amountMicros: usd(1) }], ['walletWithdraw', 11, { amountMicros: usd(1) }]],
  ['PQ-442 deposits', 10, ['deposit', 10, { amountMicros: usd(1) }], ['deposit', 11, { amountMicros: usd(1) }]],
  ['PQ-443 withdrawals', 10, ['withdraw', 10, { amountMicros: usd(1) }], ['withdraw', 11, { amountMicros: usd(1) }]],
  ['PQ-444 submitted transactions', 10, ['submitTransaction', 10, {}], ['submitTransaction', 11, {}]],
]

describe('limits', () => {
  it.each(BUCKETS)('%s: %i a minute pass, the next gets 429', (_, limit, call, another) => {
    const d = new GateDriver()
    exhaust(d, call, limit)
    expect(d.view.lastLimit()).toEqual({ limit, remaining: 0, resetUs: T0 + MINUTE, retryAfterS: -1 })
    const [op, account, fields] = call
    expect(d.send(op, account, fields)).toEqual({
      event: 'reply', at: 0, cause: limit + 1, account, code: 'rateLimited', amountA: op, amountB: limit, amountC: 60, until: MINUTE,
    })
    expect(d.rows).toHaveLength(1)
    expect(d.code(...another)).not.toBe('rateLimited')
    expect(d.at(MINUTE - 1).code(op, account, fields)).toBe('rateLimited')
    expect(d.at(MINUTE).code(op, account, fields)).not.toBe('rateLimited')
  })

  it('PQ-448 Retry-After is whole seconds to the end of the window, rounded up', () => {
    const d = new GateDriver({ authenticatedLimit: 1 })
    exhaust(d, ['read', 10, PORTFOLIO], 1)
    for (const [at, seconds] of [[0, 60], [1, 60], [sec(1) - 1, 60], [sec(1), 59], [sec(59), 1], [MINUTE - 1, 1]] as const) {
      expect([at, d.at(at).send('read', 10, PORTFOLIO)!['amountC']]).toEqual([at, seconds])
      expect(d.view.lastLimit()!.retryAfterS).toBe(seconds)
    }
  })

  it('PQ-433 the next window begins with the first call after the last one is over', () => {
    const d = new GateDriver({ authenticatedLimit: 2 })
    const call = (at: number) => d.at(at).code('read', 10, PORTFOLIO)
    expect([call(sec(50)), call(sec(109)), call(sec(110) - 1)]).toEqual(['ok', 'ok', 'rateLimited'])
    expect([call(sec(200)), call(sec(259)), call(sec(260) - 1), call(sec(260))]).toEqual(['ok', 'ok', 'rateLimited', 'ok'])
  })

  it('PQ-433 a refused call is not counted', () => {
    const d = new GateDriver({ authenticatedLimit: 1, limitWindowMs: 1_000 })
    exhaust(d, ['read', 10, PORTFOLIO], 1)
    for (let at = 1; at < 50; at++) expect(d.at(at).code('read', 10, PORTFOLIO)).toBe('rateLimited')
    expect(d.at(sec(1)).code('read', 10, PORTFOLIO)).toBe('ok')
    expect(d.at(sec(2) - 1).code('read', 10, PORTFOLIO)).toBe('rateLimited')
  })

  it('PQ-433 all credentials of an account share its bucket, the JWT too', () => {
    const d = new GateDriver({ authenticatedLimit: 3 })
    const key = d.key(10, 4)
    expect([key, 0, 0].map((credential) => d.code('read', 10, { ...PORTFOLIO, credential }))).toEqual(['ok', 'ok', 'rateLimited'])
  })

  it('PQ-434 every invalid credential of a source shares its bucket, whatever its account', () => {
    const d = new GateDriver({ unauthenticatedLimit: 3 })
    const codes = [-1, -2, 99, 5].map((credential, i) => d.code('read', 10 + i, { ...PORTFOLIO, credential, source: 4 }))
    expect(codes).toEqual(['unauthorized', 'wrongApiKeyType', 'unauthorized', 'rateLimited'])
  })

  it('PQ-437 a key does not raise the public limit', () => {
    const d = new GateDriver()
    exhaust(d, ['read', 10, MARKETS], 100)
    expect(d.code('read', 10, { ...MARKETS, credential: d.key(10, 2) })).toBe('rateLimited')
  })

  it('PQ-440 a money-moving call counts against its cap and against the account', () => {
    const d = new GateDriver({ authenticatedLimit: 12 })
    exhaust(d, ['deposit', 10, { amountMicros: usd(1) }], 10)
    expect(d.send('deposit', 10, { amountMicros: usd(1) })!['amountB']).toBe(10)
    // The refused deposit was the bucket's eleventh call.
    exhaust(d, ['read', 10, PORTFOLIO], 1)
    expect(d.send('read', 10, PORTFOLIO)!['amountB']).toBe(12)
    expect(d.gate.view.balance(10).freeMicros).toBe(usd(10))
  })

  it('PQ-440 a full bucket refuses before the cap counts', () => {
    const d = new GateDriver({ authenticatedLimit: 1, limitWindowMs: 2_000, depositLimit: 1 })
    exhaust(d, ['read', 10, PORTFOLIO], 1)
    expect(d.at(sec(1)).send('deposit', 10, { amountMicros: usd(1) })!['amountC']).toBe(1)
    // Had it counted, the cap would be full until 3 s.
    expect(d.at(sec(2)).code('deposit', 10, { amountMicros: usd(1) })).toBe('ok')
  })

  it('PQ-441 calls without a valid credential leave the cap of the account they name alone', () => {
    const d = new GateDriver()
    exhaust(d, ['walletWithdraw', 10, { amountMicros: usd(1), credential: -1 }], 6)
    exhaust(d, ['walletWithdraw', 10, { amountMicros: usd(1) }], 5)
    expect(d.code('walletWithdraw', 10, { amountMicros: usd(1) })).toBe('rateLimited')
  })

  it('PQ-449 market reads do not lower the authenticated budget', () => {
    const d = new GateDriver()
    exhaust(d, ['read', 10, MARKETS], 100)
    expect(d.code('read', 10, MARKETS)).toBe('rateLimited')
    exhaust(d, ['read', 10, PORTFOLIO], 1)
    expect(d.view.lastLimit()!.remaining).toBe(299)
  })

  it('PQ-450 quote-service calls do not lower the authenticated budget, nor do they need a valid key to count', () => {
    const d = new GateDriver()
    exhaust(d, ['submitQuote', 10, { request: 1 }], 299)
    exhaust(d, ['submitQuote', 10, { request: 1, credential: -1 }], 1)
    for (const op of ['createRequest', 'updateRequest', 'cancelRequest', 'commitRequest', 'openCashout', 'cancelCashout', 'commitCashout',
      'submitQuote', 'withdrawQuote', 'confirmSelection', 'declineSelection', 'submitBid'] as const) {
      expect([op, d.code(op, 11)]).toEqual([op, 'rateLimited'])
    }
    exhaust(d, ['read', 10, PORTFOLIO], 1)
    expect(d.view.lastLimit()!.remaining).toBe(299)
  })

  it('PQ-445 PQ-446 PQ-447 every answer shows the ceiling, what is left of it, and its reset', () => {
    const d = new GateDriver()
    expect(d.view.lastLimit()).toBeNull()
    d.at(sec(3)).send('read', 10, PORTFOLIO)
    expect(d.view.lastLimit()).toEqual({ limit: 300, remaining: 299, resetUs: T0 + sec(63), retryAfterS: -1 })
    d.at(sec(4)).send('read', 10, { ...PORTFOLIO, credential: -1 })
    expect(d.view.lastLimit()).toEqual({ limit: 100, remaining: 99, resetUs: T0 + sec(64), retryAfterS: -1 })
    d.at(sec(5)).send('deposit', 10, { amountMicros: usd(1) })
    expect(d.view.lastLimit()).toEqual({ limit: 10, remaining: 9, resetUs: T0 + sec(65), retryAfterS: -1 })
    d.send('haltMarket', 0, { market: 1 })
    expect(d.view.lastLimit()).toBeNull()
  })

  it.each([-1, 1.5, NaN, 2 ** 31 - 1])('a source %s counts as 0', (source) => {
    const d = new GateDriver({ publicLimit: 1 })
    exhaust(d, ['read', 10, { ...MARKETS, source }], 1)
    expect(d.code('read', 10, { ...MARKETS, source: 0 })).toBe('rateLimited')
    expect(d.code('read', 10, { ...MARKETS, source: 2 ** 31 - 2 })).toBe('ok')
  })

  it('answers of the world meet no limit', () => {
    const d = new GateDriver({ unauthenticatedLimit: 1 })
    for (let i = 0; i < 5; i++) expect(d.answer(1, 1, 200)).toBe('notFound')
    expect(d.code('answerDelivery', 10, { value: 1, version: 1, value2: 200 })).toBe('forbidden')
    expect(d.view.lastLimit()).toBeNull()
  })

  it('windows that are over are dropped: sources that come once leave no trace', () => {
    const d = new GateDriver({ limitWindowMs: 1_000, publicLimit: 1 })
    const bytes = (): number => JSON.stringify(d.gate.snapshot()).length
    let early = 0
    for (let source = 0; source < 20_000; source++) {
      expect(d.at(source * 2_000).code('read', 10, { ...MARKETS, source })).toBe('ok')
      if (source === 3_000) early = bytes()
    }
    expect(bytes()).toBeLessThan(early * 1.5)
    // Those of the last second are still counted: 19,501 called at 39,002,000, the present is 39,998,000.
    expect([19_501, 19_999, 19_499].map((source) => d.code('read', 10, { ...MARKETS, source }))).toEqual(['rateLimited', 'rateLimited', 'ok'])
  })
})
