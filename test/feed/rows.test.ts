import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { crc32, gzipSync, zstdCompressSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { type FileMetaData, type PageHeader, parquetMetadata } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { ByteWriter, parquetWriteBuffer } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'
import { describe, expect, test } from 'vitest'
import { FileTally } from '../../src/feed/importTally.ts'
import { openInputFiles } from '../../src/feed/rows/inputFiles.ts'
import { openTable } from '../../src/feed/rows/openTable.ts'
import type { RowLayout } from '../../src/feed/rows/rowBatch.ts'
import type { InputError } from '../../src/unit/inputError.ts'
import { written } from './writtenFiles.ts'

interface ReadRows {
  readonly rows: readonly (readonly string[])[]
  readonly numbers: readonly number[]
  readonly tally: FileTally
}

/** The texts of columns of files, and what was set aside. */
async function readRows(paths: readonly string[], columns: readonly string[], layout: RowLayout = {}, input?: NodeJS.ReadableStream): Promise<ReadRows> {
  const { files, close } = await openInputFiles(paths, { input })
  const tally = new FileTally('all')
  const rows: string[][] = []
  const numbers: number[] = []
  try {
    for (const file of files) {
      const table = await openTable(file, layout)
      for await (const { count, cells, numbers: batch } of table.batches(columns, tally)) {
        for (let row = 0; row < count; row += 1) {
          rows.push(cells.map((column) => column.text(row)))
          numbers.push(batch[row]!)
        }
      }
    }
  } finally {
    await close()
  }
  return { rows, numbers, tally }
}

const troubles = (tally: FileTally): string[] => tally.troubles().map(({ kind, handling, rows, firstRow }) => `${handling} ${kind}: ${rows} from ${firstRow}`)
const fileOf = (name: string, content: string | Uint8Array): string => `${written({ [name]: content })}/${name}`

describe('CSV', () => {
  test('has its columns by name, in the order that is asked for, with the lines of its rows', async () => {
    const { rows, numbers } = await readRows([fileOf('a.csv', 'a,b,c\n1,2,3\n\n4,5,6\r\n')], ['c', 'a'])
    expect(rows).toEqual([['3', '1'], ['6', '4']])
    expect(numbers).toEqual([2, 4])
  })

  test('has a header that is no UTF-8 as Latin-1, and one in UTF-8 over rows in Latin-1', async () => {
    const header = await readRows([fileOf('a.csv', Buffer.from('Rückquote;b\nä;2\n', 'latin1'))], ['Rückquote', 'b'])
    expect(header.rows).toEqual([['ä', '2']])
    const rows = await readRows([fileOf('a.csv', Buffer.concat([Buffer.from('Rückquote;b\n'), Buffer.from('ä;2\n', 'latin1')]))], ['Rückquote', 'b'])
    expect(rows.rows).toEqual([['ä', '2']])
  })

  test.each([';', '\t', '|'])('finds out that %j stands between fields', async (delimiter) => {
    const text = [['a,x', 'b', 'c'], ['1', '2', '3']].map((row) => row.join(delimiter)).join('\n')
    const { rows } = await readRows([fileOf('a.csv', text)], ['b'])
    expect(rows).toEqual([['2']])
  })

  test('a quoted field may have delimiters, quotes and lines, and the lines below count on', async () => {
    const { rows, numbers } = await readRows([fileOf('a.csv', 'a,b\n"x, ""y""\nz",1\nw,2\n')], ['a', 'b'])
    expect(rows).toEqual([['x, "y"\nz', '1'], ['w', '2']])
    expect(numbers).toEqual([2, 4])
  })

  test('a quote that is not closed costs its own line', async () => {
    const { rows, numbers, tally } = await readRows([fileOf('a.csv', 'a,b\n1,2\n"3,4\n5,6\n"7",8\n9,10\n')], ['a', 'b'])
    expect(rows).toEqual([['1', '2'], ['5', '6'], ['7', '8'], ['9', '10']])
    expect(numbers).toEqual([2, 4, 5, 6])
    expect(troubles(tally)).toEqual(['quarantined misplaced quote: 1 from 3'])
  })

  test('a quote that is closed by chance in a later line costs its own line, where the row does not fit', async () => {
    const { rows, numbers, tally } = await readRows([fileOf('a.csv', 'a,b\n"1,2\n3,4\n5",6,7\n8,9\n')], ['a', 'b'])
    expect(rows).toEqual([['3', '4'], ['8', '9']])
    expect(numbers).toEqual([3, 5])
    expect(troubles(tally)).toEqual(['quarantined open quote: 1 from 2', 'quarantined ragged row: 1 from 4'])
  })

  test('a quote that is open to the end of a long file costs its own line too', async () => {
    const rest = Array.from({ length: 200_000 }, (_, i) => `${i},x`)
    const { rows, tally } = await readRows([fileOf('a.csv', `a,b\n"0,y\n${rest.join('\n')}\n`)], ['a', 'b'])
    expect(rows.length).toBe(200_000)
    expect(rows[199_999]).toEqual(['199999', 'x'])
    expect(troubles(tally)).toEqual(['quarantined open quote: 1 from 2'])
  })

  test('a field without end costs its own line, whatever its length', async () => {
    const { rows, numbers, tally } = await readRows([fileOf('a.csv', Buffer.concat([Buffer.from('a,b\n'), Buffer.alloc(5_000_000, 'x'), Buffer.from('\n1,2\n')]))], ['a', 'b'])
    expect(rows).toEqual([['1', '2']])
    expect(numbers).toEqual([3])
    expect(troubles(tally)).toEqual(['quarantined row too long: 1 from 2'])
  })

  test('rows that are wider or narrower than the header are set aside', async () => {
    const { rows, tally } = await readRows([fileOf('a.csv', 'a,b\n1\n2,3\n4,5,6\n')], ['a'])
    expect(rows).toEqual([['2']])
    expect(troubles(tally)).toEqual(['quarantined ragged row: 2 from 2'])
    expect(tally.inputRows).toBe(2)
  })

  test('a mark of UTF-8 is no part of the first name, and UTF-16 is read with a note', async () => {
    expect((await readRows([fileOf('a.csv', '\uFEFFa,b\n1,2\n')], ['a'])).rows).toEqual([['1']])
    const { rows, tally } = await readRows([fileOf('a.csv', Buffer.from('\uFEFFa,b\nü,2\n', 'utf16le'))], ['a'])
    expect(rows).toEqual([['ü']])
    expect(troubles(tally)).toEqual(['noted other encoding: 0 from 1'])
  })

  test('bytes that are no UTF-8 are Latin-1, with a note', async () => {
    const { rows, tally } = await readRows([fileOf('a.csv', Buffer.from('a,b\nM\xfcnchen,1\nMünchen,2\n', 'latin1'))], ['a', 'b'])
    expect(rows).toEqual([['München', '1'], ['München', '2']])
    expect(troubles(tally)).toEqual(['noted not UTF-8: 2 from 2'])
  })

  test('a column that is missing or there twice is refused by name', async () => {
    await expect(readRows([fileOf('a.csv', 'a,b,a\n1,2,3\n')], ['a'])).rejects.toThrow('has two columns a')
    await expect(readRows([fileOf('a.csv', 'a,b\n1,2\n')], ['c'])).rejects.toThrow('no column c')
    expect((await readRows([fileOf('a.csv', 'a,b,a\n1,2,3\n')], ['b'])).rows).toEqual([['2']])
  })

  test('columns may be named where there is no header', async () => {
    expect((await readRows([fileOf('a.csv', '1,2\n3,4\n')], ['y'], { names: ['x', 'y'] })).rows).toEqual([['2'], ['4']])
  })

  test('what csv-parse reads without a fault is read alike, wherever a chunk ends', async () => {
    const field = fc.oneof(fc.constantFrom('', 'a', '1.5', ' x ', 'ü'), fc.constantFrom('"a,b"', '"a""b"', '"a\nb"', '""'))
    await fc.assert(fc.asyncProperty(fc.array(fc.tuple(field, field, field), { minLength: 1, maxLength: 40 }), fc.boolean(), async (records, isLast) => {
      const text = ['p,q,r', ...records.map((record) => record.join(','))].join('\n') + (isLast ? '' : '\n')
      const expected = (parse(text, { columns: false }) as string[][]).slice(1).map((record) => record.map((cell) => cell.replace(/^[ \t]+|[ \t]+$/g, '')))
      expect((await readRows([fileOf('a.csv', text)], ['p', 'q', 'r'])).rows).toEqual(expected)
    }), { numRuns: 60 })
  })

  test('rows that lie across chunks are whole', async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => [`k${i}`, '"quoted, too"', String(i * 7)])
    const { rows: read } = await readRows([fileOf('a.csv', ['a,b,c', ...rows.map((row) => row.join(','))].join('\n'))], ['a', 'b', 'c'])
    expect(read).toEqual(rows.map(([a, , c]) => [a, 'quoted, too', c]))
  })
})

describe('JSON', () => {
  test('an object in each line has its values at paths', async () => {
    const { rows, numbers } = await readRows([fileOf('a.ndjson', '{"a":{"b":1},"c":"x"}\n\n{"a":{"b":2.5},"c":null}\n')], ['a.b', 'c'])
    expect(rows).toEqual([['1', 'x'], ['2.5', '']])
    expect(numbers).toEqual([1, 3])
  })

  test('long numbers keep every digit', async () => {
    const { rows } = await readRows([fileOf('a.ndjson', '{"t":1750359600123456789,"id":71321045679252212594626385532706912750332728571942532289631379312455583992563}\n')], ['t', 'id'])
    expect(rows).toEqual([['1750359600123456789', '71321045679252212594626385532706912750332728571942532289631379312455583992563']])
  })

  test('lines that are no object are set aside', async () => {
    const { rows, tally } = await readRows([fileOf('a.ndjson', '{"a":1}\n{"a":\n[1]\n7\n{"a":2}')], ['a'])
    expect(rows).toEqual([['1'], ['2']])
    expect(troubles(tally)).toEqual(['quarantined not JSON: 1 from 2', 'quarantined not an object: 2 from 3'])
  })

  test.each([['lists', '['.repeat(50_000) + ']'.repeat(50_000)], ['objects', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`]])('%s in each other are set aside where they are too deep to be written', async (_, deep) => {
    const { rows, tally } = await readRows([fileOf('a.ndjson', `{"a":1}\n${deep}\n{"a":${deep}}\n{"a":2,"b":${deep}}`)], ['a'])
    expect(rows).toEqual([['1'], ['2']])
    expect(tally.quarantinedRows).toBe(2)
  })

  test('a hundred levels are read, and no more', async () => {
    const cell = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
    const { rows, tally } = await readRows([fileOf('a.ndjson', `{"a":${cell(101)}}\n{"a":${cell(102)}}`)], ['a'])
    expect(rows).toEqual([[cell(101)]])
    expect(troubles(tally)).toEqual(['quarantined nested too deep: 1 from 2'])
  })

  test('a list within an object is rows, which have what the object says', async () => {
    const text = '{"m":"A","ts":5,"changes":[{"p":1},{"p":2,"m":"B"}]}\n{"m":"C"}\n'
    const { rows, tally } = await readRows([fileOf('a.ndjson', text)], ['m', 'p'], { rows: ['changes'] })
    expect(rows).toEqual([['A', '1'], ['B', '2']])
    expect(troubles(tally)).toEqual(['noted no list of rows: 1 from 2'])
  })

  test.each([['a list', '[\n {"a": 1},\n {"a": 2}\n]\n', undefined], ['an object with a list', '{\n "history": [{"a": 1}, {"a": 2}]\n}\n', ['history']]])('a document that is %s is read whole', async (_, text, rows) => {
    expect((await readRows([fileOf('a.json', text)], ['a'], { rows })).rows).toEqual([['1'], ['2']])
    const { files: [file], close } = await openInputFiles([fileOf('a.json', text)])
    expect((await openTable(file!, { rows })).columns).toContain('a')
    await close()
  })
})

test('a zip archive is refused, with what to do', async () => {
  const refused = await readRows([fileOf('a.csv.zip', Buffer.from('PK\u0003\u0004rest'))], ['a']).then(() => null, (error: unknown) => error as InputError)
  expect([refused!.message, refused!.hint]).toEqual(['is a zip archive, which is not read', expect.stringContaining('unzip -p FILE | parlor import')])
})

describe('Parquet', () => {
  const columnData = [
    { name: 't', data: [1_750_359_600_123_456_789n, 1_750_359_600_000_000_001n, 1_750_359_601_000_000_000n], type: 'INT64' as const },
    { name: 'at', data: [new Date(0), new Date(1), new Date(2)], type: 'TIMESTAMP' as const },
    { name: 'f', data: new Float32Array([0.57, 1 / 3, 0.1]), type: 'FLOAT' as const },
    { name: 'd', data: [0.57, null, 1 / 3], type: 'DOUBLE' as const },
    { name: 's', data: ['x', 'y', 'z'], type: 'STRING' as const },
  ]
  const bytes = () => Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: 2 }))

  test('is read by row group, and numbers are the shortest that stand for them', async () => {
    const { rows, numbers } = await readRows([fileOf('a.parquet', bytes())], ['s', 'f', 'd', 't'])
    expect(rows).toEqual([
      ['x', '0.57', '0.57', '1750359600123456789'], ['y', '0.33333334', '', '1750359600000000001'], ['z', '0.1', '0.3333333333333333', '1750359601000000000'],
    ])
    expect(numbers).toEqual([1, 2, 3])
  })

  test('has the rows of a group whose dictionary has more words than it has rows', async () => {
    const path = `${written({})}/enum.parquet`
    const connection = await (await DuckDBInstance.create()).connect()
    await connection.run(`create type word as enum ('a', 'b', 'c', 'd', 'e'); copy (select i, (['a', 'b', 'c', 'd', 'e'])[i % 5 + 1]::word as w from range(4) t(i)) to '${path}' (format parquet)`)
    connection.closeSync()
    const dictionary = new DataView(new Uint8Array(readFileSync(path)).buffer)
    const chunk = parquetMetadata(dictionary.buffer).row_groups[0]!.columns[1]!.meta_data!
    expect(parquetHeader({ view: dictionary, offset: Number(chunk.dictionary_page_offset) }).dictionary_page_header!.num_values).toBe(5)
    const { rows, tally } = await readRows([path], ['w'])
    expect(rows).toEqual([['a'], ['b'], ['c'], ['d']])
    expect(troubles(tally)).toEqual([])
  })

  test('has the fields of structs by their paths, and exact decimals within lists and structs', async () => {
    const path = `${written({})}/nested.parquet`
    const connection = await (await DuckDBInstance.create()).connect()
    await connection.run(`copy (select {'symbol': 'S' || i, 'venue': {'name': 'v', 'fee': (i * 0.07)::decimal(10, 4)}} as instrument,
      [{'p': (i * 0.7)::decimal(10, 4), 'q': i}] as bids, [(i * 0.7)::decimal(10, 4), null] as list, case when i < 2 then {'at': make_timestamptz(${1_750_359_600_000_000} + i)} end as maybe,
      (i * 0.7)::decimal(18, 7) as flat, 'x' as "dotted.name" from range(3) t(i)) to '${path}' (format parquet)`)
    connection.closeSync()
    const columns = ['instrument.symbol', 'instrument.venue.fee', 'instrument.venue', 'bids', 'list', 'maybe.at', 'flat', 'dotted.name']
    // hyparquet by itself makes 0.7000000000000001 of 7000 × 10⁻⁴.
    expect((await readRows([path], columns)).rows).toEqual([
      ['S0', '0.0000', '{"name":"v","fee":"0.0000"}', '[{"p":"0.0000","q":"0"}]', '["0.0000",null]', '1750359600000000', '0.0000000', 'x'],
      ['S1', '0.0700', '{"name":"v","fee":"0.0700"}', '[{"p":"0.7000","q":"1"}]', '["0.7000",null]', '1750359600000001', '0.7000000', 'x'],
      ['S2', '0.1400', '{"name":"v","fee":"0.1400"}', '[{"p":"1.4000","q":"2"}]', '["1.4000",null]', '', '1.4000000', 'x'],
    ])
    await expect(readRows([path], ['instrument.price'])).rejects.toThrow('no column instrument.price')
  })

  test('has all digits of decimals of any width, and times of day as texts', async () => {
    const path = `${written({})}/wide.parquet`
    const connection = await (await DuckDBInstance.create()).connect()
    await connection.run(`copy (select (12345678901234567890 + i)::decimal(38, 0) as id, {'m': (12345678901234567890 + i)::decimal(38, 0)} as s, (0.4 * (1 - 2 * i))::decimal(38, 18) as p, [0.71::decimal(38, 18)] as l,
      (i / 10)::decimal(4, 1) as short, null::decimal(18, 2) as none, time '09:30:00.25' as t from range(2) t(i)) to '${path}' (format parquet)`)
    connection.closeSync()
    expect((await readRows([path], ['id', 's.m', 'p', 'l', 'short', 'none', 't'])).rows).toEqual([
      ['12345678901234567890', '12345678901234567890', '0.400000000000000000', '["0.710000000000000000"]', '0.0', '', '09:30:00.250000000'],
      ['12345678901234567891', '12345678901234567891', '-0.400000000000000000', '["0.710000000000000000"]', '0.1', '', '09:30:00.250000000'],
    ])
  })

  test('a file that is cut off is refused, and so is a column that it lacks', async () => {
    await expect(readRows([fileOf('a.parquet', bytes().subarray(0, -9))], ['s'])).rejects.toThrow('is not a complete Parquet file')
    await expect(readRows([fileOf('a.parquet', bytes())], ['nothing'])).rejects.toThrow('no column nothing')
  })
})

describe('checksums of pages', () => {
  const MARK = Buffer.from('PAR1')

  /** A file of one page, whose header has the checksum of the page, or another one. */
  function withChecksum(change?: (header: PageHeader) => PageHeader): { readonly file: Buffer; readonly pageAt: number } {
    const plain = Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'a', data: ['x', 'y', 'z'], type: 'STRING', encoding: 'PLAIN' }], codec: 'UNCOMPRESSED', statistics: false }))
    const metadata = parquetMetadata(plain.buffer.slice(plain.byteOffset, plain.byteOffset + plain.length))
    const column = metadata.row_groups[0]!.columns[0]!.meta_data!
    const start = Number(column.data_page_offset)
    const reader = { view: new DataView(plain.buffer, plain.byteOffset + start), offset: 0 }
    const header = parquetHeader(reader)
    const page = plain.subarray(start + reader.offset, start + reader.offset + header.compressed_page_size)
    const writer = new ByteWriter()
    writePageHeader(writer, change?.(header) ?? { ...header, crc: crc32(page) | 0 })
    const head = Buffer.from(writer.getBytes())
    const chunk = Buffer.concat([head, page])
    const footer = new ByteWriter()
    writeMetadata(footer, { ...metadata, row_groups: [{ ...metadata.row_groups[0]!, columns: [{ ...metadata.row_groups[0]!.columns[0]!, meta_data: { ...column, total_compressed_size: BigInt(chunk.length) } }] }] })
    return { file: Buffer.concat([MARK, chunk, Buffer.from(footer.getBytes()), MARK]), pageAt: MARK.length + head.length }
  }

  test('hold', async () => {
    expect((await readRows([fileOf('a.parquet', withChecksum().file)], ['a'])).rows).toEqual([['x'], ['y'], ['z']])
  })

  test.each([
    ['has billions of values', (header: PageHeader) => ({ ...header, data_page_header_v2: { ...header.data_page_header_v2!, num_values: 2 ** 31 - 1 } })],
    ['has an encoding that its column has not', (header: PageHeader) => ({ ...header, data_page_header_v2: { ...header.data_page_header_v2!, encoding: 'DELTA_BINARY_PACKED' as const } })],
    ['needs more memory than anybody has', (header: PageHeader) => ({ ...header, uncompressed_page_size: 2 ** 31 - 1 })],
  ])('a page that says that it %s sets the rows of its group aside', async (_, change) => {
    const { rows, tally } = await readRows([fileOf('a.parquet', withChecksum(change).file)], ['a'])
    expect(rows).toEqual([])
    expect(troubles(tally)).toEqual(['quarantined damaged page: 3 from 1'])
  })

  test('that do not hold set the rows of their group aside', async () => {
    const { file, pageAt } = withChecksum()
    file[pageAt + 8]! ^= 1
    const { rows, tally } = await readRows([fileOf('a.parquet', file)], ['a'])
    expect(rows).toEqual([])
    expect(troubles(tally)).toEqual(['quarantined damaged page: 3 from 1'])
  })
})

describe('the rows that the end of a Parquet file says that it has', () => {
  const end = (change: (metadata: FileMetaData) => FileMetaData): Buffer => {
    const plain = Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'a', data: ['x', 'y', 'z'], type: 'STRING' }] }))
    const footer = new ByteWriter()
    writeMetadata(footer, change(parquetMetadata(plain.buffer.slice(plain.byteOffset, plain.byteOffset + plain.length))))
    return Buffer.concat([plain.subarray(0, plain.length - 8 - plain.readUInt32LE(plain.length - 8)), Buffer.from(footer.getBytes()), Buffer.from('PAR1')])
  }
  const ofGroup = (rows: bigint) => (metadata: FileMetaData): FileMetaData => ({ ...metadata, num_rows: rows, row_groups: [{ ...metadata.row_groups[0]!, num_rows: rows }] })

  test('are read where all its groups have them together', async () => {
    expect((await readRows([fileOf('a.parquet', end((metadata) => metadata))], ['a'])).rows.length).toBe(3)
  })

  test.each<[string, (metadata: FileMetaData) => FileMetaData]>([
    ['no number of them', ofGroup(-3n)], ['more than can be counted', ofGroup(2n ** 62n)], ['others than its groups', (metadata) => ({ ...metadata, num_rows: 4n })],
  ])('are not read where they are %s', async (_, change) => {
    await expect(readRows([fileOf('a.parquet', end(change))], ['a'])).rejects.toThrow('is not a complete Parquet file')
  })
})

describe('compression, archives and streams', () => {
  const text = 'a,b\n1,2\n3,4\n'
  const expected = [['2'], ['4']]
  test.each([['gzip', gzipSync(text)], ['zstd', zstdCompressSync(text)], ['two gzips', Buffer.concat([gzipSync(text.slice(0, 6)), gzipSync(text.slice(6))])], ['two zstds', Buffer.concat([zstdCompressSync(text.slice(0, 6)), zstdCompressSync(text.slice(6))])]])('%s is told by its first bytes, whatever the name', async (_, bytes) => {
    expect((await readRows([fileOf('a.csv', bytes)], ['b'])).rows).toEqual(expected)
  })

  test.each([['gzip', gzipSync(text)], ['zstd', zstdCompressSync(text)]])('%s that is cut off is refused by name', async (name, bytes) => {
    await expect(readRows([fileOf('a.csv', bytes.subarray(0, -6))], ['b'])).rejects.toThrow(`the ${name} data is cut off or damaged`)
  })

  test('a folder stands for its files by name, without hidden ones', async () => {
    expect((await readRows([written({ 'b.csv': 'b\n2\n', 'a.csv': 'b\n1\n', '.c.csv': 'b\n3\n' })], ['b'])).rows).toEqual([['1'], ['2']])
  })

  test('a folder stands for the files of folders in it too, in their place by name, without hidden folders and links', async () => {
    const folder = written({ 'a.csv': 'b\n1\n', 'n.csv': 'b\n4\n' })
    mkdirSync(`${folder}/day/deep`, { recursive: true })
    mkdirSync(`${folder}/.hidden`)
    for (const [name, value] of [['day/x.csv', 3], ['day/deep/y.csv', 2], ['.hidden/z.csv', 9]] as const) writeFileSync(`${folder}/${name}`, `b\n${value}\n`)
    symlinkSync(folder, `${folder}/day/back`)
    expect((await readRows([folder], ['b'])).rows).toEqual([['1'], ['2'], ['3'], ['4']])
    await expect(readRows([folder, `${folder}/day/x.csv`], ['b'])).rejects.toThrow('named twice')
  })

  test.each([['a.tar', []], ['a.tar.gz', ['-z']], ['a.tar.zst', ['--zstd']]])('%s stands for its files', async (name, flags) => {
    const long = `${'n'.repeat(120)}.csv`
    const folder = written({ 'x.csv': text, [long]: 'a,b\n5,6\n', 'p.parquet': Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'b', data: ['7'], type: 'STRING' }] })) })
    execFileSync('tar', [...flags, '-cf', `${folder}/${name}`, '-C', folder, 'x.csv', long, 'p.parquet'])
    expect((await readRows([`${folder}/${name}`], ['b'])).rows).toEqual([['2'], ['4'], ['6'], ['7']])
  })

  test('an archive that is cut off is refused', async () => {
    const folder = written({ 'x.csv': text })
    execFileSync('tar', ['-cf', `${folder}/a.tar`, '-C', folder, 'x.csv'])
    writeFileSync(`${folder}/b.tar`, readFileSync(`${folder}/a.tar`).subarray(0, 700))
    await expect(readRows([`${folder}/b.tar`], ['b'])).rejects.toThrow('is no complete tar archive')
  })

  test('- is standard input, once', async () => {
    expect((await readRows(['-'], ['b'], {}, Readable.from([gzipSync(text)]))).rows).toEqual(expected)
    await expect(readRows(['-', '-'], ['b'], {}, Readable.from([text]))).rejects.toThrow('named twice')
  })

  test('a file that is not there, or is named twice, is refused', async () => {
    await expect(readRows(['/nowhere/a.csv'], ['b'])).rejects.toThrow('no such file or folder')
    const file = fileOf('a.csv', text)
    await expect(readRows([file, file], ['b'])).rejects.toThrow('named twice')
  })
})
