import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as parlor from '../../src/index.ts'
import { API_PAGE, type ApiEntry, apiText, entriesOf, proseOf, withDeclarations } from '../../tools/docs/api.ts'

const entries = withDeclarations(entriesOf)

describe('the reference of what strategies import', () => {
  it('is what the sources declare; `npm run docs:api` writes it', () => {
    expect(readFileSync(API_PAGE, 'utf8')).toBe(apiText(entries))
  })

  it('has every value that is exported, and the types that handlers are given', () => {
    const names = entries.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(Object.keys(parlor).filter((name) => !names.includes(name))).toEqual([])
    expect(['MakerDesk', 'BettorDesk', 'RequestView', 'HoldingView', 'MarketNames'].filter((name) => !names.includes(name))).toEqual([])
  })

  it('says something of every name', () => {
    expect(entries.filter(({ declarations }) => declarations.every(({ doc }) => proseOf(doc).length < 10)).map(({ name }) => name)).toEqual([])
  })
})

describe('declarations', () => {
  const read = (index: string, other = ''): ApiEntry[] => {
    const folder = mkdtempSync(join(tmpdir(), 'api-'))
    writeFileSync(join(folder, 'other.d.ts'), other)
    writeFileSync(join(folder, 'index.d.ts'), index)
    return entriesOf(join(folder, 'index.d.ts'))
  }

  it('are those of the files that names come from, with their docstrings, in the order of the exports', () => {
    const other = '/** One. */\nexport declare const one: {\n    /** Within. */\n    readonly a: 1;\n};\nexport type one = typeof one;\ntype own = 1;\n/** Two. */\nexport declare function two(): own;\nexport {};\n'
    expect(read("export { two, type one } from './other.ts';\n", other)).toEqual([
      { name: 'two', declarations: [{ doc: '/** Two. */', text: 'export declare function two(): own;' }] },
      { name: 'one', declarations: [{ doc: '/** One. */', text: 'export declare const one: {\n    /** Within. */\n    readonly a: 1;\n};' }, { doc: '', text: 'export type one = typeof one;' }] },
    ])
    expect(read("export * from './other.ts';\n", other).map(({ name }) => name)).toEqual(['one', 'two'])
    expect(() => read("export { three } from './other.ts';\n", other)).toThrow('exports three, which ./other.ts does not declare')
  })

  it('have a link each, also those whose names differ in case alone', () => {
    expect(apiText(read('/** A. */\nexport declare function a(): A;\n/** B. */\nexport interface A {\n}\n'))).toContain('Functions and values: [`a`](#a).\n\nTypes: [`A`](#a-1).\n')
  })

  it('are shown without private members, and docstrings without their frames', () => {
    const page = apiText(read('/**\n * A class\n * of `A<B>` and <b>.\n */\nexport declare class A {\n    #private;\n    private readonly x;\n    readonly y: 1;\n}\n'))
    expect(page).toContain('### A\nA class\nof `A<B>` and &lt;b>.\n\n```ts\nclass A {\n    readonly y: 1;\n}\n```\n')
  })
})
