import { MARKETS_MAX } from '../../src/trade/bettor/listedMarkets.ts'
import { expectBettorDesk } from '../agent/bettorContract.ts'
import { playBettor } from './bettorPlay.ts'

for (const service of ['parlay', 'outcome'] as const) {
  expectBettorDesk(`of a client of the ${service} service`, async (strategy) => { await playBettor(strategy, { service }) }, { hasOracle: false, tellsPrices: false, noMarket: MARKETS_MAX })
}
