import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStore, type OpenStore } from '../../../src/feed/store/openStore.ts'
import { InputError } from '../../../src/unit/inputError.ts'
import { madeFolder } from './made.ts'
import { DAY, DAY_US, draftOf, type Row, rowsOf, writeRows } from './rows.ts'

const rowsAt = (bidE6: number): Row[] => Array.from({ length: 10 }, (_, i): Row => [DAY + i + (i < 5 ? 0 : DAY_US), 0, bidE6, 9, 3, 4, 5])
const PART = 'parts/2025-06-19.0.arrow'

async function opened(): Promise<{ path: string; store: OpenStore }> {
  const path = join(madeFolder(), 'store')
  await writeRows(path, [draftOf('a')], rowsAt(1))
  return { path, store: openStore(path) }
}

const bids = (store: OpenStore, part: number): number[] => rowsOf(store.readBatch(store.parts[part]!, 0)).map((row) => row[2])
const lastBid = (store: OpenStore, part: number): number => store.lastOf(store.parts[part]!).latest.bidE6[0]!

function refusal(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    expect(error).toBeInstanceOf(InputError)
    return (error as InputError).describe()
  }
  return expect.unreachable()
}

describe('a store that is replaced after it was opened', () => {
  it('is refused, in files that were read before and in others', async () => {
    const { path, store } = await opened()
    expect([bids(store, 0), lastBid(store, 0)]).toEqual([[1, 1, 1, 1, 1], 1])
    await writeRows(path, [draftOf('a')], rowsAt(7))
    for (const part of [0, 1]) {
      expect(refusal(() => bids(store, part))).toMatch(/parts\/2025-06-(19|20)\.0\.arrow: .*SHA-256/)
      expect(refusal(() => lastBid(store, part))).toMatch(/parts\/2025-06-(19|20)\.0\.last\.arrow: .*SHA-256/)
    }
    expect(bids(openStore(path), 0)).toEqual([7, 7, 7, 7, 7])
  })

  it('is refused where the new one has no such day', async () => {
    const { path, store } = await opened()
    bids(store, 0)
    await writeRows(path, [draftOf('a')], rowsAt(7).slice(5))
    expect(refusal(() => bids(store, 0))).toMatch(/2025-06-19\.0\.arrow: cannot read the file/)
    expect(refusal(() => lastBid(store, 0))).toMatch(/2025-06-19\.0\.last\.arrow: the file is missing/)
  })

  it('is read on where the new one has the same prices', async () => {
    const { path, store } = await opened()
    bids(store, 0)
    await writeRows(path, [draftOf('a')], rowsAt(1))
    expect([bids(store, 0), bids(store, 1), lastBid(store, 1)]).toEqual([[1, 1, 1, 1, 1], [1, 1, 1, 1, 1], 1])
  })
})

describe('a file of a store that was read', () => {
  it('is refused after it was written over', async () => {
    const { path, store } = await opened()
    bids(store, 0)
    const bytes = readFileSync(join(path, PART))
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(join(path, PART), bytes)
    expect(refusal(() => bids(store, 0))).toMatch(/2025-06-19\.0\.arrow: its SHA-256 is not the one in store\.json/)
  })

  it('is read on where a copy takes its place', async () => {
    const { path, store } = await opened()
    bids(store, 0)
    copyFileSync(join(path, PART), join(path, 'copy'))
    renameSync(join(path, 'copy'), join(path, PART))
    expect(bids(store, 0)).toEqual([1, 1, 1, 1, 1])
  })
})
