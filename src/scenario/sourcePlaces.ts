import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Line and column of a file, from 1. */
export interface Place {
  readonly url: string
  readonly line: number
  readonly column: number
}

/** Where the modules of this process lie that have a map beside them: the bundle's folder. Sources lie elsewhere and are their own. */
const BUNDLE_URL = new URL('.', new URL('../index.ts', import.meta.url)).href
/** A module with or without its query, line and column. */
const PLACE = /(file:\/\/\/[^\s()?]*?\.m?[jt]s)(?:\?[^\s():]*)?:(\d+):(\d+)/g
/** A module of a room, by the name of its script, with its line and column. */
const NAMED_PLACE = /(strategy:[\w./%~-]+):(\d+):(\d+)/g

/** Source maps by URL without its query. Modules that run as they were written have none. */
const maps = new Map<string, readonly SourceMap[]>()
let isNaming = false

/**
 * Makes the stack traces of this thread name the files and lines that people wrote, in place of those of the bundle and of strategies whose
 * types were taken out. Maps are read when the first trace asks for them: Node's own source maps would be read at every start.
 */
export function nameSources(): void {
  if (isNaming) return
  isNaming = true
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = (error, frames) => {
    const trace: unknown = prepareStackTrace === undefined ? plainTrace(error, frames) : prepareStackTrace(error, frames)
    return typeof trace === 'string' ? trace.replaceAll(PLACE, (place, url: string, line: string, column: string) => {
      const origin = originOf({ url, line: Number(line), column: Number(column) })
      return origin === null ? place : `${origin.url}:${origin.line}:${origin.column}`
    }) : trace
  }
}

/** Says what a module was made from that has another text than its file: the last step of its making first. */
export function keepMap(url: string, ...payloads: readonly SourceMapPayload[]): void {
  maps.set(withoutQuery(url), payloads.map((payload) => new SourceMap(payload)))
}

/** Places of modules in a text, as people wrote those modules. */
const placesIn = (text: string): Place[] => [...text.matchAll(PLACE)].map(([, url, line, column]) => writtenPlace(url!, line!, column!))

/** Line and column of the first place of a file in a trace, where there is one. */
export function placeIn(path: string, trace: string): { readonly line?: number; readonly column?: number } {
  const place = placesIn(trace).find(({ url }) => fileURLToPath(url) === path)
  return place === undefined ? {} : { line: place.line, column: place.column }
}

/** Places in a text of modules that V8 knows by names, as people wrote those modules. `urls`: files by name. */
export function namedPlacesIn(text: string, urls: ReadonlyMap<string, string>): Place[] {
  return [...text.matchAll(NAMED_PLACE)].flatMap(([, name, line, column]) => {
    const url = urls.get(name!)
    return url === undefined ? [] : [writtenPlace(url, line!, column!)]
  })
}

/** A text with the places of {@link namedPlacesIn} where V8 wrote names. */
export const withPlaces = (text: string, urls: ReadonlyMap<string, string>): string =>
  text.replaceAll(NAMED_PLACE, (named) => {
    const [place] = namedPlacesIn(named, urls)
    return place === undefined ? named : `${place.url}:${place.line}:${place.column}`
  })

function writtenPlace(url: string, line: string, column: string): Place {
  const place = { url, line: Number(line), column: Number(column) }
  return originOf(place) ?? place
}

/** The place that a place in a module was made from; null where the module is its own source. */
export function originOf(place: Place): Place | null {
  let origin: Place | null = null
  for (const map of mapsOf(withoutQuery(place.url))) {
    const { url, line, column }: Place = origin ?? place
    const found = map.findOrigin(line, column)
    if (!('fileName' in found)) return null
    origin = { url: new URL(found.fileName, url).href, line: found.lineNumber, column: found.columnNumber }
  }
  return origin
}

function mapsOf(url: string): readonly SourceMap[] {
  let found = maps.get(url)
  if (found === undefined) {
    found = url.startsWith(BUNDLE_URL) && url.endsWith('.js') ? mapBeside(url) : []
    maps.set(url, found)
  }
  return found
}

function mapBeside(url: string): readonly SourceMap[] {
  try {
    return [new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8')) as SourceMapPayload)]
  } catch {
    return []
  }
}

const withoutQuery = (url: string): string => url.replace(/\?.*$/, '')

/** The trace as V8 writes it. An error of Node has its code in its text. */
function plainTrace(error: Error, frames: readonly NodeJS.CallSite[]): string {
  return [headOf(error), ...frames.map((frame) => `    at ${String(frame)}`)].join('\n')
}

function headOf(error: Error): string {
  try {
    // An error of another realm may be a strategy's, and the strategy's code would make its text.
    return error instanceof Error ? String(error) : 'Error'
  } catch {
    return 'Error'
  }
}
