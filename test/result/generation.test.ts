import { execFileSync } from 'node:child_process'
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeWholeText } from '../../src/arrow/wholeFile.ts'
import { reading, unnamedNote } from '../../src/result/check.ts'
import { DamagedResult } from '../../src/result/failures.ts'
import { Generation } from '../../src/result/generation.ts'
import { hashOf, readHead } from '../../src/result/head.ts'
import { BEAT_MS } from '../../src/result/heart.ts'
import { Lease } from '../../src/result/lease.ts'
import { FaultAfterCommit, LeaseLost, STALE_MS } from '../../src/result/failures.ts'
import { LeasedFolder } from '../../src/result/leasedFolder.ts'
import { settle } from '../../src/result/place.ts'
import { newFolder, put } from '../scenario/small.ts'

async function written(dir: string, files: Readonly<Record<string, string>>): Promise<Generation> {
  const generation = await Generation.begin(dir)
  for (const [name, text] of Object.entries(files)) put(generation.folder, name, text)
  return generation
}

const commit = async (dir: string, files: Readonly<Record<string, string>>): Promise<void> => { (await written(dir, files)).commit({ kind: 'test' }) }
const list = (dir: string): string[] => readdirSync(dir, { recursive: true }).map(String).toSorted()
const text = (dir: string, name: string): string => readFileSync(join(dir, name), 'utf8')

function backdate(dir: string): void {
  const longAgo = Date.now() / 1000 - 3600
  utimesSync(join(dir, '.lease'), longAgo, longAgo)
}

describe('a generation', () => {
  it('is the result as soon as it is committed, and the files of the one before go', async () => {
    const dir = join(newFolder(), 'deep', 'result')
    await commit(dir, { 'a.txt': 'one', 'tables/b.txt': 'one', 'old/c.txt': 'one' })
    put(dir, 'mine.txt', 'a note')
    const generation = await written(dir, { 'a.txt': 'two', 'tables/d.txt': 'two' })
    expect(text(dir, 'a.txt')).toBe('one')
    generation.commit({ kind: 'test' })
    expect(list(dir)).toEqual(['a.txt', 'manifest.json', 'mine.txt', 'tables', 'tables/d.txt'])
    expect(text(dir, 'a.txt')).toBe('two')
    expect(readHead(dir)!.files).toEqual({ 'a.txt': { bytes: 3, sha256: hashOf('two') }, 'tables/d.txt': { bytes: 3, sha256: hashOf('two') } })
  })

  it.each([
    ['before it begins, where the old one lies there', 'sub/a.txt', 'begin'],
    ['before it is committed, where the new one would lie there', 'a.txt', 'commit'],
  ])('is refused through a link that leads out of the folder, %s, and the old result stays', async (_, name, at) => {
    const dir = join(newFolder(), 'result')
    await commit(dir, { [name]: 'one' })
    const elsewhere = join(newFolder(), 'elsewhere')
    if (at === 'begin') renameSync(join(dir, 'sub'), elsewhere)
    else mkdirSync(elsewhere)
    symlinkSync(elsewhere, join(dir, 'sub'))
    const replacing = (async () => {
      const generation = await Generation.begin(dir)
      expect(at).toBe('commit')
      put(generation.folder, 'sub/a.txt', 'two')
      try {
        generation.commit({ kind: 'test' })
      } finally {
        generation.discard()
      }
    })()
    await expect(replacing).rejects.toThrow('leads out of the folder of its result')
    expect(await reading(dir, (from) => text(from, name))).toBe('one')
    expect(readdirSync(dir).toSorted()).toEqual(at === 'begin' ? ['manifest.json', 'sub'] : ['a.txt', 'manifest.json', 'sub'])
    expect(readdirSync(elsewhere)).toEqual(at === 'begin' ? ['a.txt'] : [])
  })

  it('is begun by a process that waited for another, which gave up its own and removed the folders', async () => {
    const parent = join(newFolder(), 'runs')
    const dir = join(parent, 'result')
    const first = await Generation.begin(dir)
    const said: string[] = []
    const waiting = Generation.begin(dir, { isPatient: true, say: (line) => { said.push(line) } })
    first.discard()
    const second = await waiting
    expect(said).toEqual([expect.stringContaining(`waiting for the process that writes ${dir}`)])
    second.commit({ kind: 'test' })
    expect(list(parent)).toEqual(['result', 'result/manifest.json'])
  })

  it('given up takes the folders with it that were made for it, and no other', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'mine'))
    const [own, mine] = [await Generation.begin(join(folder, 'runs', 'one', 'result')), await Generation.begin(join(folder, 'mine', 'result'))]
    own.discard()
    mine.discard()
    expect(list(folder)).toEqual(['mine'])
  })

  it('given up by another thread takes the folders with it that were made for it, and no other', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'mine'))
    for (const path of [join(folder, 'runs', 'one', 'result'), join(folder, 'mine', 'result')]) Generation.clear(structuredClone((await Generation.begin(path)).begun))
    expect(list(folder)).toEqual(['mine'])
  })

  it('given up leaves the result before, and no folder that was empty', async () => {
    const dir = join(newFolder(), 'result')
    ;(await written(dir, { 'a.txt': 'none' })).discard()
    expect(existsSync(dir)).toBe(false)
    await commit(dir, { 'a.txt': 'one' })
    ;(await written(dir, { 'a.txt': 'two' })).discard()
    expect(list(dir)).toEqual(['a.txt', 'manifest.json'])
    expect(text(dir, 'a.txt')).toBe('one')
  })

  it.skipIf(process.platform === 'win32')('is the result also where the disk keeps what it replaced for now, which the next writer removes', async () => {
    const dir = join(newFolder(), 'result')
    await commit(dir, { 'a.txt': 'one' })
    const remove = fs.rmSync
    const removed = vi.spyOn(fs, 'rmSync').mockImplementation((path, options) => {
      if (String(path).includes('.litter-')) throw Object.assign(new Error('EBUSY: resource busy or locked, rmdir'), { code: 'EBUSY', syscall: 'rmdir', path })
      remove(path, options)
    })
    syncBuiltinESMExports()
    onTestFinished(() => {
      removed.mockRestore()
      syncBuiltinESMExports()
    })
    await commit(dir, { 'a.txt': 'two' })
    expect(text(dir, 'a.txt')).toBe('two')
    expect(list(dir).filter((name) => /^\.litter-\w+$/.test(name)).length).toBeGreaterThan(0)
    removed.mockRestore()
    syncBuiltinESMExports()
    ;(await Generation.begin(dir)).discard()
    expect(list(dir)).toEqual(['a.txt', 'manifest.json'])
  })

  it('committed by a process that died at once is put in place by the next reader, before it reads', async () => {
    const dir = join(newFolder(), 'result')
    await commit(dir, { 'a.txt': 'one', 'gone.txt': 'one' })
    const before = text(dir, 'manifest.json')
    await commit(dir, { 'a.txt': 'two', 'tables/b.txt': 'two' })
    // What stands on the disk right after the commit.
    const folder = join(dir, `.generation-${hashOf(text(dir, 'manifest.json'))}`)
    put(folder, 'tables/b.txt', 'two')
    renameSync(join(dir, 'a.txt'), join(folder, 'a.txt'))
    put(folder, '.replaced', JSON.stringify(['a.txt', 'gone.txt']))
    put(dir, 'a.txt', 'one')
    put(dir, 'gone.txt', 'one')
    expect(before).toContain('gone.txt')
    expect(await reading(dir, () => [text(dir, 'a.txt'), text(dir, 'tables/b.txt')])).toEqual(['two', 'two'])
    expect(list(dir)).toEqual(['a.txt', 'manifest.json', 'tables', 'tables/b.txt'])
  })

  it('says that it is committed when its files cannot be put in place', async () => {
    const dir = join(newFolder(), 'result')
    await commit(dir, { 'a.txt': 'one' })
    const generation = await written(dir, { 'a.txt': 'two' })
    // Nothing can be renamed over a folder that has something in it.
    rmSync(join(dir, 'a.txt'))
    put(dir, 'a.txt/b.txt', 'in the way')
    expect(() => { generation.commit({ kind: 'test' }) }).toThrow(FaultAfterCommit)
    rmSync(join(dir, 'a.txt'), { recursive: true })
    expect(await reading(dir, () => text(dir, 'a.txt'))).toBe('two')
    expect(list(dir)).toEqual(['a.txt', 'manifest.json'])
  })

  it('of a process that slept too long cannot be committed, however far it had come', async () => {
    const dir = join(newFolder(), 'result')
    await commit(dir, { 'a.txt': 'one' })
    const sleeper = await written(dir, { 'a.txt': 'asleep' })
    backdate(dir)
    const next = await written(dir, { 'a.txt': 'two' })
    expect(() => { sleeper.commit({ kind: 'test' }) }).toThrow(LeaseLost)
    next.commit({ kind: 'test' })
    sleeper.discard()
    expect([list(dir), text(dir, 'a.txt')]).toEqual([['a.txt', 'manifest.json'], 'two'])
  })

  it('does not become the result when the lease is another\'s, though nobody has moved its folder yet', async () => {
    const dir = join(newFolder(), 'result')
    await commit(dir, { 'a.txt': 'one' })
    const sleeper = await written(dir, { 'a.txt': 'asleep' })
    put(dir, '.lease', '0123456789abcdef')
    expect(() => { sleeper.commit({ kind: 'test' }) }).toThrow(LeaseLost)
    sleeper.discard()
    backdate(dir)
    expect([await reading(dir, () => text(dir, 'a.txt')), text(dir, '.lease')]).toEqual(['one', '0123456789abcdef'])
    ;(await written(dir, {})).discard()
    expect(list(dir)).toEqual(['a.txt', 'manifest.json'])
  })

  /** A process that finds its lease held, and is overtaken by another one before its next step. */
  const overtaken = (act: () => void): void => {
    vi.spyOn(Lease.prototype, 'isHeld', 'get').mockImplementationOnce(() => {
      act()
      return true
    })
    onTestFinished(() => { vi.restoreAllMocks() })
  }

  it('of a process that slept between its last look at the lease and its commit is not called the result', async () => {
    const dir = join(newFolder(), 'result')
    const sleeper = await written(dir, { 'a.txt': 'asleep' })
    overtaken(() => {
      backdate(dir)
      const next = Generation.beginIfFree(dir)!
      put(next.folder, 'a.txt', 'two')
      next.commit({ kind: 'test' })
    })
    expect(() => { sleeper.commit({ kind: 'test' }) }).toThrow(LeaseLost)
    expect([list(dir), text(dir, 'a.txt')]).toEqual([['a.txt', 'manifest.json'], 'two'])
  })

  it('is the result where it was already, and a reader has put it in place meanwhile', async () => {
    const dir = join(newFolder(), 'result')
    await commit(dir, { 'a.txt': 'one' })
    const again = await written(dir, { 'a.txt': 'one' })
    overtaken(() => { settle(dir) })
    again.commit({ kind: 'test' })
    expect([list(dir), text(dir, 'a.txt')]).toEqual([['a.txt', 'manifest.json'], 'one'])
  })

  it('takes the place of the same one, of a process that slept before it made its folder and was told too late that its lease was lost', async () => {
    const [dir, other] = [join(newFolder(), 'result'), join(newFolder(), 'result')]
    await commit(other, { 'a.txt': 'one' })
    const holder = await written(dir, { 'a.txt': 'one' })
    put(dir, `.generation-${hashOf(text(other, 'manifest.json'))}/a.txt`, 'one')
    holder.commit({ kind: 'test' })
    expect([list(dir), text(dir, 'manifest.json')]).toEqual([['a.txt', 'manifest.json'], text(other, 'manifest.json')])
  })

  it('waits for a dead process, is refused by a living one, and is asked for patiently or not', async () => {
    const dir = join(newFolder(), 'result')
    const holder = await written(dir, { 'a.txt': 'one' })
    expect(Generation.beginIfFree(dir)).toBeNull()
    await expect(Generation.begin(dir)).rejects.toThrow('another process writes here')
    const patient = Generation.begin(dir, { isPatient: true })
    holder.commit({ kind: 'test' })
    ;(await patient).discard()
    expect(text(dir, 'a.txt')).toBe('one')
  })

  it('keeps what a reader reads together: a result that is replaced meanwhile is read again', async () => {
    const dir = join(newFolder(), 'result')
    await commit(dir, { 'a.txt': 'one', 'b.txt': 'one' })
    let times = 0
    const read = await reading(dir, async () => {
      const a = text(dir, 'a.txt')
      if (times++ === 0) await commit(dir, { 'a.txt': 'two', 'b.txt': 'two' })
      return [a, text(dir, 'b.txt')]
    })
    expect([times, read]).toEqual([2, ['two', 'two']])
  })

  it('is refused to readers when a file was changed or is missing, by name', async () => {
    const dir = join(newFolder(), 'result')
    await commit(dir, { 'a.txt': 'one', 'b.txt': 'one', 'c.txt': 'one' })
    writeFileSync(join(dir, 'b.txt'), 'two')
    renameSync(join(dir, 'c.txt'), join(dir, 'd.txt'))
    const error = await reading(dir, () => 0).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DamagedResult)
    expect((error as DamagedResult).files).toEqual(['b.txt', 'c.txt'])
    expect((error as DamagedResult).message).toContain('b.txt: SHA-256')
  })

  it.each([
    ['generation is a link', 'thesis.txt', (folder: string, docs: string) => { symlinkSync(docs, folder) }],
    ['generation has a link in it', 'sub/thesis.txt', (folder: string, docs: string) => { mkdirSync(folder); symlinkSync(docs, join(folder, 'sub')) }],
  ])('from a stranger whose %s takes no file from elsewhere', async (_, name, link) => {
    const home = newFolder()
    const [dir, docs] = [join(home, 'result'), join(home, 'docs')]
    put(docs, 'thesis.txt', 'precious')
    put(dir, 'manifest.json', JSON.stringify({ files: { [name]: { bytes: 8, sha256: hashOf('precious') } } }))
    link(join(dir, `.generation-${hashOf(text(dir, 'manifest.json'))}`), docs)
    await expect(reading(dir, () => 'read')).rejects.toThrow('leads out of the folder of its result')
    await expect(Generation.begin(dir)).rejects.toThrow('leads out of the folder of its result')
    expect(text(docs, 'thesis.txt')).toBe('precious')
  })

  it('from a stranger whose generation replaces a file behind a link moves no file from elsewhere', async () => {
    const home = newFolder()
    const [dir, docs] = [join(home, 'result'), join(home, 'docs')]
    put(docs, 'thesis.txt', 'precious')
    put(dir, 'a.txt', 'one')
    put(dir, 'manifest.json', JSON.stringify({ files: { 'a.txt': { bytes: 3, sha256: hashOf('one') } } }))
    put(dir, `.generation-${hashOf(text(dir, 'manifest.json'))}/.replaced`, JSON.stringify(['sub/thesis.txt']))
    symlinkSync(docs, join(dir, 'sub'))
    await expect(reading(dir, () => 'read')).rejects.toThrow('leads out of the folder of its result')
    expect(text(docs, 'thesis.txt')).toBe('precious')
  })

  it('from a stranger with a manifest that makes no sense is a mistake', async () => {
    const dir = newFolder()
    for (const file of ['null', '5', '{}', '{ "sha256": 7 }']) {
      put(dir, 'manifest.json', `{ "files": { "a.txt": ${file} } }`)
      await expect(reading(dir, () => 'read')).rejects.toThrow('does not say what the file a.txt is like')
    }
    put(dir, 'a.txt', 'a')
    const manifest = put(dir, 'manifest.json', JSON.stringify({ files: { 'a.txt': { bytes: 1, sha256: hashOf('a') } } }))
    put(dir, `.generation-${hashOf(readFileSync(manifest, 'utf8'))}/.replaced`, '{{{')
    expect(await reading(dir, () => 'read')).toBe('read')
    const replaced = join(dir, `.generation-${hashOf(readFileSync(manifest, 'utf8'))}`, '.replaced')
    mkdirSync(replaced, { recursive: true })
    await expect(reading(dir, () => 'read')).rejects.toThrow(`EISDIR: illegal operation on a directory, read '${replaced}'`)
  })

  it('without a list of files has its tables compared, and one with a list those that it leaves out, too', async () => {
    const dir = newFolder()
    const table = { file: 'tables/quotes.arrow', rows: 1, sha256: hashOf('quotes') }
    const path = put(dir, table.file, 'quotes')
    put(dir, 'a.txt', 'a')
    for (const files of [{}, { files: { 'a.txt': { bytes: 1, sha256: hashOf('a') } } }, { files: { [table.file]: { bytes: 5, sha256: hashOf('other') } } }]) {
      put(dir, 'manifest.json', JSON.stringify({ version: 1, tables: { quotes: table }, ...files }))
      writeFileSync(path, 'other')
      await expect(reading(dir, () => 'read')).rejects.toThrow(/quotes\.arrow: SHA-256 \w+, expected/)
      writeFileSync(path, 'quotes')
      if (!Object.hasOwn(files.files ?? {}, table.file)) expect(await reading(dir, () => 'read')).toBe('read')
    }
    expect(unnamedNote(dir)).toBeNull()
    put(dir, 'manifest.json', JSON.stringify({ version: 1, tables: { quotes: table } }))
    expect(unnamedNote(dir)).toContain('has no list of its files')
    put(dir, 'manifest.json', JSON.stringify({ version: 1, tables: { quotes: { ...table, file: '../quotes.arrow' } } }))
    await expect(reading(dir, () => 'read')).rejects.toThrow('names a file outside of its folder: ../quotes.arrow')
  })

  it.skipIf(process.platform === 'win32')('from a stranger is not waited for where a pipe or a device is in the place of a file', async () => {
    const dir = newFolder()
    put(dir, 'manifest.json', JSON.stringify({ files: { 'a.txt': { bytes: 1, sha256: hashOf('a') } } }))
    symlinkSync('/dev/zero', join(dir, 'a.txt'))
    await expect(reading(dir, () => 'read')).rejects.toThrow('a.txt: is no plain file')
    rmSync(join(dir, 'manifest.json'))
    execFileSync('mkfifo', [join(dir, 'manifest.json')])
    await expect(reading(dir, () => 'read')).rejects.toThrow('manifest.json: is no manifest')
  })

  it('from a stranger moves nothing out of its folder, nor into it from elsewhere', async () => {
    const folder = newFolder()
    const mine = put(folder, 'mine/key.txt', 'mine')
    const generationOf = (dir: string, manifest: object): string => {
      const bytes = JSON.stringify(manifest)
      put(dir, 'manifest.json', bytes)
      return join(dir, `.generation-${hashOf(bytes)}`)
    }
    const file = { bytes: 6, sha256: hashOf('theirs') }
    const named = join(folder, 'named')
    put(generationOf(named, { files: { '../mine/key.txt': file } }), 'x', 'theirs')
    const linked = join(folder, 'linked')
    put(generationOf(linked, { files: { 'tables/deep/key.txt': file } }), 'tables/deep/key.txt', 'theirs')
    symlinkSync(join(folder, 'mine'), join(linked, 'tables'))
    const replacing = join(folder, 'replacing')
    put(replacing, 'x', 'theirs')
    put(generationOf(replacing, { files: { x: file } }), '.replaced', JSON.stringify(['../mine/key.txt', mine]))
    await expect(reading(named, () => 0)).rejects.toThrow('names a file outside of its folder: ../mine/key.txt')
    await expect(reading(linked, () => 0)).rejects.toThrow('leads out of the folder of its result')
    await reading(replacing, () => 0)
    expect([text(folder, 'mine/key.txt'), list(join(folder, 'mine'))]).toEqual(['mine', ['key.txt']])
  })

  it('says that its lease is lost when another process has removed its files meanwhile', async () => {
    const dir = join(newFolder(), 'result')
    const sleeper = await written(dir, { 'a.txt': 'asleep' })
    backdate(dir)
    ;(await written(dir, { 'a.txt': 'two' })).commit({ kind: 'test' })
    // What a session's thread tells of its error is no error of the system's any more.
    const error = sleeper.giveUp(new Error('ENOENT: no such file or directory'))
    expect(error).toBeInstanceOf(LeaseLost)
    expect((error as LeaseLost).cause).toMatchObject({ message: 'ENOENT: no such file or directory' })
    expect(text(dir, 'a.txt')).toBe('two')
    const holder = await written(dir, {})
    expect(holder.giveUp('mine')).toBe('mine')
  })

  it('that slept while its files were opened makes no folder anew', async () => {
    const dir = join(newFolder(), 'result')
    const sleeper = await written(dir, {})
    writeWholeText(join(sleeper.folder, 'tables', 'deep', 'a.txt'), 'asleep')
    backdate(dir)
    ;(await written(dir, { 'a.txt': 'two' })).commit({ kind: 'test' })
    for (const name of ['a.txt', 'tables/b.txt', 'tables/deep/b.txt']) expect(() => { writeWholeText(join(sleeper.folder, name), 'asleep') }).toThrow('ENOENT')
    sleeper.giveUp(new Error('asleep'))
    expect(list(dir)).toEqual(['a.txt', 'manifest.json'])
  })
})

describe('a lease', () => {
  it('is one process\'s while that one renews it, and anybody\'s once it is stale', async () => {
    expect(STALE_MS).toBeGreaterThanOrEqual(5 * BEAT_MS)
    const dir = newFolder()
    const path = join(dir, '.lease')
    const first = Lease.take(path)!
    expect([first.isHeld, Lease.take(path)]).toEqual([true, null])
    backdate(dir)
    const second = Lease.take(path)!
    expect([first.isHeld, second.isHeld]).toEqual([false, true])
    first.release()
    expect(second.isHeld).toBe(true)
    second.release()
    expect(readdirSync(dir)).toEqual([])
  })

  it('of a folder for temporary files keeps it from the next process, until it is stale', async () => {
    const dir = newFolder()
    const [first, second, third] = [new LeasedFolder(dir, '.own-'), new LeasedFolder(dir, '.own-'), new LeasedFolder(dir, '.own-')]
    first.make()
    second.make()
    mkdirSync(join(dir, '.others-1'))
    const longAgo = Date.now() / 1000 - 3600
    utimesSync(join(first.path, 'lease'), longAgo, longAgo)
    third.make()
    expect([existsSync(first.path), existsSync(second.path)]).toEqual([false, true])
    second.remove()
    third.remove()
    expect(readdirSync(dir)).toEqual(['.others-1'])
  })
})
