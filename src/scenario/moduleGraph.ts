import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { findPackageJSON, isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A strategy file and everything that it imports by a relative path. */
export interface ModuleGraph {
  /** SHA-256 over the paths, relative to the strategy's folder, and the bytes of its files, and the packages it uses; 64 hex digits. */
  readonly digest: string
  /** Paths relative to the strategy's folder, with slashes, by code unit. */
  readonly files: readonly string[]
  /** `name@version` of outside packages, by code unit. `parlor` itself and Node are named by the manifest. */
  readonly packages: readonly string[]
}

const COMMENT_OR_TEXT = /\/\*[^]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g
const IMPORT = /\b(?:import|export)\b[^'"`;()]*?\bfrom\s*['"]([^'"\n]+)['"]|(?<!['".])\bimport\s*\(?\s*['"]([^'"\n]+)['"]/g

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Walks the imports of a strategy file. An import that names no file is left to the loading of the module to complain about. */
export function moduleGraph(entry: string): ModuleGraph {
  const folder = dirname(entry)
  const contents = new Map<string, Uint8Array>()
  const packages = new Set<string>()
  const waiting = [entry]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (contents.has(file)) continue
    const bytes = readFileSync(file)
    contents.set(file, bytes)
    for (const specifier of importsOf(bytes.toString('utf8'))) {
      if (specifier.startsWith('.')) {
        const target = join(dirname(file), specifier)
        if (existsSync(target) && statSync(target).isFile()) waiting.push(target)
      } else if (specifier !== 'parlor' && !isBuiltin(specifier)) packages.add(packageOf(specifier, file))
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

function importsOf(text: string): string[] {
  const bare = text.replace(COMMENT_OR_TEXT, (part) => (part.startsWith('/') ? ' ' : part))
  return [...bare.matchAll(IMPORT)].map((match) => (match[1] ?? match[2])!)
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
