import { describe, expect, it } from 'vitest'
import { changedLines } from './changedLines.ts'
import { importsOf, nearestTests } from './nearestTests.ts'

describe('imports of a file', () => {
  it('are those that run: not those of types, nor packages, nor what a comment or a text shows', () => {
    expect(importsOf('src/a/b.ts', [
      "import { c } from './c.ts'", "import type { D } from './d.ts'", "import {", '  e,', "} from '../e/e.ts'", "export * from './f.ts'",
      "import 'node:fs'", "import { g } from 'viem'", "const h = await import('./h.ts')", "new Worker(new URL('./i.worker.ts', import.meta.url))", "// import { j } from './j.ts'",
    ].join('\n'))).toEqual(['src/a/c.ts', 'src/e/e.ts', 'src/a/f.ts', 'src/a/h.ts', 'src/a/i.worker.ts'])
  })
})

describe('the tests of a source', () => {
  const imports = new Map([
    ['src/a/x.ts', []], ['src/b/y.ts', ['src/a/x.ts']], ['test/world.ts', ['src/b/y.ts']],
    ['test/b/far.test.ts', ['test/world.ts']], ['test/b/near.test.ts', ['src/a/x.ts']], ['test/a/own.test.ts', ['src/a/x.ts']], ['test/a/ownFar.test.ts', ['test/world.ts']],
    ['test/b/between.test.ts', ['src/b/y.ts']], ['test/cli/blind.test.ts', ['src/a/x.ts']], ['test/b/other.test.ts', []],
  ])

  it('are nearest first, those of its own folder before others that are as near', () => {
    expect(nearestTests('src/a/x.ts', imports, 9)).toEqual(['test/a/own.test.ts', 'test/b/near.test.ts', 'test/b/between.test.ts', 'test/a/ownFar.test.ts', 'test/b/far.test.ts'])
  })

  it('are all of its own folder, and the nearest of others', () => {
    expect(nearestTests('src/a/x.ts', imports, 1)).toEqual(['test/a/own.test.ts', 'test/b/near.test.ts', 'test/a/ownFar.test.ts'])
    expect(nearestTests('src/nobody.ts', imports, 1)).toEqual([])
  })

  it('of a folder below that has no tests are those of the folder above', () => {
    const below = new Map([['test/a/one.test.ts', ['src/a/deep/z.ts']], ['test/a/two.test.ts', ['src/a/deep/z.ts']], ['test/b/three.test.ts', ['src/a/deep/z.ts']]])
    expect(nearestTests('src/a/deep/z.ts', below, 0)).toEqual(['test/a/one.test.ts', 'test/a/two.test.ts'])
  })
})

describe('changed lines', () => {
  it('are those that a diff added or changed', () => {
    const changed = changedLines([
      'diff --git a/src/a.ts b/src/a.ts', '--- a/src/a.ts', '+++ b/src/a.ts', '@@ -3 +3,2 @@ function a()', '-x', '+y', '+z', '@@ -9,2 +10,0 @@', '-gone', '-gone',
      'diff --git a/src/b.ts b/src/b.ts', '--- /dev/null', '+++ b/src/b.ts', '@@ -0,0 +1 @@', '+new', '--- a/src/c.ts', '+++ /dev/null', '@@ -1 +0,0 @@',
    ].join('\n'))
    expect([...changed].map(([file, lines]) => [file, [...lines]])).toEqual([['src/a.ts', [3, 4]], ['src/b.ts', [1]]])
  })
})
