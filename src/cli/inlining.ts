import { setFlagsFromString } from 'node:v8'

/**
 * Lets V8 inline further into one function than it does by default. The loop of a session is many small functions over
 * shared columns, and stops being inlined long before it stops paying (docs/performance.md). Changes speed only.
 */
export function widenInlining(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=4000')
  setFlagsFromString('--max-inlined-bytecode-size=1000')
}
