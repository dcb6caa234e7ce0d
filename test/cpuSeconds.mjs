// Vitest loads this anew for each test file, so that what it registers holds for each.
import { appendFileSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'

/** Linux counts CPU time in hundredths of a second there. */
const TICKS_A_SECOND = 100
/** Fields of proc(5) after the name: of this process in user and system mode, and of its children that have ended. */
const FIRST_FIELD = 11
const FIELDS = 4

/** CPU seconds of this process, its threads and its children so far. */
function cpuSeconds() {
  const text = readFileSync('/proc/self/stat', 'utf8')
  const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ').slice(FIRST_FIELD, FIRST_FIELD + FIELDS)
  return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND
}

let [began, beganMs] = [0, 0]

beforeAll(() => { [began, beganMs] = [cpuSeconds(), Date.now()] })

// A line for each file: its CPU seconds, its seconds, its path.
afterAll(() => {
  const line = [cpuSeconds() - began, (Date.now() - beganMs) / 1000].map((seconds) => seconds.toFixed(2))
  appendFileSync(process.env.PARLOR_TEST_CPU, `${line.join(' ')} ${expect.getState().testPath}\n`)
})
