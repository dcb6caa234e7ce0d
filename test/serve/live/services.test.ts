import { describe, expect, it } from 'vitest'
import { legsOfList } from '../../../src/serve/live/rowLegs.ts'
import { stateNames } from '../../../src/serve/live/stateNames.ts'
import { OutcomeLive } from '../../../src/serve/outcome/live.ts'
import { ParlayLive } from '../../../src/serve/parlay/live.ts'
import { PositionState, QuoteState as OutcomeQuoteState, RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import type { OutcomePositionView, OutcomeQuoteView, OutcomeView, RfqView } from '../../../src/venue/outcome/protocol/view.ts'
import { AuctionState, BidState, QuoteState, RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import type { AuctionView, BidView, ParlayView, PositionView, QuoteView, RequestView } from '../../../src/venue/parlay/protocol/view.ts'

const REQUEST = { isAuction: false, number: 1 } as const
const AUCTION = { isAuction: true, number: 1 } as const
const legs = [{ market: 4, side: 0 }]

const request: RequestView = {
  number: 1, owner: 7, state: RequestState.active, version: 1, contentTag: 0, bookSeq: 2, betMicros: 25_000_000, expiresAtUs: 90, legs, bestQuote: 3, pendingQuote: -1,
}
const quote: QuoteView = {
  number: 3, request: 1, maker: 2, state: QuoteState.live, version: 1, oddsE4: 25_000, riskMicros: 37_125_000, stakeMicros: 24_750_000, takerFeeBps: 100, validUntilUs: 50,
}
/** Pays 61.875 USDC for 24.75; its holder bought it for 30. */
const position: PositionView = {
  number: 9, request: 1, quote: 3, holder: 7, backer: 2, stakeMicros: 24_750_000, payoutMicros: 61_875_000, costMicros: 30_000_000, basisMicros: 30_000_000,
  takerFeeMicros: 250_000, takerFeeBps: 100, profitFeeBps: 200, state: 1, legs,
}
const auction: AuctionView = { number: 1, position: 9, request: 1, seller: 7, backer: 2, state: AuctionState.active, endsAtUs: 80, bestBid: 6, winner: -1, bids: [5, 6] }
const bid: BidView = { number: 6, auction: 1, maker: 3, state: BidState.live, priceMicros: 12_000_000, validUntilUs: 60 }

const parlay = (view: Partial<ParlayView>, profitFeeOnMaker = 0): ParlayLive => new ParlayLive(view as ParlayView, { profitFeeOnMaker }, () => 'id')

describe('the parlay service on a page', () => {
  it('has requests, which wait for a maker that is to confirm', () => {
    const of = (changed: Partial<RequestView>) => parlay({ request: () => ({ ...request, ...changed }) }).request(REQUEST)
    expect(of({})).toEqual({ owner: 7, legs, isCashOut: false, amountMicros: 25_000_000, isOpen: true, best: 3, untilUs: 90, state: 'active' })
    expect(of({ pendingQuote: 3 })).toMatchObject({ isOpen: true, state: 'waits for its maker' })
    expect(of({ pendingQuote: 3, state: RequestState.committed })).toMatchObject({ isOpen: false, state: 'committed' })
    expect(of({ state: RequestState.expired })).toMatchObject({ isOpen: false, state: 'expired' })
    expect(parlay({ request: () => null }).request(REQUEST)).toBeNull()
  })

  it('has quotes', () => {
    const of = (state: number) => parlay({ quote: () => ({ ...quote, state }) }).offer(REQUEST, 3)
    expect(of(QuoteState.live)).toEqual({ maker: 2, state: 'live', isLive: true, isTaken: false, oddsE4: 25_000, priceMicros: -1, riskMicros: 37_125_000, untilUs: 50 })
    expect([QuoteState.reserved, QuoteState.filled, QuoteState.failed].map((state) => of(state)!).map(({ isLive, isTaken }) => [isLive, isTaken])).toEqual([[true, false], [false, true], [false, false]])
    expect(parlay({ quote: () => null }).offer(REQUEST, 3)).toBeNull()
  })

  it('has cash-outs, of a position that is forgotten when it has ended, and bids', () => {
    const of = (state: number, sold: PositionView | null) => parlay({ auction: () => ({ ...auction, state }), position: () => sold }).request(AUCTION)
    expect(of(AuctionState.active, position)).toEqual({ owner: 7, isCashOut: true, legs, amountMicros: 61_875_000, state: 'active', isOpen: true, best: 6, untilUs: 80 })
    expect(of(AuctionState.committed, null)).toMatchObject({ legs: [], amountMicros: -1, state: 'committed', isOpen: false })
    expect(parlay({ auction: () => null }).request(AUCTION)).toBeNull()
    const bidOf = (state: number) => parlay({ bid: () => ({ ...bid, state }) }).offer(AUCTION, 6)
    expect(bidOf(BidState.live)).toEqual({ maker: 3, state: 'live', isLive: true, isTaken: false, oddsE4: -1, priceMicros: 12_000_000, riskMicros: -1, untilUs: 60 })
    expect(bidOf(BidState.won)).toMatchObject({ isLive: false, isTaken: true })
    expect(parlay({ bid: () => null }).offer(AUCTION, 6)).toBeNull()
  })

  it('has positions with the fees of a win and of a loss', () => {
    const of = (changed: Partial<PositionView>, onMaker?: number) => parlay({ position: () => ({ ...position, ...changed }) }, onMaker).position(9)!
    // 2 % of 61.875 − 30 USDC.
    expect(of({})).toMatchObject({ number: 9, holder: 7, backer: 2, costMicros: 30_000_000, profitFeeMicros: 637_500, makerFeeMicros: 0 })
    expect(of({ basisMicros: 70_000_000 }).profitFeeMicros).toBe(0)
    // 2 % of 24.75 USDC.
    expect(of({}, 1).makerFeeMicros).toBe(495_000)
    expect(parlay({ position: () => null }).position(9)).toBeNull()
  })

  it('has what makers offered before anybody looked, in the order of requests', () => {
    const ofMaker: Readonly<Record<number, number[]>> = { 2: [30, 10], 3: [21] }
    const live = parlay({ quotesOf: (maker) => ofMaker[maker]!, quote: (number) => ({ ...quote, number, request: Math.floor(number / 10) }) })
    expect(live.known([2, 3]).map(({ number, offer, isNew }) => [number, offer, isNew])).toEqual([
      [1, { maker: 2, number: 10 }, false], [2, { maker: 3, number: 21 }, false], [3, { maker: 2, number: 30 }, false],
    ])
  })
})

const rfq: RfqView = {
  number: 1, owner: 7, state: RfqState.open, generation: 1, position: -1, stakeMicros: 25_000_000, netStakeMicros: 24_750_000, openUntilUs: 90, legs: [{ outcome: 4, side: 0 }],
  acceptedQuote: -1, bestQuote: 3,
}
const outcomeQuote: OutcomeQuoteView = {
  number: 3, rfq: 1, maker: 2, state: OutcomeQuoteState.live, generation: 1, netStakeMicros: 24_750_000, payoutMicros: 61_877_474, riskMicros: 37_127_474, takerFeeBps: 100, feeBps: 200,
  signer: 0, expiresAtUs: 50,
}
const outcomePosition: OutcomePositionView = {
  number: 9, rfq: 1, quote: 3, holder: 7, backer: 2, netStakeMicros: 24_750_000, payoutMicros: 61_875_000, costMicros: 25_000_000, basisMicros: 24_750_000, entryFeeMicros: 250_000,
  feeBps: 200, state: PositionState.open, legs: [{ outcome: 4, side: 0 }],
}
const outcome = (view: Partial<OutcomeView>): OutcomeLive => new OutcomeLive(view as OutcomeView, () => 'id')

describe('the outcome service on a page', () => {
  it('has RFQs, with the quote that is being accepted before the best', () => {
    const of = (changed: Partial<RfqView>) => outcome({ rfq: () => ({ ...rfq, ...changed }), position: () => null }).request(REQUEST)
    expect(of({})).toEqual({ owner: 7, isCashOut: false, legs, amountMicros: 25_000_000, state: 'open', isOpen: true, best: 3, untilUs: 90 })
    expect(of({ state: RfqState.inFlight, acceptedQuote: 5 })).toMatchObject({ state: 'in flight', isOpen: true, best: 5 })
    expect(of({ state: RfqState.filled })).toMatchObject({ state: 'filled', isOpen: false })
    expect(of({ position: 9 })).toMatchObject({ isCashOut: true, amountMicros: -1 })
    expect(outcome({ rfq: () => ({ ...rfq, position: 9 }), position: () => outcomePosition }).request(REQUEST)).toMatchObject({ isCashOut: true, amountMicros: 61_875_000 })
    expect(outcome({ rfq: () => null }).request(REQUEST)).toBeNull()
  })

  it('has quotes with odds rounded down to their grid, and prices of cash-outs', () => {
    const of = (state: number, sold = -1) => outcome({ quote: () => ({ ...outcomeQuote, state }), rfq: () => ({ ...rfq, position: sold }) }).offer(REQUEST, 3)
    // 61.877474 / 24.75 = 2.50009…
    expect(of(OutcomeQuoteState.live)).toEqual({ maker: 2, state: 'live', isLive: true, isTaken: false, oddsE4: 25_000, priceMicros: -1, riskMicros: 37_127_474, untilUs: 50 })
    expect(of(OutcomeQuoteState.live, 9)).toMatchObject({ oddsE4: -1, priceMicros: 61_877_474, riskMicros: -1 })
    expect([OutcomeQuoteState.accepted, OutcomeQuoteState.filled, OutcomeQuoteState.dead].map((state) => of(state)!).map(({ isLive, isTaken }) => [isLive, isTaken]))
      .toEqual([[true, false], [false, true], [false, false]])
    expect(outcome({ quote: () => null }).offer(REQUEST, 3)).toBeNull()
  })

  it('has positions with the fee of a win, none of a loss', () => {
    // 2 % of 61.875 − 24.75 USDC.
    expect(outcome({ position: () => outcomePosition }).position(9)).toMatchObject({ stakeMicros: 24_750_000, payoutMicros: 61_875_000, legs, profitFeeMicros: 742_500, makerFeeMicros: 0 })
    expect(outcome({ position: () => ({ ...outcomePosition, basisMicros: 62_000_000 }) }).position(9)!.profitFeeMicros).toBe(0)
    expect(outcome({ position: () => null }).position(9)).toBeNull()
  })

  it('has what makers offered before anybody looked, in the order of RFQs', () => {
    const ofMaker: Readonly<Record<number, number[]>> = { 2: [30, 10], 3: [21] }
    const live = outcome({ liveQuotesOf: (maker) => ofMaker[maker]!, quote: (number) => ({ ...outcomeQuote, number, rfq: Math.floor(number / 10) }) })
    expect(live.known([2, 3]).map(({ number, offer }) => [number, offer!.number])).toEqual([[1, 10], [2, 21], [3, 30]])
  })
})

describe('what a page says', () => {
  it('are states by their names, in words', () => {
    const name = stateNames({ open: 1, inFlight: 2 })
    expect([name(1), name(2), name(3)]).toEqual(['open', 'in flight', '3'])
  })

  it('are legs as they stand in a row', () => {
    expect(legsOfList([4, 1, 9, 0])).toEqual([{ market: 4, side: 1 }, { market: 9, side: 0 }])
    expect(legsOfList([])).toEqual([])
  })
})
