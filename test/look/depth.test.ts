import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { exportTicks, importData, storeContents } from '../../src/actions.ts'
import { parlorHere } from '../cli/parlor.ts'
import { madeFolder } from '../feed/store/made.ts'
import { refusal } from '../feed/mapping/mapped.ts'
import { put } from '../scenario/small.ts'

const BOOKS = `market,at,side,price,size
A,2025-06-19T19:00:00Z,bid,0.40,100
A,2025-06-19T19:00:00Z,ask,0.42,10
B,2025-06-19T19:00:01Z,ask,0.9,7
A,2025-06-19T19:00:02Z,bid,0.39,50
A,2025-06-20T00:00:00Z,bid,0.40,0
`
const MAPPING = `depth: 2
files:
  - { kind: depth, market: market, time: at, side: side, price: price, size: size }
`
/** By hand. A level that is not there is empty. */
const CSV = `seen_at,market,bid_1_e6,bid_1_size,ask_1_e6,ask_1_size,bid_2_e6,bid_2_size,ask_2_e6,ask_2_size
2025-06-19T19:00:00.000000Z,A,400000,100,420000,10,,,,
2025-06-19T19:00:01.000000Z,B,,,900000,7,,,,
2025-06-19T19:00:02.000000Z,A,400000,100,420000,10,390000,50,,
2025-06-20T00:00:00.000000Z,A,390000,50,420000,10,,,,
`
const rowsOf = (...rows: readonly number[]): string => CSV.split('\n').filter((_, i) => i === 0 || rows.includes(i)).map((line) => `${line}\n`).join('')

async function made(): Promise<{ folder: string; store: string }> {
  const folder = madeFolder()
  await importData('csv', [put(folder, 'books.csv', BOOKS)], { into: join(folder, 'store'), map: put(folder, 'mapping.yaml', MAPPING) })
  return { folder, store: join(folder, 'store') }
}

describe('levels of books', () => {
  it('are exported in order of time, as CSV and as Parquet, of markets and a stretch', async () => {
    const { folder, store } = await made()
    const csv = async (options: object): Promise<string> => {
      let text = ''
      await exportTicks(store, { format: 'csv', depth: true, out: (piece) => { text += piece }, ...options })
      return text
    }
    expect(await csv({})).toBe(CSV)
    expect(await csv({ markets: ['B'] })).toBe(rowsOf(2))
    expect(await csv({ from: '2025-06-19T19:00:01Z', to: '2025-06-20' })).toBe(rowsOf(2, 3))
    expect(await csv({ from: '2025-06-19T19:00:01.000001Z' })).toBe(rowsOf(3, 4))
    const out = join(folder, 'depth.parquet')
    expect(await exportTicks(store, { format: 'parquet', depth: true, out })).toEqual({ rows: 4 })
    const [first] = await parquetReadObjects({ file: await asyncBufferFromFile(out) }) as [Record<string, unknown>]
    expect([first['market'], first['bid_1_e6'], first['ask_1_size'], first['bid_2_e6']]).toEqual(['A', 400_000, 10, null])
  })

  it('are asked for at the command line, and shown', async () => {
    const { folder, store } = await made()
    expect((await storeContents(store)).depth).toEqual({ levels: 2, books: 4 })
    expect((await parlorHere(folder, 'data', 'export', './store', '--csv', '--depth')).out).toBe(CSV)
    expect((await parlorHere(folder, 'data', 'show', './store')).out).toContain('2 levels of 4 books')
    const verified = await parlorHere(folder, 'data', 'verify', './store')
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('nothing is wrong')])
  })

  it.each([
    ['of a store that keeps none', (folder: string) => exportTicks(join(folder, 'flat'), { format: 'csv', depth: true, out: 'x' }), 'the store keeps the best prices of books alone'],
    ['beside a mapping', (folder: string) => importData('csv', [join(folder, 'books.csv')], { into: join(folder, 'x'), map: join(folder, 'mapping.yaml'), depth: 2 }), 'a mapping says how many levels are kept'],
    ['of no number', (folder: string) => importData('polymarket-mlb-book', [join(folder, 'books.csv')], { into: join(folder, 'x'), depth: 51 }), 'depth: expected a whole number from 1 to 50, got 51'],
    ['of a mapping without books', (folder: string) => importData('csv', [join(folder, 'books.csv')], { into: join(folder, 'x'), map: put(folder, 'm.yaml', 'depth: 2\nfiles: [{ kind: trades, market: market, time: at, price: price }]\n') }), 'there are no books to keep levels of'],
  ])('%s are refused', async (_name, act, message) => {
    const { folder } = await made()
    await importData('csv', [join(folder, 'books.csv')], { into: join(folder, 'flat'), map: put(folder, 'flat.yaml', MAPPING.replace('depth: 2\n', '')) })
    expect((await refusal(() => act(folder))).message).toContain(message)
    expect(readFileSync(join(folder, 'flat', 'store.json'), 'utf8')).not.toContain('"depth"')
  })
})
