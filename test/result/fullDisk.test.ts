import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { constants } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { syncFile, WholeFile, writeWholeText } from '../../src/arrow/wholeFile.ts'
import { failureOf } from '../../src/cli/failure.ts'
import { systemErrorOf, systemWordsOf } from '../../src/result/failures.ts'
import { Generation } from '../../src/result/generation.ts'
import { Lease } from '../../src/result/lease.ts'
import { LeasedFolder } from '../../src/result/leasedFolder.ts'
import { newFolder } from '../scenario/small.ts'

const FULL = Object.freeze({ code: 'ENOSPC', errno: -28, syscall: 'write' })

/** Lets each write to an open file, or each wait for the disk to have a file's bytes, fail from now on. */
function fillDisk(call: 'writeSync' | 'fsyncSync' = 'writeSync'): void {
  const syscall = call.replace('Sync', '')
  const write = vi.spyOn(fs, call).mockImplementation((file: number) => {
    if (call === 'fsyncSync' && fs.fstatSync(file).isDirectory()) return 0
    throw Object.assign(new Error(`ENOSPC: no space left on device, ${syscall}`), FULL, { syscall })
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    write.mockRestore()
    syncBuiltinESMExports()
  })
}

it.each([
  ['a file', 'page.html', (path: string) => { new WholeFile(path).write(new Uint8Array(1)) }],
  ['a lease', '.lease', (path: string) => { Lease.take(path) }],
])('a disk that is full when %s is written is named with the place', (_, name, write) => {
  const path = join(newFolder(), name)
  fillDisk()
  const caught = vi.fn<(text: string) => void>()
  try {
    write(path)
  } catch (error) {
    caught(failureOf(error).text)
  }
  expect(caught.mock.calls).toEqual([[`error: the disk is full at ${path} (ENOSPC: no space left on device, write)`]])
})

it('and when the disk has no place for what was written', () => {
  const dir = newFolder()
  const whole = join(dir, 'whole.json')
  fs.writeFileSync(join(dir, 'there'), 'there')
  const file = new WholeFile(whole)
  fillDisk('fsyncSync')
  const full = 'ENOSPC: no space left on device, fsync'
  expect(() => { file.finish() }).toThrow(expect.objectContaining({ message: full, path: whole }))
  expect(() => { syncFile(join(dir, 'there')) }).toThrow(expect.objectContaining({ message: full, path: join(dir, 'there') }))
  file.abort()
})

it('and when the disk has no place for a file of a result, which is named', async () => {
  const generation = await Generation.begin(join(newFolder(), 'result'))
  writeWholeText(join(generation.folder, 'a.txt'), 'a')
  fillDisk('fsyncSync')
  expect(() => { generation.commit({ version: 1 }) }).toThrow(expect.objectContaining({ code: 'ENOSPC', path: join(generation.folder, 'a.txt') }))
  generation.discard()
})

it('and nothing stays of the folders that were made for a result, a page or kept tasks', async () => {
  const folder = newFolder()
  fillDisk()
  const begun = Generation.begin(join(folder, 'runs', 'one'))
  await expect(begun).rejects.toThrow('ENOSPC')
  expect(() => Generation.beginIfFree(join(folder, 'runs', 'one'))).toThrow('ENOSPC')
  expect(() => { writeWholeText(join(folder, 'pages', 'deep', 'page.html'), 'page') }).toThrow('ENOSPC')
  expect(() => { new LeasedFolder(join(folder, 'tasks'), '.playing-').make() }).toThrow('ENOSPC')
  expect(fs.readdirSync(folder)).toEqual([])
})

it('and when a worker of a sweep or a league meets it', () => {
  const told = (fields: object): string => failureOf(systemErrorOf(structuredClone(systemWordsOf(Object.assign(new Error('in its words'), fields))))).text
  expect(told({ ...FULL, path: '/tasks/quotes.arrow' })).toBe('error: the disk is full at /tasks/quotes.arrow (in its words)')
  expect(told({ code: 'EFBIG', syscall: 'write', path: '/tasks/quotes.arrow' })).toBe('error: in its words at /tasks/quotes.arrow')
  expect(told({ code: 'Unknown system error -122', errno: -constants.errno.EDQUOT, syscall: 'write' })).toBe('error: the disk is full (EDQUOT: disk quota exceeded, write)')
})

it.each(['writeSync', 'fsyncSync'] as const)('and when a result is committed, by %s', async (call) => {
  const dir = join(newFolder(), 'result')
  const generation = await Generation.begin(dir)
  fillDisk(call)
  const error = await Promise.resolve().then(() => generation.commit({ version: 1 })).catch((thrown: unknown) => generation.giveUp(thrown))
  expect(failureOf(error).text).toMatch(new RegExp(`^error: the disk is full at .*\\.partial-\\w{16}/\\.replaced \\(ENOSPC: no space left on device, ${call.replace('Sync', '')}\\)$`))
  expect(fs.existsSync(dir)).toBe(false)
})
