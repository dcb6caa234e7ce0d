import { describe, expect, it } from 'vitest'
import { historyOf, type StoreHistory } from '../../src/feed/history/storeHistory.ts'

import type { Ticks } from '../../src/market/ticks.ts'
import { sourceOf, type TickHistory } from '../../src/market/tickSource.ts'
import { playInto, type PreparedScenario } from '../../src/scenario/run.ts'
import { MINUTE_US } from '../../src/unit/time.ts'
import { madeStore } from '../feed/history/madeStore.ts'
import { chunkedTicks } from '../market/chunkedTicks.ts'
import { wholeTicks } from '../market/wholeTicks.ts'
import { newFolder, prepared, put, QUICKSTART_STORE } from './small.ts'

/** A maker that quotes on what moved, and looks at prices of whatever age. */
const WATCHER = `import { maker } from 'parlor'
export default maker({}, () => ({
  onRequest(request, desk) {
    desk.watch(request, { movedBy: 0.005, priceType: 'mid' })
  },
  onPrice(request, desk) {
    const fair = desk.price(request.legs, { priceType: 'mid', maxAgeUs: 1_000_000_000_000 })
    if (fair) desk.quote(request, { probability: Math.min(0.99, fair * 1.03), validUs: 4_000_000 })
  },
}))
`
const watcher = put(newFolder(), 'watcher.ts', WATCHER)

const scenario = (window: string, more = ''): string => `version: 1
mode: interactive
seed: chunks
services: { parlay: { profile: parlay@2.1 }, outcome: { profile: outcome@1 } }
history: { store: ${QUICKSTART_STORE}, ${window}, maxAge: 5m }
arrivals: { max: 60 }
record: { marks: [10s, 30m] }
bettors:
  - { kind: informed, service: parlay, n: 20, every: 2m, horizon: 60s, noise: 2c }
  - { kind: impatient, service: parlay, n: 15, every: 2m, legsMax: 3, holdMin: 10s, holdMax: 3m }
  - { kind: stop-loss, service: parlay, n: 15, every: 2m, legsMax: 3, level: 90% }
  - { kind: noise, name: takers, service: outcome, n: 15, every: 2m, legsMin: 1 }
makers:
  - { use: fixed-margin, service: parlay, capital: 50000 USDC, params: { bid: 2% }, latency: { feed: 90s } }
  - { use: ${watcher}, service: parlay, name: watcher, capital: 50000 USDC, latency: { feed: 3s } }
  - { use: exposure-limited, service: outcome, capital: 50000 USDC }
${more}
`
const DRAWN = 'settlement: { missing: draw, outcomes: drawn, correlation: 40%, within: day, lag: 1m }'

/** The digest of a session, and the hash of each of its tables. */
async function played(scenarioOf: PreparedScenario, ticks: TickHistory): Promise<unknown> {
  const store: StoreHistory = { ...scenarioOf.store, ticks: sourceOf(ticks), forSession: () => store }
  const { digest, tables, counts } = await playInto(newFolder(), { ...scenarioOf, store }, { isDurable: false })
  return { digest, counts, tables: Object.fromEntries(Object.entries(tables).map(([name, { rows, sha256 }]) => [name, { rows, sha256 }])) }
}

const only = (ticks: Ticks, holds: (i: number) => boolean): Ticks => {
  const rows = Array.from({ length: ticks.count }, (_, i) => i).filter(holds)
  const words = (column: Int32Array): Int32Array => Int32Array.from(rows, (i) => column[i]!)
  return {
    count: rows.length, atUs: Float64Array.from(rows, (i) => ticks.atUs[i]!), market: words(ticks.market), bidE6: words(ticks.bidE6), askE6: words(ticks.askE6),
    bidSize: words(ticks.bidSize), askSize: words(ticks.askSize), lastE6: words(ticks.lastE6),
  }
}

const WINDOW = 'from: 2025-06-19T22:30:00Z, to: 2025-06-19T23:10:00Z'

describe.each([['recorded', ''], ['drawn', DRAWN]])('a session with %s outcomes has the same digest and tables', (_, settlement) => {
  it.each([1, 7, 1000])('in chunks of %i ticks', async (size) => {
    const { prepared: made } = await prepared(scenario(WINDOW, settlement))
    const ticks = wholeTicks(made.store.ticks)
    expect(await played(made, chunkedTicks(ticks, size))).toEqual(await played(made, ticks))
  })

  // Parts of twenty minutes begin at 22:40:00. Those of the second import hold the markets with odd numbers, so that all parts overlap.
  it.each([
    ['at the begin of a part', 'from: 2025-06-19T23:00:00Z, to: 2025-06-19T23:40:00Z'],
    ['a millisecond before it', 'from: 2025-06-19T22:59:59.999Z, to: 2025-06-19T23:39:59.999Z'],
    ['a millisecond after it', 'from: 2025-06-19T23:00:00.001Z, to: 2025-06-19T23:40:00.001Z'],
    ['as long after it as the slowest feed', 'from: 2025-06-19T23:01:30Z, to: 2025-06-19T23:50:00Z'],
    ['in the middle of parts', 'from: 2025-06-19T23:11:00Z, to: 2025-06-19T23:31:00Z'],
    ['without an end', 'from: 2025-06-20T01:00:00Z'],
    ['without bounds', 'legs: executable'],
  ])('from parts of a store, with a window that begins %s', async (__, window) => {
    const { prepared: made } = await prepared(scenario(window, settlement))
    const ticks = wholeTicks(made.store.ticks)
    const expected = await played(made, ticks)
    expect(await played(made, made.store.ticks)).toEqual(expected)
    const of = (imports: readonly Ticks[]): Promise<unknown> => played(made, historyOf(madeStore(made.store.catalogue, imports, { partUs: 20 * MINUTE_US, rows: 900 })).ticks)
    expect(await of([ticks])).toEqual(expected)
    expect(await of([only(ticks, (i) => ticks.market[i]! % 2 === 0), only(ticks, (i) => ticks.market[i]! % 2 === 1)])).toEqual(expected)
  })
})
