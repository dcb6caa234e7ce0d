import { createWriteStream } from 'node:fs'
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { InputError } from '../../unit/inputError.ts'
import { throwIfAborted } from '../../unit/interrupted.ts'
import { type Compression, compressionOf, plainBytes, unreadable } from './plainBytes.ts'
import { isTar, tarEntries } from './tarEntries.ts'

/** Standard input, as a path. */
export const STANDARD_INPUT = '-'

/** A folder may have thousands of files, and the head of each is kept. */
const HEAD_BYTES = 1 << 15

const BZIP2 = Buffer.from('BZh')
const ZIP = Buffer.from('PK\u0003\u0004')

/** Bytes that lie in a file of the disk, whole or as a part of an archive. */
export interface InputFile {
  /** What people call it. */
  readonly name: string
  /** Its name in its folder or archive. Null of standard input, which has none. */
  readonly ownName: string | null
  /** Where its bytes lie: `length` of them from `start` on. */
  readonly path: string
  readonly start: number
  readonly length: number
  readonly compression: Compression
  /** Its first bytes, decompressed. */
  readonly head: Buffer
  /** It was found in a folder or an archive. Somebody may have put it there for another reason. */
  readonly isFound: boolean
}

/** The files that paths stand for. `close` removes what was spooled. */
export interface InputFiles {
  readonly files: readonly InputFile[]
  close(): Promise<void>
}

/**
 * The plain files that paths stand for: files, folders (their files and those of folders in them, in order of name), tar archives, and `-` for standard input. What
 * cannot be read from a place within (standard input, compressed archives and compressed Parquet) is first written to the folder for what is temporary.
 * Throws InputError for a path that is missing, named twice, or no plain file, and Interrupted by the signal, which also ends the wait for standard input.
 */
export async function openInputFiles(paths: readonly string[], { input = process.stdin, signal }: { readonly input?: NodeJS.ReadableStream | undefined; readonly signal?: AbortSignal | undefined } = {}): Promise<InputFiles> {
  const spool = new Spool(signal)
  const files: InputFile[] = []
  const seen = new Set<string>()
  try {
    for (const path of paths) {
      if (path !== STANDARD_INPUT) {
        for (const file of await filesAt(path)) {
          if (seen.has(resolve(file.path))) throw new InputError('named twice', { position: { file: file.path } })
          seen.add(resolve(file.path))
          files.push(...await opened({ name: file.path, ownName: basename(file.path), path: file.path, isFound: file.isFound }, spool))
        }
      } else if (seen.has(path)) throw new InputError('named twice', { position: { file: path }, hint: 'standard input is read once' })
      else {
        seen.add(path)
        files.push(...await opened({ name: 'standard input', ownName: null, path: await spool.take(input as unknown as AsyncIterable<Buffer>), isFound: false }, spool))
      }
    }
  } catch (error) {
    await spool.close()
    throwIfAborted(signal)
    throw error
  }
  return { files, close: () => spool.close() }
}

/** A plain file as itself, whatever it holds. Throws InputError for one that cannot be read. */
export const inputFile = async (path: string): Promise<InputFile> => described({ name: path, ownName: basename(path), path, start: 0, length: await lengthOf(path).catch((cause: unknown) => unreadable(path, cause)), isFound: false })

async function filesAt(path: string): Promise<{ readonly path: string; readonly isFound: boolean }[]> {
  const kind = await stat(path).catch((cause: unknown) => {
    throw new InputError('no such file or folder', { position: { file: path }, cause })
  })
  if (!kind.isDirectory()) {
    // A pipe would be waited for without end.
    if (!kind.isFile()) throw new InputError('is no plain file', { position: { file: path }, hint: `${STANDARD_INPUT} is standard input` })
    return [{ path, isFound: false }]
  }
  return (await filesIn(path)).map((file) => ({ path: file, isFound: true }))
}

/** Paths of the plain files of a folder and of the folders in it. Hidden ones are somebody's own, and a link may lead back. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => unreadable(folder, cause))
  const shown = entries.filter(({ name }) => !name.startsWith('.')).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const paths: string[] = []
  for (const entry of shown) {
    const path = join(folder, entry.name)
    if (entry.isFile()) paths.push(path)
    else if (entry.isDirectory()) for (const file of await filesIn(path)) paths.push(file)
  }
  return paths
}

/** A file as itself, or an archive as the files in it. */
async function opened(given: Pick<InputFile, 'name' | 'ownName' | 'path' | 'isFound'>, spool: Spool): Promise<InputFile[]> {
  const { name, path } = given
  const whole = await described({ ...given, start: 0, length: await lengthOf(path) })
  if (isTar(whole.head)) {
    const archive = whole.compression === 'none' ? path : await spool.take(plainBytes(whole))
    const handle = await open(archive)
    try {
      const entries = await tarEntries(name, handle)
      const inside: InputFile[] = []
      for (const entry of entries) inside.push(await seekable(await described({ ...entry, name: `${name}:${entry.name}`, ownName: basename(entry.name), path: archive, isFound: true }), spool))
      return inside
    } finally {
      await handle.close()
    }
  }
  return [await seekable(whole, spool)]
}

const PARQUET = 'PAR1'
/** By its first bytes, or by its name where these are damaged. */
export const isParquet = ({ head, name }: InputFile): boolean => head.subarray(0, PARQUET.length).toString('latin1') === PARQUET || name.toLowerCase().endsWith('.parquet')

/** A compressed Parquet file cannot be read from its end. */
async function seekable(file: InputFile, spool: Spool): Promise<InputFile> {
  if (file.compression === 'none' || !isParquet(file)) return file
  const path = await spool.take(plainBytes(file))
  return { ...file, path, start: 0, length: await lengthOf(path), compression: 'none' }
}

const lengthOf = async (path: string): Promise<number> => (await stat(path)).size

async function described(part: Omit<InputFile, 'compression' | 'head'>): Promise<InputFile> {
  const handle = await open(part.path).catch((cause: unknown) => unreadable(part.name, cause))
  let first: Buffer
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(4, part.length)), 0, Math.min(4, part.length), part.start)
    first = buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
  if (first.subarray(0, BZIP2.length).equals(BZIP2)) throw new InputError('is compressed by bzip2, which is not read', { position: { file: part.name }, hint: `bunzip2 it first, or \`bunzip2 -c FILE | parlor import … ${STANDARD_INPUT}\`` })
  if (first.subarray(0, ZIP.length).equals(ZIP)) throw new InputError('is a zip archive, which is not read', { position: { file: part.name }, hint: `unzip it first, or \`unzip -p FILE | parlor import … ${STANDARD_INPUT}\`` })
  const file: InputFile = { ...part, compression: compressionOf(first), head: Buffer.alloc(0) }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of plainBytes(file)) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= HEAD_BYTES) break
  }
  return { ...file, head: Buffer.from(Buffer.concat(chunks).subarray(0, HEAD_BYTES)) }
}

/** Files of a folder for what is temporary, which is made when it is needed. */
class Spool {
  private folder: string | undefined = undefined
  private count = 0
  private declare readonly signal: AbortSignal | undefined

  constructor(signal: AbortSignal | undefined) {
    this.signal = signal
  }

  /** Rejects where the signal is aborted meanwhile. */
  async take(bytes: AsyncIterable<Buffer>): Promise<string> {
    this.folder ??= await mkdtemp(join(tmpdir(), 'parlor-import-'))
    const path = join(this.folder, String(this.count))
    this.count += 1
    await pipeline(bytes, createWriteStream(path), this.signal === undefined ? {} : { signal: this.signal })
    return path
  }

  async close(): Promise<void> {
    if (this.folder !== undefined) await rm(this.folder, { recursive: true, force: true })
  }
}
