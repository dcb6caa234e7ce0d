import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, posix, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as offered from '../agent/offered.ts'
import { visibleText } from '../unit/visibleText.ts'
import { mistakeOf, topLevelAwait } from './roomCode.ts'
import { roomScript } from './roomScript.ts'
import { keepMap } from './sourcePlaces.ts'
import { withoutTypes } from './typeScript.ts'

type Utils = typeof import('rolldown/utils')
type Experimental = typeof import('rolldown/experimental')
type Parsed = ReturnType<Utils['parseSync']>
type ModuleRecord = Parsed['module']

/** A part of a text, from its first letter to the one after its last. */
interface Span {
  readonly start: number
  readonly end: number
}

const SCRIPT_COMMENT = '<!--'

const require = createRequire(import.meta.url)
const TYPESCRIPT = /\.m?ts$/
const MODULE = /\.m?[jt]s$/

/** A module that is ready to be evaluated in a room. */
export interface RoomModule {
  readonly url: string
  /** What V8 calls its script, and writes into traces: `strategy:` and the path from the strategy file's folder, the same on every machine. */
  readonly name: string
  /** The body of a function that imports and exports by its arguments. */
  readonly code: string
  /** URLs of modules beside the strategy, by specifier. */
  readonly imports: Readonly<Record<string, string>>
}

interface ReadModule extends Omit<RoomModule, 'name'> {
  readonly path: string
  readonly text: string
  readonly record: ModuleRecord
}

/** Why a file cannot be in a room. Its stack begins with the place, as that of Node's own errors in linking does. */
function refused(path: string, text: string, at: number, message: string, Kind: new (message: string) => Error = Error): Error {
  const before = text.slice(0, at).split('\n')
  const error = new Kind(message)
  error.stack = `${path}:${before.length}:${before.at(-1)!.length + 1}\n${error.stack}`
  return error
}

/**
 * A strategy file and all that it imports, as a room evaluates them. Throws an Error whose stack begins with the place for a file that does not
 * parse, for an import of anything but `parlor` and modules beside the strategy, and for a name that the other module does not export.
 */
export async function roomModules(entry: string): Promise<readonly RoomModule[]> {
  const modules = new Map<string, ReadModule>()
  const waiting = [entry]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (modules.has(path)) continue
    const module = await read(path)
    modules.set(path, module)
    waiting.push(...Object.keys(module.imports).map((specifier) => resolve(dirname(module.path), specifier)))
  }
  for (const module of modules.values()) checkNames(module, modules)
  return [...modules.values()].map(({ url, code, imports }) => ({ url, name: scriptName(modules.get(entry)!.url, url), code, imports }))
}

/** In letters that end no place in a trace. */
function scriptName(entryUrl: string, url: string): string {
  const path = posix.relative(posix.dirname(new URL(entryUrl).pathname), new URL(url).pathname)
  return `strategy:${path.replaceAll(/[^\w./%~-]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)}`
}

/** Loads what prepares modules and makes rooms, once for each thread: a second or more on a busy machine, for which no strategy file is to answer. */
export async function readyForRooms(): Promise<void> {
  withoutTypes('empty.ts', '')
  const { moduleRunnerTransform } = require('rolldown/experimental') as Experimental
  await Promise.all([roomScript(), moduleRunnerTransform('empty.ts', '')])
}

async function read(path: string): Promise<ReadModule> {
  const text = readFileSync(path, 'utf8')
  const isTyped = TYPESCRIPT.test(path)
  const { code: plain, map } = isTyped ? withoutTypes(path, text) : { code: text, map: undefined }
  const { parseSync } = require('rolldown/utils') as Utils
  const parsed = parseSync(path, text, { lang: isTyped ? 'ts' : 'js', sourceType: 'module' })
  const { module: record, errors: [mistake] } = parsed
  if (mistake !== undefined) throw refused(path, text, mistake.labels[0]?.start ?? 0, mistake.message, SyntaxError)
  refuseScriptComments(path, text, parsed)
  const [dynamic] = record.dynamicImports
  if (dynamic !== undefined) throw refused(path, text, dynamic.start, 'a strategy imports nothing while it runs')
  const [meta] = record.importMetas
  if (meta !== undefined) throw refused(path, text, meta.start, 'a strategy does not know where it lies: import.meta needs --trusted')
  const waits = topLevelAwait(parsed.program)
  if (waits !== null) throw refused(path, text, waits, 'a strategy awaits nothing while it is loaded', SyntaxError)
  const own = text.indexOf('__vite_ssr_')
  if (own >= 0) throw refused(path, text, own, 'names that begin with __vite_ssr_ are those of the room')
  const { moduleRunnerTransform } = require('rolldown/experimental') as Experimental
  const transformed = await moduleRunnerTransform(path, plain, { sourcemap: true })
  const answered = transformed.code.replaceAll(/^(const __vite_ssr_import_\d+__ = )await /gm, '$1')
  // Node shows a line as it is where the stack ends. In texts an escape means the same, and nothing else is left of such letters.
  const code = visibleText(answered.replaceAll(/\r\n?/g, '\n'))
  const wrong = mistakeOf(path, code)
  if (wrong !== null) throw refused(path, text, 0, wrong, SyntaxError)
  const url = pathToFileURL(path).href
  keepMap(url, { ...transformed.map!, sources: [url] } as never, ...(map === undefined ? [] : [map]))
  return { url, path, text, record, code, imports: importsOf(path, text, record, transformed.deps) }
}

/**
 * A script takes `<!--` for the begin of a comment, a module for operators: what runs would not be what was parsed. `-->` begins one only where a
 * module has a mistake.
 */
function refuseScriptComments(path: string, text: string, parsed: Parsed): void {
  if (!text.includes(SCRIPT_COMMENT)) return
  const spans = [...parsed.comments, ...textsIn(parsed.program)]
  for (let at = text.indexOf(SCRIPT_COMMENT); at >= 0; at = text.indexOf(SCRIPT_COMMENT, at + 1)) {
    if (spans.some(({ start, end }) => start <= at && at < end)) continue
    throw refused(path, text, at, `a strategy has no ${SCRIPT_COMMENT} outside of texts and comments: write < !--`)
  }
}

/** Texts, templates and regular expressions below a node. */
function * textsIn(node: object): Generator<Span> {
  if ('type' in node && (node.type === 'Literal' || node.type === 'TemplateElement')) yield node as unknown as Span
  for (const child of Object.values(node) as unknown[]) if (typeof child === 'object' && child !== null) yield * textsIn(child)
}

function importsOf(path: string, text: string, { staticImports, staticExports }: ModuleRecord, left: readonly string[]): Record<string, string> {
  const imports: Record<string, string> = {}
  const requests = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest]))),
  ]
  for (const { value: specifier, start } of requests) {
    // What is imported for its types alone is gone.
    if (specifier === 'parlor' || !left.includes(specifier)) continue
    if (!specifier.startsWith('.')) throw refused(path, text, start, `a strategy imports parlor and files beside it, not ${specifier}: docs/strategies.md says why, and --trusted allows it`)
    const target = resolve(dirname(path), specifier)
    if (!existsSync(target) || !statSync(target).isFile()) throw refused(path, text, start, `Cannot find module ${target}`)
    if (!MODULE.test(target)) throw refused(path, text, start, `a strategy imports modules (.ts, .mts, .js, .mjs), not ${specifier}`)
    imports[specifier] = pathToFileURL(target).href
  }
  return imports
}

function checkNames({ path, text, record }: ReadModule, modules: ReadonlyMap<string, ReadModule>): void {
  for (const { moduleRequest, entries } of record.staticImports) {
    if (entries.every(({ isType }) => isType)) continue
    const names = namesOf(path, moduleRequest.value, modules)
    for (const { importName, localName, isType } of entries) {
      const name = importName.kind === 'Default' ? 'default' : importName.kind === 'Name' ? importName.name! : undefined
      if (isType || name === undefined || names.has(name)) continue
      throw refused(path, text, importName.start ?? localName.start, `The requested module '${moduleRequest.value}' does not provide an export named '${name}'`, SyntaxError)
    }
  }
}

/** What a module exports that `specifier` names in the file `from`. */
function namesOf(from: string, specifier: string, modules: ReadonlyMap<string, ReadModule>, seen = new Set<string>()): ReadonlySet<string> {
  if (specifier === 'parlor') return new Set(Object.keys(offered))
  const path = resolve(dirname(from), specifier)
  const names = new Set<string>()
  if (seen.has(path)) return names
  seen.add(path)
  for (const { entries } of modules.get(path)!.record.staticExports) {
    for (const { exportName, moduleRequest } of entries) {
      if (exportName.kind === 'Default') names.add('default')
      else if (exportName.name !== null) names.add(exportName.name)
      else if (moduleRequest !== null) for (const name of namesOf(path, moduleRequest.value, modules, seen)) if (name !== 'default') names.add(name)
    }
  }
  return names
}
