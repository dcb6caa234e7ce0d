import { describe, expect, it } from 'vitest'
import {
  Action, AuctionOutcome, bettor, type BettorDesk, type BettorHandlers, type BettorStrategy, type HoldingView, type IntentView, isKnown, Refusal, Side,
} from '../../src/index.ts'
import { checkDepth, ASKS, checkLegs, checkNoMarkets, HIDDEN, missing, NO_KIND, noting, pricesOf, product, refusalOf, triedOnce } from './contractChecks.ts'

/** Every member of the interfaces. Each is asked for by a test below, or the last test fails. */
const BETTOR_DESK: Readonly<Record<keyof BettorDesk, true>> = {
  nowUs: true, takerFeeBps: true, uniform: true, normal: true, price: true, legPrice: true, depth: true, futurePrice: true, expectedPayout: true, pickLegs: true,
  requestQuote: true, commit: true, cancelRequest: true, wait: true, checkIn: true, openCashOut: true, takeBid: true, cancelCashOut: true, log: true,
  watch: true, market: true, freeMicros: true,
}
const BETTOR_HANDLERS: Readonly<Record<keyof BettorHandlers, true>> = {
  onArrival: true, onDecision: true, onRefused: true, onOpened: true, onCheck: true, onListened: true, onBid: true, onAuctionEnded: true,
  onCashOutRefused: true, onStart: true, onEnd: true, onPrice: true, onSettled: true,
}

interface BettorCase {
  /** Plays a bettor of these handlers, which bets on two legs and commits what is good enough. */
  readonly played: (handlers: Partial<BettorHandlers>, more?: { horizonUs?: () => number }) => Promise<void>
  /** Whether a strategy may look ahead. */
  readonly hasOracle: boolean
  /** Whether a move of a price is told. */
  readonly tellsPrices: boolean
  /** Whether what bets brought is told. */
  readonly tellsSettlements: boolean
  /** Checks what the desk says that the list calls a market that is live. */
  readonly checkMarket: (desk: BettorDesk, market: number) => void
  /** A number above those of all markets. */
  readonly noMarket: number
}

const asking: BettorHandlers = {
  onArrival(intent, desk) {
    if (desk.pickLegs(intent, 2, 0.05, 1e15)) desk.requestQuote(intent, { betMicros: 10_000_000, minOddsE4: 10_001, decideInUs: 1_000_000 })
  },
  onDecision(intent, desk) {
    if (intent.bestOddsE4 >= intent.minOddsE4) desk.commit(intent)
  },
}
const cashOut = (holding: HoldingView, desk: BettorDesk): void => { desk.openCashOut(holding) }

/** The session itself. */
function describeSession({ played }: BettorCase): void {
  it('tells that the session begins before anybody comes, and that it is over when nobody can send anything', async () => {
    const told: string[] = []
    await played({
      onStart(desk) {
        told.push('start')
        desk.log('begun', { now: desk.nowUs })
      },
      onArrival(intent, desk) {
        told.push('arrival')
        asking.onArrival(intent, desk)
      },
      onEnd(desk) {
        told.push('end')
        desk.log('ended', { now: desk.nowUs })
      },
    })
    expect([told[0], told.at(-1), told.filter((what) => what !== 'arrival').length, told.length > 2]).toEqual(['start', 'end', 2, true])
  })
}

/** Moves of prices. */
function describePrices({ played }: BettorCase): void {
  it('tells of a leg of a position that has moved', async () => {
    const ask = { priceType: 'ask', maxAgeUs: 1e15 } as const
    const before = new Map<number, readonly number[]>()
    let count = 0
    await played({
      ...asking,
      onOpened(holding, desk) {
        before.set(holding.position, pricesOf(holding.legs, (i) => desk.legPrice(holding.legs, i, ask)))
        expect(refusalOf(() => desk.watch(holding, { priceType: 'ask', movedBy: 0 }))).toBe('movedBy is a probability from 0.000001 to 1, not 0')
        desk.watch(holding, { priceType: 'ask', movedBy: 0.000001 })
      },
      onPrice(holding, desk) {
        count++
        expect(pricesOf(holding.legs, (i) => desk.legPrice(holding.legs, i, ask))).not.toEqual(before.get(holding.position))
      },
    })
    expect(count).toBeGreaterThan(0)
  })
}

/** Arrivals: their draws, the legs that they pick, and what an oracle says of these. */
function describeArrivals({ played, hasOracle, checkMarket }: BettorCase): void {
  it('draws for each arrival, the same whenever it is asked', async () => {
    const arrivals: number[] = []
    await played({
      onArrival(intent, desk) {
        arrivals.push(intent.arrival)
        const draw = desk.uniform(intent, 3)
        expect(draw).toBeGreaterThanOrEqual(0)
        expect(draw).toBeLessThan(1)
        expect(desk.uniform(intent, 3)).toBe(draw)
        expect(Number.isFinite(desk.normal(intent, 4))).toBe(true)
        desk.log('a line', { draw })
        expect(refusalOf(() => desk.uniform(intent, 128))).toContain('draws are numbered from 0 to 127')
        asking.onArrival(intent, desk)
      },
    })
    expect(arrivals.length).toBeGreaterThan(1)
    expect(arrivals).toEqual(arrivals.map((_, i) => i))
  })

  it('picks legs that are live and distinct, and prices them', async () => {
    let picked = 0
    await played({
      onArrival(intent, desk) {
        if (!desk.pickLegs(intent, 2, 0.05, 1e15)) return
        picked++
        checkLegs(intent.legs)
        expect(new Set(intent.legs.markets).size).toBe(2)
        for (const market of intent.legs.markets) checkMarket(desk, market)
        checkNoMarkets(desk)
        const mid = { priceType: 'mid', maxAgeUs: 1e15 } as const
        expect(desk.price(intent.legs, mid)).toBeCloseTo(product(pricesOf(intent.legs, (i) => desk.legPrice(intent.legs, i, mid))), 12)
        const before = desk.legPrice(intent.legs, 0, mid)
        intent.setSide(0, 1 - intent.legs.side(0))
        expect(desk.legPrice(intent.legs, 0, mid)).toBeCloseTo(1 - before, 12)
      },
    })
    expect(picked).toBeGreaterThan(0)
  })

  it.each([['nothing without one', false], ...(hasOracle ? [['what it says', true] as const] : [])] as const)('knows of an oracle %s', async (_name, isSeen) => {
    let count = 0
    await played({
      onArrival(intent, desk) {
        if (!desk.pickLegs(intent, 1, 0.05, 1e15)) return
        count++
        const future = desk.futurePrice(intent.legs, 0)
        intent.setSide(0, 1 - intent.legs.side(0))
        expect(isKnown(future)).toBe(isSeen)
        checkDepth(desk, intent.legs.market(0))
        if (isSeen) expect(desk.futurePrice(intent.legs, 0)).toBeCloseTo(1 - future, 12)
        expect(refusalOf(() => desk.futurePrice(intent.legs, 1))).toContain('there is no leg')
      },
    }, isSeen ? { horizonUs: () => 1_000_000 } : {})
    expect(count).toBeGreaterThan(0)
  })
}

/** Calls that are refused. */
function describeRefusals({ played, noMarket }: BettorCase): void {
  type Refused = readonly [name: string, message: string, act: (intent: IntentView, desk: BettorDesk) => void]
  const cases: readonly Refused[] = [
    ['more legs than there are draws for', '1 to 16 legs can be drawn', (intent, desk) => void desk.pickLegs(intent, 17, 0, 1)],
    ['a leg that no intent has', 'an intent has no leg 50', (intent) => intent.setLeg(50, 0, Side.yes)],
    ...[-1, 0.5, NaN, noMarket, 2 ** 31, 2 ** 32, 2 ** 53, 1e300].map((market): Refused => [`market ${market}`, `there is no market ${market}`, (intent) => intent.setLeg(0, market, Side.yes)]),
    ['a side that is none', 'a leg has a Side', (intent) => intent.setSide(0, 2)],
    ['a commit without a request', 'there is no open request to commit', (intent, desk) => desk.commit(intent)],
    ['a decision in the past', 'a delay is a whole number', (intent, desk) => desk.requestQuote(intent, { betMicros: 1e7, minOddsE4: 10_001, decideInUs: -1 })],
    ['a copy of an intent', 'no intent that a handler was given', (intent, desk) => desk.wait({ ...intent }, 0)],
    ['a price of no kind', NO_KIND, (intent, desk) => void desk.price(intent.legs, ASKS)],
    ['a leg’s price of no kind', NO_KIND, (intent, desk) => void desk.legPrice(intent.legs, 0, ASKS)],
    // It leaves a request, so that nothing is tried of the intent after it.
    ['a second request', 'an intent makes one request', (intent, desk) => {
      desk.requestQuote(intent, { betMicros: 1e7, minOddsE4: 10_001, decideInUs: 1 })
      desk.requestQuote(intent, { betMicros: 1e7, minOddsE4: 10_001, decideInUs: 1 })
    }],
  ]
  const tried = triedOnce(cases, async (attempt) => {
    await played({
      onArrival(intent, desk) {
        attempt((act) => {
          intent.setLeg(0, 0, Side.yes)
          intent.setLegCount(1)
          act(intent, desk)
        })
      },
    })
  })

  it.each(cases)('refuses %s, and goes on', async (name, message) => {
    const refusals = (await tried()).get(name)!
    expect(refusals.length).toBeGreaterThan(0)
    for (const refusal of refusals) expect(refusal).toContain(message)
  })
}

/** Decisions about a request. */
function describeDecisions({ played }: BettorCase): void {
  it('asks for a decision when its time has come, and counts the calls', async () => {
    const askedAtUs = new Map<number, number>()
    let decisions = 0
    await played({
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

  it('waits before it decides, as long as it is told to', async () => {
    const askedAtUs = new Map<number, number>()
    let count = 0
    await played({
      onDecision(intent, desk) {
        if (intent.decisions === 1) {
          askedAtUs.set(intent.arrival, desk.nowUs)
          desk.wait(intent, 300_000)
          return
        }
        count++
        expect([intent.decisions, desk.nowUs]).toEqual([2, askedAtUs.get(intent.arrival)! + 300_000])
      },
    })
    expect(count).toBeGreaterThan(0)
  })

  it('fills nothing that the bettor cancels', async () => {
    const heard: string[] = []
    await played({
      onDecision: (intent, desk) => { heard.push('decision'); desk.cancelRequest(intent) },
      onOpened: () => void heard.push('opened'), onRefused: () => void heard.push('refused'),
    })
    expect(new Set(heard)).toEqual(new Set(['decision']))
  })

  it('tells why a commit was refused', async () => {
    let count = 0
    await played({
      onArrival(intent, desk) {
        if (desk.pickLegs(intent, 2, 0.05, 1e15)) desk.requestQuote(intent, { betMicros: 10_000_000, minOddsE4: 9_000_000, decideInUs: 1_000_000 })
      },
      onDecision: (intent, desk) => { desk.commit(intent) },
      onRefused(intent, refusal, desk) {
        count++
        expect([refusal.action, refusal.refusal, refusal.retryAfterUs]).toEqual([Action.commit, Refusal.noQuote, NaN])
        if (count === 1) desk.commit(intent)
      },
    })
    expect(count).toBeGreaterThan(1)
  })
}

/** Positions of the bettor. */
function describePositions({ played }: BettorCase): void {
  it('comes back to a position, and tells the fee of its bet', async () => {
    const askedAtUs = new Map<number, number>()
    let checks = 0
    await played({
      onOpened(holding, desk) {
        desk.log('opened', { position: holding.position })
        askedAtUs.set(holding.position, desk.nowUs)
        expect(Math.abs(holding.costMicros - holding.netStakeMicros - (holding.costMicros * desk.takerFeeBps) / 10_000)).toBeLessThan(1)
        desk.checkIn(holding, 700_000)
      },
      onCheck(holding, desk) {
        checks++
        expect([holding.checks, desk.nowUs]).toEqual([1, askedAtUs.get(holding.position)! + 700_000])
      },
    })
    expect(checks).toBeGreaterThan(0)
  })
}

/** What bets brought. */
function describeSettlements({ played }: BettorCase): void {
  it('tells what a position brought, and what the bettor has left', async () => {
    let count = 0
    const opened = new Set<number>()
    await played({
      onOpened(holding, desk) {
        opened.add(holding.position)
        expect(desk.freeMicros(holding)).toBeGreaterThan(0)
        expect(holding.returnedMicros).toBeNaN()
      },
      onSettled(holding, desk) {
        count++
        expect(holding.returnedMicros).toBeGreaterThanOrEqual(0)
        expect([holding.canCashOut, holding.isAuctioned]).toEqual([false, false])
        // What it brought is free.
        expect(desk.freeMicros(holding)).toBeGreaterThanOrEqual(holding.returnedMicros)
        expect(opened.has(holding.position)).toBe(true)
        expect(refusalOf(() => { desk.openCashOut(holding) })).toContain('an auction of the position is under way')
        expect(refusalOf(() => desk.freeMicros({ ...holding }))).toContain('no intent that a handler was given')
      },
    })
    expect(count).toBeGreaterThan(0)
  })

  it('knows of no balance where settlements are not told', async () => {
    const said = new Set<string>()
    await played({
      onArrival(intent, desk) {
        said.add(refusalOf(() => desk.freeMicros(intent)))
        asking.onArrival(intent, desk)
      },
    })
    expect([...said]).toEqual([expect.stringContaining('a cohort without onSettled is not told')])
  })
}

/** Auctions of the bettor’s positions. */
function describeCashOuts({ played }: BettorCase): void {
  it('listens to an auction for a time, and cancels it', async () => {
    const heard = new Set<string>()
    const askedAtUs = new Map<number, number>()
    await played({
      onOpened(holding, desk) {
        askedAtUs.set(holding.position, desk.nowUs)
        desk.openCashOut(holding, 600_000)
      },
      onListened(holding, desk) {
        heard.add('listened')
        expect(holding.isAuctioned).toBe(true)
        expect(desk.nowUs).toBeGreaterThanOrEqual(askedAtUs.get(holding.position)! + 600_000)
        desk.cancelCashOut(holding)
      },
      onAuctionEnded(holding, outcome) {
        if (outcome !== AuctionOutcome.cancelled) return
        heard.add('cancelled')
        expect([holding.canCashOut, holding.isAuctioned]).toEqual([true, false])
      },
    })
    expect(heard).toEqual(new Set(['listened', 'cancelled']))
  })

  it('tells why a sale was refused, after which the auction goes on', async () => {
    let count = 0
    await played({
      onOpened: cashOut,
      onBid(holding, desk) {
        if (holding.isAuctioned && isKnown(holding.bestPriceMicros)) desk.takeBid(holding, holding.payoutMicros)
      },
      onCashOutRefused(holding, refusal) {
        if (refusal.action !== Action.takeBid) return
        count++
        expect(refusal.refusal).toBe(Refusal.noQuote)
        expect([holding.canCashOut, holding.isAuctioned]).toEqual([false, true])
      },
    })
    expect(count).toBeGreaterThan(0)
  })
}

/** A position, from its opening to its sale. */
function describeSale({ played }: BettorCase): void {
  it('shows a position that opened, and auctions it', async () => {
    const heard = new Set<string>()
    let kept: HoldingView | undefined
    await played({
      onOpened(holding, desk) {
        heard.add('opened')
        kept = holding
        checkLegs(holding.legs)
        expect([holding.canCashOut, holding.isAuctioned, holding.auctions, holding.costMicros]).toEqual([true, false, 0, 10_000_000])
        expect(holding.netStakeMicros).toBeLessThanOrEqual(holding.costMicros)
        expect(holding.payoutMicros).toBeGreaterThan(holding.netStakeMicros)
        expect(holding.bestPriceMicros).toBeNaN()
        expect(desk.expectedPayout(holding, 0.5)).toBe(holding.payoutMicros / 2)
        expect(refusalOf(() => desk.expectedPayout(holding, ASKS))).toBe(NO_KIND)
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
}

/**
 * `play` has one cohort bet: intents arrive, markets are live, what is asked for is offered, a commit of it fills unless it asks for too much,
 * the position can be auctioned, and somebody bids. Its oracle, where the strategy has one, knows what markets will be at:
 * without `hasOracle` no strategy has.
 */
export function expectBettorDesk(
  name: string, play: (strategy: BettorStrategy) => void | Promise<void>, { checkMarket, hasOracle = true, noMarket = 64, tellsPrices = true, tellsSettlements = true }: Pick<BettorCase, 'checkMarket'> & Partial<Pick<BettorCase, 'hasOracle' | 'noMarket' | 'tellsPrices' | 'tellsSettlements'>>,
): void {
  const used = new Set<string>()
  const played = async (handlers: Partial<BettorHandlers>, more: { horizonUs?: () => number } = {}): Promise<void> => {
    await play(bettor({}, () => noting<BettorHandlers>({ ...asking, ...handlers }, used), more) as unknown as BettorStrategy)
  }
  const tested: BettorCase = { played, checkMarket, hasOracle, noMarket, tellsPrices, tellsSettlements }

  describe(`the desk of a bettor: ${name}`, () => {
    describeSession(tested)
    describeArrivals(tested)
    describeRefusals(tested)
    describeDecisions(tested)
    describePositions(tested)
    if (tellsPrices) describePrices(tested)
    if (tellsSettlements) describeSettlements(tested)
    describeCashOuts(tested)
    describeSale(tested)

    it('has no member and no handler that these tests leave out', ({ task, skip }) => {
      if (task.suite!.tasks.some(({ mode }) => mode === 'skip')) skip('some of the tests were not run')
      expect(missing([BETTOR_DESK, BETTOR_HANDLERS], used)).toEqual([...(tellsPrices ? [] : ['watch']), ...(tellsSettlements ? [] : ['freeMicros']), ...(tellsPrices ? [] : ['onPrice']), ...(tellsSettlements ? [] : ['onSettled'])])
    })
  })
}
