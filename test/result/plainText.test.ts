import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readManifest } from '../../src/record/manifest.ts'
import { readResult } from '../../src/report/resultFile.ts'
import { plainBytes, plainText } from '../../src/arrow/plainText.ts'
import { sourcesOf } from '../../src/scenario/finishedRun.ts'
import { readRunHead } from '../../src/score/runHead.ts'
import { newFolder, put } from '../scenario/small.ts'

const READERS: Readonly<Record<string, readonly [file: string, read: (dir: string) => unknown]>> = {
  'a text': ['text', (dir) => plainText(join(dir, 'text'))],
  'the manifest of a run': ['manifest.json', readManifest],
  'the manifest of a run that is summed up': ['manifest.json', readRunHead],
  'the places of a run\'s inputs': ['sources.json', sourcesOf],
  'a result': ['sweep.json', (dir) => readResult(join(dir, 'sweep.json'), 2)],
}

// A pipe would be waited for without end. A device that is empty fails instead where it is opened.
it.skipIf(process.platform === 'win32').each(Object.entries(READERS))('%s is not read from what is no plain file', (_, [file, read]) => {
  const dir = newFolder()
  const path = join(dir, file)
  symlinkSync('/dev/null', path)
  expect(() => read(dir)).toThrow(expect.objectContaining({ name: 'InputError', message: 'is no plain file', position: { file: path } }))
})

it.runIf(process.platform === 'linux')('a file of the system without an end is not read to its end', () => {
  expect([plainBytes('/proc/self/pagemap', 1000), plainBytes('/proc/self/pagemap', 100_000)]).toEqual([null, null])
})

it.skipIf(process.platform === 'win32')('a pipe into which nobody writes is not waited for', () => {
  const path = join(newFolder(), 'pipe')
  execFileSync('mkfifo', [path])
  expect(() => plainText(path)).toThrow('is no plain file')
})

it('as many bytes are read as may be, and no more', () => {
  const path = put(newFolder(), 'bytes', 'x'.repeat(70_000))
  expect([plainBytes(path, 70_000)?.toString(), plainBytes(path, 69_999), plainBytes(put(newFolder(), 'empty', ''), 0)?.length]).toEqual(['x'.repeat(70_000), null, 0])
})

it('a plain file is read through a link too', () => {
  const dir = newFolder()
  symlinkSync(put(dir, 'there', 'grüezi'), join(dir, 'here'))
  expect(plainText(join(dir, 'here'))).toBe('grüezi')
  expect(() => plainText(join(dir, 'nothing'))).toThrow('ENOENT')
})
