import { assert } from '../unit/assert.ts'

/**
 * Bytes under keys, in a folder or elsewhere, that many processes share. A key follows from what lies under it, so that nothing is ever replaced:
 * whoever puts something finds either nothing there or the same.
 */
export interface ObjectStore {
  /** What people call it. */
  readonly place: string
  /** Null where nothing lies. */
  get(key: string): Promise<Uint8Array | null>
  /** Returns whether the bytes were put: false where something lies already, which stays. Nobody ever sees a part of them. */
  putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean>
  has(key: string): Promise<boolean>
  /** The keys that begin with a prefix, sorted. What comes or goes meanwhile may be among them or not. */
  list(prefix: string): AsyncIterable<string>
  /** Harmless where nothing lies. */
  delete(key: string): Promise<void>
  /** Removes what this process has for itself. */
  close(): Promise<void>
}

const KEY = /^[0-9a-z][0-9a-z.-]*(?:\/[0-9a-z][0-9a-z.-]*)*$/

export const isKey = (text: string): boolean => KEY.test(text)

/** A key is parts between slashes, of small letters, digits, points and hyphens: the name of a file on every disk. */
export function checkKey(key: string): void {
  assert(isKey(key), `no key: ${key}`)
}
