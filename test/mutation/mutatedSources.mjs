// Preloaded into a test run, its threads and their threads: the source that PARLOR_MUTANT = {file, start, end, replacement} names is loaded with
// that change. `file` is absolute, and the file itself stays as it is.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const mutant = process.env['PARLOR_MUTANT'] === undefined ? undefined : JSON.parse(process.env['PARLOR_MUTANT'])

if (mutant !== undefined) {
  const mutated = pathToFileURL(mutant.file).href
  registerHooks({
    load(url, context, next) {
      if (url.split('?')[0] !== mutated) return next(url, context)
      const source = readFileSync(mutant.file, 'utf8')
      return { format: 'module-typescript', source: source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end), shortCircuit: true }
    },
  })
}
