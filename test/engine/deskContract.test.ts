import type { BettorStrategy } from '../../src/agent/bettor.ts'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import type { CohortEntry, ServiceName, SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { internFacts } from '../../src/market/marketFacts.ts'
import { listOfCatalogue, type MarketNames } from '../../src/market/publicList.ts'
import { expectBettorDesk } from '../agent/bettorContract.ts'
import { checkNames, touchesOf } from '../agent/contractChecks.ts'
import { CAPITAL } from '../agent/makerCase.ts'
import { expectMakerDesk } from '../agent/makerContract.ts'
import { outcomeAuctionConfig } from './outcomeWorld.ts'
import { auctionConfig, cohorts, makerEntry, makers, NO_FAULTS, type Replaced, world } from './world.ts'
import { wholeTicks } from '../market/wholeTicks.ts'

const SECONDS = 25
const { markets: MARKETS } = world(60, 60)
const FACTS = internFacts(MARKETS)
const LIST = listOfCatalogue(MARKETS)
const namesOf = (number: number): MarketNames => {
  const { ticker, title, event, game, category, venue } = MARKETS[number]!
  return { ticker, title, event, game, category, venue }
}
/** The outcome service shows nobody a best quote or bid, and bids on the parlay service have no last look. */
const UNCALLED = { parlay: ['onBidTaken'], outcome: ['onBest', 'onBestBid'] } as const

/** A maker that outbids nobody: it quotes what the maker in question leaves, and buys back what that maker does not want. */
const rival = makers(1).map((entry) => ({ ...entry, name: 'rival', values: { ...entry.values, bid: 0.05 } }))
const TOUCH_OF = touchesOf(wholeTicks(auctionConfig(SECONDS).ticks), rival[0]!.latency.feedUs)
const SERVICES: readonly [ServiceName, ServiceName, (seconds: number, replaced: Replaced) => SessionConfig][] =
  [['parlay', 'outcome', auctionConfig], ['outcome', 'parlay', outcomeAuctionConfig]]

for (const [name, other, config] of SERVICES) {
  expectMakerDesk(`of the ${name} service`, { facts: FACTS, namesOf, touchOf: TOUCH_OF, uncalled: UNCALLED[name] }, (strategy: MakerStrategy) => {
    const entry = { ...makerEntry('maker', strategy), faults: NO_FAULTS, capitalMicros: CAPITAL }
    const layOff = { service: other, account: 'laid off', bankrollMicros: 5_000_000_000, latency: entry.latency }
    const session = config(SECONDS, { facts: FACTS, list: LIST, makers: [{ ...entry, layOff }, ...rival] })
    const elsewhere = (name === 'parlay' ? outcomeAuctionConfig : auctionConfig)(SECONDS, { makers: rival, cohorts: [] })
    new Session({ ...elsewhere, ...session }).runToEnd()
  })

  expectBettorDesk(`of the ${name} service`, (strategy: BettorStrategy) => {
    const entry: CohortEntry = { ...cohorts[0]!, name: 'bettors', strategy: strategy as CohortEntry['strategy'], values: {} }
    new Session(config(SECONDS, { list: LIST, cohorts: [entry] })).runToEnd()
  }, { checkMarket: (desk, market) => { checkNames(desk, market, namesOf(market)) } })
}
