import { setFlagsFromString } from 'node:v8'

/**
 * Lets V8 inline further into one function than it does by default. The loop of a session is many small functions over
 * shared rows, and stops being inlined long before it stops paying (docs/performance.md). For long sessions in this process: in sweeps of
 * short ones the compiler takes more than they gain. Changes speed only.
 */
export function widenInlining(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=4000')
  setFlagsFromString('--max-inlined-bytecode-size=1000')
}

/**
 * Lets the heap of each worker that is started from now on grow to 256 MB before it is collected in full, and gives its young objects 32 MB,
 * twice the default: collectors took a tenth of a sweep's CPU, from the core that a second worker needs. Changes speed only.
 */
export function enlargeWorkerHeaps(): void {
  setFlagsFromString('--initial-old-space-size=256')
  setFlagsFromString('--min-semi-space-size=32')
  setFlagsFromString('--max-semi-space-size=32')
}
