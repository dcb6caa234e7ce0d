// Writes docs/api.md, the reference of what strategies import, from the declarations that the compiler makes: `npm run docs:api`.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isProgram } from '../bundle/isProgram.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const API_PAGE = join(ROOT, 'docs', 'api.md')

/** A declaration of an exported name: its docstring, and its text without that. */
interface Declaration {
  readonly doc: string
  readonly text: string
}
/** A name that a module exports. */
export interface ApiEntry {
  readonly name: string
  /** A type and a value may have one name. */
  readonly declarations: readonly Declaration[]
}

/** Where a statement begins in a declaration file, whose other lines are indented or close a brace. */
const BEGIN = /^(?:\/\*\*|export |declare |import |interface |type |const |class |function )/
const NAMED = /^export (?:declare )?(?:abstract )?(?:function|const|interface|type|class) (\w+)/
const FROM = /^export (?:type )?\{([^]*)\} from '(.+)';$/
const ALL_FROM = /^export \* from '(.+)';$/

/** Statements of a declaration file, each behind its docstring. */
function statementsOf(text: string): Declaration[] {
  const statements: Declaration[] = []
  let doc = ''
  let lines: string[] = []
  const end = (): void => {
    const said = lines.join('\n')
    if (said.startsWith('/**')) doc = said
    else if (said !== '') {
      statements.push({ doc, text: said })
      doc = ''
    }
    lines = []
  }
  for (const line of text.trimEnd().split('\n')) {
    if (BEGIN.test(line)) end()
    lines.push(line)
  }
  end()
  return statements
}

const fileOf = (from: string, specifier: string): string => join(dirname(from), specifier.replace(/\.ts$/, '.d.ts'))

/** What a declaration file exports, in its order, as other files declare it. Throws where a name is declared nowhere. */
export function entriesOf(path: string): ApiEntry[] {
  const statements = statementsOf(readFileSync(path, 'utf8'))
  const own = new Map<string, Declaration[]>()
  for (const { doc, text } of statements) {
    const name = NAMED.exec(text)?.[1]
    if (name !== undefined) own.set(name, [...own.get(name) ?? [], { doc, text }])
  }
  const entries = [...own].map(([name, declarations]): ApiEntry => ({ name, declarations }))
  for (const { text } of statements) {
    const all = ALL_FROM.exec(text)
    if (all !== null) entries.push(...entriesOf(fileOf(path, all[1]!)))
    const named = FROM.exec(text)
    if (named === null) continue
    const declared = entriesOf(fileOf(path, named[2]!))
    for (const word of named[1]!.split(',')) {
      const name = word.trim().replace(/^type /, '')
      const entry = declared.find((one) => one.name === name)
      if (entry === undefined) throw new Error(`${path} exports ${name}, which ${named[2]!} does not declare`)
      entries.push(entry)
    }
  }
  return entries
}

/** The declarations that the compiler makes of what a package's users import. @param use is given the declaration file of `src/index.ts`. */
export function withDeclarations<T>(use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-api-'))
  try {
    execFileSync(process.execPath, [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', join(ROOT, 'tools', 'package', 'types.json'), '--outDir', folder], { stdio: ['ignore', 'inherit', 'inherit'] })
    return use(join(folder, 'index.d.ts'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The sentences of a docstring, without its frame. What is no code is no HTML either. */
export const proseOf = (doc: string): string => doc.replaceAll(/^\/\*\*|\*\/$/g, '').replaceAll(/\n \* ?/g, '\n').trim()
  .split(/(`[^`]*`)/).map((part, i) => (i % 2 === 1 ? part : part.replaceAll('<', '&lt;'))).join('')

/** A declaration as a strategy's author may write it. Private members are nobody's. */
const codeOf = (text: string): string => text.replaceAll(/\n {4}(?:#private|private .*);/g, '').replace(/^export (?:declare )?/, '')

const isType = ({ declarations }: ApiEntry): boolean => declarations.every(({ text }) => /^export (?:declare )?(?:interface|type|class) /.test(text))

const entryText = ({ name, declarations }: ApiEntry): string[] => [
  '', `### ${name}`, ...declarations.flatMap(({ doc }) => (doc === '' ? [] : [proseOf(doc), ''])),
  '```ts', ...declarations.map(({ text }) => codeOf(text)), '```',
]

/** The page of what a module exports. */
export function apiText(entries: readonly ApiEntry[]): string {
  const [types, values] = [entries.filter(isType), entries.filter((entry) => !isType(entry))]
  const anchors = new Map<string, number>()
  // Headings that differ in case alone are numbered.
  const anchorOf = (name: string): string => {
    const anchor = name.toLowerCase()
    const before = anchors.get(anchor) ?? 0
    anchors.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  }
  const linked = (of: readonly ApiEntry[]): string => of.map(({ name }) => `[\`${name}\`](#${anchorOf(name)})`).join(', ')
  return [
    '# What `parlor` exports', '',
    'This page has every name that a strategy file, or a test of one, imports from `parlor`, with its docstring and its type. It is made of the sources: `npm run docs:api` writes it, and a test fails',
    'where it is stale. [strategies.md](strategies.md) shows how the names are used. Units stand in names, and [glossary.md](glossary.md) has the words.', '',
    `Functions and values: ${linked(values)}.`, '', `Types: ${linked(types)}.`,
    '', '## Functions and values', ...values.flatMap(entryText), '', '## Types', ...types.flatMap(entryText), '',
  ].join('\n')
}

if (isProgram(import.meta.url)) {
  writeFileSync(API_PAGE, withDeclarations((path) => apiText(entriesOf(path))))
  console.log(API_PAGE)
}
