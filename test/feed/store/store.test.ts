import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportResult } from '../../../src/feed/importer.ts'
import { describeStore } from '../../../src/feed/store/describeStore.ts'
import { readStore } from '../../../src/feed/store/readStore.ts'
import { isOlderStore } from '../../../src/feed/store/storeHead.ts'
import { listStores, resolveStore } from '../../../src/feed/store/storePlaces.ts'
import { writeStore } from '../../../src/feed/store/writeStore.ts'
import { describeFile } from '../../../src/result/head.ts'
import type { Market } from '../../../src/market/market.ts'
import { InputError } from '../../../src/unit/inputError.ts'
import { numberMarkets } from '../../market/numberMarkets.ts'

let root: string
beforeAll(() => { root = mkdtempSync(join(tmpdir(), 'parlor-store-')) })
afterAll(() => rmSync(root, { recursive: true }))

const T = 1_750_291_200_000_000

function importOf(tickCount: number, file = 'in.csv'): ImportResult {
  const draft = (ticker: string, rest: Partial<Market>): Omit<Market, 'number'> => ({
    ticker, venue: 'venue_b', event: 'E', series: 'S', category: 'sports', title: `Will ${ticker}, "quoted"?`, game: 'G', ladder: '',
    exclusionKeys: ['event:E', 'game:G'], openUs: T - 5, scheduledCloseUs: null, scheduledCloseKnownUs: null,
    actualCloseUs: T + 900, outcome: 'no', settlementE6: null, settledUs: null, ...rest,
  })
  const markets = numberMarkets([draft('b', { outcome: 'scalar', settlementE6: 250_000 }), draft('a', { outcome: null, listing: { frequency: 'weekly', eventTitle: 'E?' } })])
  const column = (value: (i: number) => number): Int32Array => Int32Array.from({ length: tickCount }, (_, i) => value(i))
  return {
    markets,
    ticks: {
      count: tickCount,
      atUs: Float64Array.from({ length: tickCount }, (_, i) => T + (i >> 1)),
      market: column((i) => i % 2),
      bidE6: column((i) => (i % 5 === 0 ? -1 : i)),
      askE6: column((i) => i + 1),
      bidSize: column((i) => 2_000_000_000 - i),
      askSize: column(() => -1),
      lastE6: column((i) => i * 2),
    },
    report: {
      format: 'test', files: [{ file, inputRows: tickCount + 1, acceptedRows: tickCount, quarantinedRows: 1 }],
      inputRows: tickCount + 1, acceptedRows: tickCount, quarantinedRows: 1,
      troubles: [{ kind: 'ragged row', file, rows: 1, handling: 'quarantined', firstRow: 7, about: 'four cells of five' }],
      markets: 2, ticks: tickCount, coverage: { unresolved: 1, scalar: 1 },
    },
  }
}

/** A store as version 2 wrote it, with no ticks that anybody could read. */
function olderStore(path: string): void {
  const { report } = importOf(40)
  mkdirSync(path)
  const files = { 'markets.json': '[]\n', 'ticks.arrow': 'ARROW1', 'import.json': JSON.stringify(report) }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  const described = Object.fromEntries(Object.keys(files).map((name) => [name, describeFile(join(path, name))]))
  writeFileSync(join(path, 'store.json'), JSON.stringify({
    format: 'parlor-store', version: 2, markets: 2, ticks: 40, firstUs: T, lastUs: T + 19, dataHash: '0'.repeat(64), files: described,
  }))
}

const PART = 'parts/2025-06-19.0.arrow'

const filesIn = (path: string): string[] => readdirSync(path, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile()).map((entry) => relative(path, join(entry.parentPath, entry.name))).sort()

function setVersion(path: string, version: number): void {
  const file = join(path, 'store.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"version": \d/, `"version": ${version}`))
}

const mistake = (action: () => unknown): InputError => {
  try {
    action()
  } catch (error) {
    expect(error).toBeInstanceOf(InputError)
    return error as InputError
  }
  return expect.unreachable()
}

describe('a store', () => {
  test.each([0, 1, 999])('of %i ticks comes back as it was imported', async (tickCount) => {
    const path = join(root, `s${tickCount}`)
    const written = importOf(tickCount)
    const head = await writeStore(path, written)
    const store = readStore(path)
    expect(store.catalogue.markets).toEqual(written.markets)
    expect(store.ticks).toEqual(written.ticks)
    expect(store.report).toEqual(written.report)
    expect(store.dataHash).toBe(head.dataHash)
    expect(filesIn(path)).toEqual(['imports/0.json', 'markets/0.json', ...(tickCount === 0 ? [] : ['parts/2025-06-19.0.arrow', 'parts/2025-06-19.0.last.arrow']), 'store.json'])
    expect(readdirSync(root).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('is described without reading its ticks', async () => {
    const path = join(root, 'described')
    await writeStore(path, importOf(999))
    const about = describeStore(path)
    expect(about).toMatchObject({ name: 'described', markets: 2, ticks: 999, firstUs: T, lastUs: T + 499, version: 3 })
    expect(about.report.troubles[0]!.kind).toBe('ragged row')
    const bytes = filesIn(path).filter((name) => name !== 'store.json').reduce((sum, name) => sum + readFileSync(join(path, name)).length, 0)
    expect(about.bytes).toBe(bytes)
  })

  test('has a data hash that the data alone decide', async () => {
    const hash = async (name: string, result: ImportResult): Promise<string> => (await writeStore(join(root, name), result)).dataHash
    const a = await hash('a', importOf(50))
    expect(await hash('b', importOf(50, 'elsewhere.csv'))).toBe(a)
    const other = importOf(50)
    other.ticks.askE6[49] = 7
    expect(await hash('c', other)).not.toBe(a)
    expect(await hash('d', { ...importOf(50), markets: importOf(50).markets.map((m) => ({ ...m, title: 'x' })) })).not.toBe(a)
  })

  test('replaces a store of its name whole, an empty folder too, and refuses anything else', async () => {
    const path = join(root, 'replaced')
    mkdirSync(path)
    await writeStore(path, importOf(10))
    await writeStore(path, importOf(20))
    expect(readStore(path).ticks.count).toBe(20)
    const mine = join(root, 'mine')
    mkdirSync(mine)
    writeFileSync(join(mine, 'thesis.txt'), 'x')
    await expect(writeStore(mine, importOf(1))).rejects.toThrow(/not a store/)
    expect(readFileSync(join(mine, 'thesis.txt'), 'utf8')).toBe('x')
  })

  test('is not written from ticks out of order or of unknown markets; what was there stays', async () => {
    const path = join(root, 'kept')
    await writeStore(path, importOf(10))
    const unsorted = importOf(10)
    unsorted.ticks.atUs[9] = T - 1
    await expect(writeStore(path, unsorted)).rejects.toThrow(/tick 10 is earlier/)
    const unknown = importOf(10)
    unknown.ticks.market[3] = 2
    await expect(writeStore(path, unknown)).rejects.toThrow(/tick 4 names market 2 of 2/)
    expect(readStore(path).ticks.count).toBe(10)
  })
})

describe('a damaged store is refused with the file named', () => {
  const damaged = async (name: string, damage: (path: string) => void): Promise<InputError> => {
    const path = join(root, `damaged-${name}`)
    await writeStore(path, importOf(40))
    damage(path)
    return mistake(() => readStore(path))
  }

  test('without store.json', async () => {
    const error = await damaged('headless', (path) => rmSync(join(path, 'store.json')))
    expect(error.message).toMatch(/incomplete/)
    expect(error.position!.file).toBe(join(root, 'damaged-headless'))
  })

  test('truncated ticks', async () => {
    const error = await damaged('cut', (path) => truncateSync(join(path, PART), 1000))
    expect(error.message).toMatch(/the file has 1000 bytes, and store.json says/)
    expect(error.position!.file).toBe(join(root, 'damaged-cut', PART))
  })

  test('one byte of the ticks changed', async () => {
    const error = await damaged('bit', (path) => {
      const bytes = readFileSync(join(path, PART))
      bytes[bytes.length >> 1]! ^= 1
      writeFileSync(join(path, PART), bytes)
    })
    expect(error.message).toMatch(/SHA-256/)
  })

  test('a market changed by hand', async () => {
    const error = await damaged('market', (path) => {
      const file = join(path, 'markets/0.json')
      writeFileSync(file, readFileSync(file, 'utf8').replace('250000', '250001'))
    })
    expect(error.position!.file).toMatch(/markets\/0\.json$/)
  })

  test('a version to come', async () => {
    expect((await damaged('version', (path) => setVersion(path, 4))).message).toBe('a newer parlor imported the store: it has version 4, and this one reads 3')
  })

  test('an older version, which can be described still', async () => {
    const path = join(root, 'older')
    olderStore(path)
    const error = mistake(() => readStore(path))
    expect(error.message).toBe('the store has version 2, and lacks facts that imports keep from version 3 on')
    expect(error.hint).toMatch(/import the history again/)
    expect([isOlderStore(path), describeStore(path).version, describeStore(path).report.acceptedRows]).toEqual([true, 2, 40])
    await writeStore(path, importOf(40))
    expect([isOlderStore(path), isOlderStore(join(root, 'nowhere'))]).toEqual([false, false])
    expect(readStore(path).ticks.count).toBe(40)
    expect(filesIn(path)).toEqual(['imports/0.json', 'markets/0.json', PART, PART.replace('.arrow', '.last.arrow'), 'store.json'])
  })

  test('store.json that is not JSON', async () => {
    expect((await damaged('json', (path) => writeFileSync(join(path, 'store.json'), '{'))).message).toMatch(/not readable as JSON/)
  })
})

describe('a store is found', () => {
  test('by name under the roots in their order, by path, and listed in the hint when it is not there', async () => {
    const [one, two] = [join(root, 'one'), join(root, 'two')]
    await writeStore(join(two, 'mlb'), importOf(3))
    await writeStore(join(two, 'nba'), importOf(3))
    mkdirSync(join(two, 'not-a-store'))
    const roots = [one, two]
    expect(resolveStore('mlb', { roots })).toBe(join(two, 'mlb'))
    cpSync(join(two, 'mlb'), join(one, 'mlb'), { recursive: true })
    expect(resolveStore('mlb', { roots })).toBe(join(one, 'mlb'))
    expect(resolveStore('./nba', { roots, base: two })).toBe(join(two, 'nba'))
    expect(listStores(roots)).toEqual([join(one, 'mlb'), join(two, 'mlb'), join(two, 'nba')])
    const error = mistake(() => resolveStore('nfl', { roots }))
    expect(error.message).toBe('no store named nfl')
    expect(error.hint).toBe('known stores: mlb, nba')
    expect(mistake(() => resolveStore('./nfl', { roots, base: two })).message).toBe('no store at ./nfl')
    expect(mistake(() => resolveStore('x', { roots: [join(root, 'nowhere')] })).hint).toMatch(/parlor import/)
    expect(existsSync(join(root, 'nowhere'))).toBe(false)
  })
})
