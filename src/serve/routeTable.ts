import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Names that a service gives to its ways of authentication, its scopes, its limits and its error codes. */
export interface RouteWords {
  readonly auth: string
  readonly scope: string
  readonly limit: string
  readonly code: string
}

/** A success of a route. `schema` is null for an answer without a body. */
export interface Success {
  readonly status: number
  readonly about: string
  readonly schema: z.ZodType | null
}

/**
 * One route of a service, as data: what serves it, describes it and proves it is made of this. Shapes are checked by its schemas. What a
 * call may do, and whether it is in time, the gate and the venue decide.
 */
export interface Route<W extends RouteWords = RouteWords> {
  /** Names the operation, in camelCase. The name is unique in its table. */
  readonly name: string
  readonly method: Method
  /** Parameters stand in braces, a whole segment each: `/v1/quote-requests/{id}`. */
  readonly path: string
  /** Other paths of the same route, with the same parameters. */
  readonly aliases: readonly string[]
  /** One line for people. */
  readonly about: string
  /** How it answers: with one body, with server-sent events, or by an upgrade to a WebSocket. */
  readonly channel: 'body' | 'events' | 'socket'
  readonly auth: W['auth']
  /** A credential needs one of these, or none where the list is empty. Where there are several, the call's parameters say which. */
  readonly scopes: readonly W['scope'][]
  /** The limits that a call counts in, which may be none. */
  readonly limits: readonly W['limit'][]
  /** One text for each parameter of the path, null for a path without parameters. */
  readonly params: z.ZodObject | null
  readonly query: z.ZodObject | null
  readonly headers: z.ZodObject | null
  readonly body: z.ZodType | null
  /** A call without a body is taken as one whose body is `{}`. */
  readonly isBodyOptional: boolean
  /** The usual success comes first. */
  readonly successes: readonly [Success, ...Success[]]
  /** Error codes of this route, beside those that every route has. */
  readonly codes: readonly W['code'][]
}

/** What most routes do not say. */
type Unsaid = 'aliases' | 'channel' | 'scopes' | 'limits' | 'params' | 'query' | 'headers' | 'body' | 'isBodyOptional' | 'codes'

/** A route from what it says: it has one body, no other path, and neither scope, limit, parameters nor request body unless it says so. */
export const route = <W extends RouteWords>(said: Omit<Route<W>, Unsaid> & Partial<Pick<Route<W>, Unsaid>>): Route<W> => ({
  aliases: [], channel: 'body', scopes: [], limits: [], params: null, query: null, headers: null, body: null, isBodyOptional: false, codes: [],
  ...said,
})

export const pathsOf = (route: Pick<Route, 'path' | 'aliases'>): readonly string[] => [route.path, ...route.aliases]

/** Names of a path's parameters, in order. */
export const parametersOf = (path: string): readonly string[] => [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!)

const shapeOf = (method: Method, path: string): string => `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`

/** What is wrong with a table; none of it may be there: two routes for one call, parameters that path and schema do not share, a GET with a body. */
export function faultsOfTable(routes: readonly Route[]): readonly string[] {
  const faults: string[] = []
  const names = new Set<string>()
  const shapes = new Map<string, string>()
  for (const route of routes) {
    const { name, method } = route
    if (names.has(name)) faults.push(`${name} names two routes`)
    names.add(name)
    if (method === 'GET' && route.body !== null) faults.push(`${name} is a GET with a body`)
    if (route.isBodyOptional && route.body === null) faults.push(`${name} may leave out a body that it does not have`)
    const known = Object.keys(route.params?.shape ?? {}).toSorted().join()
    for (const path of pathsOf(route)) {
      if (!/^(\/([\w.-]+|\{\w+\}))+$/.test(path)) faults.push(`${name}: ${path} is no path`)
      if (parametersOf(path).toSorted().join() !== known) faults.push(`${name}: ${path} does not have the parameters [${known}]`)
      const shape = shapeOf(method, path)
      const other = shapes.get(shape)
      if (other !== undefined) faults.push(`${name} and ${other} both take ${shape}`)
      shapes.set(shape, name)
    }
  }
  return faults
}
