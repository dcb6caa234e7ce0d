import { describe, expect, it } from 'vitest'
import {
  AuctionOutcome, bettor, type BettorDesk, type BettorHandlers, type BettorStrategy, type HoldingView, type IntentView, isKnown, type LegsView, maker, type MakerDesk,
  type MakerHandlers, type MakerStrategy, pct, type PositionView, type RequestView, type SelectionView, Side,
} from '../../src/index.ts'

/**
 * What strategies may rely on, whatever plays them: a session on either service, a fake, or a seat that is played from afar. A desk that
 * passes is asked through the interface of strategies alone.
 */

export const CAPITAL = 100_000_000_000
const PROBABILITY = 0.1
const EVER = { priceType: 'ask', maxAgeUs: 1e15 } as const
/** A price type of no kind, as plain JavaScript may give it. */
const ASKS = { priceType: 'asks' as 'ask', maxAgeUs: 1e15 }
const NO_KIND = "a priceType is bid, mid or ask, not 'asks'"
const HIDDEN = /is shown during its handler only|a view holds during its handler only/

/** The message with which something is refused, or that it was not. */
function refusalOf(act: () => unknown): string {
  try {
    act()
    return 'not refused'
  } catch (error) {
    return (error as Error).message
  }
}

const pricesOf = (legs: LegsView, of: (i: number) => number): number[] => Array.from({ length: legs.count }, (_, i) => of(i))
const product = (prices: readonly number[]): number => prices.reduce((so, price) => so * price, 1)

function checkLegs(legs: LegsView): void {
  expect(legs.count).toBeGreaterThan(0)
  for (let i = 0; i < legs.count; i++) {
    expect(Number.isInteger(legs.market(i)) && legs.market(i) >= 0).toBe(true)
    expect([Side.no, Side.yes]).toContain(legs.side(i))
  }
  expect([legs.markets, legs.sides]).toEqual([pricesOf(legs, (i) => legs.market(i)), pricesOf(legs, (i) => legs.side(i))])
  for (const leg of [-1, 0.5, legs.count, NaN]) expect(refusalOf(() => legs.market(leg))).toContain('there is no leg')
}

/**
 * `play` has the strategy make a market named `maker` with CAPITAL: it is shown requests whose legs have prices, and of what it quotes some is
 * chosen, fills if it confirms, is auctioned by its holder, and ends.
 */
export function expectMakerDesk(name: string, play: (strategy: MakerStrategy) => void): void {
  const played = (handlers: MakerHandlers): void => {
    play(maker({}, () => ({ onRequest: (request, desk) => desk.quote(request, { probability: PROBABILITY, validUs: 20_000_000 }), ...handlers })) as unknown as MakerStrategy)
  }

  describe(`the desk of a maker: ${name}`, () => {
    it('shows requests as they stand, and prices of their legs', () => {
      let count = 0
      played({
        onRequest(request, desk) {
          count++
          expect(request.request).toBeGreaterThan(0)
          expect(request.deliveredAtUs).toBe(desk.nowUs)
          expect(request.expiresAtUs).toBeGreaterThan(desk.nowUs)
          expect(request.netStakeMicros).toBeGreaterThan(0)
          expect(request.betMicros).toBeGreaterThanOrEqual(request.netStakeMicros)
          expect(isKnown(request.bestOddsE4) ? request.bestOddsE4 : 20_000).toBeGreaterThan(10_000)
          checkLegs(request.legs)
          expect(desk.price(request.legs, EVER)).toBeCloseTo(product(pricesOf(request.legs, (i) => desk.legPrice(request.legs, i, EVER))), 12)
          expect(desk.price(request.legs, { ...EVER, maxAgeUs: -1 })).toBeNaN()
          expect(desk.riskOf(request, 0.25)).toBe(3 * request.netStakeMicros)
          for (let i = 0; i < request.legs.count; i++) expect(desk.priceAgeUs(request.legs, i)).toBeGreaterThanOrEqual(0)
        },
      })
      expect(count).toBeGreaterThan(0)
    })

    it('is made with a frozen seat and frozen parameters', () => {
      const frozen: boolean[] = []
      play(maker({ share: pct(5) }, (p, seat) => {
        frozen.push(...[p, seat, seat.random].map((given) => Object.isFrozen(given)))
        return {}
      }) as unknown as MakerStrategy)
      expect(new Set(frozen)).toEqual(new Set([true]))
    })

    it('begins with its capital and nothing at risk', () => {
      const seen: unknown[] = []
      played({ onRequest: (request, desk) => void seen.push([desk.name, desk.freeMicros, desk.capitalMicros, desk.openPositions, desk.heldPositions, desk.exposure(request.legs).worst]) })
      expect(seen[0]).toEqual(['maker', CAPITAL, CAPITAL, 0, 0, 0])
    })

    it.each([
      ['a quote at no chance', 'a quote needs a finite probability above 0', (request, desk) => desk.quote(request, { probability: 0, validUs: 1e6 })],
      ['a probability that is no number', 'a quote needs a finite probability above 0', (request, desk) => desk.quote(request, { probability: { valueOf: () => 0.5 } as never, validUs: 1e6 })],
      ['a quote that lasts half a microsecond more', 'a quote is valid for a whole number', (request, desk) => desk.quote(request, { probability: 0.5, validUs: 1e6 + 0.5 })],
      ['a fair probability over 1', 'a fair probability lies within', (request, desk) => desk.quote(request, { probability: 0.5, validUs: 1e6, fair: 1.1 })],
      ['a delay in the past', 'a delay is a whole number', (request, desk) => desk.later(request, -1)],
      ['a copy of a request', 'no request that a handler was given', (request, desk) => desk.later({ ...request }, 0)],
      ['another kind of view', 'no selection that a handler was given', (request, desk) => desk.confirm(request as never)],
      ['legs of one’s own', 'legs are those of a view', (_request, desk) => void desk.exposure({ count: 1, markets: [0], sides: [1], market: () => 0, side: () => 1 })],
      ['a price of no kind', NO_KIND, (request, desk) => void desk.price(request.legs, ASKS)],
      ['a chance by a price of no kind', NO_KIND, (request, desk) => void desk.winProbability(request.legs, ASKS)],
      ['a leg’s price of no kind', NO_KIND, (request, desk) => void desk.legPrice(request.legs, 0, ASKS)],
      ['a withdrawal from no request', 'a request has a whole number', (_request, desk) => desk.withdrawQuote(0)],
    ] as [string, string, (request: RequestView, desk: MakerDesk) => void][])('refuses %s, and goes on', (_name, message, act) => {
      const refusals: string[] = []
      played({ onRequest: (request, desk) => void refusals.push(refusalOf(() => { act(request, desk) })) })
      expect(refusals.length).toBeGreaterThan(0)
      for (const refusal of refusals) expect(refusal).toContain(message)
    })

    it('shows a request again after a time', () => {
      const asked: [number, number, readonly number[]][] = []
      const came: [number, number, readonly number[]][] = []
      played({
        onRequest(request, desk) {
          asked.push([request.request, desk.nowUs + 250_000, request.legs.markets])
          desk.later(request, 250_000)
        },
        onLater: (request, desk) => void came.push([request.request, desk.nowUs, request.legs.markets]),
      })
      expect(came.length).toBeGreaterThan(0)
      expect(asked).toEqual(expect.arrayContaining(came))
    })

    it('asks for a last look within its window, at what was quoted', () => {
      let count = 0
      played({
        onSelected(selection, desk) {
          count++
          expect(selection.deadlineAtUs).toBeGreaterThan(desk.nowUs)
          expect(selection.quotedProbability).toBeCloseTo(PROBABILITY, 3)
          expect(selection.payoutMicros).toBe(selection.netStakeMicros + selection.riskMicros)
          expect(selection.position).toBeNaN()
          checkLegs(selection.legs)
          desk.confirm(selection)
        },
      })
      expect(count).toBeGreaterThan(0)
    })

    it('decides later, about the same selection', () => {
      const put: [number, number][] = []
      const came: [number, number][] = []
      played({
        onSelected(selection, desk) {
          put.push([selection.quote, desk.nowUs + 100])
          desk.decideLater(selection, 100)
        },
        onDecision(selection, desk) {
          came.push([selection.quote, desk.nowUs])
          desk.confirm(selection)
        },
      })
      expect(came.length).toBeGreaterThan(0)
      expect(put).toEqual(expect.arrayContaining(came))
    })

    it('books fills and their ends before it tells of them', () => {
      const risks = new Map<number, number>()
      let profitMicros = 0
      let ends = 0
      const total = (): number => [...risks.values()].reduce((so, risk) => so + risk, 0)
      const check = (position: PositionView, desk: MakerDesk): void => {
        expect([desk.openPositions, desk.openRiskMicros, desk.capitalMicros, desk.freeMicros])
          .toEqual([risks.size, total(), CAPITAL + profitMicros, CAPITAL + profitMicros - total()])
        expect(desk.exposure(position.legs).total).toBe(total())
      }
      played({
        onOpened(position, desk) {
          expect([position.profitMicros, position.payoutMicros, position.isHolder]).toEqual([0, position.netStakeMicros + position.riskMicros, false])
          risks.set(position.position, position.riskMicros)
          check(position, desk)
          expect(desk.exposure(position.legs).worst).toBeGreaterThanOrEqual(position.riskMicros)
          expect(refusalOf(() => { desk.openCashOut(position) })).toContain('only a position that the maker holds')
          expect(refusalOf(() => desk.positionValue(position, ASKS))).toBe(NO_KIND)
          expect(refusalOf(() => { desk.checkIn(position, 1) })).toContain('only a held position')
          expect(position.oddsE4 / 10_000).toBeCloseTo(position.payoutMicros / position.netStakeMicros, 3)
        },
        onSettled(position, desk) {
          ends++
          risks.delete(position.position)
          profitMicros += position.profitMicros
          check(position, desk)
        },
      })
      expect(ends).toBeGreaterThan(0)
    })

    it('tells of auctions, and takes bids in them', () => {
      let count = 0
      played({
        onCashOut(auction, desk) {
          count++
          expect(auction.endsAtUs).toBeGreaterThan(desk.nowUs)
          expect(auction.maxPriceMicros).toBeLessThanOrEqual(auction.payoutMicros)
          expect(desk.breakEvenPrice(auction, 0)).toBe(0)
          expect(desk.breakEvenPrice(auction, 1)).toBeGreaterThan(desk.breakEvenPrice(auction, 0.5))
          expect(refusalOf(() => { desk.bid(auction, { priceMicros: 0, validUs: 1e6 }) })).toContain('a bid is a whole number of microUSDC above 0')
          if (!auction.isSeller) desk.bid(auction, { probability: 0.01, validUs: 5_000_000 })
        },
      })
      expect(count).toBeGreaterThan(0)
    })

    it('shows a view during its handler only, though a later one may get the same view, and writes nothing on it', () => {
      const kept: (RequestView | SelectionView)[] = []
      const said = new Set<string>()
      played({
        onRequest(request, desk) {
          for (const old of kept) said.add(old === request ? 'same view' : refusalOf(() => old.request))
          kept.push(request)
          for (const held of [request, request.legs, desk]) expect(Object.isFrozen(held)).toBe(true)
          expect(refusalOf(() => { (request as { betMicros: number }).betMicros = 1 })).not.toBe('not refused')
          expect(refusalOf(() => { (desk as { freeMicros: number }).freeMicros = 1 })).not.toBe('not refused')
          desk.quote(request, { probability: PROBABILITY, validUs: 20_000_000 })
        },
      })
      expect(kept.length).toBeGreaterThan(0)
      expect(refusalOf(() => kept[0]!.request)).toMatch(HIDDEN)
      expect(refusalOf(() => kept[0]!.legs.count)).toMatch(HIDDEN)
      for (const message of said) expect(message === 'same view' || HIDDEN.test(message)).toBe(true)
    })
  })
}

/**
 * `play` has one cohort bet: intents arrive, markets are live, what is asked for is offered, a commit of it fills, the position can be
 * auctioned, and somebody bids.
 */
export function expectBettorDesk(name: string, play: (strategy: BettorStrategy) => void): void {
  const asking: BettorHandlers = {
    onArrival(intent, desk) {
      if (desk.pickLegs(intent, 2, 0.05, 1e15)) desk.requestQuote(intent, { betMicros: 10_000_000, minOddsE4: 10_001, decideInUs: 1_000_000 })
    },
    onDecision(intent, desk) {
      if (intent.bestOddsE4 >= intent.minOddsE4) desk.commit(intent)
    },
  }
  const played = (handlers: Partial<BettorHandlers>): void => { play(bettor({}, () => ({ ...asking, ...handlers })) as unknown as BettorStrategy) }

  describe(`the desk of a bettor: ${name}`, () => {
    it('draws for each arrival, the same whenever it is asked', () => {
      const arrivals: number[] = []
      played({
        onArrival(intent, desk) {
          arrivals.push(intent.arrival)
          const draw = desk.uniform(intent, 3)
          expect(draw).toBeGreaterThanOrEqual(0)
          expect(draw).toBeLessThan(1)
          expect(desk.uniform(intent, 3)).toBe(draw)
          expect(Number.isFinite(desk.normal(intent, 4))).toBe(true)
          expect(refusalOf(() => desk.uniform(intent, 128))).toContain('draws are numbered from 0 to 127')
          asking.onArrival(intent, desk)
        },
      })
      expect(arrivals.length).toBeGreaterThan(1)
      expect(arrivals).toEqual(arrivals.map((_, i) => i))
    })

    it('picks legs that are live and distinct, and prices them', () => {
      let picked = 0
      played({
        onArrival(intent, desk) {
          if (!desk.pickLegs(intent, 2, 0.05, 1e15)) return
          picked++
          checkLegs(intent.legs)
          expect(new Set(intent.legs.markets).size).toBe(2)
          const mid = { priceType: 'mid', maxAgeUs: 1e15 } as const
          expect(desk.price(intent.legs, mid)).toBeCloseTo(product(pricesOf(intent.legs, (i) => desk.legPrice(intent.legs, i, mid))), 12)
          const before = desk.legPrice(intent.legs, 0, mid)
          intent.setSide(0, 1 - intent.legs.side(0))
          expect(desk.legPrice(intent.legs, 0, mid)).toBeCloseTo(1 - before, 12)
        },
      })
      expect(picked).toBeGreaterThan(0)
    })

    it.each([
      ['more legs than there are draws for', '1 to 16 legs can be drawn', (intent, desk) => void desk.pickLegs(intent, 17, 0, 1)],
      ['a leg that no intent has', 'an intent has no leg 50', (intent) => intent.setLeg(50, 0, Side.yes)],
      ['a side that is none', 'a leg has a Side', (intent) => intent.setSide(0, 2)],
      ['a commit without a request', 'there is no open request to commit', (intent, desk) => desk.commit(intent)],
      ['a decision in the past', 'a delay is a whole number', (intent, desk) => desk.requestQuote(intent, { betMicros: 1e7, minOddsE4: 10_001, decideInUs: -1 })],
      ['a copy of an intent', 'no intent that a handler was given', (intent, desk) => desk.wait({ ...intent }, 0)],
      ['a price of no kind', NO_KIND, (intent, desk) => void desk.price(intent.legs, ASKS)],
      ['a leg’s price of no kind', NO_KIND, (intent, desk) => void desk.legPrice(intent.legs, 0, ASKS)],
      ['a second request', 'an intent makes one request', (intent, desk) => {
        desk.requestQuote(intent, { betMicros: 1e7, minOddsE4: 10_001, decideInUs: 1 })
        desk.requestQuote(intent, { betMicros: 1e7, minOddsE4: 10_001, decideInUs: 1 })
      }],
    ] as [string, string, (intent: IntentView, desk: BettorDesk) => void][])('refuses %s, and goes on', (_name, message, act) => {
      const refusals: string[] = []
      played({
        onArrival(intent, desk) {
          intent.setLeg(0, 0, Side.yes)
          intent.setLegCount(1)
          refusals.push(refusalOf(() => { act(intent, desk) }))
        },
      })
      expect(refusals.length).toBeGreaterThan(0)
      for (const refusal of refusals) expect(refusal).toContain(message)
    })

    it('asks for a decision when its time has come, and counts the calls', () => {
      const askedAtUs = new Map<number, number>()
      let decisions = 0
      played({
        onArrival(intent, desk) {
          askedAtUs.set(intent.arrival, desk.nowUs)
          asking.onArrival(intent, desk)
        },
        onDecision(intent, desk) {
          decisions++
          expect(desk.nowUs).toBeGreaterThanOrEqual(askedAtUs.get(intent.arrival)! + 1_000_000)
          expect([intent.betMicros, intent.minOddsE4]).toEqual([10_000_000, 10_001])
          expect(intent.decisions).toBe(1)
          if (isKnown(intent.bestOddsE4)) expect(intent.bestOddsE4).toBeGreaterThan(10_000)
        },
      })
      expect(decisions).toBeGreaterThan(0)
    })

    it('shows a position that opened, and auctions it', () => {
      const heard = new Set<string>()
      let kept: HoldingView | undefined
      played({
        onOpened(holding, desk) {
          heard.add('opened')
          kept = holding
          checkLegs(holding.legs)
          expect([holding.canCashOut, holding.isAuctioned, holding.auctions, holding.costMicros]).toEqual([true, false, 0, 10_000_000])
          expect(holding.netStakeMicros).toBeLessThanOrEqual(holding.costMicros)
          expect(holding.payoutMicros).toBeGreaterThan(holding.netStakeMicros)
          expect(holding.bestPriceMicros).toBeNaN()
          expect(desk.positionValue(holding, 0.5)).toBe(holding.payoutMicros / 2)
          expect(refusalOf(() => desk.positionValue(holding, ASKS))).toBe(NO_KIND)
          expect(refusalOf(() => { desk.takeBid(holding, 1) })).toContain('there is no auction of the position')
          expect(refusalOf(() => { desk.checkIn({ ...holding }, 0) })).toContain('no holding that a handler was given')
          desk.openCashOut(holding)
          expect([holding.canCashOut, holding.askedAtUs]).toEqual([false, desk.nowUs])
          expect(refusalOf(() => { desk.openCashOut(holding) })).toContain('an auction of the position is under way')
          expect(refusalOf(() => { desk.cancelCashOut(holding) })).toContain('there is no auction of the position')
        },
        onBid(holding, desk) {
          heard.add('bid')
          if (!holding.isAuctioned || !isKnown(holding.bestPriceMicros)) return
          expect(holding.auctions).toBeGreaterThan(0)
          expect(refusalOf(() => { desk.takeBid(holding, 0) })).toContain('a lowest price is a whole number')
          desk.takeBid(holding, 1)
          expect(holding.isAuctioned).toBe(false)
        },
        onAuctionEnded(holding, outcome) {
          heard.add('ended')
          const isSold = outcome === AuctionOutcome.sold
          expect([holding.canCashOut, holding.isAuctioned, isKnown(holding.bestPriceMicros)]).toEqual([!isSold, false, isSold])
        },
      })
      expect([...heard].toSorted()).toEqual(['bid', 'ended', 'opened'])
      expect(refusalOf(() => kept!.position)).toMatch(HIDDEN)
      expect(refusalOf(() => kept!.legs.count)).toMatch(HIDDEN)
    })
  })
}
