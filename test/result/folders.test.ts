import fs, { mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeWholeText } from '../../src/arrow/wholeFile.ts'
import { makeFolders } from '../../src/result/folders.ts'
import { removeFolder } from '../../src/result/place.ts'
import { newFolder } from '../scenario/small.ts'

/** Does something in place of each call of a function of `node:fs`, which gets that function and the number of the call, from 1. */
function replace(name: 'mkdirSync' | 'openSync', act: (original: () => unknown, path: string, call: number) => unknown): void {
  const original = fs[name] as (...given: unknown[]) => unknown
  let calls = 0
  vi.spyOn(fs, name).mockImplementation(((...given: unknown[]) => act(() => original(...given), String(given[0]), ++calls)) as never)
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
}

describe.skipIf(process.platform === 'win32')('a folder that other processes make and remove', () => {
  it('is made also where the one above it is gone for a moment only', () => {
    const folder = newFolder()
    const above = join(folder, 'a')
    replace('mkdirSync', (make, _, call) => {
      if (call !== 2) return make()
      rmdirSync(above)
      try {
        return make()
      } finally {
        mkdirSync(above)
      }
    })
    expect(makeFolders(join(above, 'b'))).toEqual([above, join(above, 'b')])
  })

  it('is made also where another one was there for a moment', () => {
    const path = join(newFolder(), 'a')
    replace('mkdirSync', (make, _, call) => {
      if (call > 1) return make()
      make()
      try {
        return make()
      } finally {
        rmdirSync(path)
      }
    })
    expect(makeFolders(path)).toEqual([path])
  })

  it('has the page that is to lie in it', () => {
    const pages = join(newFolder(), 'pages')
    let isRemoved = false
    replace('openSync', (open, path) => {
      if (path.endsWith('.tmp') && !isRemoved) {
        rmdirSync(pages)
        isRemoved = true
      }
      return open()
    })
    writeWholeText(join(pages, 'page.html'), 'page')
    expect([isRemoved, readdirSync(pages)]).toEqual([true, ['page.html']])
  })

  it.each([
    ['a folder', (path: string) => { makeFolders(path) }, 'mkdir'],
    ['a page', (path: string) => { writeWholeText(join(path, 'page.html'), 'page') }, 'open'],
  ])('is given up when it never stays, as %s, with what the system says', (_, write, call) => {
    const folder = newFolder()
    const path = join(folder, 'a', 'b')
    let made = 0
    replace('mkdirSync', (make, at) => {
      if (at !== path) return make()
      made++
      if (call === 'mkdir') rmdirSync(join(folder, 'a'))
      make()
      return rmdirSync(path)
    })
    expect(() => { write(path) }).toThrow(`ENOENT: no such file or directory, ${call} '${path}`)
    expect([made, readdirSync(folder)]).toEqual([100, []])
  })
})

describe('a folder that is removed', () => {
  it('may be gone', () => {
    const folder = newFolder()
    expect(() => removeFolder(folder, join(folder, 'gone'))).not.toThrow()
  })

  // A folder cannot be moved below itself: the call says EINVAL.
  it('stays, and says why, where it cannot be moved away', () => {
    const folder = newFolder()
    expect(() => removeFolder(folder, folder)).toThrow('EINVAL')
  })
})
