import { describe, expect, it } from 'vitest'
import { bucketOfPath } from '../../../src/serve/parlay/buckets.ts'
import { MEANINGS, writeMisshapen } from '../../../src/serve/parlay/commands.ts'
import { RETIRED } from '../../../src/serve/parlay/routes.ts'
import { faultsOfTable, pathsOf } from '../../../src/serve/routeTable.ts'
import { isQuoteService, SCOPE_NAMES, SCOPE_OF_OP, SCOPE_OF_READ } from '../../../src/venue/parlay/protocol/access.ts'
import { ParlayCommand, ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { routes } from './profile.ts'

/** The document's endpoints with what it states of each, and below them those whose paths were chosen. */
const STATED: readonly (readonly [ids: string, call: string, scopes: string, status: number])[] = [
  ['PQ-141 PQ-142 PQ-143', 'GET /markets /v1/markets', '', 200],
  ['PQ-164 PQ-178', 'POST /v1/quote-requests', 'trading:write', 201],
  ['PQ-167 PQ-178', 'PATCH /v1/quote-requests/{id}', 'trading:write', 200],
  ['PQ-169 PQ-178', 'POST /v1/quote-requests/{id}/commit', 'trading:write', 201],
  ['PQ-193', 'PUT /v1/mm/quote-requests/{id}/quote', 'mm:quote', 200],
  ['PQ-194', 'DELETE /v1/mm/quote-requests/{id}/quote', 'mm:quote', 204],
  ['PQ-197', 'PUT /v1/mm/cashout-requests/{id}/quote', 'mm:quote', 200],
  ['PQ-200 PQ-206', 'GET /v1/mm/positions /mm/positions', 'mm:quote', 200],
  ['PQ-201 PQ-206', 'GET /v1/mm/positions/{id} /mm/positions/{id}', 'mm:quote', 200],
  ['PQ-203 PQ-206', 'GET /v1/mm/quotes /mm/quotes', 'mm:quote', 200],
  ['PQ-212', 'GET /v1/portfolio', 'positions:read', 200],
  ['PQ-213 PQ-220', 'POST /v1/vault/withdraw', 'funds:withdraw', 200],
  ['PQ-215', 'POST /v1/vault/deposit', 'funds:deposit', 200],
  ['PQ-216', 'POST /v1/wallet/withdraw', 'funds:withdraw', 200],
  ['PQ-217', 'POST /v1/wallet/submit-tx', 'tx:sign', 200],
  ['PQ-230', 'GET /v1/api-keys', 'keys:manage', 200],
  ['PQ-231 PQ-264', 'POST /v1/api-keys', 'keys:manage', 201],
  ['PQ-232', 'DELETE /v1/api-keys/{prefix}', 'keys:manage', 204],
  ['PQ-233 PQ-245 PQ-246', 'PUT /v1/webhooks', 'account:write mm:quote', 200],
  ['PQ-238 PQ-243 PQ-244', 'GET /v1/webhooks', 'account:read mm:quote', 200],
  ['PQ-239 PQ-245 PQ-246', 'POST /v1/webhooks/rotate-secret', 'account:write mm:quote', 200],
  ['PQ-240 PQ-243 PQ-244', 'GET /v1/webhooks/deliveries', 'account:read mm:quote', 200],
  ['PQ-241 PQ-245 PQ-246', 'POST /v1/webhooks/deliveries/{id}/redeliver', 'account:write mm:quote', 200],

  ['PQ-253', 'GET /v1/quote-requests/{id}', 'positions:read', 200],
  ['PQ-254', 'POST /v1/quote-requests/{id}/cancel', 'trading:write', 200],
  ['PQ-255', 'GET /v1/parlays', 'positions:read', 200],
  ['PQ-256', 'GET /v1/parlays/{id}', 'positions:read', 200],
  ['PQ-211', 'POST /v1/mm/quote-requests/{id}/quote/confirm', 'mm:quote', 200],
  ['PQ-211', 'POST /v1/mm/quote-requests/{id}/quote/decline', 'mm:quote', 200],
  ['PQ-258', 'POST /v1/cashout-requests', 'trading:write', 201],
  ['PQ-258', 'GET /v1/cashout-requests/{id}', 'positions:read', 200],
  ['PQ-258', 'POST /v1/cashout-requests/{id}/cancel', 'trading:write', 200],
  ['PQ-259', 'POST /v1/cashout-requests/{id}/commit', 'trading:write', 200],
  ['PQ-257', 'GET /v1/mm/stream', 'mm:quote', 200],
  ['PQ-257', 'GET /v1/stream', 'positions:read', 200],
  ['PQ-268', 'GET /v1/ws', '', 101],
]
const calls = new Map(routes.map((route) => [`${route.method} ${pathsOf(route).join(' ')}`, route]))

describe('the routes of the parlay service', () => {
  it('are these and no others, and no two of them take one call', () => {
    expect([...calls.keys()].toSorted()).toEqual(STATED.map(([, call]) => call).toSorted())
    expect(faultsOfTable(routes)).toEqual([])
  })

  it.each(STATED)('%s %s needs [%s] and answers %i', (_, call, scopes, status) => {
    const route = calls.get(call)!
    expect([route.scopes.join(' '), route.successes[0].status]).toEqual([scopes, status])
  })

  it('PQ-453 have the prefix /v1, or are aliases of such', () => {
    for (const route of routes) expect(pathsOf(route).some((path) => path.startsWith('/v1/'))).toBe(true)
  })

  it('PQ-195 a withdrawal whose quote ran out is answered 200', () => {
    expect(routes.find(({ name }) => name === 'withdrawQuote')!.successes.map(({ status }) => status)).toEqual([204, 200])
  })

  it('PQ-459 PQ-460 no longer have two calls', () => {
    expect(RETIRED).toEqual([{ method: 'GET', path: '/v1/wallet/blockhash' }, { method: 'POST', path: '/v1/mm/heartbeat' }])
    for (const { path } of RETIRED) expect(routes.flatMap(pathsOf)).not.toContain(path)
  })

  it.each([
    ['PQ-441', '/v1/wallet/withdraw', 'wallet_withdraw'], ['PQ-442', '/v1/vault/deposit', 'vault_deposit'], ['PQ-443', '/v1/vault/withdraw', 'vault_withdraw'],
    ['PQ-444', '/v1/wallet/submit-tx', 'wallet_submit_tx'],
  ])('%s %s counts in its own cap on top of its bucket', (_, path, cap) => {
    expect(routes.filter((route) => route.path === path).map(({ limits }) => limits)).toEqual([['authenticated', cap]])
  })
})

const served = routes.filter(({ channel }) => channel !== 'socket')

describe.each(served.map((route) => [route.name, route] as const))('%s', (name, route) => {
  it('PQ-432 PQ-435 PQ-438 counts in the bucket that its paths have', () => {
    for (const path of pathsOf(route)) expect(bucketOfPath(path.replace(/\{\w+\}/, 'x'))).toBe(route.limits[0])
  })

  const commandOf = (owner: string): ParlayCommand => {
    const c = new ParlayCommand()
    writeMisshapen(c, name, 3, { owner_kind: owner })
    return c
  }

  it('means a command that the gate counts there', () => {
    const { op, value } = commandOf('user')
    const isPublic = op === ParlayOp.read && value === 0
    expect(isQuoteService(op, value) ? 'quote_service' : isPublic ? 'public' : 'authenticated').toBe(route.limits[0])
  })

  it('means a command for which the gate needs the scope that it names', () => {
    if (route.scopes.length === 2) return expect(route.scopes[1]).toBe('mm:quote')
    const { op, value } = commandOf('user')
    const needed = op === ParlayOp.read ? SCOPE_OF_READ[value]! : SCOPE_OF_OP[op]!
    return expect(SCOPE_NAMES.filter((_, bit) => (needed & (1 << bit)) !== 0)).toEqual(route.scopes)
  })
})

it('every route but the socket means a command, and every command that is meant has its route', () => {
  expect(Object.keys(MEANINGS).toSorted()).toEqual(served.map(({ name }) => name).toSorted())
})
