import type { MakerHandlers } from '../../src/index.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { touchesOf } from '../agent/contractChecks.ts'
import { expectMakerDesk } from '../agent/makerContract.ts'
import { FEED_US, makerSession, playMaker } from './makerPlay.ts'

/** A client does not sell, and so it does not hear of its sales. Of the others a service leaves out what it leaves out inside. */
const SALES = ['onCheck', 'onBid', 'onAuctionEnded', 'onCashOutRefused'] as const satisfies readonly (keyof MakerHandlers)[]
const UNCALLED = { parlay: ['onBidTaken', ...SALES], outcome: ['onBest', 'onBestBid', ...SALES] } as const

for (const service of ['parlay', 'outcome'] as const) {
  const prepared = await makerSession(service)
  const { config } = buildSession(prepared.resolved, prepared.strategies, prepared.store)
  expectMakerDesk(`of a client of the ${service} service`, {
    facts: config.facts!, touchOf: touchesOf(config.ticks, FEED_US), uncalled: UNCALLED[service], canSell: false, canLayOff: false,
  }, async (strategy) => { await playMaker(strategy, service, prepared) })
}
