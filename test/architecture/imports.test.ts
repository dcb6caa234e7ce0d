import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LAYERS } from './layers.ts'
import { allSources, code, lineOf, type Source } from './sources.ts'

/** The layer of a file: the longest row of the table that its folder lies in; undefined outside of the table. */
function layerOf(path: string): string | undefined {
  let folder = posix.dirname(path)
  if (folder === '.') return ''
  while (folder !== '.' && !(folder in LAYERS)) folder = posix.dirname(folder)
  return folder === '.' ? undefined : folder
}

const packageOf = (specifier: string): string =>
  specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/')

const allows = (list: readonly string[], name: string): boolean =>
  list.some((entry) => entry === '*' || entry === name || (/[/:]$/.test(entry) && name.startsWith(entry)))

/** Why `importer` may not import `specifier`, or undefined when it may. */
function objection(importer: string, specifier: string): string | undefined {
  const layer = layerOf(importer)
  if (layer === undefined) return `has no row in the import table`
  const row = LAYERS[layer]!
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(importer), specifier)
    if (target.startsWith('..')) return `imports ${specifier}, which lies outside of src`
    if (!/\.(ts|json)$/.test(target)) return `imports ${specifier} without its extension .ts`
    const other = layerOf(target)
    if (other !== undefined && (other === layer || allows(row.may, other) || allows(row.may, target))) return undefined
    return `imports ${target}: ${layer} may import ${row.may.join(', ') || 'no other folder'}`
  }
  const name = isBuiltin(specifier) ? specifier : packageOf(specifier)
  if (isBuiltin(specifier) && !specifier.startsWith('node:')) return `imports ${specifier} without node:`
  if (allows(row.packages ?? [], name)) return undefined
  return `imports ${name}: ${layer} may use ${row.packages?.join(', ') || 'no outside package'}`
}

/** A specifier's quote ends the match, in text whose strings are blanked: a keyword that is quoted is no import. */
const IMPORT = /(?<![.\w$])(?:(?:import|export)\b[^'"`;()]*?\bfrom|import(?:\s*\()?|require\s*\()\s*['"`]/g

interface Import {
  readonly specifier: string
  readonly line: number
}

function importsOf(source: Source): Import[] {
  const text = code(source.text)
  return [...text.matchAll(IMPORT)].map((match) => {
    const from = match.index + match[0].length
    return { specifier: source.text.slice(from, text.indexOf(match[0].at(-1)!, from)), line: lineOf(text, match.index) }
  })
}

const objections = (source: Source): string[] => importsOf(source).flatMap(({ specifier, line }) => {
  const why = objection(source.path, specifier)
  return why === undefined ? [] : [`src/${source.path}:${line} ${why}`]
})

/** Circles of imports, of types too: each as the files on one way round, from its first in the alphabet back to that file. */
function circles(sources: readonly Source[]): string[] {
  const targets = new Map(sources.map((source) => [source.path, importsOf(source)
    .filter(({ specifier }) => specifier.startsWith('.')).map(({ specifier }) => posix.join(posix.dirname(source.path), specifier))]))
  const found: string[] = []
  const over = new Set<string>()
  const way: string[] = []
  const walk = (path: string): void => {
    const from = way.indexOf(path)
    if (from !== -1) {
      const round = way.slice(from)
      const first = round.indexOf(round.toSorted()[0]!)
      found.push([...round.slice(first), ...round.slice(0, first), round[first]!].join(' -> '))
    }
    if (from !== -1 || over.has(path)) return
    way.push(path)
    for (const target of targets.get(path) ?? []) walk(target)
    way.pop()
    over.add(path)
  }
  for (const path of targets.keys()) walk(path)
  return found
}

describe('the import table', () => {
  it('holds for every file of src', () => {
    expect(allSources().flatMap(objections)).toEqual([])
  })

  it.each([
    ['venue/parlay/machine/quotes.ts', '../../outcome/protocol/codes.ts'],
    ['venue/outcome/gate/keys.ts', '../../parlay/protocol/codes.ts'],
    ['venue/outcome/gate/keys.ts', '../../parlay/machine/quotes.ts'],
    ['venue/parlay/protocol/events.ts', '../machine/quotes.ts'],
    ['venue/parlay/protocol/events.ts', '../../../ledger/ledger.ts'],
    ['agent/makers/shade.ts', '../../venue/parlay/machine/quotes.ts'],
    ['record/tables.ts', '../venue/parlay/machine/quotes.ts'],
    ['agent/views.ts', '../venue/eventRows.ts'],
    ['agent/makers/shade.ts', '../../venue/outcome/protocol/events.ts'],
    ['agent/bettors/selling.ts', '../../venue/parlay/protocol/codes.ts'],
    ['venue/parlay/wire/identity.ts', '../machine/quotes.ts'],
    ['venue/parlay/machine/quotes.ts', 'node:crypto'],
    ['chain/solana.ts', '../engine/session.ts'],
    ['engine/session.ts', '../chain/solana.ts'],
    ['unit/micros.ts', '../math/exp.ts'],
    ['feed/csv.ts', 'apache-arrow'],
    ['engine/session.ts', 'node:fs'],
    ['kernel/random.ts', 'node:crypto'],
    ['scenario/load.ts', 'fs'],
    ['stats/bootstrap.ts', 'zod'],
    ['agent/makers/shade.ts', '../../../test/fixture.ts'],
    ['engine/session.ts', '../serve/routeTable.ts'],
    ['venue/parlay/gate/gate.ts', '../../../serve/routeTable.ts'],
    ['serve/routeTable.ts', '../cli/main.ts'],
    ['cli/run.ts', '../scenario/run.ts'],
    ['cli/run.ts', '../venue/outcome/machine/bids.ts'],
    ['cli/run.ts', 'zod'],
    ['actions/run.ts', '../cli/common.ts'],
    ['actions/run.ts', 'commander'],
    ['report/explain.ts', '../actions/explain.ts'],
    ['unit/micros.ts', './assert'],
    ['misc/things.ts', '../unit/assert.ts'],
  ])('forbids %s to import %s', (importer, specifier) => {
    expect(objection(importer, specifier)).toBeTypeOf('string')
  })

  it.each([
    ['venue/parlay/machine/quotes.ts', '../protocol/codes.ts'],
    ['venue/parlay/machine/quotes.ts', '../../../ledger/ledger.ts'],
    ['venue/parlay/venue.ts', './machine/quotes.ts'],
    ['venue/parlay/wire/identity.ts', 'node:crypto'],
    ['agent/makers/shade.ts', '../vocabulary.ts'],
    ['record/tables.ts', 'node:fs'],
    ['record/tables.ts', '../venue/eventRows.ts'],
    ['engine/digest.ts', 'node:crypto'],
    ['arrow/file.ts', 'apache-arrow/ipc/writer'],
    ['scenario/load.ts', '@babel/code-frame'],
    ['cli/run.ts', 'cli-progress'],
    ['cli/run.ts', '../actions/run.ts'],
    ['actions/run.ts', '../sweep/pool.ts'],
    ['index.ts', './agent/maker.ts'],
    ['serve/parlay/schemas.ts', '../../venue/parlay/wire/errors.ts'],
    ['serve/routeTable.ts', 'zod'],
  ])('lets %s import %s', (importer, specifier) => {
    expect(objection(importer, specifier)).toBeUndefined()
  })

  const found = (text: string): string[] =>
    objections({ path: 'kernel/random.ts', text }).map((line) => line.match(/(:\d+) imports (\S+):/)!.slice(1).join(' '))

  it('reads every kind of import, and none in a comment', () => {
    const text = [
      "import seedrandom from 'seedrandom'", "import type { A } from 'a'", "import {\n  b,\n} from 'b'", "export { c } from 'c'",
      "export * from 'd'", "import 'e'", "const f = await import('f')", "// import 'g'", "/** import { h } from 'h' */",
      'import * as i from "i"', "const j = await import(`j`)", "type K = import('k').K", "const l = require('l')",
    ].join('\n')
    expect(found(text)).toEqual([':2 a', ':3 b', ':6 c', ':7 d', ':8 e', ':9 f', ':12 i', ':13 j', ':14 k', ':15 l'])
  })

  it.each([
    "program.command('import').argument('<format>', 'format of the files')", "const words = ['import', 'export', 'from', 'x']",
    "const help = \"import 'x'\"", "const help = `import 'x'\nimport { y } from 'y'`", "const help = `${`import 'x'`} import 'y'`",
    "program.import('x')", "const reimport = of('x')", "const found = /import 'x'/.exec(text)", "const help = 'it\\'s import \"x\"'",
  ])('takes no import from %s', (text) => {
    expect(found(text)).toEqual([])
  })

  it.each([
    "const quote = /['\"`]/\nimport 'x'", "const half = all / 2 // it's\nimport 'x'", "const s = `${a.map((b) => { return `'${b}` })}'`\nimport 'x'",
    "const s = 'import'\nimport 'x'", "/* it's */\nimport 'x'", "const s = '//'\nimport 'x'",
  ])('is not led astray by what stands before an import: %s', (text) => {
    expect(found(text)).toEqual([':2 x'])
  })
})

describe('circles of imports', () => {
  const circlesOf = (files: Readonly<Record<string, string>>): string[] =>
    circles(Object.entries(files).map(([path, text]) => ({ path, text })))

  it.each(['src', 'test', 'bench', 'tools'])('there are none in %s', (folder) => {
    expect(circles(allSources(folder))).toEqual([])
  })

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['of two files', { 'unit/a.ts': "import { b } from './b.ts'", 'unit/b.ts': "import { a } from './a.ts'" }, 'unit/a.ts -> unit/b.ts -> unit/a.ts'],
    ['of types', { 'unit/a.ts': "import type { B } from './b.ts'", 'unit/b.ts': "type A = import('./a.ts').A" }, 'unit/a.ts -> unit/b.ts -> unit/a.ts'],
    ['of a file with itself', { 'unit/a.ts': "export * from './a.ts'" }, 'unit/a.ts -> unit/a.ts'],
    [
      'over folders, behind a file that is on none',
      { 'engine/x.ts': "import '../unit/c.ts'", 'unit/c.ts': "import '../math/b.ts'", 'math/b.ts': "import '../feed/a.ts'", 'feed/a.ts': "import '../unit/c.ts'" },
      'feed/a.ts -> unit/c.ts -> math/b.ts -> feed/a.ts',
    ],
  ])('finds one %s', (_, files, circle) => {
    expect(circlesOf(files)).toEqual([circle])
  })

  it('takes two ways to one file for no circle', () => {
    expect(circlesOf({
      'unit/a.ts': "import './b.ts'\nimport './c.ts'", 'unit/b.ts': "import './d.ts'", 'unit/c.ts': "import './d.ts'", 'unit/d.ts': "import 'node:fs'",
    })).toEqual([])
  })
})
