import { describe, expect, it } from 'vitest'
import type { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { Bucket } from '../../../src/venue/parlay/protocol/access.ts'
import { type Fields, GateDriver, sec, T0, usd } from './gateDriver.ts'
import { AnswerDelivery, Read } from '../../../src/venue/parlay/protocol/commands.ts'

const PORTFOLIO = { value: 1 }
const MARKETS = { value: 0 }
const MINUTE = sec(60)

type Call = readonly [op: keyof typeof ParlayOp, account: number, fields: Fields]

/** Calls `count` times at the present instant; none of them may be limited. */
function exhaust(d: GateDriver, [op, account, fields]: Call, count: number): void {
  for (let i = 0; i < count; i++) expect(d.code(op, account, fields)).not.toBe('rateLimited')
}

const { authenticated, quoteService, unauthenticated } = Bucket

const BUCKETS: readonly [rule: string, limit: number, call: Call, another: Call, bucket: number][] = [
  ['PQ-433 the account\'s calls', 300, ['read', 10, PORTFOLIO], ['read', 11, PORTFOLIO], authenticated],
  ['PQ-434 calls of a source without a valid key', 100, ['read', 10, { ...PORTFOLIO, credential: -1, source: 7 }], ['read', 10, { ...PORTFOLIO, credential: -1, source: 8 }], unauthenticated],
  ['PQ-436 public calls of a source', 100, ['read', 10, { ...MARKETS, source: 7 }], ['read', 10, { ...MARKETS, source: 8 }], Bucket.public],
  ['PQ-439 quote-service calls of a source', 300, ['cancelRequest', 10, { request: 1, source: 7 }], ['cancelRequest', 10, { request: 1, source: 8 }], quoteService],
  ['PQ-441 withdrawals to a wallet', 5, ['walletWithdraw', 10, { amountMicros: usd(1) }], ['walletWithdraw', 11, { amountMicros: usd(1) }], authenticated],
  ['PQ-442 deposits', 10, ['deposit', 10, { amountMicros: usd(1) }], ['deposit', 11, { amountMicros: usd(1) }], authenticated],
  ['PQ-443 withdrawals', 10, ['withdraw', 10, { amountMicros: usd(1) }], ['withdraw', 11, { amountMicros: usd(1) }], authenticated],
  ['PQ-444 submitted transactions', 10, ['submitTransaction', 10, {}], ['submitTransaction', 11, {}], authenticated],
]

/** The bucket of every call: of a valid credential, and of none. Reads as [route]. */
const QUOTE_CALLS = [
  'createRequest', 'updateRequest', 'cancelRequest', 'commitRequest', 'openCashout', 'cancelCashout', 'commitCashout', 'submitQuote',
  'withdrawQuote', 'confirmSelection', 'declineSelection', 'submitBid',
] as const
const OTHER_CALLS = [
  'deposit', 'withdraw', 'walletWithdraw', 'submitTransaction', 'createKey', 'revokeKey', 'setEndpoint', 'rotateSecret', 'redeliver', 'openStream',
] as const
const QUOTE_REQUESTS = 2
const BUCKET_OF: readonly [rule: string, calls: readonly (readonly [op: keyof typeof ParlayOp, value?: number])[], bucket: number, without: number][] = [
  ['PQ-438', [...QUOTE_CALLS.map((op) => [op] as const), ['read', QUOTE_REQUESTS]], quoteService, quoteService],
  ['PQ-435', [['read', 0]], Bucket.public, Bucket.public],
  ['PQ-432', [...OTHER_CALLS.map((op) => [op] as const), ...[1, 3, 4, 5, 6, 7, 8, 9, 10].map((value) => ['read', value] as const)], authenticated, unauthenticated],
]

describe('limits', () => {
  it.each(BUCKET_OF)('%s these calls count in the bucket that they should', (_, calls, bucket, without) => {
    const limits = { authenticatedLimit: 1_000, unauthenticatedLimit: 2_000, publicLimit: 3_000, quoteServiceLimit: 4_000 }
    const ceilings: Readonly<Record<number, number>> = { [authenticated]: 1_000, [unauthenticated]: 2_000, [Bucket.public]: 3_000, [quoteService]: 4_000 }
    const caps = { walletWithdrawLimit: 1e9, depositLimit: 1e9, withdrawLimit: 1e9, submitTransactionLimit: 1e9 }
    for (const [op, value = -1] of calls) {
      const d = new GateDriver({ ...limits, ...caps })
      for (const [credential, expected] of [[0, bucket], [-1, without]] as const) {
        d.send(op, 10, { value, credential, source: 7 })
        expect([op, value, d.view.lastLimit()!.limit]).toEqual([op, value, ceilings[expected]])
      }
      const full = new GateDriver({ authenticatedLimit: 1, unauthenticatedLimit: 1, publicLimit: 1, quoteServiceLimit: 1 })
      full.send(op, 10, { value, source: 7 })
      expect([op, value, full.send(op, 10, { value, source: 7 })!['bucket']]).toEqual([op, value, bucket])
    }
  })

  it('PQ-438 PQ-439 reads of quote requests count with the calls of the quote service, by source', () => {
    const d = new GateDriver({ quoteServiceLimit: 2 })
    exhaust(d, ['read', 10, { [Read.route]: QUOTE_REQUESTS, source: 7 }], 1)
    exhaust(d, ['cancelRequest', 11, { request: 1, source: 7 }], 1)
    expect(d.code('read', 12, { [Read.route]: QUOTE_REQUESTS, source: 7 })).toBe('rateLimited')
    expect(d.code('read', 12, { [Read.route]: QUOTE_REQUESTS, source: 8 })).toBe('ok')
    exhaust(d, ['read', 10, { ...PORTFOLIO, source: 7 }], 1)
    expect(d.view.lastLimit()!.remaining).toBe(299)
  })

  it.each(BUCKETS)('%s: %i a minute pass, the next gets 429', (_, limit, call, another, bucket) => {
    const d = new GateDriver()
    exhaust(d, call, limit)
    expect(d.view.lastLimit()).toEqual({ limit, remaining: 0, resetUs: T0 + MINUTE, retryAfterS: -1 })
    const [op, account, fields] = call
    expect(d.send(op, account, fields)).toEqual({
      event: 'reply', at: 0, cause: limit + 1, account, code: 'rateLimited', op, limit, retryAfterS: 60, bucket, resetAtUs: MINUTE,
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
      expect([at, d.at(at).send('read', 10, PORTFOLIO)!['retryAfterS']]).toEqual([at, seconds])
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
    expect(d.send('deposit', 10, { amountMicros: usd(1) })!['limit']).toBe(10)
    // The refused deposit was the bucket's eleventh call.
    exhaust(d, ['read', 10, PORTFOLIO], 1)
    expect(d.send('read', 10, PORTFOLIO)!['limit']).toBe(12)
    expect(d.gate.view.balance(10).freeMicros).toBe(usd(10))
  })

  it('PQ-440 a full bucket refuses before the cap counts', () => {
    const d = new GateDriver({ authenticatedLimit: 1, limitWindowMs: 2_000, depositLimit: 1 })
    exhaust(d, ['read', 10, PORTFOLIO], 1)
    expect(d.at(sec(1)).send('deposit', 10, { amountMicros: usd(1) })!['retryAfterS']).toBe(1)
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
    for (const op of QUOTE_CALLS) {
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
    expect(d.code('answerDelivery', 10, { [AnswerDelivery.delivery]: 1, version: 1, [AnswerDelivery.status]: 200 })).toBe('forbidden')
    expect(d.view.lastLimit()).toBeNull()
  })

  it('windows are dropped at their end and not before, when a sweep comes then', () => {
    // The 1,025th window makes room for itself.
    const swept = (at: number): GateDriver => {
      const d = new GateDriver({ limitWindowMs: 1_000, publicLimit: 1 })
      for (let source = 0; source < 1_024; source++) d.send('read', 10, { ...MARKETS, source })
      expect(d.at(at).code('read', 10, { ...MARKETS, source: 1_024 })).toBe('ok')
      return d
    }
    const windows = (d: GateDriver) => (d.gate.snapshot() as unknown as { gate: { limits: { count: number } } }).gate.limits.count
    const [before, at] = [swept(sec(1) - 1), swept(sec(1))]
    expect([windows(before), windows(at)]).toEqual([1_025, 1])
    expect([0, 1_023].map((source) => before.code('read', 10, { ...MARKETS, source }))).toEqual(['rateLimited', 'rateLimited'])
    expect([0, 1_023, 1_024].map((source) => at.code('read', 10, { ...MARKETS, source }))).toEqual(['ok', 'ok', 'rateLimited'])
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
