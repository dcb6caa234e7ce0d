import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TableWriter } from '../../../src/arrow/tableWriter.ts'
import { openStore } from '../../../src/feed/store/openStore.ts'
import { dataHashOf, lastName, type StoreHead } from '../../../src/feed/store/storeHead.ts'
import { lastTableOf } from '../../../src/feed/store/ticksTable.ts'
import { describeFile } from '../../../src/result/head.ts'
import { InputError } from '../../../src/unit/inputError.ts'
import { madeFolder } from './made.ts'
import { DAY, draftOf, writeRows } from './rows.ts'

/** A row of what a part leaves behind: market, ticks, first and last instant after DAY, then bid, ask, sizes and last price of the last tick, and each with their instant those of the last with a book and with a price. */
type Cells = readonly number[]
const NONE = [NaN, -1, -1, -1, -1, -1]
const BOOK = [100, 900, 3, 4, 5]
/** Market `a`: three ticks, of which the last has nothing, the one before a last price, and the first a book. */
const A: Cells = [0, 3, 0, 20, -1, -1, -1, -1, -1, 0, ...BOOK, 10, -1, -1, -1, -1, 6]
/** Market `b`: one tick with a book. */
const B: Cells = [1, 1, 30, 30, ...BOOK, 30, ...BOOK, 30, ...BOOK]
const STAMPS = [2, 3, 9, 15]

/** What the part of these ticks is said to leave behind. */
async function said(rows: readonly Cells[]): Promise<string> {
  const path = join(madeFolder(), 'store')
  const head = await writeRows(path, [draftOf('a'), draftOf('b')], [[DAY, 0, 100, 900, 3, 4, 5], [DAY + 10, 0, -1, -1, -1, -1, 6], [DAY + 20, 0, -1, -1, -1, -1, -1], [DAY + 30, 1, 100, 900, 3, 4, 5]])
  const name = lastName(head.parts[0]!.name)
  const writer = new TableWriter(lastTableOf(['a', 'b']), join(path, name), {}, { isCompressed: true, isDurable: false })
  for (const row of rows) writer.cells.set(row.map((cell, at) => (STAMPS.includes(at) ? DAY + cell : cell)), writer.row())
  writer.finish()
  const file = join(path, 'store.json')
  const files = { ...head.files, [name]: describeFile(join(path, name)) }
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')) as StoreHead, files, dataHash: dataHashOf(files) }))
  const store = openStore(path)
  try {
    const { markets, latest, withBook, withPrice } = store.lastOf(store.parts[0]!)
    return [markets, latest.atUs, withBook.atUs, withPrice.atUs].map((column) => [...column].map((at) => (at >= DAY ? at - DAY : at)).join(' ')).join('; ')
  } catch (error) {
    expect(error).toBeInstanceOf(InputError)
    expect((error as InputError).position!.file).toBe(join(path, name))
    return (error as InputError).message.replaceAll(/17\d{14}/g, (us) => `D+${Number(us) - DAY}`)
  }
}

const a = (cells: Readonly<Record<number, number>>): Cells[] => [A.map((cell, at) => cells[at] ?? cell), B]
const b = (cells: Readonly<Record<number, number>>): Cells[] => [A, B.map((cell, at) => cells[at] ?? cell)]

test('what a part leaves behind is read, in whatever order its rows are', async () => {
  expect(await said([A, B])).toBe('0 1; 20 30; 0 30; 10 30')
  expect(await said([B, A])).toBe('0 1; 20 30; 0 30; 10 30')
})

test.each([
  ['a bid above a dollar', b({ 4: 1_000_001, 10: 1_000_001, 16: 1_000_001 }), 'row 2: bid_e6 is 1000001, not within −1…1,000,000'],
  ['a size below −1', b({ 6: -2 }), 'row 2: the sizes -2 and 4 are not −1 or more'],
  ['a book whose ask is below −1', a({ 11: -2 }), 'row 1: book_ask_e6 is -2, not within −1…1,000,000'],
  ['a price above a dollar', a({ 20: 1_000_001 }), 'row 1: price_last_e6 is 1000001, not within −1…1,000,000'],
  ['a tick after the part', b({ 3: 31 }), 'row 2: the instants D+30 to D+31 are not within D+0…D+30, those of the part'],
  ['a tick before the part', a({ 2: -1 }), 'row 1: the instants D+-1 to D+20 are not within D+0…D+30, those of the part'],
  ['a first tick after the last', a({ 2: 21 }), 'row 1: the instants D+21 to D+20 are not within D+0…D+30, those of the part'],
  ['one tick with two instants', a({ 1: 1 }), 'row 1: one tick has the instants D+0 and D+20'],
  ['no ticks', a({ 1: 0 }), 'row 1: ticks is 0'],
  ['a book after the last tick', a({ 9: 21 }), 'row 1: book_at is D+21, not within D+0…D+20'],
  ['a price before the book', [[...A.slice(0, 9), 11, ...A.slice(10)], B], 'row 1: price_at is D+10, and a book has a price at D+11'],
  ['a book without bid and ask', a({ 10: -1, 11: -1 }), 'row 1: the tick of book_at has no book'],
  ['a book that is not that of the last tick', b({ 10: 101 }), 'row 2: the last tick has a book, and is another than that of book_at'],
  ['no book, though the last tick has one', [A, [...B.slice(0, 9), ...NONE, ...B.slice(15)]], 'row 2: book_at is empty, and the last tick has a book'],
  ['no price, though there was a book', [[...A.slice(0, 15), ...NONE], B], 'row 1: price_at is empty, and a book has a price at D+0'],
  ['no book, with a size', [[...A.slice(0, 9), NaN, -1, -1, 7, -1, -1, ...A.slice(15)], B], 'row 1: book_at is empty, and a price or a size beside it is not −1'],
  ['a price with a book that is not the last book', a({ 16: 100, 17: 900, 20: 6 }), 'row 1: the last tick with a price has a book, and is another than the last one with a book'],
  ['a market twice', [A, A, B], 'row 2: a second row of a'],
  ['too few markets', [A], 'its ticks are 3, and store.json says 4 of the part'],
  ['fewer ticks', a({ 1: 2 }), 'its ticks are 3, and store.json says 4 of the part'],
] as [string, Cells[], string][])('what no part leaves behind is refused with its row: %s', async (_, rows, message) => {
  expect(await said(rows)).toBe(message)
})
