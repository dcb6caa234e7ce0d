import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { faultsOfDescription } from '../../../src/serve/openapi.ts'
import { parlayDescription } from '../../../src/serve/parlay/description.ts'
import { requestSchemas } from '../../../src/serve/parlay/schemas/requests.ts'
import { pathsOf } from '../../../src/serve/routeTable.ts'
import { PARLAY_PROFILES, PARLAY_SETTINGS } from '../../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { routes, shapes } from './profile.ts'

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly schema: object }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: object } } }
  readonly responses: Readonly<Record<string, object>>
}
const { paths, ...head } = parlayDescription(shapes) as { paths: Record<string, Record<string, Operation>>; openapi: string; info: { version: string } }
const bodyOf = (method: string, path: string): z.ZodType => z.fromJSONSchema(paths[path]![method]!.requestBody!.content['application/json'].schema as never)

describe('the OpenAPI description of the parlay service', () => {
  it('PQ-452 is OpenAPI 3.1 of version 2.1.0, without faults', () => {
    expect([head.openapi, head.info.version]).toEqual(['3.1.0', '2.1.0'])
    expect(faultsOfDescription({ ...head, paths })).toEqual([])
  })

  it('has every route of the table at each of its paths, and nothing else', () => {
    const described = Object.entries(paths).flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`))
    expect(described.toSorted()).toEqual(routes.flatMap((route) => pathsOf(route).map((path) => `${route.method} ${path}`)).toSorted())
  })

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(paths))).toEqual(paths)
  })

  it('PQ-144 PQ-155 PQ-159 describes the parameters of markets', () => {
    const schemas = Object.fromEntries(paths['/markets']!['get']!.parameters.map(({ name, schema }) => [name, schema]))
    expect(Object.keys(schemas)).toEqual(['category', 'venue', 'subcategory', 'frequency', 'closes_within', 'search', 'cursor', 'limit', 'markets_per_event'])
    expect(schemas).toMatchObject({
      category: { enum: ['politics', 'sports', 'crypto', 'finance', 'economics', 'entertainment', 'weather', 'tech', 'all'] },
      closes_within: { enum: ['1h', '1h-1d', '1d-7d', 'today', 'this_week', 'this_month', 'all'] }, frequency: { enum: ['daily', 'weekly', 'monthly', 'hourly'] },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 21 }, markets_per_event: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
    })
  })

  it.each<[string, string, unknown, unknown]>([
    ['post', '/v1/quote-requests', { legs: [{ market_ticker: 'A', side: 'yes' }, { market_ticker: 'B', side: 'no' }], bet_amount: 100 }, { legs: [], bet_amount: 100 }],
    ['post', '/v1/quote-requests', { legs: [{ market_ticker: 'A', side: 'yes' }, { market_ticker: 'B', side: 'no' }], bet_amount: 1 },
      { legs: [{ market_ticker: 'A', side: 'yes' }, { market_ticker: 'B', side: 'no' }], bet_amount: 100.1 }],
    ['put', '/v1/mm/cashout-requests/{id}/quote', { price_micro: 1 }, { price_micro: 1, direction: 'up' }],
    ['put', '/v1/mm/quote-requests/{id}/quote', { request_version: 1, request_hash: 'h', payout_odds: 1000 }, { request_version: 1, request_hash: 'h', payout_odds: 1001 }],
    ['post', '/v1/api-keys', { scopes: ['mm:quote'] }, { scopes: ['mm:read'] }],
    ['post', '/v1/vault/withdraw', { amount: 1_000_000 }, { amount: 1_000_001 }],
  ])('describes the body of %s %s so that %j is one and %j is none', (method, path, right, wrong) => {
    const body = bodyOf(method, path)
    expect([body.safeParse(right).success, body.safeParse(wrong).success]).toEqual([true, false])
  })

  it('PQ-410 says of each call with a body that it can be too large, and of no other', () => {
    for (const route of routes) {
      const { requestBody, responses } = paths[route.path]![route.method.toLowerCase()]!
      expect([route.name, '413' in responses]).toEqual([route.name, requestBody !== undefined])
    }
  })

  it('has the bounds of the profile that is played', () => {
    const other = requestSchemas(profileOf(PARLAY_SETTINGS, PARLAY_PROFILES['kalshi-rfq@2026-07']), { allowsLocal: false })
    const { paths: otherPaths } = parlayDescription(other) as { paths: typeof paths }
    const boundsOf = (of: typeof paths) => (of['/v1/quote-requests']!['post']!.requestBody!.content['application/json'].schema as { properties: object }).properties
    expect(boundsOf(paths)).toMatchObject({ legs: { minItems: 2, maxItems: 5 }, bet_amount: { minimum: 1, maximum: 100 } })
    expect(boundsOf(otherPaths)).toMatchObject({ legs: { minItems: 1, maxItems: 16 }, bet_amount: { minimum: 0.01, maximum: 100_000 } })
  })
})
