import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { faultsOfDescription, openApiOf, type ServiceAbout } from '../../src/serve/openapi.ts'
import { type Route, route, type RouteWords } from '../../src/serve/routeTable.ts'

const ABOUT: ServiceAbout = {
  title: 'Things', version: '1', about: 'about things', schemes: { key: { type: 'apiKey', in: 'header', name: 'K' } },
  waysIn: { key: ['key'], none: [] }, statusOf: (code) => ({ BAD: 400, ODD: 400, GONE: 410 })[code] ?? 500, errorBody: z.strictObject({ error: z.string() }),
  headers: { 'X-Left': 'what is left' },
}
const PUT_THING: Route = route<RouteWords>({
  name: 'putThing', method: 'PUT', path: '/v1/things/{id}', aliases: ['/things/{id}'], about: 'Puts a thing', auth: 'key', scopes: ['things:write'],
  limits: ['per_key'], params: z.strictObject({ id: z.string() }), codes: ['BAD', 'ODD', 'GONE'],
  query: z.object({ n: z.string().transform(Number).default(5).meta({ parameter: { type: 'integer', maximum: 9 } }), q: z.string() }),
  headers: z.object({ 'Idempotency-Key': z.string() }), body: z.strictObject({ size: z.int().min(1).max(9), name: z.string().optional() }),
  successes: [{ status: 200, about: 'the thing', schema: z.object({ size: z.int() }) }, { status: 204, about: 'nothing', schema: null }],
})
const described = (...routes: Route[]) => openApiOf(routes, ABOUT) as { paths: Record<string, Record<string, Record<string, unknown>>> }

describe('a description of routes', () => {
  const put = described(PUT_THING).paths['/v1/things/{id}']!['put']!

  it('has parameters of path, query and header', () => {
    expect(put['parameters']).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'n', in: 'query', required: false, schema: { type: 'integer', maximum: 9 } },
      { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
      { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } },
    ])
  })

  it('has the body as it is sent, with its bounds', () => {
    expect(put['requestBody']).toEqual({
      required: true, content: { 'application/json': { schema: {
        type: 'object', required: ['size'], additionalProperties: false,
        properties: { size: { type: 'integer', minimum: 1, maximum: 9 }, name: { type: 'string' } },
      } } },
    })
    expect(described({ ...PUT_THING, isBodyOptional: true }).paths['/v1/things/{id}']!['put']!['requestBody']).toMatchObject({ required: false })
  })

  it('has each success, and each status of an error with its codes', () => {
    const headers = { 'X-Left': { description: 'what is left', schema: { type: 'string' } } }
    const error = { 'application/json': { schema: { type: 'object', required: ['error'], additionalProperties: false, properties: { error: { type: 'string' } } } } }
    expect(put['responses']).toEqual({
      200: { description: 'the thing', headers, content: { 'application/json': { schema: { type: 'object', required: ['size'], properties: { size: {
        type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } }, additionalProperties: false } } } },
      204: { description: 'nothing', headers },
      400: { description: 'BAD, ODD', headers, content: error },
      410: { description: 'GONE', headers, content: error },
    })
  })

  it('has scopes, limits and the ways in', () => {
    expect(put).toMatchObject({ operationId: 'putThing', security: [{ key: [] }], 'x-scopes': ['things:write'], 'x-limits': ['per_key'] })
    expect(described({ ...PUT_THING, auth: 'none' }).paths['/v1/things/{id}']!['put']!['security']).toEqual([])
  })

  it('has each alias under a name of its own', () => {
    expect(described(PUT_THING).paths['/things/{id}']!['put']).toMatchObject({ operationId: 'putThingAt1', summary: 'Puts a thing (also at /v1/things/{id})' })
  })

  it('says that a stream is text', () => {
    const stream = { ...PUT_THING, channel: 'events', successes: [{ status: 200, about: 'events', schema: null }] } as const
    expect(described(stream).paths['/v1/things/{id}']!['put']!['responses']).toMatchObject({ 200: { content: { 'text/event-stream': {} } } })
  })
})

describe('a description', () => {
  const faults = (changed: Partial<Route>, about: Partial<ServiceAbout> = {}) => faultsOfDescription(openApiOf([{ ...PUT_THING, aliases: [], ...changed }], { ...ABOUT, ...about }))

  it('has no faults when its table has none', () => {
    expect(faults({})).toEqual([])
    expect(faultsOfDescription(openApiOf([PUT_THING], ABOUT))).toEqual([])
  })

  it.each<[string, Partial<Route>, Partial<ServiceAbout>, string]>([
    ['a parameter that the path lacks', { path: '/v1/things' }, {}, 'put /v1/things: its path and its parameters differ'],
    ['a parameter that nobody describes', { params: null }, {}, 'put /v1/things/{id}: its path and its parameters differ'],
    ['no success', { successes: [{ status: 400, about: '', schema: null }] }, {}, 'put /v1/things/{id} never succeeds'],
    ['a way in that is not described', {}, { schemes: {} }, 'put /v1/things/{id}: there is no scheme key'],
  ])('shows %s', (_, changed, about, fault) => {
    expect(faults(changed, about)).toEqual([fault])
  })

  it('shows two operations of one name', () => {
    expect(faultsOfDescription(openApiOf([{ ...PUT_THING, aliases: [] }, { ...PUT_THING, aliases: [], path: '/v2/things/{id}' }], ABOUT))).toEqual(['put /v2/things/{id}: putThing is there twice'])
  })
})
