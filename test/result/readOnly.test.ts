import fs, { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Generation } from '../../src/result/generation.ts'
import { makeFolders } from '../../src/result/place.ts'
import { newFolder, put } from '../scenario/small.ts'
import { asNobody, reachableFolder } from './nobody.ts'

it.skipIf(process.platform === 'win32')('a folder in which nothing can be made is named with the reason, be it the result\'s own or one above it', () => {
  const parent = join(reachableFolder(), 'theirs')
  mkdirSync(parent)
  chmodSync(parent, 0o555)
  const begin = `for (const path of ${JSON.stringify([parent, join(parent, 'deep', 'result')])}) await Generation.begin(path).catch((error) => { console.log(failureOf(error).text) })`
  const said = asNobody({ Generation: 'result/generation.ts', failureOf: 'cli/failure.ts' }, begin)
  chmodSync(parent, 0o755)
  expect(said).toEqual({
    status: 0, err: '', out: [
      `error: nothing can be made in ${parent} (EACCES: permission denied, open '${join(parent, '.lease')}')`,
      `error: nothing can be made in ${parent} (EACCES: permission denied, mkdir '${join(parent, 'deep')}')`, '',
    ].join('\n'),
  })
})

it.skipIf(process.platform === 'win32')('a file, or a link that leads nowhere, in the place of a folder is named', async () => {
  const folder = newFolder()
  put(folder, 'file', 'mine')
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link'))
  for (const [name, code] of [['file', 'EEXIST'], ['link', 'EEXIST'], ['file/result', 'EEXIST'], ['link/result', 'EEXIST']] as const) {
    await expect(Generation.begin(join(folder, name))).rejects.toThrow(new RegExp(`^${code}.*mkdir '${join(folder, name.replace('/result', ''))}'$`))
  }
})

it.skipIf(process.platform === 'win32')('each folder that this process makes is on the disk with its name, also where another process makes one of them first', () => {
  const folder = newFolder()
  const make = fs.mkdirSync
  const opened = vi.spyOn(fs, 'openSync')
  // The other process makes the second one.
  const made = vi.spyOn(fs, 'mkdirSync').mockImplementationOnce((path) => void make(path) as undefined).mockImplementationOnce((path) => {
    make(path)
    return void make(path) as undefined
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
  makeFolders(join(folder, 'a', 'b', 'c'))
  expect(made.mock.calls.map(([path]) => path)).toEqual(['a', 'a/b', 'a/b/c'].map((name) => join(folder, name)))
  expect(opened.mock.calls.map(([path]) => path)).toEqual([folder, join(folder, 'a', 'b')])
})
