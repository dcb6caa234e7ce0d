import { describe, expect, it } from 'vitest'
import { ALL_SCOPES, ScopeBit } from '../../../src/venue/parlay/protocol/access.ts'
import { Answer, OwnerKind } from '../../../src/venue/parlay/protocol/webhooks.ts'
import { GateDriver, oneDelivery, sec, usd } from './gateDriver.ts'
import { ScriptDriver, type ScriptRow } from './gateScript.ts'
import { Read, Redeliver, RevokeKey, RotateSecret, SetDeliveries, SetEndpoint } from '../../../src/venue/parlay/protocol/commands.ts'

const { user, maker } = OwnerKind
const ALL = 127
const MAKERS = 7

describe('endpoints', () => {
  it('a set endpoint shows its events, its credential and no secret', () => {
    const d = new GateDriver()
    const key = d.key(10, ALL_SCOPES)
    d.send('setEndpoint', 10, { [SetEndpoint.ownerKind]: user, [SetEndpoint.events]: 96, credential: key })
    expect(d.rows).toEqual([
      { event: 'endpointSet', at: 0, cause: 2, account: 10, ownerKind: user, webhookEvents: 96, credential: 1 },
      { event: 'reply', at: 0, cause: 2, account: 10, op: 'setEndpoint', code: 'ok' },
    ])
    expect(d.view.endpoint(10, user)).toEqual({ account: 10, owner: user, events: 96, secret: 0 })
    expect([d.view.endpoint(10, maker), d.view.endpoint(11, user)]).toEqual([null, null])
  })

  it.each([[0, 'ok'], [7, 'ok'], [8, 'invalid'], [15, 'invalid'], [127, 'invalid'], [-1, 'invalid']])(
    'PQ-307 a maker endpoint takes mask %i: %s', (value2, code) => {
      expect(new GateDriver().code('setEndpoint', 20, { [SetEndpoint.ownerKind]: maker, value2 })).toBe(code)
    })

  it.each([[0, 'ok'], [127, 'ok'], [128, 'invalid'], [-1, 'invalid'], [1.5, 'invalid'], [NaN, 'invalid']])(
    'a user endpoint takes mask %d: %s', (value2, code) => {
      expect(new GateDriver().code('setEndpoint', 10, { [SetEndpoint.ownerKind]: user, value2 })).toBe(code)
    })

  it.each([2, -1, 0.5, NaN])('refuses owner kind %d', (value) => {
    const d = new GateDriver()
    expect([d.code('setEndpoint', 10, { value, value2: 1 }), d.code('rotateSecret', 10, { value })]).toEqual(['invalid', 'invalid'])
  })

  it('PQ-326 a rotation makes the next generation of the secret, which outlives a change of the endpoint', () => {
    const d = new GateDriver()
    expect(d.code('rotateSecret', 10, { [RotateSecret.ownerKind]: user })).toBe('notFound')
    d.endpoint(10, user, 1)
    expect(d.rows).toEqual([
      { event: 'secretRotated', at: 0, cause: 3, account: 10, ownerKind: user, secretGeneration: 1 },
      { event: 'reply', at: 0, cause: 3, account: 10, op: 'rotateSecret', secretGeneration: 1, code: 'ok' },
    ])
    d.send('setEndpoint', 10, { [SetEndpoint.ownerKind]: user, [SetEndpoint.events]: 2 })
    expect(d.send('rotateSecret', 10, { [RotateSecret.ownerKind]: user })!['secretGeneration']).toBe(2)
    expect(d.view.endpoint(10, user)).toMatchObject({ events: 2, secret: 2 })
  })
})

describe('what is told to whom', () => {
  const A = 10
  const B = 20
  /** Owner kinds and accounts that hear of a row of account 10 with the other account 20, when all listen to all they can. */
  const HEARD: readonly [event: ScriptRow[0], webhook: number, heard: readonly (readonly [account: number, owner: number])[]][] = [
    ['positionSettled', 0, [[A, user], [B, maker]]],
    ['positionCancelled', 1, [[A, user], [B, maker]]],
    ['positionBoughtBack', 2, [[A, user], [B, maker]]],
    ['positionTransferred', 3, [[A, user]]],
    ['statusChanged', 4, [[A, user]]],
    ['fundsDeposited', 5, [[A, user]]],
    ['fundsWithdrawn', 6, [[A, user]]],
    ['positionOpened', -1, []],
    ['settlementDelayed', -1, []],
  ]

  it.each(HEARD)('%s is event %i', (event, webhook, heard) => {
    const d = new ScriptDriver()
    for (const account of [A, B]) d.endpoint(account, user, ALL).endpoint(account, maker, MAKERS)
    const rowSeq = d.sequence.next
    d.happen([event, A, B])
    expect(d.rows.slice(2)).toEqual(heard.map(([account, owner], i) => (
      { event: 'deliveryQueued', at: 0, cause: 9, account, ownerKind: owner, delivery: i + 1, webhookEvent: webhook, eventSeq: rowSeq }
    )))
  })

  it('each subscription bit is its event', () => {
    const events = ['positionSettled', 'positionCancelled', 'positionBoughtBack', 'positionTransferred', 'statusChanged', 'fundsDeposited',
      'fundsWithdrawn'] as const
    for (const [bit] of events.entries()) {
      const d = new ScriptDriver()
      d.endpoint(A, user, 1 << bit).happen(...events.map((event): ScriptRow => [event, A, B]))
      expect(d.of('deliveryQueued').map((row) => row['webhookEvent'])).toEqual([bit])
    }
  })

  it('rows of a deadline are told at its time, before the gate\'s deadlines of that instant', () => {
    const d = new ScriptDriver()
    d.endpoint(A, user, ALL).plan(sec(5), ['statusChanged', A], ['positionSettled', A, B])
    expect(d.gate.nextDeadlineUs()).toBe(1_750_000_005_000_000)
    expect(d.pulse(sec(9)).map((row) => [row.event, row.at, row['delivery'], row['cause']])).toEqual([
      ['statusChanged', sec(5), undefined, undefined], ['positionSettled', sec(5), undefined, undefined],
      ['deliveryQueued', sec(5), 1, undefined], ['deliveryQueued', sec(5), 2, undefined],
      ['deliveryAttempted', sec(5), 1, undefined], ['deliveryAttempted', sec(5), 2, undefined],
    ])
  })

  it('at one instant the venue comes before the gate, and a key expires before an attempt', () => {
    const d = new ScriptDriver()
    const key = d.key(A, ALL_SCOPES, 1_750_000_005_000_000)
    d.endpoint(A, user, ALL, key)
    d.plan(sec(5), ['statusChanged', A])
    expect(d.pulse(sec(5)).map(({ event }) => event)).toEqual(['statusChanged', 'deliveryQueued', 'keyExpired', 'deliveryChanged'])
  })

  it('an operator comes before the deadlines of its instant, a participant after them', () => {
    const d = new ScriptDriver()
    d.endpoint(A, user, ALL).plan(sec(5), ['statusChanged', A])
    expect(d.at(sec(5)).happen().names()).toEqual(['reply ok'])
    d.send('read', A, { [Read.route]: 1 })
    expect(d.names()).toEqual(['statusChanged', 'deliveryQueued', 'deliveryAttempted', 'reply ok'])
  })

  it('both events of a cancel come, as deliveries of their own', () => {
    const d = new GateDriver().endpoint(A, user, ALL)
    for (const market of [1, 2]) d.send('listMarket', 0, { market, closeUs: 2 ** 52 })
    const c = d.command.reset(30, A).leg(1, 1).leg(2, 1)
    c.betMicros = usd(25)
    c.seq = ++d.seq
    d.gate.apply(1_750_000_000_000_000, c)
    d.events.clear()
    d.send('cancelRequest', A, { request: 1 })
    expect(d.of('deliveryQueued').map((row) => [row['delivery'], row['webhookEvent']])).toEqual([[1, 4], [2, 1]])
    expect(new Set(d.of('deliveryQueued').map((row) => row['eventSeq'])).size).toBe(2)
  })
})

describe('when nothing is told', () => {
  it('PQ-325 INV-28 events before a secret exists are dropped for good', () => {
    const d = new GateDriver()
    d.send('setEndpoint', 10, { [SetEndpoint.ownerKind]: user, [SetEndpoint.events]: ALL })
    d.send('deposit', 10, { amountMicros: usd(1) })
    expect(d.of('deliveryQueued')).toEqual([])
    d.send('rotateSecret', 10, { [RotateSecret.ownerKind]: user })
    expect(d.pulse(sec(1e5))).toEqual([])
    d.send('deposit', 10, { amountMicros: usd(1) })
    expect(d.of('deliveryQueued')).toHaveLength(1)
  })

  it('PQ-237 a parked endpoint gets nothing new, until it subscribes again', () => {
    const d = new GateDriver().endpoint(10, user, ALL)
    d.send('setEndpoint', 10, { [SetEndpoint.ownerKind]: user, [SetEndpoint.events]: 0 })
    d.send('deposit', 10, { amountMicros: usd(1) })
    expect(d.of('deliveryQueued')).toEqual([])
    d.send('setEndpoint', 10, { [SetEndpoint.ownerKind]: user, [SetEndpoint.events]: ALL })
    d.send('deposit', 10, { amountMicros: usd(1) })
    expect(d.of('deliveryQueued').map((row) => row['delivery'])).toEqual([1])
  })

  it('PQ-237 an endpoint parked while a delivery is retried gets no further attempt', () => {
    const d = oneDelivery()
    d.pulse(0)
    d.answer(1, 1, 500)
    d.send('setEndpoint', 10, { [SetEndpoint.ownerKind]: user, [SetEndpoint.events]: ALL & ~(1 << 5) })
    expect(d.pulse(sec(30))).toEqual([{
      event: 'deliveryChanged', at: sec(30), account: 10, status: 3, delivery: 1, webhookEvent: 5, attempts: 1, response: Answer.notAllowed,
    }])
    expect(d.view.deliveriesOf(10, user)[0]).toMatchObject({ status: 3, attempts: 1, response: -2 })
  })

  const switchOf = (d: GateDriver, isOn: number) => d.code('setDeliveries', 0, { [SetDeliveries.deliveriesOf]: 10, [SetDeliveries.isOn]: isOn })

  it('PQ-327 an account whose deliveries are off gets nothing new, and another does, until they are on again', () => {
    const d = new GateDriver().endpoint(10, user, ALL).endpoint(11, user, ALL)
    expect(switchOf(d, 0)).toBe('ok')
    for (const account of [10, 11]) d.send('deposit', account, { amountMicros: usd(1) })
    expect(d.of('deliveryQueued').map((row) => row['account'])).toEqual([11])
    d.send('deposit', 10, { amountMicros: usd(1) })
    expect(d.of('deliveryQueued')).toEqual([])
    expect([switchOf(d, 0), switchOf(d, 1), switchOf(d, 1)]).toEqual(['ok', 'ok', 'ok'])
    d.send('deposit', 10, { amountMicros: usd(1) })
    expect(d.of('deliveryQueued').map((row) => row['account'])).toEqual([10])
  })

  it('PQ-327 a delivery of an account whose deliveries went off gets no further attempt, and is not redelivered', () => {
    const d = oneDelivery()
    d.pulse(0)
    d.answer(1, 1, 500)
    switchOf(d, 0)
    expect(d.pulse(sec(30))).toMatchObject([{ event: 'deliveryChanged', status: 3, attempts: 1, response: Answer.notAllowed }])
    expect(d.code('redeliver', 10, { [Redeliver.delivery]: 1 })).toBe('ok')
    expect(d.pulse(sec(30))).toMatchObject([{ event: 'deliveryChanged', status: 3, attempts: 1, response: Answer.notAllowed }])
  })

  it.each([[-1, 0], [16_777_216, 0], [0.5, 0], [NaN, 0], [10, 2], [10, -1], [10, NaN]])('PQ-327 deliveries of account %d cannot be set to %d', (value, value2) => {
    expect(new GateDriver().code('setDeliveries', 0, { value, value2 })).toBe('invalid')
  })

  it('PQ-286 INV-28 the scope must be held when the delivery happens', () => {
    const d = new GateDriver()
    const key = d.key(10, ScopeBit.accountWrite | ScopeBit.balancesRead)
    d.endpoint(10, user, ALL, key)
    d.send('deposit', 10, { amountMicros: usd(1) })
    expect(d.pulse(0).map(({ event }) => event)).toEqual(['deliveryAttempted'])
    d.send('deposit', 10, { amountMicros: usd(1) })
    d.send('revokeKey', 10, { [RevokeKey.keyNumber]: key })
    // The delivery queued before the revocation was due by then and went out; the next is not allowed.
    expect(d.rows.map(({ event }) => event)).toEqual(['deliveryAttempted', 'keyRevoked', 'reply'])
    d.send('deposit', 10, { amountMicros: usd(1) })
    expect(d.pulse(0)).toMatchObject([{ event: 'deliveryChanged', delivery: 3, attempts: 0, response: -2, status: 3 }])
  })

  const SCOPES: readonly [rule: string, event: ScriptRow[0], scope: number][] = [
    ['PQ-290 PQ-286', 'positionSettled', ScopeBit.positionsRead], ['PQ-291 PQ-286', 'positionCancelled', ScopeBit.positionsRead],
    ['PQ-292 PQ-286', 'positionBoughtBack', ScopeBit.positionsRead], ['PQ-293 PQ-286', 'positionTransferred', ScopeBit.positionsRead],
    ['PQ-295 PQ-286', 'statusChanged', ScopeBit.positionsRead], ['PQ-297 PQ-286', 'fundsDeposited', ScopeBit.balancesRead],
    ['PQ-298 PQ-286', 'fundsWithdrawn', ScopeBit.balancesRead],
  ]
  // The endpoint is set with a key of the scope that changing it needs, and the event's or all others.
  it.each(SCOPES)('%s %s goes only to a key with its scope', (_, event, scope) => {
    for (const [scopes, told] of [[scope | ScopeBit.accountWrite, 'deliveryAttempted'], [ALL_SCOPES & ~scope, 'deliveryChanged']] as const) {
      const d = new ScriptDriver()
      d.endpoint(10, user, ALL, d.key(10, scopes)).happen([event, 10])
      expect(d.pulse(0).map((row) => row.event)).toEqual([told])
    }
  })

  it('PQ-106 PQ-286 the key has expired by the retry', () => {
    const d = new GateDriver()
    const key = d.key(10, ALL_SCOPES, 1_750_000_000_000_000 + sec(30))
    d.endpoint(10, user, ALL, key)
    d.send('deposit', 10, { amountMicros: usd(1) })
    d.pulse(0)
    d.answer(1, 1, 500)
    expect(d.pulse(sec(30)).map(({ event, response }) => [event, response])).toEqual([['keyExpired', undefined], ['deliveryChanged', -2]])
  })

  it('setting the endpoint anew puts it on the credential of that command', () => {
    const d = new GateDriver()
    const key = d.key(10, ALL_SCOPES)
    d.endpoint(10, user, ALL, key)
    d.send('revokeKey', 10, { [RevokeKey.keyNumber]: key })
    d.send('setEndpoint', 10, { [SetEndpoint.ownerKind]: user, [SetEndpoint.events]: ALL })
    d.send('deposit', 10, { amountMicros: usd(1) })
    expect(d.pulse(0).map(({ event }) => event)).toEqual(['deliveryAttempted'])
  })
})
