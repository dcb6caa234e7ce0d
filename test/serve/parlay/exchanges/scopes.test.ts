import { expect, it } from 'vitest'
import { SCOPE_NAMES } from '../../../../src/venue/parlay/protocol/access.ts'
import { NO_ID, ParlayBench } from './bench.ts'

/** Method and path of every call that needs a scope, by the scope. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  'trading:write': [
    'POST /v1/quote-requests', 'PATCH /v1/quote-requests/ID', 'POST /v1/quote-requests/ID/cancel', 'POST /v1/quote-requests/ID/commit', 'POST /v1/cashout-requests',
    'POST /v1/cashout-requests/ID/cancel', 'POST /v1/cashout-requests/ID/commit',
  ],
  'positions:read': ['GET /v1/quote-requests/ID', 'GET /v1/parlays', 'GET /v1/parlays/ID', 'GET /v1/portfolio', 'GET /v1/cashout-requests/ID', 'GET /v1/stream'],
  'funds:deposit': ['POST /v1/vault/deposit'], 'funds:withdraw': ['POST /v1/vault/withdraw', 'POST /v1/wallet/withdraw'], 'tx:sign': ['POST /v1/wallet/submit-tx'],
  'account:read': ['GET /v1/webhooks', 'GET /v1/webhooks/deliveries'],
  'account:write': ['PUT /v1/webhooks', 'POST /v1/webhooks/rotate-secret', 'POST /v1/webhooks/deliveries/ID/redeliver'],
  'keys:manage': ['GET /v1/api-keys', 'POST /v1/api-keys', 'DELETE /v1/api-keys/api_test_nothing0'],
  'mm:quote': [
    'PUT /v1/mm/quote-requests/ID/quote', 'DELETE /v1/mm/quote-requests/ID/quote', 'POST /v1/mm/quote-requests/ID/quote/confirm', 'POST /v1/mm/quote-requests/ID/quote/decline',
    'GET /v1/mm/quotes', 'GET /mm/quotes', 'GET /v1/mm/positions', 'GET /mm/positions', `GET /v1/mm/positions/${'0'.repeat(64)}`, 'PUT /v1/mm/cashout-requests/ID/quote',
    'PUT /v1/webhooks?owner_kind=mm', 'GET /v1/webhooks?owner_kind=mm', 'POST /v1/webhooks/rotate-secret?owner_kind=mm', 'GET /v1/webhooks/deliveries?owner_kind=mm',
    'POST /v1/webhooks/deliveries/ID/redeliver?owner_kind=mm', 'GET /v1/mm/stream',
  ],
}
const RULES: Readonly<Record<string, string>> = {
  'trading:write': 'PQ-278 PQ-178', 'positions:read': 'PQ-276 PQ-287', 'funds:deposit': 'PQ-279 PQ-287', 'funds:withdraw': 'PQ-280 PQ-220', 'tx:sign': 'PQ-282 PQ-287',
  'account:read': 'PQ-274 PQ-243', 'account:write': 'PQ-281 PQ-245', 'keys:manage': 'PQ-283 PQ-264', 'mm:quote': 'PQ-284 PQ-012 PQ-244',
}

it.each(Object.entries(CALLS).map(([scope, calls]) => [RULES[scope]!, scope, calls] as const))('%s %s lets its calls through and is needed for them', (_, scope, calls) => {
  const b = new ParlayBench()
  const make = (scopes: readonly string[]): string => b.call('POST', '/v1/api-keys', { jwt: 'good-ours', body: { scopes } }).body.data.key
  const [only, others] = [make([scope]), make(SCOPE_NAMES.filter((name) => name !== scope))]
  const isRefused = (key: string, method: string, path: string): boolean => {
    const { status, body } = path.endsWith('/stream') ? b.open('events', path, { key }).refused ?? { status: 200, body: {} } : b.call(method, path, { key, body: {} })
    return status === 403 && body.error.details?.reason === 'insufficient_scope'
  }
  for (const call of calls) {
    const [method, path] = call.replace('ID', NO_ID).split(' ') as [string, string]
    expect([call, isRefused(only, method, path), isRefused(others, method, path)]).toEqual([call, false, true])
  }
})
