// Preloaded into a test run, its threads and their threads: the source that PARLOR_MUTANT = {file, start, end, replacement} names is loaded with
// that change, into bundles as well (mutatedBundle.mjs). `file` is absolute, and the file itself stays as it is.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

export const mutant = process.env['PARLOR_MUTANT'] === undefined ? undefined : JSON.parse(process.env['PARLOR_MUTANT'])

export function mutatedText() {
  const source = readFileSync(mutant.file, 'utf8')
  return source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end)
}

if (mutant !== undefined) {
  const mutated = pathToFileURL(mutant.file).href
  const bundle = new URL('mutatedBundle.mjs', import.meta.url).href
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'rolldown' && context.parentURL !== bundle ? { url: bundle, shortCircuit: true } : next(specifier, context),
    load: (url, context, next) =>
      url.split('?')[0] === mutated ? { format: 'module-typescript', source: mutatedText(), shortCircuit: true } : next(url, context),
  })
}
