import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describeFile, type Head, MANIFEST_NAME, readHead } from './head.ts'
import { codeOf, DamagedResult, type FileCheck } from './failures.ts'
import { settle } from './place.ts'

const short = (digest: string): string => digest.slice(0, 12)

/** Compares a file with its hash, where the manifest has one. */
export function checkFile(dir: string, file: string, sha256: string | null): FileCheck {
  const path = join(dir, file)
  if (!existsSync(path)) return { file, ok: false, about: 'is missing' }
  // A pipe or a device may have no end.
  if (!statSync(path).isFile()) return { file, ok: false, about: 'is no plain file' }
  if (sha256 === null) return { file, ok: true, about: 'is there' }
  const found = describeFile(path).sha256
  return found === sha256 ? { file, ok: true, about: `SHA-256 ${short(sha256)}` }
    : { file, ok: false, about: `SHA-256 ${short(found)}, expected ${short(sha256)}: the file was changed` }
}

/**
 * Reads a result whole: its files are those that its manifest names, and stay so while `read` runs. Throws DamagedResult where a file
 * differs. A result without a list of files is read as it is. `read` may run again, when the result was replaced meanwhile.
 */
export async function reading<T>(dir: string, read: () => T | Promise<T>): Promise<T> {
  for (;;) {
    settleIfAllowed(dir)
    const head = readHead(dir)
    const value = await checked(dir, head, read).catch((error: unknown) => ({ error }))
    if (readHead(dir)?.hash !== head?.hash) continue
    if ('error' in value) throw value.error
    return value.value
  }
}

/** Where nobody may write, the files that are not in place are found to differ. */
export function settleIfAllowed(dir: string, manifest = MANIFEST_NAME): void {
  try {
    settle(dir, manifest)
  } catch (error) {
    if (!['EROFS', 'EACCES', 'EPERM'].includes(codeOf(error)!)) throw error
  }
}

async function checked<T>(dir: string, head: Head | null, read: () => T | Promise<T>): Promise<{ readonly value: T }> {
  checkFiles(dir, head)
  return { value: await read() }
}

/** Throws DamagedResult where a file of a manifest differs. */
export function checkFiles(dir: string, head = readHead(dir, MANIFEST_NAME)): void {
  const differences = Object.entries(head?.files ?? {}).map(([file, { sha256 }]) => checkFile(dir, file, sha256)).filter(({ ok }) => !ok)
  if (differences.length > 0) throw new DamagedResult(dir, differences)
}
