import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WholeFile } from '../../src/arrow/wholeFile.ts'
import { failureOf } from '../../src/cli/failure.ts'
import { Generation } from '../../src/result/generation.ts'
import { Lease } from '../../src/result/lease.ts'
import { newFolder } from '../scenario/small.ts'

const FULL = Object.freeze({ code: 'ENOSPC', errno: -28, syscall: 'write' })

/** Lets each write to an open file fail from now on. */
function fillDisk(): void {
  const write = vi.spyOn(fs, 'writeSync').mockImplementation(() => { throw Object.assign(new Error('ENOSPC: no space left on device, write'), FULL) })
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

it('and when a result is committed', async () => {
  const dir = join(newFolder(), 'result')
  const generation = await Generation.begin(dir)
  fillDisk()
  const error = await Promise.resolve().then(() => generation.commit({ version: 1 })).catch((thrown: unknown) => generation.giveUp(thrown))
  expect(failureOf(error).text).toMatch(new RegExp(`^error: the disk is full at .*\\.partial-\\w{16}/\\S+ \\(ENOSPC`))
  expect(fs.existsSync(dir)).toBe(false)
})
