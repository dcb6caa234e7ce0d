import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Generation } from '../../src/result/generation.ts'
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
