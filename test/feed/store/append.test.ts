import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { importData } from '../../../src/actions/importData.ts'
import { openStore } from '../../../src/feed/store/openStore.ts'
import { readStore } from '../../../src/feed/store/readStore.ts'
import { describeStore } from '../../../src/feed/store/describeStore.ts'
import { StoreWriter } from '../../../src/feed/store/storeWriter.ts'
import { drawnRows, madeFolder, sortedRows } from './made.ts'
import { DAY, DAY_US, draftOf, type Row, rowsOf, writeRows } from './rows.ts'

const [A, B, C] = [draftOf('a'), draftOf('b'), draftOf('c')]
const tick = (atUs: number, market: number, bidE6 = 1): Row => [atUs, market, bidE6, 9, 3, 4, 5]
const bytesOf = (path: string): Map<string, string> =>
  new Map(Object.keys(openStore(path).head.files).map((name) => [name, readFileSync(join(path, name)).toString('base64')]))

describe('an import that is added to a store', () => {
  it('leaves every file as it is, and has files of its own', async () => {
    const path = join(madeFolder(), 'store')
    await writeRows(path, [B], [tick(DAY, 0), tick(DAY + DAY_US, 0)])
    const before = bytesOf(path)
    const head = await writeRows(path, [A, B], [tick(DAY + DAY_US + 5, 0), tick(DAY + 2 * DAY_US, 1)], { isAdded: true })
    const after = bytesOf(path)
    for (const [name, bytes] of before) expect([name, after.get(name) === bytes]).toEqual([name, true])
    expect([...after.keys()].filter((name) => !before.has(name) && !name.includes('.last.'))).toEqual(['imports/1.json', 'markets/1.json', 'parts/2025-06-20.1.arrow', 'parts/2025-06-21.1.arrow'])
    expect(head).toMatchObject({ ticks: 4, markets: 2, firstUs: DAY, lastUs: DAY + 2 * DAY_US })
    expect(head.parts.map(({ name }) => name.slice('parts/'.length))).toEqual(['2025-06-19.0.arrow', '2025-06-20.0.arrow', '2025-06-20.1.arrow', '2025-06-21.1.arrow'])
    // a is number 0 now, and ticks of b have its new number.
    expect(rowsOf(readStore(path).ticks).map(([at, market]) => [at, market])).toEqual([[DAY, 1], [DAY + DAY_US, 1], [DAY + DAY_US + 5, 0], [DAY + 2 * DAY_US, 1]])
    expect(openStore(path).asOf([...before.keys()]).head).toMatchObject({ ticks: 2, markets: 1 })
  })

  it('is read with the others by time, and at one instant by import and row', async () => {
    const path = join(madeFolder(), 'store')
    const of = (seed: number, markets: readonly number[]): Row[] => drawnRows(seed, 300, 2, 2).map(([at, market, ...rest]) => [at, markets[market]!, ...rest] as Row)
    const [first, second] = [of(1, [0, 1]), of(2, [2, 3])]
    const all = ['a', 'b', 'c', 'd'].map((ticker) => draftOf(ticker))
    await writeRows(path, all, first)
    await writeRows(path, all, second, { isAdded: true, runRows: 50 })
    expect(rowsOf(readStore(path).ticks)).toEqual(sortedRows([...first, ...second]))
  })

  it('adds no tick that the store has, and refuses one that is another, unless it is said which holds', async () => {
    const path = join(madeFolder(), 'store')
    await writeRows(path, [A, B], [tick(DAY, 0), tick(DAY, 1), tick(DAY + 9, 0)])
    const more = (rows: readonly Row[], overlap?: 'first' | 'last'): Promise<unknown> => writeRows(path, [A, B], rows, { isAdded: true, overlap })
    await more([tick(DAY, 1), tick(DAY + 5, 1), tick(DAY + 9, 0)])
    expect(rowsOf(readStore(path).ticks).map(([at, market]) => [at - DAY, market])).toEqual([[0, 0], [0, 1], [5, 1], [9, 0]])
    const other = [tick(DAY, 0, 2), tick(DAY + 9, 0, 7), tick(DAY + 10, 0, 7)]
    await expect(more(other)).rejects.toMatchObject({ name: 'InputError', message: '2 ticks are others than the store has of the same market and instant; the first is of a at 2025-06-19T00:00:00.000000Z' })
    expect(openStore(path).head.ticks).toBe(4)
    await more(other, 'first')
    expect(rowsOf(readStore(path).ticks).map(([at, , bid]) => [at - DAY, bid])).toEqual([[0, 1], [0, 1], [5, 1], [9, 1], [10, 7]])
    await more(other, 'last')
    expect(rowsOf(readStore(path).ticks).map(([at, , bid]) => [at - DAY, bid])).toEqual([[0, 1], [0, 1], [0, 2], [5, 1], [9, 1], [9, 7], [10, 7]])
  })

  it('tells more of a market: what it states holds, what it leaves out stays', async () => {
    const path = join(madeFolder(), 'store')
    await writeRows(path, [draftOf('a', { game: 'G', scheduledCloseUs: DAY + 50, scheduledCloseKnownUs: DAY + 3, listing: { subcategory: 'mlb' } }), B], [tick(DAY, 0)])
    await writeRows(path, [draftOf('a', { openUs: DAY + 7, title: 'A wins', scheduledCloseUs: DAY + 50, scheduledCloseKnownUs: DAY + 7, outcome: 'yes', settledUs: DAY + 60, listing: { isExclusive: true } }), B, C], [tick(DAY + 9, 0)], { isAdded: true })
    expect((JSON.parse(readFileSync(join(path, 'markets', '1.json'), 'utf8')) as { ticker: string }[]).map(({ ticker }) => ticker)).toEqual(['a', 'c'])
    expect(readStore(path).catalogue.markets[0]).toEqual({
      number: 0, ...draftOf('a', { title: 'A wins', game: 'G', scheduledCloseUs: DAY + 50, scheduledCloseKnownUs: DAY + 3, outcome: 'yes', settledUs: DAY + 60, listing: { subcategory: 'mlb', isExclusive: true } }),
    })
  })

  it('is given up whole: the store is what it was', async () => {
    const path = join(madeFolder(), 'store')
    const head = await writeRows(path, [A], [tick(DAY, 0)])
    const writer = await StoreWriter.begin(path, { isAdded: true, runRows: 2 })
    for (let i = 0; i < 7; i++) writer.add(...tick(DAY + i, 0))
    expect(writer.giveUp(new Error('enough'))).toEqual(new Error('enough'))
    expect(openStore(path).head).toEqual(head)
    expect([...bytesOf(path).keys()]).toEqual(Object.keys(head.files))
  })
})

describe('importData', () => {
  const HEADER = 'date,ticker,event,yes_team,winner,close_bid,close_ask,close_mid,volume,open_interest,result,settled_ts'
  const game = (name: string, at = 1_750_388_400, bid = '40'): string => `2025-06-19,${name},${name},A,A,${bid},42,41,100,10,yes,${at}`
  function files(contents: Readonly<Record<string, readonly string[]>>): string {
    const folder = madeFolder()
    for (const [name, rows] of Object.entries(contents)) {
      const text = `${[HEADER, ...rows].join('\n')}\n`
      writeFileSync(join(folder, name), name.endsWith('.gz') ? gzipSync(text) : text)
    }
    return folder
  }
  const imported = (folder: string, names: readonly string[], options: object = {}): ReturnType<typeof importData> =>
    importData('kalshi-mlb-close', names.map((name) => join(folder, name)), { into: join(folder, 'store'), ...options })

  it('adds nothing of a content that the store has, whatever the file is called and however it is compressed', async () => {
    const folder = files({ 'a.csv': [game('G1')], 'b.csv.gz': [game('G1')], 'c.csv': [game('G2')] })
    const first = await imported(folder, ['a.csv'])
    expect(first).toMatchObject({ added: 1, ticks: 1, report: { files: [{ sha256: expect.stringMatching(/^\w{64}$/), bytes: HEADER.length + game('G1').length + 2 }] } })
    const text = readFileSync(join(folder, 'store', 'store.json'), 'utf8')
    expect(await imported(folder, ['b.csv.gz'], { append: true })).toMatchObject({ added: 0, report: null, dataHash: first.dataHash })
    expect(readFileSync(join(folder, 'store', 'store.json'), 'utf8')).toBe(text)
    expect(await imported(folder, ['a.csv', 'c.csv'], { append: true })).toMatchObject({ added: 1, ticks: 2, markets: 2, report: { coverage: { 'ticks that the store had': 1 } } })
    expect(describeStore(join(folder, 'store')).report).toMatchObject({ acceptedRows: 3, ticks: 2, markets: 2 })
  })

  it('keeps the result that the store has, and counts one that contradicts it, unless the later one is told to hold', async () => {
    const folder = files({ 'a.csv': [game('G1')], 'b.csv': [game('G1', 1_750_388_401).replace(',yes,', ',no,')], 'c.csv': [game('G1', 1_750_388_402).replace(',yes,', ',no,')] })
    const outcome = (): unknown => readStore(join(folder, 'store')).catalogue.markets[0]!.outcome
    await imported(folder, ['a.csv'])
    expect((await imported(folder, ['b.csv'], { append: true })).report!.coverage).toMatchObject({ 'results that contradict the store': 1, 'resolved yes': 1, 'resolved no': 0 })
    expect(outcome()).toBe('yes')
    expect((await imported(folder, ['c.csv'], { append: true, overlap: 'last' })).report!.coverage).not.toHaveProperty('results that contradict the store')
    expect(outcome()).toBe('no')
  })

  it('reads files of one content once', async () => {
    const folder = files({ 'a.csv': [game('G1')], 'b.csv.gz': [game('G1')] })
    const { report, ticks } = await imported(folder, ['a.csv', 'b.csv.gz'])
    expect([ticks, report!.troubles.map(({ kind, file }) => [kind, file])]).toEqual([1, [['same content', join(folder, 'b.csv.gz')]]])
  })

  it('replaces a store only by force, and adds where there is none', async () => {
    const folder = files({ 'a.csv': [game('G1')], 'c.csv': [game('G2'), game('G3')] })
    expect(await imported(folder, ['a.csv'], { append: true })).toMatchObject({ ticks: 1 })
    await expect(imported(folder, ['c.csv'])).rejects.toMatchObject({ name: 'InputError', message: 'there is a store here already', hint: '--append adds to it, --force replaces it' })
    expect(openStore(join(folder, 'store')).head.ticks).toBe(1)
    expect(await imported(folder, ['c.csv'], { force: true })).toMatchObject({ ticks: 2, markets: 2 })
  })

  it('replaces no store that another import made while it waited', async () => {
    const folder = files({ 'a.csv': [game('G1')], 'c.csv': [game('G2'), game('G3')] })
    const both = await Promise.allSettled([imported(folder, ['a.csv']), imported(folder, ['c.csv'])])
    const [made] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value.dataHash] : []))
    expect(both.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []))).toEqual(['there is a store here already'])
    expect(openStore(join(folder, 'store')).head.dataHash).toBe(made)
  })

  it.each([
    ['of which no row is accepted', ['bad.csv'], {}, /^no row is accepted as kalshi-mlb-close, of 1 in .*bad.csv: not a number, close_bid x$/],
    ['that has no rows', ['empty.csv'], {}, /^no row is accepted/],
    ['of which more than half is set aside', ['most.csv'], {}, /^2 of 3 rows are set aside, more than 50 %: not a number, close_bid x$/],
    ['of which more is set aside than may be', ['half.csv'], { maxQuarantine: 0.49 }, /^1 of 2 rows are set aside, more than 49 %/],
  ])('refuses an import %s, and leaves the store as it is', async (_, names, options, message) => {
    const folder = files({ 'a.csv': [game('G1')], 'bad.csv': [game('B', 1, 'x')], 'empty.csv': [], 'most.csv': [game('M1'), game('M2', 1, 'x'), game('M3', 1, 'x')], 'half.csv': [game('H1'), game('H2', 1, 'x')] })
    const hint = (isAdded: boolean): RegExp => (names[0] === 'bad.csv' || names[0] === 'empty.csv' ? isAdded ? /^is it another format, or do the rows need files/ : /^is it another format\?$/ : /^--max-quarantine 100 takes/)
    await expect(imported(folder, names, options)).rejects.toMatchObject({ name: 'InputError', message, hint: expect.stringMatching(hint(false)) })
    await imported(folder, ['a.csv'])
    const text = readFileSync(join(folder, 'store', 'store.json'), 'utf8')
    for (const how of [{ force: true }, { append: true }]) {
      await expect(imported(folder, names, { ...options, ...how })).rejects.toMatchObject({ name: 'InputError', message, hint: expect.stringMatching(hint('append' in how)) })
    }
    expect(readFileSync(join(folder, 'store', 'store.json'), 'utf8')).toBe(text)
  })

  it('takes an import of which half is set aside, and more where that may be', async () => {
    const folder = files({ 'half.csv': [game('H1'), game('H2', 1, 'x')], 'most.csv': [game('M1'), game('M2', 1, 'x'), game('M3', 1, 'x')] })
    expect(await imported(folder, ['half.csv'])).toMatchObject({ ticks: 1 })
    expect(await imported(folder, ['most.csv'], { append: true, maxQuarantine: 1 })).toMatchObject({ ticks: 2 })
  })
})
