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

/** By URL without its query: of modules made from other text, and null for those that are as they were written. */
const maps = new Map<string, SourceMap | null>()
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

/** Says what a module was made from that has another text than its file. */
export function keepMap(url: string, payload: SourceMapPayload): void {
  maps.set(withoutQuery(url), new SourceMap(payload))
}

/** The place that a place in a module was made from; null where the module is its own source. */
export function originOf({ url, line, column }: Place): Place | null {
  const found = mapOf(withoutQuery(url))?.findOrigin(line, column)
  if (found === undefined || !('fileName' in found)) return null
  return { url: new URL(found.fileName, url).href, line: found.lineNumber, column: found.columnNumber }
}

function mapOf(url: string): SourceMap | null {
  let map = maps.get(url)
  if (map === undefined) {
    map = url.startsWith(BUNDLE_URL) && url.endsWith('.js') ? mapBeside(url) : null
    maps.set(url, map)
  }
  return map
}

function mapBeside(url: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8')) as SourceMapPayload)
  } catch {
    return null
  }
}

const withoutQuery = (url: string): string => url.replace(/\?.*$/, '')

/** As V8 writes it. An error of Node has its code in its text. */
function plainTrace(error: Error, frames: readonly NodeJS.CallSite[]): string {
  return [headOf(error), ...frames.map((frame) => `    at ${String(frame)}`)].join('\n')
}

function headOf(error: Error): string {
  try {
    return String(error)
  } catch {
    return 'Error'
  }
}
