import { setFlagsFromString } from 'node:v8'

/**
 * Sets V8 up for sessions, in this process and in workers that it starts later. It may inline further into one function than by default:
 * the loop of a session is many small functions over shared rows, and stops being inlined long before it stops paying. And a worker's
 * heap may be larger before its first full collection: collecting at the default size took a tenth of a sweep's CPU
 * (docs/performance.md). Changes speed only.
 */
export function tuneV8(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=4000')
  setFlagsFromString('--max-inlined-bytecode-size=1000')
  setFlagsFromString('--initial-old-space-size=256')
}
