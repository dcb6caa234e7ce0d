import { createRequire, type SourceMapPayload } from 'node:module'
import { stripVTControlCharacters } from 'node:util'

type Library = typeof import('rolldown/utils')

const require = createRequire(import.meta.url)
let library: Library | undefined

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

function unreadable(path: string, { message, loc }: { readonly message: string; readonly loc?: { readonly line: number; readonly column: number } | undefined }): SyntaxError {
  const error = new SyntaxError(stripVTControlCharacters(message).split('\n')[0]!.replace(/^\[\w+\] /, ''))
  if (loc !== undefined) error.stack = `${path}:${loc.line}:${loc.column + 1}\n${error.stack}`
  return error
}
