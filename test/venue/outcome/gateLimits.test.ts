import { describe, expect, it } from 'vitest'
import { Bucket } from '../../../src/venue/outcome/protocol/access.ts'
import type { OutcomeGateProfile } from '../../../src/venue/outcome/protocol/gate.ts'
import { type Fields, GateDriver, MAKER, MINUTE, type OpName, OTHER, RIVAL, sec, T0, TAKER } from './gateDriver.ts'

type Call = readonly [op: OpName, fields?: Fields]
const read = (value: number): Call => ['read', { value }]

/** Rule, bucket, its setting and limit, accounts, calls that share it. */
const BUCKETS: readonly [rule: string, bucket: keyof typeof Bucket, setting: keyof OutcomeGateProfile, limit: number, account: number, other: number, calls: readonly Call[]][] = [
  ['OM-281 RFQs and cash-outs', 'rfqs', 'rfqLimit', 30, TAKER, OTHER, [['createRfq'], ['openCashout']]],
  ['OM-282 accepts', 'accepts', 'acceptLimit', 30, TAKER, OTHER, [['acceptQuote', { quote: 0 }]]],
  ['OM-283 quotes', 'quotes', 'quoteLimit', 120, MAKER, RIVAL, [['submitQuote']]],
  ['OM-284 cancelled quotes', 'quoteCancels', 'quoteCancelLimit', 120, MAKER, RIVAL, [['cancelQuote']]],
  ['OM-285 confirmations and declines', 'confirms', 'confirmLimit', 120, MAKER, RIVAL, [['confirmQuote'], ['declineQuote']]],
  ['OM-286 lists of quotes', 'quoteLists', 'quoteListLimit', 600, TAKER, OTHER, [read(6)]],
  ['OM-287 reads of an acceptance', 'acceptanceReads', 'acceptanceReadLimit', 600, TAKER, OTHER, [read(7)]],
  ['OM-288 reads of positions and capital', 'positionReads', 'positionReadLimit', 120, MAKER, RIVAL, [read(11), read(12), read(9)]],
  ['OM-289 lists of activity', 'activity', 'activityLimit', 120, TAKER, OTHER, [read(13)]],
]

const UNCOUNTED: readonly Call[] = [
  ['withdraw'], ['reduceCollateral'], ['cancelRfq'], ['deposit'], ['setSigner'], ['signIn', { origin: 0 }], ['signOut'], ['challengeKey'],
  ['issueKey', { origin: 0 }], ['revokeKey', { value: 1 }], ['openStream'], ['openMarketStream', { items: [1] }], ['closeStream'],
  read(0), read(1), read(2), read(3), read(4), read(5), read(8), read(10), read(14), read(NaN),
]

describe('limits', () => {
  it.each(BUCKETS)('%s (%s): %s is %i a minute for account %i, over all sorts of the bucket; the next call gets 429', (_, bucket, setting, limit, account, other, calls) => {
    const d = new GateDriver()
    const call = (i: number, who: number) => d.send(calls[i % calls.length]![0], who, calls[i % calls.length]![1])!
    for (let i = 0; i < limit; i++) expect([i, call(i, account).code]).toEqual([i, 'ok'])
    expect(d.view.lastLimit()).toEqual({ limit, remaining: 0, resetUs: T0 + MINUTE, retryAfterS: -1 })
    for (let i = 0; i < calls.length; i++) {
      expect(call(i, account)).toEqual({
        event: 'reply', at: 0, cause: d.seq, account, code: 'rateLimited', op: calls[i]![0], limit: limit, retryAfterS: 60,
        bucket: Bucket[bucket], resetAtUs: MINUTE,
      })
      expect(d.rows).toHaveLength(1)
      expect(d.view.lastLimit()).toEqual({ limit, remaining: 0, resetUs: T0 + MINUTE, retryAfterS: 60 })
    }
    expect(call(0, other).code).toBe('ok')
    d.at(MINUTE - 1)
    expect(call(0, account).code).toBe('rateLimited')
    d.at(MINUTE)
    expect(call(0, account).code).toBe('ok')
    expect(d.view.lastLimit()).toEqual({ limit, remaining: limit - 1, resetUs: T0 + 2 * MINUTE, retryAfterS: -1 })
    const small = new GateDriver({ [setting]: 1 })
    expect([1, 2].map(() => small.code(calls[0]![0], account, calls[0]![1]))).toEqual(['ok', 'rateLimited'])
  })

  it.each(BUCKETS)('%s (%s) count on their own', (_, bucket, __, limit, account, ___, calls) => {
    const d = new GateDriver()
    for (const [, other, , , , , others] of BUCKETS) {
      if (other === bucket) continue
      for (const [op, fields] of others) d.send(op, MAKER, fields)
    }
    d.send(calls[0]![0], account, calls[0]![1])
    expect(d.view.lastLimit()!.remaining).toBe(limit - 1)
  })

  it('OM-242 calls of no bucket are not limited', () => {
    const d = new GateDriver({ routeTotalLimit: 1 })
    for (const [op, fields] of UNCOUNTED) {
      for (let i = 0; i < 2; i++) expect([op, fields, d.code(op, TAKER, fields)]).not.toEqual([op, fields, 'rateLimited'])
      expect(d.view.lastLimit()).toBeNull()
    }
  })

  it('OM-280 OM-216 Retry-After is whole seconds to the end of the window, rounded up', () => {
    const d = new GateDriver({ rfqLimit: 1 })
    d.send('createRfq', TAKER)
    for (const [at, seconds] of [[0, 60], [1, 60], [sec(1) - 1, 60], [sec(1), 59], [sec(59), 1], [MINUTE - 1, 1]] as const) {
      expect([at, d.at(at).send('createRfq', TAKER)!['retryAfterS']]).toEqual([at, seconds])
      expect(d.view.lastLimit()!.retryAfterS).toBe(seconds)
    }
  })

  it('OM-281 the next window begins with the first call after the last one is over', () => {
    const d = new GateDriver({ rfqLimit: 2 })
    const call = (at: number) => d.at(at).code('createRfq', TAKER)
    expect([call(sec(50)), call(sec(109)), call(sec(110) - 1)]).toEqual(['ok', 'ok', 'rateLimited'])
    expect([call(sec(200)), call(sec(259)), call(sec(260) - 1), call(sec(260))]).toEqual(['ok', 'ok', 'rateLimited', 'ok'])
  })

  it('OM-216 a refused call is not counted, neither is one that its credential or scope refuses', () => {
    const d = new GateDriver({ rfqLimit: 1 })
    for (let i = 0; i < 5; i++) expect(d.code('createRfq', TAKER, { credential: -1 })).toBe('unauthenticated')
    const key = d.issue(TAKER, 1)
    expect(d.code('createRfq', TAKER, { credential: key })).toBe('forbidden')
    expect(d.code('createRfq', TAKER)).toBe('ok')
    for (let at = 1; at < 50; at++) expect(d.at(at).code('createRfq', TAKER)).toBe('rateLimited')
    expect(d.at(MINUTE).code('createRfq', TAKER)).toBe('ok')
  })

  it('OM-281 all credentials of an account share its limits, and calls that then fail count', () => {
    const d = new GateDriver({ rfqLimit: 3 })
    const [key, session] = [d.issue(TAKER, 16), d.session(TAKER)]
    expect(d.code('createRfq', TAKER, { key: -1 })).toBe('invalidIdempotencyKey')
    expect([key, session, 0].map((credential) => d.code('createRfq', TAKER, { credential, origin: 0 }))).toEqual(['ok', 'ok', 'rateLimited'])
  })

  it('OM-241 OM-242 a caller under its own limit gets 429 when the calls of all are at theirs', () => {
    const d = new GateDriver({ routeTotalLimit: 3 })
    for (const account of [TAKER, TAKER, OTHER]) expect(d.at(sec(account)).code('createRfq', account)).toBe('ok')
    expect(d.view.lastLimit()).toEqual({ limit: 30, remaining: 29, resetUs: T0 + sec(2) + MINUTE, retryAfterS: -1 })
    expect(d.at(sec(3)).send('openCashout', 3)).toEqual({
      event: 'reply', at: sec(3), cause: 4, account: 3, code: 'rateLimited', op: 'openCashout', limit: 3, retryAfterS: 58, bucket: Bucket.rfqs,
      resetAtUs: sec(61),
    })
    expect(d.view.lastLimit()).toEqual({ limit: 3, remaining: 0, resetUs: T0 + sec(61), retryAfterS: 58 })
    expect(d.code('acceptQuote', 3, { quote: 0 })).toBe('ok')
    expect([sec(61) - 1, sec(61)].map((at) => d.at(at).code('createRfq', 3))).toEqual(['rateLimited', 'ok'])
    // The refused calls began no window of its own.
    expect(d.view.lastLimit()!.resetUs).toBe(T0 + sec(61) + MINUTE)
  })

  it('OM-241 of two full limits the account\'s is named', () => {
    const d = new GateDriver({ routeTotalLimit: 2, rfqLimit: 2 })
    d.send('createRfq', TAKER)
    d.send('createRfq', TAKER)
    expect(d.send('createRfq', TAKER)!['limit']).toBe(2)
    const shares = new GateDriver({ routeTotalLimit: 2, rfqLimit: 1 })
    shares.send('createRfq', TAKER)
    shares.send('createRfq', OTHER)
    expect([TAKER, 3].map((account) => shares.send('createRfq', account)!['limit'])).toEqual([1, 2])
  })

  it('OM-216 a call that its account\'s limit refuses is not counted over all accounts', () => {
    const d = new GateDriver({ routeTotalLimit: 2, rfqLimit: 1 })
    for (let i = 0; i < 4; i++) d.send('createRfq', TAKER)
    expect(d.code('createRfq', OTHER)).toBe('ok')
  })

  it('the limit that is shown is that of the last participant\'s command', () => {
    const d = new GateDriver()
    d.send('createRfq', TAKER)
    expect(d.view.lastLimit()!.remaining).toBe(29)
    d.send('listOutcome', -1)
    d.pulse(1)
    expect(d.view.lastLimit()!.remaining).toBe(29)
    d.send('createRfq', TAKER, { credential: -1 })
    expect(d.view.lastLimit()).toBeNull()
  })

  it('forgets windows that are over, and none that is not', () => {
    const d = new GateDriver({ rfqLimit: 1, limitWindowMs: 1_000 })
    for (let account = 0; account < 3_000; account++) d.at(account * 1_000).send('createRfq', account)
    expect(d.code('createRfq', 2_999)).toBe('rateLimited')
    expect(d.code('createRfq', 2_001)).toBe('rateLimited')
    expect(d.code('createRfq', 1_999)).toBe('ok')
  })
})
