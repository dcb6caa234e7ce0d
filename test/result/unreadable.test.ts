import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeWholeText } from '../../src/arrow/wholeFile.ts'
import { Generation } from '../../src/result/generation.ts'
import { newFolder, put } from '../scenario/small.ts'
import { asNobody, reachableFolder } from './nobody.ts'

const MODULES = { Generation: 'result/generation.ts', reading: 'result/check.ts', checkResultFolder: 'actions/resultFolder.ts', failureOf: 'cli/failure.ts' }

it.skipIf(process.platform === 'win32')('a manifest, a lease or a folder that may not be read is told as what it is, by writers and by readers', () => {
  const parent = reachableFolder()
  const place = (name: string, mode: number, file?: string): string => {
    const dir = join(parent, name)
    mkdirSync(dir)
    if (file !== undefined) chmodSync(put(dir, file, '0123456789abcdef'), 0)
    chmodSync(dir, mode)
    return dir
  }
  const [manifest, lease, folder] = [place('manifest', 0o777, 'manifest.json'), place('lease', 0o777, '.lease'), place('folder', 0o333)]
  const said = asNobody(MODULES, `
    for (const dir of ${JSON.stringify([manifest, lease, folder])}) {
      for (const act of [() => Generation.begin(dir), () => checkResultFolder(dir, 'sweep'), () => reading(dir, () => null)]) {
        await Promise.resolve(dir).then(act).then(() => { console.log('reads', dir) }, (error) => { console.log(failureOf(error).text) })
      }
    }`)
  chmodSync(folder, 0o755)
  const unreadable = (path: string, call: string): string => `${path}: cannot be read (EACCES: permission denied, ${call} '${path}')\n  hint: its owner or its rights do not allow it`
  expect(said.out.trim().split(/\n(?! )/)).toEqual([
    ...[1, 2, 3].map(() => unreadable(join(manifest, 'manifest.json'), 'open')),
    unreadable(join(lease, '.lease'), 'open'), unreadable(join(lease, '.lease'), 'open'), `reads ${lease}`,
    ...[1, 2, 3].map(() => unreadable(folder, 'scandir')),
  ])
  expect([manifest, lease, folder].map((dir) => readdirSync(dir))).toEqual([['manifest.json'], ['.lease'], []])
})

it('a folder in the place of a manifest is named before anything is made', async () => {
  const dir = newFolder()
  const place = join(dir, 'manifest.json')
  mkdirSync(place)
  await expect(Generation.begin(dir)).rejects.toMatchObject({ name: 'InputError', message: 'is no plain file', position: { file: place }, hint: 'a result has its manifest there: choose another folder' })
  expect(readdirSync(dir)).toEqual(['manifest.json'])
})

it('and so is one that comes to lie there while a result is made', async () => {
  const dir = join(newFolder(), 'result')
  const generation = await Generation.begin(dir)
  writeWholeText(join(generation.folder, 'a.txt'), 'a')
  mkdirSync(join(dir, 'manifest.json'))
  const committed = Promise.resolve().then(() => { generation.commit({ kind: 'test' }) }).catch((error: unknown) => { throw generation.giveUp(error) })
  await expect(committed).rejects.toMatchObject({ name: 'InputError', message: 'is a folder', position: { file: join(dir, 'manifest.json') } })
  expect(readdirSync(dir)).toEqual(['manifest.json'])
})
