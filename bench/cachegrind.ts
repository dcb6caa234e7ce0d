import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Room, RUNNER } from './room.ts'

/** First-level caches of 32 kB and a second-level one of 512 kB, in lines of 64 bytes, eight to a set. */
const CACHES = ['--I1=32768,8,64', '--D1=32768,8,64', '--LL=524288,8,64']
/** What cachegrind counts, in its order: instructions, reads and writes, each with its misses of the first and of the last level. */
export const COUNTS = ['Ir', 'I1mr', 'ILmr', 'Dr', 'D1mr', 'DLmr', 'Dw', 'D1mw', 'DLmw'] as const
/** Where cachegrind knows no function: what V8 has compiled from JavaScript. */
const COMPILED = 'fn=???'

/** Counts of compiled JavaScript alone, because the work of the compiler and the collector differs from run to run. */
function countsOf(file: string): number[] {
  const counts = COUNTS.map(() => 0)
  let isCompiled = false
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith('fn=')) isCompiled = line === COMPILED
    if (isCompiled && /^\d/.test(line)) line.split(' ').slice(1).forEach((text, i) => { counts[i]! += Number(text) })
  }
  return counts
}

/** Runs a script under valgrind and gives its COUNTS. `name` tells it from others that run beside it; `v8` are switches of V8. */
export async function simulate(room: Room, name: string, v8: readonly string[], script: string, args: readonly string[]): Promise<number[]> {
  const out = join(room.dir, `${name}.counts`)
  // One thread, so that the time at which a function is compiled does not depend on the machine.
  const node = [process.execPath, '--single-threaded', ...v8, RUNNER, script]
  const valgrind = ['--tool=cachegrind', '--cache-sim=yes', ...CACHES, '--smc-check=all-non-file', `--cachegrind-out-file=${out}`]
  const env = { ...process.env, NODE_COMPILE_CACHE: join(room.dir, 'compiled') }
  const child = spawn('valgrind', [...valgrind, ...node, ...args], { stdio: ['ignore', 'ignore', 'pipe'], env })
  let said = ''
  child.stderr.on('data', (data: Buffer) => { said += data.toString() })
  const status = await new Promise((resolve) => { child.on('close', resolve) })
  if (status !== 0) throw new Error(`valgrind ended with ${String(status)}: ${said.slice(-2000)}`)
  return countsOf(out)
}
