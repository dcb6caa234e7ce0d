import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BatchFile } from '../../src/arrow/batchFile.ts'
import { ColumnsWriter } from '../../src/arrow/columnsWriter.ts'
import { readTable } from '../../src/arrow/tableReader.ts'
import type { TableSpec } from '../../src/arrow/tableSchema.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { drawsOf } from '../draws.ts'
import { refusal } from '../inputRefusal.ts'

// pyarrow 26.0.1: `x` is 0, 1, 2, 0, … (int32) and `word` aa, bb, aa, … (dictionary<int8>), 300 rows in batches of 200, by ipc.new_file with
// IpcWriteOptions(compression='zstd'), and the same with 'lz4'.
const BY_PYARROW = 'QVJST1cxAAD/////0AAAABAAAAAAAAoADAAGAAUACAAKAAAAAAEEAAQAAAC0////BAAAAAIAAAB0AAAAFAAAABAAGAAIAAYABwAMABAAFAAQAAAAAAABBRQAAAA8AAAAIAAAAAQAAAAAAAAABAAAAHdvcmQAAAAA' +
  'CAAIAAAABAAIAAAABAAAALz///8AAAABCAAAAAQABAAEAAAAEAAUAAgABgAHAAwAAAAQABAAAAAAAAECEAAAABwAAAAEAAAAAAAAAAEAAAB4AAAACAAMAAgABwAIAAAAAAAAASAAAAD/////wAAAABQAAAAAAAAA' +
  'DAAYAAYABQAIAAwADAAAAAACBAAYAAAAOAAAAAAAAAAAAAAACAAIAAAABAAIAAAAEAAAAAwAHgAQAAQACAAMAAwAAABgAAAAJAAAABgAAAACAAAAAAAAAAAAAAAAAAYACAAHAAYAAAAAAAABAwAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAB0AAAAAAAAAIAAAAAAAAAAVAAAAAAAAAAAAAAABAAAAAgAAAAAAAAAAAAAAAAAAAAwAAAAAAAAAKLUv/SAMYQAAAAAAAAIAAAAEAAAAAAAABAAAAAAAAAAotS/9IAQhAABhYWJiAAAA' +
  '/////9AAAAAUAAAAAAAAAAwAGAAGAAUACAAMAAwAAAAAAwQAHAAAAEgAAAAAAAAAAAAAAAwAHgAQAAQACAAMAAwAAABwAAAAJAAAABgAAADIAAAAAAAAAAAAAAAAAAYACAAHAAYAAAAAAAABBAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAACUAAAAAAAAAKAAAAAAAAAAAAAAAAAAAACgAAAAAAAAAGgAAAAAAAAAAAAAAAgAAAMgAAAAAAAAAAAAAAAAAAADIAAAAAAAAAAAAAAAAAAAAIAMAAAAAAAAotS/9YCACnQAAUAAAAAAB' +
  'AAAAAgACAA1fKhgAEgAAAMgAAAAAAAAAKLUv/SDITQAAEAABAQDDKIcFAAAAAAAA/////9AAAAAUAAAAAAAAAAwAGAAGAAUACAAMAAwAAAAAAwQAHAAAAEgAAAAAAAAAAAAAAAwAHgAQAAQACAAMAAwAAABwAAAA' +
  'JAAAABgAAABkAAAAAAAAAAAAAAAAAAYACAAHAAYAAAAAAAABBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACUAAAAAAAAAKAAAAAAAAAAAAAAAAAAAACgAAAAAAAAAGQAAAAAAAAAAAAAAAgAAAGQAAAAAAAAA' +
  'AAAAAAAAAABkAAAAAAAAAAAAAAAAAAAAkAEAAAAAAAAotS/9YJAAnQAAQAIAAQAAAAIAAwB5LwoAXAaABQAAAGQAAAAAAAAAKLUv/SBkRQAAEAABAQDf5LAAAAAAAAAA/////wAAAAAQAAAADAAUAAYACAAMABAA' +
  'DAAAAAAABABkAAAAQAAAAAQAAAACAAAA4AEAAAAAAADYAAAAAAAAAEgAAAAAAAAAAAMAAAAAAADYAAAAAAAAAEgAAAAAAAAAAAAAAAEAAADgAAAAAAAAAMgAAAAAAAAAOAAAAAAAAAAAAAAAtP///wQAAAACAAAA' +
  'dAAAABQAAAAQABgACAAGAAcADAAQABQAEAAAAAAAAQUUAAAAPAAAACAAAAAEAAAAAAAAAAQAAAB3b3JkAAAAAAgACAAAAAQACAAAAAQAAAC8////AAAAAQgAAAAEAAQABAAAABAAFAAIAAYABwAMAAAAEAAQAAAA' +
  'AAABAhAAAAAcAAAABAAAAAAAAAABAAAAeAAAAAgADAAIAAcACAAAAAAAAAEgAAAAMAEAAEFSUk9XMQ=='
const BY_LZ4 = 'QVJST1cxAAD/////0AAAABAAAAAAAAoADAAGAAUACAAKAAAAAAEEAAQAAAC0////BAAAAAIAAAB0AAAAFAAAABAAGAAIAAYABwAMABAAFAAQAAAAAAABBRQAAAA8AAAAIAAAAAQAAAAAAAAABAAAAHdvcmQAAAAA' +
  'CAAIAAAABAAIAAAABAAAALz///8AAAABCAAAAAQABAAEAAAAEAAUAAgABgAHAAwAAAAQABAAAAAAAAECEAAAABwAAAAEAAAAAAAAAAEAAAB4AAAACAAMAAgABwAIAAAAAAAAASAAAAD/////uAAAABQAAAAAAAAA' +
  'DAAYAAYABQAIAAwADAAAAAACBAAYAAAASAAAAAAAAAAAAAAACAAIAAAABAAIAAAAEAAAAAwAHAAQAAQACAAMAAwAAABYAAAAHAAAABQAAAACAAAAAAAAAAAAAAAEAAQABAAAAAMAAAAAAAAAAAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAjAAAAAAAAACgAAAAAAAAAGwAAAAAAAAAAAAAAAQAAAAIAAAAAAAAAAAAAAAAAAAAMAAAAAAAAAAQiTRhgQIIMAACAAAAAAAIAAAAEAAAAAAAAAAAAAAAABAAAAAAAAAAEIk0YYECCBAAAgGFhYmIA' +
  'AAAAAAAAAAD/////yAAAABQAAAAAAAAADAAYAAYABQAIAAwADAAAAAADBAAcAAAAWAAAAAAAAAAAAAAADAAcABAABAAIAAwADAAAAGgAAAAcAAAAFAAAAMgAAAAAAAAAAAAAAAQABAAEAAAABAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAC8AAAAAAAAAMAAAAAAAAAAAAAAAAAAAADAAAAAAAAAAIwAAAAAAAAAAAAAAAgAAAMgAAAAAAAAAAAAAAAAAAADIAAAAAAAAAAAAAAAAAAAAIAMAAAAAAAAEIk0YYECCGAAAAJAAAAAA' +
  'AQAAAAIJAA8MAP///VAAAQAAAAAAAAAAyAAAAAAAAAAEIk0YYECCDAAAAC8AAQIArlABAAEAAQAAAAAAAAAAAP/////IAAAAFAAAAAAAAAAMABgABgAFAAgADAAMAAAAAAMEABwAAABYAAAAAAAAAAAAAAAMABwA' +
  'EAAEAAgADAAMAAAAaAAAABwAAAAUAAAAZAAAAAAAAAAAAAAABAAEAAQAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAKwAAAAAAAAAwAAAAAAAAAAAAAAAAAAAAMAAAAAAAAAAjAAAAAAAAAAAAAAACAAAA' +
  'ZAAAAAAAAAAAAAAAAAAAAGQAAAAAAAAAAAAAAAAAAACQAQAAAAAAAAQiTRhgQIIUAAAAIgIAAQBPAQAAAAwA/21QAAIAAAAAAAAAAAAAAABkAAAAAAAAAAQiTRhgQIIMAAAALwABAgBKUAEAAQABAAAAAAAAAAAA' +
  '/////wAAAAAQAAAADAAUAAYACAAMABAADAAAAAAABABkAAAAQAAAAAQAAAACAAAA6AEAAAAAAADQAAAAAAAAAFgAAAAAAAAAEAMAAAAAAADQAAAAAAAAAFgAAAAAAAAAAAAAAAEAAADgAAAAAAAAAMAAAAAAAAAA' +
  'SAAAAAAAAAAAAAAAtP///wQAAAACAAAAdAAAABQAAAAQABgACAAGAAcADAAQABQAEAAAAAAAAQUUAAAAPAAAACAAAAAEAAAAAAAAAAQAAAB3b3JkAAAAAAgACAAAAAQACAAAAAQAAAC8////AAAAAQgAAAAEAAQA' +
  'BAAAABAAFAAIAAYABwAMAAAAEAAQAAAAAAABAhAAAAAcAAAABAAAAAAAAAABAAAAeAAAAAgADAAIAAcACAAAAAAAAAEgAAAAMAEAAEFSUk9XMQ=='

let folder: string
beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'parlor-compressed-')) })
afterAll(() => rmSync(folder, { recursive: true }))

function put(name: string, base64: string): string {
  const path = join(folder, name)
  writeFileSync(path, Buffer.from(base64, 'base64'))
  return path
}

const SPEC: TableSpec = {
  name: 'made',
  about: 'made',
  columns: [{ name: 'at', type: 'timeUs', about: '' }, { name: 'word', type: 'enum', isWide: true, values: ['aa', 'bb'], about: '' }, { name: 'x', type: 'int32', about: '' }],
}

/** A file of two batches: all equal, which compresses well, and noise, which does not. */
function written(name: string): string {
  const path = join(folder, name)
  const draw = drawsOf(3)
  const writer = new ColumnsWriter(SPEC, path, {}, { batchRows: 500, isCompressed: true })
  writer.batch([new Float64Array(500).fill(7), new Int32Array(500).fill(1), new Int32Array(500).fill(-1)], 500)
  writer.batch([Float64Array.from({ length: 300 }, () => draw(2 ** 31)), Int32Array.from({ length: 300 }, () => draw(2)), Int32Array.from({ length: 300 }, () => draw(2 ** 31))], 300)
  writer.finish()
  return path
}

describe('a file of compressed batches', () => {
  it('by pyarrow is read whole, and batch by batch', () => {
    const path = put('zstd.arrow', BY_PYARROW)
    const x = Array.from({ length: 300 }, (_, i) => i % 3)
    const table = readTable(path)
    expect([...table.numbers('x')]).toEqual(x)
    expect(table.column('word')).toMatchObject({ values: ['aa', 'bb'], codes: Int32Array.from({ length: 300 }, (_, i) => i % 2) })
    const file = BatchFile.open(path)
    expect([file.batchCount, file.valuesOf('word')]).toEqual([2, ['aa', 'bb']])
    expect([[...file.batch(1).numbers('x')], [...file.batch(0).numbers('x')]]).toEqual([x.slice(200), x.slice(0, 200)])
    expect([...file.batch(1).codesOf('word')]).toEqual(Array.from({ length: 100 }, (_, i) => i % 2))
  })

  it('by LZ4 is refused, with what to do', () => {
    const path = put('lz4.arrow', BY_LZ4)
    for (const read of [() => readTable(path), () => BatchFile.open(path).batch(0)]) {
      expect(refusal(read).describe()).toBe(`${path}: the Arrow file is compressed by LZ4, which parlor does not read\n  hint: write it with the compression zstd, or without compression`)
    }
  })

  it('comes back, and has less bytes where it can', () => {
    const path = written('own.arrow')
    const draw = drawsOf(3)
    const file = BatchFile.open(path)
    expect([file.batchCount, file.batch(0).rowCount, file.batch(1).rowCount]).toEqual([2, 500, 300])
    expect([...file.batch(1).numbers('at')]).toEqual(Array.from({ length: 300 }, () => draw(2 ** 31)))
    expect([...file.batch(0).codesOf('word')]).toEqual(Array.from({ length: 500 }, () => 1))
    expect(new Set(file.batch(0).numbers('x'))).toEqual(new Set([-1]))
    expect(readTable(path).rowCount).toBe(800)
    expect(readFileSync(path).length).toBeLessThan(9000)
  })

  it('says before each buffer how long it is when it is decompressed, as the format has it', () => {
    const bytes = readFileSync(written('lengths.arrow'))
    // 500 instants of 8 bytes, codes and numbers of 4 bytes each.
    const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
    const lengths: bigint[] = []
    for (let at = bytes.indexOf(magic); at >= 0; at = bytes.indexOf(magic, at + 1)) lengths.push(bytes.readBigInt64LE(at - 8))
    expect(lengths.filter((length) => length === 4000n || length === 2000n)).toEqual([4000n, 2000n, 2000n])
  })

  it('any bytes of which are changed is read, or refused by name', () => {
    const bytes = readFileSync(written('whole.arrow'))
    const path = join(folder, 'changed.arrow')
    const draw = drawsOf(11)
    for (let round = 0; round < 400; round++) {
      const changed = Buffer.from(bytes)
      for (let i = 0; i <= draw(3); i++) changed[draw(changed.length)] = draw(256)
      writeFileSync(path, round % 10 === 0 ? changed.subarray(0, draw(changed.length)) : changed)
      try {
        const file = BatchFile.open(path)
        for (let batch = 0; batch < file.batchCount; batch++) {
          file.batch(batch).numbers('at')
          file.batch(batch).codesOf('word')
        }
        file.valuesOf('word')
      } catch (error) {
        if (!(error instanceof InputError)) throw error
        expect(error.position!.file).toBe(path)
      }
    }
  })
})
