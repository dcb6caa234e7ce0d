import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { writeParquet } from '../../src/arrow/parquet.ts'
import { TableWriter } from '../../src/arrow/tableWriter.ts'

test('a table becomes Parquet with the same cells and the types DuckDB needs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-parquet-'))
  const arrow = join(folder, 't.arrow')
  const writer = new TableWriter({
    name: 't', about: 'test', columns: [
      { name: 'at', type: 'timeUs', about: '' },
      { name: 'net_stake_micros', type: 'micros', nullable: true, about: '', isOfService: true },
      {
        name: 'side', type: 'enum', values: ['yes', 'no'], nullable: true, about: 'side of the bet', whenNull: 'no side was named',
        meanings: { yes: 'it happens', no: 'it does not' },
      },
      { name: 'won', type: 'bool', nullable: true, about: '' },
      { name: 'market', type: 'int32', about: '' },
      { name: 'weight', type: 'float64', about: '' },
      { name: 'note', type: 'text', nullable: true, about: '' },
    ],
  }, arrow, { seed: '7' }, { batchRows: 2 })
  for (let i = 0; i < 3; i++) {
    writer.row()
    writer.int(0, 1_750_291_200_000_000 + i * 1000)
    if (i !== 1) writer.int(1, 5_000_000_000 * (i - 1))
    if (i !== 2) writer.code(2, i)
    if (i !== 0) writer.bool(3, i === 1)
    writer.int(4, -i)
    writer.float(5, i / 2)
    if (i !== 1) writer.text(6, `é${i}`)
  }
  writer.finish()

  expect(writeParquet(arrow)).toBe(join(folder, 't.parquet'))
  expect(readdirSync(folder).sort()).toEqual(['t.arrow', 't.parquet'])
  const bytes = readFileSync(join(folder, 't.parquet'))
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  const metadata = parquetMetadata(file)
  expect(metadata.schema.slice(1).map((e) => [e.name, e.type, e.converted_type, e.repetition_type])).toEqual([
    ['at', 'INT64', 'TIMESTAMP_MICROS', 'REQUIRED'],
    ['net_stake_micros', 'INT64', undefined, 'OPTIONAL'],
    ['side', 'BYTE_ARRAY', 'UTF8', 'OPTIONAL'],
    ['won', 'BOOLEAN', undefined, 'OPTIONAL'],
    ['market', 'INT32', undefined, 'REQUIRED'],
    ['weight', 'DOUBLE', undefined, 'REQUIRED'],
    ['note', 'BYTE_ARRAY', 'UTF8', 'OPTIONAL'],
  ])
  expect(metadata.schema[1]!.logical_type).toEqual({ type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' })
  expect(metadata.key_value_metadata).toContainEqual({ key: 'seed', value: '7' })
  const notes = JSON.parse(metadata.key_value_metadata!.find(({ key }) => key === 'columns')!.value!) as Record<string, unknown>
  expect(Object.keys(notes)).toEqual(['at', 'net_stake_micros', 'side', 'won', 'market', 'weight', 'note'])
  expect(notes['side']).toEqual({ about: 'side of the bet', null: 'no side was named', values: 'yes: it happens; no: it does not' })
  expect(notes['net_stake_micros']).toEqual({ about: '', unit: 'microUSDC', join: 'with service' })
  expect(await parquetReadObjects({ file })).toEqual([
    { at: new Date(1_750_291_200_000), net_stake_micros: -5_000_000_000n, side: 'yes', won: null, market: 0, weight: 0, note: 'é0' },
    { at: new Date(1_750_291_200_001), net_stake_micros: null, side: 'no', won: true, market: -1, weight: 0.5, note: null },
    { at: new Date(1_750_291_200_002), net_stake_micros: 5_000_000_000n, side: null, won: false, market: -2, weight: 1, note: 'é2' },
  ])
  rmSync(folder, { recursive: true })
})

test('an empty table becomes an empty Parquet file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-parquet-'))
  const arrow = join(folder, 'e.arrow')
  new TableWriter({ name: 'e', about: '', columns: [{ name: 'n', type: 'int64', about: '' }] }, arrow).finish()
  const bytes = readFileSync(writeParquet(arrow))
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  expect(parquetMetadata(file).num_rows).toBe(0n)
  rmSync(folder, { recursive: true })
})
