/**
 * Writes the types of what the package exports: `node tools/package/types.ts FOLDER`. The compiler writes those of every module that runs, whose
 * types name packages that the package does not bring. What an export does not reach is left out, so that a project checks the rest as it is.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isProgram } from '../bundle/isProgram.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What `exports` of package.json names. */
const ENTRIES = ['index.d.ts', 'actions.d.ts']

/** A statement of a declaration file, with the comment above it. */
interface Statement {
  readonly text: string
  /** Without comments. */
  readonly code: string
  /** What it declares, null for an import or an export of something else. */
  readonly name: string | null
}

/** Where a name of a file comes from: another file, or a package. */
interface Imported {
  readonly from: string
  /** Its name there; `*` for the module as a whole. */
  readonly name: string
}

const BEGIN = /^(?:import|export|declare|interface|type|const|class|function|abstract|enum)\b/
const DECLARED = /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:interface|type|class|function|const|let|var|enum) ([\w$]+)/
const NAMED = /^(import|export) (type )?\{([^}]*)\} from ['"]([^'"]+)['"]/
const WHOLE = /^import (?:type )?\* as ([\w$]+) from ['"]([^'"]+)['"]/
const ALL = /^export \* from ['"]([^'"]+)['"]/
const INLINE = /import\(['"]([^'"]+)['"]\)\.([\w$]+)/g

function statementsOf(text: string): Statement[] {
  const parts: string[][] = [[]]
  // A comment belongs to the statement that it stands above, or in.
  let comment: string[] = []
  let isComment = false
  for (const line of text.split('\n')) {
    if (isComment || line.startsWith('/*')) {
      comment.push(line)
      isComment = !line.includes('*/')
      continue
    }
    if (BEGIN.test(line)) parts.push([])
    parts.at(-1)!.push(...comment, line)
    comment = []
  }
  return parts.map((lines) => {
    const whole = lines.join('\n').trimEnd()
    const code = whole.replaceAll(/\/\*[^]*?\*\//g, '').trim()
    return { text: whole, code, name: DECLARED.exec(code)?.[1] ?? null }
  }).filter(({ code }) => code !== '')
}

/** A name of a list of imports, such as `type A as B`. */
interface NamedItem {
  readonly there: string
  readonly here: string
  readonly written: string
}

const namesOf = (list: string): NamedItem[] => list.split(',').map((item) => item.trim()).filter((item) => item !== '').map((written) => {
  const [there, here = there] = written.replace(/^type /, '').split(' as ') as [string, string?]
  return { there, here, written }
})

/** A declaration file, and what of it has been reached. */
class Declarations {
  readonly statements: readonly Statement[]
  readonly imports = new Map<string, Imported>()
  readonly exports = new Map<string, Imported>()
  readonly alls: readonly string[]
  readonly reached = new Set<Statement>()
  readonly used = new Set<string>()

  constructor(path: string, text: string) {
    this.statements = statementsOf(text)
    const at = (specifier: string): string => (specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier.replace(/\.ts$/, '.d.ts')) : specifier)
    for (const { code } of this.statements) {
      const [, word, , list, from] = NAMED.exec(code) ?? []
      for (const { there, here } of list === undefined ? [] : namesOf(list)) (word === 'import' ? this.imports : this.exports).set(here, { from: at(from!), name: there })
      const [, name, module] = WHOLE.exec(code) ?? []
      if (name !== undefined) this.imports.set(name, { from: at(module!), name: '*' })
    }
    this.alls = this.statements.flatMap(({ code }) => ALL.exec(code)?.[1] ?? []).map(at)
  }

  /** The names that it exports itself. */
  get own(): string[] {
    return this.statements.filter(({ code, name }) => name !== null && code.startsWith('export')).map(({ name }) => name!)
  }
}

/** Declaration files of which what the entries export reaches is kept. Throws Error where that reaches a package. */
export function pruned(read: (path: string) => string, entries: readonly string[]): Map<string, string> {
  const files = new Map<string, Declarations>()
  const fileAt = (path: string): Declarations => {
    const known = files.get(path)
    if (known !== undefined) return known
    const made = new Declarations(path, read(path))
    files.set(path, made)
    return made
  }
  const reachStatement = (path: string, statement: Statement): void => {
    const file = fileAt(path)
    if (file.reached.has(statement)) return
    file.reached.add(statement)
    for (const [, from, name] of statement.code.matchAll(INLINE)) reach(posix.join(posix.dirname(path), from!.replace(/\.ts$/, '.d.ts')), name!)
    for (const name of new Set(statement.code.match(/[\w$]+/g))) {
      const imported = file.imports.get(name)
      if (imported !== undefined) {
        if (!imported.from.endsWith('.d.ts')) throw new Error(`what the package exports reaches ${imported.from}, in ${path}:\n${statement.text}`)
        file.used.add(name)
        reach(imported.from, imported.name)
      }
      for (const other of file.statements) if (other.name === name) reachStatement(path, other)
    }
  }
  const reach = (path: string, name: string): void => {
    const file = fileAt(path)
    const exported = file.exports.get(name)
    if (exported !== undefined) {
      file.used.add(name)
      reach(exported.from, exported.name)
    }
    for (const statement of file.statements) if (statement.name === name) reachStatement(path, statement)
    for (const from of file.alls) if (fileAt(from).own.includes(name)) reach(from, name)
  }
  const reachAll = (path: string): void => {
    const file = fileAt(path)
    for (const name of [...file.own, ...file.exports.keys()]) reach(path, name)
    for (const from of file.alls) reachAll(from)
  }
  for (const entry of entries) reachAll(entry)
  return new Map([...files].filter(([, file]) => file.reached.size > 0 || file.used.size > 0 || file.alls.length > 0).map(([path, file]) => [path, textOf(file)]))
}

function textOf({ statements, reached, used }: Declarations): string {
  const kept = statements.flatMap((statement) => {
    const { text, code } = statement
    const [, word, type = '', list, from] = NAMED.exec(code) ?? []
    if (list !== undefined) {
      const names = namesOf(list).filter(({ here }) => used.has(here)).map(({ written }) => written)
      return names.length === 0 ? [] : [`${word} ${type}{ ${names.join(', ')} } from '${from}';`]
    }
    return reached.has(statement) || ALL.test(code) ? [text] : []
  })
  return `${[...kept, ...(kept.some((text) => /^export\b/m.test(text)) ? [] : ['export {};'])].join('\n')}\n`
}

/** Has the compiler write the types of all that runs, and leaves those of the package in `folder`. */
export function writeTypes(folder: string): void {
  const whole = mkdtempSync(join(tmpdir(), 'parlor-types-'))
  try {
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', join(ROOT, 'tools', 'package', 'types.json'), '--outDir', whole], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`the compiler wrote no types:\n${stdout}`)
    const types = pruned((path) => readFileSync(join(whole, path), 'utf8'), ENTRIES)
    rmSync(folder, { recursive: true, force: true })
    for (const [path, text] of types) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  } finally {
    rmSync(whole, { recursive: true, force: true })
  }
}

if (isProgram(import.meta.url)) writeTypes(resolve(process.argv[2]!))
