import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataType, RecordBatchStreamWriter, tableFromArrays, tableFromIPC, tableToIPC, TimeUnit } from 'apache-arrow'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkFrame } from '../../src/arrow/arrowFrame.ts'
import { AsciiLine } from '../../src/arrow/asciiLine.ts'
import { readTable } from '../../src/arrow/tableReader.ts'
import type { ColumnSpec, TableSpec } from '../../src/arrow/tableSchema.ts'
import { TableWriter } from '../../src/arrow/tableWriter.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { drawsOf } from '../draws.ts'

let folder: string
beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'parlor-arrow-')) })
afterAll(() => rmSync(folder, { recursive: true }))

const column = (name: string, type: ColumnSpec['type'], rest: Partial<ColumnSpec> = {}): ColumnSpec =>
  ({ name, type, nullable: true, about: `about ${name}`, ...rest })

const EVERY: TableSpec = {
  name: 'every',
  about: 'a column of every type',
  columns: [
    column('at', 'timeUs'), column('net_stake_micros', 'micros'), column('odds', 'oddsE4'), column('market', 'int32'),
    column('seq', 'int64', { nullable: false }), column('weight', 'float64'), column('won', 'bool'),
    column('side', 'enum', { values: ['yes', 'no', 'never used'] }), column('note', 'text'),
  ],
}

function writeEvery(path: string, batchRows: number): void {
  const writer = new TableWriter(EVERY, path, { seed: '7', schemaVersion: '1' }, { batchRows })
  writer.row()
  writer.int(0, 1_750_291_200_000_001)
  writer.int(1, -5_000_000_000)
  writer.int(2, 40_000)
  writer.int(3, -2_147_483_648)
  writer.int(4, Number.MAX_SAFE_INTEGER)
  writer.float(5, -0.25)
  writer.bool(6, true)
  writer.label(7, 'no')
  writer.text(8, 'naïve – 🎲')
  writer.row()
  writer.int(4, Number.MIN_SAFE_INTEGER)
  writer.row()
  writer.int(0, -1)
  writer.int(1, 2_147_483_648)
  writer.intOrNone(2, -1)
  writer.int(3, -1)
  writer.int(4, 0)
  writer.float(5, 1e300)
  writer.bool(6, false)
  writer.code(7, 0)
  writer.text(8, '')
  writer.finish()
}

describe.each([1, 2, 65_536])('a table of every type in batches of %i rows', (batchRows) => {
  test('comes back as it was written', () => {
    const path = join(folder, `every-${batchRows}.arrow`)
    writeEvery(path, batchRows)
    const table = readTable(path)
    expect(table.rowCount).toBe(3)
    expect(table.metadata).toEqual({ table: 'every', about: 'a column of every type', seed: '7', schemaVersion: '1' })
    const numbers = (name: string): (number | null)[] => {
      const { numbers: cells, valid } = table.column(name)
      return [...cells!].map((cell, i) => (valid === null || valid[i] === 1 ? cell : null))
    }
    expect(EVERY.columns.map((c) => table.typeOf(c.name))).toEqual(EVERY.columns.map((c) => c.type))
    expect(numbers('at')).toEqual([1_750_291_200_000_001, null, -1])
    expect(numbers('net_stake_micros')).toEqual([-5_000_000_000, null, 2_147_483_648])
    expect(numbers('odds')).toEqual([40_000, null, null])
    expect(numbers('market')).toEqual([-2_147_483_648, null, -1])
    expect(numbers('seq')).toEqual([9_007_199_254_740_991, -9_007_199_254_740_991, 0])
    expect(numbers('weight')).toEqual([-0.25, null, 1e300])
    expect(numbers('won')).toEqual([1, null, 0])
    expect([...table.column('side').codes!]).toEqual([1, -1, 0])
    expect(table.column('side').values).toEqual(['yes', 'no', 'never used'])
    expect(table.column('note').texts).toEqual(['naïve – 🎲', '', ''])
    expect([...table.column('note').valid!]).toEqual([1, 0, 1])
    expect(table.column('seq').valid).toBeNull()
    expect(table.column('odds').about).toBe('about odds')
  })

  test('opens in arrow-js with the promised types', () => {
    const path = join(folder, `foreign-${batchRows}.arrow`)
    writeEvery(path, batchRows)
    const table = tableFromIPC(readFileSync(path))
    const [at, stake, odds, market, , , , side] = table.schema.fields
    expect(DataType.isTimestamp(at!.type) && at!.type.unit === TimeUnit.MICROSECOND && at!.type.timezone).toBe('UTC')
    expect(String(stake!.type)).toBe('Int64')
    expect(odds!.metadata.get('scale')).toBe('4')
    expect(stake!.metadata.get('unit')).toBe('microUSDC')
    expect(String(market!.type)).toBe('Int32')
    expect(String(side!.type)).toBe('Dictionary<Int8, Utf8>')
    expect(table.getChild('net_stake_micros')!.toArray()[0]).toBe(-5_000_000_000n)
    expect([...table.getChild('side')!]).toEqual(['no', null, 'yes'])
    expect([...table.getChild('note')!]).toEqual(['naïve – 🎲', null, ''])
    expect([...table.getChild('won')!]).toEqual([true, null, false])
    expect(table.schema.fields.map((f) => f.nullable)).toEqual(EVERY.columns.map((c) => c.nullable))
  })
})

test('an empty table keeps its columns and dictionaries', () => {
  const path = join(folder, 'empty.arrow')
  new TableWriter(EVERY, path).finish()
  const table = readTable(path)
  expect(table.rowCount).toBe(0)
  expect(table.column('seq').numbers).toHaveLength(0)
  const foreign = tableFromIPC(readFileSync(path))
  expect(foreign.schema.fields).toHaveLength(9)
  expect(foreign.batches[0]!.dictionaries.size).toBe(1)
})

test('batches that end exactly on a boundary, and byte-crossing validity', () => {
  const path = join(folder, 'many.arrow')
  const spec: TableSpec = { name: 'many', about: '', columns: [column('n', 'int64'), column('b', 'bool')] }
  const writer = new TableWriter(spec, path, {}, { batchRows: 10 })
  for (let i = 0; i < 30; i++) {
    writer.row()
    if (i % 3 !== 0) writer.int(0, i * 1_000_000_000)
    if (i % 7 !== 0) writer.bool(1, i % 2 === 0)
  }
  expect(writer.rowCount).toBe(30)
  writer.finish()
  const table = readTable(path)
  expect(table.batchCount).toBe(3)
  const n = table.column('n')
  const b = table.column('b')
  for (let i = 0; i < 30; i++) {
    expect(n.valid![i]).toBe(i % 3 === 0 ? 0 : 1)
    expect(n.numbers![i]).toBe(i % 3 === 0 ? 0 : i * 1_000_000_000)
    expect(b.valid![i]).toBe(i % 7 === 0 ? 0 : 1)
    expect(b.numbers![i]).toBe(i % 7 !== 0 && i % 2 === 0 ? 1 : 0)
  }
  expect([...table.batch(1).column('n').numbers!].slice(0, 2)).toEqual([10_000_000_000, 11_000_000_000])
})

// Room for rows grows after 256 and after 1,024.
test.each([7, 128, 200, 1000, 65_536])('cells that are set straight come back as those of the methods, in batches of %i rows', (batchRows) => {
  const rows = 1_100
  const ends = [0, -1, 2_147_483_648, 2 ** 51 - 1, 2 ** 51, -(2 ** 51), -(2 ** 51) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
  const values = (i: number): (number | null)[] => [
    null, ends[i % ends.length]!, i % 3 === 0 ? null : i, i % 5 === 0 ? null : -i, i - 350, i % 7 === 0 ? null : i / 8, i % 2, i % 11 === 0 ? null : i % 3, null,
  ]
  const note = (i: number): string | null => (i % 13 === 0 ? null : 'n'.repeat(i % 9))
  const [set, straight] = [join(folder, `set-${batchRows}.arrow`), join(folder, `straight-${batchRows}.arrow`)]
  const bySetters = new TableWriter(EVERY, set, {}, { batchRows })
  const inCells = new TableWriter(EVERY, straight, {}, { batchRows })
  for (let i = 0; i < rows; i++) {
    bySetters.row()
    const first = inCells.row()
    const text = note(i)
    if (text !== null) for (const writer of [bySetters, inCells]) writer.text(8, text)
    for (const [column, value] of values(i).entries()) {
      if (value === null) continue
      inCells.cells[first + column] = value
      if (column < 5) bySetters.int(column, value)
      else if (column === 5) bySetters.float(column, value)
      else if (column === 6) bySetters.bool(column, value === 1)
      else bySetters.code(column, value)
    }
  }
  bySetters.finish()
  inCells.finish()
  expect(readFileSync(straight).equals(readFileSync(set))).toBe(true)
  const table = readTable(straight)
  expect(table.rowCount).toBe(rows)
  for (const column of [1, 2, 3, 4, 5, 6]) {
    const { numbers, valid } = table.column(EVERY.columns[column]!.name)
    expect([...numbers!].map((n, i) => (valid === null || valid[i] === 1 ? n : null))).toEqual(Array.from({ length: rows }, (_, i) => values(i)[column]))
  }
  expect([...table.column('side').codes!]).toEqual(Array.from({ length: rows }, (_, i) => values(i)[7] ?? -1))
  expect(table.column('note').texts).toEqual(Array.from({ length: rows }, (_, i) => note(i) ?? ''))
  expect([...table.column('note').valid!]).toEqual(Array.from({ length: rows }, (_, i) => (note(i) === null ? 0 : 1)))
})

test('a cell can be emptied again, and a long text grows its room', () => {
  const path = join(folder, 'emptied.arrow')
  const spec: TableSpec = { name: 't', about: '', columns: [column('n', 'int64'), column('s', 'text')] }
  const writer = new TableWriter(spec, path, {}, { batchRows: 2 })
  const long = 'ж'.repeat(1000)
  for (const text of [long, 'b', long + long]) {
    writer.row()
    writer.int(0, 5)
    writer.null(0)
    writer.text(1, text)
  }
  writer.finish()
  const table = readTable(path)
  expect([...table.column('n').valid!]).toEqual([0, 0, 0])
  expect(table.column('s').texts).toEqual([long, 'b', long + long])
})

test('a line of ASCII text is a cell as a string is, and grows its room too', () => {
  const path = join(folder, 'lines.arrow')
  const writer = new TableWriter({ name: 't', about: '', columns: [column('s', 'text')] }, path, {}, { batchRows: 2 })
  const line = new AsciiLine()
  for (const length of [300, 0, 3]) {
    line.clear()
    for (let i = 0; i < length; i++) line.byte(97 + (i % 26))
    writer.row()
    writer.ascii(0, line)
  }
  writer.finish()
  const alphabet = 'abcdefghijklmnopqrstuvwxyz'
  expect(readTable(path).column('s').texts).toEqual([alphabet.repeat(12).slice(0, 300), '', 'abc'])
})

test.each([
  [128, 'Int8'], [129, 'Int16'], [32_768, 'Int16'], [32_769, 'Int32'],
])('enums of %i values take codes of %s', (count, type) => {
  const path = join(folder, `enum-${count}.arrow`)
  const values = Array.from({ length: count }, (_, i) => `v${i}`)
  const writer = new TableWriter({ name: 't', about: '', columns: [column('e', 'enum', { values })] }, path)
  for (const code of [0, count - 1]) {
    writer.row()
    writer.code(0, code)
  }
  writer.finish()
  expect([...readTable(path).column('e').codes!]).toEqual([0, count - 1])
  const table = tableFromIPC(readFileSync(path))
  expect(String(table.schema.fields[0]!.type)).toBe(`Dictionary<${type}, Utf8>`)
  expect([...table.getChild('e')!]).toEqual(['v0', `v${count - 1}`])
})

test('the same rows give the same bytes, whatever was written before', () => {
  const [a, b] = [join(folder, 'a.arrow'), join(folder, 'b.arrow')]
  writeEvery(a, 2)
  writeEvery(join(folder, 'between.arrow'), 1)
  writeEvery(b, 2)
  expect(readFileSync(a).equals(readFileSync(b))).toBe(true)
})

test('any table of integers and gaps comes back', () => {
  fc.assert(fc.property(
    fc.array(fc.option(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -3, max: 3 })), { nil: null }), { maxLength: 40 }),
    fc.integer({ min: 1, max: 17 }),
    (cells, batchRows) => {
      const path = join(folder, 'property.arrow')
      const writer = new TableWriter({ name: 't', about: '', columns: [column('n', 'int64')] }, path, {}, { batchRows })
      for (const cell of cells) {
        writer.row()
        if (cell !== null) writer.int(0, cell)
      }
      writer.finish()
      const { numbers, valid } = readTable(path).column('n')
      expect([...numbers!].map((n, i) => (valid === null || valid[i] === 1 ? n : null))).toEqual(cells.map((c) => (c === null ? null : c + 0)))
    },
  ), { numRuns: 60 })
})

describe('what does not fit is refused', () => {
  const fits = (set: (writer: TableWriter) => void): (() => void) => () => {
    const writer = new TableWriter(EVERY, join(folder, 'refused.arrow'))
    try {
      writer.row()
      set(writer)
    } finally {
      writer.abort()
    }
  }
  test.each<[string, (writer: TableWriter) => void]>([
    ['2⁵³ into 64 bits', (w) => w.int(1, 9_007_199_254_740_992)],
    ['−2⁵³ into 64 bits', (w) => w.int(1, -9_007_199_254_740_992)],
    ['a fraction', (w) => w.int(1, 0.5)],
    ['NaN', (w) => w.int(4, Number.NaN)],
    ['2³¹ into 32 bits', (w) => w.int(3, 2_147_483_648)],
    ['an integer into an enum', (w) => w.int(7, 1)],
    ['a code past the end', (w) => w.code(7, 3)],
    ['a label that is not a value', (w) => w.label(7, 'maybe')],
    ['a text into an integer', (w) => w.text(1, 'x')],
    ['a fraction into an integer column', (w) => w.float(1, 0.5)],
    ['a bool into a text', (w) => w.bool(8, true)],
  ])('%s', (_, set) => expect(fits(set)).toThrow(/does not fit column/))

  test.each<[string, number, number]>([
    ['2⁵³ into 64 bits', 1, 9_007_199_254_740_992], ['a fraction', 1, 0.5], ['a large fraction', 1, 2 ** 50 + 0.5], ['infinity', 1, Infinity],
    ['2³¹ into 32 bits', 3, 2_147_483_648], ['2 into a bool', 6, 2], ['a code past the end', 7, 3], ['a code below 0', 7, -1],
  ])('%s, set straight, with its block of rows', (_, column, value) => {
    const writer = new TableWriter(EVERY, join(folder, 'refused.arrow'))
    const first = writer.row()
    writer.cells[first + 4] = 1
    writer.cells[first + column] = value
    expect(() => writer.finish()).toThrow(/does not fit column/)
  })

  test('2⁵³ − 1 and 2³¹ − 1 fit', () => {
    expect(fits((w) => w.int(1, 9_007_199_254_740_991))).not.toThrow()
    expect(fits((w) => w.int(3, 2_147_483_647))).not.toThrow()
  })

  test('an empty cell of a column that is not nullable; nothing is left on the disk', () => {
    const path = join(folder, 'required.arrow')
    const writer = new TableWriter(EVERY, path)
    writer.row()
    expect(() => writer.finish()).toThrow(/leave seq empty/)
    expect(readdirSync(folder).filter((name) => name.startsWith('required'))).toEqual([])
  })
})

describe('a file that cannot be read gives an InputError that names it', () => {
  const opening = (name: string, bytes?: Uint8Array): (() => unknown) => {
    const path = join(folder, name)
    if (bytes !== undefined) writeFileSync(path, bytes)
    return () => readTable(path)
  }
  const whole = (): Buffer => {
    const path = join(folder, 'whole.arrow')
    writeEvery(path, 1)
    return readFileSync(path)
  }
  const expectMistake = (open: () => unknown, name: string, message: RegExp): void => {
    let caught: unknown
    try {
      open()
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(InputError)
    expect((caught as InputError).position!.file).toBe(join(folder, name))
    expect((caught as InputError).message).toMatch(message)
  }

  test('missing', () => expectMistake(opening('absent.arrow'), 'absent.arrow', /cannot read/))
  test('empty', () => expectMistake(opening('zero.arrow', new Uint8Array(0)), 'zero.arrow', /not an Arrow file/))
  test('foreign', () => expectMistake(opening('text.arrow', Buffer.from('a,b\n1,2\n')), 'text.arrow', /not an Arrow file/))
  test('cut off by one byte', () => expectMistake(opening('cut1.arrow', whole().subarray(0, -1)), 'cut1.arrow', /truncated/))
  test('cut in half', () => {
    const bytes = whole()
    expectMistake(opening('half.arrow', bytes.subarray(0, bytes.length >> 1)), 'half.arrow', /truncated/)
  })
  test('middle taken out', () => {
    const bytes = whole()
    const holed = Buffer.concat([bytes.subarray(0, 16), bytes.subarray(bytes.length - 24)])
    expectMistake(opening('holed.arrow', holed), 'holed.arrow', /damaged/)
  })
  /** Where a field of a flatbuffer's table lies. */
  const fieldOf = (bytes: Buffer, table: number, slot: number): number => {
    const layout = table - bytes.readInt32LE(table)
    return table + bytes.readUInt16LE(layout + 4 + 2 * slot)
  }
  const vectorOf = (bytes: Buffer, table: number, slot: number): number => {
    const field = fieldOf(bytes, table, slot)
    return field + bytes.readUInt32LE(field)
  }
  const footerOf = (bytes: Buffer): number => {
    const at = bytes.length - 10 - bytes.readInt32LE(bytes.length - 10)
    return at + bytes.readUInt32LE(at)
  }
  // Arrow's File.fbs: a footer has dictionaries as its field 2, batches as its field 3.
  test.each([['dictionaries', 2], ['batches', 3]])('two billion %s, which the file has no room for', (name, slot) => {
    const bytes = whole()
    bytes.writeInt32LE(2 ** 31 - 1, vectorOf(bytes, footerOf(bytes), slot))
    expectMistake(opening(`${name}.arrow`, bytes), `${name}.arrow`, /damaged/)
  })
  test('a batch of 2⁴⁰ rows', () => {
    const bytes = whole()
    const block = vectorOf(bytes, footerOf(bytes), 3) + 4
    const message = Number(bytes.readBigInt64LE(block)) + 8
    // Message.fbs: a message has its header as its field 2; of a batch, field 0 is how many rows it has.
    const batch = vectorOf(bytes, message + bytes.readUInt32LE(message), 2)
    const rows = fieldOf(bytes, batch, 0)
    expect(bytes.readBigInt64LE(rows)).toBe(1n)
    bytes.writeBigInt64LE(2n ** 40n, rows)
    expectMistake(opening('rows.arrow', bytes), 'rows.arrow', /damaged/)
  })
  test('a batch whose body leads out of the file', () => {
    const bytes = whole()
    const block = vectorOf(bytes, footerOf(bytes), 3) + 4
    const message = Number(bytes.readBigInt64LE(block)) + 8
    // Message.fbs: a message has the length of its body as its field 3. The footer's block says the same, 16 bytes in.
    bytes.writeBigInt64LE(BigInt(bytes.length), block + 16)
    bytes.writeBigInt64LE(BigInt(bytes.length), fieldOf(bytes, message + bytes.readUInt32LE(message), 3))
    expect(() => { checkFrame(bytes, 'body.arrow') }).toThrow(expect.objectContaining({ hint: 'a part leads out of the file' }))
  })
  test('lists of fields that share their children, so that a few bytes name thousands of fields', () => {
    const depth = 5
    const bytes = Buffer.alloc(200 + 44 * depth)
    const end = bytes.length - 10
    /** A table with one field, which refers to what comes next. The layout of footer and schema is at 8, that of a field at 16. */
    const table = (at: number, layout: number): void => {
      bytes.writeInt32LE(at - layout, at)
      bytes.writeUInt32LE(4, at + 4)
    }
    for (const [i, short] of [8, 8, 0, 4, 16, 8, 0, 0, 0, 0, 0, 4].entries()) bytes.writeUInt16LE(short, 8 + 2 * i)
    bytes.writeInt32LE(end, end)
    bytes.writeUInt32LE(40, 0)
    table(40, 8)
    table(48, 8)
    for (let level = 0; level < depth; level++) {
      const list = 56 + 44 * level
      bytes.writeUInt32LE(8, list)
      for (let i = 0; i < 8; i++) bytes.writeUInt32LE(32 - 4 * i, list + 4 + 4 * i)
      table(list + 36, 16)
    }
    expect(() => { checkFrame(bytes, 'fields.arrow') }).toThrow(expect.objectContaining({ hint: 'it names more fields than it has room for' }))
    bytes.writeUInt32LE(0, 56 + 44)
    expect(() => { checkFrame(bytes, 'fields.arrow') }).not.toThrow()
  })
  test('any bytes changed: it is read, or called damaged, and nothing waits or makes room for what is not there', () => {
    const bytes = whole()
    const draw = drawsOf(17)
    const footer = bytes.readInt32LE(bytes.length - 10)
    let refused = 0
    for (let round = 0; round < 200; round++) {
      const changed = Buffer.from(bytes)
      for (let i = draw(3); i >= 0; i--) {
        const at = draw(2) === 0 ? bytes.length - 14 - draw(footer) : 8 + draw(bytes.length - 24)
        if (draw(2) === 0) changed[at] = draw(256)
        else changed.writeInt32LE([2 ** 31 - 1, -1, 2 ** 30, 0][draw(4)]!, at & ~3)
      }
      const path = join(folder, 'changed.arrow')
      writeFileSync(path, changed)
      try {
        const table = readTable(path)
        for (const name of table.columnNames) table.column(name)
      } catch (error) {
        if (!(error instanceof InputError)) throw error
        refused++
      }
    }
    expect(refused).toBeGreaterThan(20)
  })
  test('a 64-bit integer that is not safe', () => {
    const path = join(folder, 'unsafe.arrow')
    writeFileSync(path, tableToIPC(tableFromArrays({ n: BigInt64Array.of(9_007_199_254_740_991n, 9_007_199_254_740_992n) }), 'file'))
    expect(() => readTable(path).column('n')).toThrow(/row 2 of column n leaves the safe integers: 9007199254740992/)
  })
  test('a column that is not there', () => {
    const path = join(folder, 'columns.arrow')
    writeEvery(path, 9)
    expect(() => readTable(path).column('nope')).toThrow(/no column nope/)
    expect(() => readTable(path).numbers('net_stake_micros', 'micros')).toThrow(/empty cells/)
    expect(() => readTable(path).numbers('seq', 'timeUs')).toThrow(/holds int64, expected timeUs/)
  })
})

test('abort leaves nothing', () => {
  const path = join(folder, 'aborted.arrow')
  const writer = new TableWriter(EVERY, path, {}, { batchRows: 1 })
  writer.row()
  writer.int(4, 1)
  writer.row()
  writer.abort()
  expect(existsSync(path)).toBe(false)
  expect(readdirSync(folder).filter((name) => name.startsWith('aborted'))).toEqual([])
})

test('the part before the footer is a stream of its own', () => {
  const path = join(folder, 'stream.arrow')
  writeEvery(path, 2)
  const stream = tableFromIPC(readFileSync(path).subarray(8))
  expect(stream.numRows).toBe(3)
  expect(RecordBatchStreamWriter.writeAll(stream).toUint8Array(true).byteLength).toBeGreaterThan(0)
})
