import { expect, test } from 'vitest'
import { overUs, turnsEndUs } from '../../src/scenario/served.ts'
import { MINUTE_US, NEVER_US, SECOND_US } from '../../src/unit/time.ts'
import { outcomeConfig } from '../engine/outcomeWorld.ts'
import { sessionConfig } from '../engine/world.ts'

const LAST = { atUs: 1000 * SECOND_US, op: 0, market: 0 }

// Batches of settlement are 300 s apart by default: the last result may wait for so long.
test.each([
  ['the parlay service', sessionConfig(1), 2 * MINUTE_US],
  ['the outcome service', outcomeConfig(1), 7 * MINUTE_US],
])('a session of %s waits after its last result until every position can have been settled', (_, config, afterUs) => {
  const ends = { ...config, operator: [{ ...LAST, atUs: 0 }, LAST] as never }
  expect([overUs(ends), turnsEndUs(ends)]).toEqual([LAST.atUs + afterUs, LAST.atUs + afterUs + 2 * MINUTE_US])
  expect(turnsEndUs({ ...config, operator: [] })).toBe(NEVER_US)
})
