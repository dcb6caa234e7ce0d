import { type Method, parametersOf, pathsOf, type Route } from './routeTable.ts'

/** A route with what a path says for its parameters. */
export interface Matched<R extends Route> {
  readonly route: R
  readonly params: Readonly<Record<string, string>>
}

interface Pattern<R extends Route> {
  readonly route: R
  readonly method: Method
  /** The segments of the path, each null where any text may stand. */
  readonly segments: readonly (string | null)[]
  readonly names: readonly string[]
}

/** A percent-encoded text, or the text itself where it is not encoded well: then no name and no parameter has it. */
function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Finds the routes of calls. Segments of a path are compared as they were sent, and only parameters are decoded. */
export class RouteMatcher<R extends Route> {
  /** By method, and by how many segments the path has. */
  private readonly patterns = new Map<string, (Pattern<R>[] | undefined)[]>()

  constructor(routes: readonly R[]) {
    const patterns = routes.flatMap((route) => pathsOf(route).map((path): Pattern<R> => ({
      route, method: route.method, segments: path.split('/').map((segment) => (segment.startsWith('{') ? null : segment)), names: parametersOf(path),
    })))
    for (const pattern of patterns) {
      const ofMethod = this.patterns.get(pattern.method) ?? []
      this.patterns.set(pattern.method, ofMethod)
      ;(ofMethod[pattern.segments.length] ??= []).push(pattern)
    }
  }

  /** The route of a method and a path, or null. */
  find(method: string, path: string): Matched<R> | null {
    const segments = path.split('/')
    for (const pattern of this.patterns.get(method)?.[segments.length] ?? []) {
      const params = paramsOf(pattern, segments)
      if (params !== null) return { route: pattern.route, params }
    }
    return null
  }
}

/** What a path says for the parameters of a pattern with as many segments, or null where it is none of its paths. */
function paramsOf({ segments: wanted, names }: Pattern<Route>, segments: readonly string[]): Record<string, string> | null {
  for (let i = 0; i < wanted.length; i++) if (wanted[i] !== null && wanted[i] !== segments[i]) return null
  const params: Record<string, string> = {}
  let name = 0
  for (let i = 0; i < wanted.length; i++) if (wanted[i] === null) params[names[name++]!] = decoded(segments[i]!)
  return params
}

const NO_QUERY: Readonly<Record<string, string | readonly string[]>> = Object.freeze({})

/** Parameters of a query. One that stands several times is a list. */
export function queryOf(text: string): Readonly<Record<string, string | readonly string[]>> {
  if (text === '') return NO_QUERY
  const parameters = new URLSearchParams(text)
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => {
    const values = parameters.getAll(name)
    return [name, values.length > 1 ? values : values[0]!]
  }))
}
