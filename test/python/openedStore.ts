// Opens the store that write_store.py wrote and compares what it has with what is expected, then adds to it, and writes one with depth: `openedStore.ts STORE COPY DEPTH`.
import { deepStrictEqual } from 'node:assert'
import { cpSync } from 'node:fs'
import { argv } from 'node:process'
import { openStore } from '../../src/feed/store/openStore.ts'
import { readStore } from '../../src/feed/store/readStore.ts'
import { StoreWriter } from '../../src/feed/store/storeWriter.ts'
import { contentOf, draftOf, writeRows } from '../feed/store/rows.ts'

const OPEN_US = 1_750_291_200_000_000
const [store, copy, depth] = argv.slice(2) as [string, string, string]
const row = (i: number): readonly number[] => [OPEN_US + i * 1_000_000, i % 2, 400_000 + i, 420_000, 100, -1, -1]

const { ticks, catalogue, dataHash } = readStore(store)
const { count, atUs, market, bidE6, askE6, bidSize, askSize, lastE6 } = ticks
deepStrictEqual(Array.from({ length: count }, (_, i) => [atUs, market, bidE6, askE6, bidSize, askSize, lastE6].map((column) => column[i])), Array.from({ length: 10 }, (_, i) => row(i)))
deepStrictEqual(catalogue.markets.map(({ number, ticker, outcome }) => [number, ticker, outcome]), [[0, 'HOME', 'yes'], [1, 'RAIN', 'yes']])
const opened = openStore(store)
deepStrictEqual([...opened.lastOf(opened.parts[0]!).ticks], [5, 5])

cpSync(store, copy, { recursive: true })
const { number: _, ...rain } = catalogue.markets[1]!
const head = await writeRows(copy, [rain], [[OPEN_US + 86_400_000_000, 0, 1, 2, 3, 4, 5]], { isAdded: true })
deepStrictEqual([head.ticks, head.parts.length, head.dataHash === dataHash], [11, 2, false])

const writer = await StoreWriter.begin(depth, { depth: 2 })
for (let i = 0; i < 9; i++) {
  writer.add(OPEN_US + i, i % 2, 400_000 - i, 420_000, 100, 7, -1)
  writer.addDepth(OPEN_US + i, i % 2, Int32Array.of(400_000 - i, 100, 420_000, 7, -1, -1, 430_000, i))
}
deepStrictEqual((await writer.finish(contentOf(['RAIN', 'HOME'].map((ticker) => draftOf(ticker))))).depth!.parts.map(({ rows, markets }) => [rows, markets]), [[9, 2]])
