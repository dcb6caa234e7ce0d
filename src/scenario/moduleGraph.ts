import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { findPackageJSON, isBuiltin } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { plainBytes } from '../arrow/plainText.ts'
import { isOfSystem } from '../result/failures.ts'
import { InputError } from '../unit/inputError.ts'
import { refuseDeepNesting } from './nesting.ts'
import { languageOf, specifiersIn } from './typeScript.ts'

/** A strategy file and everything that it imports by a path. */
export interface ModuleGraph {
  /** SHA-256 over the paths, relative to the strategy's folder, and the bytes of its files, and the packages it uses; 64 hex digits. */
  readonly digest: string
  /** Paths relative to the strategy's folder, with slashes, by code unit. */
  readonly files: readonly string[]
  /** `name@version` of outside packages, by code unit. `parlor` itself and Node are named by the manifest. */
  readonly packages: readonly string[]
}

/** Far more than any module needs, and what its parser takes some seconds for. */
const MODULE_BYTES_MAX = 2 * 2 ** 20

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Walks the imports of a strategy file. An import that names no file is left to the loading of the module to complain about. Throws InputError for a file that cannot be read, is far too large, or is nested too deep. */
export function moduleGraph(entry: string): ModuleGraph {
  const folder = dirname(entry)
  const contents = new Map<string, Uint8Array>()
  const packages = new Set<string>()
  const waiting = [entry]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (contents.has(file)) continue
    const bytes = moduleBytes(file)
    contents.set(file, bytes)
    const text = bytes.toString('utf8')
    refuseDeepNesting(file, text, languageOf(file))
    for (const specifier of specifiersIn(file, text)) {
      const targets = targetsOf(specifier, file)
      if (targets !== null) waiting.push(...targets)
      else if (specifier !== 'parlor' && !isBuiltin(specifier)) packages.add(packageOf(specifier, file))
    }
  }
  const named = [...contents].map(([file, bytes]) => ({ name: relative(folder, file).replaceAll('\\', '/'), bytes }))
    .toSorted((a, b) => byCodeUnit(a.name, b.name))
  const hash = createHash('sha256')
  for (const { name, bytes } of named) hash.update(`${name}\n${bytes.byteLength}\n`).update(bytes)
  const packageList = [...packages].toSorted(byCodeUnit)
  for (const name of packageList) hash.update(`${name}\n`)
  return { digest: hash.digest('hex'), files: named.map(({ name }) => name), packages: packageList }
}

/** The bytes of a module. Throws InputError where it cannot be read, or is no module by its size. */
function moduleBytes(file: string): Buffer {
  const refused = (why: string, cause?: unknown): InputError => new InputError(`the strategy does not load: ${why}`, { position: { file }, cause })
  let bytes: Buffer | null
  try {
    bytes = plainBytes(file, MODULE_BYTES_MAX)
  } catch (error) {
    throw isOfSystem(error) ? refused(`it cannot be read (${(error as Error).message})`, error) : error
  }
  if (bytes === null) throw refused('it has more than 2 MiB')
  return bytes
}

/** The files that a specifier may mean: a room takes it for a path, Node for a URL. Null for a package. */
function targetsOf(specifier: string, from: string): string[] | null {
  if (!/^(?:\.|\/|file:)/.test(specifier)) return null
  const url = URL.parse(specifier, pathToFileURL(from).href)
  return [...new Set([resolve(dirname(from), specifier), ...(url === null ? [] : [pathOf(url)])])].filter((path) => existsSync(path) && statSync(path).isFile())
}

function pathOf(url: URL): string {
  try {
    return fileURLToPath(url)
  } catch {
    return ''
  }
}

function packageOf(specifier: string, file: string): string {
  const name = specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
  try {
    const manifest = findPackageJSON(specifier, pathToFileURL(file))
    if (manifest === undefined) return name
    return `${name}@${(JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string }).version ?? ''}`
  } catch {
    return name
  }
}
