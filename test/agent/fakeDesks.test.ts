import { expect, test } from 'vitest'
import { Action, AuctionOutcome, fakeBettor, fakeMaker, type FakeLeg, Side } from '../../src/index.ts'
import { CAPITAL, expectBettorDesk, expectMakerDesk } from './deskContract.ts'

const PRICES = [{ bid: 0.4, ask: 0.42 }, { bid: 0.5, ask: 0.54 }, { bid: 0.6, ask: 0.61 }]
const LEGS: readonly FakeLeg[] = [[0, Side.yes], [1, Side.no]]

expectMakerDesk('a fake', (strategy) => {
  const fake = fakeMaker(strategy, { capitalMicros: CAPITAL, prices: PRICES })
  for (let request = 1; request <= 3; request++) {
    fake.onRequest({ request, legs: LEGS, betMicros: 10_000_000, netStakeMicros: 9_900_000 })
    fake.pass(1_000_000)
    const quote = fake.commands.findLast(({ action }) => action === Action.submitQuote)
    if (quote === undefined || quote.about !== request) continue
    fake.onSelected({ request, quote: request, legs: LEGS, quotedProbability: 10_000 / quote.oddsE4!, netStakeMicros: 9_900_000 })
    fake.pass(1_000_000)
    const answer = fake.commands.at(-1)!
    if (answer.action !== Action.confirm) continue
    const riskMicros = 9_900_000 * 9
    fake.onOpened({ position: request, request, legs: LEGS, netStakeMicros: 9_900_000, riskMicros })
    fake.onCashOut({ position: request, legs: LEGS, isBackingMaker: true, netStakeMicros: 9_900_000, payoutMicros: 99_000_000 })
    if (request % 2 === 1) fake.onSettled({ position: request, request, legs: LEGS, netStakeMicros: 9_900_000, riskMicros, profitMicros: -riskMicros })
  }
})

expectBettorDesk('a fake', (strategy) => {
  const fake = fakeBettor(strategy, { prices: PRICES })
  for (let arrival = 0; arrival < 3; arrival++) {
    fake.onArrival()
    fake.setBest(20_000)
    fake.pass(1_000_000)
    if (fake.commands.at(-1)?.action !== Action.commit) continue
    fake.onOpened({ takerFeeMicros: 100_000 })
    if (fake.commands.at(-1)?.action !== Action.openCashOut) continue
    fake.pass(100_000)
    fake.onBid(9_000_000)
    if (fake.commands.at(-1)?.action === Action.takeBid) fake.onAuctionEnded(AuctionOutcome.sold)
  }
})

test('an intent begins without legs, and has none to fifty', () => {
  let arrivals = 0
  const fake = fakeBettor({
    role: 'bettor', parameters: {},
    create: () => ({
      onArrival(intent) {
        arrivals++
        expect(intent.legs.count).toBe(0)
        for (const legs of [-1, 0.5, 51, NaN]) expect(() => { intent.setLegCount(legs) }).toThrow(`an intent cannot have ${legs} legs`)
        for (const legs of [50, 0]) {
          intent.setLegCount(legs)
          expect(intent.legs.count).toBe(legs)
        }
      },
      onDecision() {},
    }),
  }, { prices: PRICES })
  fake.onArrival()
  expect(arrivals).toBe(1)
})
