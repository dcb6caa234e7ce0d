import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/temporaryFolder.ts'],
    // What hangs is found by it. What is only slow, on a machine that others load, must not be: no test has a shorter limit of its own.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    // Two workers at most: the machines that run this have two cores.
    maxWorkers: 2,
    reporters: process.env.PARLOR_TEST_REPORT === undefined ? ['default'] : ['default', ['json', { outputFile: process.env.PARLOR_TEST_REPORT }]],
  },
})
