import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importData, type ImportedStore } from '../../../src/actions/importData.ts'
import type { Market } from '../../../src/market/market.ts'
import { describeStore } from '../../../src/feed/store/describeStore.ts'
import { readStore } from '../../../src/feed/store/readStore.ts'
import { madeFolder } from './made.ts'
import { rowsOf } from './rows.ts'

const MAPPING = `files:
  - { kind: markets, match: m*.csv, market: t, title: title, event: event, game: game, exclusion: keys, exclusive: ex, close: close }
  - { kind: results, match: r*.csv, market: t, result: result, settled: at }
  - { kind: quotes, match: q*.csv, market: t, time: at, bid: bid, ask: ask }
  - { kind: trades, match: t*.csv, market: t, time: at, price: price }
  - { kind: depth, match: d*.csv, market: t, time: at, side: side, price: price, size: size }
`
const HEADERS: Readonly<Record<string, string>> = { m: 't,title,event,game,keys,ex,close', r: 't,result,at', q: 't,at,bid,ask', t: 't,at,price', d: 't,at,side,price,size', f: 't,title,close,settled,result' }

/** µs of an hour of 19 June 2025, UTC. */
const hour = (hours: number): number => Date.UTC(2025, 5, 19, hours) * 1000
const at = (hours: number): string => new Date(hour(hours) / 1000).toISOString()

/** A store that imports are added to one after the other, each of files whose first letter tells what they are. */
class Appended {
  readonly into = join(madeFolder(), 'store')
  private imports = 0

  async add(files: Readonly<Record<string, readonly string[]>>, options: object = {}, mapping = MAPPING): Promise<ImportedStore> {
    const folder = madeFolder()
    writeFileSync(join(folder, 'mapping.yaml'), mapping)
    for (const [name, rows] of Object.entries(files)) writeFileSync(join(folder, `${name}.csv`), `${[HEADERS[name[0]!], ...rows].join('\n')}\n`)
    return importData('csv', Object.keys(files).map((name) => join(folder, `${name}.csv`)), { into: this.into, map: join(folder, 'mapping.yaml'), append: this.imports++ > 0, ...options })
  }

  get markets(): readonly Market[] {
    return readStore(this.into).catalogue.markets
  }

  /** Hour, bid, ask and last price of each tick, in thousandths. */
  get ticks(): readonly number[][] {
    return rowsOf(readStore(this.into).ticks).map(([us, , bid, ask, , , last]) => [(us - hour(0)) / 3.6e9, ...[bid, ask, last].map((e6) => (e6 < 0 ? e6 : e6 / 1000))])
  }
}

const all = async (...files: readonly Readonly<Record<string, readonly string[]>>[]): Promise<readonly number[][]> => {
  const store = new Appended()
  await store.add(Object.assign({}, ...files) as Readonly<Record<string, readonly string[]>>)
  return store.ticks
}
const troublesOf = ({ report }: ImportedStore): unknown[] => report!.troubles.map(({ kind, handling, rows, about }) => [kind, handling, rows, about])
const quote = (ticker: string, hours: number, bid = 0.4): string => `${ticker},${at(hours)},${bid},0.5`
const LISTED = [`A,A wins,GAME-A,G1,mine,true,${at(30)}`, `B,B wins,GAME-A,G1,,true,${at(30)}`]
const listed = async (): Promise<Appended> => {
  const store = new Appended()
  await store.add({ m: LISTED, q: [quote('A', 10), quote('B', 10)] })
  return store
}

describe('facts of a store that more is added to', () => {
  it('stay where the later import leaves them out', async () => {
    const store = await listed()
    const before = store.markets
    expect(before[0]).toMatchObject({ event: 'GAME-A', title: 'A wins', game: 'G1', exclusionKeys: ['event:GAME-A', 'game:G1', 'named:mine'], listing: { isExclusive: true } })
    await store.add({ q: [quote('A', 12), quote('B', 12), quote('C', 12)] })
    expect(store.markets.slice(0, 2)).toEqual(before)
    expect(store.markets[2]).toMatchObject({ ticker: 'C', event: 'C', title: 'C', exclusionKeys: ['market:C'] })
  })

  it('are completed by what the later import states, with the keys that follow', async () => {
    const store = new Appended()
    await store.add({ q: [quote('A', 10), quote('B', 10)] })
    expect(store.markets.map(({ event, exclusionKeys }) => [event, exclusionKeys])).toEqual([['A', ['market:A']], ['B', ['market:B']]])
    await store.add({ m: LISTED })
    expect(store.markets.map(({ event, exclusionKeys }) => [event, exclusionKeys])).toEqual([['GAME-A', ['event:GAME-A', 'game:G1', 'named:mine']], ['GAME-A', ['event:GAME-A', 'game:G1']]])
    // The close is known since the market was listed.
    expect(store.markets[0]).toMatchObject({ openUs: hour(10), scheduledCloseUs: hour(30), scheduledCloseKnownUs: hour(10) })
  })

  it('take results alone, of markets that the store has', async () => {
    const store = await listed()
    const added = await store.add({ r: [`A,yes,${at(31)}`, `Z,no,${at(31)}`] })
    expect(store.markets[0]).toMatchObject({ outcome: 'yes', settledUs: hour(31) })
    expect([added.markets, added.added, troublesOf(added)]).toEqual([2, 0, [['result without market', 'quarantined', 1, 'nothing else names Z']]])
  })

  it('stay where the later import contradicts them, unless that one is told to hold', async () => {
    const store = await listed()
    await store.add({ r: [`A,yes,${at(31)}`] })
    const change = { q: [13, 14, 15].map((hours) => quote('A', hours)), r: [`A,no,${at(31)}`], m: [`B,B wins,OTHER,G1,,true,${at(30)}`] }
    const added = await store.add(change)
    expect(troublesOf(added)).toEqual([
      ['contradiction', 'noted', 1, 'B: event OTHER, before GAME-A in the store'],
      ['contradiction', 'quarantined', 1, 'A: result no, before yes in the store'],
    ])
    expect(store.markets).toMatchObject([{ outcome: 'yes' }, { event: 'GAME-A' }])
    await store.add({ ...change, q: [quote('A', 16)] }, { overlap: 'last' })
    expect(store.markets).toMatchObject([{ outcome: 'no', exclusionKeys: ['event:GAME-A', 'game:G1', 'named:mine'] }, { event: 'OTHER', exclusionKeys: ['event:OTHER', 'game:G1'] }])
  })
})

describe('a market that is told of again, with another title and close, and with its result', () => {
  const FINAL = `files:
  - { kind: markets, match: f*.csv, market: t, title: title, close: close, settled: settled, result: result }
  - { kind: quotes, match: q*.csv, market: t, time: at, bid: bid, ask: ask }
`
  const market = (title: string, close: number, result = '', settled = result === '' ? '' : at(32)): string => `A,${title},${at(close)},${settled},${result}`
  const write = (store: Appended, files: Readonly<Record<string, readonly string[]>>, options = {}) => store.add(files, options, FINAL)
  const days = { first: [market('Old', 30)], last: [market('New', 31, 'yes')] }
  const quotes = { q: [quote('A', 10)] }
  const both = 'A: title New, before Old; close 2025-06-20T07:00:00Z, before 2025-06-20T06:00:00Z'

  it('keeps what was first of what contradicts, and takes the rest, within one import and with --append', async () => {
    const [whole, added] = [new Appended(), new Appended()]
    const one = await write(whole, { f1: days.first, f2: days.last, ...quotes })
    await write(added, { f1: days.first, ...quotes })
    const two = await write(added, { f2: days.last })
    for (const { markets } of [whole, added]) expect(markets).toMatchObject([{ title: 'Old', scheduledCloseUs: hour(30), outcome: 'yes', settledUs: hour(32) }])
    expect(troublesOf(one)).toEqual([['contradiction', 'noted', 1, both]])
    expect(troublesOf(two)).toEqual([['contradiction', 'noted', 1, 'A: title New, before Old in the store; close 2025-06-20T07:00:00Z, before 2025-06-20T06:00:00Z in the store']])
    expect([one.report, two.report].map((report) => [report!.inputRows, report!.acceptedRows, report!.quarantinedRows])).toEqual([[3, 3, 0], [1, 1, 0]])
  })

  it('has what is later where that is told to hold, within one import too', async () => {
    const store = new Appended()
    const result = await write(store, { f1: [market('Old', 30, 'no')], f2: days.last, ...quotes }, { overlap: 'last' })
    expect(store.markets).toMatchObject([{ title: 'New', scheduledCloseUs: hour(31), outcome: 'yes', settledUs: hour(32) }])
    expect(troublesOf(result)).toEqual([])
  })

  it('is set aside whole where it has another result, and the refusal names what takes it', async () => {
    const store = new Appended()
    await write(store, { f1: days.last, ...quotes })
    const again = { f2: [market('Newer', 31, 'no')] }
    await expect(write(store, again)).rejects.toMatchObject({ message: expect.stringContaining('A: result no, before yes in the store'), hint: '--overlap last has the later ones hold' })
    expect(store.markets).toMatchObject([{ title: 'New', outcome: 'yes' }])
    await write(store, again, { overlap: 'last' })
    expect(store.markets).toMatchObject([{ title: 'Newer', outcome: 'no' }])
  })
})

describe('trades of a market of which the store has a book', () => {
  const trade = (hours: number, price: number): string => `A,${at(hours)},${price}`

  it('are set aside where the import has no quotes of the market, from the first quote on', async () => {
    const store = new Appended()
    await store.add({ q: [quote('A', 10), quote('A', 12)] })
    const added = await store.add({ t: [trade(9, 0.41), trade(10, 0.42), trade(11, 0.43), `N,${at(11)},0.7`] })
    expect(store.ticks).toEqual([[9, -1, -1, 410], [10, 400, 500, -1], [11, -1, -1, 700], [12, 400, 500, -1]])
    expect(troublesOf(added)).toEqual([['trade without its book', 'quarantined', 2, 'the store has quotes of A: its trades and quotes go into one import']])
    await expect(store.add({ t: [trade(11, 0.43)] })).rejects.toMatchObject({ name: 'InputError', message: expect.stringContaining('trade without its book') as string })
  })

  it('are the last price of the next quote of their import, as they are in one import of all', async () => {
    const [first, second] = [{ q1: [quote('A', 10)] }, { q2: [quote('A', 13)], t: [trade(12, 0.44)] }]
    const store = new Appended()
    await store.add(first)
    const added = await store.add(second)
    expect(store.ticks).toEqual([[10, 400, 500, -1], [13, 400, 500, 440]])
    expect(store.ticks).toEqual(await all(first, second))
    expect([added.report!.acceptedRows, added.report!.troubles]).toEqual([2, []])
  })

  it('are set aside where the import has quotes of other markets alone', async () => {
    const store = new Appended()
    await store.add({ q: [quote('A', 10)] })
    const added = await store.add({ q: [quote('B', 11), quote('B', 12)], t: [trade(12, 0.44), trade(13, 0.45)] })
    expect(store.ticks).toEqual([[10, 400, 500, -1], [11, 400, 500, -1], [12, 400, 500, -1]])
    expect(troublesOf(added)).toMatchObject([['trade without its book', 'quarantined', 2, expect.anything()]])
  })
})

describe('changes of a book that the store has', () => {
  const change = (hours: number, side: string, price: number, more = ''): string => `A,${at(hours)},${side},${price},10${more}`
  const FIRST = [change(10, 'bid', 0.4), change(10, 'ask', 0.5)]

  it('do not begin from an empty book', async () => {
    const store = new Appended()
    await store.add({ d: FIRST })
    const added = await store.add({ d: [change(12, 'bid', 0.3)], q: [quote('B', 13)] })
    expect(store.ticks).toEqual([[10, 400, 500, -1], [13, 400, 500, -1]])
    expect(troublesOf(added)).toEqual([['change before snapshot', 'quarantined', 1, 'A has no book yet in this import, and the store keeps none that changes could go on from']])
  })

  it('are all taken with the rows from which the book began, and of a market that is new', async () => {
    const store = new Appended()
    await store.add({ d1: FIRST })
    await store.add({ d1: FIRST, d2: [change(12, 'bid', 0.45), change(12, 'bid', 0.2).replace('A', 'N')] })
    expect(store.ticks).toEqual([[10, 400, 500, -1], [12, 450, 500, -1], [12, 200, -1, -1]])
  })
})

describe('what a store knows of its imports', () => {
  it('is a file by content and mapping: under another mapping it is read anew', async () => {
    const store = new Appended()
    const files = { q: [quote('A', 10)] }
    await store.add(files)
    expect((await store.add(files)).report).toBeNull()
    // Another name and another way of writing the mapping are no other mapping.
    expect((await store.add(files, {}, `name: other\n# said\n${MAPPING}`)).report).toBeNull()
    const swapped = MAPPING.replace('bid: bid, ask: ask', 'bid: bid, ask: ask, last: bid')
    expect(await store.add(files, { overlap: 'last' }, swapped)).toMatchObject({ added: 1 })
    expect((await store.add(files, {}, swapped)).report).toBeNull()
    // The row is input of both imports, which the account of the store says.
    const { inputRows, coverage } = describeStore(store.into).report
    expect([inputRows, coverage['rows read again by another mapping']]).toEqual([2, 1])
    expect(store.ticks).toEqual([[10, 400, 500, -1], [10, 400, 500, 400]])
  })

  it('is which markets have prices: an import of facts alone counts those that neither has', async () => {
    const store = new Appended()
    const known = LISTED.map((row) => row.replace(/^B/, 'N'))
    const whole = MAPPING.replace('close: close }', 'close: close, open: close }')
    const first = await store.add({ m: known, q: [quote('A', 10)] }, {}, whole)
    const added = await store.add({ m: [...known, LISTED[1]!.replace(/^B/, 'O')], q: [quote('C', 11)] }, {}, whole)
    // N is listed alone, A has a price of the first import, C one of the second, and O is new.
    expect([first, added].map(({ report }) => report!.coverage['without prices'])).toEqual([1, 2])
  })

  it('is the coverage of its markets, not of its imports', async () => {
    const store = await listed()
    await store.add({ q: [quote('A', 12), quote('B', 31)] })
    await store.add({ r: [`A,yes,${at(31)}`], q: [quote('B', 32)] })
    const { coverage, markets, acceptedRows } = describeStore(store.into).report
    expect([markets, acceptedRows]).toEqual([2, 8])
    expect(coverage).toEqual({
      'resolved yes': 1, 'resolved no': 0, 'resolved void': 0, 'resolved scalar': 0, unresolved: 1, 'resolved without settlement time': 0, 'without scheduled close': 0,
      'ticks after the scheduled close': 2,
    })
  })
})
