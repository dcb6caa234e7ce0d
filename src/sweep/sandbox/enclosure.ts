import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InputError } from '../../unit/inputError.ts'

/**
 * How far a process that runs strategies is shut in. `strict`: it has namespaces of its own by bubblewrap (bwrap), without a network, and sees no
 * file but those that it is given. `weak`: by Node's permission model alone, for strategies that nobody fears: whoever left its room could send signals
 * to processes of the same user, use the network, and load native code.
 */
export const SANDBOX_LEVELS = ['strict', 'weak'] as const
export type SandboxLevel = (typeof SANDBOX_LEVELS)[number]

/** A program and what it is started with. */
export interface Started {
  readonly command: string
  readonly args: readonly string[]
}

/** What the program of Node is linked with. */
const LIBRARIES = ['/lib', '/lib64', '/usr/lib', '/usr/lib64']
const NODE_MODULES = `${sep}node_modules${sep}`
/** Folders that a process has of its own, or that hold what it must not reach. */
const OWN_OR_OTHERS = ['/proc', '/dev', '/run', '/sys', '/tmp']

/** The folder in which this parlor lies with its packages: of an installed one, the outermost `node_modules` that has it. */
function ownFolder(): string {
  const root = realpathSync(fileURLToPath(new URL('../../..', import.meta.url)))
  const at = root.indexOf(NODE_MODULES)
  return at < 0 ? root : root.slice(0, at + NODE_MODULES.length - 1)
}

/** Throws InputError where a machine has no bubblewrap, or does not let it make namespaces. */
export function checkEnclosure(level: SandboxLevel): void {
  if (level === 'weak') return
  const { command, args } = enclosed(level, '--version', [])
  const { error, status, stderr } = spawnSync(command, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } })
  if (error === undefined && status === 0) return
  const why = (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT' ? 'there is no bwrap' : `bwrap does not work here: ${(error?.message ?? stderr).trim()}`
  throw new InputError(`--sandbox: ${why}`, { hint: 'install bubblewrap, or give --sandbox=weak, which holds nobody who leaves its room' })
}

/**
 * How Node runs `script` with nothing but these files and folders, which it may only read. What parses strategy files is native code, which Node's
 * permission model closes with all other: it is left open, and bubblewrap holds without it. Throws InputError for a path that would open the machine.
 */
export function enclosed(level: SandboxLevel, script: string, reads: readonly string[]): Started {
  const node = realpathSync(process.execPath)
  const named = [...new Set(reads.map((path) => resolve(path)))]
  for (const path of named) refuseOpen(path)
  const shown = [ownFolder(), ...named].toSorted((a, b) => a.length - b.length)
  const allowed = [...new Set(shown.flatMap((path) => [path, realpathSync(path)]))].map((path) => `--allow-fs-read=${path}`)
  const own = ['--permission', ...allowed, '--allow-worker', '--allow-addons', '--no-warnings', script]
  if (level === 'weak') return { command: node, args: own }
  // Folders come before what lies in them, as bubblewrap has them in turn. What a link leads to is there under the link's name.
  const bound = [dirname(node), ...LIBRARIES.filter((path) => existsSync(path)), ...shown].flatMap((path) => ['--ro-bind', realpathSync(path), path])
  const here = process.cwd()
  return {
    command: 'bwrap',
    args: [
      '--unshare-all', '--die-with-parent', '--new-session', '--clearenv', '--cap-drop', 'ALL', '--proc', '/proc', '--dev', '/dev', '--size', '16777216', '--tmpfs', '/tmp',
      // Stores are looked for by name below the working folder, of which nothing else is there.
      ...bound, ...(shown.includes(here) ? [] : ['--dir', here]), '--chdir', here, '--', node, ...own,
    ],
  }
}

/** Neither the whole machine nor a folder that has those which a process has of its own, nor what processes say of themselves, by name or through a link; nor a name that Node takes for several. */
function refuseOpen(path: string): void {
  const isOpen = (real: string): boolean => OWN_OR_OTHERS.some((own) => liesIn(real, own)) || liesIn('/proc', real) || liesIn('/sys', real)
  if (isOpen(path) || isOpen(realpathSync(path))) throw new InputError('a sandbox would open the machine by this folder', { position: { file: path }, hint: 'keep scenarios, stores and strategies in folders of their own' })
  if (path.includes('*')) throw new InputError('a sandbox has no paths with *', { position: { file: path } })
}

/** Whether a path is a folder or lies in it. */
export function liesIn(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
