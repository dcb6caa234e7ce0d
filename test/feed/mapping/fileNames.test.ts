import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { lines, mapped, refusal, shown, T0, troubles } from './mapped.ts'

const QUOTES = lines('t,b,a', '2025-06-19T19:00:00Z,0.4,0.5')
const yamlOf = (market: string): string => `files: [{ kind: quotes, market: ${market}, time: t, bid: b, ask: a }]`

test('a market may be what the file is called', async () => {
  const columnData = [{ name: 't', data: ['2025-06-19T19:00:01Z'], type: 'STRING' as const }, { name: 'b', data: [0.4], type: 'DOUBLE' as const }, { name: 'a', data: [0.5], type: 'DOUBLE' as const }]
  const files = { 'KX-25.5.csv': QUOTES, 'P.parquet': Buffer.from(parquetWriteBuffer({ columnData })) }
  expect(shown(await mapped(yamlOf('{ from: file_name }'), { 'KX-25.5.csv': QUOTES })).map(([ticker, us]) => [ticker, us])).toEqual([['KX-25.5', T0]])
  expect(shown(await mapped(yamlOf('{ from: file_name }'), { 'P.parquet': files['P.parquet'] })).map(([ticker]) => ticker)).toEqual(['P'])
  expect(shown(await mapped(yamlOf('{ from: file_name, before_last: _ }'), { 'A_B_2025-06-19.csv': QUOTES })).map(([ticker]) => ticker)).toEqual(['A_B'])
  expect(troubles(await mapped(yamlOf('{ from: file_name, before_last: _ }'), { 'A_1.csv': QUOTES, 'B.csv': QUOTES }))).toContain('quarantined no market: 1 from 2')
})

test('a column stands before the name of the file where it has something', async () => {
  const text = lines('m,t,b,a', 'X,2025-06-19T19:00:00Z,0.4,0.5', ',2025-06-19T19:00:00Z,0.4,0.5')
  expect(shown(await mapped(yamlOf('[m, { from: file_name }]'), { 'F.csv': text })).map(([ticker]) => ticker)).toEqual(['X', 'F'])
})

test('two files of one content are two markets where their names say so', async () => {
  const named = await mapped(yamlOf('{ from: file_name }'), { 'A.csv': QUOTES, 'B.csv': QUOTES }, { isKept: true })
  expect(shown(named).map(([ticker]) => ticker)).toEqual(['A', 'B'])
  const again = await mapped(yamlOf('{ from: file_name }'), { 'A.csv': QUOTES, 'A.csv.gz': gzipSync(QUOTES), 'A.txt': QUOTES }, { isKept: true })
  expect([shown(again).length, troubles(again)]).toEqual([1, expect.arrayContaining(['noted same content: 0 from 1'])])
  const plain = await mapped(yamlOf('{ constant: M }'), { 'A.csv': QUOTES, 'B.csv': QUOTES }, { isKept: true })
  expect(shown(plain).length).toBe(1)
  expect(troubles(plain)).toContain('noted same content: 0 from 1')
})

test('the name of a file says nothing of a title', async () => {
  const error = await refusal(() => mapped('files: [{ kind: markets, market: m, title: { from: file_name } }]', { 'a.csv': lines('m', 'A') }))
  expect(error.message).toMatch(/title/)
})
