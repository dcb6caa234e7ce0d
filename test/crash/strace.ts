import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** System calls that change a file system. */
const MUTATING = ['openat', 'write', 'pwrite64', 'ftruncate', 'truncate', 'fsync', 'rename', 'link', 'mkdir', 'rmdir', 'unlink', 'unlinkat'] as const
/** More than any write of a scenario that a test plays. */
const DATA_BYTES_MAX = 16_000_000

/** strace on this machine, null where it is not there or not allowed. */
export const straceVersion = (): string | null => {
  const { status, stdout } = spawnSync('strace', ['-qq', '-e', 'trace=none', 'true'], { encoding: 'utf8' })
  return status === 0 ? stdout || 'strace' : null
}

/** A system call that changed, or was to change, something below a folder. */
export interface Call {
  readonly name: (typeof MUTATING)[number]
  /** Its number among the calls of its name and thread, from 1: what strace counts by. */
  readonly nth: number
  /** Threads are numbered as they make their first call; 0 is the main thread. */
  readonly thread: number
  /** How it is found in another run of the same program, where strace counts for each thread by itself; null: another thread comes first. */
  readonly aim: Aim | null
  /** Absolute. The second is that of a new name. */
  readonly paths: readonly string[]
  readonly data: Buffer
  /** Where `pwrite64` writes; the length of `ftruncate`. Null elsewhere. */
  readonly offset: number | null
  /** `O_TRUNC` of `openat`, and `AT_REMOVEDIR` of `unlinkat`. */
  readonly flag: boolean
}

/** The `nth` call of a name that has to do with a path. */
export interface Aim {
  readonly path: string
  readonly nth: number
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly err: string
}

/** A fault of one call: the process is killed before it, or it fails. */
export interface Fault {
  readonly call: Pick<Call, 'name' | 'nth' | 'aim'>
  readonly kind: 'KILL' | 'EIO' | 'ENOSPC'
  /** The disk stays full: each later call of the name fails as well, in each thread from its `nth` call on. */
  readonly isLasting?: boolean
}

/** Runs a command without strace. */
export const ended = ([name, ...args]: readonly string[], cwd: string): Promise<Ended> => spawned(name!, args, cwd)

const TOKENS = fileURLToPath(new URL('tokens.cjs', import.meta.url))

const run = (args: readonly string[], command: readonly string[], cwd: string): Promise<Ended> =>
  spawned('strace', [...args, '-E', `NODE_OPTIONS=--require ${TOKENS}`, ...command], cwd)

function spawned(name: string, args: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(name, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' } })
    let err = ''
    child.stderr.on('data', (data: Buffer) => { err += data.toString() })
    child.on('close', (code, signal) => { resolve({ code, signal, err }) })
  })
}

/** Runs a command and records what it changes below a folder, in the order of time. */
export async function recorded(command: readonly string[], cwd: string, folder: string, log: string): Promise<Call[]> {
  await run(['-f', '--seccomp-bpf', '-qq', '-y', '-xx', '-s', String(DATA_BYTES_MAX), '-o', log, '-e', `trace=${MUTATING.join(',')}`], command, cwd)
  return callsIn(readFileSync(log, 'latin1'), folder)
}

/** Runs a command with a fault. */
export function faulty(command: readonly string[], cwd: string, { call: { name, nth, aim }, kind, isLasting }: Fault): Promise<Ended> {
  const effect = kind === 'KILL' ? 'signal=KILL' : `error=${kind}`
  const [where, when] = isLasting === true || aim === null ? [[], `${nth}${isLasting === true ? '+' : ''}`] : [['-P', aim.path], String(aim.nth)]
  // With --seccomp-bpf, which is faster, a signal does not arrive.
  return run(['-f', ...(kind === 'KILL' ? [] : ['--seccomp-bpf']), '-qq', '-o', '/dev/null', ...where, '-e', `trace=${name}`, '-e', `inject=${name}:${effect}:when=${when}`], command, cwd)
}

function callsIn(log: string, folder: string): Call[] {
  const counts = new Map<string, number>()
  const begun = new Map<string, string>()
  const calls: Omit<Call, 'aim'>[] = []
  const threads: string[] = []
  /** How often each thread has made a call of a name about a path. */
  const made = new Map<string, number[]>()
  const aims: Aim[][] = []
  for (const line of log.split('\n')) {
    const [, thread, rest] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (thread === undefined) continue
    if (!threads.includes(thread)) threads.push(thread)
    const number = threads.indexOf(thread)
    if (rest!.endsWith('<unfinished ...>')) {
      begun.set(thread, rest!.slice(0, -'<unfinished ...>'.length))
      continue
    }
    const whole = rest!.startsWith('<... ') ? (begun.get(thread) ?? '') + rest!.replace(/^<\.\.\. \w+ resumed>/, '') : rest!
    const name = MUTATING.find((known) => whole.startsWith(`${known}(`))
    if (name === undefined) continue
    const key = `${thread} ${name}`
    const nth = (counts.get(key) ?? 0) + 1
    counts.set(key, nth)
    // strace looks at the first of the two paths of a rename.
    const about = (name === 'rename' ? pathsIn(whole).slice(0, 1) : pathsIn(whole)).map((path): Aim => {
      const counts = made.get(`${name} ${path}`) ?? []
      counts[number] = (counts[number] ?? 0) + 1
      made.set(`${name} ${path}`, counts)
      return { path, nth: counts[number] }
    })
    const call = callOf(name, whole, nth, number)
    if (call === null || !call.paths.some((path) => path === folder || path.startsWith(`${folder}/`))) continue
    calls.push(call)
    aims.push(about)
  }
  const isOwn = (name: string, thread: number, { path, nth }: Aim): boolean => made.get(`${name} ${path}`)!.every((count, other) => other === thread || count < nth)
  return calls.map((call, i) => ({ ...call, aim: aims[i]!.find((aim) => isOwn(call.name, call.thread, aim)) ?? null }))
}

/** All absolute paths and open files that a call names, each once: what strace matches. */
const pathsIn = (line: string): string[] =>
  [...new Set([...line.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g), ...line.matchAll(/(?:AT_FDCWD|\d+)<((?:\\x[0-9a-f]{2})*)>/g)].map(([, hex]) => textOf(hex!)))].filter((path) => isAbsolute(path) && path.length < PATH_CHARS_MAX)

/** What is longer, or else no path, was written. */
const PATH_CHARS_MAX = 1_000

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex')
const textOf = (hex: string): string => bytesOf(hex).toString('utf8')

/** Null for a call that failed or changes nothing. */
function callOf(name: Call['name'], line: string, nth: number, thread: number): Omit<Call, 'aim'> | null {
  const result = /= (-?\d+)[^=]*$/.exec(line)?.[1]
  if (result === undefined || result.startsWith('-')) return null
  if (name === 'openat' && !line.includes('O_CREAT')) return null
  const strings = [...line.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex]) => hex!)
  const opened = [...line.matchAll(/(?:AT_FDCWD|\d+)<((?:\\x[0-9a-f]{2})*)>/g)].map(([, hex]) => textOf(hex!))
  const base = { name, nth, thread, data: Buffer.alloc(0), offset: null, flag: /O_TRUNC|AT_REMOVEDIR/.test(line) }
  const under = (path: string): string => (isAbsolute(path) ? path : join(opened[0]!, path))
  if (name === 'write' || name === 'pwrite64') {
    const offset = name === 'write' ? null : Number(/, (\d+) *\) *= /.exec(line)![1])
    return { ...base, paths: [opened[0]!], data: bytesOf(strings[0]!), offset }
  }
  if (name === 'fsync') return { ...base, paths: [opened[0]!] }
  if (name === 'ftruncate') return { ...base, paths: [opened[0]!], offset: Number(/, (\d+) *\) *= /.exec(line)![1]) }
  const paths = strings.map(textOf)
  return { ...base, paths: name === 'openat' || name === 'unlinkat' ? [under(paths[0]!)] : paths }
}
