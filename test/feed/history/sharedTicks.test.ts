import { describe, expect, it } from 'vitest'
import { readingShared, sharedTicksOf } from '../../../src/feed/history/sharedTicks.ts'
import { openStoreHistory } from '../../../src/feed/history/storeHistory.ts'
import { StoreSource } from '../../../src/feed/history/storeSource.ts'
import type { OpenStore } from '../../../src/feed/store/openStore.ts'
import type { Ticks } from '../../../src/market/ticks.ts'
import { QUICKSTART_STORE } from '../../scenario/small.ts'
import { wholeTicks } from '../../market/wholeTicks.ts'
import { madeStore } from './madeStore.ts'

const rows = Array.from({ length: 40 }, (_, i) => i)
const words = Int32Array.from(rows, (i) => i % 3)
const TICKS: Ticks = { count: 40, atUs: Float64Array.from(rows), market: words, bidE6: words, askE6: words, bidSize: words, askSize: Int32Array.from(rows), lastE6: words }
const CATALOGUE = { markets: Array.from({ length: 3 }) } as never

/** The store, which puts ticks into the columns that it is given. */
const intoColumns = (made: OpenStore): OpenStore => ({ ...made, readBatch: (part, batch, into) => {
  const { count, ...ticks } = made.readBatch(part, batch)
  for (const name of ['atUs', 'market', 'bidE6', 'askE6', 'bidSize', 'askSize', 'lastE6'] as const) into?.[name].set(ticks[name])
  return { count, ...ticks }
} })

it('batches that one reader decodes are not decoded by another, and are the same', () => {
  const read: string[] = []
  const made = madeStore(CATALOGUE, [TICKS], { partUs: 20, rows: 8, read: (part, batch) => read.push(`${part} ${batch}`) })
  const store = intoColumns(made)
  const shared = sharedTicksOf(store)!
  const [first, second] = [new StoreSource(store, readingShared(store, shared)), new StoreSource(store, readingShared(store, structuredClone(shared)))]
  expect(wholeTicks(first)).toEqual(TICKS)
  expect(read).toHaveLength(6)
  expect(wholeTicks(second)).toEqual(TICKS)
  expect(read).toHaveLength(6)
  expect(first.chunk(0).atUs.buffer).toBe(shared.columns)
})

it('a batch that cannot be read is read again by the next one', () => {
  const made = madeStore(CATALOGUE, [TICKS], { partUs: 100, rows: 100 })
  const shared = sharedTicksOf(made)!
  const failing = readingShared({ ...made, readBatch: () => { throw new Error('no such disk') } }, shared)
  expect(() => failing(made.parts[0]!, 0)).toThrow('no such disk')
  expect([...new Int32Array(shared.states)]).toEqual([0])
})

describe('a batch whose reader does not come to its end', () => {
  const read: number[] = []
  const store = intoColumns(madeStore(CATALOGUE, [TICKS], { partUs: 100, rows: 20, read: (_, batch) => read.push(batch) }))
  const part = store.parts[0]!

  it('is decoded by the one that has waited for it, for all', () => {
    read.length = 0
    const shared = sharedTicksOf(store)!
    new Int32Array(shared.states)[1] = 1
    const reading = readingShared(store, shared, 1)
    expect([reading(part, 1), reading(part, 1), readingShared(store, shared, 1)(part, 1)].map(({ atUs }) => [...atUs])).toEqual(Array.from({ length: 3 }, () => rows.slice(20)))
    expect([read, [...new Int32Array(shared.states)]]).toEqual([[1], [0, 2]])
  })

  it.each(['ends', 'fails'])('stays decoded where that reader %s after all', (how) => {
    read.length = 0
    const shared = sharedTicksOf(store)!
    const other = readingShared(store, shared, 1)
    const slow = readingShared({ ...store, readBatch: (...asked) => {
      expect([...other(part, 0).askSize]).toEqual(rows.slice(0, 20))
      if (how === 'fails') throw new Error('no such disk')
      return store.readBatch(...asked)
    } }, shared)
    if (how === 'fails') expect(() => slow(part, 0)).toThrow('no such disk')
    else expect([...slow(part, 0).askSize]).toEqual(rows.slice(0, 20))
    // The one that waited decoded the next batch meanwhile.
    expect([[...new Int32Array(shared.states)], [...other(part, 0).askSize]]).toEqual([[2, 2], rows.slice(0, 20)])
  })

  it('is not waited for in vain: a later batch that nobody has is decoded first, and one that cannot be read is left', () => {
    const five = intoColumns(madeStore(CATALOGUE, [TICKS], { partUs: 20, rows: 8, read: (_, batch) => read.push(batch) }))
    for (const isBroken of [false, true]) {
      read.length = 0
      const shared = sharedTicksOf(five)!
      const states = new Int32Array(shared.states)
      states.set([1, 2, 1])
      const reading = readingShared({ ...five, readBatch: (one, batch, into) => {
        if (isBroken && one.name === five.parts[1]!.name) throw new Error('no such disk')
        return five.readBatch(one, batch, into)
      } }, shared, 1)
      expect([...reading(five.parts[0]!, 0).askSize]).toEqual(rows.slice(0, 8))
      expect([[...states], read]).toEqual(isBroken ? [[2, 2, 1, 0, 0, 0], [0]] : [[2, 2, 1, 2, 0, 0], [0, 0]])
    }
  })
})

it('a real store is the same history in shared memory, and memory of another history is left alone', () => {
  const history = openStoreHistory(QUICKSTART_STORE)
  const shared = history.share()!
  expect(history.share()).toBe(shared)
  const there = openStoreHistory(QUICKSTART_STORE).sharing(shared)
  expect(wholeTicks(there.ticks)).toEqual(wholeTicks(history.ticks))
  expect(new Int32Array(shared.states).every((state) => state === 2)).toBe(true)
  expect(there.ticks.chunk(0).atUs.buffer).toBe(shared.columns)
  const other = openStoreHistory(QUICKSTART_STORE)
  expect(other.sharing({ ...shared, dataHash: 'another' })).toBe(other)
})
