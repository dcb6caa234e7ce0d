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
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Finds the routes of calls. Segments of a path are compared as they were sent, and only parameters are decoded. */
export class RouteMatcher<R extends Route> {
  private declare readonly patterns: ReadonlyMap<number, readonly Pattern<R>[]>

  constructor(routes: readonly R[]) {
    const patterns = routes.flatMap((route) => pathsOf(route).map((path): Pattern<R> => ({
      route, method: route.method, segments: path.split('/').map((segment) => (segment.startsWith('{') ? null : segment)), names: parametersOf(path),
    })))
    this.patterns = Map.groupBy(patterns, ({ segments }) => segments.length)
  }

  /** The route of a method and a path, or null. */
  find(method: string, path: string): Matched<R> | null {
    const segments = path.split('/')
    for (const pattern of this.patterns.get(segments.length) ?? []) {
      if (pattern.method !== method || !pattern.segments.every((segment, i) => segment === null || segment === segments[i])) continue
      const values = segments.filter((_, i) => pattern.segments[i] === null).map(decoded)
      return { route: pattern.route, params: Object.fromEntries(pattern.names.map((name, i) => [name, values[i]!])) }
    }
    return null
  }
}

/** Parameters of a query. One that stands several times is a list. */
export function queryOf(text: string): Readonly<Record<string, string | readonly string[]>> {
  const parameters = new URLSearchParams(text)
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => {
    const values = parameters.getAll(name)
    return [name, values.length > 1 ? values : values[0]!]
  }))
}
