import { randomBytes } from 'node:crypto'
import { closeSync, lstatSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { aboutFile } from '../unit/aboutFile.ts'
import { InputError } from '../unit/inputError.ts'
import { allowedToRead, codeOf, STALE_MS } from './failures.ts'
import { beat, stopBeating } from './heart.ts'

const LOOK_MS = 100
/** A text that is no token: of a folder, or of what would be waited for without end, as a pipe or a link that leads nowhere. */
const NO_TOKEN = '?'

export const newToken = (): string => randomBytes(8).toString('hex')

/** Whether a file is the lease of a process, dead or alive: no other program leaves a token there. */
export const isLease = (path: string): boolean => /^[0-9a-f]{16}$/.test(textOf(path) ?? NO_TOKEN)

/** Whether a file is a lease, or what a power cut made of one. */
export const mayBeLease = (path: string): boolean => isWhatIsLeft(textOf(path) ?? '')

const isWhatIsLeft = (text: string): boolean => text.length <= 16 && /^[0-9a-f]*\0*$/.test(text)

/** How a process waits for a lease. */
export interface LeaseWait {
  /** Waits however long the holder renews it. Else it is not waited for a holder that is seen to live. */
  readonly isPatient?: boolean | undefined
  /** Whoever holds it comes to its timers while the lease is young. */
  readonly isPrompt?: boolean | undefined
  /** Gets a line when it waits. */
  readonly say?: ((line: string) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** Makes the folder of the lease, which the process that is waited for removes when nothing comes of what it was making. */
  readonly makeFolder?: (() => void) | undefined
}

/**
 * The right of one process to change a folder: a file with a random token, which its holder renews. Process ids say nothing, because
 * containers that share a folder do not share them. The age of a lease is taken from the clock of the file system alone.
 */
export class Lease {
  readonly path: string
  readonly token: string

  private constructor(path: string, token: string, isPrompt = false) {
    this.path = path
    this.token = token
    beat(path, token, isPrompt)
  }

  /**
   * Takes the lease at a path whose folder is there, or is made when it is not. Null while another process holds it. Throws InputError for a file that is no lease.
   * @param seen when somebody looked at it before: what has stood still since then is as old as that, also where it is from before a clock was set back
   */
  static take(path: string, makeFolder?: () => void, isPrompt = false, seen: Stamp | null = null): Lease | null {
    const token = newToken()
    while (!isCreated(path, token, makeFolder)) {
      const held = textOf(path)
      if (held === null) continue
      if (!isWhatIsLeft(held)) throw new InputError('is no lease of parlor', { position: { file: path }, hint: 'another program made it: choose another folder' })
      const stamp = stampOf(path)
      if (stamp === null) continue
      if (Math.max(ageOf(stamp), sinceSeenMs(stamp, seen)) < STALE_MS) return null
      drop(path, held, token)
    }
    return new Lease(path, token, isPrompt)
  }

  /** The lease at a path when it has a certain token, which another thread of this process took. Else null. */
  static of(path: string, token: string): Lease | null {
    return textOf(path) === token ? new Lease(path, token) : null
  }

  /** Takes the lease at a path as soon as it is free. Throws an error named Interrupted by the signal. */
  static async wait(path: string, { isPatient, isPrompt, say, signal, makeFolder }: LeaseWait = {}): Promise<Lease | null> {
    let [token, seen] = [textOf(path), stampOf(path)]
    for (let isFirst = true; ; isFirst = false) {
      const lease = Lease.take(path, makeFolder, isPrompt, seen)
      if (lease !== null) return lease
      if (isFirst) say?.(`waiting for the process that writes ${path.replace(/[\\/][^\\/]*$/, '')}: without a sign of life it is given up after ${STALE_MS / 1000} s`)
      if (signal?.aborted) throw Object.assign(new Error('interrupted'), { name: 'Interrupted' })
      await sleep(LOOK_MS)
      const [nowToken, stamp] = [textOf(path), stampOf(path)]
      const isRenewed = nowToken !== token || stamp?.writtenMs !== seen?.writtenMs
      if (isPatient !== true && nowToken !== null && isRenewed) return null
      token = nowToken
      // Where the clock is set back, the wait begins anew.
      if (isRenewed || (stamp !== null && seen !== null && stamp.lookedMs < seen.lookedMs)) seen = stamp
    }
  }

  get isHeld(): boolean {
    return textOf(this.path) === this.token
  }

  /** Gives the lease back. Harmless when another process has taken it. */
  release(): void {
    stopBeating(this.path)
    if (this.isHeld) rmSync(this.path, { force: true })
  }
}

/** When a file was written, and when that was looked at, ms by the clock of its file system. */
interface Stamp {
  readonly writtenMs: number
  readonly lookedMs: number
}

/** Below 0 for a file from before its clock was set back. */
const ageOf = ({ writtenMs, lookedMs }: Stamp): number => lookedMs - writtenMs

/** For how long a file is seen not to be written, ms. */
const sinceSeenMs = (stamp: Stamp, seen: Stamp | null): number => (seen?.writtenMs === stamp.writtenMs ? stamp.lookedMs - seen.lookedMs : 0)

/** How long ago a file was written, ms by the clock of its file system. Null when there is no file. */
export function leaseAgeMs(path: string): number | null {
  const stamp = stampOf(path)
  return stamp === null ? null : ageOf(stamp)
}

/** Null when there is no file. */
function stampOf(path: string): Stamp | null {
  const probe = `${path}.${newToken()}`
  try {
    const { mtimeMs: writtenMs } = statSync(path)
    closeSync(openSync(probe, 'wx'))
    return { writtenMs, lookedMs: statSync(probe).mtimeMs }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  } finally {
    rmSync(probe, { force: true })
  }
}

function isCreated(path: string, token: string, makeFolder?: () => void): boolean {
  let file: number
  try {
    file = openSync(path, 'wx')
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    if (codeOf(error) !== 'ENOENT' || makeFolder === undefined) throw error
    makeFolder()
    return false
  }
  try {
    aboutFile(path, () => writeSync(file, token))
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  return true
}

/** Removes a lease that was found stale, unless another process has replaced it since. */
function drop(path: string, held: string, token: string): void {
  const moved = `${path}.${token}`
  try {
    renameSync(path, moved)
    if (textOf(moved) !== held) renameSync(moved, path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  } finally {
    rmSync(moved, { force: true })
  }
}

function textOf(path: string): string | null {
  try {
    if (!lstatSync(path).isFile()) return NO_TOKEN
    return allowedToRead(path, () => readFileSync(path, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}
