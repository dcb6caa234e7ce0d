import { describe, expect, test } from 'vitest'
import { mappingOfText } from '../../../src/scenario/mappingFile.ts'
import { lines, mapped, shown, T0, troubles } from './mapped.ts'

const json = (...rows: object[]): string => lines(...rows.map((row) => JSON.stringify(row)))

describe('a list of columns', () => {
  test('is the first that has something, and prices have their own units', async () => {
    const rows = json(
      { t: 'A', s: T0 / 1e6, bid_dollars: '0.4100', bid: 99 }, { t: 'A', s: T0 / 1e6 + 1, bid: 42 }, { t: 'A', s: T0 / 1e6 + 2, bid_dollars: null, bid: '0.4300' },
      { t: 'A', s: T0 / 1e6 + 3, bid_dollars: '', bid: true }, { t: 'A', ms: T0 / 1e3 + 4000, bid: 44 },
    )
    const result = await mapped(`
files:
  - kind: quotes
    market: [ticker, t]
    time: [{ column: s, unit: s }, { column: ms, unit: ms }]
    bid: [bid_dollars, { column: bid, prices: cents, type: number }, { column: bid, prices: dollars, type: text }]`, { 'a.ndjson': rows })
    expect(shown(result).map(([, us, bid]) => [us - T0, bid])).toEqual([[0, 410_000], [1e6, 420_000], [2e6, 430_000], [4e6, 440_000]])
    expect(troubles(result)).toEqual(['quarantined not a number: 1 from 4', 'noted empty side: 4 from 1'])
  })

  test('needs one of them in a file', async () => {
    const yaml = 'files: [{ kind: quotes, market: [ticker, t], time: { column: s, unit: s }, bid: [x, y] }]'
    await expect(mapped(yaml, { 'a.csv': 't,s,y\nA,1750359600,0.5\n' })).resolves.toMatchObject({ report: { acceptedRows: 1 } })
    await expect(mapped(yaml.replace('market: [ticker, t]', 'market: [ticker, name]'), { 'a.csv': 't,s,y\nA,1,0.5\n' })).rejects.toThrow('no file that the mapping reads')
  })

  test('of texts may end with a constant', async () => {
    const yaml = `
files:
  - { kind: markets, market: t, open: { column: s, unit: s }, title: [title, '{t}!'], category: [kind, { constant: other }] }`
    const { markets } = await mapped(yaml, { 'a.csv': 't,s,title,kind\nA,1750359600,Rain,weather\nB,1750359600,,\n' })
    expect(markets.map(({ title, category }) => [title, category])).toEqual([['Rain', 'weather'], ['B!', 'other']])
  })
})

test('a part that says what it needs reads files that lack the rest', async () => {
  const yaml = "files: [{ kind: quotes, needs: [t, s], market: t, time: { column: s, unit: s }, bid: b, ask: a, bid_size: n }]"
  const result = await mapped(yaml, { 'a.csv': 't,s,b\nA,1750359600,0.4\n', 'b.csv': 't,b\nA,0.4\n' })
  expect(shown(result).map(([, , bid, ask, size]) => [bid, ask, size])).toEqual([[400_000, -1, -1]])
  expect(troubles(result)).toContain('noted file not read: 0 from 1')
})

test.each([
  ['before', 'KXHIGHNY'], ['before_last', 'KXHIGHNY-25DEC05'], ['after', '25DEC05-B32.5'], ['after_last', 'B32.5'],
])('a text is cut %s a mark, and is nothing without the mark', async (key, event) => {
  const yaml = `files: [{ kind: markets, market: t, open: { column: s, unit: s }, event: { column: t, ${key}: '-' } }]`
  const { markets } = await mapped(yaml, { 'a.csv': 't,s\nKXHIGHNY-25DEC05-B32.5,1750359600\nRAIN,1750359600\n' })
  expect(markets.map((one) => one.event)).toEqual([event, 'RAIN'])
})

test('rows at several paths are rows of one part, and a document numbers them', async () => {
  const text = JSON.stringify({ at: T0 / 1e6, markets: [{ t: 'A', b: 0.1 }], more: { b: { b: 2 }, c: { b: 0.3 } } }, null, 1)
  const result = await mapped("files: [{ kind: quotes, rows: [markets, more.*], market: [t, '*'], time: { column: at, unit: s }, bid: b }]", { 'a.json': text })
  expect(shown(result).map(([market, , bid]) => [market, bid])).toEqual([['A', 100_000], ['c', 300_000]])
  expect(troubles(result)).toEqual(['quarantined price out of range: 1 from 2', 'noted empty side: 2 from 1'])
})

test('the columns of a long document are known by their paths', async () => {
  const document = JSON.stringify({ markets: Array.from({ length: 2000 }, (_, i) => ({ t: `M${i}`, yes: { bid: 0.5 }, at: T0 / 1e6 })) }, null, 1)
  const yaml = 'files: [{ kind: quotes, rows: markets, market: t, time: { column: at, unit: s }, bid: yes.bid }]'
  expect((await mapped(yaml, { 'a.json': document })).ticks.count).toBe(2000)
  await expect(mapped(yaml.replace('yes.bid', 'no.bid'), { 'a.json': document })).rejects.toThrow('no file that the mapping reads')
})

test.each([
  ["event: { column: t, before: '-', after: '-' }", 'expected one of before, before_last, after, after_last'],
  ["event: { column: t, before: '' }", 'expected a text'],
  ['event: []', 'expected'],
  ['title: [[a]]', 'expected the name of a column'],
])('%s is a mistake', (line, message) => {
  expect(() => mappingOfText('m.yaml', `files: [{ kind: markets, market: t, ${line} }]`)).toThrow(message)
})
