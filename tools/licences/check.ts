// Says which packages are shipped or installed with parlor under terms that are not on the list: `node tools/licences/check.ts`.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ALLOWED, EXCEPTIONS, type Exception } from './allowed.ts'

interface LockedPackage {
  readonly version: string
  readonly license?: string
  readonly dev?: boolean
}

export interface LicenceList {
  readonly allowed: Readonly<Record<string, string>>
  readonly exceptions: readonly Exception[]
}

/**
 * What is wrong with the terms of the packages that a checkout's lockfile installs for users, which are all that a bundle can contain. Those of
 * other platforms are known by the lockfile alone. `root` has `package-lock.json` and `node_modules`.
 */
export function licenceFaults(root: string, { allowed, exceptions }: LicenceList = { allowed: ALLOWED, exceptions: EXCEPTIONS }): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Readonly<Record<string, LockedPackage>> }
  const faults: string[] = []
  const met = new Set<Exception>()
  for (const [path, locked] of Object.entries(packages)) {
    if (path === '' || locked.dev === true) continue
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

if (import.meta.main) {
  const faults = licenceFaults(fileURLToPath(new URL('../..', import.meta.url)))
  for (const fault of faults) console.log(fault)
  process.exit(faults.length === 0 ? 0 : 1)
}
