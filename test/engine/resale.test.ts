import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BettorStrategy } from '../../src/agent/bettor.ts'
import { scripted } from '../../src/agent/bettors/scripted.ts'
import { type Delay, type Latency } from '../../src/agent/latency.ts'
import { type MakerHandlers, type MakerStrategy, maker } from '../../src/agent/maker.ts'
import type { MakerDesk } from '../../src/agent/makerDesk.ts'
import cashOutBidder from '../../src/agent/makers/cashOutBidder.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import type { PositionView } from '../../src/agent/views.ts'
import { AuctionOutcome, Refusal } from '../../src/agent/vocabulary.ts'
import type { MakerEntry, SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { MarketResult, Side } from '../../src/market/sides.ts'
import { Digest } from '../../src/record/digest.ts'
import type { Sink } from '../../src/record/sink.ts'
import type { Image } from '../../src/unit/snapshot.ts'
import { ParlayFault, ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent, PositionBoughtBack, PositionTransferred } from '../../src/venue/parlay/protocol/events.ts'
import { PARLAY_SETTINGS } from '../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { ofKind } from './loggedRow.ts'
import { RowLog } from './rowLog.ts'
import { auctionConfig, makerEntry, makers, NO_FAULTS, parlayConfig, type ParlayConfig, type Replaced } from './world.ts'
import { Resolve } from '../../src/venue/contract.ts'

const START = 1_750_000_000_000_000
const usd = (amount: number): number => Math.round(amount * 1_000_000)
const sec = (s: number): number => Math.round(s * 1_000_000)
const fixed = (s: number): Delay => ({ baseUs: sec(s), jitterUs: 0 })
/** Venue to participant 20 ms, back 50 ms, a confirmation 200 ms. */
const LATENCY: Latency = { feedUs: sec(0.1), broadcast: fixed(0.02), submit: fixed(0.05), confirm: fixed(0.2) }

/** Seconds after the start, whom, what, a number of it, and the free money and held cost of the desk then. */
type Told = [at: number, name: string, event: string, value: number, free: number, held: number]

function telling(told: Told[], name: string, handlers: MakerHandlers): MakerEntry {
  const tell = (desk: MakerDesk, event: string, value: number): void =>
    void told.push([(desk.nowUs - START) / 1e6, name, event, value, desk.freeMicros, desk.heldCostMicros])
  const strategy = maker({}, () => ({
    ...handlers,
    onBought(position, desk) {
      tell(desk, 'bought', position.costMicros)
      handlers.onBought?.(position, desk)
    },
    onBid(position, desk) {
      tell(desk, 'bid', position.bestPriceMicros)
      handlers.onBid?.(position, desk)
    },
    onAuctionEnded(position, outcome, desk) {
      tell(desk, `ended ${outcome}`, position.profitMicros)
      handlers.onAuctionEnded?.(position, outcome, desk)
    },
    onCashOutRefused(position, refusal, desk) {
      tell(desk, 'refused', refusal.refusal)
      handlers.onCashOutRefused?.(position, refusal, desk)
    },
    onSettled(position, desk) {
      tell(desk, position.isHolder ? 'held ended' : position.isBoughtBack ? 'bought back' : 'settled', position.profitMicros)
    },
  })) as unknown as MakerStrategy
  return { name, strategy, values: {}, capitalMicros: usd(10_000), latency: LATENCY, faults: NO_FAULTS }
}

/** Backs the bet at odds of 4: a stake of 24.75 pays 99, a risk of 74.25. */
const backing = (told: Told[], handlers: MakerHandlers = {}): MakerEntry =>
  telling(told, 'a', { onRequest: (request, desk) => desk.quote(request, { probability: 0.25, validUs: 60_000_000 }), ...handlers })

/** Bids `price` USDC in the auctions opened from second `fromS` on, but not in its own. */
const bids = (price: number, fromS = 0): MakerHandlers => ({
  onCashOut(auction, desk) {
    if (!auction.isSeller && desk.nowUs >= START + sec(fromS)) desk.bid(auction, { priceMicros: usd(price), validUs: 60_000_000 })
  },
})

/** Takes the position over for 50 and offers it again 10 s after. */
const reselling = (handlers: MakerHandlers = {}): MakerHandlers => ({
  onCashOut(auction, desk) {
    if (desk.nowUs < START + sec(20)) desk.bid(auction, { priceMicros: usd(50), validUs: 60_000_000 })
  },
  onBought: (position, desk) => desk.checkIn(position, sec(10)),
  onCheck: (position, desk) => desk.openCashOut(position),
  onBid: (position, desk) => { if (position.isAuctioned && position.bestPriceMicros > 0) desk.takeBid(position, position.bestPriceMicros) },
  ...handlers,
})

/** The bettor asks at 10 s and commits at 15.05 s; its position opens at 15.27 s, and it sells it to the first bid. */
const bettor: BettorStrategy = {
  role: 'bettor', parameters: {},
  create: () => ({
    ...scripted([{
      legs: [{ market: 0, side: Side.yes }, { market: 1, side: Side.yes }], betMicros: usd(25), minOddsE4: 20_000, decideUs: sec(5), cancel: false,
    }]).create({}),
    onOpened: (holding, desk) => desk.openCashOut(holding),
    onBid: (holding, desk) => { if (holding.isAuctioned && holding.bestPriceMicros > 0) desk.takeBid(holding, 1) },
  }),
}

const LISTED = [0, 1].map((market) => ({ atUs: START, op: ParlayOp.listMarket, market, closeUs: START + sec(3600) }))
const resolving = (atS: number, result: number): SessionConfig['operator'][number][] =>
  [0, 1].map((market) => ({ atUs: START + sec(atS), op: ParlayOp.resolveMarket, market, [Resolve.result]: result }))

const OPERATOR: SessionConfig['operator'] = [...LISTED, ...resolving(200, MarketResult.yes)]

function play(entries: readonly MakerEntry[], operator = OPERATOR, freshViews = true) {
  const log = new RowLog()
  const session = sessionOf(entries, operator, [log], freshViews)
  session.runToEnd()
  expectBooks(session)
  return { session, log }
}

function sessionOf(entries: readonly MakerEntry[], operator = OPERATOR, sinks: readonly Sink[] = [], freshViews = true): Session {
  const none = new Int32Array(0)
  return new Session(parlayConfig({
    seed: 'a', startUs: START, arrivalsUntilUs: START + sec(150), profile: profileOf(PARLAY_SETTINGS), marketCount: 2,
    keys: { texts: ['a', 'b'], start: Int32Array.of(0, 1, 2), keys: Int32Array.of(0, 1) },
    ticks: { count: 0, atUs: new Float64Array(0), market: none, bidE6: none, askE6: none, bidSize: none, askSize: none, lastE6: none },
    operator, makers: entries, sinks, freshViews,
    cohorts: [{ name: 'bettor', strategy: bettor, values: {}, bettors: 1, bankrollMicros: usd(1000), everyUs: 0, arrivalsUs: [START + sec(10)], latency: LATENCY }],
  }))
}

function expectBooks(session: Session): void {
  for (const { account, freeMicros, capitalMicros, openPositions, heldPositions, heldCostMicros } of session.desks()) {
    expect([freeMicros, capitalMicros, openPositions, heldPositions, heldCostMicros]).toEqual([session.parlay!.venue.view.balance(account).freeMicros, freeMicros, 0, 0, 0])
  }
}

describe('a maker that sells what it took over', () => {
  it('PQ-457 passes the position on, and every book follows what is delivered', () => {
    const told: Told[] = []
    const { session } = play([backing(told), telling(told, 'b', reselling()), telling(told, 'c', bids(60, 20))])
    // Sold to b at 15.48 s. Asked for at 25.5 s, open at 25.55, the bid at 25.62, taken at 25.69: 1 % of 60 − 50 off.
    // The winning bid is no bid any more. The legs win: c gets 99 less 1 % of 99 − 60.
    expect(told).toEqual([
      [15.5, 'b', 'bought', usd(50), usd(9950), usd(50)],
      [25.64, 'b', 'bid', usd(60), usd(9950), usd(50)],
      [25.71, 'b', 'bid', NaN, usd(9950), usd(50)],
      [25.71, 'b', `ended ${AuctionOutcome.sold}`, usd(9.9), usd(10_009.9), 0],
      [25.71, 'c', 'bought', usd(60), usd(9940), usd(60)],
      [200.02, 'a', 'settled', usd(-74.25), usd(9925.75), 0],
      [200.02, 'c', 'held ended', usd(38.61), usd(10_038.61), 0],
    ])
    expect(session.counts).toMatchObject({ auctions: 2, sales: 2 })
    expect([0, 1, 2, 3].map((account) => session.parlay!.venue.view.balance(account).freeMicros))
      .toEqual([usd(1000 - 25 + 49.7475), usd(9925.75), usd(10_009.9), usd(10_038.61)])
  })

  it('PQ-429 sells it to the backing maker, which closes it', () => {
    const told: Told[] = []
    play([backing(told, bids(60, 20)), telling(told, 'b', reselling())])
    // The pot of 99 pays 60 to b, less 0.1, and 39 to a for a risk of 74.25.
    expect(told.slice(3)).toEqual([
      [25.71, 'b', `ended ${AuctionOutcome.sold}`, usd(9.9), usd(10_009.9), 0],
      [25.71, 'a', 'bought back', usd(-35.25), usd(9964.75), 0],
    ])
  })

  it('sells it to a maker that sold it before', () => {
    const told: Told[] = []
    const { session } = play([
      backing(told), telling(told, 'b', reselling({ onCashOut: (auction, desk) => { if (!auction.isSeller && desk.nowUs < START + sec(60)) desk.bid(auction, { priceMicros: usd(50), validUs: 60_000_000 }) } })),
      telling(told, 'c', reselling({ onCashOut: (auction, desk) => { if (!auction.isSeller && desk.nowUs > START + sec(20)) desk.bid(auction, { priceMicros: usd(60), validUs: 60_000_000 }) } })),
    ])
    // The position goes from b to c and back as long as both bid. At last it stays with c, since b does not bid any more.
    expect(told.filter(([, , event]) => event === 'bought').map(([, name, , price]) => [name, price])).toEqual([
      ['b', usd(50)], ['c', usd(60)], ['b', usd(50)], ['c', usd(60)], ['b', usd(50)], ['c', usd(60)],
    ])
    expect(session.counts.sales).toBe(6)
  })

  it('is as long on its way with a client’s call about a position that has just left it as it was with its own', () => {
    const told: Told[] = []
    let wayUs = NaN
    // Sold at 25.696 s, of which b hears at 25.716 s.
    const calling = telling([], 'calling', {
      onStart: (desk) => desk.after(START + sec(25.71) - desk.nowUs),
      onTimer: () => {
        const sentUs = session.parlay!.nowUs
        session.parlay!.send(session.parlay!.desks()[1]!.account, { op: ParlayOp.commitCashout, fields: { auction: 2 } }, { answered: () => { wayUs = session.parlay!.nowUs - sentUs }, told: () => {} })
      },
    })
    const b = telling(told, 'b', reselling())
    const session: Session = sessionOf([backing(told), { ...b, latency: { ...LATENCY, submit: { baseUs: sec(0.05), jitterUs: sec(0.01) } } }, telling(told, 'c', bids(60, 20)), calling])
    session.runToEnd()
    const at = (event: string): number => told.find(([, name, told]) => name === 'b' && told === event)![0]
    const soldAt = at(`ended ${AuctionOutcome.sold}`)
    expect(soldAt).toBeGreaterThan(25.71)
    // It took the bid when it heard of it, and heard of the sale 20 ms after that.
    expect(wayUs).toBe(Math.round((soldAt - 0.02 - at('bid')) * 1e6))
  })

  it('is told that its auction expired, or was cancelled, and may open another', () => {
    const told: Told[] = []
    const again = reselling({
      onBid: (position, desk) => { if (position.bestPriceMicros > 0 && position.auctions === 2) desk.cancelCashOut(position) },
      onAuctionEnded: (position, _outcome, desk) => { if (position.canCashOut && position.auctions < 2) desk.openCashOut(position) },
    })
    play([backing(told), telling(told, 'b', again), telling(told, 'c', bids(60, 30))])
    // The first auction is open from 25.55 s to 35.55 s. The next one opens at 35.62 s, with the bid at 35.69 s and the cancel at 35.76 s.
    expect(told.slice(1, -2)).toEqual([
      [35.57, 'b', `ended ${AuctionOutcome.expired}`, 0, usd(9950), usd(50)],
      [35.71, 'b', 'bid', usd(60), usd(9950), usd(50)],
      [35.78, 'b', 'bid', NaN, usd(9950), usd(50)],
      [35.78, 'b', `ended ${AuctionOutcome.cancelled}`, 0, usd(9950), usd(50)],
    ])
  })

  it('hears of the end of its auction before that of a position that is decided', () => {
    const told: Told[] = []
    play([backing(told), telling(told, 'b', reselling())], [...LISTED, ...resolving(30, MarketResult.no)])
    expect(told.slice(1)).toEqual([
      [30.02, 'b', `ended ${AuctionOutcome.graded}`, 0, usd(9950), usd(50)],
      [30.02, 'a', 'settled', usd(24.75), usd(10_024.75), 0],
      [30.02, 'b', 'held ended', usd(-50), usd(9950), 0],
    ])
  })

  it('is told of refusals, and can try again', () => {
    const told: Told[] = []
    const chain = (atS: number, on: number): SessionConfig['operator'][number] => ({ atUs: START + sec(atS), op: ParlayOp.setFault, market: -1, value: ParlayFault.chainUnclear, value2: on })
    const insisting = reselling({
      onCashOutRefused: (position, _refusal, desk) => { if (position.isAuctioned && desk.nowUs < START + sec(27)) desk.checkIn(position, sec(2)) },
      onCheck(position, desk) {
        if (position.canCashOut) desk.openCashOut(position)
        else desk.takeBid(position, usd(60))
      },
    })
    play([backing(told), telling(told, 'b', insisting), telling(told, 'c', bids(60, 20))], [...LISTED, chain(20, 1), chain(26, 0), ...resolving(200, MarketResult.yes)])
    expect([told[2], told[4]]).toEqual([
      [25.71, 'b', 'refused', Refusal.unavailable, usd(9950), usd(50)],
      // Asked again at 27.71 s, sold at 27.76 s.
      [27.78, 'b', `ended ${AuctionOutcome.sold}`, usd(9.9), usd(10_009.9), 0],
    ])
  })

  it('is told that a position near its close has no auction', () => {
    const told: Told[] = []
    const closing = [0, 1].map((market) => ({ atUs: START, op: ParlayOp.listMarket, market, closeUs: START + sec(25.55) + profileOf(PARLAY_SETTINGS).cashoutCutoffMs * 1000 }))
    play([backing(told), telling(told, 'b', reselling())], [...closing, ...resolving(2000, MarketResult.void)])
    expect(told[1]).toEqual([25.57, 'b', 'refused', Refusal.marketClosed, usd(9950), usd(50)])
  })

  it('gets what it is owed when it is back', () => {
    const told: Told[] = []
    const faults = { ...NO_FAULTS, disconnectEveryUs: sec(20), disconnectForUs: sec(5) }
    // Forty fates: `play` compares the books at the end of each.
    for (let i = 0; i < 40; i++) play([backing(told), { ...telling(told, 'b', reselling()), name: `b${i}`, faults }])
    const ends = told.filter(([, , event]) => event === `ended ${AuctionOutcome.expired}`).map(([at]) => at)
    expect([Math.min(...ends), Math.max(...ends) > 35.57]).toEqual([35.57, true])
  })
})

describe('mistakes with a held position', () => {
  const failureOf = (handlers: MakerHandlers, freshViews = true): string => {
    try {
      play([backing([]), telling([], 'b', reselling(handlers))], undefined, freshViews)
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }

  it.each([
    ['takeBid without an auction', 'there is no auction of the position', (position, desk) => desk.takeBid(position, 1)],
    ['an end without an auction', 'there is no auction of the position', (position, desk) => desk.cancelCashOut(position)],
    ['a second auction', 'an auction of the position is under way', (position, desk) => { desk.openCashOut(position); desk.openCashOut(position) }],
    ['a check in the past', 'a delay is a whole number of µs from 0 on', (position, desk) => desk.checkIn(position, -1)],
  ] as [string, string, NonNullable<MakerHandlers['onBought']>][])('refuses %s', (_name, message, onBought) => {
    expect(failureOf({ onBought })).toMatch(message)
  })

  it('refuses to sell a position that the maker backs', () => {
    expect(() => play([backing([], { onOpened: (position, desk) => desk.openCashOut(position) })])).toThrow('only a position that the maker holds can be sold')
  })

  it('finds out a maker that keeps a position, or that uses it later', () => {
    let kept: PositionView | undefined
    const keeping: MakerHandlers = {
      onBought(position, desk) {
        kept = position
        desk.checkIn(position, 0)
      },
      onCheck: (_position, desk) => desk.openCashOut(kept!),
    }
    expect(failureOf(keeping)).toMatch(/b threw in onCheck(?: \(\w+ \d+\))? at \S+Z: a view holds during its handler only/)
    const late: MakerHandlers = {
      onBought(position, desk) {
        kept = position
        desk.checkIn(position, sec(10))
      },
      onCashOut(auction, desk) {
        if (auction.isSeller) desk.checkIn(kept!, 1)
        else desk.bid(auction, { priceMicros: usd(50), validUs: 60_000_000 })
      },
    }
    expect(failureOf(late, false)).toMatch(/b threw in onCashOut(?: \(\w+ \d+\))? at \S+Z: a view holds during its handler only/)
  })
})

describe('INV-30 same inputs, same bytes, with positions that change hands again', () => {
  const SECONDS = 60
  const bidder = (name: string, values: Record<string, number>, awayUs: number): MakerEntry => {
    const strategy = cashOutBidder as unknown as MakerStrategy
    return {
      ...makerEntry(name, strategy), values: parameterValues(strategy.parameters, values),
      faults: { ...NO_FAULTS, disconnectEveryUs: sec(10), disconnectForUs: awayUs },
    }
  }
  /** `keen` bids more than `reseller`, but is away half of the time. */
  const config = (replaced: Replaced = {}): ParlayConfig => auctionConfig(SECONDS, {
    makers: [...makers(2), bidder('reseller', { margin: 0.02, resellAfter: sec(3), resellTries: 5 }, sec(2)), bidder('keen', { margin: 0 }, sec(10))],
    ...replaced,
  })
  const digestOf = (replaced: Replaced = {}, chunk = 4096): string => {
    const digest = new Digest()
    new Session(config({ ...replaced, sinks: [digest] })).runToEnd(chunk)
    return digest.hex()
  }
  const expected = digestOf()

  it('plays sales by makers, and ends with books that agree with the venue', () => {
    const log = new RowLog()
    const session = new Session(config({ sinks: [log] }))
    session.runToEnd()
    const reseller = session.desks()[2]!.account
    const sold = [
      ...ofKind(log.rows, ParlayEvent.positionTransferred, PositionTransferred).filter(({ seller }) => seller === reseller),
      ...ofKind(log.rows, ParlayEvent.positionBoughtBack, PositionBoughtBack).filter(({ holder }) => holder === reseller),
    ]
    expect(new Set(sold.map(({ kind }) => kind)).has(ParlayEvent.positionTransferred)).toBe(true)
    expect(sold.length).toBeGreaterThan(5)
    expectBooks(session)
  })

  it('INV-30 gives the same digest with every chunk size, and when strategies cannot keep their views', () => {
    for (const chunk of [1, 1000]) expect(digestOf({}, chunk)).toBe(expected)
    expect(digestOf({ freshViews: true })).toBe(expected)
  })

  it('INV-30 continues a checkpoint at any step to the same digest', () => {
    let total = 0
    for (const session = new Session(config()); session.run(1);) total++
    fc.assert(fc.property(fc.integer({ min: 1, max: total - 1 }), (steps) => {
      const digests = [new Digest(), new Digest()] as const
      const [first, second] = digests.map((digest) => new Session(config({ sinks: [digest] }))) as [Session, Session]
      first.run(steps)
      const image = deserialize(serialize({ session: first.snapshot(), digest: digests[0].snapshot() })) as { session: Image; digest: Image }
      second.restore(image.session)
      digests[1].restore(image.digest)
      expect(second.stateHash()).toBe(first.stateHash())
      second.runToEnd()
      expect(digests[1].hex()).toBe(expected)
    }), { numRuns: 8 })
  })
})
