import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { allowedToRead, bytesOf, codeOf } from '../result/failures.ts'
import { isFirst } from '../result/firstName.ts'
import { makeFolders, permitted } from '../result/folders.ts'
import { LeasedFolder } from '../result/leasedFolder.ts'
import { checkKey, type ObjectStore } from './objectStore.ts'

/**
 * A store in a folder, of this machine or of a disk that several share: a file for each key. Nothing waits for the disk, so that after a power cut
 * a file may be cut off: whoever reads one compares it with its hash. Throws InputError where the system allows nothing.
 */
export class FolderStore implements ObjectStore {
  readonly place: string
  /** Files lie here until they have their names. What a process that was killed leaves is removed by the next one. */
  private readonly scratch: LeasedFolder
  private written = 0

  constructor(dir: string) {
    this.place = dir
    this.scratch = new LeasedFolder(dir, '.writing-')
  }

  get(key: string): Promise<Uint8Array | null> {
    return settled(() => {
      const path = this.pathOf(key)
      return orAbsent(() => allowedToRead(path, () => bytesOf(path)), null)
    })
  }

  putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    return settled(() => {
      const path = this.pathOf(key)
      this.scratch.make()
      const own = join(this.scratch.path, String(++this.written))
      try {
        return permitted(() => {
          writeFileSync(own, bytes)
          makeFolders(dirname(path))
          return isFirst(own, path)
        })
      } finally {
        rmSync(own, { force: true })
      }
    })
  }

  has(key: string): Promise<boolean> {
    return settled(() => statSync(this.pathOf(key), { throwIfNoEntry: false }) !== undefined)
  }

  async * list(prefix: string): AsyncGenerator<string> {
    // Below the folder of the prefix its last part need not be whole.
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
    for (const key of this.below(folder)) if (key.startsWith(prefix)) yield key
  }

  delete(key: string): Promise<void> {
    return settled(() => { permitted(() => { rmSync(this.pathOf(key), { force: true }) }) })
  }

  close(): Promise<void> {
    return settled(() => { this.scratch.remove() })
  }

  private pathOf(key: string): string {
    checkKey(key)
    return join(this.place, ...key.split('/'))
  }

  /** The keys below a folder, which is empty or ends with a slash. */
  private * below(folder: string): Generator<string> {
    const path = join(this.place, ...folder.split('/'))
    const entries = orAbsent(() => allowedToRead(path, () => readdirSync(path, { withFileTypes: true })), [])
    // Files and folders in the order of their whole keys: `a-b` comes before `a/b`.
    const named = entries.filter(({ name }) => !name.startsWith('.')).map((entry) => ({ isFolder: entry.isDirectory(), key: `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}` }))
    for (const { key, isFolder } of named.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      if (isFolder) yield * this.below(key)
      else yield key
    }
  }
}

/** What is thrown at once becomes a rejection, as of a store far away. */
const settled = async <T>(act: () => T): Promise<T> => act()

/** What `act` gives, and `absent` where the system has no such file or folder. */
function orAbsent<T>(act: () => T, absent: T): T {
  try {
    return act()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return absent
    throw error
  }
}
