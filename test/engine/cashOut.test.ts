import { describe, expect, it } from 'vitest'
import type { BettorHandlers, BettorStrategy } from '../../src/agent/bettor.ts'
import { scripted, type ScriptedRequest } from '../../src/agent/bettors/scripted.ts'
import stopLoss from '../../src/agent/bettors/stopLoss.ts'
import { type Faults, NO_FAULTS } from '../../src/agent/faults.ts'
import type { Delay, Latency } from '../../src/agent/latency.ts'
import { type MakerHandlers, type MakerStrategy, maker } from '../../src/agent/maker.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import type { AuctionView, HoldingView } from '../../src/agent/views.ts'
import { Action, AuctionOutcome, isKnown, Refusal } from '../../src/agent/vocabulary.ts'
import type { CohortEntry, MakerEntry } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { MarketResult, Side } from '../../src/market/sides.ts'
import { ParlayFault, ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { AuctionOpened, FundsMoved, ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { PARLAY_SETTINGS } from '../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { ofKind } from './loggedRow.ts'
import { RowLog } from './rowLog.ts'
import { parlayConfig, type Replaced } from './world.ts'
import { Resolve, SetFault } from '../../src/venue/contract.ts'

const START = 1_750_000_000_000_000
const usd = (amount: number): number => Math.round(amount * 1_000_000)
const sec = (s: number): number => Math.round(s * 1_000_000)
const fixed = (s: number): Delay => ({ baseUs: sec(s), jitterUs: 0 })
/** Venue to participant 20 ms, back 50 ms, a confirmation 200 ms. */
const LATENCY: Latency = { feedUs: sec(0.1), broadcast: fixed(0.02), submit: fixed(0.05), confirm: fixed(0.2) }
/** At odds of 4 its stake of 24.75 pays 99 and risks 74.25. Asked at 10 s, committed at 15.05 s, open at 15.27 s. */
const REQUEST: ScriptedRequest = {
  legs: [{ market: 0, side: Side.yes }, { market: 1, side: Side.yes }], betMicros: usd(25), minOddsE4: 20_000, decideUs: sec(5), cancel: false,
}

/** Seconds after the start, whom, what, and a number of it. */
type Told = [at: number, name: string, event: string, value: number]

const note = (told: Told[], name: string) => (atUs: number, event: string, value: number): void => void told.push([(atUs - START) / 1e6, name, event, value])

/** A maker that quotes `probability` (0: never), bids `bid` USDC (0: never), and notes what it is told of positions and auctions. */
function bidding(told: Told[], name: string, probability: number, bid: number, handlers: MakerHandlers = {}, faults: Faults = NO_FAULTS): MakerEntry {
  const tell = note(told, name)
  const strategy = maker({}, () => ({
    onRequest: (request, desk) => { if (probability > 0) desk.quote(request, { probability, validUs: 60_000_000 }) },
    onOpened: (position) => tell(position.deliveredAtUs, 'fill', position.costMicros),
    onBought: (position) => tell(position.deliveredAtUs, 'bought', position.costMicros),
    onSettled: (position) => tell(position.deliveredAtUs, position.isHolder ? 'held ended' : position.isBoughtBack ? 'bought back' : 'settled', position.profitMicros),
    onCashOut(auction, desk) {
      tell(auction.deliveredAtUs, auction.isBackingMaker ? 'own auction' : 'auction', auction.maxPriceMicros)
      if (bid > 0) desk.bid(auction, { priceMicros: usd(bid), validUs: 60_000_000 })
    },
    ...handlers,
  })) as unknown as MakerStrategy
  return { name, strategy, values: {}, capitalMicros: usd(10_000), latency: LATENCY, faults }
}

/** The scripted bettor, with handlers for its positions. */
const holding = (handlers: Partial<BettorHandlers>, requests = [REQUEST]): BettorStrategy => ({
  role: 'bettor', parameters: {}, create: () => ({ ...scripted(requests).create({}), ...handlers }),
})

/** Auctions the position as it opens and takes the first bid that comes; notes what it is told. */
function selling(told: Told[], handlers: Partial<BettorHandlers> = {}): BettorStrategy {
  const tell = note(told, 'bettor')
  return holding({
    onOpened(position, desk) {
      tell(desk.nowUs, 'opened', position.costMicros)
      desk.openCashOut(position)
    },
    onBid(position, desk) {
      tell(desk.nowUs, 'bid', position.bestPriceMicros)
      if (position.isAuctioned && position.bestPriceMicros > 0) desk.takeBid(position, 1)
    },
    onAuctionEnded: (position, outcome, desk) => tell(desk.nowUs, `ended ${outcome}`, position.bestPriceMicros),
    onCashOutRefused: (_position, { refusal }, desk) => tell(desk.nowUs, 'refused', refusal),
    ...handlers,
  })
}

/** One bettor; the legs resolve at 200 s with `result`. */
function play(makers: readonly MakerEntry[], strategy: BettorStrategy, replaced: Replaced = {}, result: number = MarketResult.yes, entry: Partial<CohortEntry> = {}) {
  const log = new RowLog()
  const none = new Int32Array(0)
  const session = new Session(parlayConfig({
    seed: 'a', startUs: START, arrivalsUntilUs: START + sec(150), profile: profileOf(PARLAY_SETTINGS), marketCount: 2,
    keys: { texts: ['a', 'b'], start: Int32Array.of(0, 1, 2), keys: Int32Array.of(0, 1) },
    ticks: { count: 0, atUs: new Float64Array(0), market: none, bidE6: none, askE6: none, bidSize: none, askSize: none, lastE6: none },
    operator: [
      ...[0, 1].map((market) => ({ atUs: START, op: ParlayOp.listMarket, market, closeUs: START + sec(3600) })),
      ...[0, 1].map((market) => ({ atUs: START + sec(200), op: ParlayOp.resolveMarket, market, [Resolve.result]: result })),
    ],
    makers,
    cohorts: [{
      name: 'bettor', strategy, values: {}, bettors: 1, bankrollMicros: usd(1000), everyUs: 0, arrivalsUs: [START + sec(10)], latency: LATENCY, ...entry,
    }],
    sinks: [log], ...replaced,
  }))
  session.runToEnd()
  for (const { account, freeMicros, capitalMicros, openPositions, heldPositions } of session.desks()) {
    expect([freeMicros, capitalMicros, openPositions, heldPositions]).toEqual([session.parlay!.venue.view.balance(account).freeMicros, freeMicros, 0, 0])
  }
  return { session, rows: log.rows, commands: log.commands }
}

describe('a cash-out', () => {
  it('PQ-400 PQ-420 PQ-429 is bought back by the backing maker, and everybody is told as it happens', () => {
    const told: Told[] = []
    const { session } = play([bidding(told, 'a', 0.25, 40), bidding(told, 'b', 0.5, 0)], selling(told))
    // The position opens at 15.27 s. The auction is asked for at 15.29 s and opens at 15.34 s. The bid comes to the venue at 15.41 s, the
    // commit at 15.48 s. The bound is 99 less 1 % of 74.25, and the fee of the sale 1 % of 40 − 24.75. The maker keeps 99 − 40 of the pot,
    // for a risk of 74.25.
    expect(told).toEqual([
      [15.29, 'a', 'fill', usd(74.25)], [15.29, 'bettor', 'opened', usd(25)],
      [15.36, 'a', 'own auction', usd(98.2575)], [15.36, 'b', 'auction', usd(99)],
      [15.43, 'bettor', 'bid', usd(40)],
      [15.5, 'bettor', `ended ${AuctionOutcome.sold}`, usd(39.8475)], [15.5, 'a', 'bought back', usd(-15.25)],
    ])
    expect(session.counts).toMatchObject({ auctions: 1, sales: 1 })
    expect(session.parlay!.venue.view.balance(0).freeMicros).toBe(usd(1000 - 25 + 39.8475))
  })

  it('PQ-457 is taken over by another maker, whose asset it is to its end', () => {
    const told: Told[] = []
    const { session } = play([bidding(told, 'a', 0.25, 40), bidding(told, 'b', 0.5, 50)], selling(told, {
      // Looks a second later, when both bids have come.
      onBid: (position, desk) => desk.checkIn(position, sec(1)),
      onCheck: (position, desk) => { if (position.isAuctioned) desk.takeBid(position, usd(50)) },
    }))
    // Committed at 16.48 s: 1 % of 50 − 24.75 off. The legs win: 99 less 1 % of 99 − 50; the backing maker loses its risk.
    expect(told.slice(4)).toEqual([
      [16.5, 'bettor', `ended ${AuctionOutcome.sold}`, usd(49.7475)], [16.5, 'b', 'bought', usd(50)],
      [200.02, 'a', 'settled', usd(-74.25)], [200.02, 'b', 'held ended', usd(48.51)],
    ])
    expect([0, 1, 2].map((account) => session.parlay!.venue.view.balance(account).freeMicros)).toEqual([usd(1024.7475), usd(9925.75), usd(10_048.51)])
  })

  it('expires without a bid, and is over with its position', () => {
    const told: Told[] = []
    play([bidding(told, 'a', 0.25, 0)], selling(told))
    expect(told.filter(([, name]) => name === 'bettor')).toEqual([[15.29, 'bettor', 'opened', usd(25)], [25.36, 'bettor', `ended ${AuctionOutcome.expired}`, NaN]])
  })

  it('hides itself from makers that are away or have no use for it', () => {
    const told: Told[] = []
    const away = { ...NO_FAULTS, disconnectEveryUs: 1, disconnectForUs: 1e15 }
    const deaf = bidding(told, 'deaf', 0, 10)
    const strategy = { ...deaf.strategy, create: (...given: Parameters<MakerStrategy['create']>) => ({ ...deaf.strategy.create(...given), onCashOut: undefined }) }
    play([bidding(told, 'a', 0.25, 0), bidding(told, 'away', 0, 10, {}, away), { ...deaf, strategy: strategy as unknown as MakerStrategy }], selling(told))
    expect(told.filter(([, , event]) => event.includes('auction')).map(([, name]) => name)).toEqual(['a'])
  })

  it('tells the best bid to makers that watch it, and each maker the answers to its bids', () => {
    const told: Told[] = []
    const tell = note(told, 'b')
    const { rows, commands } = play([
      bidding(told, 'a', 0.25, 40),
      bidding(told, 'b', 0, 0, {
        onCashOut: (auction, desk) => desk.bid(auction, { probability: 0.1, validUs: 5_000_000, fair: 0.125 }),
        onBestBid(auction, desk) {
          tell(desk.nowUs, 'best', auction.bestPriceMicros)
          if (auction.bestPriceMicros === usd(40)) desk.bid(auction, { priceMicros: usd(200), validUs: 5_000_000 })
        },
        onAck: (ack, desk) => tell(desk.nowUs, `ack ${ack.refusal} of ${ack.auction}`, ack.action),
      }),
    ], selling(told, { onBid: () => {} }))
    const auction = ofKind(rows, ParlayEvent.auctionOpened, AuctionOpened)[0]!.auction
    // A tenth of 99 is bid at 15.41 s, after 40; then 200, which is more than the payout.
    expect(told.filter(([, name]) => name === 'b')).toEqual([
      [15.43, 'b', 'best', usd(40)], [15.43, 'b', `ack ${Refusal.none} of ${auction}`, Action.submitBid],
      [15.5, 'b', `ack ${Refusal.priceOutOfBounds} of ${auction}`, Action.submitBid], [25.36, 'b', 'best', NaN],
    ])
    const bids = commands.filter((c) => c.op === ParlayOp.submitBid).map(({ amountMicros, memoE9 }) => [amountMicros, memoE9])
    expect(bids).toEqual([[usd(40), -1], [usd(9.9), 125_000_000], [usd(200), -1]])
  })

  it('tells the backer alone of a fee on its own gain', () => {
    const seen: unknown[] = []
    const see = (name: string): MakerHandlers => ({ onCashOut: (auction) => void seen.push([name, auction.profitFeeBps, auction.makerFeeBps]) })
    for (const profitFeeOnMaker of [0, 1]) {
      play([bidding([], 'a', 0.25, 0, see('a')), bidding([], 'b', 0.5, 0, see('b'))], selling([]), { profile: profileOf(PARLAY_SETTINGS, { profitFeeOnMaker }) })
    }
    expect(seen).toEqual([['a', 100, 0], ['b', 100, 0], ['a', 100, 100], ['b', 100, 0]])
  })

  it('draws how long a bid takes by its auction, whatever the maker was told of it', () => {
    const sentUs: number[] = []
    const bid: NonNullable<MakerHandlers['onCashOut']> = (auction, desk) => {
      if (sentUs.length === 2) return
      sentUs.push(desk.nowUs)
      desk.bid(auction, { priceMicros: usd(sentUs.length), validUs: 60_000_000 })
    }
    const keeper = bidding([], 'b', 0, 0, { onCashOut: bid, onBestBid: bid })
    const { commands } = play(
      [bidding([], 'a', 0.25, 0), { ...keeper, latency: { ...LATENCY, submit: { baseUs: 0, jitterUs: sec(2) } } }],
      holding({ onOpened: (position, desk) => desk.openCashOut(position) }),
    )
    const bids = commands.filter(({ op }) => op === ParlayOp.submitBid)
    expect(bids.map(({ amountMicros }) => amountMicros)).toEqual([usd(1), usd(2)])
    expect(bids[1]!.atUs - sentUs[1]!).toBe(bids[0]!.atUs - sentUs[0]!)
  })

  it('is refused to a seller that comes late, and can be cancelled', () => {
    const told: Told[] = []
    play([bidding(told, 'a', 0.25, 40)], selling(told, {
      onBid(position, desk) {
        if (!isKnown(position.bestPriceMicros)) return
        desk.cancelCashOut(position)
        desk.takeBid(position, 1)
      },
    }))
    // The commit reaches the venue right after the cancel and finds the auction ended; its end is told before its refusal.
    expect(told.filter(([, name]) => name === 'bettor')).toEqual([[15.29, 'bettor', 'opened', usd(25)], [15.5, 'bettor', `ended ${AuctionOutcome.cancelled}`, NaN]])
  })

  it('is refused near a close, and the position stays held', () => {
    const told: Told[] = []
    let wasHeld = false
    const { rows } = play([bidding(told, 'a', 0.25, 40)], selling(told, {
      onCashOutRefused(position, { refusal }, desk) {
        wasHeld = position.canCashOut
        note(told, 'bettor')(desk.nowUs, 'refused', refusal)
      },
    }), {
      operator: [
        ...[0, 1].map((market) => ({ atUs: START, op: ParlayOp.listMarket, market, closeUs: START + sec(45.3) })),
        ...[0, 1].map((market) => ({ atUs: START + sec(200), op: ParlayOp.resolveMarket, market, [Resolve.result]: MarketResult.yes })),
      ],
    })
    expect(told.filter(([, name]) => name === 'bettor')[1]).toEqual([15.36, 'bettor', 'refused', Refusal.marketClosed])
    expect([wasHeld, rows.filter((row) => row.kind === ParlayEvent.auctionOpened).length]).toEqual([true, 0])
  })
})

describe('a position that the chain does not fund', () => {
  const operator = (untilS: number, fault: number = ParlayFault.chainDropped) => [
    ...[0, 1].map((market) => ({ atUs: START, op: ParlayOp.listMarket, market, closeUs: START + sec(3600) })),
    { atUs: START + sec(12), op: ParlayOp.setFault, market: -1, [SetFault.fault]: fault, [SetFault.isOn]: 1 },
    { atUs: START + sec(untilS), op: ParlayOp.setFault, market: -1, [SetFault.fault]: fault, [SetFault.isOn]: 0 },
    ...[0, 1].map((market) => ({ atUs: START + sec(200), op: ParlayOp.resolveMarket, market, [Resolve.result]: MarketResult.yes })),
  ]

  it('cannot be sold, ends when it fails, and gives everybody their money back', () => {
    const told: Told[] = []
    const { session } = play([bidding(told, 'a', 0.25, 40)], selling(told, {
      onCashOutRefused(position, { refusal }, desk) {
        note(told, 'bettor')(desk.nowUs, 'refused', refusal)
        desk.checkIn(position, sec(60))
      },
      onCheck: (_position, desk) => note(told, 'bettor')(desk.nowUs, 'checked', 0),
    }), { operator: operator(20) })
    // Pending at 15.27 s, and 20 s after it dropped.
    expect(told).toEqual([
      [15.29, 'a', 'fill', usd(74.25)], [15.29, 'bettor', 'opened', usd(25)], [15.36, 'bettor', 'refused', Refusal.notSellable], [35.29, 'a', 'settled', 0],
    ])
    expect([0, 1].map((account) => session.parlay!.venue.view.balance(account).freeMicros)).toEqual([usd(1000), usd(10_000)])
  })

  // A check of an earlier try may come at the instant of a look, or between two.
  it.each([[1.999, 0], [2, 0], [1, 0.07], [1.93, 0.07]])('is offered again every %d s, plus %d s on the way, once until it is funded', (everyS, roundTripS) => {
    const { onOpened, onCheck, onListened, onBid, onAuctionEnded, onCashOutRefused } = (stopLoss as unknown as BettorStrategy)
      .create(parameterValues(stopLoss.parameters, { level: 0.9, every: sec(everyS), listen: sec(2), maxAge: sec(1e5) }))
    const looks: number[] = []
    const strategy = holding({
      onOpened, onListened, onBid, onAuctionEnded, onCashOutRefused,
      onCheck(position, desk) {
        looks.push(position.checks)
        onCheck!(position, desk)
      },
    } as Partial<BettorHandlers>)
    const ticks = {
      count: 2, atUs: Float64Array.of(START, START), market: Int32Array.of(0, 1), bidE6: Int32Array.of(400_000, 500_000),
      askE6: Int32Array.of(400_000, 500_000), bidSize: new Int32Array(2), askSize: new Int32Array(2), lastE6: Int32Array.of(-1, -1),
    }
    const [submit, broadcast] = roundTripS === 0 ? [fixed(0), fixed(0)] : [fixed(0.05), fixed(0.02)]
    const { commands } = play(
      [bidding([], 'a', 0.25, 0)], strategy, { ticks, operator: operator(60, ParlayFault.chainUnclear) }, MarketResult.yes, { latency: { ...LATENCY, submit, broadcast } },
    )
    // An auction of 10 s, which nobody bids in, comes between the later ones.
    const asked = commands.filter(({ op }) => op === ParlayOp.openCashout).map(({ atUs }) => atUs)
    const gaps = asked.slice(1).map((atUs, i) => atUs - asked[i]!)
    const [retryUs, auctionUs] = [sec(everyS + roundTripS), sec(everyS + roundTripS + 10)]
    const refused = gaps.indexOf(auctionUs)
    expect(refused).toBeGreaterThan(10)
    expect(gaps).toEqual(gaps.map((_, i) => (i < refused ? retryUs : auctionUs)))
    expect(looks).toEqual(asked.map((_, i) => i + 1))
  })

  it('gives a maker’s account its bet back too', () => {
    const told: Told[] = []
    play([bidding(told, 'a', 0.25, 0), bidding(told, 'b', 0, 0)], scripted([REQUEST]), { operator: operator(20) }, MarketResult.yes, { account: 'b' })
    expect(told).toEqual([[15.29, 'a', 'fill', usd(74.25)], [35.29, 'b', 'held ended', 0], [35.29, 'a', 'settled', 0]])
  })
})

describe('what a bettor knows of its position', () => {
  it('learns of a leg’s result as late as of its prices', () => {
    const seen: [number, number][] = []
    const look = (position: HoldingView, desk: Parameters<NonNullable<BettorHandlers['onCheck']>>[1]): void => {
      seen.push([(desk.nowUs - START) / 1e6, desk.expectedPayout(position, { priceType: 'mid', maxAgeUs: sec(1e6) })])
    }
    const ticks = {
      count: 2, atUs: Float64Array.of(START, START), market: Int32Array.of(0, 1), bidE6: Int32Array.of(400_000, 500_000),
      askE6: Int32Array.of(400_000, 500_000), bidSize: new Int32Array(2), askSize: new Int32Array(2), lastE6: Int32Array.of(-1, -1),
    }
    const operator = [
      ...[0, 1].map((market) => ({ atUs: START, op: ParlayOp.listMarket, market, closeUs: START + sec(3600) })),
      { atUs: START + sec(100), op: ParlayOp.resolveMarket, market: 0, [Resolve.result]: MarketResult.yes },
      { atUs: START + sec(200), op: ParlayOp.resolveMarket, market: 1, [Resolve.result]: MarketResult.no },
    ]
    play([bidding([], 'a', 0.25, 0)], holding({
      onOpened(position, desk) {
        look(position, desk)
        for (const atS of [100.05, 100.1, 199.9, 200.1]) desk.checkIn(position, START + sec(atS) - desk.nowUs)
      },
      onCheck: look,
    }), { ticks, operator })
    // 99 · 0.4 · 0.5, then 99 · 0.5 from 100.1 s on; at 200 s it has ended, and nothing is asked.
    expect(seen.map(([at, value]) => [at, Math.round(value)])).toEqual([[15.29, usd(19.8)], [100.05, usd(19.8)], [100.1, usd(49.5)], [199.9, usd(49.5)]])
  })

  it('learns of its auction when it is told, and sells in it no sooner', () => {
    const told: Told[] = []
    const slow = { ...LATENCY, broadcast: fixed(3) }
    const { commands } = play([bidding(told, 'a', 0.25, 40)], selling(told, {
      onOpened(position, desk) {
        desk.openCashOut(position, sec(1))
        for (const us of [sec(0.5), sec(3.05) - 1, sec(3.05) + 1]) desk.checkIn(position, us)
      },
      onCheck: (position, desk) => note(told, 'bettor')(desk.nowUs, 'checked', Number(position.isAuctioned) + position.auctions),
      onListened: (position, desk) => note(told, 'bettor')(desk.nowUs, 'listened', Number(position.isAuctioned)),
    }), {}, MarketResult.yes, { latency: slow })
    // Opened at 15.27 s, told at 18.27 s, the auction at 18.32 s and its bid at 18.39 s, told so much later; the commit comes 50 ms on.
    expect(told.filter(([, name]) => name === 'bettor')).toEqual([
      [18.77, 'bettor', 'checked', 0], [21.319999, 'bettor', 'checked', 0], [21.32, 'bettor', 'listened', 1], [21.320001, 'bettor', 'checked', 2],
      [21.39, 'bettor', 'bid', usd(40)], [24.44, 'bettor', `ended ${AuctionOutcome.sold}`, usd(39.8475)],
    ])
    expect(commands.filter(({ op }) => op === ParlayOp.commitCashout).map(({ atUs }) => atUs - START)).toEqual([sec(21.44)])
  })

  it('has listened only while the auction runs that it asked for', () => {
    const told: Told[] = []
    const tell = note(told, 'bettor')
    play([bidding([], 'a', 0.25, 40)], holding({
      onOpened: (position, desk) => desk.openCashOut(position, sec(2)),
      onListened: (position, desk) => tell(desk.nowUs, 'listened', position.auctions),
      onBid: (position, desk) => { if (position.isAuctioned && position.auctions === 1 && position.bestPriceMicros > 0) desk.cancelCashOut(position) },
      onAuctionEnded(position, outcome, desk) {
        tell(desk.nowUs, `ended ${outcome}`, position.auctions)
        if (position.auctions === 1) desk.openCashOut(position, sec(3))
      },
    }))
    // The first is asked for at 15.29 s and cancelled at 15.48 s, the second asked for at 15.5 s.
    expect(told).toEqual([
      [15.5, 'bettor', `ended ${AuctionOutcome.cancelled}`, 1], [18.5, 'bettor', 'listened', 2], [25.57, 'bettor', `ended ${AuctionOutcome.expired}`, 2],
    ])
  })

  it('costs nothing for cohorts that do not look: they hold nothing here', () => {
    const told: Told[] = []
    const { session } = play([bidding(told, 'a', 0.25, 40)], scripted([REQUEST]))
    const image = session.parlay!.snapshot() as { cohorts: { sellers: { holdings: { slotCount: number } } } }
    expect(image.cohorts.sellers.holdings.slotCount).toBe(0)
  })
})

describe('an account that both bets and makes', () => {
  const account = { account: 'b', bankrollMicros: usd(7) }

  it('has one deposit, and its desk knows of its bets', () => {
    const told: Told[] = []
    const { session, rows } = play([bidding(told, 'a', 0.25, 0), bidding(told, 'b', 0.5, 0)], scripted([REQUEST]), {}, MarketResult.yes, account)
    // No account is the bettor's alone, so the makers are 0 and 1. The bet of maker b wins 99 less 0.7425 for 25.
    expect(ofKind(rows, ParlayEvent.fundsDeposited, FundsMoved).map(({ account, amountMicros }) => [account, amountMicros])).toEqual([[0, usd(10_000)], [1, usd(10_000)]])
    expect(session.parlay!.venue.view.balance(1).freeMicros).toBe(usd(10_000 - 25 + 98.2575))
    expect(told).toEqual([[15.29, 'a', 'fill', usd(74.25)], [200.02, 'a', 'settled', usd(-74.25)], [200.02, 'b', 'held ended', usd(73.2575)]])
  })

  it('sells its bet, and may not bid for it', () => {
    const told: Told[] = []
    const refused: number[] = []
    const { session } = play([
      bidding(told, 'a', 0.25, 40), bidding(told, 'b', 0, 50, { onAck: (ack) => void refused.push(ack.refusal) }),
    ], selling(told), {}, MarketResult.yes, account)
    expect(refused).toEqual([Refusal.notAllowed])
    expect(told.filter(([, , event]) => event === 'held ended' || event.startsWith('ended'))).toEqual([
      [15.5, 'bettor', `ended ${AuctionOutcome.sold}`, usd(39.8475)], [15.5, 'b', 'held ended', usd(14.8475)],
    ])
    expect(session.parlay!.venue.view.balance(1).freeMicros).toBe(usd(10_000 + 14.8475))
  })

  it('is told which auction is its own', () => {
    const seen: unknown[] = []
    const see = (name: string): MakerHandlers => ({ onCashOut: (auction) => void seen.push([name, auction.isSeller, auction.isBackingMaker]) })
    play([bidding([], 'a', 0.25, 0, see('a')), bidding([], 'b', 0.5, 0, see('b'))], selling([]), {}, MarketResult.yes, account)
    expect(seen).toEqual([['a', false, true], ['b', true, false]])
  })

  it('may back its own bet', () => {
    const { session } = play([bidding([], 'b', 0.25, 0)], scripted([REQUEST]), {}, MarketResult.no, account)
    // Its stake comes back to it as the maker; the taker fee is gone.
    expect(session.parlay!.venue.view.balance(0).freeMicros).toBe(usd(10_000 - 0.25))
  })

  it('is one bettor, with the account of a maker that is there', () => {
    expect(() => play([bidding([], 'a', 0.25, 0)], scripted([REQUEST]), {}, MarketResult.yes, account)).toThrow('bettor is one bettor with the account of a maker, b')
  })
})

describe('views of auctions and positions', () => {
  const failureOf = (makers: readonly MakerEntry[], strategy: BettorStrategy, freshViews = true): string | undefined => {
    try {
      play(makers, strategy, { freshViews })
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  it('a maker that keeps an auction is found out', () => {
    let kept: AuctionView | undefined
    const keeping = (): MakerEntry => bidding([], 'keeper', 0.25, 0, {
      onCashOut: (auction) => { kept = auction },
      onBestBid: (_auction, desk) => desk.bid(kept!, { priceMicros: usd(1), validUs: 5_000_000 }),
    })
    const makers = (): MakerEntry[] => [keeping(), bidding([], 'other', 0, 10)]
    expect(failureOf(makers(), selling([]))).toMatch(/keeper threw in onBestBid(?: \(\w+ \d+\))? at \S+Z: a view holds during its handler only/)
    expect(failureOf(makers(), selling([]), false)).toBeUndefined()
  })

  it.each(['cashOut', 'checkIn', 'expectedPayout'] as const)('a bettor that keeps a position is found out by %s', (use) => {
    let kept: HoldingView | undefined
    const keeping = holding({
      onOpened(position, desk) {
        kept = position
        desk.checkIn(position, 0)
      },
      onCheck(_position, desk) {
        if (use === 'cashOut') desk.openCashOut(kept!)
        else if (use === 'checkIn') desk.checkIn(kept!, 0)
        else desk.expectedPayout(kept!, { priceType: 'mid', maxAgeUs: 1 })
      },
    })
    expect(failureOf([bidding([], 'a', 0.25, 0)], keeping)).toMatch(/bettor threw in onCheck(?: \(\w+ \d+\))? at \S+Z: a holding is shown during its handler only/)
  })

  it.each([
    ['takeBid without an auction', 'there is no auction of the position', (position, desk) => desk.takeBid(position, 1)],
    ['a second auction', 'an auction of the position is under way', (position, desk) => { desk.openCashOut(position); desk.openCashOut(position) }],
    ['an end without an auction', 'there is no auction of the position', (position, desk) => desk.cancelCashOut(position)],
    ['a check in the past', 'a delay is a whole number of µs from 0 on', (position, desk) => desk.checkIn(position, -1)],
  ] as [string, string, NonNullable<BettorHandlers['onOpened']>][])('refuses %s', (_name, message, onOpened) => {
    expect(failureOf([bidding([], 'a', 0.25, 0)], holding({ onOpened }))).toMatch(message)
  })

  it('opens each auction of a position after a delay of its own', () => {
    const askedUs: number[] = []
    const open = (position: HoldingView, desk: Parameters<NonNullable<BettorHandlers['onOpened']>>[1]): void => {
      if (askedUs.length === 3) return
      askedUs.push(desk.nowUs)
      desk.openCashOut(position)
    }
    const { commands } = play([bidding([], 'a', 0.25, 0)], holding({ onOpened: open, onAuctionEnded: (position, _, desk) => open(position, desk) }), {}, MarketResult.yes, {
      latency: { ...LATENCY, submit: { baseUs: sec(0.05), jitterUs: sec(1) } },
    })
    const openedUs = commands.filter(({ op }) => op === ParlayOp.openCashout).map(({ atUs }) => atUs)
    const delaysUs = openedUs.map((atUs, i) => atUs - askedUs[i]!)
    expect([delaysUs.length, new Set(delaysUs).size, Math.min(...delaysUs) >= sec(0.05)]).toEqual([3, 3, true])
  })

  it('refuses a lowest price of 0', () => {
    expect(failureOf([bidding([], 'a', 0.25, 40)], selling([], { onBid: (position, desk) => desk.takeBid(position, 0) }))).toMatch('a lowest price is a whole number of microUSDC above 0, not 0')
  })
})
