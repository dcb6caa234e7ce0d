import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

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
  readonly isOfMainThread: boolean
  /** Absolute. The second is that of a new name. */
  readonly paths: readonly string[]
  readonly data: Buffer
  /** Where `pwrite64` writes; the length of `ftruncate`. Null elsewhere. */
  readonly offset: number | null
  /** `O_TRUNC` of `openat`, and `AT_REMOVEDIR` of `unlinkat`. */
  readonly flag: boolean
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly err: string
}

/** A fault of one call: the process is killed before it, or it fails. */
export interface Fault {
  readonly call: Pick<Call, 'name' | 'nth'>
  readonly kind: 'KILL' | 'EIO' | 'ENOSPC'
  /** The disk stays full: each later call of the name fails as well. */
  readonly isLasting?: boolean
}

/** Runs a command without strace. */
export const ended = ([name, ...args]: readonly string[], cwd: string): Promise<Ended> => spawned(name!, args, cwd)

const run = (args: readonly string[], command: readonly string[], cwd: string): Promise<Ended> => spawned('strace', [...args, ...command], cwd)

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
export const faulty = (command: readonly string[], cwd: string, { call, kind, isLasting }: Fault): Promise<Ended> =>
  run(['-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-e', `trace=${call.name}`, '-e',
    `inject=${call.name}:${kind === 'KILL' ? 'signal=KILL' : `error=${kind}`}:when=${call.nth}${isLasting === true ? '+' : ''}`], command, cwd)

function callsIn(log: string, folder: string): Call[] {
  const counts = new Map<string, number>()
  const begun = new Map<string, string>()
  const calls: Call[] = []
  let main: string | undefined
  for (const line of log.split('\n')) {
    const [, thread, rest] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (thread === undefined) continue
    main ??= thread
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
    const call = callOf(name, whole, nth, thread === main)
    if (call !== null && call.paths.some((path) => path === folder || path.startsWith(`${folder}/`))) calls.push(call)
  }
  return calls
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex')
const textOf = (hex: string): string => bytesOf(hex).toString('utf8')

/** Null for a call that failed or changes nothing. */
function callOf(name: Call['name'], line: string, nth: number, isOfMainThread: boolean): Call | null {
  const result = /= (-?\d+)[^=]*$/.exec(line)?.[1]
  if (result === undefined || result.startsWith('-')) return null
  if (name === 'openat' && !line.includes('O_CREAT')) return null
  const strings = [...line.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex]) => hex!)
  const opened = [...line.matchAll(/(?:AT_FDCWD|\d+)<((?:\\x[0-9a-f]{2})*)>/g)].map(([, hex]) => textOf(hex!))
  const base = { name, nth, isOfMainThread, data: Buffer.alloc(0), offset: null, flag: /O_TRUNC|AT_REMOVEDIR/.test(line) }
  const under = (path: string): string => (isAbsolute(path) ? path : join(opened[0]!, path))
  if (name === 'write' || name === 'pwrite64') {
    const offset = name === 'write' ? null : Number(/, (\d+)\) *= /.exec(line)![1])
    return { ...base, paths: [opened[0]!], data: bytesOf(strings[0]!), offset }
  }
  if (name === 'fsync') return { ...base, paths: [opened[0]!] }
  if (name === 'ftruncate') return { ...base, paths: [opened[0]!], offset: Number(/, (\d+)\) *= /.exec(line)![1]) }
  const paths = strings.map(textOf)
  return { ...base, paths: name === 'openat' || name === 'unlinkat' ? [under(paths[0]!)] : paths }
}
