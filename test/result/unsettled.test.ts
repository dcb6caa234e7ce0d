import { chmodSync, cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Generation } from '../../src/result/generation.ts'
import { hashOf } from '../../src/result/head.ts'
import { put, QUICKSTART_STORE } from '../scenario/small.ts'
import { asNobody, reachableFolder } from './nobody.ts'

const list = (dir: string): string[] => readdirSync(dir, { recursive: true }).map(String).toSorted()

/** Moves files of a result back to where they lie right after its commit. Returns the folder of the generation. */
function unsettle(dir: string, files: readonly string[], manifest = 'manifest.json'): string {
  const folder = join(dir, `.generation-${hashOf(readFileSync(join(dir, manifest), 'utf8'))}`)
  for (const file of files) {
    put(folder, file, '')
    renameSync(join(dir, file), join(folder, file))
  }
  return folder
}

/** Lets nobody write in a folder while `act` runs. */
function forbidden<T>(dir: string, act: () => T): T {
  const paths = [dir, ...list(dir).map((name) => join(dir, name)).filter((path) => statSync(path).isDirectory())]
  for (const path of paths) chmodSync(path, 0o555)
  try {
    return act()
  } finally {
    for (const path of paths) chmodSync(path, 0o755)
  }
}

describe.skipIf(process.platform === 'win32')('a result whose process died right after the commit, for who may not write', () => {
  async function committed(): Promise<string> {
    const generation = await Generation.begin(join(reachableFolder(), 'result'))
    for (const name of ['a.txt', 'tables/b.txt', 'c.txt']) put(generation.folder, name, `new ${name}`)
    generation.commit({ kind: 'test' })
    return generation.dir
  }

  const read = (dir: string): ReturnType<typeof asNobody> => forbidden(dir, () => asNobody({ reading: 'result/check.ts' }, `
    const { existsSync, readFileSync } = await import('node:fs')
    let place
    const texts = await reading(${JSON.stringify(dir)}, (from) => {
      place = from
      return ['a.txt', 'tables/b.txt', 'c.txt'].map((name) => readFileSync(from + '/' + name, 'utf8'))
    }).catch(({ name, files }) => [name, ...files ?? []])
    process.stdout.write(JSON.stringify([texts, place === ${JSON.stringify(dir)} || !existsSync(place ?? '')]))`))

  it('is the new one, some files in place or none, the old ones beside them', async () => {
    for (const moved of [['a.txt', 'tables/b.txt', 'c.txt'], ['tables/b.txt', 'c.txt'], ['c.txt']]) {
      const dir = await committed()
      unsettle(dir, moved)
      put(dir, 'c.txt', 'old c.txt')
      const before = list(dir)
      expect(read(dir)).toEqual({ status: 0, out: JSON.stringify([['new a.txt', 'new tables/b.txt', 'new c.txt'], true]), err: '' })
      expect(list(dir)).toEqual(before)
    }
  })

  it('is damaged when a file that waits was changed, or is in neither place', async () => {
    const dir = await committed()
    const folder = unsettle(dir, ['a.txt', 'tables/b.txt', 'c.txt'])
    writeFileSync(join(folder, 'tables', 'b.txt'), 'another')
    rmSync(join(folder, 'c.txt'))
    expect(read(dir)).toEqual({ status: 0, out: JSON.stringify([['DamagedResult', 'c.txt', 'tables/b.txt'], true]), err: '' })
  })

  it('is a store like any other', () => {
    const dir = join(reachableFolder(), 'store')
    cpSync(QUICKSTART_STORE, dir, { recursive: true })
    unsettle(dir, ['parts/2025-06-19.0.arrow', 'parts/2025-06-20.0.last.arrow', 'markets/0.json', 'imports/0.json'], 'store.json')
    const said = forbidden(dir, () => asNobody({ readStore: 'feed/store/readStore.ts', describeStore: 'feed/store/describeStore.ts' }, `
      const path = ${JSON.stringify(dir)}
      process.stdout.write(JSON.stringify([readStore(path).dataHash === describeStore(path).dataHash, readStore(path).ticks.count === describeStore(path).ticks]))`))
    expect(said).toEqual({ status: 0, out: '[true,true]', err: '' })
  })
})
