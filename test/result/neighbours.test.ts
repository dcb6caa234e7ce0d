import fs, { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, utimesSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Generation, isFree, tidyBeside } from '../../src/result/generation.ts'
import { hashOf } from '../../src/result/head.ts'
import { LeasedFolder } from '../../src/result/leasedFolder.ts'
import { newFolder, put } from '../scenario/small.ts'
import { asNobody, reachableFolder } from './nobody.ts'

const TOKEN = '0123456789abcdef'
const list = (dir: string): string[] => readdirSync(dir, { recursive: true }).map(String).toSorted()

/** Puts a lease into a folder that nobody has renewed for an hour. */
function leave(dir: string, text: string, name = '.lease'): void {
  const longAgo = Date.now() / 1000 - 3600
  utimesSync(put(dir, name, text), longAgo, longAgo)
}

describe('folders beside a result', () => {
  it('are cleared of what dead processes left, and go when there is nothing else', () => {
    const parent = newFolder()
    for (const dir of ['dead', 'kept']) {
      leave(join(parent, dir), TOKEN)
      put(parent, `${dir}/.partial-${TOKEN}/tables/a.arrow`, 'half')
      put(parent, `${dir}/.litter-${TOKEN}/a.arrow`, 'old')
    }
    put(parent, 'kept/notes.txt', 'mine')
    tidyBeside(parent)
    expect(list(parent)).toEqual(['kept', 'kept/notes.txt'])
  })

  it.each([
    ['lease is no token', 'of my landlord'], ['lease is empty', ''], ['lease is longer', `${TOKEN}0`], ['lease has a line end', `${TOKEN}\n`],
  ])('whose %s are left as they are', (_, text) => {
    const parent = newFolder()
    leave(join(parent, 'other'), text)
    put(parent, `other/.partial-${TOKEN}/thesis.txt`, 'mine')
    const before = list(parent)
    tidyBeside(parent)
    expect(list(parent)).toEqual(before)
  })

  it('keep what is only called nearly as parlor would call it', () => {
    const parent = newFolder()
    leave(join(parent, 'other'), TOKEN)
    const mine = ['.partial-notes', '.partial-', `.partial-${TOKEN}0`, '.generation-x', `.generation-${TOKEN}`, `.litter-${TOKEN.toUpperCase()}`]
    for (const name of mine) put(parent, `other/${name}/a.txt`, 'mine')
    tidyBeside(parent)
    expect(readdirSync(join(parent, 'other')).toSorted()).toEqual(mine.toSorted())
  })

  it('with a store whose process died after the commit keep its files', async () => {
    const parent = newFolder()
    const dir = join(parent, 'prices')
    const generation = await Generation.begin(dir, { manifest: 'store.json' })
    put(generation.folder, 'ticks.arrow', 'ticks')
    generation.commit({})
    const complete = join(dir, `.generation-${hashOf(readFileSync(join(dir, 'store.json'), 'utf8'))}`)
    mkdirSync(complete)
    renameSync(join(dir, 'ticks.arrow'), join(complete, 'ticks.arrow'))
    leave(dir, TOKEN)
    tidyBeside(parent)
    ;(await Generation.begin(dir, { manifest: 'store.json' })).discard()
    expect([list(dir), readFileSync(join(dir, 'ticks.arrow'), 'utf8')]).toEqual([['store.json', 'ticks.arrow'], 'ticks'])
  })

  it.skipIf(process.platform === 'win32')('that another user may not change fail nobody', () => {
    const parent = reachableFolder()
    leave(join(parent, 'theirs'), TOKEN)
    chmodSync(join(parent, 'theirs'), 0o555)
    const said = asNobody({ tidyBeside: 'result/generation.ts' }, `tidyBeside(${JSON.stringify(parent)})`)
    chmodSync(join(parent, 'theirs'), 0o755)
    expect([said, list(parent)]).toEqual([{ status: 0, out: '', err: '' }, ['theirs', 'theirs/.lease']])
  })
})

describe('a folder for a result', () => {
  it('with somebody else\'s .lease in it is not free, and is refused', async () => {
    const dir = newFolder()
    leave(dir, 'of my landlord')
    expect(isFree(dir)).toBe(false)
    await expect(Generation.begin(dir)).rejects.toThrow('is no lease of parlor')
    const folder = newFolder()
    mkdirSync(join(folder, '.lease'))
    await expect(Generation.begin(folder)).rejects.toThrow('is no lease of parlor')
    expect([list(dir), list(folder)]).toEqual([['.lease'], ['.lease']])
  })

  it.each(['', '0123', '0123\0\0\0\0\0\0\0\0\0\0\0\0', TOKEN])('with a lease that a power cut left as %j is free', async (text) => {
    const dir = newFolder()
    leave(dir, text)
    expect(isFree(dir)).toBe(true)
    ;(await Generation.begin(dir)).commit({})
    expect(list(dir)).toEqual(['manifest.json'])
  })
})

describe('a folder for temporary files', () => {
  it('is nobody\'s to remove whose name only begins like one', () => {
    const parent = newFolder()
    for (const name of ['.playing-cards', `.playing-${TOKEN}`]) leave(join(parent, name), TOKEN, 'lease')
    const own = new LeasedFolder(parent, '.playing-')
    own.make()
    own.remove()
    expect(readdirSync(parent)).toEqual(['.playing-cards'])
  })

  function watched(): void {
    syncBuiltinESMExports()
    onTestFinished(() => {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    })
  }

  it('that the system does not remove ends nothing, and is gone as soon as the next one is made', () => {
    const parent = newFolder()
    const [own, next] = [new LeasedFolder(parent, '.playing-'), new LeasedFolder(parent, '.playing-')]
    own.make()
    const remove = fs.rmSync
    // What Node 24 says when the folder itself is busy.
    const busy = Object.assign(new Error(`, Unknown error: Device or resource busy '${own.path}'`), { code: '', errno: -4094, syscall: 'rm', path: own.path })
    const asked = vi.spyOn(fs, 'rmSync').mockImplementation((path, options) => {
      if (path === own.path) throw busy
      remove(path, options)
    })
    const dropped = vi.spyOn(fs, 'rmdirSync').mockImplementationOnce(() => { throw Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY', syscall: 'rmdir' }) })
    watched()
    own.remove()
    expect([asked.mock.calls.some(([path]) => path === own.path), dropped.mock.calls]).toEqual([true, [[own.path]]])
    expect(readdirSync(parent)).toEqual([own.path.slice(parent.length + 1)])
    next.make()
    expect(readdirSync(parent)).toEqual([next.path.slice(parent.length + 1)])
    next.remove()
    expect(readdirSync(parent)).toEqual([])
  })

  it('that has files and no lease is left to who removes it', () => {
    const parent = newFolder()
    leave(join(parent, `.playing-${TOKEN}`), '', 'task.arrow')
    const own = new LeasedFolder(parent, '.playing-')
    own.make()
    own.remove()
    expect(readdirSync(parent)).toEqual([`.playing-${TOKEN}`])
  })

  it('is made again when another process removes it before it has a lease', () => {
    const parent = newFolder()
    const own = new LeasedFolder(parent, '.playing-')
    const make = fs.mkdirSync
    const made = vi.spyOn(fs, 'mkdirSync').mockImplementationOnce((path) => {
      make(path)
      fs.rmdirSync(path)
      return undefined
    })
    watched()
    own.make()
    expect([made.mock.calls.map(([path]) => path), readdirSync(own.path)]).toEqual([[own.path, own.path], ['lease']])
    own.remove()
    expect(readdirSync(parent)).toEqual([])
  })
})
