import { describe, expect, it } from 'vitest'
import { pruned } from '../../tools/package/types.ts'

/** What is kept of some files that an entry exports from. */
const kept = (files: Readonly<Record<string, string>>): Record<string, string> => Object.fromEntries(pruned((path) => files[path]!, ['entry.d.ts']))

describe('the types of the package', () => {
  it('are those that an export reaches, and no others of the same files', () => {
    const files = {
      'entry.d.ts': "export { act, type Given as Options } from './a/act.ts';\n",
      'a/act.d.ts': [
        "import { type Used, type Unused } from '../b/used.ts';", "import { z } from 'zod';",
        '/** What it is given. */', 'export interface Given {', '    /** Of another file. */', '    readonly used: Used;', '}',
        'export declare function act(given: Given): void;', 'export declare const schema: z.Schema;', 'export declare function unused(of: Unused): void;', '',
      ].join('\n'),
      'b/used.d.ts': ["import type { Table } from 'apache-arrow';", 'export interface Unused {', '    readonly table: Table;', '}', "export type Used = 'used';", ''].join('\n'),
    }
    expect(kept(files)).toEqual({
      'entry.d.ts': "export { act, type Given as Options } from './a/act.ts';\n",
      'a/act.d.ts': [
        "import { type Used } from '../b/used.ts';", '/** What it is given. */', 'export interface Given {', '    /** Of another file. */', '    readonly used: Used;', '}',
        'export declare function act(given: Given): void;', '',
      ].join('\n'),
      'b/used.d.ts': "export type Used = 'used';\n",
    })
  })

  it('are whole where a comment stands in the middle of a declaration', () => {
    const text = ['export type Clock = {', "    readonly clock: 'wall';", '}', '/** Waits. */', ' | {', "    readonly clock: 'lockstep';", '};', 'export interface Next {', '}', ''].join('\n')
    expect(kept({ 'entry.d.ts': text })).toEqual({ 'entry.d.ts': text })
  })

  it('reach into a file that is named inside of a type, and over a whole file that is exported', () => {
    expect(kept({
      'entry.d.ts': "export * from './a.ts';\n", 'a.d.ts': 'export declare const made: import("./b.ts").Made;\n', 'b.d.ts': 'interface Part {\n}\nexport interface Made extends Part {\n}\nexport interface Other {\n}\n',
    })).toEqual({ 'entry.d.ts': "export * from './a.ts';\n", 'a.d.ts': 'export declare const made: import("./b.ts").Made;\n', 'b.d.ts': 'interface Part {\n}\nexport interface Made extends Part {\n}\n' })
  })

  it('name no package: a project that installs parlor has none of those that parlor is made of', () => {
    expect(() => kept({ 'entry.d.ts': "import { z } from 'zod';\nexport type Read = z.output;\n" })).toThrow('what the package exports reaches zod, in entry.d.ts')
  })
})
