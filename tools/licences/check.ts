// Says which packages are shipped or installed with parlor under terms that are not on the list: `node tools/licences/check.ts`.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ALLOWED, EXCEPTIONS, type Exception } from './allowed.ts'
import { isProgram } from '../bundle/isProgram.ts'

interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

type Lockfile = Readonly<Record<string, LockedPackage>>

export interface LicenceList {
  readonly allowed: Readonly<Record<string, string>>
  readonly exceptions: readonly Exception[]
}

const IMPORTED = /(?:from|import|import\(|require\(|resolve\()\s*'((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?'/g

/** Packages that the sources name, of which a bundle is made. */
function namedIn(root: string): Set<string> {
  const texts = globSync('src/**/*.ts', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'))
  return new Set(texts.flatMap((text) => [...text.matchAll(IMPORTED)].map(([, name]) => name!)))
}

/**
 * Where the lockfile has the packages that users get: what parlor brings, what its bundle may contain, what they add for its optional parts, and
 * all that these need.
 */
export function shippedPackages(root: string): Set<string> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lockfile }
  const { devDependencies = {} } = packages['']! as { devDependencies?: Readonly<Record<string, string>> }
  const named = namedIn(root)
  const waiting: [from: string, name: string][] = [...needsOf(packages['']!), ...Object.keys(devDependencies).filter((name) => named.has(name))].map((name) => ['', name])
  const met = new Set<string>()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const path = placeOf(packages, ...next)
    if (path === null || met.has(path)) continue
    met.add(path)
    waiting.push(...needsOf(packages[path]!).map((name) => [path, name] as [string, string]))
  }
  return met
}

const needsOf = ({ dependencies, optionalDependencies, peerDependencies }: LockedPackage): string[] =>
  Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })

/** Where a package that another one needs lies: beside it, or above. Null for one that is optional and not locked. */
function placeOf(packages: Lockfile, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (Object.hasOwn(packages, path)) return path
    if (folder === '') return null
  }
}

/**
 * What is wrong with the terms of the packages that users get. Those of other platforms are known by the lockfile alone. `root` has
 * `package-lock.json`, `src` and `node_modules`.
 */
export function licenceFaults(root: string, { allowed, exceptions }: LicenceList = { allowed: ALLOWED, exceptions: EXCEPTIONS }): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lockfile }
  const faults: string[] = []
  const met = new Set<Exception>()
  const shipped = shippedPackages(root)
  for (const [path, locked] of Object.entries(packages)) {
    if (!shipped.has(path)) continue
    const name = `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${locked.version}`
    const says = saidBy(join(root, path)) ?? locked.license ?? null
    const exception = exceptions.find((listed) => listed.name === name)
    if (exception !== undefined) met.add(exception)
    if (exception === undefined ? says === null || !Object.hasOwn(allowed, says) : says !== exception.says) {
      faults.push(`${name} ${says === null ? 'names no licence' : `has the licence ${says}`}, which tools/licences/allowed.ts does not list`)
    }
  }
  return [...faults, ...exceptions.filter((exception) => !met.has(exception)).map(({ name }) => `${name} is listed in tools/licences/allowed.ts, and is not installed`)]
}

/** Null where it says nothing, or is not installed on this platform. */
function saidBy(folder: string): string | null {
  const path = join(folder, 'package.json')
  if (!existsSync(path)) return null
  const { license } = JSON.parse(readFileSync(path, 'utf8')) as { license?: unknown }
  return typeof license === 'string' ? license : null
}

if (isProgram(import.meta.url)) {
  const faults = licenceFaults(fileURLToPath(new URL('../..', import.meta.url)))
  for (const fault of faults) console.log(fault)
  process.exit(faults.length === 0 ? 0 : 1)
}
