import { describe, expect, it } from 'vitest'
import {
  Action, isKnown, type LegsView, maker, type MakerDesk, type MakerHandlers, type MakerStrategy, pct, Refusal, type RequestView, type SelectionView,
} from '../../src/index.ts'
import { ASKS, checkDepth, checkLegs, checkNames, checkNoMarkets, HIDDEN, missing, NO_KIND, noting, pricesOf, product, refusalOf, triedOnce } from './contractChecks.ts'
import { CAPITAL, type MakerCase, type MakerWorld, PROBABILITY } from './makerCase.ts'
import { describeMakerPositions } from './makerPositionsContract.ts'

const EVER = { priceType: 'ask', maxAgeUs: 1e15 } as const

/** Every member of the interfaces. Each is asked for by a test below, or the last test fails. */
const MAKER_DESK: Readonly<Record<keyof MakerDesk, true>> = {
  name: true, nowUs: true, freeMicros: true, capitalMicros: true, openPositions: true, openRiskMicros: true, heldPositions: true, heldCostMicros: true,
  price: true, winProbability: true, legPrice: true, legDepth: true, depth: true, priceAgeUs: true, category: true, event: true, game: true, gameCategory: true,
  market: true,
  netLegRisk: true, exposure: true, riskOf: true, breakEvenPrice: true, positionValue: true, quote: true, withdrawQuote: true, pass: true, later: true,
  confirm: true, decline: true, decideLater: true, bid: true, openCashOut: true, takeBid: true, cancelCashOut: true, checkIn: true, layOff: true, log: true,
  after: true, watch: true, watchPosition: true,
}
const MAKER_HANDLERS: Readonly<Record<keyof MakerHandlers, true>> = {
  state: true, adopt: true, onRequest: true, onLater: true, onBest: true, onSelected: true, onDecision: true, onAck: true, onOpened: true, onSettled: true,
  onCashOut: true, onBestBid: true, onBidTaken: true, onBought: true, onCheck: true, onBid: true, onAuctionEnded: true, onCashOutRefused: true,
  onStart: true, onEnd: true, onTimer: true, onRequestEnded: true, onPrice: true, onPositionPrice: true,
}

/** Requests, what is known of their legs, and when they come again. */
function describeRequests({ played, facts, namesOf, touchOf }: MakerCase): void {
  it('shows requests as they stand, and prices of their legs', async () => {
    let count = 0
    await played({
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
        expect(() => desk.price(request.legs, { ...EVER, maxAgeUs: -1 })).toThrow('maxAgeUs is a number of µs from 0 on, not -1')
        expect(desk.riskOf(request, 0.25)).toBe(3 * request.netStakeMicros)
        desk.log('a line')
        desk.log('a line', { fair: 0.5 })
        for (let i = 0; i < request.legs.count; i++) expect(desk.priceAgeUs(request.legs, i)).toBeGreaterThanOrEqual(0)
      },
    })
    expect(count).toBeGreaterThan(0)
  })

  it('knows what the list says about a leg’s market, and what has reached it of the touch', async () => {
    const said = (column: Int32Array, market: number): number => (column[market]! < 0 ? NaN : column[market]!)
    let count = 0
    await played({
      onRequest({ legs }, desk) {
        for (let i = 0; i < legs.count; i++) {
          count++
          const market = legs.market(i)
          expect([desk.category(legs, i), desk.event(legs, i), desk.game(legs, i), desk.gameCategory(legs, i)])
            .toEqual([said(facts.category, market), said(facts.event, market), said(facts.game, market), said(facts.gameCategory, market)])
          const touch = touchOf(market, legs.side(i), desk.nowUs)
          expect(desk.legPrice(legs, i, EVER)).toBeCloseTo(touch.price, 12)
          checkDepth(desk, market, (side) => touchOf(market, side, desk.nowUs))
          expect([desk.legDepth(legs, i), desk.priceAgeUs(legs, i)]).toEqual([touch.depth, isKnown(touch.atUs) ? desk.nowUs - touch.atUs : Infinity])
        }
        for (const about of ['category', 'event', 'game', 'gameCategory', 'legDepth', 'netLegRisk', 'priceAgeUs'] as const) {
          expect(refusalOf(() => desk[about](legs, legs.count))).toContain('there is no leg')
        }
        expect(desk.winProbability(legs, EVER)).toBe(desk.price(legs, EVER))
      },
    })
    expect(count).toBeGreaterThan(0)
  })

  it('says what the list calls the markets of legs, or refuses by name where nobody tells it', async () => {
    let count = 0
    await played({
      onRequest({ legs }, desk) {
        for (const market of legs.markets) {
          count++
          if (namesOf !== null) checkNames(desk, market, namesOf(market))
          else expect(refusalOf(() => desk.market(market))).toContain('desk.market: no service tells the client of a maker')
        }
        if (namesOf !== null) checkNoMarkets(desk)
      },
    })
    expect(count).toBeGreaterThan(0)
  })

  it('shows a request again after a time', async () => {
    const asked: number[][] = []
    const came: number[][] = []
    const said = ({ request, version, expiresAtUs, betMicros, netStakeMicros, legs }: RequestView): number[] => [request, version, expiresAtUs, betMicros, netStakeMicros, ...legs.markets, ...legs.sides]
    await played({
      onRequest(request, desk) {
        asked.push([desk.nowUs + 250_000, ...said(request)])
        desk.later(request, 250_000)
      },
      onLater(request, desk) {
        expect(request.deliveredAtUs).toBe(desk.nowUs)
        came.push([desk.nowUs, ...said(request)])
      },
    })
    expect(came.length).toBeGreaterThan(0)
    expect(asked).toEqual(expect.arrayContaining(came))
  })
}

/** The session itself, and times that no request stands behind. */
function describeSession({ played }: MakerCase): void {
  it('tells that the session begins before all else, and that it is over after all else, when nothing can be sent', async () => {
    const told: string[] = []
    await played({
      onStart(desk) {
        told.push('start')
        expect([desk.freeMicros, desk.openPositions]).toEqual([CAPITAL, 0])
        desk.log('begun')
      },
      onRequest: () => void told.push('request'),
      onEnd(desk) {
        told.push('end')
        desk.log('ended', { capital: desk.capitalMicros })
        for (const sent of [() => desk.withdrawQuote(1), () => desk.after(1), () => desk.pass('no')]) expect(refusalOf(sent)).toBe('nothing can be sent in onEnd: the session is over')
      },
    })
    expect([told[0], told.at(-1), told.filter((what) => what !== 'request').length, told.length > 2]).toEqual(['start', 'end', 2, true])
  })

  it('calls at the times that were asked for, to the microsecond, each with its number', async () => {
    const asked: number[][] = []
    const came: number[][] = []
    await played({
      onStart(desk) {
        for (const [delayUs, tag] of [[0, 7], [1, undefined], [250_000, -3]] as const) {
          asked.push([desk.nowUs + delayUs, tag ?? 0])
          desk.after(delayUs, tag)
        }
        for (const wrong of [-1, 0.5, NaN]) expect(refusalOf(() => desk.after(wrong))).toContain('a delay is a whole number')
        expect(refusalOf(() => desk.after(1, 0.5))).toBe('a tag is a whole number, not 0.5')
      },
      onTimer(tag, desk) {
        came.push([desk.nowUs, tag])
        if (tag !== 7) return
        asked.push([desk.nowUs + 3_000_001, 8])
        desk.after(3_000_001, 8)
      },
    })
    expect(came.length).toBe(4)
    expect(came).toEqual(asked.toSorted((a, b) => a[0]! - b[0]!))
  })
}

/** The ends of requests, as far as they are told. */
function describeEnds({ played }: MakerCase): void {
  it('tells of each request that its time is over, once and at that time, whatever became of it', async () => {
    const told = new Map<number, number>()
    const over: number[][] = []
    let [endUs, opened] = [0, 0]
    await played({
      onRequest(request, desk) {
        expect(told.has(request.request)).toBe(false)
        told.set(request.request, Math.max(request.expiresAtUs, desk.nowUs))
        desk.quote(request, { probability: PROBABILITY, validUs: 20_000_000 })
      },
      onOpened: () => void opened++,
      onRequestEnded(request, desk) {
        expect([request.deliveredAtUs, request.bestOddsE4, request.version]).toEqual([desk.nowUs, NaN, 1])
        checkLegs(request.legs)
        over.push([request.request, desk.nowUs])
      },
      onEnd: (desk) => { endUs = desk.nowUs },
    })
    expect(Math.min(over.length, opened)).toBeGreaterThan(0)
    const byNumber = (rows: readonly (readonly number[])[]): (readonly number[])[] => rows.toSorted((a, b) => a[0]! - b[0]!)
    expect(byNumber(over)).toEqual(byNumber([...told].filter(([, atUs]) => atUs <= endUs)))
  })
}

/** Moves of prices. */
function describePrices({ played }: MakerCase): void {
  const LEAST = { priceType: 'ask', movedBy: 0.000001 } as const
  const FAR = { priceType: 'ask', movedBy: 1 } as const

  it('tells of a leg of a request and of a position that has moved, and of no other', async () => {
    const before = new Map<string, readonly number[]>()
    const told = { requests: 0, backed: 0, held: 0 }
    const asks = (legs: LegsView, desk: MakerDesk): number[] => pricesOf(legs, (i) => desk.legPrice(legs, i, EVER))
    const hasMoved = (key: string, legs: LegsView, desk: MakerDesk): void => {
      expect(asks(legs, desk)).not.toEqual(before.get(key))
      expect(before.has(key)).toBe(true)
    }
    await played({
      onRequest(request, desk) {
        before.set(`request ${request.request}`, asks(request.legs, desk))
        for (const wrong of [0, -0.1, NaN, 1.01]) expect(refusalOf(() => desk.watch(request, { ...LEAST, movedBy: wrong }))).toBe(`movedBy is a probability from 0.000001 to 1, not ${wrong}`)
        expect(refusalOf(() => desk.watch(request, { ...LEAST, priceType: 'asks' as 'ask' }))).toBe('a priceType is bid, mid or ask')
        expect(refusalOf(() => desk.watch(request, { ...LEAST, moveBy: 1 } as never))).toBe('there is no option moveBy; did you mean movedBy?')
        desk.watch(request, LEAST)
        desk.watch(request, FAR)
        desk.quote(request, { probability: PROBABILITY, validUs: 20_000_000 })
      },
      onPrice(request, desk) {
        told.requests++
        expect(desk.nowUs).toBeLessThan(request.expiresAtUs)
        expect(request.deliveredAtUs).toBe(desk.nowUs)
        hasMoved(`request ${request.request}`, request.legs, desk)
      },
      onOpened(position, desk) {
        before.set(`backed ${position.position}`, asks(position.legs, desk))
        desk.watchPosition(position, LEAST)
      },
      onCashOut: (auction, desk) => desk.bid(auction, { priceMicros: auction.maxPriceMicros, validUs: 5_000_000 }),
      onBought(position, desk) {
        before.set(`held ${position.position}`, asks(position.legs, desk))
        desk.watchPosition(position, LEAST)
      },
      onPositionPrice(position, desk) {
        const kind = position.isHolder ? 'held' : 'backed'
        told[kind]++
        hasMoved(`${kind} ${position.position}`, position.legs, desk)
      },
      onSettled: (position, desk) => { expect(refusalOf(() => desk.watchPosition(position, LEAST))).toBe('the position has ended') },
    })
    expect(Math.min(told.requests, told.backed, told.held)).toBeGreaterThan(0)
  })
}

/** Quotes, their answers, and requests without one. */
function describeQuotes({ played, uncalled }: MakerCase): void {
  it('tells of nothing that it lets go by', async () => {
    const heard: string[] = []
    await played({ onRequest: (_request, desk) => { heard.push('request'); desk.pass('none of ours') }, onAck: () => void heard.push('ack'), onSelected: () => void heard.push('selected') })
    expect(new Set(heard)).toEqual(new Set(['request']))
  })

  it('answers quotes and withdrawals, and tells of the best quote', async () => {
    const answered = new Set<string>()
    let bests = 0
    await played({
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

/** Withdrawals, each of which is answered. */
function describeWithdrawals({ played }: MakerCase): void {
  it('ends a quote once, says which, and refuses to end what is no more', async () => {
    const quotes = new Map<number, number>()
    const said: Record<number, Refusal[]> = {}
    await played({
      onRequest(request, desk) {
        desk.quote(request, { probability: PROBABILITY, validUs: 20_000_000 })
        desk.later(request, 500_000)
      },
      onLater(request, desk) {
        desk.withdrawQuote(request)
        desk.withdrawQuote(request.request)
      },
      onAck(ack) {
        if (ack.action === Action.submitQuote && ack.refusal === Refusal.none) quotes.set(ack.request, ack.quote)
        if (ack.action !== Action.withdrawQuote) return
        ;(said[ack.request] ??= []).push(ack.refusal)
        if (ack.refusal === Refusal.none) expect(ack.quote).toBe(quotes.get(ack.request))
      },
    })
    expect(quotes.size).toBeGreaterThan(0)
    for (const request of quotes.keys()) expect(said[request]).toEqual([Refusal.none, Refusal.quoteGone])
  })

  it('refuses to end a quote that was never made', async () => {
    const said: Refusal[] = []
    await played({
      onRequest: (request, desk) => { desk.withdrawQuote(request) },
      onAck: ({ action, refusal }) => { if (action === Action.withdrawQuote) said.push(refusal) },
    })
    expect(new Set(said)).toEqual(new Set([Refusal.quoteGone]))
  })
}

/** How a maker begins. */
function describeStart({ play, played }: MakerCase): void {
  it('is made with a frozen seat and frozen parameters', async () => {
    const frozen: boolean[] = []
    await play(maker({ share: pct(5) }, (p, seat) => {
      frozen.push(...[p, seat, seat.random].map((given) => Object.isFrozen(given)))
      return {}
    }) as unknown as MakerStrategy)
    expect(new Set(frozen)).toEqual(new Set([true]))
  })

  it('begins with its capital and nothing at risk', async () => {
    const seen: unknown[] = []
    await played({ onRequest: (request, desk) => void seen.push([desk.name, desk.freeMicros, desk.capitalMicros, desk.openPositions, desk.heldPositions, desk.exposure(request.legs).worst]) })
    expect(seen[0]).toEqual(['maker', CAPITAL, CAPITAL, 0, 0, 0])
  })
}

/** Calls that are refused. */
function describeRefusals({ played }: MakerCase): void {
  const cases: readonly (readonly [name: string, message: string, act: (request: RequestView, desk: MakerDesk) => void])[] = [
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
  ]
  const tried = triedOnce(cases, async (attempt) => {
    await played({ onRequest: (request, desk) => { attempt((act) => { act(request, desk) }) } })
  })

  it.each(cases)('refuses %s, and goes on', async (name, message) => {
    const refusals = (await tried()).get(name)!
    expect(refusals.length).toBeGreaterThan(0)
    for (const refusal of refusals) expect(refusal).toContain(message)
  })
}

/** Last looks. */
function describeLastLooks({ played }: MakerCase): void {
  it('opens nothing that the maker declines', async () => {
    const heard: string[] = []
    await played({
      onSelected: (selection, desk) => { heard.push('selected'); desk.decline(selection) },
      onOpened: () => void heard.push('opened'),
    })
    expect(new Set(heard)).toEqual(new Set(['selected']))
  })

  it('asks for a last look within its window, at what was quoted', async () => {
    let count = 0
    await played({
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

  it('decides later, about the same selection', async () => {
    const put: number[][] = []
    const came: number[][] = []
    const said = ({ request, version, quote, deadlineAtUs, oddsE4, riskMicros, payoutMicros, legs }: SelectionView): number[] =>
      [request, version, quote, deadlineAtUs, oddsE4, riskMicros, payoutMicros, ...legs.markets, ...legs.sides]
    await played({
      onSelected(selection, desk) {
        put.push([desk.nowUs + 100, ...said(selection)])
        desk.decideLater(selection, 100)
      },
      onDecision(selection, desk) {
        came.push([desk.nowUs, ...said(selection)])
        desk.confirm(selection)
      },
    })
    expect(came.length).toBeGreaterThan(0)
    expect(put).toEqual(expect.arrayContaining(came))
  })
}

/** Views, which hold during a handler. */
function describeViews({ played }: MakerCase): void {
  it('shows a view during its handler only, though a later one may get the same view, and writes nothing on it', async () => {
    const kept: (RequestView | SelectionView)[] = []
    const said = new Set<string>()
    await played({
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
 * sold again. It has an account on another service, which takes what it lays off. Where `world` says that it cannot sell or lay off, the contract
 * asks what it is told instead.
 */
export function expectMakerDesk(name: string, world: MakerWorld, play: (strategy: MakerStrategy) => void | Promise<void>): void {
  const used = new Set<string>()
  const played = async (handlers: MakerHandlers): Promise<void> => {
    await play(maker({}, () => noting<MakerHandlers>({ onRequest: (request, desk) => desk.quote(request, { probability: PROBABILITY, validUs: 20_000_000 }), ...handlers }, used)) as unknown as MakerStrategy)
  }
  const tested: MakerCase = { endsKept: false, canLayOff: true, tellsPrices: true, ...world, play, played }

  describe(`the desk of a maker: ${name}`, () => {
    describeRequests(tested)
    describeSession(tested)
    describeEnds(tested)
    if (tested.tellsPrices) describePrices(tested)
    describeQuotes(tested)
    describeWithdrawals(tested)
    describeStart(tested)
    describeRefusals(tested)
    describeLastLooks(tested)
    describeMakerPositions(tested)
    describeViews(tested)

    // `adopt` is called by a change in the middle of a run alone (test/diff).
    it('has no member and no handler that these tests leave out', ({ task, skip }) => {
      if (task.suite!.tasks.some(({ mode }) => mode === 'skip')) skip('some of the tests were not run')
      expect(missing([MAKER_DESK, MAKER_HANDLERS], used)).toEqual([...(tested.tellsPrices ? [] : ['watch', 'watchPosition']), 'adopt', ...world.uncalled, ...(tested.tellsPrices ? [] : ['onPrice', 'onPositionPrice'])])
    })
  })
}
