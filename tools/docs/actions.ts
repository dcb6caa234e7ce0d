// Writes what the sources of the actions say into `docs/actions.md`, below its mark: `npm run docs:actions`. A test compares them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isProgram } from '../bundle/isProgram.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = join(ROOT, 'src', 'actions')
export const PAGE = join(ROOT, 'docs', 'actions.md')

/** What is above it in the page is written by hand. */
const MARK = '<!-- from here on: npm run docs:actions -->'

/** An action as its source documents it. */
export interface DocumentedAction {
  readonly name: string
  readonly about: string
  /** One, or one for each overload. */
  readonly signatures: readonly string[]
  readonly parameters: readonly { readonly name: string; readonly about: string }[]
  readonly returns: string
  readonly throws: readonly string[]
  readonly example: string
}

/** A field of an interface or a class. */
interface Field {
  readonly name: string
  readonly type: string
  readonly isOptional: boolean
  readonly about: string
}

interface Fields {
  readonly parents: readonly { readonly name: string; readonly picked: readonly string[] | null; readonly omitted: readonly string[] }[]
  readonly own: readonly Field[]
}

/** The chapters of the page. Every exported function stands in one. */
const CHAPTERS: readonly (readonly [string, readonly string[]])[] = [
  ['Scenarios', ['loadScenario', 'scenarioSchema']],
  ['Runs', ['run', 'readTables', 'summarise', 'answerText', 'summaryText', 'quietLines', 'report', 'redraw', 'explain', 'whatIf', 'diff', 'diffText', 'view', 'sign', 'verify', 'reconcile', 'sql', 'tableSchema']],
  ['Many sessions', ['sweep', 'sweepAnswer', 'sweepText', 'league', 'sweepShard', 'leagueShard', 'leagueAnswer', 'leagueText', 'validate', 'figureTexts']],
  ['Data', ['importData', 'previewImport', 'guessMapping', 'mappingSchema', 'convertRfqs', 'listFormats', 'listStores', 'describeStore', 'openStore', 'storeContents', 'coverage', 'verifyStore', 'exportTicks', 'sqlStore', 'groups', 'listRecorded']],
  ['Strategies', ['init', 'check', 'listStrategies', 'describeStrategies', 'parameterText']],
  ['Sessions with clients', ['serve', 'trade']],
  ['Failures', ['describeFailure']],
]

const DOC = /\/\*\*\n((?: \*.*\n)+?) \*\/\n(export (?:const|(?:async )?function) ([\w$]+)[^]*?)(?=\n\n|$)/g
const SIGNATURE = /^export (?:const ([\w$]+) = (?:async )?(\([^]*?\): .*?) =>.*|(?:async )?function ([\w$]+)(\(.*\): .*?)(?: \{)?)$/
const INTERFACE = /(?:\/\*\*((?:[^*]|\*(?!\/))*)\*\/\n)?export (?:interface|class) ([\w$]+)(?: extends ([^{]*?))? \{\n([^]*?)\n\}/g
const FIELD = /(?: {2}\/\*\*((?:[^*]|\*(?!\/))*)\*\/\n)?^ {2}(?:declare )?(?:readonly )?([\w$]+)(\?)?(?:: (.*)|(\(.*\): .*))$/gm

const words = (comment: string): string => comment.replaceAll(/^\s*\* ?/gm, ' ').replaceAll(/\s+/g, ' ').trim()

function documented(doc: string, code: string, name: string): DocumentedAction {
  const lines = doc.split('\n').map((line) => line.replace(/^ \* ?/, ''))
  const at = lines.indexOf('@example')
  const [about = '', ...tags] = lines.slice(0, at < 0 ? lines.length : at).join('\n').split(/^@/m)
  const of = (tag: string): string[] => tags.filter((text) => text.startsWith(`${tag} `)).map((text) => words(text.slice(tag.length + 1)))
  const heads = code.split('\n').filter((line) => line.startsWith('export ')).map((line) => SIGNATURE.exec(line))
  const signatures = heads.flatMap((head) => (head === null ? [] : [`${head[1] ?? head[3]}${withoutDefaults(head[2] ?? head[4]!)}`]))
  return {
    name, about: about.trim().split(/\n\n+/).map(words).join('\n\n'),
    // The last of several is the implementation's, which callers do not see.
    signatures: signatures.length > 1 ? signatures.slice(0, -1) : signatures,
    parameters: of('param').map((text) => ({ name: text.split(' ', 1)[0]!, about: text.slice(text.indexOf(' ') + 1) })),
    returns: of('returns').join(' '), throws: of('throws'), example: at < 0 ? '' : lines.slice(at + 1).join('\n').trim(),
  }
}

const withoutDefaults = (signature: string): string => signature
  .replaceAll(/\{ [\w ,={}]+ \}: (\w+) = \{\}/g, 'options?: $1').replaceAll(/(\w+): ([^=,]*?) = \{\}(?=\))/g, '$1?: $2').replaceAll(/(\w+): (\w+) = \(\) => ''/g, '$1?: $2')

const sources = (): string[] => readdirSync(FOLDER).filter((name) => name.endsWith('.ts')).toSorted().map((name) => readFileSync(join(FOLDER, name), 'utf8'))

/** The names of the functions that the package exports. */
function exported(): string[] {
  const text = readFileSync(join(ROOT, 'src', 'actions.ts'), 'utf8')
  return [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) => list!.split(',')).map((name) => name.trim()).filter((name) => /^[a-z]\w*$/.test(name))
}

/** The actions by name. Throws Error for an exported function without a docstring, and where one stands in no chapter. */
export function documentedActions(): Map<string, DocumentedAction> {
  const all = new Map(sources().flatMap((text) => [...text.matchAll(DOC)].map(([, doc, code, name]) => [name!, documented(doc!, code!, name!)] as const)))
  const names = exported()
  const missing = names.filter((name) => !all.has(name) || all.get(name)!.signatures.length === 0 || all.get(name)!.example === '' || all.get(name)!.returns === '')
  if (missing.length > 0) throw new Error(`without a docstring that has what it returns and an example: ${missing.join(', ')}`)
  const chaptered = CHAPTERS.flatMap(([, list]) => list)
  const unplaced = [...names.filter((name) => !chaptered.includes(name)), ...chaptered.filter((name) => !names.includes(name))]
  if (unplaced.length > 0) throw new Error(`in one of the page and the package alone: ${unplaced.join(', ')}`)
  return new Map(names.map((name) => [name, all.get(name)!]))
}

function interfaces(): Map<string, Fields> {
  return new Map(sources().flatMap((text) => [...text.matchAll(INTERFACE)].map(([, , name, parents = '', body]) => {
    const own = [...body!.matchAll(FIELD)].map(([, about = '', field, optional, type, method]): Field => ({ name: field!, type: type ?? method!, isOptional: optional !== undefined, about: words(about) }))
    return [name!, { parents: parentsOf(parents), own: own.filter(({ name: field }) => field !== 'constructor') }] as const
  })))
}

const parentsOf = (list: string): Fields['parents'] => [...list.matchAll(/(Pick|Omit)<(\w+), ([^>]*)>|(\w+)/g)].map(([, how, of, names = '', plain]) => {
  const listed = [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name!)
  return { name: of ?? plain!, picked: how === 'Pick' ? listed : null, omitted: how === 'Omit' ? listed : [] }
})

/** The fields of an interface, with those that it inherits behind its own. */
function fieldsOf(name: string, known: ReadonlyMap<string, Fields>): Field[] {
  const fields = known.get(name)
  if (fields === undefined) return []
  return [...fields.own, ...fields.parents.flatMap((parent) => fieldsOf(parent.name, known).filter((field) => (parent.picked === null || parent.picked.includes(field.name)) && !parent.omitted.includes(field.name)))]
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

function fieldRows(fields: readonly Field[]): string[] {
  const seen = new Set<string>()
  const own = fields.filter(({ name }) => !seen.has(name) && seen.add(name))
  return ['| | type | |', '|---|---|---|', ...own.map(({ name, type, isOptional, about }) => `| \`${name}${isOptional ? '?' : ''}\` | \`${cell(type)}\` | ${cell(about)} |`)]
}

/** The interfaces that a part of a signature names. */
const namedIn = (text: string, known: ReadonlyMap<string, Fields>): string[] => [...new Set(text.match(/\b[A-Z]\w+/g))].filter((name) => known.has(name) && name !== 'Scenario')

function chapterOf(action: DocumentedAction, known: ReadonlyMap<string, Fields>): string[] {
  const { name, about, signatures, parameters, returns, throws, example } = action
  const given = signatures.map((signature) => signature.slice(0, signature.lastIndexOf('): ')))
  const given_ = namedIn(given.join(' '), known).filter((type) => type.endsWith('Options'))
  const returned = namedIn(signatures.map((signature) => signature.slice(signature.lastIndexOf('): '))).join(' '), known)
  const options = given_.flatMap((type) => fieldsOf(type, known))
  return [
    `### ${name}`, '', about, '', '```ts', example, '```', '', '```ts', ...signatures, '```', '',
    ...(parameters.length + options.length === 0 ? [] : ['**Parameters**', '']),
    ...parameters.map((parameter) => `- \`${parameter.name}\`: ${parameter.about}`), ...(parameters.length > 0 ? [''] : []),
    ...(options.length === 0 ? [] : ['Options:', '', ...fieldRows(options), '']),
    '**Returns** ' + returns, '',
    ...returned.flatMap((type) => [...(returned.length > 1 ? [`\`${type}\`:`, ''] : []), ...fieldRows(fieldsOf(type, known)), '']),
    ...(throws.length === 0 ? [] : ['**Errors**', '', ...throws.map((one) => `- \`${one.split(' ', 1)[0]}\` ${one.slice(one.indexOf(' ') + 1)}`), '']),
  ]
}

/** The page: what is written there by hand, and below the mark what the sources say. */
export function actionsText(): string {
  const [actions, known] = [documentedActions(), interfaces()]
  const [head] = readFileSync(PAGE, 'utf8').split(MARK)
  const list = CHAPTERS.flatMap(([title, names]) => [`| ${title} | ${names.map((name) => `[${name}](#${name.toLowerCase()})`).join(', ')} |`])
  const tables = ['ResultTables', 'ResultTable', 'ResultColumn'].flatMap((name) => [`\`${name}\`:`, '', ...fieldRows(fieldsOf(name, known)), ''])
  return [
    `${head}${MARK}`, '', '| | |', '|---|---|', ...list, '',
    ...CHAPTERS.flatMap(([title, names]) => [`## ${title}`, '', ...names.flatMap((name) => chapterOf(actions.get(name)!, known))]),
    '## Tables', '', 'What `readTables` and a run in memory give. An Arrow library of your own reads `bytes`; the rest needs none.', '', ...tables,
  ].join('\n').trimEnd() + '\n'
}

if (isProgram(import.meta.url)) writeFileSync(PAGE, actionsText())
