import { describe, expect, it, test } from 'vitest'
import {
  Action, AuctionOutcome, type BettorHandlers, fakeBettor, type FakeLeg, type FakeMaker, fakeMaker, type MakerHandlers, type MarketNames, Refusal, type RefusalView, Side,
} from '../../src/index.ts'
import { expectBettorDesk } from './bettorContract.ts'
import { checkNames, type Touch } from './contractChecks.ts'
import { CAPITAL } from './makerCase.ts'
import { expectMakerDesk } from './makerContract.ts'

const PRICES = [{ bid: 0.4, ask: 0.42 }, { bid: 0.5, ask: 0.54 }, { bid: 0.6, ask: 0.61 }].map((price) => ({ ...price, bidSize: 70, askSize: 70 }))
const LEGS: readonly FakeLeg[] = [[0, Side.yes], [1, Side.no]]
const OFFERED = { legs: LEGS, netStakeMicros: 9_900_000, payoutMicros: 99_000_000 }
const BEST_BID = 5_000_000

/** Accepts what the maker has commanded about a request or an auction since it had commanded `before`, but no withdrawal of what does not stand. */
function accept(fake: FakeMaker, before: number): void {
  let stands = false
  for (const { action, about } of fake.commands.slice(before)) {
    if (action === Action.submitQuote || action === Action.withdrawQuote) {
      const isTaken = stands || action === Action.submitQuote
      stands = action === Action.submitQuote
      fake.onAck({ action, refusal: isTaken ? Refusal.none : Refusal.quoteGone, request: about, quote: isTaken ? about : NaN, auction: NaN, retryAfterUs: NaN })
    }
    if (action === Action.submitBid) fake.onAck({ action, refusal: Refusal.none, request: NaN, quote: about, auction: about, retryAfterUs: NaN })
  }
}

/** A request comes. A quote that stands is chosen, and a fill of it ends or, every other time, stays open. */
function playRequest(fake: FakeMaker, request: number): void {
  const before = fake.commands.length
  fake.onRequest({ request, legs: LEGS, betMicros: 10_000_000, netStakeMicros: 9_900_000 })
  fake.onBest({ request, legs: LEGS, bestOddsE4: 25_000 })
  fake.pass(1_000_000)
  accept(fake, before)
  const quote = fake.commands.at(-1)
  if (quote?.action !== Action.submitQuote || quote.about !== request) return
  fake.onSelected({ request, quote: request, legs: LEGS, quotedProbability: 10_000 / quote.oddsE4!, netStakeMicros: 9_900_000 })
  fake.pass(1_000_000)
  if (fake.commands.at(-1)!.action !== Action.confirm) return
  const position = { position: request, request, quote: request, legs: LEGS, netStakeMicros: 9_900_000, riskMicros: 9_900_000 * 9 }
  fake.onOpened(position)
  fake.onCashOut({ ...OFFERED, position: request, isBackingMaker: true })
  if (request % 2 === 1) fake.onSettled({ ...position, profitMicros: -position.riskMicros })
}

/** Another's position is auctioned. The maker gets it if it bids, and may sell it again. */
function playAuction(fake: FakeMaker, number: number): void {
  const before = fake.commands.length
  const auction = { ...OFFERED, auction: 50 + number, position: 100 + number }
  fake.onCashOut(auction)
  accept(fake, before)
  const bid = fake.commands.at(-1)
  if (bid?.action !== Action.submitBid || bid.about !== auction.auction) return
  fake.onBestBid({ ...auction, bestPriceMicros: bid.priceMicros! })
  fake.onBidTaken({ ...OFFERED, position: auction.position, riskMicros: bid.priceMicros! })
  if (fake.commands.at(-1)!.action !== Action.confirm) return
  const held = { ...OFFERED, position: auction.position, costMicros: bid.priceMicros! }
  fake.onBought(held)
  fake.pass(1_000_000)
  if (fake.commands.at(-1)!.action !== Action.openCashOut) return
  fake.onBid({ ...held, bestPriceMicros: BEST_BID })
  if (fake.commands.at(-1)!.priceMicros! > BEST_BID) {
    fake.onCashOutRefused({ ...held, canCashOut: false, isAuctioned: true, bestPriceMicros: BEST_BID }, { action: Action.takeBid, refusal: Refusal.noQuote })
  }
  const { action } = fake.commands.at(-1)!
  if (action === Action.cancelCashOut) fake.onAuctionEnded(held, AuctionOutcome.cancelled)
  if (action === Action.takeBid) fake.onAuctionEnded({ ...held, bestPriceMicros: BEST_BID }, AuctionOutcome.sold)
}

const START_US = 1_750_000_000_000_000
/** Prices of a fake stand from its beginning on. */
const touchOf = (market: number, side: number): Touch => ({ price: side === Side.yes ? PRICES[market]!.ask : 1 - PRICES[market]!.bid, depth: 70, atUs: START_US })

/** Market 0 has names of the test's own, and the others have plausible ones. */
const NAMED = { ticker: 'KXMLB-1', title: 'Will it win?', event: 'KXMLB', game: 'a game', category: 'Sports' }
const namesOf = (market: number): MarketNames =>
  (market === 0 ? { ...NAMED, venue: 'venue_a' } : { ticker: `MARKET-${market}`, title: `Market ${market}`, event: '', game: '', category: '', venue: 'venue_a' })
/** What market 0 has alone is number 0 of its kind. */
const FACTS = { category: Int32Array.of(0, -1, -1), event: Int32Array.of(0, -1, -1), game: Int32Array.of(0, -1, -1), gameCategory: Int32Array.of(0, -1, -1) }

expectMakerDesk('a fake', { facts: FACTS, namesOf, touchOf, uncalled: [], tellsPrices: false }, (strategy) => {
  const fake = fakeMaker(strategy, { capitalMicros: CAPITAL, prices: PRICES, markets: [NAMED], startUs: START_US })
  fake.onStart()
  for (const number of [1, 2, 3]) playRequest(fake, number)
  for (const number of [1, 2]) playAuction(fake, number)
  fake.pass(60_000_000)
  fake.onEnd()
})

expectBettorDesk('a fake', (strategy) => {
  const fake = fakeBettor(strategy, { prices: PRICES, markets: [NAMED], takerFeeBps: 100, ...(strategy.horizonUs !== undefined && { future: PRICES }) })
  fake.onStart()
  for (let arrival = 0; arrival < 3; arrival++) {
    fake.onArrival()
    fake.setBest(20_000)
    fake.pass(2_000_000)
    const asked = fake.commands.findLast(({ action }) => action === Action.requestQuote)
    for (let tries = 0; tries < 2 && fake.commands.at(-1)?.action === Action.commit && asked!.minOddsE4! > 20_000; tries++) fake.onRefused(Refusal.noQuote)
    if (fake.commands.at(-1)?.action !== Action.commit || asked!.minOddsE4! > 20_000) continue
    fake.onOpened({ takerFeeMicros: 100_000 })
    fake.pass(1_000_000)
    if (fake.commands.at(-1)!.action === Action.cancelCashOut) fake.onAuctionEnded(AuctionOutcome.cancelled)
    if (fake.commands.at(-1)!.action === Action.commit) fake.onSettled(20_000_000)
    if (fake.commands.at(-1)!.action !== Action.openCashOut) continue
    fake.onBid(9_000_000)
    const answer = fake.commands.at(-1)!
    if (answer.action !== Action.takeBid) continue
    if (answer.minPriceMicros! > 9_000_000) fake.onCashOutRefused(Action.takeBid, Refusal.noQuote)
    else fake.onAuctionEnded(AuctionOutcome.sold)
  }
  fake.onEnd()
}, { checkMarket: (desk, market) => { checkNames(desk, market, namesOf(market)) }, tellsPrices: false })

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

const makerOf = (handlers: MakerHandlers) => fakeMaker({ role: 'maker', parameters: {}, create: () => handlers })
const bettorOf = (handlers: Partial<BettorHandlers>) =>
  fakeBettor({ role: 'bettor', parameters: {}, create: () => ({ onArrival() {}, onDecision() {}, ...handlers }) }, { prices: PRICES })

test.each([[undefined, 10_000_000, 0], [13_000_000, 13_000_000, 3_000_000]])('a fake maker that sold a position for %s cannot sell it again, and knows its profit', (priceMicros, best, profit) => {
  const seen: unknown[] = []
  const fake = makerOf({
    onBought: (position, desk) => desk.checkIn(position, 5),
    onCheck: () => void seen.push('checked'),
    onAuctionEnded: ({ canCashOut, isAuctioned, bestPriceMicros, profitMicros }, _outcome, desk) =>
      void seen.push([canCashOut, isAuctioned, bestPriceMicros, profitMicros, desk.heldPositions, desk.freeMicros - desk.capitalMicros, desk.capitalMicros]),
  })
  fake.onBought({ position: 4, legs: LEGS })
  fake.onAuctionEnded({ position: 4, legs: LEGS, ...(priceMicros !== undefined && { bestPriceMicros: priceMicros }) }, AuctionOutcome.sold)
  fake.pass(10)
  expect(seen).toEqual([[false, false, best, profit, 0, 0, 10_000_000_000 + profit]])
})

test('a fake maker may sell a position whose auction ended otherwise', () => {
  const seen: unknown[] = []
  makerOf({ onAuctionEnded: ({ canCashOut, profitMicros }) => void seen.push([canCashOut, profitMicros]) }).onAuctionEnded({ legs: LEGS }, AuctionOutcome.expired)
  expect(seen).toEqual([[true, 0]])
})

test('a bid that was taken has no odds, and its price for a dollar of payout', () => {
  const seen: unknown[] = []
  makerOf({ onBidTaken: ({ oddsE4, riskMicros, payoutMicros, quotedProbability }) => void seen.push([oddsE4, riskMicros, payoutMicros, quotedProbability]) })
    .onBidTaken({ position: 1, riskMicros: 7_000_000, legs: LEGS })
  expect(seen).toEqual([[NaN, 7_000_000, 20_000_000, 0.35]])
})

test.each([[0, 10_000_000], [100, 9_950_000]])('a held position at even chances, with a profit fee of %d basis points, is worth %d', (profitFeeBps, worth) => {
  const seen: number[] = []
  makerOf({ onBought: (position, desk) => void seen.push(desk.positionValue(position, 0.5)) })
    .onBought({ legs: LEGS, costMicros: 10_000_000, payoutMicros: 20_000_000, profitFeeBps })
  expect(seen).toEqual([worth])
})

test('a held position that cost more than it pays has no fee on a profit', () => {
  const seen: number[] = []
  makerOf({ onBought: (position, desk) => void seen.push(desk.positionValue(position, 0.5)) })
    .onBought({ legs: LEGS, costMicros: 25_000_000, payoutMicros: 20_000_000, profitFeeBps: 1000 })
  expect(seen).toEqual([10_000_000])
})

test('a bid that was taken is not decided later', () => {
  const act = makerOf({ onBidTaken: (selection, desk) => desk.decideLater(selection, 1) })
  expect(() => act.onBidTaken({ position: 1, riskMicros: 7_000_000, legs: LEGS })).toThrow('a taken bid is decided while it is being shown')
})

test.each([[false, 30_000], [true, NaN]])('a position that a fake maker holds (%s) has the odds %d', (isHolder, oddsE4) => {
  const seen: number[] = []
  makerOf({ onOpened: (position) => void seen.push(position.oddsE4) }).onOpened({ isHolder, netStakeMicros: 10_000_000, riskMicros: 20_000_000, legs: LEGS })
  expect(seen).toEqual([oddsE4])
})

describe('a call of a cohort may command ten things more than an instant allows, and no eleventh', () => {
  const times = (count: number, act: () => void): void => { for (let i = 0; i < count; i++) act() }
  const asking: Partial<BettorHandlers> = {
    onArrival(intent, desk) {
      if (desk.pickLegs(intent, 2, 0.05, 1e15)) desk.requestQuote(intent, { betMicros: 10_000_000, minOddsE4: 10_001, decideInUs: 1 })
    },
  }

  it.each<[string, (count: number) => Partial<BettorHandlers>]>([
    ['cancelRequest', (count) => ({ ...asking, onDecision(intent, desk) { times(count, () => { desk.cancelRequest(intent) }) } })],
    ['wait', (count) => ({ ...asking, onDecision(intent, desk) { if (intent.decisions === 1) times(count, () => { desk.wait(intent, 1_000_000) }) } })],
    ['checkIn', (count) => ({ ...asking, onOpened(holding, desk) { times(count, () => { desk.checkIn(holding, 1_000_000) }) } })],
    ['cancelCashOut', (count) => ({
      ...asking,
      onOpened(holding, desk) { desk.openCashOut(holding) },
      onBid(holding, desk) { times(count, () => { desk.cancelCashOut(holding) }) },
    })],
  ])('by %s', (name, handlers) => {
    const play = (count: number) => () => {
      const fake = bettorOf(handlers(count))
      fake.onArrival()
      fake.pass(1)
      if (name === 'cancelRequest' || name === 'wait') return
      // Another call of its instant would allow ten more.
      fake.pass(1)
      fake.onOpened({ takerFeeMicros: 0 })
      if (name === 'checkIn') return
      fake.pass(1)
      fake.onBid(9_000_000)
    }
    expect(play(100_010)).not.toThrow()
    expect(play(100_011)).toThrow('it did not let time pass: more than 100000 actions at one instant')
  })
})

test('nothing comes to a fake bettor before it has arrived, nor about a position before one has opened', () => {
  for (const act of [() => bettorOf({}).setBest(20_000), () => bettorOf({}).onOpened(), () => bettorOf({}).onRefused(Refusal.notOpen)]) {
    expect(act).toThrow('no bettor has arrived: call onArrival first')
  }
  for (const act of [
    () => bettorOf({}).onBid(1), () => bettorOf({}).onAuctionEnded(AuctionOutcome.expired), () => bettorOf({}).onCashOutRefused(Action.openCashOut, Refusal.notOpen),
  ]) expect(act).toThrow('no position has opened: call onOpened first')
})

test('a refusal is shown no longer once its handler has thrown', () => {
  const kept: RefusalView[] = []
  const keep = (_of: unknown, refusal: RefusalView): never => {
    kept.push(refusal)
    throw new Error('enough')
  }
  const bettor = bettorOf({ onRefused: keep, onCashOutRefused: keep })
  bettor.onArrival()
  expect(() => { bettor.onRefused(Refusal.notOpen) }).toThrow('enough')
  bettor.onOpened()
  expect(() => { bettor.onCashOutRefused(Action.openCashOut, Refusal.notOpen) }).toThrow('enough')
  expect(() => { makerOf({ onCashOutRefused: keep }).onCashOutRefused({ legs: LEGS }, { action: Action.openCashOut, refusal: Refusal.notOpen }) }).toThrow('enough')
  expect(kept).toHaveLength(3)
  for (const refusal of kept) expect(() => refusal.action).toThrow('a view holds during its handler only')
})

test('a fake maker hears of a price that moves as far as it watches, once, of a request that is not over and of a position that has not ended', () => {
  const seen: string[] = []
  const by = { priceType: 'ask', movedBy: 0.05 } as const
  const fake = makerOf({
    onRequest: (request, desk) => desk.watch(request, by),
    onPrice: ({ request }, desk) => void seen.push(`request ${request} ${desk.nowUs - START_US}`),
    onOpened: (position, desk) => desk.watchPosition(position, by),
    onBought: (position, desk) => desk.watchPosition(position, by),
    onPositionPrice: ({ position, isHolder }) => void seen.push(`${isHolder ? 'held' : 'backed'} ${position}`),
    onSettled: (position, desk) => { expect(() => desk.watchPosition(position, by)).toThrow('the position has ended') },
  })
  fake.setPrice(0, { bid: 0.4, ask: 0.42 })
  fake.onRequest({ request: 1, legs: [[0, Side.yes]] })
  fake.onRequest({ request: 2, legs: [[0, Side.yes]], expiresAtUs: START_US + 10 })
  fake.onRequest({ request: 3, legs: [[1, Side.no], [0, Side.no]] })
  for (const position of [4, 5]) fake.onOpened({ position, legs: [[0, Side.yes]] })
  fake.onBought({ position: 6, legs: [[0, Side.yes]] })
  fake.onSettled({ position: 5, legs: [[0, Side.yes]] })
  fake.pass(10)
  fake.setPrice(0, { bid: 0.4, ask: 0.46 })
  expect(seen).toEqual([])
  fake.setPrice(0, { bid: 0.4, ask: 0.47 })
  expect(seen).toEqual(['request 1 10', 'backed 4', 'held 6'])
  fake.setPrice(0, { bid: 0.4, ask: 0.6 })
  expect(seen.length).toBe(3)
  fake.setPrice(1, { bid: 0.1 })
  expect(seen.slice(3)).toEqual(['request 3 10'])
})

test('a fake bettor hears of a price of its position, until it has sold that', () => {
  const seen: number[] = []
  const fake = bettorOf({
    onArrival(intent, desk) {
      intent.setLeg(0, 0, Side.no)
      intent.setLegCount(1)
      desk.requestQuote(intent, { betMicros: 10_000_000, minOddsE4: 10_001, decideInUs: 1 })
    },
    onOpened: (holding, desk) => desk.watch(holding, { priceType: 'ask', movedBy: 0.05 }),
    onPrice(holding, desk) {
      seen.push(desk.legPrice(holding.legs, 0, { priceType: 'ask', maxAgeUs: 1 }))
      desk.watch(holding, { priceType: 'ask', movedBy: 0.05 })
    },
  })
  fake.onArrival()
  fake.onOpened()
  fake.setPrice(0, { bid: 0.36, ask: 0.42 })
  fake.setPrice(0, { bid: 0.3, ask: 0.42 })
  expect(seen).toEqual([0.7])
  fake.onAuctionEnded(AuctionOutcome.sold)
  fake.setPrice(0, { bid: 0.1, ask: 0.42 })
  expect(seen.length).toBe(1)
})

test('the end of a request is that of its newest version, also where an older one comes after it', () => {
  const over: number[][] = []
  const fake = fakeMaker({ role: 'maker', parameters: {}, create: () => ({ onRequestEnded: ({ version }, desk) => void over.push([version, desk.nowUs]) }) }, { prices: PRICES })
  const request = { request: 1, legs: LEGS }
  const beganUs = fake.nowUs
  fake.onRequest({ ...request, version: 2, expiresAtUs: beganUs + 9 })
  fake.onRequest({ ...request, version: 1, expiresAtUs: beganUs + 5 })
  fake.pass(20)
  expect(over).toEqual([[2, beganUs + 9]])
})
