import { describe, expect, it } from 'vitest'
import { GateFault } from '../../../src/venue/outcome/protocol/access.ts'
import { OUTCOME_CODES } from '../../../src/venue/outcome/protocol/codes.ts'
import { IssueKey, OutcomeCommand, OutcomeOp, Read } from '../../../src/venue/outcome/protocol/commands.ts'
import { DAY, type Fields, GateDriver, MAKER, type OpName, OTHER, sec, TAKER } from './gateDriver.ts'
import { SetFault } from '../../../src/venue/contract.ts'

const KEY = { key: 7 }
const ACCEPT = { ...KEY, quote: 3 }
/** Codes with which the venue refuses, by their status. */
const codesOf = (...statuses: number[]): number[] =>
  Object.entries(OUTCOME_CODES).filter(([, { status }]) => statuses.includes(status)).map(([code]) => Number(code))

/** Commands with a key, and what their answer shows of what they made. */
const KEYED: readonly [rule: string, op: OpName, account: number, made: string][] = [
  ['OM-071', 'createRfq', TAKER, 'rfq'], ['OM-073', 'cancelRfq', TAKER, 'rfq'], ['OM-075', 'submitQuote', MAKER, 'quote'],
  ['OM-079', 'acceptQuote', TAKER, 'operation'], ['OM-088', 'reduceCollateral', MAKER, 'reduction'], ['OM-094', 'openCashout', TAKER, 'rfq'],
  ['OM-096', 'withdraw', TAKER, 'operation'], ['OM-100', 'issueKey', TAKER, 'credential'],
]

describe('keys of commands', () => {
  it.each(KEYED)('%s OM-107 OM-187 %s needs a key that is one', (_, op, account) => {
    const d = new GateDriver()
    for (const key of [-1, -2, 0, 0.5, NaN, 268_435_456, 2 ** 53]) {
      expect([key, d.code(op, account, { key, origin: 0 })]).toEqual([key, 'invalidIdempotencyKey'])
      expect(d.rows).toHaveLength(1)
    }
    expect([d.venue.effects, d.view.rememberedCount()]).toEqual([0, 0])
    for (const key of [1, 268_435_455]) expect(d.code(op, account, { key, origin: 0 })).not.toBe('invalidIdempotencyKey')
    expect(d.view.rememberedCount()).toBe(2)
  })

  it.each(['confirmQuote', 'declineQuote'] as const)('OM-084 OM-187 %s takes no key, be it one or not', (op) => {
    const d = new GateDriver()
    expect([1, 268_435_455, -2, 0, NaN].map((key) => d.code(op, MAKER, { key }))).toEqual(Array(5).fill('invalidIdempotencyKey'))
    expect(d.venue.effects).toBe(0)
    expect(d.code(op, MAKER)).toBe('ok')
  })

  it('OM-077 a cancelled quote, and what is no command, pass with any key, and twice', () => {
    const d = new GateDriver()
    for (const key of [-1, -2, 7, 7, NaN]) {
      expect(d.code('cancelQuote', MAKER, { key })).toBe('ok')
      expect(d.code('read', MAKER, { key, [Read.route]: 4 })).toBe('ok')
      expect(d.code('challengeKey', MAKER, { key, validMs: 1, [IssueKey.scopes]: 1, [IssueKey.scopeCount]: 1 })).toBe('ok')
    }
    expect([d.venue.effects, d.view.rememberedCount()]).toEqual([5, 0])
  })
})

describe('a repeat with the same key and content', () => {
  it('OM-109 OM-110 INV-24 gets the original answer, marked as replayed, and has no second effect', () => {
    const d = new GateDriver()
    const fields = { ...KEY, stakeMicros: 5_000_000, legs: [[1, 1], [2, 0]] as const }
    const first = d.send('createRfq', TAKER, fields)!
    expect(first).toEqual({ event: 'reply', at: 0, cause: 1, account: TAKER, op: 'createRfq', code: 'ok', rfq: 1 })
    const hash = d.venue.stateHash()
    expect(d.at(sec(9)).send('createRfq', TAKER, fields)).toEqual({ ...first, at: sec(9), cause: 2, list: [1] })
    expect(d.rows).toHaveLength(1)
    expect([d.venue.effects, d.view.rememberedCount()]).toEqual([1, 1])
    expect(d.venue.stateHash()).toBe(hash)
  })

  it('OM-109 the sender\'s credential, origin, address and memo are no content', () => {
    const d = new GateDriver()
    const session = d.session(TAKER, 4)
    d.send('withdraw', TAKER, { ...KEY, amountMicros: 5 })
    expect(d.send('withdraw', TAKER, { ...KEY, amountMicros: 5, credential: session, origin: 4, source: 9, memoE9: 8 })).toMatchObject({ code: 'ok', list: [1] })
  })

  it('OM-109 −0 is 0 and NaN is NaN in content', () => {
    const d = new GateDriver()
    d.send('withdraw', TAKER, { ...KEY, amountMicros: 0, exitUntilS: NaN })
    expect(d.send('withdraw', TAKER, { ...KEY, amountMicros: -0, exitUntilS: NaN })!.list).toEqual([1])
  })

  it('OM-100 OM-109 issuing a key is replayed with its number, also when its challenge is used by then', () => {
    const d = new GateDriver()
    const request = { validMs: 5, value: 1, value2: 1, expiryDays: 2 }
    d.send('challengeKey', TAKER, request)
    const signed = { ...d.signed(TAKER, 1, request), ...KEY }
    const first = d.send('issueKey', TAKER, signed)!
    expect(first).toMatchObject({ code: 'ok', credential: 1, expiresAtUs: 2 * DAY })
    expect(d.at(5).send('issueKey', TAKER, signed)).toEqual({ ...first, at: 5, cause: 3, list: [1] })
    expect(d.view.liveKeysOf(TAKER)).toEqual([1])
  })

  it('OM-109 a replay counts as a call, and is the answer also while a fault is on', () => {
    const d = new GateDriver({ rfqLimit: 3 })
    d.send('createRfq', TAKER, KEY)
    d.send('setFault', -1, { [SetFault.fault]: GateFault.contractUnavailable, [SetFault.isOn]: 1 })
    expect([1, 2, 3].map(() => d.code('createRfq', TAKER, KEY))).toEqual(['ok', 'ok', 'rateLimited'])
    expect(d.code('createRfq', OTHER, KEY)).toBe('contractUnavailable')
  })

  it.each(KEYED.filter(([, op]) => op !== 'issueKey'))('%s OM-109 %s is replayed', (_, op, account, made) => {
    const d = new GateDriver()
    d.send(op, account, { ...KEY, quote: 0 })
    expect(d.send(op, account, { ...KEY, quote: 0 })).toMatchObject({ code: 'ok', [made]: 1, list: [1] })
  })
})

describe('a key that comes back with other content', () => {
  const base: Fields = { ...KEY, legs: [[1, 1], [2, 0]], items: [5] }
  const IGNORED = ['op', 'account', 'credential', 'source', 'origin', 'key', 'memoE9', 'productE9', 'seq', 'legCount', 'listCount']
  const changed = Object.entries(new OutcomeCommand()).filter(([name, value]) => typeof value === 'number' && !IGNORED.includes(name)).map(([name]) => name)

  it.each(changed)('OM-111 OM-194 is refused: another %s', (name) => {
    const d = new GateDriver()
    d.send('createRfq', TAKER, base)
    for (const value of [0, 1, -2, 2 ** 40, 0.5]) {
      expect(d.code('createRfq', TAKER, { ...base, [name]: value })).toBe('idempotencyKeyReused')
      expect(d.rows).toHaveLength(1)
    }
    expect(d.venue.effects).toBe(1)
  })

  it.each<[string, Fields]>([
    ['side', { legs: [[1, 1], [2, 1]] }], ['outcome', { legs: [[1, 1], [3, 0]] }], ['order of legs', { legs: [[2, 0], [1, 1]] }],
    ['count of legs', { legs: [[1, 1]] }], ['list', { items: [6] }], ['length of list', { items: [5, 5] }], ['no list', { items: [] }],
  ])('OM-111 OM-194 is refused: another %s', (_, change) => {
    const d = new GateDriver()
    d.send('createRfq', TAKER, base)
    expect(d.code('createRfq', TAKER, { ...base, ...change })).toBe('idempotencyKeyReused')
  })

  it('OM-111 INV-24 another command is other content, another account\'s key another key', () => {
    const d = new GateDriver()
    d.send('createRfq', TAKER, KEY)
    expect(d.code('openCashout', TAKER, KEY)).toBe('idempotencyKeyReused')
    expect(d.send('createRfq', OTHER, KEY)!.list).toBeUndefined()
    expect(d.venue.effects).toBe(2)
  })

  it('OM-081 OM-080 an accept\'s key is refused for a second quote, while the first waits and after it was answered', () => {
    const d = new GateDriver()
    d.send('acceptQuote', TAKER, ACCEPT)
    expect(d.code('acceptQuote', TAKER, { ...ACCEPT, quote: 4 })).toBe('idempotencyKeyReused')
    d.send('declineQuote', MAKER, { quote: 3 })
    expect(d.code('acceptQuote', TAKER, { ...ACCEPT, quote: 4 })).toBe('idempotencyKeyReused')
    expect(d.venue.effects).toBe(2)
  })

  it('OM-111 OM-109 a refused reuse leaves the first answer', () => {
    const d = new GateDriver()
    d.send('createRfq', TAKER, KEY)
    d.send('createRfq', TAKER, { ...KEY, stakeMicros: 4 })
    expect(d.send('createRfq', TAKER, KEY)).toMatchObject({ code: 'ok', list: [1] })
  })
})

describe('what is remembered', () => {
  const answered = (code: number): GateDriver => {
    const d = new GateDriver()
    d.venue.codes.set(OutcomeOp.createRfq, code)
    d.send('createRfq', TAKER, KEY)
    d.venue.codes.clear()
    return d
  }

  it.each(codesOf(429, 503).map((code) => [OUTCOME_CODES[code]!.name, code] as const))(
    'OM-112 OM-171 %s is not: the repeat, or another command, is a first one', (_, code) => {
      const d = answered(code)
      expect(d.view.rememberedCount()).toBe(0)
      expect(d.send('createRfq', TAKER, { ...KEY, stakeMicros: 9 })).toEqual(
        { event: 'reply', at: 0, cause: 2, account: TAKER, op: 'createRfq', code: 'ok', rfq: 2 })
    })

  it.each(codesOf(200, 400, 401, 403, 404, 409, 422).map((code) => [OUTCOME_CODES[code]!.name, code] as const))(
    'OM-112 OM-172 %s of the venue is, as every REFRESH and NEVER answer: a new request needs a new key', (name, code) => {
      const d = answered(code)
      expect(d.send('createRfq', TAKER, KEY)).toMatchObject({ code: name, list: [1] })
      expect(d.code('createRfq', TAKER, { ...KEY, stakeMicros: 9 })).toBe('idempotencyKeyReused')
      expect(d.code('createRfq', TAKER, { key: 8 })).toBe('ok')
      expect(d.venue.effects).toBe(2)
    })

  it('OM-112 what the gate refuses before the command is not', () => {
    const d = new GateDriver({ rfqLimit: 1 })
    expect(d.code('createRfq', TAKER, { ...KEY, credential: -1 })).toBe('unauthenticated')
    expect(d.code('createRfq', TAKER, { ...KEY, credential: d.issue(TAKER, 1) })).toBe('forbidden')
    d.send('setFault', -1, { [SetFault.fault]: GateFault.contractUnavailable, [SetFault.isOn]: 1 })
    expect(d.code('createRfq', TAKER, KEY)).toBe('contractUnavailable')
    expect(d.code('createRfq', TAKER, KEY)).toBe('rateLimited')
    d.send('setFault', -1, { [SetFault.fault]: GateFault.contractUnavailable, [SetFault.isOn]: 0 })
    expect(d.at(sec(60)).send('createRfq', TAKER, KEY)!.list).toBeUndefined()
    expect(d.venue.effects).toBe(1)
  })

  it('OM-112 a refused key issue is, its first answer binds the key', () => {
    const d = new GateDriver()
    expect(d.code('issueKey', TAKER, KEY)).toBe('originRequired')
    expect(d.send('issueKey', TAKER, KEY)).toMatchObject({ code: 'originRequired', list: [1] })
  })

  it.each<[string, OpName, string, number]>([['OM-112', 'createRfq', 'rfq', DAY], ['OM-112 OM-080', 'acceptQuote', 'operation', 7 * DAY]])(
    '%s the answer to %s is kept for its time to the microsecond', (_, op, made, kept) => {
      const d = new GateDriver()
      const fields = { ...KEY, quote: 0 }
      d.at(5).send(op, TAKER, fields)
      expect(d.at(5 + kept - 1).send(op, TAKER, fields)).toMatchObject({ [made]: 1, list: [1] })
      expect(d.code(op, TAKER, { ...fields, stakeMicros: 4 })).toBe('idempotencyKeyReused')
      expect(d.view.rememberedCount()).toBe(1)
      expect([d.view.remembers(TAKER, KEY.key), d.view.remembers(TAKER, KEY.key + 1), d.view.remembers(MAKER, KEY.key)]).toEqual([true, false, false])
      const again = d.at(5 + kept).send(op, TAKER, { ...fields, stakeMicros: 4 })!
      expect([again.code, again.list, d.venue.effects]).toEqual(['ok', undefined, 2])
    })

  it('OM-112 memory ends with the retention', () => {
    const d = new GateDriver({ idempotencyRetentionMs: 1_000, rfqLimit: 1e9, routeTotalLimit: 1e9 })
    for (let i = 0; i < 5_000; i++) d.at(i * 1_000).send('createRfq', TAKER)
    expect(d.view.rememberedCount()).toBe(1_000)
    const { gate } = d.gate.snapshot() as { gate: { answers: { number: Float64Array } } }
    expect(gate.answers.number.length).toBeLessThanOrEqual(1_001)
    d.pulse(sec(10))
    expect(d.view.rememberedCount()).toBe(0)
  })
})

describe('a repeat while the first is under way', () => {
  it('OM-112 OM-110 an accept\'s repeats wait for its answer, and are answered in order of arrival', () => {
    const d = new GateDriver()
    expect(d.send('acceptQuote', TAKER, ACCEPT)).toBeUndefined()
    expect(d.names()).toEqual(['quoteAccepted'])
    expect(d.at(1).send('acceptQuote', TAKER, ACCEPT)).toBeUndefined()
    expect(d.at(2).send('acceptQuote', TAKER, ACCEPT)).toBeUndefined()
    expect(d.rows).toEqual([])
    expect(d.code('acceptQuote', TAKER, { ...ACCEPT, quote: 4 })).toBe('idempotencyKeyReused')
    expect([d.view.rememberedCount(), d.view.remembers(TAKER, ACCEPT.key)]).toEqual([0, true])
    d.at(9).send('confirmQuote', MAKER, { quote: 3 })
    const answer = { event: 'reply', at: 9, account: TAKER, op: 'acceptQuote', code: 'ok', quote: 3 }
    expect(d.rows).toEqual([
      { event: 'operationStarted', at: 9, cause: 5, account: TAKER, maker: MAKER },
      { ...answer, cause: 1 },
      { event: 'reply', at: 9, cause: 5, account: MAKER, op: 'confirmQuote', code: 'ok', operation: 2 },
      { ...answer, cause: 2, list: [1] },
      { ...answer, cause: 3, list: [1] },
    ])
    expect(d.at(10).send('acceptQuote', TAKER, ACCEPT)).toEqual({ ...answer, at: 10, cause: 6, list: [1] })
    expect([d.venue.effects, d.view.rememberedCount()]).toEqual([2, 1])
  })

  it('OM-112 repeats are answered after the rows of all deadlines of the instant, of each accept in turn', () => {
    const d = new GateDriver()
    for (const [key, quote] of [[1, 3], [2, 4], [2, 4], [1, 3], [2, 4]] as const) d.send('acceptQuote', TAKER, { key, quote })
    d.plan(sec(2) + 1, ['quoteFailed', MAKER])
    expect(d.pulse(sec(2))).toEqual([])
    d.pulse(sec(3))
    expect(d.rows.map((row) => [row.event, row.at - sec(2), row['cause'], row.code, row.list])).toEqual([
      ['quoteFailed', 1, undefined, undefined, undefined],
      ['reply', 1, 1, 'timedOut', undefined], ['reply', 1, 2, 'timedOut', undefined],
      ['reply', 1, 4, 'timedOut', [1]], ['reply', 1, 3, 'timedOut', [1]], ['reply', 1, 5, 'timedOut', [1]],
    ])
  })

  it('OM-112 an accept is remembered from its answer on', () => {
    const d = new GateDriver({ acceptRetentionMs: 1_000 })
    d.send('acceptQuote', TAKER, ACCEPT)
    d.at(sec(5)).send('declineQuote', MAKER, { quote: 3 })
    expect(d.at(sec(6) - 1).send('acceptQuote', TAKER, ACCEPT)).toMatchObject({ code: 'declined', list: [1] })
    expect(d.at(sec(6)).send('acceptQuote', TAKER, ACCEPT)).toBeUndefined()
    expect(d.venue.effects).toBe(3)
  })

  it('INV-24 an account\'s key and another\'s wait apart', () => {
    const d = new GateDriver()
    d.send('acceptQuote', TAKER, ACCEPT)
    d.send('acceptQuote', OTHER, { ...ACCEPT, quote: 4 })
    d.send('acceptQuote', OTHER, { ...ACCEPT, quote: 4 })
    d.send('declineQuote', MAKER, { quote: 3 })
    expect(d.of('reply').map((row) => row['cause'])).toEqual([1, 4])
    const waiting = () => (d.gate.snapshot() as { gate: { answers: { repeats: Float64Array } } }).gate.answers.repeats.length
    expect(waiting()).toBe(2)
    d.send('declineQuote', MAKER, { quote: 4 })
    expect(d.of('reply').map((row) => row['cause'])).toEqual([2, 5, 3])
    expect(waiting()).toBe(0)
  })
})
