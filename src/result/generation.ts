import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, statSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { aboutFile } from '../unit/aboutFile.ts'
import { InputError } from '../unit/inputError.ts'
import { describeFile, hashOf, MANIFEST_NAME, type NamedFile, type NamedFiles, readHead, SIGNATURES_NAME } from './head.ts'
import { isLease, Lease, leaseAgeMs, type LeaseWait, mayBeLease } from './lease.ts'
import { allowedToRead, codeOf, FaultAfterCommit, isFromSystem, isOfSystem, LeaseLost, STALE_MS } from './failures.ts'
import { NeededFolder, refusalOf, removeIfEmpty, syncFolder } from './folders.ts'
import { GENERATION, isOwnName, namesIn, PARTIAL, REPLACED_NAME, refuseLinks, removeFolder, settle, takeOver } from './place.ts'

/** The lease of a result's folder. */
export const LEASE_NAME = '.lease'
const PROBE_NAME = /^\.lease\.[0-9a-f]{16}$/

export interface GenerationOptions extends LeaseWait {
  /** The manifest's name, by default `manifest.json`. */
  readonly manifest?: string
}

/** A generation as another thread of its process names it. */
export interface BegunGeneration {
  readonly dir: string
  readonly manifest: string
  readonly token: string
  /** The folders that were made for it, the outermost first. */
  readonly made: readonly string[]
}

export interface CommitOptions {
  /** Files of the result before, which stay as they are. */
  readonly kept?: NamedFiles
  /** The order of the files in the manifest; that of their names by default. */
  readonly order?: readonly string[]
  /** Files whose lengths and hashes are left out. */
  readonly unhashed?: readonly string[]
  /** Files that a result without a list of its files may have left, and that go. */
  readonly replaced?: readonly string[]
}

/**
 * The files of a result while they are made (docs/decisions/0016): they grow in `folder`, inside of the result's folder, and all become the
 * result by `commit`. A process that dies leaves the old result or the new one, and what else it leaves the next writer clears away.
 */
export class Generation {
  /** The result's folder. */
  readonly dir: string
  /** Where the files are written. */
  readonly folder: string
  private readonly needed: NeededFolder
  private readonly manifest: string
  private readonly lease: Lease
  private isOver = false

  private constructor(needed: NeededFolder, lease: Lease, manifest: string) {
    this.needed = needed
    this.dir = needed.path
    this.lease = lease
    this.manifest = manifest
    this.folder = join(this.dir, `${PARTIAL}${lease.token}`)
  }

  /** Begins a generation in a folder, which is made. Throws InputError where another process writes it, unless it is waited for. */
  static async begin(path: string, options: GenerationOptions = {}): Promise<Generation> {
    const needed = new NeededFolder(resolve(path))
    try {
      needed.make()
      const lease = await Lease.wait(join(needed.path, LEASE_NAME), { ...options, makeFolder: () => { needed.make() } })
      if (lease !== null) return Generation.withLease(needed, lease, options.manifest)
    } catch (error) {
      needed.removeIfEmpty()
      throw refusalOf(error)
    }
    throw new InputError('another process writes here', { position: { file: path }, hint: 'wait until it has ended, or choose another folder' })
  }

  /** Begins a generation as `begin` does. Returns null where another process writes, or may have died a moment ago. */
  static beginIfFree(path: string, { manifest, isPrompt }: { readonly manifest?: string | undefined; readonly isPrompt?: boolean | undefined } = {}): Generation | null {
    const needed = new NeededFolder(resolve(path))
    try {
      needed.make()
      const lease = Lease.take(join(needed.path, LEASE_NAME), () => { needed.make() }, isPrompt)
      return lease === null ? null : Generation.withLease(needed, lease, manifest)
    } catch (error) {
      needed.removeIfEmpty()
      throw refusalOf(error)
    }
  }

  /** Gives up what a thread of this process was writing when it was ended. Harmless when that thread had come to an end with it. */
  static clear({ dir, manifest, token, made }: BegunGeneration): void {
    const lease = Lease.of(join(dir, LEASE_NAME), token)
    if (lease !== null) new Generation(new NeededFolder(dir, made), lease, manifest).discard()
  }

  get begun(): BegunGeneration {
    return { dir: this.dir, manifest: this.manifest, token: this.lease.token, made: this.needed.made }
  }

  private static withLease(needed: NeededFolder, lease: Lease, manifest = MANIFEST_NAME): Generation {
    const generation = new Generation(needed, lease, manifest)
    try {
      refuseNoFile(join(needed.path, manifest))
      takeOver(needed.path, manifest)
      generation.refuseLinksTo(Object.keys(readHead(needed.path, manifest)?.files ?? {}))
      mkdirSync(generation.folder)
      return generation
    } catch (error) {
      generation.discard()
      throw error
    }
  }

  /**
   * Makes what lies in `folder` the result: writes the manifest with the lengths and hashes of all files as its last field, and gives it its
   * name. Throws LeaseLost where another process has taken over, FaultAfterCommit where the result is the new one and the disk failed afterwards.
   */
  commit(fields: Readonly<Record<string, unknown>>, options: CommitOptions = {}): void {
    try {
      this.commitWith(fields, options)
    } catch (error) {
      if (this.isOver || error instanceof LeaseLost || this.lease.isHeld) throw refusalOf(error)
      throw new LeaseLost(this.dir, error)
    }
  }

  /** Gives up what was not committed; the lease goes back. Harmless after `commit`. What a faulty disk keeps, the next writer clears away. */
  discard(): void {
    if (this.isOver) return
    this.isOver = true
    try {
      if (this.lease.isHeld) takeOver(this.dir, this.manifest)
    } catch (error) {
      if (!isFromSystem(error)) throw error
    }
    this.end()
  }

  /**
   * Discards, after an error. Returns what to throw: LeaseLost where another process has taken over, whatever the error. It may be that of a
   * file that was not there, in the words of another thread.
   */
  giveUp(error: unknown): unknown {
    const isLost = !this.isOver && !(error instanceof LeaseLost) && !this.lease.isHeld
    this.discard()
    return isLost ? new LeaseLost(this.dir, error) : error
  }

  /** Gives the lease back, and removes a folder in which there is nothing. */
  private end(): void {
    try {
      this.lease.release()
      removeIfEmpty(this.dir)
      this.needed.removeIfEmpty()
    } catch (error) {
      if (!isFromSystem(error)) throw error
    }
  }

  private commitWith(fields: Readonly<Record<string, unknown>>, { kept = {}, order, unhashed = [], replaced = [] }: CommitOptions): void {
    const { dir, folder, manifest } = this
    const made = durableFiles(folder, manifest)
    const names = order ?? Object.keys({ ...kept, ...made }).sort()
    const files = Object.fromEntries(names.map((name): [string, NamedFile] =>
      [name, unhashed.includes(name) ? { bytes: null, sha256: null } : (made[name] ?? kept[name])!]))
    const before = readHead(dir, manifest)
    const text = `${JSON.stringify({ ...fields, files }, null, 2)}\n`
    // Signatures of other bytes go with the files that those bytes name.
    const unsigned = before?.hash === hashOf(text) ? [] : [SIGNATURES_NAME]
    writeDurably(join(folder, REPLACED_NAME), JSON.stringify([...(before?.files === null || before === null ? replaced : Object.keys(before.files)), ...unsigned]))
    writeDurably(join(folder, manifest), text)
    syncFolder(folder)
    const complete = join(dir, `${GENERATION}${hashOf(text)}`)
    removeFolder(dir, complete)
    renameSync(folder, complete)
    syncFolder(dir)
    if (!this.lease.isHeld) throw new LeaseLost(dir)
    this.refuseLinksTo(Object.keys(made))
    // From here on the result is the new one. Whoever takes over moves the folder first, so that this cannot happen after that.
    this.giveName(join(complete, manifest), hashOf(text))
    this.isOver = true
    try {
      syncFolder(dir)
      settle(dir, manifest)
    } catch (error) {
      throw isOfSystem(error) ? new FaultAfterCommit(dir, error) : error
    } finally {
      this.end()
    }
  }

  /** Nothing is moved through links that lead out of the folder, so a result whose files would have to be is not committed. */
  private refuseLinksTo(names: readonly string[]): void {
    for (const name of names) refuseLinks(this.dir, name)
  }

  /** Renames the manifest. Where the result was the same before, a reader may have put it in place already. */
  private giveName(path: string, hash: string): void {
    try {
      renameSync(path, join(this.dir, this.manifest))
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || readHead(this.dir, this.manifest)?.hash !== hash) throw error
    }
  }
}

/** Something else in the place of the manifest would be met only when all has been made. */
function refuseNoFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new InputError('is no plain file', { position: { file: path }, hint: 'a result has its manifest there: choose another folder' })
}

/** Lengths and hashes of the files in a folder. The disk has them, and their names, afterwards. */
function durableFiles(root: string, manifest: string): Record<string, NamedFile> {
  const files: Record<string, NamedFile> = {}
  const visit = (folder: string, prefix: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const [path, name] = [join(folder, entry.name), `${prefix}${entry.name}`]
      if (entry.isDirectory()) visit(path, `${name}/`)
      else if (name !== manifest) files[name] = describeFile(path, { isDurable: true })
    }
    syncFolder(folder)
  }
  visit(root, '')
  return files
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w')
  try {
    const bytes = Buffer.from(text)
    for (let from = 0; from < bytes.length;) from += aboutFile(path, () => writeSync(file, bytes, from))
    aboutFile(path, () => { fsyncSync(file) })
  } finally {
    closeSync(file)
  }
}

/** Whether there is no result in a folder, nor anything else but what is about to be one. */
export const isFree = (path: string): boolean =>
  !existsSync(path) || (statSync(path).isDirectory() && allowedToRead(path, () => readdirSync(path)).every((name) => isOwnName(name) || PROBE_NAME.test(name) || (name === LEASE_NAME && mayBeLease(join(path, name)))))

/** Clears the folders beside which a result is made, where processes died and nobody has come back since. What is not surely theirs stays. */
export function tidyBeside(parent: string, manifest = MANIFEST_NAME): void {
  for (const dir of foldersIn(parent)) {
    try {
      if (isLeft(dir, manifest)) Generation.beginIfFree(dir, { manifest })?.discard()
    } catch (error) {
      // It is somebody else's folder, and another may clear it.
      if (!isOfSystem(error) && !(error instanceof InputError)) throw error
    }
  }
}

/** The folders in it, but not those that links lead to. There are none where it may not be looked. */
function foldersIn(parent: string): string[] {
  try {
    return readdirSync(parent, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => join(parent, name))
  } catch (error) {
    if (!isOfSystem(error)) throw error
    return []
  }
}

/** Whether a process that made a result with such a manifest died in a folder: a store that waits for its files is no run's to clear. */
function isLeft(dir: string, manifest: string): boolean {
  const lease = join(dir, LEASE_NAME)
  if (!existsSync(lease) || !isLease(lease) || (leaseAgeMs(lease) ?? 0) < STALE_MS) return false
  const hash = readHead(dir, manifest)?.hash
  return namesIn(dir, GENERATION).every((name) => existsSync(join(dir, name, manifest)) || (hash !== undefined && name.startsWith(`${GENERATION}${hash}`)))
}
