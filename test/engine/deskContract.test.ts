import type { BettorStrategy } from '../../src/agent/bettor.ts'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import type { CohortEntry, SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { CAPITAL, expectBettorDesk, expectMakerDesk } from '../agent/deskContract.ts'
import { outcomeAuctionConfig } from './outcomeWorld.ts'
import { auctionConfig, cohorts, makerEntry, type Replaced } from './world.ts'

const SECONDS = 40

for (const [name, config] of [['parlay', auctionConfig], ['outcome', outcomeAuctionConfig]] as [string, (seconds: number, replaced: Replaced) => SessionConfig][]) {
  expectMakerDesk(`of the ${name} service`, (strategy: MakerStrategy) => {
    new Session(config(SECONDS, { makers: [{ ...makerEntry('maker', strategy), capitalMicros: CAPITAL }] })).runToEnd()
  })

  expectBettorDesk(`of the ${name} service`, (strategy: BettorStrategy) => {
    const entry: CohortEntry = { ...cohorts[0]!, name: 'bettors', strategy: strategy as CohortEntry['strategy'], values: {} }
    new Session(config(SECONDS, { cohorts: [entry] })).runToEnd()
  })
}
