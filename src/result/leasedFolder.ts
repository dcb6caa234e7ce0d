import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { NeededFolder, refusalOf, removeIfEmpty } from './folders.ts'
import { Lease, leaseAgeMs, newToken } from './lease.ts'
import { isOfSystem, STALE_MS } from './failures.ts'

const LEASE_NAME = 'lease'
/** After the prefix. What ends in another way is somebody else's. */
const OWN_END = /^[0-9a-f]{16}(?:-[0-9a-f]{16})?$/

/** A folder for one process's temporary files. When its lease is stale, the next process that makes such a folder removes it. */
export class LeasedFolder {
  readonly path: string
  private readonly parent: string
  private readonly prefix: string
  private readonly needed: NeededFolder
  private lease: Lease | null = null

  /** Nothing is made yet. @param prefix of its name, which ends with a random token. */
  constructor(parent: string, prefix: string) {
    this.parent = parent
    this.prefix = prefix
    this.path = join(parent, `${prefix}${newToken()}`)
    this.needed = new NeededFolder(this.path)
  }

  /** Makes the folder, and removes those that dead processes left beside it. Harmless when it is there. Throws InputError where nothing can be made. */
  make(): void {
    if (this.lease !== null && existsSync(this.path)) return
    try {
      this.needed.make()
      // Another process removes the folder as long as it is empty.
      this.lease = Lease.take(join(this.path, LEASE_NAME), () => { this.needed.make() })
    } catch (error) {
      this.needed.removeIfEmpty()
      throw refusalOf(error)
    }
    for (const name of readdirSync(this.parent)) if (name.startsWith(this.prefix) && OWN_END.test(name.slice(this.prefix.length))) removeStale(join(this.parent, name))
  }

  /** Removes it, and the folders above it that were made for it and are empty. What the system does not remove is left to the next process that makes such a folder. */
  remove(): void {
    try {
      this.lease?.release()
      rmSync(this.path, { recursive: true, force: true, maxRetries: 3 })
    } catch (error) {
      if (!isOfSystem(error)) throw error
    }
    this.lease = null
    this.needed.removeIfEmpty()
  }
}

/** Removes a folder that is empty, or whose lease nobody renews. One with files and no lease is being removed, or was when its process died. */
function removeStale(path: string): void {
  try {
    removeIfEmpty(path)
    if ((leaseAgeMs(join(path, LEASE_NAME)) ?? leaseAgeMs(path) ?? 0) < STALE_MS) return
    const gone = `${path}-${newToken()}`
    renameSync(path, gone)
    rmSync(gone, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    // Another process was quicker, or it is another user's.
    if (!isOfSystem(error)) throw error
  }
}
