import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { faultsOfTable, parametersOf, pathsOf, type Route, route, type RouteWords } from '../../src/serve/routeTable.ts'

const ID = z.strictObject({ id: z.string() })

const plain = (said: Partial<Route<RouteWords>>): Route => route<RouteWords>({
  name: 'readThing', method: 'GET', path: '/v1/things', about: 'reads', auth: 'key', successes: [{ status: 200, about: 'it', schema: null }], ...said,
})

describe('a route', () => {
  it('has one body and asks for nothing unless it says so', () => {
    expect(plain({})).toEqual({
      name: 'readThing', method: 'GET', path: '/v1/things', aliases: [], about: 'reads', channel: 'body', auth: 'key', scopes: [], limits: [],
      params: null, query: null, headers: null, body: null, isBodyOptional: false, successes: [{ status: 200, about: 'it', schema: null }], codes: [],
    })
  })

  it('is reached by its path and by its aliases', () => {
    expect(pathsOf(plain({ aliases: ['/things', '/all/things'] }))).toEqual(['/v1/things', '/things', '/all/things'])
  })

  it.each<[string, string[]]>([
    ['/v1/things', []], ['/v1/things/{id}', ['id']], ['/v1/{kind}/{id}/parts', ['kind', 'id']],
  ])('%s has the parameters %j', (path, names) => {
    expect(parametersOf(path)).toEqual(names)
  })
})

describe('a table of routes', () => {
  it.each<[string, readonly Route[]]>([
    ['two methods of one path', [plain({}), plain({ name: 'makeThing', method: 'POST', body: ID })]],
    ['a path and another below it', [plain({}), plain({ name: 'readOne', path: '/v1/things/{id}', params: ID })]],
    ['an alias with the same parameters', [plain({ path: '/v1/things/{id}', aliases: ['/things/{id}'], params: ID })]],
    ['a body that may be left out', [plain({ method: 'DELETE', body: ID, isBodyOptional: true })]],
  ])('may have %s', (_, routes) => {
    expect(faultsOfTable(routes)).toEqual([])
  })

  it.each<[string, readonly Route[], string]>([
    ['one name twice', [plain({}), plain({ path: '/v1/others' })], 'readThing names two routes'],
    ['one call twice', [plain({}), plain({ name: 'readAgain' })], 'readAgain and readThing both take GET /v1/things'],
    ['one call twice under other names of its parameter', [
      plain({ path: '/v1/things/{id}', params: ID }), plain({ name: 'readAgain', path: '/v1/things/{of}', params: z.strictObject({ of: z.string() }) }),
    ], 'readAgain and readThing both take GET /v1/things/{}'],
    ['an alias that another route has', [plain({}), plain({ name: 'readAgain', path: '/v2/things', aliases: ['/v1/things'] })],
      'readAgain and readThing both take GET /v1/things'],
    ['a GET with a body', [plain({ body: ID })], 'readThing is a GET with a body'],
    ['a body left out where there is none', [plain({ isBodyOptional: true })], 'readThing may leave out a body that it does not have'],
    ['a parameter without a schema', [plain({ path: '/v1/things/{id}' })], 'readThing: /v1/things/{id} does not have the parameters []'],
    ['a schema without its parameter', [plain({ params: ID })], 'readThing: /v1/things does not have the parameters [id]'],
    ['an alias without the parameter', [plain({ path: '/v1/things/{id}', aliases: ['/things'], params: ID })],
      'readThing: /things does not have the parameters [id]'],
    ['a path without its slash', [plain({ path: 'v1/things' })], 'readThing: v1/things is no path'],
    ['a parameter inside of a segment', [plain({ path: '/v1/things-{id}', params: ID })], 'readThing: /v1/things-{id} is no path'],
  ])('may not have %s', (_, routes, fault) => {
    expect(faultsOfTable(routes)).toEqual([fault])
  })
})
