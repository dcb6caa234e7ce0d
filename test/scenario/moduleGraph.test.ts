import { mkdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { moduleGraph } from '../../src/scenario/moduleGraph.ts'
import { roomModules } from '../../src/scenario/roomModules.ts'
import { newFolder, put } from './small.ts'

describe('the module graph of a strategy', () => {
  it('changes with any file that it imports, and with nothing else', () => {
    const folder = newFolder()
    const entry = put(folder, 'mine.ts', "import { maker } from 'parlor'\nimport { a } from './lib/a.ts'\nexport { b } from './b.ts'\n// import './c.ts'\nconst text = 'x'\nvoid import('./d.ts')\n")
    put(folder, 'lib/a.ts', "import { b } from '../b.ts'\n")
    for (const name of ['b', 'c', 'd']) put(folder, `${name}.ts`, 'export const b = 1\n')
    const before = moduleGraph(entry)
    expect(before.files).toEqual(['b.ts', 'd.ts', 'lib/a.ts', 'mine.ts'])
    expect(before.packages).toEqual([])
    put(folder, 'c.ts', 'export const b = 2\n')
    expect(moduleGraph(entry)).toEqual(before)
    put(folder, 'b.ts', 'export const b = 2\n')
    expect(moduleGraph(entry).digest).not.toBe(before.digest)
  })

  it('names a file that is far too large, or that cannot be read, and whoever imports it', () => {
    const folder = newFolder()
    const large = put(folder, 'large.ts', '')
    truncateSync(large, 2 * 2 ** 20 + 1)
    const entry = put(folder, 'mine.ts', "import './large.ts'\n")
    for (const path of [large, entry]) {
      expect(() => moduleGraph(path)).toThrow(expect.objectContaining({ name: 'InputError', message: 'the strategy does not load: it has more than 2 MiB', position: { file: large } }))
    }
  })

  it.runIf(process.platform === 'linux').each([
    ['cannot be read', '/proc/self/mem', /^the strategy does not load: it cannot be read \(EIO/],
    ['says no length and has no end', '/proc/self/pagemap', /^the strategy does not load: it has more than 2 MiB$/],
  ])('names a file of the system that %s', (_, file, message) => {
    const entry = put(newFolder(), 'mine.ts', `import '${file}'\n`)
    expect(() => moduleGraph(entry)).toThrow(expect.objectContaining({ name: 'InputError', message: expect.stringMatching(message), position: { file } }))
  })

  it('is another one where a file ends and the next begins elsewhere', () => {
    const [whole, parts] = [newFolder(), newFolder()]
    put(whole, 'a.ts', "import './b.ts'\nb.ts\nexport {}\n")
    put(parts, 'a.ts', "import './b.ts'\n")
    put(parts, 'b.ts', 'export {}\n')
    expect([whole, parts].map((folder) => moduleGraph(join(folder, 'a.ts')).files)).toEqual([['a.ts'], ['a.ts', 'b.ts']])
    expect(moduleGraph(join(whole, 'a.ts')).digest).not.toBe(moduleGraph(join(parts, 'a.ts')).digest)
  })

  it.each([
    ['an escape in the specifier', String.raw`import { kept } from "./k\u0065pt.ts"`],
    ['a quoted export name', `import { "a from './x.ts'" as kept } from './kept.ts'`],
    ['a comment that begins in a regular expression', `const odd = /[/*]/\nimport { kept } from './kept.ts'\nconst other = /[*/]/`],
    ['a text that looks like a comment', 'const odd = `/*`\nimport { kept } from \'./kept.ts\'\nconst other = `*/`'],
    ['comments between the words', `import /* ( */ { kept } /* ; */ from /* " */ './kept.ts'`],
    ['a path out of the folder and back', `import { kept } from './lib/../kept.ts'`],
    ['an export of all', `export * from './kept.ts'`],
  ])('has what a room evaluates: %s', async (_, line) => {
    const folder = newFolder()
    const entry = put(folder, 'mine.ts', `import { maker } from 'parlor'\n${line}\nexport default maker({}, () => ({}))\n`)
    const kept = put(folder, 'kept.ts', `const kept = 0.9\nexport { kept, kept as "a from './x.ts'" }\n`)
    mkdirSync(join(folder, 'lib'))
    expect((await roomModules(entry)).map(({ url }) => fileURLToPath(url)).toSorted()).toEqual([kept, entry])
    expect(moduleGraph(entry).files).toEqual(['kept.ts', 'mine.ts'])
  })

  it('has what Node evaluates: specifiers are URLs, and may be written where they are imported', () => {
    const folder = newFolder()
    const absolute = put(folder, 'e.ts', '')
    const entry = put(folder, 'mine.ts', `import './%61.ts'\nimport './b.ts?fresh'\nvoid import(\`./c.ts\`)\nvoid import('./\\x64.ts')\nimport ${JSON.stringify(absolute)}\nimport 'file:///nowhere%00.ts'\nvoid import(folder + './f.ts')`)
    for (const name of ['a', 'b', 'c', 'd', 'f']) put(folder, `${name}.ts`, '')
    expect(moduleGraph(entry)).toMatchObject({ files: ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts', 'mine.ts'], packages: [] })
  })
})
