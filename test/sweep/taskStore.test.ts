import { execFileSync, spawn } from 'node:child_process'
import fs, { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import type { TaskResult } from '../../src/sweep/task.ts'
import { TaskStore } from '../../src/sweep/taskStore.ts'
import { newFolder } from '../scenario/small.ts'

const ID = 'a'.repeat(64)

const RESULT: TaskResult = {
  id: ID, digest: 'd'.repeat(64),
  scores: [
    {
      service: 'parlay', makers: ['fixed', 'shade'], clusters: ['2025-06-19', '2025-06-20'], columns: ['fills', 'profitMade'], figures: ['quotes', 'drawdownMicros'],
      sums: Float64Array.of(1, -2, 3, 4_000_000_000_000, 0, 0, 7, 8), values: Float64Array.of(10, NaN, 30, 0.5),
    },
    { service: 'outcome', makers: [], clusters: [], columns: ['fills', 'profitMade'], figures: ['quotes', 'drawdownMicros'], sums: new Float64Array(), values: new Float64Array() },
  ],
}

function newStore(): TaskStore {
  const dir = newFolder()
  const scratch = join(dir, 'scratch')
  mkdirSync(scratch)
  return new TaskStore(dir, scratch)
}

describe('the kept tasks', () => {
  it.skipIf(process.platform === 'win32')('are no pipe: one is damaged, and nobody waits for what comes through it', () => {
    const store = newStore()
    store.keep(RESULT)
    const kept = `${store.pathOf(ID)}.kept`
    renameSync(store.pathOf(ID), kept)
    execFileSync('mkfifo', [store.pathOf(ID)])
    const feeding = spawn('sh', ['-c', 'cat "$0" > "$1"', kept, store.pathOf(ID)], { detached: true })
    onTestFinished(() => { process.kill(-feeding.pid!, 'SIGKILL') })
    expect(() => store.read(ID)).toThrow('the kept task is damaged')
    store.drop(ID)
    expect(store.read(ID)).toBeNull()
  })

  it('name what cannot be read in the place of one', () => {
    const store = newStore()
    mkdirSync(store.pathOf(ID))
    const said = `EISDIR: illegal operation on a directory, read '${store.pathOf(ID)}'`
    expect(() => store.read(ID)).toThrow(said)
    expect(() => store.keep(RESULT)).toThrow(said)
    expect(() => store.agrees(RESULT)).toThrow(said)
  })

  it('are read as they were kept, as a table that anybody can open', () => {
    const store = newStore()
    expect(store.read(ID)).toBeNull()
    expect(store.keep(RESULT)).toEqual(RESULT)
    expect(store.read(ID)).toEqual(RESULT)
    const table = readTable(store.pathOf(ID))
    expect(table.column('maker').texts).toEqual(['fixed', 'fixed', 'fixed', 'shade', 'shade', 'shade'])
    expect([...table.column('profit_made').numbers!]).toEqual([-2, 4_000_000_000_000, 0, 0, 8, 0])
    expect([...table.column('drawdown_micros').valid!]).toEqual([0, 0, 0, 0, 0, 1])
    expect(readdirSync(join(store.dir, 'scratch'))).toEqual([])
  })

  it('are the same bytes for the same result, and an alarm for another', () => {
    const store = newStore()
    store.keep(RESULT)
    const bytes = readFileSync(store.pathOf(ID))
    expect(store.keep(RESULT)).toEqual(RESULT)
    expect(store.agrees(RESULT)).toBe(true)
    const other = { ...RESULT, digest: 'e'.repeat(64) }
    expect(store.agrees(other)).toBe(false)
    expect(() => store.keep(other)).toThrow(`task ${ID} gave other bytes`)
    expect(readFileSync(store.pathOf(ID))).toEqual(bytes)
  })

  it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])('are kept on a disk that has no hard links (%s) as on any other', (code) => {
    const link = vi.spyOn(fs, 'linkSync').mockImplementation((from, to) => { throw Object.assign(new Error(`${code}: in its words, link '${String(from)}' -> '${String(to)}'`), { code, syscall: 'link', path: from, dest: to }) })
    syncBuiltinESMExports()
    onTestFinished(() => {
      link.mockRestore()
      syncBuiltinESMExports()
    })
    const store = newStore()
    expect(store.keep(RESULT)).toEqual(RESULT)
    expect([store.read(ID), store.keep(RESULT)]).toEqual([RESULT, RESULT])
    const bytes = readFileSync(store.pathOf(ID))
    expect(() => store.keep({ ...RESULT, digest: 'e'.repeat(64) })).toThrow(`task ${ID} gave other bytes`)
    expect([readFileSync(store.pathOf(ID)).equals(bytes), readdirSync(join(store.dir, 'scratch'))]).toEqual([true, []])
  })

  it('are not kept where the disk fails', () => {
    const link = vi.spyOn(fs, 'linkSync').mockImplementation(() => { throw Object.assign(new Error('EIO: in its words, link'), { code: 'EIO', syscall: 'link' }) })
    syncBuiltinESMExports()
    onTestFinished(() => {
      link.mockRestore()
      syncBuiltinESMExports()
    })
    const store = newStore()
    expect(() => store.keep(RESULT)).toThrow('EIO')
    expect(store.read(ID)).toBeNull()
  })

  it('are refused at once when any byte differs, footer and schema and hash included', () => {
    const store = newStore()
    store.keep(RESULT)
    const bytes = readFileSync(store.pathOf(ID))
    for (let at = 0; at < bytes.length; at += 3) {
      const damaged = Buffer.from(bytes)
      damaged[at] = damaged[at]! ^ (1 << (at % 8))
      writeFileSync(store.pathOf(ID), damaged)
      expect(() => store.read(ID), `byte ${at}`).toThrow('the kept task is damaged')
    }
    for (const length of [0, 9, 41, 42, bytes.length >> 1, bytes.length - 1]) {
      writeFileSync(store.pathOf(ID), bytes.subarray(0, length))
      expect(() => store.read(ID), `${length} bytes`).toThrow('the kept task is damaged')
    }
    writeFileSync(store.pathOf(ID), bytes)
    expect(store.read(ID)).toEqual(RESULT)
  })

  it('are refused when a byte of a figure differs, when they are cut off, and under another name', () => {
    const store = newStore()
    store.keep(RESULT)
    const bytes = readFileSync(store.pathOf(ID))
    const changed = Buffer.from(bytes)
    const cell = changed.indexOf(Buffer.from(BigInt64Array.of(-2n, 4_000_000_000_000n).buffer))
    expect(cell).toBeGreaterThan(0)
    changed[cell] = 0xfd
    writeFileSync(store.pathOf(ID), changed)
    expect(() => store.read(ID)).toThrow('the kept task is damaged')
    writeFileSync(store.pathOf(ID), bytes.subarray(0, bytes.length - 100))
    expect(() => store.read(ID)).toThrow('the kept task is damaged')
    writeFileSync(store.pathOf('b'.repeat(64)), bytes)
    expect(() => store.read('b'.repeat(64))).toThrow('another task')
    store.drop(ID)
    expect(store.read(ID)).toBeNull()
  })
})
