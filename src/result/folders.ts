import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, rmdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { aboutFile } from '../unit/aboutFile.ts'
import { InputError } from '../unit/inputError.ts'
import { codeOf, isOfSystem } from './failures.ts'

/** What a system says that cannot wait for the names in a folder, or lets nobody read them. PostgreSQL goes on after the same (`fsync_fname_ext`). */
const UNSYNCED = ['EINVAL', 'EBADF', 'EACCES']

/** What is wrong with a path that leads nowhere, by what the system says. */
const UNREACHABLE: Readonly<Record<string, string>> = { ELOOP: 'its links lead in a circle', ENAMETOOLONG: 'the name is too long' }

/** So often something is made again because another process removed a folder meanwhile. Each process removes its own once. */
const TRIES_MAX = 100

/** Waits until the disk has the names in a folder, where the system can do so: Windows cannot open folders. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  try {
    const folder = openSync(path, 'r')
    try {
      aboutFile(path, () => { fsyncSync(folder) })
    } finally {
      closeSync(folder)
    }
  } catch (error) {
    if (!UNSYNCED.includes(codeOf(error)!)) throw error
  }
}

/**
 * Makes a folder and those above it, durably, and returns those that it made, the outermost first. What another process removes meanwhile is
 * made again. Where one cannot be made, none stays. What the system throws names the folder that cannot be made: Node's own recursion says
 * ENOENT of a read-only disk.
 */
export function makeFolders(path: string): string[] {
  const made: string[] = []
  try {
    persistently(() => { makeMissing(path, made) })
    return made
  } catch (error) {
    removeEmpty(made)
    throw error
  }
}

function makeMissing(path: string, made: string[]): void {
  const above = dirname(path)
  try {
    if (isFolder(path)) return
  } catch (error) {
    // The system names the whole path, also where a folder above is at fault.
    if (above !== path && (codeOf(error) ?? '') in UNREACHABLE) makeMissing(above, made)
    throw error
  }
  if (above !== path) makeMissing(above, made)
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process was quicker.
    if (codeOf(error) === 'EEXIST' && isFolder(path)) return
    throw error
  }
  made.push(path)
  syncFolder(above)
}

/** What `act` gives, which is tried again where another process may have removed a folder in the middle of it. */
function persistently<T>(act: () => T): T {
  for (let tries = 1; ; tries++) {
    try {
      return act()
    } catch (error) {
      if (tries === TRIES_MAX || !isOfRace(error)) throw error
    }
  }
}

/** Whether it is an error of what is not there, or of something in a folder's place that is not there any more. */
function isOfRace(error: unknown): boolean {
  const { code, syscall, path } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || (code === 'EEXIST' && syscall === 'mkdir' && lstatSync(path!, { throwIfNoEntry: false }) === undefined)
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY', 'EPERM'].includes(codeOf(error)!)) throw error
  }
}

/** Removes folders that `makeFolders` made, as far as nothing is in them. What a faulty disk keeps stays. */
function removeEmpty(made: readonly string[]): void {
  try {
    for (const folder of made.toReversed()) removeIfEmpty(folder)
  } catch (error) {
    if (!isOfSystem(error)) throw error
  }
}

/** A folder that is made when it is needed. When nothing came to lie in it, it goes again with those above it that were made for it. */
export class NeededFolder {
  readonly path: string
  private readonly own: string[]

  /** @param made those that were made for it already, the outermost first. */
  constructor(path: string, made: readonly string[] = []) {
    this.path = path
    this.own = [...made]
  }

  /** The folders that were made for it, the outermost first. */
  get made(): readonly string[] {
    return this.own
  }

  /** Harmless when it is there. Throws what the system says. */
  make(): void {
    this.own.push(...makeFolders(this.path))
  }

  /** What `act` gives, which makes something in the folder. The folder is made before, and again where another process removes it meanwhile. Nothing stays when it throws. */
  holding<T>(act: () => T): T {
    try {
      return persistently(() => {
        this.make()
        return act()
      })
    } catch (error) {
      this.removeIfEmpty()
      throw error
    }
  }

  /** Harmless when something is in it, and when it was there before. */
  removeIfEmpty(): void {
    removeEmpty(this.own)
  }
}

/** What `act` gives, which makes files or folders. Throws as `refusalOf`. */
export function permitted<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw refusalOf(error)
  }
}

/** What to throw for an error of the system: InputError with the folder in which nothing can be made, or with what stands in the place of a folder or a file. */
export function refusalOf(error: unknown): unknown {
  const { code, path, dest, syscall, message } = error as NodeJS.ErrnoException & { readonly dest?: string }
  if (path === undefined) return error
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    const why = code === 'EROFS' ? 'the disk is read-only' : 'its owner or its rights do not allow it'
    return new InputError(`nothing can be made here (${message})`, { position: { file: dirname(path) }, hint: `${why}: choose another folder`, cause: error })
  }
  const unreachable = UNREACHABLE[code ?? '']
  if (unreachable !== undefined) return new InputError(unreachable, { position: { file: path }, hint: 'choose another folder', cause: error })
  if (code === 'EEXIST' && syscall === 'mkdir') return new InputError('is no folder', { position: { file: path }, hint: 'choose another folder', cause: error })
  if (code === 'EISDIR' && dest !== undefined) return new InputError('is a folder', { position: { file: dest }, hint: 'expected the path of a file', cause: error })
  return error
}
