import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/**
 * Runs the tests of the venues with one source changed: PARLOR_MUTANT = {file, start, end, replacement}, `file` absolute. Of a service's own
 * sources only that service's tests: PARLOR_SERVICE = parlay or outcome.
 */
const mutant = process.env['PARLOR_MUTANT'] === undefined ? undefined
  : JSON.parse(process.env['PARLOR_MUTANT']) as { file: string; start: number; end: number; replacement: string }

const services = process.env['PARLOR_SERVICE'] === undefined ? ['parlay', 'outcome'] : [process.env['PARLOR_SERVICE']]

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  plugins: [{
    name: 'mutant',
    enforce: 'pre',
    load(id) {
      if (mutant === undefined || id.split('?')[0] !== mutant.file) return undefined
      const source = readFileSync(mutant.file, 'utf8')
      return source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end)
    },
  }],
  test: {
    // First the tests of the rules, then, for what survives them, the duels.
    include: process.env['PARLOR_DUELS'] === undefined
      ? [...services.map((name) => `test/venue/${name}/**/*.test.ts`), 'test/ledger/**/*.test.ts'] : ['test/mutation/duels.ts'],
    exclude: ['**/*gainstModel*'],
    testTimeout: 20_000,
    // One process for all files: a mutant's tests take seconds, starting a worker per file as long again.
    pool: 'threads', isolate: false, maxWorkers: 1, fileParallelism: false,
    // A cached module would serve one mutant to the runs of the next.
    fsModuleCache: false,
    bail: 1, reporters: ['dot'],
  },
})
