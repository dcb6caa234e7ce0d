import { readStore } from '../../src/feed/store/readStore.ts'
import { MARKETS_MAX } from '../../src/trade/bettor/listedMarkets.ts'
import { expectBettorDesk } from '../agent/bettorContract.ts'
import { checkNames } from '../agent/contractChecks.ts'
import { QUICKSTART_STORE } from '../scenario/small.ts'
import { playBettor } from './bettorPlay.ts'

const { catalogue: { markets } } = readStore(QUICKSTART_STORE)

for (const service of ['parlay', 'outcome'] as const) {
  expectBettorDesk(`of a client of the ${service} service`, async (strategy) => { await playBettor(strategy, { service }) }, {
    hasOracle: false, tellsPrices: false, tellsSettlements: false, noMarket: MARKETS_MAX,
    // The client numbers markets itself. The list of the parlay service has no games, and that of the outcome service titles alone.
    checkMarket(desk, number) {
      const shown = desk.market(number)!
      const market = markets.find(({ ticker, title }) => (service === 'parlay' ? ticker === shown.ticker : title === shown.title))
      if (market === undefined) throw new Error(`market ${number} is called ${JSON.stringify(shown)}`)
      const { ticker, title, event, category, venue } = market
      checkNames(desk, number, service === 'parlay' ? { ticker, title, event, game: '', category, venue } : { ticker: '', title, event: '', game: '', category: '', venue: '' })
    },
  })
}
