import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { mappingOfText } from '../../../src/scenario/mappingFile.ts'
import { lines, mapped, refusal, shown, T0 } from './mapped.ts'

const QUOTES = '{ kind: quotes, match: q*.csv, market: ticker, time: ts, bid: bid }'
const quotes = lines('ticker,ts,bid', 'A,2025-06-19T19:00:00Z,0.4')

describe('a time that a mapping gives', () => {
  test.each<[written: string, us: number]>([
    ["{ constant: '2025-06-19T00:00:00Z' }", T0 - 19 * 3.6e9], ["{ constant: '2025-06-19 02:00', zone: Europe/Berlin }", T0 - 19 * 3.6e9], ['{ constant: 1750359600, unit: s }', T0],
    ['{ constant: 19.06.2025 19:00, pattern: dd.MM.yyyy HH:mm, zone: UTC }', T0], ["[listed, { constant: '2025-06-19T19:00:00Z' }]", T0],
  ])('opens markets at %s', async (open, us) => {
    const { markets } = await mapped(`files: [${QUOTES}, { kind: markets, match: m.csv, market: ticker, title: title, open: ${open} }]`, { 'm.csv': lines('ticker,title,listed', 'A,Rain,'), 'q.csv': quotes })
    expect(markets.map(({ ticker, openUs }) => [ticker, openUs])).toEqual([['A', us]])
  })

  test('is behind a column that has something', async () => {
    const { markets } = await mapped(`files: [${QUOTES}, { kind: markets, match: m.csv, market: ticker, title: title, close: [ends, { constant: '2025-06-21T00:00:00Z' }] }]`,
      { 'm.csv': lines('ticker,title,ends', 'A,Rain,2025-06-20T00:00:00Z'), 'q.csv': quotes })
    expect(markets.map(({ scheduledCloseUs }) => scheduledCloseUs)).toEqual([T0 + 5 * 3.6e9])
  })

  test.each([['tomorrow', 'bad timestamp'], ['2025-06-19 00:00', 'time without zone'], ['1750359600', 'number without unit'], ['1999-12-31T23:59:59Z', 'absurd timestamp']])('is refused as %s', async (time, trouble) => {
    const error = await refusal(() => mappingOfText('mapping.yaml', `files: [${QUOTES}, { kind: markets, market: ticker, open: { constant: '${time}' } }]`))
    expect(error.message).toContain(`files.1.open.constant: ${trouble}: expected a time`)
  })
})

test.each<[name: string, pattern: string, bytes: Uint8Array | string, isRead: boolean]>([
  ['q.csv.gz', 'q.csv', gzipSync(quotes), true], ['q.csv.gz', '*.csv', gzipSync(quotes), true], ['q.csv.zst', '*.csv', zstdCompressSync(quotes), true], ['q.csv.gz', '*.gz', gzipSync(quotes), true],
  ['q.csv', '*.csv', quotes, true], ['q.csv', '*.gz', quotes, false], ['q.csv.old', '*.csv', quotes, false],
])('%s is read by %s: %#', async (name, pattern, bytes, isRead) => {
  const read = mapped(`files: [{ kind: quotes, match: '${pattern}', market: ticker, time: ts, bid: bid }]`, { [name]: bytes })
  if (isRead) expect(shown(await read)).toHaveLength(1)
  else expect((await refusal(() => read)).message).toContain('no file that the mapping reads')
})
