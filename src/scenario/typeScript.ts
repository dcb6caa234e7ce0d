import { createRequire, type SourceMapPayload } from 'node:module'
import { stripVTControlCharacters } from 'node:util'

type Library = typeof import('rolldown/utils')

const require = createRequire(import.meta.url)
const TYPESCRIPT = /\.[cm]?ts$/
let library: Library | undefined

export const languageOf = (path: string): 'js' | 'ts' => (TYPESCRIPT.test(path) ? 'ts' : 'js')

/** Loaded with the first strategy in TypeScript: it takes some 30 ms. */
const loaded = (): Library => (library ??= require('rolldown/utils') as Library)

export interface PlainModule {
  readonly code: string
  readonly map: SourceMapPayload
}

/**
 * A TypeScript module without its types, by native code: what Node has for it is WebAssembly, whose growing memory slows down every session that its
 * thread plays from then on (docs/decisions/0014). Throws a SyntaxError whose stack begins with the place.
 */
export function withoutTypes(path: string, text: string): PlainModule {
  // Imports stay as they are written, but for those of types: the module has the effects that Node would give it.
  const { code, map, errors: [error] } = loaded().transformSync(path, text, {
    lang: 'ts', target: 'esnext', sourcemap: true, tsconfig: false, typescript: { onlyRemoveTypeImports: true },
  })
  if (error !== undefined) throw unreadable(path, error)
  return { code, map: map as SourceMapPayload }
}

/** Whether a text is a module of its own accord: it imports, exports or awaits. One that does not parse counts, so that `withoutTypes` says why. */
export function isModule(path: string, text: string): boolean {
  const { module, errors } = loaded().parseSync(path, text, { lang: 'ts' })
  return errors.length > 0 || module.hasModuleSyntax
}

/**
 * What a module imports, by the parser that prepares modules for rooms: what one takes for an import, the other must not overlook. Of an import
 * while it runs, the specifier counts if it is written there.
 */
export function specifiersIn(path: string, text: string): string[] {
  const { module: { staticImports, staticExports, dynamicImports } } = loaded().parseSync(path, text, { lang: languageOf(path), sourceType: 'module' })
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest.value]))),
    ...dynamicImports.flatMap(({ moduleRequest: { start, end } }) => writtenText(text.slice(start, end)) ?? []),
  ]
}

/** The text that an expression is, if it is written out. */
function writtenText(expression: string): string | null {
  const [statement] = loaded().parseSync('expression.js', `(${expression})`, { lang: 'js', preserveParens: false }).program.body
  if (statement?.type !== 'ExpressionStatement') return null
  const { expression: written } = statement
  if (written.type === 'Literal') return typeof written.value === 'string' ? written.value : null
  return written.type === 'TemplateLiteral' && written.expressions.length === 0 ? written.quasis[0]!.value.cooked : null
}

function unreadable(path: string, { message, loc }: { readonly message: string; readonly loc?: { readonly line: number; readonly column: number } | undefined }): SyntaxError {
  const error = new SyntaxError(stripVTControlCharacters(message).split('\n')[0]!.replace(/^\[\w+\] /, ''))
  if (loc !== undefined) error.stack = `${path}:${loc.line}:${loc.column + 1}\n${error.stack}`
  return error
}
