import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { aboutFile } from '../unit/aboutFile.ts'

/** In the names of this process's files that grow: numbers of processes are not distinct where containers share a folder. */
const TOKEN = randomBytes(8).toString('hex')

/** Temporary files of this age were left by a process that died, ms. */
const OLD_MS = 3_600_000

/** The folder of a result that is not committed (`PARTIAL` of src/result/place.ts), and what lies above it. */
const GROWING = /^.*[\\/]\.partial-[0-9a-f]{16}(?=[\\/])/

/** The name of a file until it is complete. Git ignores it. */
export const temporaryNameOf = (path: string): string => `${path}.${TOKEN}.tmp`

function sync(path: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(path, flags)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Waits until the disk has the bytes of a file that somebody else wrote. */
export const syncFile = (path: string): void => sync(path, 'r+')

/** Gives a complete temporary file or folder its final name: all of it becomes visible at once. */
export function publish(temporary: string, path: string, isDurable = true): void {
  renameSync(temporary, path)
  // The new name is durable once its folder is; Windows cannot open folders.
  if (isDurable && process.platform !== 'win32') sync(dirname(path), 'r')
}

/** Makes missing folders, but never the one in which a result grows: when it is gone, another process has taken the result over. */
function makeFolders(path: string): void {
  const [growing] = GROWING.exec(path + sep) ?? []
  if (growing === undefined) {
    mkdirSync(path, { recursive: true })
    return
  }
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
 * renames it. A process that dies leaves at most the temporary file. Missing folders are made.
 */
export class WholeFile {
  declare readonly path: string
  declare readonly temporary: string
  bytesWritten = 0
  private declare descriptor: number
  private declare readonly isDurable: boolean

  /** @param isDurable false for a file that is read and removed soon, so that nothing waits for the disk. */
  constructor(path: string, isDurable = true) {
    this.path = path
    this.isDurable = isDurable
    this.temporary = temporaryNameOf(path)
    makeFolders(dirname(path))
    this.descriptor = openSync(this.temporary, 'w')
  }

  write(bytes: Uint8Array): void {
    let from = 0
    while (from < bytes.byteLength) from += aboutFile(this.path, () => writeSync(this.descriptor, bytes, from, bytes.byteLength - from))
    this.bytesWritten += bytes.byteLength
  }

  /** Waits until the disk has the bytes, then gives the file its name. */
  finish(): void {
    if (this.isDurable) fsyncSync(this.descriptor)
    this.close()
    publish(this.temporary, this.path, this.isDurable)
  }

  /** Removes what was written. Harmless after `finish`. */
  abort(): void {
    if (this.descriptor < 0) return
    this.close()
    rmSync(this.temporary, { force: true })
  }

  private close(): void {
    closeSync(this.descriptor)
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
export function writeWholeText(path: string, text: string): void {
  const file = new WholeFile(path)
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
