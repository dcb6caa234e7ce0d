import { describe, expect, it } from 'vitest'
import { type BettorHandlers, type BettorStrategy, bettor } from '../../../src/agent/bettor.ts'
import { type BettorDesk, DRAWS_PER_INTENT, IntentDraw } from '../../../src/agent/bettorDesk.ts'
import type { HoldingView, IntentView, RefusalView } from '../../../src/agent/views.ts'
import { Action, AuctionOutcome, Refusal, Side } from '../../../src/agent/vocabulary.ts'
import { Draws, Purpose, rootKey } from '../../../src/kernel/random.ts'
import { PublishedResults } from '../../../src/market/publishedResults.ts'
import { BettorHost } from '../../../src/trade/bettor/bettorHost.ts'
import type { BettorTold, BettorWish, ListedMarket } from '../../../src/trade/bettor/bettorWords.ts'
import type { HostDeed, HostWake } from '../../../src/trade/bettor/hostDeeds.ts'
import { ListedMarkets } from '../../../src/trade/bettor/listedMarkets.ts'
import { TradePrices } from '../../../src/trade/prices.ts'
import { fnv1a } from '../../../src/unit/fnv1a.ts'
import { namesOf } from './listed.ts'

const SECOND_US = 1_000_000
const NOW_US = 1_000 * SECOND_US
const BET = { betMicros: 25_000_000, minOddsE4: 15_000, decideInUs: 2 * SECOND_US }
const MARKETS: ListedMarket[] = ['a', 'b'].map((name) => ({ name, exclusionKeys: [name], isOpen: true, names: namesOf(name) }))

/** Bets on NO of `a` and YES of `b`. */
function asks(intent: IntentView, desk: BettorDesk): void {
  intent.setLeg(0, 0, Side.no)
  intent.setLeg(1, 1, Side.yes)
  intent.setLegCount(2)
  desk.requestQuote(intent, BET)
}

/** A host of a strategy that bets unless `handlers` say otherwise, and what it wants done, in short. */
function hosting(handlers: Partial<BettorHandlers> = {}, { betsMax = Infinity, ratePerHour = 3600 } = {}) {
  const strategy = bettor({}, () => ({ onArrival: asks, onDecision() {}, ...handlers })) as unknown as BettorStrategy
  const markets = new ListedMarkets(() => {})
  const host = new BettorHost({ name: 'ours', seed: 's', strategy, values: {}, ratePerHour, betsMax, markets, prices: new TradePrices(8, 0), results: new PublishedResults(8) })
  const wishesOf = (deeds: readonly HostDeed[]): BettorWish[] => deeds.flatMap((deed) => ('wish' in deed ? [deed.wish] : []))
  const wakesOf = (deeds: readonly HostDeed[]) => deeds.flatMap((deed) => ('wish' in deed ? [] : [deed]))
  const hear = (told: BettorTold, nowUs = NOW_US): readonly HostDeed[] => {
    host.hear(told, nowUs)
    return host.takeDeeds()
  }
  const woken = (wake: HostWake, nowUs = NOW_US): readonly HostDeed[] => {
    host.woken(wake, nowUs)
    return host.takeDeeds()
  }
  const begin = (): readonly HostDeed[] => hear({ kind: 'markets', markets: MARKETS })
  /** Lets the bettor of a number arrive, and returns its decision's wake. */
  const arrive = (arrival = 0): HostWake => wakesOf(woken({ kind: 'arrival', arrival })).find(({ wake }) => wake.kind === 'decision')!.wake
  const requested = (arrival = 0, refusal: Refusal = Refusal.none, retryAfterUs = NaN) => hear({ kind: 'requested', arrival, refusal, retryAfterUs })
  /** A bettor whose request is open, and its decision's wake. */
  const open = (): HostWake => {
    begin()
    const decision = arrive()
    requested()
    return decision
  }
  const opened = (nowUs = NOW_US) => hear({ kind: 'opened', arrival: 0, costMicros: 25_000_000, stakeMicros: 24_750_000, payoutMicros: 60_000_000 }, nowUs)
  return { host, wishesOf, wakesOf, hear, woken, begin, arrive, requested, open, opened }
}

/** The time before arrival `index`, as a cohort of the same name and seed draws it at 3600 an hour: one a second on average. */
const gapUs = (index: number): number => 1 + Math.floor(new Draws(rootKey('s'), Purpose.arrivals).exponential(fnv1a('ours') >>> 0, index * DRAWS_PER_INTENT + IntentDraw.gap, SECOND_US))

describe('bettors that come', () => {
  it('come once there is something to bet on, as often as a cohort’s of that name and seed', () => {
    const { hear, begin, woken, wakesOf } = hosting({ onArrival() {} })
    const closed = MARKETS.map((market) => ({ ...market, isOpen: false }))
    expect(hear({ kind: 'markets', markets: closed })).toEqual([])
    const first = { wakeUs: NOW_US + gapUs(0), wake: { kind: 'arrival', arrival: 0 } }
    // One market that is open is enough, and the list comes again without another arrival.
    expect(hear({ kind: 'markets', markets: [closed[0]!, MARKETS[1]!] })).toEqual([first])
    expect(begin()).toEqual([])
    const atUs = NOW_US + gapUs(0)
    expect(wakesOf(woken({ kind: 'arrival', arrival: 0 }, atUs))).toEqual([{ wakeUs: atUs + gapUs(1), wake: { kind: 'arrival', arrival: 1 } }])
    // It has come already.
    expect(woken({ kind: 'arrival', arrival: 0 }, atUs)).toEqual([])
  })

  it('come a hundred times as often at a hundred times the rate', () => {
    const inUs = (ratePerHour: number): number => {
      const { begin, wakesOf } = hosting({}, { ratePerHour })
      return wakesOf(begin())[0]!.wakeUs - NOW_US
    }
    expect(Math.round(inUs(1) / inUs(100))).toBe(100)
  })

  it('come no more after the last', () => {
    const { host, begin, woken } = hosting({ onArrival() {} }, { betsMax: 2 })
    begin()
    expect(host.areMoreToCome).toBe(true)
    expect(woken({ kind: 'arrival', arrival: 0 })).toHaveLength(1)
    expect(host.areMoreToCome).toBe(true)
    expect(woken({ kind: 'arrival', arrival: 1 })).toEqual([])
    expect([host.areMoreToCome, host.counts.arrivals]).toEqual([false, 2])
    expect(hosting({}, { betsMax: 0 }).begin()).toEqual([])
  })

  it('come any number at one instant', () => {
    let came = 0
    const { host } = hosting({ onArrival() { came++ } })
    for (let arrival = 0; arrival <= 100_000; arrival++) host.woken({ kind: 'arrival', arrival }, NOW_US)
    expect(came).toBe(100_001)
  })

  it('that ask for nothing are forgotten', () => {
    const { begin, woken, arrive } = hosting({ onArrival: (intent, desk) => { if (intent.arrival > 0) asks(intent, desk) } })
    begin()
    woken({ kind: 'arrival', arrival: 0 })
    // The next one has the place of the first.
    expect(arrive(1)).toMatchObject({ kind: 'decision', generation: 2 })
  })

  it('see the clock, and the fee that the service keeps', () => {
    const seen: number[][] = []
    const { hear, woken } = hosting({ onArrival: (_, desk) => { seen.push([desk.nowUs, desk.takerFeeBps]) } })
    woken({ kind: 'arrival', arrival: 0 }, 5)
    hear({ kind: 'takerFee', bps: 120 })
    woken({ kind: 'arrival', arrival: 1 }, 6)
    expect(seen).toEqual([[5, NaN], [6, 120]])
  })
})

describe('a request', () => {
  it('is wished with its legs by name, and decided on in time', () => {
    const { begin, woken, host } = hosting()
    begin()
    const [next, wish, decision, ...more] = woken({ kind: 'arrival', arrival: 0 })
    expect(next).toMatchObject({ wake: { kind: 'arrival', arrival: 1 } })
    expect(wish).toEqual({ wish: { kind: 'requestQuote', arrival: 0, legs: [{ market: 'a', side: 'no' }, { market: 'b', side: 'yes' }], betMicros: 25_000_000 } })
    expect(decision).toMatchObject({ wakeUs: NOW_US + 2 * SECOND_US, wake: { kind: 'decision', generation: 1 } })
    expect([more, host.counts.requests]).toEqual([[], 1])
  })

  it('is decided on once the service knows it: 0.1 s later, or 1 s later while a limit keeps it from being made', () => {
    const decided: number[] = []
    const { begin, arrive, requested, woken, wakesOf } = hosting({ onDecision: (intent) => { decided.push(intent.decisions) } })
    begin()
    const decision = arrive()
    const inUs = (): number[] => wakesOf(woken(decision)).map(({ wakeUs }) => wakeUs - NOW_US)
    expect(inUs()).toEqual([100_000])
    requested(0, Refusal.rateLimited)
    expect(inUs()).toEqual([SECOND_US])
    requested()
    expect([inUs(), inUs(), decided]).toEqual([[], [], [1, 2]])
  })

  it.each([[NaN, SECOND_US], [7 * SECOND_US, 7 * SECOND_US]])('that a limit keeps back for %d µs is sent once more', (retryAfterUs, inUs) => {
    const { begin, arrive, requested, woken, wakesOf, wishesOf, host } = hosting()
    begin()
    arrive()
    const [again] = wakesOf(requested(0, Refusal.rateLimited, retryAfterUs))
    expect([again!.wakeUs - NOW_US, again!.wake.kind]).toEqual([inUs, 'requestAgain'])
    expect(wishesOf(woken(again!.wake))).toMatchObject([{ kind: 'requestQuote', arrival: 0 }])
    expect([requested(0, Refusal.rateLimited), host.counts.requests]).toEqual([[], 2])
    // It has ended with that.
    expect(woken(again!.wake)).toEqual([])
  })

  it('that is refused ends without a call', () => {
    let calls = 0
    const { begin, arrive, requested, woken } = hosting({ onDecision() { calls++ }, onRefused() { calls++ } })
    begin()
    const decision = arrive()
    expect(requested(0, Refusal.marketClosed)).toEqual([])
    expect([woken(decision), requested(), woken(decision), calls]).toEqual([[], [], [], 0])
  })

  it('shows its best quote, and none when there is none', () => {
    const odds: number[] = []
    const { open, hear, woken } = hosting({ onDecision: (intent) => { odds.push(intent.bestOddsE4) } })
    const decision = open()
    for (const oddsE4 of [NaN, 24_000, NaN]) {
      expect(hear({ kind: 'best', arrival: 0, oddsE4 })).toEqual([])
      woken(decision)
    }
    expect(odds).toEqual([NaN, 24_000, NaN])
  })

  it('is committed, cancelled and waited with', () => {
    const acts = [(intent: IntentView, desk: BettorDesk) => { desk.wait(intent, 300) }, (intent: IntentView, desk: BettorDesk) => { desk.cancelRequest(intent) }, (intent: IntentView, desk: BettorDesk) => { desk.commit(intent) }]
    const { open, woken, host } = hosting({ onDecision: (intent, desk) => { acts[intent.decisions - 1]!(intent, desk) } })
    const decision = open()
    expect(woken(decision)).toEqual([{ wakeUs: NOW_US + 300, wake: decision }])
    expect(woken(decision)).toEqual([{ wish: { kind: 'cancelRequest', arrival: 0 } }])
    expect(woken(decision)).toEqual([{ wish: { kind: 'commit', arrival: 0, minOddsE4: 15_000 } }])
    // While a commit is under way nothing is decided.
    expect([woken(decision), host.counts.requests]).toEqual([[], 1])
  })

  it('hears of a refused commit, and is open again', () => {
    const seen: unknown[] = []
    let view: RefusalView | null = null
    const { open, hear, woken, wishesOf } = hosting({
      onDecision: (intent, desk) => { desk.commit(intent) },
      onRefused(intent, refusal) {
        view = refusal
        seen.push([intent.arrival, refusal.action, refusal.refusal, refusal.retryAfterUs])
      },
    })
    const decision = open()
    const refused = (retryAfterUs: number) => hear({ kind: 'commitRefused', arrival: 0, refusal: Refusal.rateLimited, retryAfterUs })
    // Nothing was committed.
    refused(NaN)
    expect(seen).toEqual([])
    for (const retryAfterUs of [NaN, 4_000]) {
      expect(wishesOf(woken(decision))).toEqual([{ kind: 'commit', arrival: 0, minOddsE4: 15_000 }])
      expect(refused(retryAfterUs)).toEqual([])
    }
    expect(seen).toEqual([[0, Action.commit, Refusal.rateLimited, NaN], [0, Action.commit, Refusal.rateLimited, 4_000]])
    expect(() => view!.refusal).toThrow('during its handler only')
  })

  it('that has ended hears nothing, and its place is another’s', () => {
    let decisions = 0
    const { open, hear, woken, arrive, requested } = hosting({ onDecision() { decisions++ } })
    const decision = open()
    expect(hear({ kind: 'requestEnded', arrival: 0 })).toEqual([])
    expect([hear({ kind: 'requestEnded', arrival: 0 }), hear({ kind: 'best', arrival: 0, oddsE4: 5 }), woken(decision)]).toEqual([[], [], []])
    const next = arrive(1)
    requested(1)
    expect(next).toEqual({ ...decision, generation: 2 })
    woken(decision)
    expect(decisions).toBe(0)
    woken(next)
    expect(decisions).toBe(1)
  })
})

describe('a position', () => {
  /** A strategy that listens to everything, and a host with a position of it. `did` is what `act` does in `onOpened`. */
  function holding(act: (holding: HoldingView, desk: BettorDesk) => void = () => {}, more: Partial<BettorHandlers> = {}) {
    const calls: unknown[][] = []
    const noted = (name: string) => (view: HoldingView, ...rest: unknown[]) => { calls.push([name, view.bestPriceMicros, ...rest.filter((value) => typeof value === 'number')]) }
    const hosted = hosting({
      onOpened: act, onCheck: noted('check'), onListened: noted('listened'), onBid: noted('bid'), onAuctionEnded: noted('ended'),
      onCashOutRefused: (_, refusal) => { calls.push(['refused', refusal.action, refusal.refusal, refusal.retryAfterUs]) }, ...more,
    })
    hosted.open()
    return { ...hosted, calls, deeds: hosted.opened() }
  }
  const ended = (outcome: AuctionOutcome, receivedMicros = NaN): BettorTold => ({ kind: 'auctionEnded', arrival: 0, outcome, receivedMicros })
  const refusedOf = (action: Action): BettorTold => ({ kind: 'cashOutRefused', arrival: 0, action, refusal: Refusal.noQuote, retryAfterUs: NaN })

  it('opens with what the request had', () => {
    const seen: unknown[] = []
    const { open, opened, host, arrive } = hosting({
      onOpened(holding, desk) {
        seen.push(desk.nowUs)
        const { arrival, position, request, costMicros, netStakeMicros, payoutMicros, openedAtUs, bestPriceMicros, canCashOut, isAuctioned, legs } = holding
        seen.push({ arrival, position, request, costMicros, netStakeMicros, payoutMicros, openedAtUs, bestPriceMicros, canCashOut, isAuctioned, markets: legs.markets, sides: legs.sides })
      },
    })
    const decision = open()
    opened(NOW_US + 3)
    expect(seen).toEqual([NOW_US + 3, {
      arrival: 0, position: 0, request: 0, costMicros: 25_000_000, netStakeMicros: 24_750_000, payoutMicros: 60_000_000, openedAtUs: NOW_US + 3, bestPriceMicros: NaN, canCashOut: true, isAuctioned: false,
      markets: [0, 1], sides: [Side.no, Side.yes],
    }])
    expect(host.counts).toEqual({ arrivals: 1, requests: 1, fills: 1, sales: 0, stakedMicros: 25_000_000, soldMicros: 0 })
    // The request is over.
    expect(arrive(1)).toEqual({ ...decision, generation: 2 })
  })

  it('has its legs and number in every place', () => {
    const seen: unknown[] = []
    const { begin, arrive, requested, hear } = hosting({ onOpened: ({ arrival, costMicros, legs: { markets, sides } }) => { seen.push([arrival, costMicros, markets, sides]) } })
    begin()
    for (const arrival of [0, 1, 2]) {
      arrive(arrival)
      requested(arrival)
    }
    for (const arrival of [2, 0, 1]) hear({ kind: 'opened', arrival, costMicros: arrival, stakeMicros: 1, payoutMicros: 2 })
    expect(seen).toEqual([2, 0, 1].map((arrival) => [arrival, arrival, [0, 1], [Side.no, Side.yes]]))
  })

  it('is counted alone where the strategy does not listen', () => {
    const { open, opened, host, hear } = hosting({ onBid() { throw new Error('it listens') } })
    open()
    expect([opened(), hear({ kind: 'bid', arrival: 0, priceMicros: 5 }), host.counts.fills, host.counts.stakedMicros]).toEqual([[], [], 1, 25_000_000])
    // What it is told twice it has once.
    opened()
    expect(host.counts.fills).toBe(1)
  })

  it('is checked when the strategy has asked for it, until it ends', () => {
    const checks: number[] = []
    const { deeds, woken, hear } = holding((view, desk) => { desk.checkIn(view, 400) }, { onCheck: (view) => { checks.push(view.checks) } })
    const [deed] = deeds as { wakeUs: number; wake: HostWake }[]
    expect(deed).toMatchObject({ wakeUs: NOW_US + 400, wake: { kind: 'check', generation: 1 } })
    for (let i = 0; i < 2; i++) expect(woken(deed!.wake)).toEqual([])
    hear({ kind: 'positionEnded', arrival: 0 })
    expect([woken(deed!.wake), checks]).toEqual([[], [1, 2]])
  })

  it('is sold in an auction', () => {
    const seen: unknown[] = []
    const opening = (view: HoldingView, desk: BettorDesk): void => {
      desk.openCashOut(view)
      seen.push(view.canCashOut, view.isAuctioned)
    }
    const { deeds, hear, host } = holding(opening, {
      onAuctionEnded: (view, outcome) => { seen.push(view.bestPriceMicros, outcome, view.canCashOut, view.isAuctioned) },
      onBid(view, desk) {
        seen.push(view.auctions)
        if (view.bestPriceMicros > 30) desk.takeBid(view, 31)
        else if (view.bestPriceMicros > 20) desk.cancelCashOut(view)
      },
    })
    expect(deeds).toEqual([{ wish: { kind: 'openCashOut', arrival: 0 } }])
    expect(hear({ kind: 'auctionBegan', arrival: 0 })).toEqual([])
    const bid = (priceMicros: number) => hear({ kind: 'bid', arrival: 0, priceMicros })
    expect([bid(NaN), bid(25), bid(35)]).toEqual([[], [{ wish: { kind: 'cancelCashOut', arrival: 0 } }], [{ wish: { kind: 'takeBid', arrival: 0, minPriceMicros: 31 } }]])
    expect(hear(ended(AuctionOutcome.sold, 33))).toEqual([])
    expect([seen, host.counts.sales, host.counts.soldMicros]).toEqual([[false, false, 1, 1, 1, 33, AuctionOutcome.sold, false, false], 1, 33])
    // It is the bettor's no more.
    expect([bid(36), hear({ kind: 'positionEnded', arrival: 0 }), hear(ended(AuctionOutcome.sold, 33)), host.counts.sales]).toEqual([[], [], [], 1])
  })

  it.each([AuctionOutcome.expired, AuctionOutcome.cancelled, AuctionOutcome.graded])('is held again after the outcome %i', (outcome) => {
    const again: boolean[] = []
    const { hear, calls, host, wishesOf } = holding((view, desk) => { desk.openCashOut(view) }, {
      onAuctionEnded(view, how, desk) {
        again.push(view.canCashOut, how === outcome, Number.isNaN(view.bestPriceMicros))
        desk.openCashOut(view)
      },
    })
    hear({ kind: 'auctionBegan', arrival: 0 })
    hear({ kind: 'bid', arrival: 0, priceMicros: 7 })
    expect(wishesOf(hear(ended(outcome)))).toEqual([{ kind: 'openCashOut', arrival: 0 }])
    hear({ kind: 'auctionBegan', arrival: 0 })
    hear({ kind: 'bid', arrival: 0, priceMicros: 8 })
    expect([again, calls, host.counts.sales, host.counts.soldMicros]).toEqual([[true, true, true], [['bid', 7], ['bid', 8]], 0, 0])
  })

  it.each<[string, number, number, number]>([['later', 500, 200, 300], ['at once, where the answer took longer', 500, 501, 0], ['at once, where that is all it asked for', 0, 0, 0]])('is listened to %s', (_, listenUs, answeredInUs, wakesInUs) => {
    const { hear, woken, wakesOf, calls } = holding((view, desk) => { desk.openCashOut(view, listenUs) })
    const atUs = NOW_US + answeredInUs
    const [deed] = wakesOf(hear({ kind: 'auctionBegan', arrival: 0 }, atUs))
    expect(deed).toMatchObject({ wakeUs: atUs + wakesInUs, wake: { kind: 'listened', generation: 1, auction: 1 } })
    woken(deed!.wake)
    expect(calls).toEqual([['listened', NaN]])
    // Not when the auction has ended, nor of another one.
    hear(ended(AuctionOutcome.expired))
    woken(deed!.wake)
    hear({ kind: 'auctionBegan', arrival: 0 })
    woken(deed!.wake)
    expect(calls.filter(([name]) => name === 'listened')).toHaveLength(1)
  })

  it('hears of nobody’s listening where it did not ask', () => {
    const { hear } = holding((view, desk) => { desk.openCashOut(view) })
    expect(hear({ kind: 'auctionBegan', arrival: 0 })).toEqual([])
  })

  it('hears what was refused, and can then do it again', () => {
    const states: unknown[] = []
    let view: RefusalView | null = null
    const { hear } = holding((holding_, desk) => { desk.openCashOut(holding_) }, {
      onBid: (holding_, desk) => { desk.takeBid(holding_, 1) },
      onCashOutRefused(holding_, refusal) {
        view = refusal
        states.push([refusal.action, refusal.refusal, refusal.retryAfterUs, holding_.canCashOut, holding_.isAuctioned])
      },
    })
    hear(refusedOf(Action.openCashOut))
    hear({ kind: 'auctionBegan', arrival: 0 })
    hear({ kind: 'bid', arrival: 0, priceMicros: 7 })
    hear(refusedOf(Action.takeBid))
    hear({ kind: 'bid', arrival: 0, priceMicros: 8 })
    // A bid is being taken: what becomes of that is not told by this.
    hear(refusedOf(Action.cancelCashOut))
    expect(states).toEqual([[Action.openCashOut, Refusal.noQuote, NaN, true, false], [Action.takeBid, Refusal.noQuote, NaN, false, true], [Action.cancelCashOut, Refusal.noQuote, NaN, false, false]])
    expect(() => view!.action).toThrow('during its handler only')
  })

  it('that has ended hears nothing, and its place is another’s', () => {
    const { deeds, hear, woken, calls, arrive, requested, wakesOf } = holding((view, desk) => { desk.checkIn(view, 400) })
    const { wake } = wakesOf(deeds)[0]!
    hear({ kind: 'positionEnded', arrival: 0 })
    hear({ kind: 'bid', arrival: 0, priceMicros: 7 })
    arrive(1)
    requested(1)
    const [next] = wakesOf(hear({ kind: 'opened', arrival: 1, costMicros: 1, stakeMicros: 1, payoutMicros: 1 }))
    expect(next!.wake).toEqual({ ...wake, generation: 2 })
    expect([woken(wake), calls]).toEqual([[], []])
    woken(next!.wake)
    expect(calls).toEqual([['check', NaN]])
  })
})

describe('a strategy', () => {
  it('that asks for its money is told what to do, and not to add a handler that would have it refused', () => {
    const { open } = hosting({ onArrival: (intent, desk) => { asks(intent, desk); desk.freeMicros(intent) } })
    expect(open).toThrow('no client is told what its bettor has left: stake by a parameter of the strategy, or play the bettor inside the session (parlor run)')
  })

  it('is given its values, which nobody changes', () => {
    let given: object = {}
    const strategy = { role: 'bettor', parameters: {}, create: (values: object) => { given = values; return { onArrival() {}, onDecision() {} } } } as unknown as BettorStrategy
    const terms = { name: 'ours', seed: 's', ratePerHour: 1, betsMax: 1, markets: new ListedMarkets(() => {}), prices: new TradePrices(8, 0), results: new PublishedResults(8) }
    expect(new BettorHost({ ...terms, strategy, values: { margin: 0.01 } }).counts.arrivals).toBe(0)
    expect([given, Object.isFrozen(given)]).toEqual([{ margin: 0.01 }, true])
    const failing = { ...strategy, create: () => { throw new Error('no') } } as unknown as BettorStrategy
    expect(() => new BettorHost({ ...terms, strategy: failing, values: {} })).toThrow('the bettor ours fails in create: no')
  })

  it('that fails is named with its handler, and sees nothing afterwards', () => {
    const views: (IntentView | HoldingView)[] = []
    const failing = (name: string) => (view: IntentView | HoldingView): never => {
      views.push(view)
      throw new Error(name)
    }
    const { begin, host, open, opened } = hosting({ onDecision: failing('one'), onOpened: failing('two') })
    begin()
    const decision = open()
    expect(() => { host.woken(decision, NOW_US) }).toThrow('the bettor ours fails in onDecision: one')
    expect(() => opened()).toThrow('the bettor ours fails in onOpened: two')
    for (const view of views) expect(() => view.arrival).toThrow('is shown during its handler only')
    expect(views).toHaveLength(2)
  })

  it('without a handler hears nothing', () => {
    const { open, opened, hear, woken } = hosting({ onDecision: (intent, desk) => { desk.commit(intent) }, onOpened: (view, desk) => { desk.openCashOut(view, 0) } })
    woken(open())
    expect(hear({ kind: 'commitRefused', arrival: 0, refusal: Refusal.noQuote, retryAfterUs: NaN })).toEqual([])
    opened()
    hear({ kind: 'auctionBegan', arrival: 0 })
    expect(hear({ kind: 'bid', arrival: 0, priceMicros: 7 })).toEqual([])
    expect(hear({ kind: 'cashOutRefused', arrival: 0, action: Action.takeBid, refusal: Refusal.noQuote, retryAfterUs: NaN })).toEqual([])
    expect(hear({ kind: 'auctionEnded', arrival: 0, outcome: AuctionOutcome.expired, receivedMicros: NaN })).toEqual([])
  })

  it('that lets no time pass is stopped', () => {
    const told = 'it did not let time pass: more than 100000 actions at one instant'
    const deciding = hosting()
    const decision = deciding.open()
    expect(() => { for (let i = 0; i <= 100_000; i++) deciding.host.woken(decision, NOW_US) }).toThrow(told)
    const bidden = hosting({ onOpened() {} })
    bidden.open()
    bidden.opened()
    expect(() => { for (let i = 0; i <= 100_000; i++) bidden.host.hear({ kind: 'bid', arrival: 0, priceMicros: i }, NOW_US) }).toThrow(told)
  })
})
