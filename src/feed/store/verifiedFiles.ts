import { type BigIntStats, fstatSync, statSync } from 'node:fs'
import { InputError } from '../../unit/inputError.ts'
import { checkHash, storePlace } from './storeFiles.ts'
import type { StoreHead } from './storeHead.ts'

/**
 * The files of a store as `store.json` was when it was opened. An import that replaces the store gives new files the old names. So a file is
 * compared with its hash when it is read first, and again as soon as another one is in its place: whoever has opened a store reads that one
 * or is refused. All that is thrown is InputError with the file.
 */
export class VerifiedFiles {
  private declare readonly path: string
  private declare readonly head: StoreHead
  private declare readonly isTrusted: boolean
  /** By name, what the system says of the file that was found to be the right one. */
  private readonly known = new Map<string, string>()

  /** @param isTrusted whether a file that is read first is not compared: somebody has just done that. */
  constructor(path: string, head: StoreHead, isTrusted: boolean) {
    this.path = path
    this.head = head
    this.isTrusted = isTrusted
  }

  /** Compares a file with its hash, unless that has been done. Returns what the system says of it. */
  check(name: string): string {
    const found = this.identity(name)
    if (found === null) throw new InputError('the file is missing', { position: { file: storePlace(this.path, name) }, hint: REPLACED })
    if (this.known.get(name) === found) return found
    if (!this.isTrusted || this.known.has(name)) {
      checkHash(this.path, this.head, name)
      if (this.identity(name) !== found) throw this.replaced(name)
    }
    this.known.set(name, found)
    return found
  }

  /** What `read` makes of some files, which it opens by their names: none of them is replaced meanwhile. */
  whole<T>(names: readonly string[], read: () => T): T {
    for (;;) {
      const before = names.map((name) => this.check(name))
      const value = read()
      if (names.every((name, i) => this.identity(name) === before[i])) return value
    }
  }

  /** Refuses a file that is open under a name, unless it is the one that the store had when it was opened. */
  checkOpen(name: string, file: number): void {
    const found = identityOf(fstatSync(file, { bigint: true }))
    if (this.known.get(name) !== found && this.check(name) !== found) throw this.replaced(name)
  }

  private identity(name: string): string | null {
    const stat = statSync(storePlace(this.path, name), { bigint: true, throwIfNoEntry: false })
    return stat === undefined ? null : identityOf(stat)
  }

  private replaced(name: string): InputError {
    return new InputError('the file was replaced while it was read', { position: { file: storePlace(this.path, name) }, hint: REPLACED })
  }
}

const REPLACED = 'an import has replaced the store meanwhile: begin again'

/** A file that is written anew has another number, and one that is written over another time. */
const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs, ctimeNs].join(' ')
