import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { Session } from '../../src/engine/session.ts'
import { mappedImporter } from '../../src/feed/mapping/importMapped.ts'
import { importStore } from '../../src/feed/store/importStore.ts'
import type { DepthPiece, DepthRows, DepthSource } from '../../src/market/depth.ts'
import { Digest } from '../../src/record/digest.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { importerOf } from '../../src/scenario/formats.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { mappingOfText } from '../../src/scenario/mappingFile.ts'
import { ScenarioMistakes } from '../../src/scenario/mistakes.ts'
import { playInto, type PreparedScenario, prepareScenario } from '../../src/scenario/run.ts'
import { importOf } from '../../src/scenario/strategies.ts'
import { recorded } from '../feed/recordedData.ts'
import { newFolder, put } from './small.ts'
import { CLIMB_ALL, reach } from './stackEnd.ts'

/** 19 June 2025, 19:00 UTC, µs. */
const T0 = Date.UTC(2025, 5, 19, 19) * 1000
const SECOND = 1_000_000

const BOOKS = `market,at,kind,side,price,size
RAIN,${T0 + SECOND},book,bid,0.40,100
RAIN,${T0 + SECOND},book,bid,0.39,50
RAIN,${T0 + SECOND},book,bid,0.38,30
RAIN,${T0 + SECOND},book,ask,0.42,10
RAIN,${T0 + SECOND},book,ask,0.45,20
RAIN,${T0 + 2 * SECOND},set,bid,0.39,60
RAIN,${T0 + 30 * SECOND},set,bid,0.40,0
WIND,${T0 + 20 * SECOND},book,bid,0.70,5
WIND,${T0 + 20 * SECOND},book,ask,0.71,5
WIND,${T0 + 300 * SECOND},set,bid,0.69,5
`
const MAPPING = `depth: 3
files:
  - { kind: depth, market: market, time: { column: at, unit: us }, side: side, price: price, size: size, snapshot: { column: kind, words: book } }
`
const LINES = `const line = (desk, market) => {
  const book = desk.depth(market)
  if (book === undefined) return 'none'
  const of = (levels) => levels.map(({ price, size }) => size + '@' + price).join(' ')
  return [of(book.bids(Side.yes)), of(book.asks(Side.yes)), of(book.bids(Side.no)), of(book.asks(Side.no)), 'age ' + book.ageUs].join(' | ')
}
`
/** Looks at given times after the begin, and quotes by what a size would cost. */
const MAKER = `import { maker, Side } from 'parlor'
${LINES}
export default maker({}, () => ({
  onStart(desk) { for (const us of [1_099_999, 1_100_000, 2_099_999, 2_100_000, 25_000_000]) desk.after(us) },
  onTimer(tag, desk) { for (const market of [0, 1]) desk.log(line(desk, market)) },
  onRequest(request, desk) {
    const { legs } = request
    const book = desk.depth(legs.market(0))
    const price = book?.depthOf(legs.side(0), 15)
    desk.log('price ' + legs.side(0) + ' ' + price + ' ' + book?.depthOf(legs.side(0), 1000))
    if (price !== undefined) desk.quote(request, { probability: Math.min(0.99, price * 1.02), validUs: 8_000_000 })
  },
}))
`
const BETTOR = `import { bettor, Side } from 'parlor'
${LINES}
export default bettor({}, () => ({
  onArrival(intent, desk) {
    desk.log(line(desk, 0))
    intent.setLeg(0, 0, intent.arrival % 2 === 0 ? Side.yes : Side.no)
    intent.setLegCount(1)
    desk.requestQuote(intent, { betMicros: 5_000_000, minOddsE4: 10_001, decideInUs: 3_000_000 })
  },
  onDecision(intent, desk) { if (intent.bestOddsE4 > 0) desk.commit(intent); else desk.cancelRequest(intent) },
}))
`
const scenario = (folder: string, depth = ', depth: 2', more = ''): string => {
  put(folder, 'maker.ts', MAKER)
  put(folder, 'bettor.ts', BETTOR)
  return `version: 1
mode: interactive
services: { outcome: { profile: outcome@1 } }
history: { store: ./store, from: 2025-06-19T19:00:00Z, to: 2025-06-19T19:05:00Z${depth}${more} }
settlement: { missing: draw }
bettors:
  - { use: ./bettor.ts, n: 1, arrivals: { kind: replay, times: [1.049999s, 1.05s, 10s, 20s, 31s] }, latency: { feed: 50ms } }
makers:
  - { use: ./maker.ts, name: deep, capital: 5000 USDC, latency: { feed: 100ms } }
`
}

/** A folder with the store of the books above. */
async function madeStore(text = MAPPING): Promise<string> {
  const folder = newFolder()
  const mapping = mappingOfText('mapping.yaml', text)
  await importStore(join(folder, 'store'), mappedImporter(mapping), [put(folder, 'books.csv', BOOKS)], { depth: mapping.depth })
  return folder
}

const preparedIn = (folder: string, text: string, isTrusted = false): Promise<PreparedScenario> =>
  prepareScenario(loadScenario(put(folder, 'scenario.yaml', text)), undefined, { importFile: importOf(isTrusted) })

/** The scenario on the store of the books above. */
async function ready({ depth, more, mapping, isTrusted }: { depth?: string; more?: string; mapping?: string; isTrusted?: boolean } = {}): Promise<PreparedScenario> {
  const folder = await madeStore(mapping)
  return preparedIn(folder, scenario(folder, depth, more), isTrusted)
}

interface Line {
  readonly participant: string
  readonly atUs: number
  readonly text: string
}

/** A run, and the lines of its strategies. */
async function played(prepared: PreparedScenario): Promise<{ digest: string; files: unknown; lines: Line[] }> {
  const folder = newFolder()
  const { digest, tables } = await playInto(folder, prepared, { isDurable: false })
  const logs = readTable(join(folder, tables['logs']!.file))
  const [at, participants, texts] = [logs.numbers('at', 'timeUs'), logs.column('participant'), logs.column('text')]
  const textAt = ({ texts: own, values, codes }: typeof texts, row: number): string => own?.[row] ?? values![codes![row]!]!
  const lines = Array.from({ length: logs.rowCount }, (_, row): Line => ({ participant: textAt(participants, row), atUs: at[row]!, text: textAt(texts, row) }))
  return { digest, files: Object.fromEntries(Object.entries(tables).map(([name, { sha256 }]) => [name, sha256])), lines }
}

/** By hand: two levels of the books above, for YES and for NO. */
const FIRST = '100@0.4 50@0.39 | 10@0.42 20@0.45 | 10@0.58 20@0.55 | 100@0.6 50@0.61'
const SECOND_BOOK = FIRST.replaceAll('50@', '60@')
const WIND = '5@0.7 | 5@0.71 | 5@0.29 | 5@0.3'

/** The same rows in pieces of so many. */
function inPieces({ levels, pieces, untilUs }: DepthSource, size: number): DepthSource {
  const cut = ({ count, atUs, market, cells }: DepthRows, rank: number): DepthPiece[] => Array.from({ length: Math.ceil(count / size) }, (_, i) => {
    const [from, to] = [i * size, Math.min(count, (i + 1) * size)]
    const rows = { count: to - from, atUs: atUs.subarray(from, to), market: market.subarray(from, to), cells: cells.map((column) => column.subarray(from, to)) }
    return { firstUs: atUs[from]!, lastUs: atUs[to - 1]!, rank, rows: () => rows }
  })
  return { levels, untilUs, pieces: pieces.flatMap((piece) => cut(piece.rows(), piece.rank)) }
}

const mistakesOf = async (prepared: Promise<unknown>): Promise<string[]> => {
  const error: unknown = await prepared.catch((caught: unknown) => caught)
  if (!(error instanceof ScenarioMistakes)) throw error
  return error.mistakes.map(({ path, message }) => `${path}: ${message}`)
}

describe('the levels of books that a scenario shows', () => {
  it('are what has reached a maker and a bettor, each by its own latency to the microsecond, for YES and for NO', async () => {
    const { lines } = await played(await ready())
    const of = (name: string) => lines.filter(({ participant, text }) => participant === name && !text.startsWith('price')).map(({ atUs, text }) => `${atUs - T0} ${text}`)
    expect(of('deep')).toEqual([
      '1099999 none', '1099999 none', `1100000 ${FIRST} | age 100000`, '1100000 none', `2099999 ${FIRST} | age 1099999`, '2099999 none',
      `2100000 ${SECOND_BOOK} | age 100000`, '2100000 none', `25000000 ${SECOND_BOOK} | age 23000000`, `25000000 ${WIND} | age 5000000`,
    ])
    expect(of('bettor')).toEqual([
      '1049999 none', `1050000 ${FIRST} | age 50000`, `10000000 ${SECOND_BOOK} | age 8000000`, `20000000 ${SECOND_BOOK} | age 18000000`,
      '31000000 60@0.39 30@0.38 | 10@0.42 20@0.45 | 10@0.58 20@0.55 | 60@0.61 30@0.62 | age 1000000',
    ])
  })

  it('price a size by the average of the levels that it takes, and not at all where they have less', async () => {
    const { lines } = await played(await ready())
    const prices = lines.filter(({ text }) => text.startsWith('price')).map(({ text }) => text)
    // YES: 10 at 0.42 and 5 at 0.45 are 0.43 each. NO: 15 of the 100 at 1 less 0.40; after 30 s 15 of the 60 at 1 less 0.39.
    expect(prices).toEqual(['price 1 0.43 undefined', 'price 0 0.6 undefined', 'price 1 0.43 undefined', 'price 0 0.6 undefined', 'price 1 0.43 undefined'])
  })

  it('are the same in rooms and trusted, and in pieces of every size', async () => {
    const whole = await played(await ready())
    expect(whole.lines.length).toBeGreaterThan(15)
    expect(await played(await ready({ isTrusted: true }))).toMatchObject({ digest: whole.digest, lines: whole.lines })
    const prepared = await ready()
    for (const size of [1, 7, 1000]) {
      const { depth } = prepared.store
      const store = { ...prepared.store, depth: { levels: depth!.levels, between: (foldUs: number, untilUs: number) => inPieces(depth!.between(foldUs, untilUs), size) } }
      expect(await played({ ...prepared, store })).toEqual(whole)
    }
  })

  it('lead no strategy out of its room, also where the stack ends in one of their getters', async () => {
    const folder = await madeStore()
    const text = scenario(folder)
    const escaped = join(folder, 'escaped')
    put(folder, 'maker.ts', `import { maker } from 'parlor'\n${CLIMB_ALL}${reach(escaped)}
export default maker({}, () => ({
  onStart(desk) { desk.after(2_000_000) },
  onTimer(tag, desk) { climbAll(desk.depth(0)) },
  onEnd() { if (climbed === 0) throw new Error('was not called') },
}))
`)
    const failure = await played(await preparedIn(folder, text)).then(() => '', String)
    expect([existsSync(escaped), failure]).toEqual([false, expect.not.stringContaining('was not called')])
  })

  it('are those of a session that never stopped, after a checkpoint at any second', async () => {
    const { resolved, strategies, store } = await ready()
    const session = () => {
      const digest = new Digest()
      return { digest, session: new Session({ ...buildSession(resolved, strategies, store).config, sinks: [digest] }) }
    }
    const whole = session()
    whole.session.runToEnd()
    for (const steps of [1, 5, 12, 30]) {
      const first = session()
      first.session.run(steps)
      const second = session()
      second.session.restore(structuredClone(first.session.snapshot()))
      second.digest.restore(structuredClone(first.digest.snapshot()))
      second.session.runToEnd()
      expect([second.digest.hex(), second.session.stateHash()]).toEqual([whole.digest.hex(), whole.session.stateHash()])
    }
  })

  it('cost a scenario that shows none not a byte, whatever the store keeps', async () => {
    const text = (folder: string) => scenario(folder, '').replace('use: ./maker.ts', 'use: fixed-margin').replace('use: ./bettor.ts', 'kind: noise')
    const [kept, none] = [await madeStore(), await madeStore(MAPPING.replace('depth: 3\n', ''))]
    const [a, b] = [await preparedIn(kept, text(kept)), await preparedIn(none, text(none))]
    expect([a.store.depth?.levels, b.store.depth]).toEqual([3, null])
    expect(buildSession(a.resolved, a.strategies, a.store).config.depth).toBeUndefined()
    expect((await playInto(newFolder(), a, { isDurable: false })).digest).toBe((await playInto(newFolder(), b, { isDurable: false })).digest)
  })
})

describe('a scenario that asks for levels', () => {
  it.each([
    ['of a store that keeps none', MAPPING.replace('depth: 3\n', ''), ', depth: 1', '', 'history.depth: the store keeps the best prices of books alone'],
    ['and for more than the store keeps', MAPPING, ', depth: 4', '', 'history.depth: the store keeps 3 levels of books'],
    ['beside one price for both sides', MAPPING, ', depth: 3', ', legs: mid', 'history.depth: shows both sides of books, and legs: mid one price for both'],
  ])('%s is refused', async (_name, mapping, depth, more, mistake) => {
    expect(await mistakesOf(ready({ mapping, depth, more }))).toEqual([mistake])
  })

  it('shows the same to strategies with the default as the store does with a mapping: no levels, and by name', async () => {
    await expect(played(await ready({ depth: '' }))).rejects.toThrow('a scenario with history.depth shows them')
  })
})

describe('a view of a book', () => {
  const refused = async (before: string, onTimer: string): Promise<string> => {
    const folder = await madeStore()
    const text = scenario(folder)
    put(folder, 'maker.ts', `import { maker, Side } from 'parlor'\nlet kept\n${before}\nexport default maker({}, () => ({ onStart(desk) { for (const us of [3_000_000, 4_000_000]) desk.after(us) }, onTimer(tag, desk) { ${onTimer} } }))\n`)
    return played(await preparedIn(folder, text)).then(() => 'played', (error: Error) => `${error.message}: ${String(error.cause)}`)
  }

  it.each([
    ['asked after its handler', 'if (kept) kept.bids(Side.yes); else kept = desk.depth(0)', 'a view holds during its handler only'],
    ['asked for its size after its handler', 'if (kept) kept.depthOf(Side.yes, 1); else kept = desk.depth(0)', 'a view holds during its handler only'],
    ['asked for its age after its handler', 'if (kept) kept.ageUs; else kept = desk.depth(0)', 'a view holds during its handler only'],
    ['asked for no side', 'desk.depth(0).asks(2)', 'a side is Side.yes or Side.no, not 2'],
    ['asked for no size', 'desk.depth(0).depthOf(Side.yes, 0)', 'a size is a number of contracts above 0, not 0'],
    ['of no market', 'desk.depth(-1)', 'a market has a whole number from 0 on, not -1'],
    ['that is changed', '"use strict"; desk.depth(0).asks(Side.yes)[0].price = 0.1', 'read only'],
  ])('%s is refused', async (_name, onTimer, message) => {
    expect(await refused('', onTimer)).toContain(message)
  })

  it('is that of the desk alone: another desk, and what is behind a view, cannot be reached', async () => {
    expect(await refused('', "const book = desk.depth(0); desk.log([Object.getOwnPropertyNames(book), Object.isFrozen(book), Object.isFrozen(book.bids(1)), book.constructor === Object, typeof Object.getPrototypeOf(book).constructor].join()); if (Object.getPrototypeOf(book.bids) !== Function.prototype || Object.getPrototypeOf(book.bids(1)) !== Array.prototype) throw new Error('reached'); if (desk.depth(63) !== undefined) throw new Error('a market that is none')")).toBe('played')
  })
})

/** One row of a recording of Polymarket, as it stands in the file. */
interface Recorded {
  readonly token: string
  readonly isBook: boolean
  readonly isBid: boolean
  readonly price: string
  readonly size: string
  readonly hash: string
  readonly ms: number
}

/** The books of a recording by token: what stood after each instant, computed from its rows alone. */
function booksOf(file: string): Map<string, { readonly ms: number; readonly text: string }[]> {
  const [header, ...rows] = gunzipSync(readFileSync(file)).toString().trim().split('\n')
  const at = (name: string): number => header!.trim().split(',').indexOf(name)
  const places = ['asset_id', 'event_type', 'side', 'price', 'size', 'hash', 'timestamp'].map(at)
  let latest = 0
  const all = rows.map((row): Recorded => {
    const cells = row.trim().split(',')
    const [token, type, side, price, size, hash, time] = places.map((place) => cells[place]!)
    latest = Math.max(latest, Number(time))
    return { token: token!, isBook: type === 'book', isBid: side === 'bid', price: price!, size: size!, hash: `${hash} ${time}`, ms: latest }
  })
  const found = new Map<string, { ms: number; text: string }[]>()
  for (const token of new Set(all.map((row) => row.token))) {
    const own = all.filter((row) => row.token === token)
    const [bids, asks] = [new Map<string, number>(), new Map<string, number>()]
    const states: { ms: number; text: string }[] = []
    let book = ''
    own.forEach((row, i) => {
      if (row.isBook && row.hash !== book) {
        bids.clear()
        asks.clear()
      }
      book = row.isBook ? row.hash : ''
      const side = row.isBid ? bids : asks
      if (Number(row.size) === 0) side.delete(row.price)
      else side.set(row.price, Number(row.size))
      if (own[i + 1]?.ms === row.ms) return
      const best = (levels: ReadonlyMap<string, number>, sign: number) => [...levels].map(([price, size]) => [Number(price), Math.floor(size)] as const).toSorted((a, b) => sign * (a[0] - b[0])).slice(0, 5)
      const [up, down] = [best(bids, -1), best(asks, 1)]
      if (up.length > 0 && down.length > 0 && up[0]![0] > down[0]![0]) return
      states.push({ ms: row.ms, text: [up, down].map((levels) => levels.map(([price, size]) => `${size}@${price}`).join(' ')).join(' | ') })
    })
    found.set(token, states)
  }
  return found
}

describe('the recorded order books of Polymarket', () => {
  it('are shown to a strategy that prices from five levels, as a second computation from the rows has them', async (ctx) => {
    const source = recorded(ctx, 'polymarket-mlb-book')
    const folder = newFolder()
    await importStore(join(folder, 'store'), await importerOf('polymarket-mlb-book'), [source], { depth: 5 })
    put(folder, 'maker.ts', `import { maker, Side } from 'parlor'
const of = (levels) => levels.map(({ price, size }) => size + '@' + price).join(' ')
export default maker({}, () => ({
  onRequest(request, desk) {
    const { legs } = request
    let probability = 1
    for (let i = 0; i < legs.count; i++) {
      const book = desk.depth(legs.market(i))
      if (book === undefined) return
      desk.log(desk.market(legs.market(i)).title + ' || ' + of(book.bids(Side.yes)) + ' | ' + of(book.asks(Side.yes)))
      probability *= book.depthOf(legs.side(i), 50) ?? NaN
    }
    if (probability > 0 && probability < 0.95) desk.quote(request, { probability: probability * 1.03, validUs: 8_000_000 })
  },
}))
`)
    const prepared = await preparedIn(folder, `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1 } }
history: { store: ./store, from: 2025-06-19T19:23:00Z, to: 2025-06-19T21:02:00Z, depth: 5 }
settlement: { missing: draw }
arrivals: { max: 400 }
bettors: [{ kind: noise, n: 40, every: 10m, params: { maxAge: 1h } }]
makers: [{ use: ./maker.ts, capital: 50000 USDC, latency: { feed: 250ms } }]
`)
    const { lines } = await played(prepared)
    const books = new Map(readdirSync(source).filter((name) => name.startsWith('20250619') && !name.includes('hou-bal')).flatMap((name) => [...booksOf(join(source, name))]))
    // Where the source does not say whose a token is, the title names the token.
    const named = lines.flatMap(({ atUs, text }) => {
      const [title, levels] = text.split(' || ') as [string, string]
      const token = /token (\d{20,})/.exec(title)?.[1]
      return token === undefined ? [] : [{ token, levels, untilMs: (atUs - 250_000) / 1000 }]
    })
    expect(named.length).toBeGreaterThan(50)
    for (const { token, levels, untilMs } of named) expect(levels).toBe(books.get(token)!.findLast(({ ms }) => ms <= untilMs)!.text)
    expect(new Set(named.map(({ token }) => token)).size).toBeGreaterThan(3)
  })
})
