import { expect, it } from 'vitest'
import { WorkClock } from '../../src/scenario/workClock.ts'

/** From one reading to the next: what goes by on the wall's clock, what this process works, and what goes by on its own clock, ms. */
it.each([
  ['works all the time', 1000, 1000, 1000],
  ['works in two threads', 1000, 2000, 1000],
  ['works half of the time', 1000, 500, 500],
  ['works a quarter of the time', 1000, 250, 250],
  ['has less than that', 1000, 249, 250],
  ['does not work at all', 1000, 0, 250],
  ['has worked while no time goes by', 0, 10, 0],
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
  const [clock, beganMs] = [new WorkClock(), performance.now()]
  while (clock.nowMs() < 5) Math.hypot(1, 2)
  expect(performance.now() - beganMs).toBeGreaterThanOrEqual(5)
})
