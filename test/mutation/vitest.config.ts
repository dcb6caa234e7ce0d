import { matchesGlob, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestModule, type TestSpecification } from 'vitest/node'

/** Runs the test files of PARLOR_TESTS, a JSON list, in this order, and stops at the first failure. What source is changed: mutatedSources.mjs. */
const tests = JSON.parse(process.env['PARLOR_TESTS'] ?? '[]') as string[]
const root = fileURLToPath(new URL('../..', import.meta.url))

class Listed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => tests.findIndex((test) => matchesGlob(relative(root, moduleId), test))
    return files.toSorted((a, b) => place(a) - place(b))
  }
}

/** Says on standard output which file begins and how it ended, for the clock and the verdict of run.ts. */
const tell = (...words: string[]): void => void process.stdout.write(`\n@ ${words.join(' ')}\n`)
const told = (module: TestModule): string => relative(root, module.moduleId)

export default defineConfig({
  root,
  test: {
    include: tests,
    globalSetup: ['test/temporaryFolder.ts'],
    // As in vitest.config.ts.
    env: { PARLOR_PROGRESS: 'none' },
    // run.ts has the clock.
    testTimeout: 1_200_000, hookTimeout: 1_200_000,
    // One process for all files: a mutant's tests take seconds, starting a worker per file as long again. Node runs the modules as they are.
    isolate: false, maxWorkers: 1, fileParallelism: false, experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--import', fileURLToPath(new URL('mutatedSources.mjs', import.meta.url))],
    sequence: { sequencer: Listed },
    bail: 1,
    reporters: [{
      onTestModuleStart: (module) => tell('begins', told(module)),
      onTestModuleEnd: (module) => tell(module.ok() ? 'passed' : 'failed', told(module)),
    }],
  },
})
