import { chmodSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { FolderStore } from '../../src/fleet/folderStore.ts'
import { newFolder } from '../scenario/small.ts'
import { describeStore } from './storeSuite.ts'

function opened(dir: string): FolderStore {
  const store = new FolderStore(dir)
  onTestFinished(() => store.close())
  return store
}

describe('a store in a folder', () => {
  let dir: string
  beforeEach(() => { dir = join(newFolder(), 'not', 'there yet') })
  describeStore(() => opened(dir))

  it('leaves files of these names, and nothing else, also after a process that was killed while it wrote', async () => {
    mkdirSync(join(dir, '.writing-0123456789abcdef'), { recursive: true })
    for (const name of ['1', 'lease']) writeFileSync(join(dir, '.writing-0123456789abcdef', name), name === 'lease' ? '0123456789abcdef' : 'half')
    const longAgo = Date.now() / 1000 - 3600
    for (const path of [join(dir, '.writing-0123456789abcdef', 'lease'), join(dir, '.writing-0123456789abcdef')]) utimesSync(path, longAgo, longAgo)
    const store = new FolderStore(dir)
    await store.putIfAbsent('results/0', new Uint8Array(3))
    await store.close()
    expect(readdirSync(dir, { recursive: true }).map(String).toSorted()).toEqual(['results', join('results', '0')])
  })

  it('leaves no folder where nothing was put', async () => {
    const store = new FolderStore(dir)
    expect(await store.get('a')).toBeNull()
    await store.close()
    expect(() => readdirSync(dir)).toThrow('ENOENT')
  })

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('says what the system does not allow', async () => {
    mkdirSync(dir, { recursive: true })
    chmodSync(dir, 0o500)
    await expect(opened(dir).putIfAbsent('a/b', new Uint8Array(1))).rejects.toThrow('nothing can be made here')
    chmodSync(dir, 0o700)
  })
})
