import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { completed, type MarketDraft, NOT_STATED } from '../../../src/feed/marketDraft.ts'
import { isMarket, marketSchema, readMarkets, writeMarkets } from '../../../src/feed/store/storeMarkets.ts'
import { madeFolder } from './made.ts'

const market = (ticker: string, more: Partial<MarketDraft> = {}): MarketDraft =>
  completed({ ...NOT_STATED, ticker, venue: 'venue_a', event: 'É', series: '', category: 'politics', title: `Will ${ticker}, “quoted”,\nhappen?`, exclusionKeys: [], openUs: 5, ...more })
const MARKETS = [market('A'), market('B', { outcome: 'yes', settledUs: 9, exclusionKeys: ['x', 'y'], listing: { isExclusive: true } }), market('C')]

/** Reads what stands in the file of the markets. */
function read(text: string) {
  const folder = madeFolder()
  mkdirSync(join(folder, 'markets'))
  writeFileSync(join(folder, 'markets/0.json'), text)
  return readMarkets(folder, ['markets/0.json']).markets
}

function written(markets: readonly MarketDraft[]): readonly MarketDraft[] {
  const folder = madeFolder()
  mkdirSync(join(folder, 'markets'))
  writeMarkets(join(folder, 'markets/0.json'), markets)
  return readMarkets(folder, ['markets/0.json']).markets
}

test('markets are read as they were written, one a line', () => {
  expect(written(MARKETS)).toEqual(MARKETS.map((one, number) => ({ number, ...one })))
  expect(written([])).toEqual([])
  // More than is read at once.
  const many = Array.from({ length: 9000 }, (_, i) => market(`M${String(i).padStart(5, '0')}`))
  expect(written(many)).toEqual(many.map((one, number) => ({ number, ...one })))
})

test('markets are read that another program wrote in other lines', () => {
  const listed = MARKETS.map((one, number) => ({ number, ...one }))
  for (const text of [JSON.stringify(MARKETS), JSON.stringify(MARKETS, null, 1), `[\r\n${MARKETS.map((one) => JSON.stringify(one)).join(',\r\n')}\r\n]\r\n`, `\n[\n${JSON.stringify(MARKETS[0])}\n,${JSON.stringify(MARKETS[1])},\n${JSON.stringify(MARKETS[2])}]`]) {
    expect(read(text)).toEqual(listed)
  }
})

test.each([
  ['cut off', (lines: string[]) => lines.slice(0, 3), /not readable as JSON/],
  ['without its end', (lines: string[]) => lines.slice(0, -1), /not readable as JSON/],
  ['with something behind its end', (lines: string[]) => [...lines, '[]'], /not readable as JSON/],
  ['without a comma', (lines: string[]) => lines.map((line) => line.replace(/,$/, '')), /not readable as JSON/],
  ['with a word for an instant', (lines: string[]) => lines.map((line) => line.replace('"openUs":5', '"openUs":"5"')), /0\.openUs: /],
  ['with a field of another version', (lines: string[]) => lines.map((line) => line.replace('"openUs":5', '"openUs":5,"opensUs":5')), /0: .*opensUs/],
])('a file %s is refused as one that is read as a whole', (_, damage, message) => {
  const lines = ['[', ...MARKETS.map((one, i) => `${JSON.stringify(one)}${i < MARKETS.length - 1 ? ',' : ''}`), ']']
  expect(() => read(damage(lines).join('\n'))).toThrow(message)
})

test('what is told of a market at once is what its schema tells', () => {
  const whole = { ...MARKETS[1]!, listing: { subcategory: 's', frequency: 'daily', eventTitle: 'e', isExclusive: false } }
  const other = fc.constantFrom<unknown>(null, undefined, true, 0, 1.5, -1, 2 ** 53, '', 'yes', 'venue_b', 'scalar', 'daily', [], ['a'], ['a', 1], {}, { isExclusive: true }, { isExclusive: 1 }, { frequency: 'yearly' }, { eventTitle: '' }, { more: 1 })
  const field = fc.constantFrom(...Object.keys(whole), 'more', '__proto__')
  const isOne = (value: unknown): boolean => {
    // As it comes from a file: nothing is undefined there.
    const read: unknown = JSON.parse(JSON.stringify(value) ?? 'null')
    expect(isMarket(read)).toBe(marketSchema.safeParse(read).success)
    return isMarket(read)
  }
  expect([whole, ...MARKETS].map(isOne)).toEqual([true, true, true, true])
  fc.assert(fc.property(field, other, (name, value) => { isOne({ ...whole, [name]: value }) }), { seed: 7, numRuns: 600 })
  fc.assert(fc.property(other, (value) => { isOne(value) }), { seed: 7 })
})
