import { describe, expect, test } from 'vitest'
import { previewMapped } from '../../src/feed/mapping/preview.ts'
import { formatMapping } from '../../src/scenario/formats.ts'
import { mappingOfText } from '../../src/scenario/mappingFile.ts'
import { importMapped, mapped, refusal, T0, written } from './mapping/mapped.ts'

const QUOTES = 'market: ticker, time: { column: ts, unit: ms }, bid: bid, ask: ask'
const good = { ticker: 'A', ts: T0 / 1000, bid: 0.4, ask: 0.5 }
const bad = { ...good, ts: T0 / 1000 + 1, bid: 0.6 }
const part = (rows: string): string => `files: [{ kind: quotes, ${rows}${QUOTES} }]`

describe('troubles of a JSON document are told with their path', () => {
  test.each<[name: string, mapping: string, document: unknown, path: string]>([
    ['of a list', part(''), [good, bad], '$[1]'],
    ['of a list in an object', part('rows: data.quotes, '), { data: { quotes: [good, good, bad] } }, '$.data.quotes[2]'],
    ['of lists in a list', part('rows: quotes, '), [{ quotes: [good] }, { quotes: [good, bad] }], '$[1].quotes[1]'],
    ['of members of an object', part('rows: by.*, '), { by: { 'A-1': good, 'A 2': bad } }, '$.by["A 2"]'],
    ['of an object that is the row', part('rows: [quotes, .], '), [good, bad], '$[1]'],
    ['behind an object without rows', part('rows: quotes, '), [{}, { quotes: [] }, { quotes: [bad] }], '$[2].quotes[0]'],
    ['of what is no object', part(''), [good, 7], '$[1]'],
    ['of an object of no part', `files: [{ kind: quotes, ${QUOTES} }, { kind: trades, market: ticker, time: { column: ts, unit: ms }, price: last }]`, [good, { ...good, last: 0.4 }, { hello: 1 }], '$[2]'],
  ])('%s', async (_, mapping, document, path) => {
    const { report } = await mapped(mapping, { 'a.json': JSON.stringify(document, null, 1) })
    expect(report.troubles.filter(({ kind, handling }) => handling === 'quarantined' && kind !== 'duplicate').map(({ place }) => place)).toEqual([path])
  })

  test('of rows that code makes of objects', async () => {
    const trades = [{ channel: 'l2Book', data: { coin: '#100', time: 1, levels: 'none' } }]
    const { report } = await importMapped((await formatMapping('hyperliquid-outcomes'))!, [written({ 'a.json': JSON.stringify([{ channel: 'trades', data: [{ coin: '#100', px: '0.5', tid: 1, time: T0 / 1000 }] }, ...trades]) })])
    expect(report.troubles.map(({ kind, place }) => [kind, place])).toContainEqual(['no list of levels', '$[1]'])
  })

  test('and previews show the path of each row', async () => {
    const folder = written({ 'a.json': JSON.stringify({ quotes: [good, bad] }), 'b.ndjson': `${JSON.stringify({ quotes: [good] })}\n\n{}\n` })
    const { rows } = await previewMapped(mappingOfText('mapping.yaml', part('rows: quotes, ')), [folder], 20)
    expect(rows.map(({ place, row, setAside }) => [place, row, setAside === null])).toEqual([['$.quotes[0]', 1, true], ['$.quotes[1]', 2, false], [null, 1, true]])
  })
})

test('a damaged object that is one line is one row', async () => {
  const { report } = await mapped(part(''), { 'a.ndjson': `${JSON.stringify({ ...good, late: 1 }).slice(0, -3)}\n`, 'b.ndjson': `${JSON.stringify(good)}\n` })
  expect(report.troubles.map(({ kind, rows, firstRow }) => [kind, rows, firstRow])).toEqual([['not JSON', 1, 1]])
})

test('lines of NDJSON have no path', async () => {
  const { report } = await mapped(part(''), { 'a.ndjson': `${JSON.stringify(good)}\n${JSON.stringify(bad)}\n` })
  expect(report.troubles.map(({ firstRow, place }) => [firstRow, place])).toEqual([[2, undefined]])
})

test.each([
  ['is cut off', (text: string) => text.slice(0, -8), (text: string) => text],
  ['has a comma too few', (text: string) => text.replace(/,(?=[^,]{1,60}"last": 250\b)/, ''), (text: string) => text.slice(0, text.indexOf('"last": 250'))],
])('a document that %s is refused at its line', async (_, damage, before) => {
  const text = damage(JSON.stringify(Array.from({ length: 300 }, (_item, i) => ({ ...good, pad: 'x'.repeat(90), last: i })), null, 1))
  const path = `${written({ 'a.json': text })}/a.json`
  expect((await refusal(() => importMapped(mappingOfText('mapping.yaml', part('')), [path]))).position).toEqual({ file: path, line: before(text).split('\n').length, column: expect.any(Number) as number })
})
