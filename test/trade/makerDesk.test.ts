import type { MakerHandlers } from '../../src/index.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { touchesOf } from '../agent/contractChecks.ts'
import { expectMakerDesk } from '../agent/makerContract.ts'
import { FEED_US, makerSession, playMaker } from './makerPlay.ts'
import { wholeTicks } from '../market/wholeTicks.ts'

/** A service leaves out what it leaves out inside. */
const UNCALLED = { parlay: ['onBidTaken'], outcome: ['onBest', 'onBestBid'] } as const satisfies Readonly<Record<string, readonly (keyof MakerHandlers)[]>>

for (const service of ['parlay', 'outcome'] as const) {
  const prepared = await makerSession(service)
  const { config } = buildSession(prepared.resolved, prepared.strategies, prepared.store)
  expectMakerDesk(`of a client of the ${service} service`, {
    facts: config.facts!, namesOf: null, touchOf: touchesOf(wholeTicks(config.ticks), FEED_US), uncalled: UNCALLED[service], endsKept: true, canLayOff: false, tellsPrices: false,
  }, async (strategy) => { await playMaker(strategy, service, prepared) })
}
