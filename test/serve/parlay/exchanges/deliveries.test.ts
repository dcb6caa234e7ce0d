import { describe, expect, it } from 'vitest'
import { MarketResult } from '../../../../src/market/sides.ts'
import { ParlayOp } from '../../../../src/venue/parlay/protocol/commands.ts'
import { verifySignature } from '../../../../src/venue/parlay/wire/signature.ts'
import { WORLD_START_US } from '../../../engine/world.ts'
import { ParlayBench, SECOND, type Served } from './bench.ts'

const URL = 'https://example.com/hook'
const ALL = ['position.settled', 'position.cancelled', 'position.bought_back', 'position.transferred', 'parlay.status_changed', 'funds.deposited', 'funds.withdrawn']
const MAKERS = ALL.slice(0, 3)
/** Both legs of `LEGS` win in the tenth second. */
const SETTLES: Served = {
  operator: (inputs) => [...inputs, ...[[0, MarketResult.yes], [8, MarketResult.no]].map(([market, value]) => ({ atUs: WORLD_START_US + 10 * SECOND, op: ParlayOp.resolveMarket, market: market!, value: value! }))]
    .toSorted((a, b) => a.atUs - b.atUs),
}

function receiver(b: ParlayBench, name: 'bettor' | 'ours', owner: 'user' | 'mm', events: readonly string[], url = URL): string {
  b.call('PUT', `/v1/webhooks?owner_kind=${owner}`, { jwt: `good-${name}`, body: { url, events } })
  return b.call('POST', `/v1/webhooks/rotate-secret?owner_kind=${owner}`, { jwt: `good-${name}` }).body.data.secret
}
/** An attempt is due at once, which is a deadline: the loop comes to it with the next instant. */
function bodies(b: ParlayBench) {
  b.pass(1)
  return b.posted.map(({ attempt: { body } }) => JSON.parse(body))
}
function deposit(b: ParlayBench) {
  b.call('POST', '/v1/vault/deposit', { as: 'bettor', body: { amount: 5 } })
  b.pass(1)
}

it('PQ-312 PQ-313 PQ-317 a delivery is a JSON body signed over its exact bytes with the secret that was shown', () => {
  const b = new ParlayBench()
  const secret = receiver(b, 'bettor', 'user', ALL)
  deposit(b)
  const [{ attempt: { url, headers, body, timeoutAtUs } }] = b.posted as [(typeof b.posted)[number]]
  expect([url, Object.keys(headers), timeoutAtUs - b.nowUs]).toEqual([URL, ['X-Service-Signature', 'X-Service-Event-Id', 'X-Service-Event-Type', 'Content-Type'], 10 * SECOND - 1])
  expect([verifySignature(secret, headers['X-Service-Signature'], body, b.nowUs), verifySignature(secret, headers['X-Service-Signature'], `${body} `, b.nowUs)]).toEqual(['ok', 'mismatch'])
  expect(JSON.parse(body)).toEqual({
    id: headers['X-Service-Event-Id'], type: 'funds.deposited', data: { amount_usdc: 5, vault_balance: 105, occurred_at: '2025-06-15T15:06:41.003000Z' },
  })
})

it('PQ-314 PQ-134 PQ-126 what fails is sent again under its id, and what is acknowledged is not', () => {
  const b = new ParlayBench({ gate: { deliveryBackoffMs: 1000 } })
  const secret = receiver(b, 'bettor', 'user', ALL)
  deposit(b)
  b.posted[0]!.answer(503)
  b.pass(SECOND)
  expect([b.posted.length, b.posted[1]!.attempt.body]).toEqual([2, b.posted[0]!.attempt.body])
  // Each attempt signs its own time.
  expect(b.posted[1]!.attempt.headers['X-Service-Signature']).not.toBe(b.posted[0]!.attempt.headers['X-Service-Signature'])
  expect(verifySignature(secret, b.posted[1]!.attempt.headers['X-Service-Signature'], b.posted[1]!.attempt.body, b.nowUs)).toBe('ok')
  b.posted[0]!.answer(200)
  b.posted[1]!.answer(204)
  b.pass(3600 * SECOND / 10)
  const [delivery] = b.call('GET', '/v1/webhooks/deliveries', { jwt: 'good-bettor' }).body.data.deliveries
  expect([b.posted.length, delivery]).toMatchObject([2, { status: 'delivered', attempts: 2, response_code: 204 }])
})

it('PQ-016 PQ-127 what happened while an endpoint was away reaches it later, signed', () => {
  const b = new ParlayBench({ gate: { deliveryBackoffMs: 1000 } })
  const secret = receiver(b, 'bettor', 'user', ALL)
  deposit(b)
  for (const [attempt, status] of [500, 0, 429, 408].entries()) {
    b.posted[attempt]!.answer(status)
    // Each wait is twice the one before.
    b.pass(2 ** attempt * SECOND)
  }
  const { body, headers } = b.posted[4]!.attempt
  expect([verifySignature(secret, headers['X-Service-Signature'], body, b.nowUs), JSON.parse(body).type, body]).toEqual(['ok', 'funds.deposited', b.posted[0]!.attempt.body])
  b.posted[4]!.answer(200)
  b.pass(360 * SECOND)
  expect([b.posted.length, b.call('GET', '/v1/webhooks/deliveries', { jwt: 'good-bettor' }).body.data.deliveries[0].status]).toEqual([5, 'delivered'])
})

describe('what endpoints are told', () => {
  it('PQ-295 PQ-290 PQ-308 of a parlay that was filled and won: its bettor, and its maker from the other side', () => {
    const b = new ParlayBench(SETTLES)
    receiver(b, 'bettor', 'user', ALL)
    receiver(b, 'ours', 'mm', MAKERS, `${URL}/mm`)
    const { rfq_id, quote_id } = b.fill()
    b.pass(10 * SECOND)
    const settled = { rfq_id, outcome: 'won', tx_signature: expect.any(String), occurred_at: expect.stringMatching(/^2025-06-15T15:06:50/) }
    expect(bodies(b).map(({ type, data }) => [type, data])).toEqual([
      ...['accepted', 'confirmed', 'executed'].map((status) => ['parlay.status_changed', { rfq_id, status, accepted_quote_id: quote_id, occurred_at: expect.any(String) }]),
      ['position.settled', settled], ['position.settled', { ...settled, mm_result: 'lost' }],
    ])
    expect(b.posted.map(({ attempt: { url } }) => url)).toEqual([URL, URL, URL, URL, `${URL}/mm`])
  })

  it('PQ-291 PQ-303 of a request that was cancelled: both events, with ids of their own', () => {
    const b = new ParlayBench()
    receiver(b, 'bettor', 'user', ALL)
    const { id } = b.request()
    b.call('POST', `/v1/quote-requests/${id}/cancel`, { as: 'bettor' })
    const sent = bodies(b)
    expect(sent.map(({ type, data }) => [type, data.status ?? data.reason]).toSorted()).toEqual([['parlay.status_changed', 'cancelled'], ['position.cancelled', 'user_cancelled']])
    expect([sent[0].data.rfq_id === sent[1].data.rfq_id, sent[0].id === sent[1].id]).toEqual([true, false])
  })

  it.each([
    ['PQ-292 PQ-309 the backing maker bought', 'ours', [['position.bought_back', 15.25, true, undefined], ['position.bought_back', 15.25, true, 'bought_back']]],
    ['PQ-293 PQ-294 another maker took over', 'rival', [['position.transferred', undefined, undefined, undefined]]],
  ] as const)('%s of a position that %s', (_, winner, expected) => {
    const b = new ParlayBench()
    receiver(b, 'bettor', 'user', ['position.bought_back', 'position.transferred'])
    receiver(b, 'ours', 'mm', MAKERS)
    const { rfq_id } = b.fill()
    const { id } = b.call('POST', '/v1/cashout-requests', { as: 'bettor', body: { rfq_id } }).body.data.cashout_request
    b.call('PUT', `/v1/mm/cashout-requests/${id}/quote`, { as: winner, body: { price_micro: 40_000_000 } })
    b.call('POST', `/v1/cashout-requests/${id}/commit`, { as: 'bettor' })
    // The price is 40 and the stake 24.75.
    expect(bodies(b).map(({ type, data }) => [type, data.amount, data.mm_pays_user, data.mm_result])).toEqual(expected)
  })

  it('PQ-237 PQ-325 nothing before a secret, nothing once the endpoint is parked, and simulated endpoints are not posted to', () => {
    const b = new ParlayBench()
    b.call('PUT', '/v1/webhooks', { jwt: 'good-bettor', body: { url: URL, events: ALL } })
    deposit(b)
    receiver(b, 'bettor', 'user', [])
    deposit(b)
    expect(b.posted).toEqual([])
  })
})

it('PQ-134 PQ-132 what every attempt sends is kept as long as the gate knows the delivery, and no longer', () => {
  const b = new ParlayBench({ gate: { deliveryRetentionMs: 10_000 } })
  receiver(b, 'bettor', 'user', ALL)
  const { webhooks: { bodies: kept }, names: { deliveries: named } } = b.handler as unknown as { webhooks: { bodies: Map<number, unknown> }; names: { deliveries: Map<string, number> } }
  const knownOf = () => [[...kept.keys()], [...named.values()]]
  const redeliver = (id: string) => b.call('POST', `/v1/webhooks/deliveries/${id}/redeliver`, { jwt: 'good-bettor' }).status
  deposit(b)
  const id = b.posted[0]!.attempt.headers['X-Service-Event-Id']
  b.posted[0]!.answer(204)
  b.pass(9 * SECOND)
  expect(redeliver(id)).toBe(200)
  b.pass(2 * SECOND)
  // Ten seconds after its first end it waits for the answer to its second attempt.
  deposit(b)
  b.posted[2]!.answer(204)
  expect(knownOf()).toEqual([[1, 2], [1, 2]])
  expect([b.posted.length, b.posted[1]!.attempt.body]).toEqual([3, b.posted[0]!.attempt.body])
  b.posted[1]!.answer(503)
  b.pass(SECOND)
  b.call('POST', '/v1/vault/deposit', { as: 'bettor', body: { amount: 5 } })
  b.pass(8 * SECOND)
  b.posted[3]!.answer(500)
  b.pass(2 * SECOND)
  deposit(b)
  b.posted.at(-1)!.answer(204)
  // The second has ended eleven seconds ago, and the others have not ended or not so long ago.
  expect(knownOf()).toEqual([[1, 3, 4], [1, 3, 4]])
})
