import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Draw } from '../draws.ts'
import type { Call } from './strace.ts'

/** What a disk has, by path below a folder. Null stands for a folder. */
export type Image = ReadonlyMap<string, Buffer | null>



/** A file: what was written to it, and what the disk is known to have. */
class Content {
  bytes: Buffer
  /** Contents since the last fsync, oldest first. The disk may have any of them. */
  possible: Buffer[]

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.possible = [bytes]
  }

  set(bytes: Buffer): void {
    this.bytes = bytes
    this.possible.push(bytes)
  }

  sync(): void {
    this.possible = [this.bytes]
  }

  /** One of them, or a torn one: the rest of the last is zeros, as in a block that was allocated and never written. */
  afterCut(draw: Draw): Buffer {
    const drawn = this.possible[draw(this.possible.length)]!
    if (this.possible.length === 1 || drawn.length === 0 || draw(3) > 0) return drawn
    const torn = Buffer.from(drawn)
    return torn.fill(0, draw(drawn.length))
  }
}

/** A folder: names as processes see them, and as the disk is known to have them. */
class Folder {
  readonly now: Entries = new Map()
  safe: Entries = new Map()
}

type Entry = Content | Folder
type Entries = Map<string, Entry>

/** Entries that one call set or removed (null), together, on the disk as soon as one of their folders is synced. */
type Change = readonly { readonly folder: Folder; readonly name: string; readonly entry: Entry | null }[]

/**
 * A disk that promises no more than POSIX: what was written is there when the file was synced, and a name when its folder was. Of all else
 * each change is there or not, in any combination, and a file may have been written in part. A rename is there as a whole.
 */
export class Disk {
  private readonly path: string
  private readonly root = new Folder()
  private pending: Change[] = []
  /** Where `write` goes on, by file; every file of ours is written from its start and by one writer. */
  private readonly ends = new Map<Content, number>()

  constructor(path: string, image: Image) {
    this.path = path
    for (const [name, bytes] of image) {
      const { folder, name: own } = this.placeOf(join(path, name))!
      folder.now.set(own, bytes === null ? new Folder() : new Content(bytes))
    }
    makeSafe(this.root)
  }

  take(call: Call): void {
    const [path = '', to = ''] = call.paths
    const file = this.entryAt(path)
    switch (call.name) {
      case 'openat': return this.open(path, call.flag)
      case 'write':
      case 'pwrite64': return file instanceof Content ? this.write(file, call) : undefined
      case 'ftruncate':
      case 'truncate': return file instanceof Content ? file.set(resized(file.bytes, call.offset!)) : undefined
      case 'fsync': return this.sync(file)
      case 'rename': return this.change([path, null], [to, file])
      case 'link': return this.change([to, file])
      case 'mkdir': return this.change([path, new Folder()])
      default: return this.change([path, null])
    }
  }

  /** What may be found after a power cut at this moment: none of the changes that may be there, all, one of them, all but one, and a few at random. */
  * afterCut(draw: Draw): Generator<Image> {
    const changes = [...this.pending.keys()]
    yield this.found(() => false, draw)
    yield this.found(() => true, draw)
    for (const one of changes) {
      yield this.found((i) => i === one, draw)
      yield this.found((i) => i !== one, draw)
    }
    if (changes.length > 2) yield this.found(() => draw(2) === 0, draw)
  }

  private found(isThere: (change: number) => boolean, draw: Draw): Image {
    const found = new Map<Folder, Entries>()
    for (const [i, change] of this.pending.entries()) {
      if (!isThere(i)) continue
      for (const { folder, name, entry } of change) {
        if (!found.has(folder)) found.set(folder, new Map(folder.safe))
        if (entry === null) found.get(folder)!.delete(name)
        else found.get(folder)!.set(name, entry)
      }
    }
    return walked(this.root, (folder) => found.get(folder) ?? folder.safe, (content) => content.afterCut(draw))
  }

  /** What a killed process leaves. */
  asWritten(): Image {
    return walked(this.root, (folder) => folder.now, ({ bytes }) => bytes)
  }

  /** Undefined for what lies elsewhere, or in a folder that is not there. */
  private placeOf(path: string): { readonly folder: Folder; readonly name: string } | undefined {
    if (!path.startsWith(`${this.path}/`)) return undefined
    const names = path.slice(this.path.length + 1).split('/')
    let folder: Entry | undefined = this.root
    for (const name of names.slice(0, -1)) folder = folder instanceof Folder ? folder.now.get(name) : undefined
    return folder instanceof Folder ? { folder, name: names.at(-1)! } : undefined
  }

  private entryAt(path: string): Entry | null {
    if (path === this.path) return this.root
    const place = this.placeOf(path)
    return place?.folder.now.get(place.name) ?? null
  }

  private open(path: string, isEmptied: boolean): void {
    let file = this.entryAt(path)
    if (file === null) this.change([path, file = new Content(Buffer.alloc(0))])
    else if (isEmptied && file instanceof Content) file.set(Buffer.alloc(0))
    if (file instanceof Content) this.ends.set(file, 0)
  }

  private write(file: Content, { data, offset }: Call): void {
    const from = offset ?? this.ends.get(file) ?? file.bytes.length
    const bytes = resized(file.bytes, Math.max(file.bytes.length, from + data.length))
    data.copy(bytes, from)
    file.set(bytes)
    if (offset === null) this.ends.set(file, from + data.length)
  }

  private sync(entry: Entry | null): void {
    if (entry instanceof Content) return entry.sync()
    const isHere = (change: Change): boolean => change.some(({ folder }) => folder === entry)
    for (const change of this.pending.filter(isHere)) for (const { folder, name, entry: set } of change) setEntry(folder.safe, name, set)
    this.pending = this.pending.filter((change) => !isHere(change))
  }

  private change(...entries: readonly (readonly [path: string, entry: Entry | null])[]): void {
    const change = entries.flatMap(([path, entry]) => {
      const place = this.placeOf(path)
      return place === undefined ? [] : [{ ...place, entry }]
    })
    for (const { folder, name, entry } of change) setEntry(folder.now, name, entry)
    if (change.length > 0) this.pending.push(change)
  }
}

function setEntry(entries: Entries, name: string, entry: Entry | null): void {
  if (entry === null) entries.delete(name)
  else entries.set(name, entry)
}

function makeSafe(folder: Folder): void {
  folder.safe = new Map(folder.now)
  for (const entry of folder.now.values()) if (entry instanceof Folder) makeSafe(entry)
}

function resized(bytes: Buffer, length: number): Buffer {
  const other = Buffer.alloc(length)
  bytes.copy(other)
  return other
}

function walked(root: Folder, entriesOf: (folder: Folder) => Entries, bytesOf: (content: Content) => Buffer): Image {
  const image = new Map<string, Buffer | null>()
  const visit = (folder: Folder, prefix: string): void => {
    for (const [name, entry] of entriesOf(folder)) {
      image.set(`${prefix}${name}`, entry instanceof Folder ? null : bytesOf(entry))
      if (entry instanceof Folder) visit(entry, `${prefix}${name}/`)
    }
  }
  visit(root, '')
  return new Map([...image].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Puts an image into a folder. */
export function put(image: Image, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [path, bytes] of image) {
    if (bytes === null) mkdirSync(join(folder, path), { recursive: true })
    else {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), bytes)
    }
  }
}

/** A disk after a power cut, which came after `at` calls. */
export interface Cut {
  readonly at: number
  readonly image: Image
}

/** Each state that a power cut between any two calls may leave, once. */
export function distinctCuts(disk: Disk, calls: readonly Call[], draw: Draw): Cut[] {
  const cuts = new Map<string, Cut>()
  for (const [i, call] of calls.entries()) {
    disk.take(call)
    for (const image of disk.afterCut(draw)) {
      const hash = createHash('sha256')
      for (const [path, bytes] of image) hash.update(`${path}\n${bytes === null ? '' : bytes.length}\n`).update(bytes ?? '')
      cuts.set(hash.digest('hex'), { at: i + 1, image })
    }
  }
  return [...cuts.values()]
}

/** What was read of a folder, as bytes of one character each. */
export const imageOf = (contents: ReadonlyMap<string, string | null>): Image =>
  new Map([...contents].map(([name, text]) => [name, text === null ? null : Buffer.from(text, 'latin1')]))

export const textOf = (image: Image): Map<string, string | null> =>
  new Map([...image].map(([name, bytes]) => [name, bytes === null ? null : bytes.toString('latin1')]))
