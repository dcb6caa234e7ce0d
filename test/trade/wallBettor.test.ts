import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type BettorStrategy, bettor } from '../../src/agent/bettor.ts'
import { AuctionOutcome } from '../../src/agent/vocabulary.ts'
import { readExternal } from '../../src/record/externalTable.ts'
import { BettorClient } from '../../src/trade/bettor/bettorClient.ts'
import { ParlayBettor } from '../../src/trade/parlay/bettor.ts'
import { WallLink } from '../../src/trade/wallLink.ts'
import { parlorHere } from '../cli/parlor.ts'
import { serve } from '../cli/serving.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'

const LIVE = SMALL.replace('parlay@2.1 }', 'parlay@2.1, gate: {} }').replace('until: 10m, max: 200', 'until: 9m')
  .replace(/bettors:\n[^]*$/, `bettors:
  - { external: true, name: ours, bankroll: 100000 USDC }
makers:
  - { use: fixed-margin, capital: 1000000 USDC }
  - { use: cashout-bidder, capital: 1000000 USDC }
`)

/** Bets 10 USDC on two legs, takes what is offered after two seconds, and sells to the first bid. Ends the session once one position is sold. */
const hasty = (sold: () => void): BettorStrategy => bettor({}, () => ({
  onArrival(intent, desk) {
    if (desk.pickLegs(intent, 2, 0.005, 1e15)) desk.requestQuote(intent, { betMicros: 10_000_000, minOddsE4: 10_001, decideInUs: 2_000_000 })
  },
  onDecision: (intent, desk) => { desk.commit(intent) },
  onOpened: (holding, desk) => { desk.openCashOut(holding) },
  onBid: (holding, desk) => { if (holding.isAuctioned && holding.bestPriceMicros > 0) desk.takeBid(holding, 1) },
  onAuctionEnded: (_, outcome) => { if (outcome === AuctionOutcome.sold) sold() },
})) as unknown as BettorStrategy

it('a bettor trades by the wall’s clock, and what it did is verified', async () => {
  const folder = newFolder()
  put(folder, 'live.yaml', LIVE)
  const { child, ended, credentials: { parlay: { url, seats } } } = await serve(folder, 'live.yaml', '--clock', 'wall', '--speed', '2')
  const words = new ParlayBettor()
  const client = new BettorClient({ name: 'ours', seed: 'a seed', strategy: hasty(() => { child.kill('SIGTERM') }), values: {}, ratePerHour: 2400 }, words)
  await client.play(new WallLink({ url, headers: { 'x-api-key': seats['ours']!.api_key }, channels: words.channels }), new AbortController().signal)
  expect((await ended).code).toBe(0)
  const { fills, sales, stakedMicros, soldMicros } = client.summary
  expect([sales > 0, stakedMicros, soldMicros > 0]).toEqual([true, fills * 10_000_000, true])
  expect(readExternal(join(folder, 'run', 'tables', 'external.arrow')).length).toBeGreaterThan(5)
  expect(await parlorHere(folder, 'verify', 'run')).toMatchObject({ code: 0 })
})
