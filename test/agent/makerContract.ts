import { describe, expect, it } from 'vitest'
import type { MarketFacts } from '../../src/market/marketFacts.ts'
import {
  Action, AuctionOutcome, isKnown, maker, type MakerDesk, type MakerHandlers, type MakerStrategy, pct, type PositionView, Refusal, type RequestView, type SelectionView,
  Side,
} from '../../src/index.ts'
import { ASKS, checkLegs, HIDDEN, missing, NO_KIND, noting, pricesOf, product, refusalOf } from './contractChecks.ts'

export const CAPITAL = 100_000_000_000
const PROBABILITY = 0.1
const EVER = { priceType: 'ask', maxAgeUs: 1e15 } as const

/** Every member of the interfaces. Each is asked for by a test below, or the last test fails. */
const MAKER_DESK: Readonly<Record<keyof MakerDesk, true>> = {
  name: true, nowUs: true, freeMicros: true, capitalMicros: true, openPositions: true, openRiskMicros: true, heldPositions: true, heldCostMicros: true,
  price: true, winProbability: true, legPrice: true, legDepth: true, priceAgeUs: true, category: true, event: true, game: true, gameCategory: true,
  netLegRisk: true, exposure: true, riskOf: true, breakEvenPrice: true, positionValue: true, quote: true, withdrawQuote: true, pass: true, later: true,
  confirm: true, decline: true, decideLater: true, bid: true, openCashOut: true, takeBid: true, cancelCashOut: true, checkIn: true, layOff: true,
}
const MAKER_HANDLERS: Readonly<Record<keyof MakerHandlers, true>> = {
  state: true, onRequest: true, onLater: true, onBest: true, onSelected: true, onDecision: true, onAck: true, onOpened: true, onSettled: true,
  onCashOut: true, onBestBid: true, onBidTaken: true, onBought: true, onCheck: true, onBid: true, onAuctionEnded: true, onCashOutRefused: true,
}

/** What the world of a maker is, as far as the desk cannot say it. */
export interface MakerWorld {
  /** What the public list says about markets, by number. */
  readonly facts: MarketFacts
  /** Contracts at every touch; NaN: unknown. */
  readonly depth: number
  /** Handlers that the service never calls. */
  readonly uncalled: readonly (keyof MakerHandlers)[]
}

interface MakerCase extends MakerWorld {
  readonly play: (strategy: MakerStrategy) => void
  /** Plays a maker of these handlers, which quotes whatever it is shown. */
  readonly played: (handlers: MakerHandlers) => void
}

/** Requests, what is known of their legs, and when they come again. */
function describeRequests({ played, facts, depth }: MakerCase): void {
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

  it('knows what the list says about a leg’s market, and what is offered at its touch', () => {
    const said = (column: Int32Array, market: number): number => (column[market]! < 0 ? NaN : column[market]!)
    let count = 0
    played({
      onRequest({ legs }, desk) {
        for (let i = 0; i < legs.count; i++) {
          count++
          const market = legs.market(i)
          expect([desk.category(legs, i), desk.event(legs, i), desk.game(legs, i), desk.gameCategory(legs, i)])
            .toEqual([said(facts.category, market), said(facts.event, market), said(facts.game, market), said(facts.gameCategory, market)])
          expect(desk.legDepth(legs, i)).toBe(depth)
        }
        for (const about of ['category', 'event', 'game', 'gameCategory', 'legDepth', 'netLegRisk', 'priceAgeUs'] as const) {
          expect(refusalOf(() => desk[about](legs, legs.count))).toContain('there is no leg')
        }
        expect(desk.winProbability(legs, EVER)).toBe(desk.price(legs, EVER))
      },
    })
    expect(count).toBeGreaterThan(0)
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
}

/** Quotes, their answers, and requests without one. */
function describeQuotes({ played, uncalled }: MakerCase): void {
  it('tells of nothing that it lets go by', () => {
    const heard: string[] = []
    played({ onRequest: (_request, desk) => { heard.push('request'); desk.pass('none of ours') }, onAck: () => void heard.push('ack'), onSelected: () => void heard.push('selected') })
    expect(new Set(heard)).toEqual(new Set(['request']))
  })

  it('answers quotes and withdrawals, and tells of the best quote', () => {
    const answered = new Set<string>()
    let bests = 0
    played({
      state: { quoted: 0 },
      onRequest(request, desk) {
        const state = this.state as unknown as { quoted: number }
        state.quoted++
        desk.quote(request, { probability: PROBABILITY, validUs: 20_000_000 })
        if (state.quoted % 2 === 0) desk.later(request, 100_000)
      },
      onLater: (request, desk) => desk.withdrawQuote(request.request),
      onBest(request, desk) {
        bests++
        expect(request.deliveredAtUs).toBe(desk.nowUs)
        expect(isKnown(request.bestOddsE4) ? request.bestOddsE4 : 20_000).toBeGreaterThan(10_000)
      },
      onAck(ack, desk) {
        expect([ack.deliveredAtUs, isKnown(ack.request), ack.auction]).toEqual([desk.nowUs, true, NaN])
        if (ack.refusal !== Refusal.none) return
        expect(ack.retryAfterUs).toBeNaN()
        answered.add(Object.keys(Action).find((key) => Action[key as keyof typeof Action] === ack.action)!)
      },
    })
    expect(answered).toContain('submitQuote')
    expect(answered).toContain('withdrawQuote')
    if (!uncalled.includes('onBest')) expect(bests).toBeGreaterThan(0)
  })
}

/** How a maker begins. */
function describeStart({ play, played }: MakerCase): void {
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
}

/** Calls that are refused. */
function describeRefusals({ played }: MakerCase): void {
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
}

/** Last looks. */
function describeLastLooks({ played }: MakerCase): void {
  it('opens nothing that the maker declines', () => {
    const heard: string[] = []
    played({
      onSelected: (selection, desk) => { heard.push('selected'); desk.decline(selection) },
      onOpened: () => void heard.push('opened'),
    })
    expect(new Set(heard)).toEqual(new Set(['selected']))
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
}

/** Positions that the maker backs. */
function describeFills({ played }: MakerCase): void {
  it('books fills and their ends before it tells of them', () => {
    const risks = new Map<number, number>()
    /** What is at risk on YES of each market, less what is on NO. */
    const nets = new Map<number, number>()
    let profitMicros = 0
    let ends = 0
    const add = ({ legs }: PositionView, riskMicros: number): void => {
      for (let i = 0; i < legs.count; i++) nets.set(legs.market(i), (nets.get(legs.market(i)) ?? 0) + (legs.side(i) === Side.yes ? riskMicros : -riskMicros))
    }
    const total = (): number => [...risks.values()].reduce((so, risk) => so + risk, 0)
    const check = (position: PositionView, desk: MakerDesk): void => {
      expect([desk.openPositions, desk.openRiskMicros, desk.capitalMicros, desk.freeMicros])
        .toEqual([risks.size, total(), CAPITAL + profitMicros, CAPITAL + profitMicros - total()])
      expect(desk.exposure(position.legs).total).toBe(total())
      expect([desk.heldPositions, desk.heldCostMicros]).toEqual([0, 0])
      for (let i = 0; i < position.legs.count; i++) {
        const net = nets.get(position.legs.market(i))!
        expect(desk.netLegRisk(position.legs, i)).toBe(position.legs.side(i) === Side.yes ? net : 0 - net)
      }
    }
    played({
      onOpened(position, desk) {
        expect([position.profitMicros, position.payoutMicros, position.isHolder]).toEqual([0, position.netStakeMicros + position.riskMicros, false])
        risks.set(position.position, position.riskMicros)
        add(position, position.riskMicros)
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
        add(position, -position.riskMicros)
        profitMicros += position.profitMicros
        check(position, desk)
      },
    })
    expect(ends).toBeGreaterThan(0)
  })

  it('lays off what the maker backs', () => {
    const taken = new Set<boolean>()
    const terms = { betMicros: 10_000_000, minOddsE4: 10_001, decideInUs: 1_000_000 }
    played({
      onOpened(position, desk) {
        expect(refusalOf(() => desk.layOff(position, { ...terms, betMicros: 0 }))).toContain('a bet is a whole number')
        expect(refusalOf(() => desk.layOff(position, { ...terms, minOddsE4: 10_000 }))).toContain('lowest odds are a whole number')
        expect(refusalOf(() => desk.layOff(position, { ...terms, decideInUs: -1 }))).toContain('a delay is a whole number')
        taken.add(desk.layOff(position, terms))
      },
    })
    expect(taken).toEqual(new Set([true]))
  })
}

/** Auctions of others, and positions that the maker takes over in them. */
function describeAuctions({ played }: MakerCase): void {
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
}

/** Positions that the maker took over, from their purchase to their sale. */
function describeHeldPositions({ played, uncalled }: MakerCase): void {
  it('holds what the maker buys, and sells it again', () => {
    const heard = new Set<string>()
    const costs = new Map<number, number>()
    let profitMicros = 0
    const check = (desk: MakerDesk): void => {
      const held = [...costs.values()].reduce((so, cost) => so + cost, 0)
      expect([desk.heldPositions, desk.heldCostMicros, desk.capitalMicros, desk.freeMicros]).toEqual([costs.size, held, CAPITAL + profitMicros, CAPITAL + profitMicros - held])
    }
    const ended = (position: PositionView, desk: MakerDesk): void => {
      costs.delete(position.position)
      profitMicros += position.profitMicros
      check(desk)
    }
    played({
      onRequest: (_request, desk) => desk.pass('only buys'),
      onCashOut(auction, desk) {
        if (!auction.isSeller && !auction.isBackingMaker) desk.bid(auction, { probability: 0.9, validUs: 20_000_000 })
      },
      onBestBid(auction) {
        heard.add('best bid')
        if (isKnown(auction.bestPriceMicros)) expect(auction.bestPriceMicros).toBeLessThanOrEqual(auction.payoutMicros)
      },
      onAck(ack) {
        if (ack.action !== Action.submitBid || ack.refusal !== Refusal.none) return
        heard.add('answer')
        expect([isKnown(ack.auction), ack.request]).toEqual([true, NaN])
      },
      onBidTaken(selection, desk) {
        heard.add('taken')
        expect([isKnown(selection.position), selection.oddsE4]).toEqual([true, NaN])
        expect(selection.quotedProbability).toBeCloseTo(selection.riskMicros / selection.payoutMicros, 12)
        expect(refusalOf(() => { desk.decideLater(selection, 1) })).toContain('a taken bid is decided while it is being shown')
        desk.confirm(selection)
      },
      onBought(position, desk) {
        heard.add('bought')
        costs.set(position.position, position.costMicros)
        check(desk)
        expect([position.isHolder, position.oddsE4, position.canCashOut, position.isAuctioned, position.checks]).toEqual([true, NaN, true, false, 0])
        expect(desk.positionValue(position, 1)).toBeLessThanOrEqual(position.payoutMicros)
        expect(refusalOf(() => desk.layOff(position, { betMicros: 1, minOddsE4: 20_000, decideInUs: 0 }))).toContain('only a position that the maker backs')
        for (const act of [() => { desk.takeBid(position, 1) }, () => { desk.cancelCashOut(position) }]) expect(refusalOf(act)).toContain('there is no auction of the position')
        desk.checkIn(position, 500_000)
      },
      onCheck(position, desk) {
        heard.add('checked')
        expect(position.checks).toBe(1)
        desk.openCashOut(position)
        expect([position.canCashOut, position.askedAtUs]).toEqual([false, desk.nowUs])
        expect(refusalOf(() => { desk.openCashOut(position) })).toContain('an auction of the position is under way')
      },
      onBid(position, desk) {
        heard.add('bid')
        if (!position.isAuctioned || !isKnown(position.bestPriceMicros)) return
        expect(refusalOf(() => { desk.takeBid(position, 0) })).toContain('a lowest price is a whole number')
        if (position.position % 2 === 0) desk.cancelCashOut(position)
        else desk.takeBid(position, position.payoutMicros)
      },
      onCashOutRefused(position, refusal, desk) {
        heard.add('refused')
        expect([Action.openCashOut, Action.takeBid, Action.cancelCashOut]).toContain(refusal.action)
        expect(refusal.refusal).not.toBe(Refusal.none)
        if (refusal.action === Action.takeBid && position.isAuctioned) desk.takeBid(position, 1)
      },
      onAuctionEnded(position, outcome, desk) {
        expect(position.isAuctioned).toBe(false)
        if (outcome === AuctionOutcome.cancelled) heard.add('cancelled')
        if (outcome !== AuctionOutcome.sold) return
        heard.add('sold')
        expect(position.profitMicros).toBe(position.bestPriceMicros - position.costMicros)
        ended(position, desk)
      },
      onSettled: ended,
    })
    const never = [...(uncalled.includes('onBestBid') ? ['best bid'] : []), ...(uncalled.includes('onBidTaken') ? ['taken'] : [])]
    const all = ['answer', 'best bid', 'bid', 'bought', 'cancelled', 'checked', 'refused', 'sold', 'taken']
    expect([...heard].toSorted()).toEqual(all.filter((what) => !never.includes(what)))
  })
}

/** Views, which hold during a handler. */
function describeViews({ played }: MakerCase): void {
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
}

/**
 * `play` has the strategy make a market named `maker` with CAPITAL: it is shown requests whose legs have prices, and of what it quotes some is
 * chosen, fills if it confirms, is auctioned by its holder, and ends. Positions of others are auctioned too, and one that it takes over can be
 * sold again. It has an account on another service, which takes what it lays off.
 */
export function expectMakerDesk(name: string, world: MakerWorld, play: (strategy: MakerStrategy) => void): void {
  const used = new Set<string>()
  const played = (handlers: MakerHandlers): void => {
    play(maker({}, () => noting<MakerHandlers>({ onRequest: (request, desk) => desk.quote(request, { probability: PROBABILITY, validUs: 20_000_000 }), ...handlers }, used)) as unknown as MakerStrategy)
  }
  const tested: MakerCase = { ...world, play, played }

  describe(`the desk of a maker: ${name}`, () => {
    describeRequests(tested)
    describeQuotes(tested)
    describeStart(tested)
    describeRefusals(tested)
    describeLastLooks(tested)
    describeFills(tested)
    describeAuctions(tested)
    describeHeldPositions(tested)
    describeViews(tested)

    it('has no member and no handler that these tests leave out', ({ task, skip }) => {
      if (task.suite!.tasks.some(({ mode }) => mode === 'skip')) skip('some of the tests were not run')
      expect(missing([MAKER_DESK, MAKER_HANDLERS], used)).toEqual(world.uncalled)
    })
  })
}
