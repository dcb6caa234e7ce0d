import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { NeededFolder, permitted, syncFolder } from '../result/folders.ts'
import { aboutFile } from '../unit/aboutFile.ts'

/** In the names of this process's files that grow: numbers of processes are not distinct where containers share a folder. */
const TOKEN = randomBytes(8).toString('hex')

/** Temporary files of this age were left by a process that died, ms. */
const OLD_MS = 3_600_000

const EVERYBODY = 0o666

/** The folder of a result that is not committed (`PARTIAL` of src/result/place.ts), and what lies above it. */
const GROWING = /^.*[\\/]\.partial-[0-9a-f]{16}(?=[\\/])/

/** The name of a file until it is complete. Git ignores it. */
export const temporaryNameOf = (path: string): string => `${path}.${TOKEN}.tmp`

/** Waits until the disk has the bytes of a file that somebody else wrote. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    aboutFile(path, () => { fsyncSync(descriptor) })
  } finally {
    closeSync(descriptor)
  }
}

/** Gives a complete temporary file or folder its final name: all of it becomes visible at once. */
export function publish(temporary: string, path: string, isDurable = true): void {
  renameSync(temporary, path)
  // The new name is durable once its folder is.
  if (isDurable) syncFolder(dirname(path))
}

/** Makes the folders in which a result grows, but never the first of them: when it is gone, another process has taken the result over. */
function makeGrowing(path: string, growing: string): void {
  let folder = growing
  for (const name of path.slice(growing.length).split(/[\\/]/).filter((part) => part !== '')) {
    folder = join(folder, name)
    try {
      mkdirSync(folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/**
 * A file that appears under its name only when it is complete. It is written beside its place under a temporary name, and `finish`
 * renames it. A process that dies leaves at most the temporary file. Missing folders are made. Throws InputError where nothing can be made.
 */
export class WholeFile {
  declare readonly path: string
  declare readonly temporary: string
  bytesWritten = 0
  private declare descriptor: number
  private declare readonly isDurable: boolean
  private declare readonly mode: number
  private declare readonly folder: NeededFolder
  private isOver = false

  /**
   * @param isDurable false for a file that is read and removed soon, so that nothing waits for the disk.
   * @param mode of the file, less the bits that the process leaves out (umask).
   */
  constructor(path: string, isDurable = true, mode = EVERYBODY) {
    this.path = path
    this.isDurable = isDurable
    this.mode = mode
    this.temporary = temporaryNameOf(path)
    this.folder = new NeededFolder(dirname(path))
    this.descriptor = permitted(() => this.begin())
  }

  write(bytes: Uint8Array): void {
    let from = 0
    while (from < bytes.byteLength) from += aboutFile(this.path, () => writeSync(this.descriptor, bytes, from, bytes.byteLength - from))
    this.bytesWritten += bytes.byteLength
  }

  /** Waits until the disk has the bytes, then gives the file its name. */
  finish(): void {
    if (this.isDurable) aboutFile(this.path, () => { fsyncSync(this.descriptor) })
    this.close()
    permitted(() => { publish(this.temporary, this.path, this.isDurable) })
    this.isOver = true
  }

  /** Removes what was written. Harmless after `finish`. */
  abort(): void {
    if (this.isOver) return
    this.isOver = true
    this.close()
    rmSync(this.temporary, { force: true })
    this.folder.removeIfEmpty()
  }

  private begin(): number {
    const [growing] = GROWING.exec(this.folder.path + sep) ?? []
    const open = (): number => openSync(this.temporary, 'w', this.mode)
    if (growing === undefined) return this.folder.holding(open)
    makeGrowing(this.folder.path, growing)
    return open()
  }

  private close(): void {
    if (this.descriptor >= 0) closeSync(this.descriptor)
    this.descriptor = -1
  }
}

/** Removes temporary files that dead processes left of a file. `nowMs`: by the clock of the file system. */
function removeOld(path: string, nowMs: number): void {
  const [folder, begin] = [dirname(path), `${basename(path)}.`]
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(begin) || !name.endsWith('.tmp')) continue
    const age = statSync(join(folder, name), { throwIfNoEntry: false })
    if (age !== undefined && nowMs - age.mtimeMs > OLD_MS) rmSync(join(folder, name), { force: true })
  }
}

/** Writes a text file whole or not at all. Of one that a process left half-written an hour ago or earlier, nothing stays. */
export function writeWholeText(path: string, text: string, mode?: number): void {
  const file = new WholeFile(path, true, mode)
  try {
    removeOld(path, statSync(file.temporary).mtimeMs)
    file.write(new TextEncoder().encode(text))
    file.finish()
  } catch (error) {
    file.abort()
    throw error
  }
}

/** Writes a value as indented JSON with a final newline, whole or not at all. Keys keep the order of the value. */
export function writeWholeJson(path: string, value: unknown): void {
  writeWholeText(path, JSON.stringify(value, null, 2) + '\n')
}
