import { expect, it } from 'vitest'
import { ParlayBench, type Served } from './bench.ts'

/** All that one client is told in a short session. */
function story(served: Served) {
  const b = new ParlayBench(served)
  const [maker, bettor, socket] = [b.open('events', '/v1/mm/stream', { as: 'ours' }), b.open('events', '/v1/stream', { as: 'rich' }), b.open('socket', '/v1/ws', { as: 'ours' })]
  const { rfq_id } = b.fill()
  const cash = b.call('POST', '/v1/cashout-requests', { as: 'bettor', body: { rfq_id } })
  b.call('PUT', '/v1/webhooks', { jwt: 'good-bettor', body: { url: 'https://example.com', events: ['funds.deposited'] } })
  b.call('POST', '/v1/webhooks/rotate-secret', { jwt: 'good-bettor' })
  b.call('POST', '/v1/vault/deposit', { as: 'bettor', body: { amount: 1 } })
  const reads = ['/v1/portfolio', '/v1/parlays', '/v1/mm/quotes', '/v1/api-keys', '/v1/webhooks/deliveries', '/markets?limit=1', '/v1/nothing']
    .map((path) => b.call('GET', path, { jwt: path.includes('/mm/') ? 'good-ours' : 'good-bettor' }))
  const bid = b.call('PUT', `/v1/mm/cashout-requests/${cash.body.data.cashout_request.id}/quote`, { as: 'rival', body: { price_micro: 1 } })
  return { texts: [...maker.sent, ...bettor.sent, ...socket.sent, cash.text, bid.text, ...reads.map(({ text }) => text)], resets: reads.map(({ headers }) => Number(headers['X-RateLimit-Reset'])) }
}

const DAY_S = 86_400
const later = (text: string): string => text.replace(/2025-06-15T/g, '2025-06-25T')

it('PQ-021 PQ-447 every instant on the wire is later by the shift, and nothing else is', () => {
  const plain = story({})
  const shifted = story({ shiftUs: 10 * DAY_S * 1_000_000 })
  expect(plain.texts.join('\n').match(/2025-06-15T/g)!.length).toBeGreaterThan(20)
  expect(shifted.texts.map((text) => text.replace(/"cursor":"[^"]*"/, ''))).toEqual(plain.texts.map((text) => later(text.replace(/"cursor":"[^"]*"/, ''))))
  expect(shifted.resets).toEqual(plain.resets.map((reset) => reset + 10 * DAY_S))
})

it('PQ-106 PQ-261 dates of keys and JWTs that clients send are those of the wire', () => {
  const b = new ParlayBench({ shiftUs: 10 * DAY_S * 1_000_000 })
  const make = (expires_at: string) => b.call('POST', '/v1/api-keys', { jwt: 'good-bettor', body: { scopes: ['positions:read'], expires_at } })
  expect([make('2025-06-20T00:00:00Z').status, make('2025-06-26T00:00:00Z').body.data.expires_at]).toEqual([400, '2025-06-26T00:00:00.000000Z'])
  // Two exchanges came before the first of these, which comes at 1,750,000,001.003 s; each is a millisecond later than the one before.
  const at = (us: number): number => b.call('GET', '/v1/portfolio', { jwt: `timed-${us}` }).status
  expect([at(1_750_864_001_003_000), at(1_750_864_001_004_001), at(1_750_864_001_004_999), at(1_750_864_001_006_000)]).toEqual([200, 401, 401, 200])
})
