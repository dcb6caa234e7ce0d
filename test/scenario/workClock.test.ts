import { expect, it } from 'vitest'
import { WorkClock } from '../../src/scenario/workClock.ts'

/** From one reading to the next: what goes by on the wall's clock, what this process works, and what goes by on its own clock, ms. */
it.each([
  ['works all the time', 400, 400, 400],
  ['works in two threads', 400, 800, 400],
  ['works half of the time', 400, 200, 200],
  ['works a quarter of the time', 400, 100, 100],
  ['has less than that', 400, 99, 100],
  ['does not work at all', 400, 0, 100],
  ['has worked while no time goes by', 0, 10, 0],
  ['was asked half a second ago', 500, 500, 500],
  ['was asked longer ago', 33_000, 33_000, 500],
  ['was stopped', 33_000, 0, 125],
])('the clock of a process that %s', (_, passedMs, workedMs, countedMs) => {
  const at = { wallMs: 7, cpuMs: 5 }
  const clock = new WorkClock({ wallMs: () => at.wallMs, cpuMs: () => at.cpuMs })
  const readings = [1, 2, 3].map(() => {
    at.wallMs += passedMs
    at.cpuMs += workedMs
    return clock.nowMs()
  })
  expect(readings).toEqual([countedMs, 2 * countedMs, 3 * countedMs])
})

it('the clock of this process goes while it works, and no faster than the wall\'s', () => {
  const beganMs = performance.now()
  const clock = new WorkClock()
  while (clock.nowMs() < 5) Math.hypot(1, 2)
  expect(performance.now() - beganMs).toBeGreaterThanOrEqual(5)
})
