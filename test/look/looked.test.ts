import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { ColumnsWriter } from '../../src/arrow/columnsWriter.ts'
import { coverage, exportTicks, type StateTimes, storeContents, verifyStore } from '../../src/actions.ts'
import { openStore } from '../../src/feed/store/openStore.ts'
import { ticksTableOf } from '../../src/feed/store/ticksTable.ts'
import { describeFile } from '../../src/result/head.ts'
import { parlorHere } from '../cli/parlor.ts'
import { drawnRows, madeFolder, sortedRows } from '../feed/store/made.ts'
import { DAY, DAY_US, draftOf, type Row, writeRows } from '../feed/store/rows.ts'

const MINUTE_US = 60_000_000
const HOUR_US = 60 * MINUTE_US

/** Times of the states that are not zero. */
const timesOf = (states: StateTimes): object => Object.fromEntries(Object.entries(states).filter(([, us]) => us > 0))

const reject = (promise: Promise<unknown>): Promise<Error> => promise.then(() => { throw new Error('expected a rejection') }, (error: unknown) => error as Error)

describe('coverage', () => {
  it('counts by day the time of each state, from the first tick to the close, across midnight and across imports', async () => {
    const store = join(madeFolder(), 'store')
    // It closes at 02:00 of the second day. Another import has the state from 23:00 on, and the second day.
    const markets = [draftOf('A', { scheduledCloseUs: DAY + 26 * HOUR_US, scheduledCloseKnownUs: DAY, outcome: 'yes' })]
    const at = (hours: number, bid: number, ask: number, last = -1): Row => [DAY + hours * HOUR_US, 0, bid, ask, 1, 1, last]
    await writeRows(store, markets, [at(20, 400_000, 500_000), at(21, 500_000, 500_000), at(21.75, 600_000, 500_000), at(22, -1, 500_000), at(22.5, -1, -1, 450_000)])
    await writeRows(store, markets, [at(23, -1, -1), at(25, 400_000, 500_000), at(27, 1, 2)], { isAdded: true })
    const found = await coverage(store, { gap: '1h' })
    expect(found.days.map(({ date, ticks, markets: count, priced, gaps, longestGapUs, states }) => [date, ticks, count, priced, gaps, longestGapUs, timesOf(states)])).toEqual([
      ['2025-06-19', 6, 1, 1, 1, 2 * HOUR_US, { whole: HOUR_US, locked: 0.75 * HOUR_US, crossed: HOUR_US / 4, oneSided: HOUR_US / 2, lastOnly: HOUR_US / 2, empty: HOUR_US }],
      ['2025-06-20', 2, 1, 1, 0, 0, { empty: HOUR_US, whole: HOUR_US }],
    ])
    // From 23:00 to 01:00 there is no tick. From 01:00 to the close there is exactly an hour, which is no gap; and after the close it does not trade.
    expect([found.gaps, found.longestGaps]).toEqual([1, [{ market: 'A', fromUs: DAY + 23 * HOUR_US, toUs: DAY + 25 * HOUR_US }]])
    expect([found.silences, found.longestSilences.map(({ fromUs, toUs }) => (toUs - fromUs) / HOUR_US)]).toEqual([2, [2, 2]])
    expect(found.unaskable).toEqual([])
  })

  it('tells that a recording ends before its market closes, and says nothing of the time after the last tick of the store', async () => {
    const store = join(madeFolder(), 'store')
    const closes = { scheduledCloseUs: DAY + 10 * HOUR_US, scheduledCloseKnownUs: DAY, outcome: 'no' } as const
    await writeRows(store, [draftOf('A', closes), draftOf('B', { outcome: 'no' })], [[DAY, 0, 1, 2, 1, 1, -1], [DAY, 1, 1, 2, 1, 1, -1], [DAY + 4 * HOUR_US, 1, 1, 2, 1, 1, -1]])
    const found = await coverage(store, { gap: '3h' })
    expect(found.longestGaps).toEqual(['B', 'A'].map((market) => ({ market, fromUs: DAY, toUs: DAY + 4 * HOUR_US })))
    expect(timesOf(found.states)).toEqual({ whole: 8 * HOUR_US })
  })

  it('counts markets that can never be asked for, each under its reason', async () => {
    const store = join(madeFolder(), 'store')
    const closes = { scheduledCloseUs: DAY + HOUR_US, scheduledCloseKnownUs: DAY }
    const markets = [
      draftOf('EMPTY', { outcome: 'yes' }), draftOf('LATE', { ...closes, outcome: 'yes' }), draftOf('NONE', { outcome: 'yes' }), draftOf('OPEN'), draftOf('SOUND', { ...closes, outcome: 'yes' }),
      draftOf('VOID', { outcome: 'void' }),
    ]
    await writeRows(store, markets, [
      [DAY, 0, -1, -1, -1, -1, -1], [DAY, 1, -1, -1, -1, -1, -1], [DAY, 3, 1, 2, 1, 1, -1], [DAY + HOUR_US - 1, 4, 1, 2, 1, 1, -1], [DAY + HOUR_US, 1, 1, 2, 1, 1, -1], [DAY + HOUR_US, 5, -1, -1, -1, -1, 7],
    ])
    expect((await coverage(store)).unaskable).toEqual([
      { reason: 'no prices', markets: 2, first: ['EMPTY', 'NONE'] }, { reason: 'no price before the close', markets: 1, first: ['LATE'] }, { reason: 'no result', markets: 1, first: ['OPEN'] },
    ])
  })

  it('has a page that allows nothing but its own style and scripts, has its numbers as tables, and is the same each time', async () => {
    const folder = madeFolder()
    await writeRows(join(folder, 'store'), [draftOf('<A>', { outcome: 'yes' }), draftOf('B')], [[DAY, 0, 1, 2, 1, 1, -1], [DAY + 2 * HOUR_US, 0, 1, 2, 1, 1, -1]])
    const page = async (): Promise<string> => {
      await coverage(join(folder, 'store'), { page: join(folder, 'page.html') })
      return readFileSync(join(folder, 'page.html'), 'utf8')
    }
    const text = await page()
    expect(await page()).toBe(text)
    expect(text).toMatch(/Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'(?: 'sha256-[^']+')*; base-uri 'none'; form-action 'none'"/)
    expect(text).not.toMatch(/<script[^>]*\ssrc=|\sstyle="|https?:\/\/(?!www\.w3\.org)/)
    expect(text).toContain('<th scope="row">&lt;A&gt;</th><td>2025-06-19 00:00:00 UTC</td><td>2025-06-19 02:00:00 UTC</td><td class="number"><data value="7200000000">2 h</data></td>')
    const pictures = text.match(/<svg[^>]*>/g)!
    expect(pictures.map((picture) => [/role="img"/.test(picture), /aria-label="[^"]+"/.test(picture)])).toEqual([[true, true], [true, true], [true, true]])
    expect(text).toContain('<b>1 market</b> can never be asked for')
  })
})

describe('contents of a store', () => {
  it('are its markets by venue, category and result, with their prices, and what each import read', async () => {
    const store = join(madeFolder(), 'store')
    const markets = [draftOf('A', { outcome: 'yes' }), draftOf('B', { outcome: 'void' }), draftOf('C', { category: 'crypto', outcome: 'scalar', settlementE6: 5 }), draftOf('D')]
    await writeRows(store, markets, [[DAY, 0, 1, 2, 1, 1, -1], [DAY, 2, 1, 2, 1, 1, -1], [DAY + 1, 2, 1, 2, 1, 1, -1]])
    await writeRows(store, [draftOf('E', { venue: 'venue_a' })], [[DAY + DAY_US, 0, 1, 2, 1, 1, -1]], { isAdded: true })
    const { parts, kinds, imports } = await storeContents(store)
    const none = { yes: 0, no: 0, void: 0, scalar: 0, unresolved: 0 }
    expect(kinds).toEqual([
      { venue: 'venue_a', category: 'sports', markets: 1, ticks: 1, ...none, unresolved: 1 },
      { venue: 'venue_b', category: 'crypto', markets: 1, ticks: 2, ...none, scalar: 1 },
      { venue: 'venue_b', category: 'sports', markets: 3, ticks: 1, ...none, yes: 1, void: 1, unresolved: 1 },
    ])
    expect([parts, imports.map(({ format, ticks }) => [format, ticks])]).toEqual([2, [['made', 3], ['made', 1]]])
  })
})

describe('verify', () => {
  const made = async (): Promise<string> => {
    const store = join(madeFolder(), 'store')
    await writeRows(store, [draftOf('A'), draftOf('B')], [[DAY, 0, 1, 2, 1, 1, -1], [DAY + 1, 1, 1, 2, 1, 1, -1], [DAY + DAY_US, 0, 3, 4, 1, 1, -1]])
    return store
  }
  const PART = 'parts/2025-06-19.0.arrow'
  const LAST = 'parts/2025-06-19.0.last.arrow'

  /** Changes a file, and says in store.json what it is now, as a program would that made the store so. */
  async function forged(store: string, name: string, bytes: Buffer, change: (head: Record<string, unknown>) => void = () => {}): Promise<void> {
    writeFileSync(join(store, name), bytes)
    const file = join(store, 'store.json')
    const head = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown> & { files: Record<string, unknown> }
    head.files[name] = { bytes: bytes.length, sha256: describeFile(join(store, name)).sha256 }
    change(head)
    const { dataHashOf } = await import('../../src/feed/store/storeHead.ts')
    head['dataHash'] = dataHashOf(head.files as Parameters<typeof dataHashOf>[0])
    writeFileSync(file, JSON.stringify(head))
  }

  it('finds nothing wrong with a store that was written', async () => {
    expect(await verifyStore(await made())).toMatchObject({ parts: 2, ticks: 3, faults: [] })
  })

  it('names every file whose bytes are others, and goes on with the rest', async () => {
    const store = await made()
    for (const name of [PART, 'imports/0.json']) {
      const bytes = readFileSync(join(store, name))
      bytes[bytes.length >> 1]! ^= 1
      writeFileSync(join(store, name), bytes)
    }
    // One that is cut off is said to be so once.
    writeFileSync(join(store, 'markets/0.json'), '[')
    const { faults, ticks } = await verifyStore(store)
    expect(faults.filter(({ message }) => message.startsWith('the file has 1 bytes')).map(({ file }) => file)).toEqual([join(store, 'markets/0.json')])
    expect(faults.filter(({ message }) => message.startsWith('its SHA-256')).map(({ file }) => file)).toEqual([join(store, PART), join(store, 'imports/0.json')].toSorted((a, b) => (a < b ? -1 : 1)))
    expect(ticks).toBe(0)
  })

  it('names the row of a price that a store may not have, though every hash is right', async () => {
    const store = await made()
    const writer = new ColumnsWriter(ticksTableOf(['A', 'B']), join(store, PART), {}, { batchRows: 100 })
    writer.batch([Float64Array.of(DAY, DAY + 1), ...[[0, 1], [1, 1], [2, 2], [1, 1], [1, 5], [-1, 1_000_001]].map((cells) => Int32Array.from(cells))], 2)
    writer.finish()
    await forged(store, PART, readFileSync(join(store, PART)))
    expect((await verifyStore(store)).faults).toContainEqual({ file: join(store, PART), row: 2, message: 'last_e6 is 1000001, not within −1…1,000,000' })
    const { code, err } = await parlorHere(store, 'data', 'verify', '.')
    expect([code, err]).toEqual([2, expect.stringContaining(`${PART}:2: last_e6 is 1000001`)])
  })

  it('holds what a part leaves behind, its markets and its sums against its prices', async () => {
    const other = join(madeFolder(), 'other')
    await writeRows(other, [draftOf('A'), draftOf('B')], [[DAY, 0, 1, 2, 1, 1, -1], [DAY + 1, 1, 1, 3, 1, 1, -1]])
    const left = await made()
    await forged(left, LAST, readFileSync(join(other, LAST)))
    expect((await verifyStore(left)).faults).toEqual([{ file: join(left, LAST), message: `it does not say of B what follows from ${PART}` }])
    const counted = await made()
    await forged(counted, PART, readFileSync(join(counted, PART)), (head) => { (head['parts'] as { markets: number }[])[0]!.markets = 1 })
    expect((await verifyStore(counted)).faults).toEqual([
      { file: join(counted, PART), message: 'it has ticks of 2 markets, and store.json says 1' },
      { file: join(counted, LAST), message: 'its markets are 2, and store.json says 1 of the part' },
    ])
    const summed = await made()
    await forged(summed, PART, readFileSync(join(summed, PART)), (head) => { head['ticks'] = 4 })
    expect((await verifyStore(summed)).faults.map(({ message }) => message)).toEqual(['store.json says of all ticks what its parts do not have'])
  })
})

describe('export', () => {
  it('writes all prices in order of time, import and row, whatever parts they lie in, and as Parquet the same rows', async () => {
    const folder = madeFolder()
    const store = join(folder, 'store')
    const markets = [draftOf('A'), draftOf('B"x,y'), draftOf('C')]
    const [first, second] = [drawnRows(1, 9000, 3, 3), drawnRows(2, 300, 3, 3).map(([at, ...rest]): Row => [at + 7, ...rest])]
    await writeRows(store, markets, first)
    await writeRows(store, markets, second, { isAdded: true, overlap: 'last' })
    const expected = sortedRows([...first, ...second])
    const [csv, parquet] = [join(folder, 'ticks.csv'), join(folder, 'ticks.parquet')]
    const rows = openStore(store).head.ticks
    expect(await exportTicks(store, { format: 'csv', out: csv })).toEqual({ rows })
    expect(await exportTicks(store, { format: 'parquet', out: parquet })).toEqual({ rows })
    const lines = readFileSync(csv, 'utf8').trimEnd().split('\n')
    expect(lines[0]).toBe('seen_at,market,bid_e6,ask_e6,bid_size,ask_size,last_e6')
    const names = ['A', '"B""x,y"', 'C']
    const text = ([at, market, ...cells]: Row): string => [new Date(at / 1000).toISOString().replace('Z', `${String(at % 1000).padStart(3, '0')}Z`), names[market], ...cells.map((cell) => (cell === -1 ? '' : cell))].join(',')
    // Rows that are equal in all fields, of one market at one instant, are one.
    const expectedLines = expected.map(text)
    expect(new Set(lines.slice(1))).toEqual(new Set(expectedLines))
    expect(lines.slice(1).map((line) => line.slice(0, 27))).toEqual(lines.slice(1).map((line) => line.slice(0, 27)).toSorted())
    const read = await parquetReadObjects({ file: await asyncBufferFromFile(parquet) })
    expect(read.map((row) => `${(row['seen_at'] as Date).toISOString().slice(0, 23)},${String(row['market'])},${['bid_e6', 'ask_e6', 'bid_size', 'ask_size', 'last_e6'].map((name) => row[name] ?? '').join(',')}`))
      .toEqual(lines.slice(1).map((line) => `${line.slice(0, 23)},${line.slice(28).replace('"B""x,y"', 'B"x,y')}`))
  })

  it('puts prices of one instant in the order of their imports, though those of other instants lie between', async () => {
    const store = join(madeFolder(), 'store')
    const row = (at: number, market: number): Row => [DAY + at, market, 1, 2, 1, 1, -1]
    await writeRows(store, [draftOf('A'), draftOf('B')], [row(1, 1), row(2, 1), row(5, 1), row(5, 1)])
    await writeRows(store, [draftOf('A'), draftOf('B')], [row(0, 0), row(2, 0), row(3, 0), row(5, 0), row(6, 0)], { isAdded: true })
    let text = ''
    await exportTicks(store, { format: 'csv', out: (piece) => { text += piece }, from: '2025-06-19' })
    expect(text.trimEnd().split('\n').slice(1).map((line) => `${line.slice(25, 26)}${line.slice(28, 29)}`).join(' ')).toBe('0A 1B 2B 2A 3A 5B 5B 5A 6A')
    // The last price of a day is the first that is asked for.
    text = ''
    await exportTicks(store, { format: 'csv', out: (piece) => { text += piece }, from: '2025-06-19T00:00:00.000006Z' })
    expect(text.split('\n').slice(1)).toEqual(['2025-06-19T00:00:00.000006Z,A,1,2,1,1,', ''])
  })

  it('begins at the first instant, leaves the last one out, and takes only the markets that are named', async () => {
    const folder = madeFolder()
    await writeRows(join(folder, 'store'), [draftOf('A'), draftOf('B')], [
      [DAY - 1, 0, 1, 2, 1, 1, -1], [DAY, 0, 3, 4, 1, 1, -1], [DAY, 1, 3, 4, 1, 1, -1], [DAY + DAY_US - 1, 0, 5, 6, 1, 1, -1], [DAY + DAY_US, 0, 7, 8, 1, 1, -1],
    ])
    const { code, out } = await parlorHere(folder, 'data', 'export', './store', '--csv', '--from', '2025-06-19', '--to', '2025-06-20', '--market', 'A')
    expect([code, out.split('\n')]).toEqual([0, ['seen_at,market,bid_e6,ask_e6,bid_size,ask_size,last_e6', '2025-06-19T00:00:00.000000Z,A,3,4,1,1,', '2025-06-19T23:59:59.999999Z,A,5,6,1,1,', '']])
    expect((await reject(exportTicks(join(folder, 'store'), { format: 'csv', out: 'x', markets: ['a'] }))).message).toBe('no market a; did you mean A?')
    expect((await reject(exportTicks(join(folder, 'store'), { format: 'csv', out: 'x', from: '2025-06-20', to: '2025-06-20' }))).message).toBe('to: 2025-06-20 is not after 2025-06-20')
  })
})
