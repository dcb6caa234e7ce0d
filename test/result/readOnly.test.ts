import fs, { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeWholeText } from '../../src/arrow/wholeFile.ts'
import { Generation } from '../../src/result/generation.ts'
import { makeFolders, refusalOf } from '../../src/result/folders.ts'
import { LeasedFolder } from '../../src/result/leasedFolder.ts'
import { newFolder, put } from '../scenario/small.ts'
import { asNobody, reachableFolder } from './nobody.ts'

const RIGHTS = '  hint: its owner or its rights do not allow it: choose another folder'

function thrownBy(act: () => void): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return undefined
}

it.skipIf(process.platform === 'win32')('a folder in which nothing can be made is named with the reason, be it the result\'s own or one above it', () => {
  const parent = join(reachableFolder(), 'theirs')
  mkdirSync(parent)
  chmodSync(parent, 0o555)
  const begin = `for (const path of ${JSON.stringify([parent, join(parent, 'deep', 'result')])}) await Generation.begin(path).catch((error) => { console.log(failureOf(error).text) })`
  const said = asNobody({ Generation: 'result/generation.ts', failureOf: 'cli/failure.ts' }, begin)
  chmodSync(parent, 0o755)
  expect(said).toEqual({
    status: 0, err: '', out: [
      `${parent}: nothing can be made here (EACCES: permission denied, open '${join(parent, '.lease')}')`, RIGHTS,
      `${parent}: nothing can be made here (EACCES: permission denied, mkdir '${join(parent, 'deep')}')`, RIGHTS, '',
    ].join('\n'),
  })
})

it.skipIf(process.platform === 'win32')('and so where a page, a folder for what is temporary or a kept task is to be made', () => {
  const parent = join(reachableFolder(), 'theirs')
  mkdirSync(parent)
  chmodSync(parent, 0o555)
  const [page, tasks] = [join(parent, 'deep', 'page.html'), join(parent, 'tasks')]
  // The scratch folder of the kept tasks is the process's own.
  const acts = `
    const result = { id: 'a'.repeat(64), digest: 'd'.repeat(64), scores: [] }
    const acts = [
      () => { writeWholeText(${JSON.stringify(join(parent, 'page.html'))}, 'page') }, () => { writeWholeText(${JSON.stringify(page)}, 'page') },
      () => { new LeasedFolder(${JSON.stringify(tasks)}, '.playing-').make() }, () => { new TaskStore(${JSON.stringify(tasks)}, process.env.TMPDIR).keep(result) },
    ]
    for (const act of acts) try { act() } catch (error) { console.log(failureOf(error).text.replaceAll(/\\.[0-9a-f]{16}\\.tmp/g, '.tmp')) }`
  const modules = { writeWholeText: 'arrow/wholeFile.ts', LeasedFolder: 'result/leasedFolder.ts', TaskStore: 'sweep/taskStore.ts', failureOf: 'cli/failure.ts' }
  const said = asNobody(modules, acts)
  chmodSync(parent, 0o755)
  const here = (call: string): string => `${parent}: nothing can be made here (EACCES: permission denied, ${call})\n${RIGHTS}\n`
  expect(said).toEqual({ status: 0, err: '', out: [`open '${join(parent, 'page.html.tmp')}'`, `mkdir '${join(parent, 'deep')}'`, `mkdir '${tasks}'`, `mkdir '${tasks}'`].map(here).join('') })
  expect(readdirSync(parent)).toEqual([])
})

it.each([['EROFS', 'the disk is read-only'], ['EACCES', 'its owner or its rights do not allow it'], ['EPERM', 'its owner or its rights do not allow it']])('%s is told as the reason', (code, why) => {
  expect(refusalOf(Object.assign(new Error('in its words'), { code, syscall: 'open', path: join('runs', 'page.html') }))).toMatchObject({
    name: 'InputError', message: 'nothing can be made here (in its words)', position: { file: 'runs' }, hint: `${why}: choose another folder`,
  })
})

it('what else the system says stays as it is', () => {
  const others = [{ code: 'EIO', syscall: 'open', path: 'a' }, { code: 'EACCES', syscall: 'write' }, { code: 'EEXIST', syscall: 'open', path: 'a' }, { code: 'EISDIR', syscall: 'read', path: 'a' }]
  for (const other of others) {
    const error = Object.assign(new Error('in its words'), other)
    expect(refusalOf(error)).toBe(error)
  }
})

it('a folder in the place of a page is named, and stays, with nothing beside it', () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'page.html'))
  expect(thrownBy(() => { writeWholeText(join(folder, 'page.html'), 'page') })).toMatchObject({ name: 'InputError', message: 'is a folder', position: { file: join(folder, 'page.html') }, hint: 'expected the path of a file' })
  expect(readdirSync(folder)).toEqual(['page.html'])
})

it.skipIf(process.platform === 'win32')('a file, or a link that leads nowhere, in the place of a folder is named', async () => {
  const folder = newFolder()
  put(folder, 'file', 'mine')
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link'))
  for (const name of ['file', 'link', 'file/result', 'link/result']) {
    const inItsPlace = { message: 'is no folder', position: { file: join(folder, name.replace('/result', '')) }, hint: 'choose another folder' }
    await expect(Generation.begin(join(folder, name))).rejects.toMatchObject(inItsPlace)
    expect(thrownBy(() => { writeWholeText(join(folder, name, 'page.html'), 'page') })).toMatchObject(inItsPlace)
  }
  expect(readdirSync(folder).toSorted()).toEqual(['file', 'link'])
})

it.skipIf(process.platform === 'win32')('links in a circle, or a name that is too long, in the place of a folder are named', async () => {
  const folder = newFolder()
  symlinkSync('there', join(folder, 'back'))
  symlinkSync('back', join(folder, 'there'))
  for (const [name, message] of [['there', 'its links lead in a circle'], ['x'.repeat(300), 'the name is too long']] as const) {
    const unreachable = { name: 'InputError', message, position: { file: join(folder, name) }, hint: 'choose another folder' }
    await expect(Generation.begin(join(folder, name))).rejects.toMatchObject(unreachable)
    expect(thrownBy(() => { new LeasedFolder(join(folder, name), '.playing-').make() })).toMatchObject(unreachable)
    expect(thrownBy(() => { writeWholeText(join(folder, name, 'page.html'), 'page') })).toMatchObject(unreachable)
  }
  expect(readdirSync(folder).toSorted()).toEqual(['back', 'there'])
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

it.skipIf(process.platform === 'win32')('a folder that another process removes while it is empty is made again', () => {
  const folder = newFolder()
  const make = fs.mkdirSync
  const made = vi.spyOn(fs, 'mkdirSync').mockImplementationOnce((path) => void make(path) as undefined).mockImplementationOnce((path) => {
    fs.rmdirSync(join(folder, 'a'))
    return void make(path) as undefined
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
  makeFolders(join(folder, 'a', 'b'))
  expect(made.mock.calls.map(([path]) => path)).toEqual(['a', 'a/b', 'a', 'a/b'].map((name) => join(folder, name)))
  expect(readdirSync(join(folder, 'a'))).toEqual(['b'])
})

describe.skipIf(process.platform === 'win32')('a disk that refuses to wait for the names in a folder', () => {
  function refusing(code: string): string {
    const folder = newFolder()
    vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
      if (fs.fstatSync(file).isDirectory()) throw Object.assign(new Error(`${code}: in its words, fsync`), { code, syscall: 'fsync' })
    })
    syncBuiltinESMExports()
    onTestFinished(() => {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    })
    return folder
  }

  it.each(['EINVAL', 'EBADF', 'EACCES'])('with %s has results and pages all the same', async (code) => {
    const folder = refusing(code)
    const generation = await Generation.begin(join(folder, 'runs', 'one'))
    writeWholeText(join(generation.folder, 'a.txt'), 'a')
    generation.commit({ kind: 'test' })
    expect(readdirSync(join(folder, 'runs', 'one')).toSorted()).toEqual(['a.txt', 'manifest.json'])
    writeWholeText(join(folder, 'page.html'), 'page')
    expect(readdirSync(folder).toSorted()).toEqual(['page.html', 'runs'])
  })

  it('with EIO is told with the folder, of which nothing stays', async () => {
    const folder = refusing('EIO')
    await expect(Generation.begin(join(folder, 'runs', 'one'))).rejects.toMatchObject({ code: 'EIO', path: folder })
    expect(readdirSync(folder)).toEqual([])
  })
})
