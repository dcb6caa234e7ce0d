import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { ColumnsWriter } from '../../../src/arrow/columnsWriter.ts'
import { openStore, type OpenStore } from '../../../src/feed/store/openStore.ts'
import { readStore } from '../../../src/feed/store/readStore.ts'
import { dataHashOf, type StoreHead } from '../../../src/feed/store/storeHead.ts'
import { ticksTableOf } from '../../../src/feed/store/ticksTable.ts'
import { tickColumns } from '../../../src/feed/tickBuffer.ts'
import { describeFile } from '../../../src/result/head.ts'
import { refusal } from '../../inputRefusal.ts'
import { drawnRows, madeFolder, sortedRows } from './made.ts'
import { DAY, DAY_US, draftOf, type Row, rowsOf, writeRows } from './rows.ts'

/** Out of order, so that places and numbers differ. */
const MARKETS = ['c', 'a', 'b'].map((ticker) => draftOf(ticker))
const NUMBERS = [2, 0, 1]
const numbered = (rows: readonly Row[]): Row[] => rows.map(([at, place, ...rest]) => [at, NUMBERS[place]!, ...rest])

const allRows = (store: OpenStore): Row[] => store.parts.flatMap((part) => store.batchesOf(part).flatMap((_, batch) => rowsOf(store.readBatch(part, batch))))

describe('a store that is written from ticks in any order', () => {
  it.each([1, 2, 7, 100, 3000])('has them by time, and by arrival at one instant, with %i sorted at once', async (runRows) => {
    const path = join(madeFolder(), 'store')
    const rows = drawnRows(1, 1000, 3, 4)
    const head = await writeRows(path, MARKETS, rows, { runRows })
    expect(head).toMatchObject({ ticks: 1000, markets: 3, firstUs: sortedRows(rows)[0]![0], lastUs: sortedRows(rows).at(-1)![0] })
    const store = openStore(path)
    expect(store.parts.map(({ name }) => name)).toEqual([19, 20, 21, 22].map((day) => `parts/2025-06-${day}.0.arrow`))
    expect(allRows(store)).toEqual(numbered(sortedRows(rows)))
    expect(rowsOf(readStore(path).ticks)).toEqual(numbered(sortedRows(rows)))
    expect(store.catalogue.markets.map(({ ticker, number }) => [ticker, number])).toEqual([['a', 0], ['b', 1], ['c', 2]])
  })

  it('has the same bytes, however many are sorted at once', async () => {
    const folder = madeFolder()
    const rows = drawnRows(2, 500, 3, 2)
    const hashes: string[] = []
    for (const runRows of [3, 64, 1000]) hashes.push((await writeRows(join(folder, String(runRows)), MARKETS, rows, { runRows })).dataHash)
    expect(new Set(hashes).size).toBe(1)
  })

  it('tells how many were read after each run, and then the share of days that are written', async () => {
    const told: (readonly [number, number])[] = []
    const rows = [0, 0, DAY_US, DAY_US, DAY_US].map((after): Row => [DAY + after, 0, 1, 2, 3, 4, 5])
    await writeRows(join(madeFolder(), 'store'), [draftOf('a')], rows, { runRows: 2, onProgress: ({ read, share }) => { told.push([read, share]) } })
    expect(told).toEqual([[2, 0], [4, 0], [5, 0], [5, 0.5], [5, 1]])
  })

  it('begins a day at midnight UTC, and names it', async () => {
    const path = join(madeFolder(), 'store')
    const row = (atUs: number): Row => [atUs, 0, 1, 2, 3, 4, 5]
    const { parts } = await writeRows(path, MARKETS, [row(DAY + DAY_US), row(DAY + DAY_US - 1), row(DAY), row(DAY - 1), row(-1), row(0)])
    expect(parts.map(({ name, ticks }) => [name.slice('parts/'.length), ticks])).toEqual([
      ['1969-12-31.0.arrow', 1], ['1970-01-01.0.arrow', 1], ['2025-06-18.0.arrow', 1], ['2025-06-19.0.arrow', 2], ['2025-06-20.0.arrow', 1],
    ])
  })

  it('counts ticks after the scheduled close of their market, and not those at it', async () => {
    const path = join(madeFolder(), 'store')
    await writeRows(path, [draftOf('x', { scheduledCloseUs: DAY + 5, scheduledCloseKnownUs: DAY }), draftOf('w')], [[DAY + 5, 0, 1, 2, 3, 4, 5], [DAY + 6, 0, 1, 2, 3, 4, 5], [DAY + 7, 1, 1, 2, 3, 4, 5]])
    expect(openStore(path).report().coverage).toEqual({ afterClose: 1 })
  })

  it('is not written from a price or a size that it may not have, or of a market that nobody knows', async () => {
    const path = join(madeFolder(), 'store')
    const written = (row: Row): Promise<unknown> => writeRows(path, MARKETS, [row])
    await expect(written([DAY, 0, 1_000_001, 2, 3, 4, 5])).rejects.toThrow('bid_e6 is 1000001')
    await expect(written([DAY, 0, 1, -2, 3, 4, 5])).rejects.toThrow('ask_e6 is -2')
    await expect(written([DAY, 0, 1, 2, -2, 4, 5])).rejects.toThrow('the sizes -2 and 4')
    await expect(written([DAY, 3, 1, 2, 3, 4, 5])).rejects.toThrow('a tick names a market that is not among the 3')
    await expect(written([NaN, 0, 1, 2, 3, 4, 5])).rejects.toThrow('a row at NaN')
    expect((await writeRows(path, MARKETS, [[DAY, 0, 0, 1_000_000, 0, 2 ** 31 - 1, -1]])).ticks).toBe(1)
  })
})

describe('batches of a part', () => {
  /** A part of three batches in the place of the one that was written. */
  async function inBatches(batches: readonly (readonly Row[])[], { says = true, tickers = ['a', 'b', 'c'] } = {}): Promise<string> {
    const path = join(madeFolder(), 'store')
    const head = await writeRows(path, MARKETS, batches.flat())
    const name = head.parts[0]!.name
    const writer = new ColumnsWriter(ticksTableOf(tickers), join(path, name), {}, { batchRows: 100, isCompressed: true })
    for (const rows of batches) {
      const column = (at: number): Int32Array => Int32Array.from(rows, (row) => row[at]!)
      writer.batch([Float64Array.from(rows, ([at]) => at), ...[1, 2, 3, 4, 5, 6].map(column)], rows.length)
    }
    writer.finish()
    const said = batches.map((rows) => ({ ticks: rows.length, firstUs: rows[0]![0], lastUs: rows.at(-1)![0] }))
    rmSync(join(path, name.replace('.arrow', '.last.arrow')))
    const { [name.replace('.arrow', '.last.arrow')]: _, ...kept } = head.files
    const files = { ...kept, [name]: describeFile(join(path, name)) }
    const { batches: __, ...part } = head.parts[0]!
    const changed: StoreHead = { ...head, files, dataHash: dataHashOf(files), parts: [{ ...part, ...(says ? { batches: said } : {}) }] }
    writeFileSync(join(path, 'store.json'), JSON.stringify(changed))
    return path
  }

  const BATCHES: Row[][] = [[[DAY, 0, 1, 2, 3, 4, 5], [DAY + 1, 1, 1, 2, 3, 4, 5]], [[DAY + 1, 2, 7, 8, 3, 4, 5]], [[DAY + 9, 0, -1, -1, -1, -1, 5], [DAY + 9, 1, -1, -1, -1, -1, -1]]]

  it.each([true, false])('are read one by one, whether store.json says what they are (%s) or not', async (says) => {
    const store = openStore(await inBatches(BATCHES, { says }))
    const part = store.parts[0]!
    expect(store.batchesOf(part)).toEqual([{ ticks: 2, firstUs: DAY, lastUs: DAY + 1 }, { ticks: 1, firstUs: DAY + 1, lastUs: DAY + 1 }, { ticks: 2, firstUs: DAY + 9, lastUs: DAY + 9 }])
    expect([2, 0, 1].map((batch) => rowsOf(store.readBatch(part, batch)))).toEqual([BATCHES[2], BATCHES[0], BATCHES[1]])
  })

  it('go into given columns, in shared memory too', async () => {
    const store = openStore(await inBatches(BATCHES))
    const shared = <A>(make: new (buffer: SharedArrayBuffer) => A): A => new make(new SharedArrayBuffer(64))
    const into = { ...tickColumns(0), atUs: shared(Float64Array), market: shared(Int32Array), bidE6: shared(Int32Array), askE6: shared(Int32Array), bidSize: shared(Int32Array), askSize: shared(Int32Array), lastE6: shared(Int32Array) } as unknown as ReturnType<typeof tickColumns>
    const ticks = store.readBatch(store.parts[0]!, 2, into)
    expect(rowsOf(ticks)).toEqual(BATCHES[2])
    expect([ticks.atUs.buffer === into.atUs.buffer, ticks.market.buffer === into.market.buffer, into.atUs.length]).toEqual([true, true, 8])
  })

  const bad = (row: Row): Row[][] => [[[DAY, 0, 1, 2, 3, 4, 5], row]]
  /** The store was written from sound rows of the same instants, and the part has the others. */
  async function refused(rows: Row[][], options: { tickers?: string[] } = {}): Promise<string> {
    const path = await inBatches(BATCHES.slice(0, 1), options)
    const file = join(path, 'parts/2025-06-19.0.arrow')
    const writer = new ColumnsWriter(ticksTableOf(options.tickers ?? ['a', 'b', 'c']), file, {}, { batchRows: 100 })
    for (const batch of rows) writer.batch([Float64Array.from(batch, ([at]) => at), ...[1, 2, 3, 4, 5, 6].map((at) => Int32Array.from(batch, (row) => row[at]!))], batch.length)
    writer.finish()
    const head = JSON.parse(readFileSync(join(path, 'store.json'), 'utf8')) as StoreHead
    const files = { ...head.files, 'parts/2025-06-19.0.arrow': describeFile(file) }
    writeFileSync(join(path, 'store.json'), JSON.stringify({ ...head, files, dataHash: dataHashOf(files) }))
    const store = openStore(path)
    const error = refusal(() => store.readBatch(store.parts[0]!, 0))
    expect(error.position!.file).toBe(file)
    return error.message
  }

  test.each([
    [[DAY + 1, 1, 5_000_000, 2, 3, 4, 5], 'row 2: bid_e6 is 5000000, not within −1…1,000,000'],
    [[DAY + 1, 1, 1, 1_000_001, 3, 4, 5], 'row 2: ask_e6 is 1000001, not within −1…1,000,000'],
    [[DAY + 1, 1, 1, 2, 3, 4, -2], 'row 2: last_e6 is -2, not within −1…1,000,000'],
    [[DAY + 1, 1, 1, 2, 3, -2, 5], 'row 2: the sizes 3 and -2 are not −1 or more'],
    [[DAY - 1, 1, 1, 2, 3, 4, 5], `row 2: the instant ${DAY - 1} is earlier than the one before`],
    [[DAY + 1, 3, 1, 2, 3, 4, 5], 'row 2: it names market 3 of 3'],
    [[DAY + 2, 1, 1, 2, 3, 4, 5], 'batch 1 has ticks outside of the time that store.json says'],
  ] as [Row, string][])('with the row %j are refused', async (row, message) => {
    expect(await refused(bad(row))).toBe(message)
  })

  test('of a market that no file of markets has are refused', async () => {
    expect(await refused(bad([DAY + 1, 1, 1, 2, 3, 4, 5]), { tickers: ['a', 'b', 'd'] }).catch(String)).toContain('it has ticks of d, which no file of markets has')
  })

  it('leave behind the last tick of each market, the last with a book, and the last with a price', async () => {
    const rows: Row[] = [
      [DAY, 0, 1, 2, 3, 4, 5], [DAY + 1, 0, -1, -1, -1, -1, 9], [DAY + 2, 0, -1, -1, -1, -1, -1], [DAY + 3, 0, -1, -1, -1, -1, -1],
      [DAY + 4, 1, -1, -1, -1, -1, -1], [DAY + 5, 2, -1, 7, -1, 1, -1], [DAY + 6, 2, 6, -1, 1, -1, 3],
    ]
    const path = join(madeFolder(), 'store')
    await writeRows(path, MARKETS, rows)
    const store = openStore(path)
    const [last, made] = [store, openStore(await inBatches([numbered(rows).slice(0, 3), numbered(rows).slice(3)]))].map((one) => one.lastOf(one.parts[0]!))
    expect([last!.markets, last!.ticks, last!.firstUs, last!.lastUs].map((column) => [...column])).toEqual([[0, 1, 2], [1, 2, 4], [DAY + 4, DAY + 5, DAY], [DAY + 4, DAY + 6, DAY + 3]])
    expect(rowsOf(last!.latest)).toEqual([[DAY + 4, 0, -1, -1, -1, -1, -1], [DAY + 6, 1, 6, -1, 1, -1, 3], [DAY + 3, 2, -1, -1, -1, -1, -1]])
    expect(rowsOf(last!.withBook)).toEqual([[DAY + 6, 1, 6, -1, 1, -1, 3], [DAY, 2, 1, 2, 3, 4, 5]])
    expect(rowsOf(last!.withPrice)).toEqual([[DAY + 6, 1, 6, -1, 1, -1, 3], [DAY + 1, 2, -1, -1, -1, -1, 9]])
    expect(made).toEqual(last)
  })

  it('are those of the files that an old run used', async () => {
    const path = join(madeFolder(), 'store')
    await writeRows(path, MARKETS, drawnRows(5, 100, 3, 3))
    const store = openStore(path)
    const second = store.parts[1]!
    const old = store.asOf(['markets/0.json', second.name])
    expect([old.parts, old.head.ticks, old.head.firstUs, old.head.lastUs]).toEqual([[second], second.ticks, second.firstUs, second.lastUs])
    expect(allRows(old)).toEqual(rowsOf(store.readBatch(second, 0)))
    expect(old.lastOf(second)).toEqual(store.lastOf(second))
    expect(old.head.dataHash).not.toBe(store.head.dataHash)
    expect(store.asOf(Object.keys(store.head.files)).head).toEqual(store.head)
    expect(refusal(() => store.asOf(['parts/2025-06-19.9.arrow'])).message).toBe('the store does not have the file parts/2025-06-19.9.arrow')
  })
})
