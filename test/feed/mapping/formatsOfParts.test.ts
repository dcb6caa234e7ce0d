import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { previewMapped } from '../../../src/feed/mapping/preview.ts'
import { mappingOfText } from '../../../src/scenario/mappingFile.ts'
import { lines, mapped, refusal, shown, T0, written } from './mapped.ts'

const MAPPING = `
files:
  - { kind: quotes, format: parquet, market: ticker, time: { column: ts, unit: ms }, bid: bid }
  - { kind: results, format: ndjson, market: ticker, result: outcome }
  - { kind: markets, market: ticker, title: title }`
const files = {
  'a.parquet': Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'ticker', data: ['A'], type: 'STRING' }, { name: 'ts', data: [T0 / 1000], type: 'DOUBLE' }, { name: 'bid', data: [0.4], type: 'DOUBLE' }] })),
  'b.csv': lines('ticker,title', 'A,Rain'),
  'c.ndjson': lines('{"ticker":"A","outcome":"yes"}', '{"ticker":"A","outcome":"yes"}'),
}

test('parts read files of their own formats in one import', async () => {
  const imported = await mapped(MAPPING, files, { format: 'csv' })
  expect(shown(imported)).toEqual([['A', T0, 400_000, -1, -1, -1, -1]])
  expect(imported.markets.map(({ title, outcome }) => [title, outcome])).toEqual([['Rain', 'yes']])
  const { rows } = await previewMapped(mappingOfText('mapping.yaml', MAPPING), [written(files)], 20, { format: 'csv' })
  expect(rows.map(({ kind }) => kind).toSorted()).toEqual(['markets', 'quotes', 'results', 'results'])
})

test('a part that says no format reads files of that of the import alone', async () => {
  const { report } = await mapped(MAPPING, files, { format: 'parquet' })
  expect(report.troubles.filter(({ kind }) => kind === 'file not read').map(({ about }) => about)).toEqual(['it is csv, and parts that read it say format: csv'])
  const error = await refusal(() => mappingOfText('mapping.yaml', MAPPING.replace('ndjson', 'json')))
  expect(error.message).toContain('files.1.format: expected csv or ndjson or parquet')
})
