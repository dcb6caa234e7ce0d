// How much two cores of the machine are worth beside one, with nothing of parlor in it: the loop of calibration.ts in two processes at once.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const LOOP = join(import.meta.dirname, 'calibration.ts')

/** Million steps per CPU-second: a core that another takes from counts as slower. */
async function rate(): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [LOOP])
  return (JSON.parse(stdout) as { millionSteps: number }).millionSteps
}

await rate()
const alone = await rate()
const together = await Promise.all([rate(), rate()])
console.log(JSON.stringify({ ratio: together.reduce((sum, one) => sum + one) / alone }))
