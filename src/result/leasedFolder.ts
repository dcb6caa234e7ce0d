import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
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
  private lease: Lease | null = null

  /** Nothing is made yet. @param prefix of its name, which ends with a random token. */
  constructor(parent: string, prefix: string) {
    this.parent = parent
    this.prefix = prefix
    this.path = join(parent, `${prefix}${newToken()}`)
  }

  /** Makes the folder, and removes those that dead processes left beside it. Harmless when it is there. */
  make(): void {
    if (this.lease !== null && existsSync(this.path)) return
    mkdirSync(this.path, { recursive: true })
    this.lease = Lease.take(join(this.path, LEASE_NAME))
    for (const name of readdirSync(this.parent)) if (name.startsWith(this.prefix) && OWN_END.test(name.slice(this.prefix.length))) removeStale(join(this.parent, name))
  }

  remove(): void {
    this.lease?.release()
    this.lease = null
    rmSync(this.path, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Removes a folder whose lease nobody renews. One without a lease is being made or removed, or was when its process died. */
function removeStale(path: string): void {
  try {
    if ((leaseAgeMs(join(path, LEASE_NAME)) ?? leaseAgeMs(path) ?? 0) < STALE_MS) return
    const gone = `${path}-${newToken()}`
    renameSync(path, gone)
    rmSync(gone, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    // Another process was quicker, or it is another user's.
    if (!isOfSystem(error)) throw error
  }
}
