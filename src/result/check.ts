import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { describeFile, type Head, MANIFEST_NAME, readHead, tableFilesOf } from './head.ts'
import { codeOf, DamagedResult, type FileCheck } from './failures.ts'
import { LeasedFolder } from './leasedFolder.ts'
import { placeOf, settle, waitingIn } from './place.ts'

const short = (digest: string): string => digest.slice(0, 12)

/** Compares a file with its hash, where the manifest has one. */
export function checkFile(dir: string, file: string, sha256: string | null): FileCheck {
  const path = placeOf(dir, file)
  if (!existsSync(path)) return { file, ok: false, about: 'is missing' }
  // A pipe or a device may have no end.
  if (!statSync(path).isFile()) return { file, ok: false, about: 'is no plain file' }
  if (sha256 === null) return { file, ok: true, about: 'is there' }
  const found = describeFile(path).sha256
  return found === sha256 ? { file, ok: true, about: `SHA-256 ${short(sha256)}` }
    : { file, ok: false, about: `SHA-256 ${short(found)}, expected ${short(sha256)}: the file was changed` }
}

/**
 * Reads a result whole: its files are those that its manifest names, and stay so while `read` runs. `needed`: files that are read, and that
 * the manifest must name with their hashes. Throws DamagedResult where a file differs, is not named, or is no manifest. Of a run that names no
 * files (`unnamedNote`) the tables are compared. `read` is told where the files are to be read: `dir`, or a folder of links where nobody had
 * the right to put them in place. It may run again, when the result was replaced meanwhile.
 */
export async function reading<T>(dir: string, read: (from: string) => T | Promise<T>, needed: readonly string[] = []): Promise<T> {
  for (;;) {
    settleIfAllowed(dir)
    const head = readHead(dir)
    const isWaiting = waitingIn(dir).length > 0
    const value = await checked(dir, head, needed, isWaiting ? (): Promise<T> => readLinks(dir, head!, read) : (): T | Promise<T> => read(dir))
      .catch((error: unknown) => ({ error }))
    if (readHead(dir)?.hash !== head?.hash) continue
    // Somebody with the right to do so has put them in place meanwhile.
    if (isWaiting && 'error' in value && waitingIn(dir).length === 0) continue
    if ('error' in value) throw value.error
    return value.value
  }
}

/** What to say of a run whose manifest does not name its files, as those of older versions; null for another result. */
export const unnamedNote = (dir: string): string | null => {
  const head = readHead(dir)
  return head === null || head.files !== null ? null
    : `${dir} has no list of its files and their hashes, as of an older version: its tables alone are compared with theirs. Made again, it has one`
}

/** Reads a result through links to its files, wherever they lie. */
async function readLinks<T>(dir: string, { files, fields }: Head, read: (from: string) => T | Promise<T>): Promise<T> {
  const links = new LeasedFolder(tmpdir(), 'parlor-links-')
  try {
    links.make()
    for (const file of [MANIFEST_NAME, ...Object.keys({ ...files, ...tableFilesOf(fields) })]) {
      const [place, link] = [resolve(placeOf(dir, file)), join(links.path, file)]
      mkdirSync(dirname(link), { recursive: true })
      // Links need rights on Windows.
      if (process.platform === 'win32') copyFileSync(place, link)
      else symlinkSync(place, link)
    }
    return await read(links.path)
  } finally {
    links.remove()
  }
}

/** Where nobody may write, the files that are not in place stay where they are (`placeOf`). */
export function settleIfAllowed(dir: string, manifest = MANIFEST_NAME): void {
  try {
    settle(dir, manifest)
  } catch (error) {
    if (!['EROFS', 'EACCES', 'EPERM'].includes(codeOf(error)!)) throw error
  }
}

async function checked<T>(dir: string, head: Head | null, needed: readonly string[], read: () => T | Promise<T>): Promise<{ readonly value: T }> {
  checkFiles(dir, head)
  const unnamed = needed.filter((file) => typeof head?.files?.[file]?.sha256 !== 'string')
  if (head === null && unnamed.length > 0) throw damaged(dir, 'is missing: it was removed, or an older version made the result')
  if (unnamed.length > 0) throw new DamagedResult(dir, unnamed.map((file) => ({ file, ok: false, about: `${MANIFEST_NAME} does not name it` })))
  return { value: await read() }
}

/**
 * Throws DamagedResult where the lists of a manifest are not as they are written: every result has a file, a run of an older version alone
 * has no list of its files, and a run's tables are named twice. Parquet lies beside a table that is.
 */
export function checkLists(dir: string, { fields, files }: Pick<Head, 'fields' | 'files'>): void {
  const isRun = fields['kind'] === undefined
  const isOlder = isRun && fields['files'] === undefined
  if (!isOlder && isEmpty(files)) throw damaged(dir, 'names no files: it was changed')
  if (!isRun) return
  const tables = tableFilesOf(fields)
  const listed = files === null ? tablesThere(dir) : Object.keys(files).filter((file) => file.startsWith(TABLES))
  const unlisted = listed.filter((file) => tables[file] === undefined && tables[file.replace(/\.parquet$/, '.arrow')] === undefined)
  if (unlisted.length > 0) throw new DamagedResult(dir, unlisted.map((file) => ({ file, ok: false, about: `${MANIFEST_NAME} does not name it as a table: it was changed` })))
}

const TABLES = 'tables/'
const isEmpty = (files: Head['files']): boolean => files === null || Object.keys(files).length === 0
const tablesThere = (dir: string): string[] => (existsSync(join(dir, TABLES)) ? readdirSync(join(dir, TABLES)).map((name) => TABLES + name) : [])

/** Throws DamagedResult where a file of a manifest differs, or where the manifest is none. */
export function checkFiles(dir: string, head = readHead(dir, MANIFEST_NAME)): void {
  if (head === null) {
    if (existsSync(join(dir, MANIFEST_NAME))) throw damaged(dir, 'is no manifest: it was changed or cut off')
    return
  }
  const { fields, files } = head
  checkLists(dir, head)
  const named = [...Object.entries(files ?? {}), ...Object.entries(tableFilesOf(fields)).filter(([file, { sha256 }]) => files?.[file]?.sha256 !== sha256)]
  const differences = named.map(([file, { sha256 }]) => checkFile(dir, file, sha256)).filter(({ ok }) => !ok)
  if (differences.length > 0) throw new DamagedResult(dir, differences)
}

const damaged = (dir: string, about: string): DamagedResult => new DamagedResult(dir, [{ file: MANIFEST_NAME, ok: false, about }])
