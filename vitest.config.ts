import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { ALL, REPLACING, SLOW } from './test/division.ts'
import SlowFirst from './test/slowFirst.ts'

const WORKERS = fileURLToPath(new URL('test/bundledWorkers.mjs', import.meta.url))

/** Files that share a process and the modules in it, which Node runs as they are: nothing is loaded or compiled twice. */
const shared = { isolate: false, experimental: { viteModuleRunner: false, nodeLoader: false } }

/** Young objects of a session outlive the small semi-spaces that V8 begins with: larger ones save a fifteenth of the CPU time. */
const SEMI_SPACES = ['--min-semi-space-size=16', '--max-semi-space-size=64']

export default defineConfig({
  test: {
    globalSetup: ['test/temporaryFolder.ts'],
    setupFiles: process.env.PARLOR_TEST_CPU === undefined ? [] : ['test/cpuSeconds.mjs'],
    // Commands of tests are slow where others load the machine, and say nothing of it.
    env: { PARLOR_PROGRESS: 'none' },
    // What hangs is found by it. What is only slow, on a machine that others load, must not be: no test has a shorter limit of its own.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    // Two workers at most: the machines that run this have two cores.
    maxWorkers: 2,
    sequence: { sequencer: SlowFirst },
    reporters: process.env.PARLOR_TEST_REPORT === undefined ? ['default'] : ['default', ['json', { outputFile: process.env.PARLOR_TEST_REPORT }]],
    projects: [
      { extends: true, test: { name: 'replacing', include: REPLACING } },
      { extends: true, test: { name: 'slow', include: SLOW, exclude: REPLACING, ...shared, globalSetup: ['test/bundle.mjs'], execArgv: [...SEMI_SPACES, '--import', WORKERS] } },
      { extends: true, test: { name: 'quick', include: ALL, exclude: [...SLOW, ...REPLACING], ...shared, execArgv: SEMI_SPACES } },
    ],
  },
})
