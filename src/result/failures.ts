import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../unit/inputError.ts'

/** Files of a result are not as its manifest describes them (exit code 1). */
export class DamagedResult extends Error {
  override name = 'DamagedResult'
  /** Relative to the result's folder. */
  readonly files: readonly string[]

  constructor(dir: string, differences: readonly FileCheck[]) {
    super(differences.map(({ file, about }) => `${join(dir, file)}: ${about}`).join('\n'))
    this.files = differences.map(({ file }) => file)
  }
}

/** What became of a file that a manifest names. */
export interface FileCheck {
  readonly file: string
  readonly ok: boolean
  /** What was found, and when it differs what was expected. */
  readonly about: string
}

/** A lease that nobody has renewed for so long is nobody's. Its holder renews it every `BEAT_MS`. */
export const STALE_MS = 20_000

/** The holder of a lease slept for so long that another process took over. Nothing of it is published. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
  readonly path: string

  constructor(path: string, cause?: unknown) {
    super(`another process took over ${path}, because this one had not renewed its lease for ${STALE_MS / 1000} s; nothing of this one was published there`, { cause })
    this.path = path
  }
}

/** The disk failed when the new result was committed and its files were on their way to their places (exit code 1). */
export class FaultAfterCommit extends Error {
  override name = 'FaultAfterCommit'
  readonly path: string

  constructor(path: string, cause: unknown) {
    super(`the disk failed (${cause instanceof Error ? cause.message : String(cause)}) after the new result was committed: ${path} is the new one, and the next command that reads or writes it completes its files`, { cause })
    this.path = path
  }
}

/** Whether the operating system gave an error. */
export const isOfSystem = (error: unknown): boolean => typeof (error as { syscall?: unknown } | null)?.syscall === 'string'

/** Whether the operating system gave an error, or the one that it is told by. */
export const isFromSystem = (error: unknown): boolean => isOfSystem(error) || isOfSystem((error as { cause?: unknown } | null)?.cause)

/** What an error of the system says, for another thread: classes and fields of errors do not survive the message. */
export interface SystemWords {
  readonly message: string
  readonly syscall: string | undefined
  readonly code: string | undefined
  readonly errno: number | undefined
  readonly path: string | undefined
}

export const systemWordsOf = ({ message, syscall, code, errno, path }: NodeJS.ErrnoException): SystemWords => ({ message, syscall, code, errno, path })

/** The error of the system that another thread told in words. */
export const systemErrorOf = ({ message, ...fields }: SystemWords): NodeJS.ErrnoException => Object.assign(new Error(message), fields)

export const codeOf = (error: unknown): string | undefined => (error as { code?: string } | null)?.code

/** What `act` gives, which reads what is at a path. Throws InputError where this process may not read it. */
export function allowedToRead<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (codeOf(error) !== 'EACCES' && codeOf(error) !== 'EPERM') throw error
    throw new InputError(`cannot be read (${(error as Error).message})`, { position: { file: path }, hint: 'its owner or its rights do not allow it', cause: error })
  }
}

/** The bytes of a file. Throws what the system says, with the path, which Node leaves out of EISDIR. */
export function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    if (isOfSystem(error) && (error as NodeJS.ErrnoException).path === undefined) Object.assign(error as Error, { path, message: `${(error as Error).message} '${path}'` })
    throw error
  }
}
