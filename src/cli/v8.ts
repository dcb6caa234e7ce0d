import { setFlagsFromString } from 'node:v8'

/**
 * Lets V8 inline more into one function than it does by default. The loop of a session is many small functions over shared rows, and
 * V8 stops inlining them long before it stops paying (docs/performance.md). This is for long sessions in this process: in sweeps of
 * short sessions the compiler costs more than they gain. It changes speed only.
 */
export function widenInlining(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=4000')
  setFlagsFromString('--max-inlined-bytecode-size=1000')
}

/**
 * Has V8 compile what has run often enough to be worth it in a short session, on fewer threads. Half of what the compiler makes by default is ready
 * when such a session is over. It changes speed only.
 */
export function compileLess(): void {
  setFlagsFromString('--efficiency-mode')
}

/**
 * Lets the heap of each worker that starts from now on grow to 256 MB before a full collection, and gives its young objects 32 MB, twice
 * the default. Garbage collection took a tenth of a sweep's CPU, on the core that a second worker needs. It changes speed only.
 */
export function enlargeWorkerHeaps(): void {
  setFlagsFromString('--initial-old-space-size=256')
  setFlagsFromString('--min-semi-space-size=32')
  setFlagsFromString('--max-semi-space-size=32')
}
