import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type ParsedNode } from 'yaml'
import type { z } from 'zod'
import { InputError } from '../unit/inputError.ts'
import { nearestName } from '../unit/nearestName.ts'
import { thousands } from '../unit/numberText.ts'
import { type Fail, type Mistake, mistakeAt, type MistakeOptions, MISTAKES_MAX, type Path, ScenarioMistakes } from './mistakes.ts'
import { type ScenarioFile, scenarioSchema } from './schema.ts'
import { KNOWN_KEYS } from './settings.ts'
import { shown } from './units.ts'

/** A scenario that stands in no file. Plain data, so that it crosses to another thread. */
export interface WrittenScenario {
  /** What mistakes call it. */
  readonly name: string
  /** Where its relative paths begin. */
  readonly folder: string
  /** YAML. */
  readonly text: string
  /** Whether a program gave it as an object, so that mistakes name settings, and no lines of a text that nobody wrote. */
  readonly isObject: boolean
}

/** Where a scenario comes from: the path of its file, or itself. */
export type ScenarioOrigin = string | WrittenScenario

/** The path of a scenario's file, or the one that it would have in its folder under its name. */
export const pathOf = (origin: ScenarioOrigin): string => (typeof origin === 'string' ? origin : join(origin.folder, origin.name))

/** What the command line lays over a scenario file. */
export interface Overrides {
  /** Settings as `makers.0.params.margin=5%`, in order. */
  readonly set?: readonly string[]
  readonly seed?: string
}

/** All that is laid over a file, in order, in the form of `--set`. */
export const settingsOf = ({ set = [], seed }: Overrides): readonly string[] => [...set, ...(seed === undefined ? [] : [`seed=${JSON.stringify(seed)}`])]

/** A scenario file that has the right shape, and a way to point into it. */
export interface LoadedScenario {
  readonly origin: ScenarioOrigin
  /** As it was named. */
  readonly path: string
  /** Where relative paths of the scenario begin. */
  readonly folder: string
  readonly file: ScenarioFile
  /** As it was written, with the settings of the command line. */
  readonly written: Readonly<Record<string, unknown>>
  readonly source: ScenarioSource
  readonly overrides: Overrides
}

/** The text of a scenario, to point at its settings; settings of the command line point there. */
export class ScenarioSource {
  readonly path: string
  /** Null of a scenario without lines. */
  private readonly text: string | null
  private readonly lines: LineCounter
  private readonly root: ParsedNode | null
  private readonly overrides: readonly { readonly path: Path; readonly text: string }[]

  constructor(
    path: string, text: string | null, lines: LineCounter, root: ParsedNode | null, overrides: readonly { readonly path: Path; readonly text: string }[],
  ) {
    this.path = path
    this.text = text
    this.lines = lines
    this.root = root
    this.overrides = overrides
  }

  /** A mistake at a setting; where the file does not hold it, at the nearest that does. `key`: at that key itself. */
  mistake(path: Path, message: string, options: MistakeOptions = {}): Mistake {
    const whole = options.key === undefined ? path : [...path, options.key]
    const override = this.overrides.findLast(({ path: set }) => set.every((part, i) => String(part) === String(whole[i])))
    const shownPath = path.map(String).join('.')
    if (override !== undefined) {
      return { position: { file: `--set ${override.text}` }, path: shownPath, message, ...(options.hint === undefined ? {} : { hint: options.hint }) }
    }
    if (this.text === null) return { position: { file: this.path }, path: shownPath, message, ...(options.hint === undefined ? {} : { hint: options.hint }) }
    const { line, col } = this.lines.linePos(this.offsetOf(path, options.key))
    return mistakeAt(this.path, this.text, { line, column: col }, shownPath, message, options.hint)
  }

  /** Adds what it is told to a list, up to the most that are told. */
  failInto(mistakes: Mistake[]): Fail {
    return (path, message, options) => { if (mistakes.length < MISTAKES_MAX) mistakes.push(this.mistake(path, message, options)) }
  }

  private offsetOf(path: Path, key: string | undefined): number {
    let node: unknown = this.root
    let offset = this.root?.range[0] ?? 0
    for (const part of path) {
      node = childOf(node, part)
      const range = (node as ParsedNode | undefined)?.range
      if (range === undefined || range === null) return offset
      offset = range[0]
    }
    if (key === undefined || !isMap(node)) return offset
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
    return (pair?.key as ParsedNode | undefined)?.range[0] ?? offset
  }
}

function childOf(parent: unknown, part: PropertyKey): unknown {
  if (isMap(parent)) return parent.items.find((item) => isScalar(item.key) && String(item.key.value) === String(part))?.value ?? undefined
  if (isSeq(parent)) return parent.items[Number(part)]
  return undefined
}

/**
 * Reads a scenario from its file, or one that stands in none. Throws InputError for a file that cannot be read, and ScenarioMistakes, with file, line, column
 * and what was expected, for all that is wrong with its YAML or its settings.
 */
export function loadScenario(origin: ScenarioOrigin, overrides: Overrides = {}): LoadedScenario {
  const path = pathOf(origin)
  const text = typeof origin === 'string' ? readText(origin) : origin.text
  const isObject = typeof origin !== 'string' && origin.isObject
  const { value, source } = parsedYaml(path, text, { isObject, settings: settingsOf(overrides) })
  const parsed = scenarioSchema.safeParse(value, { reportInput: true })
  if (!parsed.success) {
    const mistakes: Mistake[] = []
    for (const issue of parsed.error.issues) failOfIssue(issue, source.failInto(mistakes))
    throw new ScenarioMistakes(inOrder(mistakes))
  }
  return { origin, path, folder: dirname(path), file: parsed.data, written: value as Record<string, unknown>, source, overrides }
}

/** The value of a YAML text that is called `path`, and a way to point into it. Throws ScenarioMistakes for what is no YAML. */
export function parsedYaml(
  path: string, text: string, { isObject = false, settings = [] }: { readonly isObject?: boolean; readonly settings?: readonly string[] } = {},
): { readonly value: unknown; readonly source: ScenarioSource } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
  const failAt = (faults: readonly { readonly at: number; readonly message: string }[]): void => {
    if (faults.length === 0) return
    throw new ScenarioMistakes(faults.slice(0, MISTAKES_MAX).map(({ at, message }) => {
      const { line, col } = lines.linePos(at)
      return mistakeAt(path, text, { line, column: col }, '', message)
    }))
  }
  failAt(document.errors.map(({ pos, message }) => ({ at: pos[0], message: message.startsWith('Maximum call stack') ? 'nests too deep' : firstLine(message) })))
  failAt(shapeFaults(document))
  const value = plain(document.toJS({ maxAliasCount: NO_COUNT }), path)
  const laid = settings.map((setting) => ({ path: applySetting(value, setting), text: setting }))
  const source = new ScenarioSource(path, isObject ? null : text, lines, document.contents, laid)
  return { value, source }
}

/** Nodes that a scenario may have once all its aliases are replaced by what they stand for: a few lines can stand for billions. */
const NODES_MAX = 1_000_000
/** The parser looks for each of them through all. */
const ALIASES_MAX = 1_000
/** The parser's own count of aliases is off: it is said in no place of the file, and refuses what is small. */
const NO_COUNT = -1

/**
 * Keys that stand twice in a map (the parser compares each with each), aliases of names that are used before they are given, or never are, and
 * aliases that make a scenario grow beyond all bounds.
 */
function shapeFaults(document: Document): { readonly at: number; readonly message: string }[] {
  const faults: { at: number; message: string }[] = []
  const sizes = new Map<string, number>()
  let aliases = 0
  // Returns the nodes of a node whose aliases are replaced. An alias inside of its own anchor stands for itself without end.
  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) {
      aliases++
      const size = sizes.get(node.source)
      const at = node.range?.[0] ?? 0
      if (size === undefined) faults.push({ at, message: `*${node.source} stands for nothing: no &${node.source} comes before it` })
      else if (size === Infinity) faults.push({ at, message: `*${node.source} stands for what it is part of` })
      return size ?? 1
    }
    const anchor = isNode(node) && 'anchor' in node ? node.anchor as string | undefined : undefined
    if (anchor !== undefined) sizes.set(anchor, Infinity)
    let size = 1
    if (isMap(node)) {
      const keys = new Set<unknown>()
      for (const { key, value } of node.items) {
        if (isScalar(key) && keys.has(key.value)) faults.push({ at: key.range?.[0] ?? 0, message: 'Map keys must be unique' })
        if (isScalar(key)) keys.add(key.value)
        size += sizeOf(key) + sizeOf(value)
      }
    }
    else if (isSeq(node)) for (const item of node.items) size += sizeOf(item)
    if (anchor !== undefined) sizes.set(anchor, size)
    return size
  }
  const size = sizeOf(document.contents)
  if (faults.length > 0) return faults
  if (aliases > ALIASES_MAX) return [{ at: 0, message: `has ${thousands(aliases)} aliases, expected ${thousands(ALIASES_MAX)} at most` }]
  return size > NODES_MAX ? [{ at: 0, message: `has more than ${thousands(NODES_MAX)} settings, where each alias counts as what it stands for` }] : []
}

/** Tells what an issue of a schema stands for, at `base` in the scenario. */
export function failOfIssue(issue: z.core.$ZodIssue, fail: Fail, base: Path = []): void {
  const path = [...base, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    const known = issue.message.startsWith(KNOWN_KEYS) ? issue.message.slice(KNOWN_KEYS.length).split(', ') : []
    for (const key of issue.keys.slice(0, MISTAKES_MAX)) {
      const near = nearestName(key, known)
      const message = `unknown key ${key}${near === undefined ? '' : `; did you mean ${near}?`}`
      fail(path, message, { key, ...(known.length === 0 ? {} : { hint: issue.message }) })
    }
  } else if (issue.input === undefined && issue.code !== 'custom') {
    const expected = issue.message.replace(/, got nothing$/, '').replace(/^Invalid input: /, '').replace(/, received undefined$/, '')
    fail(path, `is missing: ${expected}`)
  } else if (issue.code === 'invalid_type') {
    fail(path, issue.message.replace(/^Invalid input: (.*), received .*$/, `$1, got ${shown(issue.input)}`))
  } else fail(path, issue.message)
}

/** Mistakes in the order of the file; those of the command line last. */
export const inOrder = (mistakes: readonly Mistake[]): Mistake[] =>
  mistakes.toSorted((a, b) => (a.position.line ?? Infinity) - (b.position.line ?? Infinity) || (a.position.column ?? 0) - (b.position.column ?? 0))

/** A text in UTF-8. Throws InputError, with `hint` where there is no such file. */
export function readText(path: string, hint = 'expected the path of a scenario, as scenarios/quickstart.yaml'): string {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (cause) {
    const code = (cause as { code?: string }).code ?? String(cause)
    const message = code === 'ENOENT' ? 'no such file' : code === 'EISDIR' ? 'is a folder, expected a file' : `cannot be read (${code})`
    throw new InputError(message, { position: { file: path }, hint, cause })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new InputError('is not a text in UTF-8', { position: { file: path }, cause })
  }
}

const firstLine = (message: string): string => message.split('\n', 1)[0]!.replace(/ at line \d+, column \d+:?$/, '')

const DEPTH_MAX = 32

/** A copy without shared parts: an alias of the file must not carry a setting of the command line elsewhere. */
function plain(value: unknown, file: string, depth = 0): unknown {
  if (depth > DEPTH_MAX) throw new InputError('nests too deep', { position: { file }, hint: 'an alias may contain itself' })
  if (Array.isArray(value)) return value.map((item) => plain(item, file, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) put(copy, key, plain(item, file, depth + 1))
  return copy
}

const put = (object: object, key: string, value: unknown): void => {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
}

/** Puts one `path=value` into a scenario; the value is YAML. Returns the path. */
function applySetting(root: unknown, setting: string): Path {
  const position = { file: `--set ${setting}` }
  const equals = setting.indexOf('=')
  const fail = (message: string): never => {
    throw new InputError(message, { position, hint: 'expected path=value, as makers.0.params.margin=5%' })
  }
  if (equals <= 0) return fail('is not a setting')
  const path = setting.slice(0, equals).split('.')
  const document = parseDocument(setting.slice(equals + 1), { prettyErrors: false, uniqueKeys: false })
  if (document.errors.length > 0) return fail(`its value is not YAML: ${firstLine(document.errors[0]!.message)}`)
  const [fault] = shapeFaults(document)
  if (fault !== undefined) return fail(`its value: ${fault.message}`)
  const value: unknown = document.toJS({ maxAliasCount: NO_COUNT })
  let at: unknown = root
  for (const [i, part] of path.entries()) {
    const last = i === path.length - 1
    const here = path.slice(0, i).join('.') || 'the scenario'
    if (part === '') return fail('has an empty part in its path')
    if (Array.isArray(at)) {
      if (!/^\d+$/.test(part) || Number(part) >= at.length) return fail(`${here} has ${at.length} entries, from 0: there is no ${part}`)
      if (last) at[Number(part)] = value
      at = at[Number(part)]
    } else if (typeof at === 'object' && at !== null) {
      const before = Object.hasOwn(at, part) ? (at as Record<string, unknown>)[part] : undefined
      if (last) put(at, part, value)
      else if (before === undefined || before === null) put(at, part, {})
      at = (at as Record<string, unknown>)[part]
    } else return fail(`${here} is ${shown(at)}, which has no ${part}`)
  }
  return path
}
