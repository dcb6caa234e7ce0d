/**
 * How long a test waits for what another process or thread does, ms: half of the suite's own limit (vitest.config.ts). It is there to find what
 * hangs. What is only slow, on a machine that others load, must pass.
 */
export const PATIENCE_MS = 600_000
