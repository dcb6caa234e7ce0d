import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileSha256, manifestPath, readManifest, removeManifest, sourceTreeDigest, writeManifest } from '../../src/record/manifest.ts'
import { Recorder } from '../../src/record/recorder.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { DIRECTORY } from './story.ts'

let dir: string

beforeEach(() => { dir = mkdtempSync(join(tmpdir(), 'parlor-manifest-')) })
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const parts = (tables: readonly { name: string; path: string; rows: number }[] = []) => ({
  label: 'interactive' as const,
  digest: 'd1',
  identity: { sourceTree: 's1', node: 'v24.21.0', scenario: { version: 1 }, strategies: { './mine.ts': 'm1' }, data: null, seed: '7' },
  counts: { requests: 5 },
  tables,
})

test('a manifest that was written is read back, with rows and hash of each table', () => {
  mkdirSync(join(dir, 'tables'))
  const path = join(dir, 'tables', 'requests.arrow')
  writeFileSync(path, 'rows')
  const written = writeManifest(dir, parts([{ name: 'requests', path, rows: 6 }]))
  expect(readManifest(dir)).toEqual(written)
  expect(written.version).toBe(1)
  expect(written.tables).toEqual({ requests: { file: 'tables/requests.arrow', rows: 6, sha256: sha256('rows') } })
  expect(readdirSync(dir).sort()).toEqual(['manifest.json', 'tables'])
})

test('a run whose tables are missing gets no manifest', () => {
  expect(() => writeManifest(dir, parts([{ name: 'requests', path: join(dir, 'nothing.arrow'), rows: 6 }]))).toThrow()
  expect(readdirSync(dir)).toEqual([])
})

test('a folder without a manifest is an incomplete run, and says so', () => {
  expect(() => readManifest(dir)).toThrow(InputError)
  expect(() => readManifest(dir)).toThrow('not a complete run')
})

test.each([
  ['{"version":', 'not JSON'],
  ['null', 'does not have version 1'],
  ['{"version":0}', 'does not have version 1'],
  ['{"version":2}', 'a newer parlor made the run: its manifest has version 2, and this one reads 1'],
  ['{"version":1,"label":"replay"}', 'has no digest'],
])('the manifest %s is refused: %s', (text, message) => {
  writeFileSync(manifestPath(dir), text)
  expect(() => readManifest(dir)).toThrow(InputError)
  expect(() => readManifest(dir)).toThrow(message)
})

test('a run that begins takes the older manifest of its folder away', () => {
  writeManifest(dir, parts())
  new Recorder({ dir, directory: DIRECTORY, parlay: { legsMax: 5 }, identity: {}, reference: null, batchRows: 8 }).abort()
  expect(existsSync(manifestPath(dir))).toBe(false)
  removeManifest(dir)
})

test('the hash of a file longer than one read is that of its bytes', () => {
  const text = 'parlor'.repeat(400_000)
  writeFileSync(join(dir, 'long'), text)
  expect(fileSha256(join(dir, 'long'))).toBe(sha256(text))
})

test('the digest of a source tree covers names and contents under src, in the order of the paths', () => {
  mkdirSync(join(dir, 'src', 'unit'), { recursive: true })
  writeFileSync(join(dir, 'src', 'unit', 'b.ts'), 'two')
  writeFileSync(join(dir, 'src', 'a.ts'), 'three')
  const before = sourceTreeDigest(dir)
  expect(before).toBe(sha256('src/a.ts\n5\nthreesrc/unit/b.ts\n3\ntwo'))

  writeFileSync(join(dir, 'README.md'), 'not source')
  expect(sourceTreeDigest(dir)).toBe(before)
  writeFileSync(join(dir, 'src', 'a.ts'), 'thr33')
  expect(sourceTreeDigest(dir)).not.toBe(before)
})
