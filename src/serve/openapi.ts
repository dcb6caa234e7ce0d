import { z } from 'zod'
import { parametersOf, pathsOf, type Route, type RouteWords } from './routeTable.ts'

type Json = Readonly<Record<string, unknown>>

/** What a description says beside the routes. */
export interface ServiceAbout<W extends RouteWords = RouteWords> {
  readonly title: string
  readonly version: string
  readonly about: string
  /** Security schemes of OpenAPI, and which of them, each alone, lets a caller in, by the table's word for its ways of authentication. */
  readonly schemes: Readonly<Record<string, Json>>
  readonly waysIn: Readonly<Record<W['auth'], readonly string[]>>
  readonly statusOf: (code: W['code']) => number
  readonly errorBody: z.ZodType
  /** Headers that every answer has, with what each says. */
  readonly headers: Readonly<Record<string, string>>
  /** What is signed, where calls bring signatures. */
  readonly signed?: object
}

/** A field's metadata may say under `parameter` what its text stands for in a query. */
export const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io, unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const { parameter } = jsonSchema as { parameter?: Json }
      if (parameter === undefined) return
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Record<string, unknown>)[key]
      Object.assign(jsonSchema, parameter)
    },
  })
  return made
}

const jsonOf = (schema: z.ZodType, io: 'input' | 'output'): Json => ({ 'application/json': { schema: schemaOf(schema, io) } })

function parametersFrom(object: z.ZodObject | null, place: 'path' | 'query' | 'header'): Json[] {
  if (object === null) return []
  const { properties = {}, required = [] } = schemaOf(object, 'input') as { properties?: Readonly<Record<string, Json>>; required?: readonly string[] }
  return Object.entries(properties).map(([name, schema]) => ({ name, in: place, required: place === 'path' || required.includes(name), schema }))
}

function answersOf<W extends RouteWords>(route: Route<W>, about: ServiceAbout<W>): Json {
  const headers = Object.fromEntries(Object.entries(about.headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]))
  const content = (schema: z.ZodType | null): Json => {
    if (route.channel === 'events') return { content: { 'text/event-stream': { schema: { type: 'string' } } } }
    return schema === null ? {} : { content: jsonOf(schema, 'output') }
  }
  const successes = route.successes.map(({ status, about: description, schema }) => [status, { description, headers, ...content(schema) }])
  const codes = Map.groupBy(route.codes, about.statusOf)
  const errors = [...codes].map(([status, of]) => [status, { description: of.join(', '), headers, content: jsonOf(about.errorBody, 'output') }])
  return Object.fromEntries([...successes, ...errors])
}

function operationOf<W extends RouteWords>(route: Route<W>, path: string, about: ServiceAbout<W>): Json {
  const isAlias = path !== route.path
  const body = route.body === null ? {} : { requestBody: { required: !route.isBodyOptional, content: jsonOf(route.body, 'input') } }
  const scopes = route.scopes.length === 0 ? {} : { 'x-scopes': route.scopes }
  const limits = route.limits.length === 0 ? {} : { 'x-limits': route.limits }
  return {
    operationId: isAlias ? `${route.name}At${pathsOf(route).indexOf(path)}` : route.name,
    summary: isAlias ? `${route.about} (also at ${route.path})` : route.about,
    security: about.waysIn[route.auth as W['auth']].map((scheme) => ({ [scheme]: [] })),
    parameters: [...parametersFrom(route.params, 'path'), ...parametersFrom(route.query, 'query'), ...parametersFrom(route.headers, 'header')],
    ...body,
    responses: answersOf(route, about),
    ...scopes,
    ...limits,
  }
}

/**
 * OpenAPI 3.1 of a service, made of its table of routes and of the schemas that check its calls: every path, alias, parameter, body, success
 * and error status. Bodies of requests are described as they are sent. Precondition: `faultsOfTable` finds nothing.
 */
export function openApiOf<W extends RouteWords>(routes: readonly Route<W>[], about: ServiceAbout<W>): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) for (const path of pathsOf(route)) {
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route, path, about)
  }
  return {
    openapi: '3.1.0',
    info: { title: about.title, version: about.version, description: about.about },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    paths: Object.fromEntries(Object.keys(paths).toSorted().map((path) => [path, paths[path]])),
    components: { securitySchemes: about.schemes },
    ...(about.signed !== undefined && { 'x-signed': about.signed }),
  }
}

/** What is wrong with the structure of a description. The list must be empty. */
export function faultsOfDescription(description: Json): readonly string[] {
  const faults: string[] = []
  const { paths, components } = description as {
    paths: Record<string, Record<string, Json>>; components: { securitySchemes: Json }
  }
  const names = new Set<unknown>()
  for (const [path, operations] of Object.entries(paths)) for (const [method, operation] of Object.entries(operations)) {
    const { operationId, parameters, responses, security } = operation as {
      operationId: string; parameters: readonly { name: string; in: string; required: boolean }[]; responses: Json; security: readonly Json[]
    }
    const at = `${method} ${path}`
    if (names.has(operationId)) faults.push(`${at}: ${operationId} is there twice`)
    names.add(operationId)
    const inPath = parameters.filter((parameter) => parameter.in === 'path' && parameter.required).map(({ name }) => name)
    if (inPath.toSorted().join() !== parametersOf(path).toSorted().join()) faults.push(`${at}: its path and its parameters differ`)
    if (!Object.keys(responses).some((status) => /^[123]/.test(status))) faults.push(`${at} never succeeds`)
    for (const scheme of security.flatMap(Object.keys)) if (!(scheme in components.securitySchemes)) faults.push(`${at}: there is no scheme ${scheme}`)
  }
  return faults
}
