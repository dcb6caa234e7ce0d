import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/temporaryFolder.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Two workers at most: the machines that run this have two cores.
    maxWorkers: 2,
    reporters: process.env.PARLOR_TEST_REPORT === undefined ? ['default'] : ['default', ['json', { outputFile: process.env.PARLOR_TEST_REPORT }]],
  },
})
