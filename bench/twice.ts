// How much two cores of the machine are worth compared with one, without parlor: steps of a loop per second of wall time of two processes
// at once, over those of one. Such a process is started with `--from MS` and runs from that time of the clock on.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { loop } from './loop.ts'

const SELF = fileURLToPath(import.meta.url)
const LENGTH_MS = 1000
/** Time for starting and warming up. */
const LEAD_MS = 1500
const STEPS = 200_000

/** Million steps in one window of wall time. */
function stepsFrom(fromMs: number): number {
  loop(2_000_000)
  while (Date.now() < fromMs);
  let steps = 0
  for (const untilMs = fromMs + LENGTH_MS; Date.now() < untilMs; steps += STEPS) loop(STEPS)
  return steps / 1e6
}

/** The rate of several processes together. */
async function stepsOf(processes: number): Promise<number> {
  const from = String(Date.now() + LEAD_MS)
  const runs = await Promise.all(Array.from({ length: processes }, () => promisify(execFile)(process.execPath, [SELF, '--from', from])))
  return runs.reduce((sum, { stdout }) => sum + Number(stdout), 0)
}

const { values } = parseArgs({ options: { from: { type: 'string' } } })
if (values.from !== undefined) console.log(stepsFrom(Number(values.from)))
else {
  const before = await stepsOf(1)
  const together = await stepsOf(2)
  const after = await stepsOf(1)
  console.log(JSON.stringify({ ratio: (2 * together) / (before + after) }))
}
