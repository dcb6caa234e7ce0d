import { expect, it } from 'vitest'
import { buildSession } from '../../src/scenario/build.ts'
import { prepared, SMALL } from './small.ts'

/** Sums of the closing prices of the markets of each temperature event, of which exactly one comes true. */
async function sums(settlement: string): Promise<number[]> {
  const { prepared: { resolved, strategies, store } } = await prepared(`${SMALL}settlement: { missing: draw, scalar: void${settlement} }\n`)
  const { reference } = buildSession(resolved, strategies, store)
  const events = Map.groupBy(store.catalogue.markets.filter(({ ticker }) => ticker.startsWith('TEMP-')), ({ event }) => event)
  return [...events.values()].map((markets) => markets.reduce((sum, { number }) => sum + reference.closingValue(1, [number], [1], 0), 0))
}

it('what a scenario draws closes at the chances with which it is drawn: those of an event sum to one, its prices do not', async () => {
  const drawn = await sums(', outcomes: drawn')
  expect(drawn.length).toBeGreaterThan(1)
  for (const sum of drawn) expect(sum).toBeCloseTo(1, 9)
  expect((await sums('')).some((sum) => Math.abs(sum - 1) > 0.005)).toBe(true)
})
