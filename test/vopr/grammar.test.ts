import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readStore } from '../../src/feed/store/readStore.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario } from '../../src/scenario/run.ts'
import { QUICKSTART_STORE } from '../scenario/small.ts'
import { DELISTED_TICKERS, FIRST_PRICE_S, LATE_MINUTES, LATE_TICKERS, NIGHT_US, worldOf } from './grammar.ts'
import { put, roomFor } from './world.ts'

describe('a drawn world is a scenario', () => {
  it.each([...LATE_TICKERS, ...DELISTED_TICKERS])('in which %s is traded by the time that it may be halted or delisted', (ticker) => {
    const { catalogue, ticks: { count, market, atUs } } = readStore(QUICKSTART_STORE)
    const number = catalogue.markets.findIndex((one) => one.ticker === ticker)
    const pricedUs = Array.from({ length: count }, (_, i) => (market[i] === number ? atUs[i]! : NaN)).filter((at) => !Number.isNaN(at))
    const waits = Array.from({ length: LATE_MINUTES }, (_, minute) => NIGHT_US + minute * 60_000_000).map((fromUs) => pricedUs.find((at) => at >= fromUs)! - fromUs)
    expect(Math.max(...waits)).toBeLessThanOrEqual(FIRST_PRICE_S * 1_000_000)
  })

  // Sessions that begin in the minutes in which those markets wait longest for a price.
  it.each([52, 168])('which seed %i draws with halts', async (seed) => {
    const drawn = roomFor(mkdtempSync(join(tmpdir(), 'parlor-grammar-')))
    const world = worldOf(seed)
    expect((world.scenario['halts'] as readonly unknown[]).length).toBeGreaterThan(0)
    await prepareScenario(loadScenario(put(join(drawn, `${seed}.yaml`), world)))
  })
})
