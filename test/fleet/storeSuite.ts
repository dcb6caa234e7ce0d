import { expect, it } from 'vitest'
import type { ObjectStore } from '../../src/fleet/objectStore.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (found: Uint8Array | null): string | null => (found === null ? null : new TextDecoder().decode(found))

export async function keysOf(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const key of store.list(prefix)) keys.push(key)
  return keys
}

/** What holds of every store. `open` gives another view of one and the same store. */
export function describeStore(open: () => ObjectStore | Promise<ObjectStore>): void {
  it('has what was put, for every process, until it is deleted', async () => {
    const [store, other] = [await open(), await open()]
    expect(await store.get('a/b')).toBeNull()
    expect(await store.has('a/b')).toBe(false)
    expect(await store.putIfAbsent('a/b', bytes('first'))).toBe(true)
    expect(text(await other.get('a/b'))).toBe('first')
    expect(await other.has('a/b')).toBe(true)
    await other.delete('a/b')
    await other.delete('a/b')
    expect(await store.get('a/b')).toBeNull()
  })

  it('replaces nothing: of many that put at once one does, whole', async () => {
    const stores = [await open(), await open(), await open()]
    const put = await Promise.all([...'abcdefghi'].map((letter, i) => stores[i % 3]!.putIfAbsent('one', bytes(letter.repeat(100_000)))))
    expect(put.filter(Boolean)).toHaveLength(1)
    const [letter] = [...'abcdefghi'][put.indexOf(true)]!
    expect(text(await stores[0]!.get('one'))).toBe(letter!.repeat(100_000))
    expect(await stores[1]!.putIfAbsent('one', bytes('later'))).toBe(false)
    expect(text(await stores[2]!.get('one'))).toBe(letter!.repeat(100_000))
  })

  it('lists keys by prefix, in their order, where a prefix may end within a part', async () => {
    const store = await open()
    for (const key of ['r/a-b', 'r/a/1', 'r/a/0', 'r/ab', 'r/b/2', 's/0', 'r.txt']) await store.putIfAbsent(key, bytes(key))
    expect(await keysOf(store, 'r/')).toEqual(['r/a-b', 'r/a/0', 'r/a/1', 'r/ab', 'r/b/2'])
    expect(await keysOf(store, 'r/a')).toEqual(['r/a-b', 'r/a/0', 'r/a/1', 'r/ab'])
    expect(await keysOf(store, 'r/a/')).toEqual(['r/a/0', 'r/a/1'])
    expect(await keysOf(store, 'none/')).toEqual([])
    expect(await keysOf(store, '')).toEqual(['r.txt', 'r/a-b', 'r/a/0', 'r/a/1', 'r/ab', 'r/b/2', 's/0'])
  })

  it('keeps empty values, and takes no key that leads elsewhere', async () => {
    const store = await open()
    expect(await store.putIfAbsent('empty', new Uint8Array())).toBe(true)
    expect(await store.get('empty')).toHaveLength(0)
    for (const key of ['../up', '/root', 'a//b', 'a/', '', '.hidden', 'a/.hidden', 'A', 'a b', 'a\\b']) await expect(store.get(key)).rejects.toThrow('no key')
  })
}
