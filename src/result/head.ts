import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { aboutFile } from '../unit/aboutFile.ts'
import { InputError } from '../unit/inputError.ts'
import { allowedToRead, codeOf } from './failures.ts'

/** The file whose renaming commits a result. */
export const MANIFEST_NAME = 'manifest.json'
/** Signatures of a manifest's bytes. No manifest can name it (src/result/signatures.ts). */
export const SIGNATURES_NAME = 'manifest.signatures.json'
const READ_BYTES = 1 << 20

/** A file as a manifest describes it. Null of a file that says where things lie: a manifest has equal bytes wherever it is made. */
export interface NamedFile {
  readonly bytes: number | null
  readonly sha256: string | null
}

/** By path relative to the result's folder, with slashes. */
export type NamedFiles = Readonly<Record<string, NamedFile>>

/** What is read of a manifest by those who only need its files. */
export interface Head {
  /** SHA-256 of the manifest's own bytes. It names the folder from which the files of this manifest are put in place. */
  readonly hash: string
  readonly fields: Readonly<Record<string, unknown>>
  /** Null for a manifest that says nothing about files, such as one of an older version. */
  readonly files: NamedFiles | null
}

/** The manifest in a folder. Null where there is none, or where what is there is no JSON object. Throws InputError where it may not be read. */
export function readHead(dir: string, name = MANIFEST_NAME): Head | null {
  const path = join(dir, name)
  let text: string
  try {
    // A pipe in the place of a file would be waited for without end.
    if (!statSync(path).isFile()) return null
    text = allowedToRead(path, () => readFileSync(path, 'utf8'))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error)!)) return null
    throw error
  }
  return headOf(text)
}

export function headOf(text: string): Head | null {
  let fields: Readonly<Record<string, unknown>> | null
  try {
    fields = listOf(JSON.parse(text))
  } catch {
    return null
  }
  if (fields === null) return null
  const files = listOf(fields['files'])
  for (const [name, file] of Object.entries({ ...tableFilesOf(fields), ...files })) {
    if (!isWithin(name)) throw new InputError(`its manifest names a file outside of its folder: ${name}`)
    if (!isDescribed(file)) throw new InputError(`its manifest does not say what the file ${name} is like`)
  }
  return { hash: hashOf(text), fields, files: files as NamedFiles | null }
}

const listOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  (typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Readonly<Record<string, unknown>> : null)

/** The files of a run's tables, which its manifest names besides, by path. Their lengths are not known. */
export function tableFilesOf({ tables }: Readonly<Record<string, unknown>>): NamedFiles {
  const named = Object.values(listOf(tables) ?? {}).map((table): [string, NamedFile] => {
    const { file, sha256 } = (table ?? {}) as { readonly file?: unknown; readonly sha256?: unknown }
    return [String(file), { bytes: null, sha256: sha256 as string }]
  })
  return Object.fromEntries(named)
}

const isDescribed = (file: unknown): boolean => {
  const sha256 = (file as { sha256?: unknown } | null)?.sha256
  return sha256 === null || typeof sha256 === 'string'
}

/** Whether a path leads into the folder that it is relative to. */
export const isWithin = (path: string): boolean => !/^[\\/]|^[A-Za-z]:|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Into which one file after the other is read. A store has many, most of which are small. */
let room = new Uint8Array(0)

/** Length and hash of a file. `isDurable`: waits until the disk has it, too. */
export function describeFile(path: string, { isDurable = false } = {}): { bytes: number; sha256: string } {
  const hash = createHash('sha256')
  const file = openSync(path, isDurable ? 'r+' : 'r')
  let bytes = 0
  try {
    const most = Math.max(1, Math.min(READ_BYTES, fstatSync(file).size))
    if (room.length < most) room = new Uint8Array(most)
    const chunk = room
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      hash.update(chunk.subarray(0, read))
      bytes += read
    }
    if (isDurable) aboutFile(path, () => { fsyncSync(file) })
  } finally {
    closeSync(file)
  }
  return { bytes, sha256: hash.digest('hex') }
}
