import { expect, it } from 'vitest'
import type { ServedSession } from '../../../src/serve/session/servedSession.ts'
import { beginMs, shiftToUs } from '../../../src/serve/session/wallClock.ts'
import { WallDriver } from '../../../src/serve/session/wallDriver.ts'
import { NEVER_US } from '../../../src/unit/time.ts'

const BEGIN_US = 5_000_000
const BEGIN_MS = 1000

/** A driver at twice the wall's speed, `ms` of the wall after its begin, of a session that stands at `nowUs` and has something due at `nextUs`. */
function driverOf(ms: number, { nowUs = BEGIN_US, nextUs = NEVER_US as number }: { readonly nowUs?: number; readonly nextUs?: number } = {}): WallDriver {
  let readMs = BEGIN_MS
  const driver = new WallDriver({ nowUs, nextUs, session: { reachedUs: BEGIN_US } } as ServedSession, 2, () => readMs)
  readMs += ms
  return driver
}

it.each<[string, Parameters<typeof driverOf>, number]>([
  ['the wall\'s, with nothing due', [3], BEGIN_US + 6000],
  ['the wall\'s, with something due a microsecond later', [3, { nextUs: BEGIN_US + 6001 }], BEGIN_US + 6000],
  ['where the session stands, with something due now', [3, { nextUs: BEGIN_US + 6000, nowUs: BEGIN_US + 10 }], BEGIN_US + 10],
  ['where the session stands, with something overdue', [3, { nextUs: BEGIN_US + 1, nowUs: BEGIN_US + 1 }], BEGIN_US + 1],
])('the instant of a session that follows the wall is %s', (_, args, reachedUs) => {
  expect(driverOf(...args).reachedUs).toBe(reachedUs)
})

it('the instant of a session is where it stands while something that came in waits', () => {
  const driver = driverOf(3, { nowUs: BEGIN_US + 7 })
  expect(driver.reachedUs).toBe(BEGIN_US + 6000)
  driver.arrived({ readMs: BEGIN_MS + 1, enter: () => {} })
  expect(driver.reachedUs).toBe(BEGIN_US + 7)
})

it('the instant of a session that is over is where it ended, however long ago', async () => {
  const driver = driverOf(3, { nowUs: BEGIN_US + 7 })
  expect(await driver.play(new AbortController().signal)).toBeNull()
  expect(driver.reachedUs).toBe(BEGIN_US + 7)
})

it.each<[string, number, number]>([['is over by 3 ms', 1000 - 3, BEGIN_US + 3000], ['comes in 3 ms', 1000 + 3, BEGIN_US]])('a session whose begin %s is where the wall is, and not before its begin', (_, beganMs, reachedUs) => {
  const session = { nowUs: BEGIN_US, nextUs: NEVER_US as number, session: { reachedUs: BEGIN_US } } as ServedSession
  expect(new WallDriver(session, 1, () => 1000, beganMs).reachedUs).toBe(reachedUs)
})

it('a session at the wall’s speed begins when the wall shows its first date, and at another speed at once', () => {
  // The reading 1000 is taken 2.5 s after the first date, and then 0.5 s before it.
  expect(beginMs(60_000_000, 1, { dateMs: 62_500, readMs: 1000 })).toBe(-1500)
  expect(beginMs(60_000_000, 1, { dateMs: 59_500, readMs: 1000 })).toBe(1500)
  expect(beginMs(60_000_000, 20, { dateMs: 62_500, readMs: 1000 })).toBe(1000)
})

it.each([[90_000, 30_000_000], [90_001, 31_000_000], [90_999, 31_000_000], [91_000, 31_000_000]])('dates from the first minute on are moved to %i ms by whole seconds, and to no earlier instant', (dateMs, shiftUs) => {
  expect(shiftToUs(60_000_000, dateMs)).toBe(shiftUs)
})
