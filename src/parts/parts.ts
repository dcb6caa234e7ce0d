import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { InputError } from '../unit/inputError.ts'

const OURS = new URL('../../package.json', import.meta.url)

const require = createRequire(import.meta.url)

function resolves(path: string): boolean {
  try {
    require.resolve(path)
    return true
  } catch {
    return false
  }
}

/** A package of a binary alone has no module of its own. */
const isThere = (name: string): boolean => resolves(name) || resolves(`${name}/package.json`)

/** The command that adds packages, in the versions that parlor is tried with: the last one of several ranges. */
function addCommand(names: readonly string[]): string {
  const { peerDependencies } = JSON.parse(readFileSync(OURS, 'utf8')) as { peerDependencies: Readonly<Record<string, string>> }
  return ['npm install', ...names.map((name) => `${name}@${peerDependencies[name]!.split('^').at(-1)!}`)].join(' ')
}

/**
 * Throws an InputError with the command that adds them where packages are missing that parlor comes without, because few need them. `subject` is
 * what needs them, the words before "needs". The names are peer dependencies of parlor.
 */
export function checkParts(subject: string, names: readonly string[], has: (name: string) => boolean = isThere): void {
  const missing = names.filter((name) => !has(name))
  if (missing.length === 0) return
  throw new InputError(`${subject} needs ${missing.join(' and ')}, which parlor comes without`, { hint: `add what is missing: ${addCommand(missing)}` })
}
