import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { depthHistoryOf } from '../../../src/feed/history/depthHistory.ts'
import type { Importer } from '../../../src/feed/importer.ts'
import { depthFaultOf, firstDepthFault } from '../../../src/feed/store/depthFaults.ts'
import { lastDepthByRows } from '../../../src/feed/store/partDepth.ts'
import { importStore, type StoreImporting } from '../../../src/feed/store/importStore.ts'
import { openStore, type OpenStore } from '../../../src/feed/store/openStore.ts'
import { TopOfBook } from '../../../src/feed/topOfBook.ts'
import { verifyStore } from '../../../src/look/verifyStore.ts'
import type { DepthRows } from '../../../src/market/depth.ts'
import { DepthBoard } from '../../../src/market/depthBoard.ts'
import { InputError } from '../../../src/unit/inputError.ts'
import { refusal } from '../../inputRefusal.ts'
import { refusal as refusedImport } from '../mapping/mapped.ts'
import { madeFolder } from './made.ts'
import { DAY, DAY_US, draftOf } from './rows.ts'

/** A level that is set from an instant on: µs after the day's begin, market, side, price in cents, contracts. */
type Step = readonly [us: number, market: number, side: 'bid' | 'ask', cents: number, contracts: number]

/** An importer of books that are made of such steps. */
const booksOf = (steps: readonly Step[]): Importer => ({
  format: 'made', about: '',
  read: (_files, ticks, tally) => {
    const file = tally.file('made')
    const books = ['A', 'B'].map((_, market) => new TopOfBook(market, ticks, () => {}))
    steps.forEach(([us, market, side, cents, contracts], i) => {
      file.read()
      file.accept()
      books[market]!.step(DAY + us, i + 1)
      ;(side === 'bid' ? books[market]!.bids : books[market]!.asks).set(cents * 10_000, contracts * 1e6)
    })
    for (const book of books) book.show()
    return Promise.resolve({ markets: ['A', 'B'].map((ticker) => draftOf(ticker)) })
  },
})

const made = async (steps: readonly Step[], path: string, options: StoreImporting = {}): Promise<OpenStore> => {
  await importStore(path, booksOf(steps), [], options)
  return openStore(path)
}

/** µs after the day's begin, market, and the cells of the levels. */
const rowsOf = ({ count, atUs, market, cells }: DepthRows): number[][] => Array.from({ length: count }, (_, row) => [atUs[row]! - DAY, market[row]!, ...cells.map((column) => column[row]!)])
const depthIn = (store: OpenStore): number[][] => store.depth!.parts.flatMap((part) => store.depthBatchesOf(part).flatMap((_, batch) => rowsOf(store.readDepth(part, batch))))

const NONE = [-1, -1]
const STEPS: readonly Step[] = [
  [1, 0, 'bid', 40, 100.5], [1, 0, 'bid', 39, 50], [1, 0, 'ask', 42, 10],
  [2, 0, 'bid', 38, 7], // below the two levels that are kept
  [3, 0, 'bid', 40, 0],
  [4, 0, 'bid', 45, 1], // crossed: not shown
  [5, 0, 'ask', 42, 0], [5, 0, 'ask', 46, 2.9],
  [6, 1, 'ask', 90, 3e9], // more than 32 bits hold
  [6, 0, 'ask', 47, 0.5],
]
/** By hand, from the steps: bid 1, ask 1, bid 2, ask 2, each with its size. */
const TWO_LEVELS = [
  [1, 0, 400_000, 100, 420_000, 10, 390_000, 50, ...NONE],
  [3, 0, 390_000, 50, 420_000, 10, 380_000, 7, ...NONE],
  [5, 0, 450_000, 1, 460_000, 2, 390_000, 50, ...NONE],
  [6, 0, 450_000, 1, 460_000, 2, 390_000, 50, 470_000, 0],
  [6, 1, ...NONE, 900_000, 2 ** 31 - 1, ...NONE, ...NONE],
]

describe('depth of a store', () => {
  it('has the best levels after each change of one of them, and none of a crossed book', async () => {
    const store = await made(STEPS, join(madeFolder(), 's'), { depth: 2 })
    expect(store.depth!.levels).toBe(2)
    expect(depthIn(store).toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]!)).toEqual(TWO_LEVELS)
    expect(rowsOf(store.lastDepthOf(store.depth!.parts[0]!))).toEqual(TWO_LEVELS.slice(3))
  })

  it('is none by default, and changes no byte of prices and markets', async () => {
    const folder = madeFolder()
    const [without, kept] = [await made(STEPS, join(folder, 'a')), await made(STEPS, join(folder, 'b'), { depth: 3 })]
    expect([without.depth, JSON.parse(readFileSync(join(folder, 'a/store.json'), 'utf8')).depth, readdirSync(join(folder, 'a')).includes('depth')]).toEqual([null, undefined, false])
    for (const name of [...Object.keys(without.head.files)].filter((one) => !one.startsWith('imports/'))) expect(kept.head.files[name]).toEqual(without.head.files[name])
    expect(kept.head.dataHash).not.toBe(without.head.dataHash)
    expect(Object.keys(kept.head.files).filter((name) => name.startsWith('depth/'))).toEqual(['depth/2025-06-19.0.arrow', 'depth/2025-06-19.0.last.arrow'])
  })

  it('has the same bytes, whatever is sorted in memory at once', async () => {
    const folder = madeFolder()
    const many = Array.from({ length: 60 }, (_, i): Step => [(i * 37) % 60, i % 2, i % 3 === 0 ? 'ask' : 'bid', i % 3 === 0 ? 50 + (i % 7) : 10 + (i % 11), i + 1]).toSorted((a, b) => a[1] - b[1] || a[0] - b[0])
    const hashes = await Promise.all([1, 7, 1000].map(async (runRows) => (await made(many, join(folder, String(runRows)), { depth: 2, runRows })).head.dataHash))
    expect(new Set(hashes).size).toBe(1)
  })

  it('is refused for files without books, and nothing is written', async () => {
    const path = join(madeFolder(), 's')
    const quotes: Importer = {
      format: 'quotes', about: '',
      read: (_files, ticks, tally) => {
        const file = tally.file('quotes')
        file.read()
        file.accept()
        ticks.add(DAY, 0, 400_000, 420_000, 1, 1, -1)
        return Promise.resolve({ markets: [draftOf('A')] })
      },
    }
    const error = await refusedImport(() => importStore(path, quotes, [], { depth: 2 }))
    expect(error.message).toContain('have no books')
    expect(() => openStore(path)).toThrow(InputError)
  })
})

describe('depth that is added to a store', () => {
  const next: readonly Step[] = [[DAY_US + 1, 0, 'bid', 30, 5], [DAY_US + 1, 0, 'ask', 60, 6], [DAY_US + 2, 0, 'bid', 29, 9]]

  it('has as many levels as the store, in parts of its own', async () => {
    const path = join(madeFolder(), 's')
    await made(STEPS, path, { depth: 2 })
    expect((await refusedImport(() => made(next, path, { isAdded: true, depth: 3 }))).message).toContain('keeps 2 levels of books, and not 3')
    const store = await made(next, path, { isAdded: true })
    expect(store.depth!.parts.map(({ name, rows }) => [name, rows])).toEqual([['depth/2025-06-19.0.arrow', 5], ['depth/2025-06-20.1.arrow', 2]])
    expect(depthIn(store).slice(5)).toEqual([[DAY_US + 1, 0, 300_000, 5, 600_000, 6, ...NONE, ...NONE], [DAY_US + 2, 0, 300_000, 5, 600_000, 6, 290_000, 9, ...NONE]])
    expect((await verifyStore(path)).faults).toEqual([])
    // What an old run used is still there, without what came later.
    const old = store.asOf(Object.keys(store.head.files).filter((name) => /\.0\./.test(name) || name === 'markets/0.json'))
    expect(depthIn(old)).toEqual(depthIn(store).slice(0, 5))
  })

  it('begins where a store without depth is added to', async () => {
    const path = join(madeFolder(), 's')
    await made(STEPS, path)
    expect((await made(next, path, { isAdded: true, depth: 1 })).depth!.parts.map(({ name }) => name)).toEqual(['depth/2025-06-20.1.arrow'])
  })

  it('is left out where the store has it, and refused, kept or followed where other levels stand under the same best prices', async () => {
    const path = join(madeFolder(), 's')
    await made(STEPS, path, { depth: 2 })
    // The same best prices; the second bid of 39 cents has 51 contracts in place of 50.
    const other = STEPS.map((step): Step => (step[3] === 39 ? [step[0], step[1], step[2], 39, 51] : step))
    const again = await made(STEPS, path, { isAdded: true })
    expect(again.depth!.parts).toHaveLength(1)
    const differing = other.slice(0, 3)
    expect((await refusedImport(() => made(differing, path, { isAdded: true }))).message).toMatch(/^1 books have other levels than the store has.*of A at 2025-06-19T00:00:00\.000001/)
    expect(depthIn(await made(differing, path, { isAdded: true, overlap: 'first' }))).toHaveLength(5)
    const last = await made(differing, path, { isAdded: true, overlap: 'last' })
    expect((await verifyStore(path)).faults).toEqual([])
    const board = new DepthBoard(depthHistoryOf(last)!.between(-Infinity, Infinity), 2, 2, 0)
    board.advance(DAY + 1)
    expect([...board.cells.subarray(4, 6)]).toEqual([390_000, 51])
  })
})

describe('a session on depth of a store', () => {
  it('knows at its begin what parts before have left behind, and reads none of their batches', async () => {
    const path = join(madeFolder(), 's')
    const store = await made([...STEPS, [DAY_US + 5, 0, 'bid', 44, 4], [2 * DAY_US, 1, 'ask', 91, 1]], path, { depth: 2 })
    const read: string[] = []
    const watched: OpenStore = { ...store, depth: store.depth, depthBatchesOf: (part) => store.depthBatchesOf(part), lastDepthOf: (part) => store.lastDepthOf(part), readDepth: (part, batch) => (read.push(part.name), store.readDepth(part, batch)) } as OpenStore
    const whole = new DepthBoard(depthHistoryOf(store)!.between(-Infinity, Infinity), 2, 2, 10)
    const folded = new DepthBoard(depthHistoryOf(watched)!.between(DAY + DAY_US + 3, Infinity), 2, 2, 10)
    for (const us of [DAY + DAY_US + 14, DAY + DAY_US + 15, DAY + 2 * DAY_US + 10]) {
      for (const board of [whole, folded]) board.advance(us)
      expect([...folded.cells]).toEqual([...whole.cells])
      expect([folded.stampUs(0), folded.stampUs(1)]).toEqual([whole.stampUs(0), whole.stampUs(1)])
    }
    expect(read).toEqual(['depth/2025-06-20.0.arrow', 'depth/2025-06-21.0.arrow'])
  })
})

describe('depth that is not as it was written', () => {
  it('is what its part leaves behind, made from the part', async () => {
    const store = await made(STEPS, join(madeFolder(), 's'), { depth: 2 })
    const [part] = store.depth!.parts
    const byRows = lastDepthByRows(2, store.depthBatchesOf(part!).map((_, batch) => () => store.readDepth(part!, batch)), 2)
    expect(rowsOf(byRows)).toEqual(rowsOf(store.lastDepthOf(part!)))
  })

  it('is refused where its version is another, by name', async () => {
    const path = join(madeFolder(), 's')
    await made(STEPS, path, { depth: 2 })
    const file = join(path, 'store.json')
    const head = JSON.parse(readFileSync(file, 'utf8')) as { depth: { version: number } }
    writeFileSync(file, JSON.stringify({ ...head, depth: { ...head.depth, version: 2 } }))
    expect(refusal(() => openStore(path)).message).toBe('the depth of the store has version 2, and this parlor reads 1')
  })

  it.each(['depth/2025-06-19.0.arrow', 'depth/2025-06-19.0.last.arrow'])('is found by verify: %s', async (name) => {
    const folder = madeFolder()
    await made(STEPS, join(folder, 'a'), { depth: 2 })
    cpSync(join(folder, 'a'), join(folder, 'b'), { recursive: true })
    const bytes = readFileSync(join(folder, 'b', name))
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(join(folder, 'b', name), bytes)
    expect((await verifyStore(join(folder, 'b'))).faults).toEqual([{ file: join(folder, 'b', name), message: 'its SHA-256 is not the one in store.json' }])
  })

  it.each([
    ['a sound book', [400_000, 1, 420_000, 0, 390_000, 5, -1, -1], null],
    ['a locked one', [400_000, 1, 400_000, 0, -1, -1, 410_000, 5], null],
    ['an empty one', [-1, -1, -1, -1, -1, -1, -1, -1], null],
    ['a crossed one', [420_001, 1, 420_000, 0, -1, -1, -1, -1], 'bid_1_e6 is 420001, and ask_1_e6 is 420000: the book is crossed'],
    ['bids that do not fall', [400_000, 1, -1, -1, 400_000, 5, -1, -1], 'bid_2_e6 400000 with bid_2_size 5 is no level that may stand there'],
    ['asks that do not rise', [-1, -1, 420_000, 1, -1, -1, 419_999, 1], 'ask_2_e6 419999 with ask_2_size 1 is no level that may stand there'],
    ['a level after an empty one', [-1, -1, -1, -1, 390_000, 5, -1, -1], 'bid_2_e6 390000 with bid_2_size 5 is no level that may stand there'],
    ['a size without a price', [-1, 3, -1, -1, -1, -1, -1, -1], 'bid_1_e6 -1 with bid_1_size 3 is no level that may stand there'],
    ['a price without a size', [400_000, -1, -1, -1, -1, -1, -1, -1], 'bid_1_e6 400000 with bid_1_size -1 is no level that may stand there'],
    ['a price over a dollar', [-1, -1, 1_000_001, 1, -1, -1, -1, -1], 'ask_1_e6 1000001 with ask_1_size 1 is no level that may stand there'],
  ])('%s: %j', (_name, cells, fault) => {
    const columns = { atUs: Float64Array.of(5), market: Int32Array.of(0), cells: cells.map((cell) => Int32Array.of(cell)) }
    const row = firstDepthFault(columns, 1, 1)
    expect(row < 0 ? null : depthFaultOf(columns, row, 1)).toBe(fault)
  })
})
