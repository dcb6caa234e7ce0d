import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PortfolioView } from '../../../src/venue/parlay/protocol/view.ts'
import { Driver, type Leg, sec, T0, table, usd } from './driver.ts'
import { drawsOf } from '../../draws.ts'
import { startWalk, stepWalk } from './walk.ts'

const COUNTS = {
  open: 0, quoted: 0, accepted: 0, confirmed: 0, executed: 0, totalSettled: 0, totalCancelled: 0, totalExpired: 0, totalFailed: 0,
}
const STATS = {
  totalParlays: 0, wins: 0, losses: 0, totalWageredMicros: 0, realizedPnlMicros: 0, makerRealizedMicros: 0, updatedAtUs: -1,
}

const legs = (market: number): readonly Leg[] => [[market, 'yes'], [market + 1, 'yes']]

/** What has gone into the account's vault less what came out, from the postings alone. */
class Deposits {
  readonly micros = new Map<number, number>()

  note(d: Driver): void {
    for (const moved of d.moved) {
      const [, from, fromOwner, to, toOwner, amount] = /^\w+: (\w+)(?: (\d+))? -> (\w+)(?: (\d+))? (\d+)$/.exec(moved)!
      if (from === 'external') this.add(Number(toOwner), Number(amount))
      if (to === 'external') this.add(Number(fromOwner), -Number(amount))
    }
  }

  private add(account: number, micros: number): void {
    this.micros.set(account, (this.micros.get(account) ?? 0) + micros)
  }
}

/** The identity of the conformance page: everything that the account has is what it put in and what it made. */
function expectIdentity(d: Driver, deposits: Deposits, accounts: readonly number[]): void {
  deposits.note(d)
  for (const account of accounts) {
    const { balance, stats, summary }: PortfolioView = d.view.portfolio(account)
    expect({ account, micros: balance.grossMicros + summary.activeBetMicros }).toEqual({
      account, micros: (deposits.micros.get(account) ?? 0) + stats.realizedPnlMicros + stats.makerRealizedMicros,
    })
    expect(summary.portfolioMicros).toBe(balance.grossMicros + summary.activeBetMicros)
  }
}

describe('a portfolio', () => {
  it('PQ-073 is all zeros for an account never seen', () => {
    const d = new Driver()
    expect(d.view.portfolio(2_000_000_000)).toEqual({
      balance: { freeMicros: 0, reservedMicros: 0, lockedMicros: 0, grossMicros: 0, hasVault: false, fenced: false },
      stats: STATS, counts: COUNTS, summary: { activeCount: 0, activeBetMicros: 0, portfolioMicros: 0 },
    })
    expect([d.view.positionsOf(5), d.view.quotesOf(5)]).toEqual([[], []])
  })

  it.each<[string, string, number, (d: Driver) => unknown]>([
    ['total_wagered', 'wageredMicros', 10, () => {}],
    ['realized_pnl', 'realizedMicros', 10, (d) => d.resolve(2, 'no')],
    ["the maker's line", 'makerRealizedMicros', 20, (d) => d.resolve(2, 'yes')],
  ])('INV-01 stops the run where %s would leave the safe integers', (_, column, account, end) => {
    const play = (room: number): void => {
      const d = table()
      d.open(10, 21, 1.5)
      const image = d.venue.snapshot() as unknown as { accounts: Record<string, Float64Array> }
      image.accounts[column]![account] = Number.MAX_SAFE_INTEGER - room
      d.venue.restore(image as never)
      d.open(10, 20, 4, [[2, 'no'], [3, 'yes']])
      d.resolve(3, 'yes')
      end(d)
      d.pulse()
    }
    // The bet is 25, the win 98.2575 − 25, and the maker's gain the stake of 24.75.
    const added = { wageredMicros: usd(25), realizedMicros: 73_257_500, makerRealizedMicros: 24_750_000 }[column]!
    play(added)
    expect(() => play(added - 1)).toThrow('money overflow')
  })

  it('PQ-072 PQ-074 shows a position at its cost to the holder, and the risk to its maker', () => {
    const d = table()
    d.at(7).open(10, 20, 4)
    expect(d.view.portfolio(10)).toEqual({
      balance: d.view.balance(10),
      stats: { ...STATS, totalParlays: 1, totalWageredMicros: usd(25), updatedAtUs: T0 + 7 },
      counts: { ...COUNTS, executed: 1 },
      summary: { activeCount: 1, activeBetMicros: usd(25), portfolioMicros: usd(1000) },
    })
    expect(d.view.portfolio(20)).toEqual({
      balance: d.view.balance(20), stats: { ...STATS, updatedAtUs: T0 + 7 }, counts: COUNTS,
      summary: { activeCount: 0, activeBetMicros: 0, portfolioMicros: usd(1000) },
    })
    expect([10, 20, 21].map((account) => d.view.positionsOf(account))).toEqual([[1], [1], []])
  })

  it.each<[string, 'yes' | 'no' | 'void', object, number, number]>([
    // 98.2575 received for 25; the maker's risk of 74.25 is gone, or it gains the stake of 24.75.
    ['a win', 'yes', { wins: 1, realizedPnlMicros: 73_257_500, makerRealizedMicros: 0 }, -74_250_000, 1],
    ['a loss', 'no', { losses: 1, realizedPnlMicros: -25_000_000, makerRealizedMicros: 0 }, 24_750_000, 1],
    ['a void', 'void', { realizedPnlMicros: 0 }, 0, 1],
  ])('PQ-072 PQ-073 counts %s for both parties', (_, result, stats, makerRealizedMicros, totalSettled) => {
    const d = table()
    d.open(10, 20, 4, legs(1))
    d.at(9).resolve(1, result)
    d.resolve(2, 'yes')
    d.pulse()
    expect(d.view.portfolio(10)).toMatchObject({
      stats: { ...STATS, totalParlays: 1, totalWageredMicros: usd(25), updatedAtUs: T0 + 9, ...stats },
      counts: { ...COUNTS, totalSettled }, summary: { activeCount: 0, activeBetMicros: 0 },
    })
    expect(d.view.portfolio(20)).toMatchObject({ stats: { ...STATS, makerRealizedMicros, updatedAtUs: T0 + 9 }, counts: COUNTS })
  })

  it('PQ-073 the maker\'s line is net of its own fee', () => {
    const d = table({ profitFeeOnMaker: 1 })
    d.open(10, 20, 4)
    d.resolve(1, 'no')
    d.pulse()
    expect(d.view.portfolio(20).stats.makerRealizedMicros).toBe(24_750_000 - 247_500)
  })

  it('PQ-456 a transfer ends the seller\'s holding and begins the buyer\'s at the price; the maker notices nothing', () => {
    const d = table()
    d.open(10, 20, 4)
    d.at(5).cashout(10, 1)
    d.bid(21, 1, usd(60))
    d.sell(10, 1)
    // 60 less 1 % of a profit of 35.25, for a cost of 25.
    expect(d.view.portfolio(10)).toMatchObject({
      stats: { totalParlays: 1, wins: 0, realizedPnlMicros: 34_647_500, updatedAtUs: T0 + 5 }, counts: { ...COUNTS, totalSettled: 1 },
      summary: { activeCount: 0 },
    })
    expect(d.view.portfolio(21)).toMatchObject({
      stats: { totalParlays: 1, totalWageredMicros: usd(60), realizedPnlMicros: 0, updatedAtUs: T0 + 5 }, counts: { ...COUNTS, executed: 1 },
      summary: { activeCount: 1, activeBetMicros: usd(60), portfolioMicros: usd(1000) },
    })
    expect(d.view.portfolio(20).stats.updatedAtUs).toBe(T0)
    expect([10, 20, 21].map((account) => d.view.positionsOf(account))).toEqual([[], [1], [1]])
    d.at(6).resolve(1, 'no')
    d.pulse()
    expect([10, 21].map((account) => d.view.portfolio(account).stats.losses)).toEqual([0, 1])
    expect(d.view.portfolio(21).stats.realizedPnlMicros).toBe(-usd(60))
  })

  it('PQ-455 a buyback ends the holding for both parties', () => {
    const d = table()
    d.open(10, 20, 4)
    d.at(5).cashout(10, 1)
    d.bid(20, 1, usd(40))
    d.sell(10, 1)
    // 40 less 1 % of 15.25; of the pot of 99 the maker keeps 59, 15.25 less than its risk.
    expect(d.view.portfolio(10)).toMatchObject({
      stats: { realizedPnlMicros: 14_847_500, wins: 0, losses: 0, updatedAtUs: T0 + 5 }, counts: { ...COUNTS, totalSettled: 1 },
    })
    expect(d.view.portfolio(20).stats).toMatchObject({ makerRealizedMicros: -15_250_000, updatedAtUs: T0 + 5 })
  })
})

describe('the states of a parlay', () => {
  const at = (d: Driver) => d.view.portfolio(10).counts

  it('PQ-124 PQ-125 open, quoted, accepted, confirmed, executed, settled', () => {
    const d = table()
    d.create(10)
    expect(at(d)).toEqual({ ...COUNTS, open: 1 })
    d.submit(20, 1, 4)
    expect(at(d)).toEqual({ ...COUNTS, quoted: 1 })
    d.withdrawQuote(20, 1)
    expect(at(d)).toEqual({ ...COUNTS, open: 1 })
    d.submit(20, 1, 4)
    d.submit(21, 1, 3)
    d.update(10, 1)
    expect(at(d)).toEqual({ ...COUNTS, open: 1 })
    d.submit(20, 1, 4)
    d.submit(21, 1, 3)
    d.commit(10, 1)
    expect(at(d)).toEqual({ ...COUNTS, accepted: 1 })
    d.decline(20, 1, 4)
    expect(at(d)).toEqual({ ...COUNTS, quoted: 1 })
    d.commit(10, 1)
    d.fault('mirrorBehind', 1)
    d.confirm(21, 1, 5)
    expect(at(d)).toEqual({ ...COUNTS, confirmed: 1 })
    d.pulse(sec(10))
    expect(at(d)).toEqual({ ...COUNTS, executed: 1 })
    d.at(sec(11)).resolve(1, 'no')
    d.pulse()
    // Decided, but not paid while the mirror is behind.
    expect(at(d)).toEqual({ ...COUNTS, executed: 1 })
    d.at(sec(12)).fault('mirrorBehind', 0)
    d.pulse(sec(41))
    expect(at(d)).toEqual({ ...COUNTS, totalSettled: 1 })
  })

  it('PQ-124 PQ-125 cancelled, expired and failed', () => {
    const d = table()
    d.create(10)
    d.create(10)
    d.create(10)
    d.submit(20, 3, 4)
    d.cancel(10, 1)
    expect(at(d)).toEqual({ ...COUNTS, open: 1, quoted: 1, totalCancelled: 1 })
    d.commit(10, 3)
    d.fault('chainDropped', 1)
    d.confirm(20, 3, 1)
    expect(at(d)).toEqual({ ...COUNTS, open: 1, confirmed: 1, totalCancelled: 1 })
    d.pulse(sec(20) - 1)
    expect(at(d)).toEqual({ ...COUNTS, open: 1, confirmed: 1, totalCancelled: 1 })
    d.pulse(sec(20))
    expect(at(d)).toEqual({ ...COUNTS, open: 1, totalCancelled: 1, totalFailed: 1 })
    expect(d.view.portfolio(10).stats).toEqual({ ...STATS, totalParlays: 1, totalWageredMicros: usd(25), updatedAtUs: T0 + sec(20) })
    expect(d.view.portfolio(20).stats).toEqual({ ...STATS, updatedAtUs: T0 + sec(20) })
    d.pulse(sec(90) - 1)
    expect(at(d).open).toBe(1)
    d.pulse(sec(90))
    expect(at(d)).toEqual({ ...COUNTS, totalCancelled: 1, totalExpired: 1, totalFailed: 1 })
    // Neither touches the stats.
    expect(d.view.portfolio(10).stats.updatedAtUs).toBe(T0 + sec(20))
    d.pulse(sec(999))
    expect(at(d)).toEqual({ ...COUNTS, totalCancelled: 1, totalExpired: 1, totalFailed: 1 })
  })

  it('PQ-125 an expiry that a failed selection brings counts once', () => {
    const d = table()
    d.create(10)
    d.at(sec(89)).submit(20, 1, 4)
    d.commit(10, 1)
    d.pulse(sec(90))
    expect(at(d)).toEqual({ ...COUNTS, accepted: 1 })
    d.pulse(sec(94))
    expect(at(d)).toEqual({ ...COUNTS, totalExpired: 1 })
  })
})

describe('lists', () => {
  it('PQ-200 PQ-203 of positions and quotes go by number, also when slots are used again', () => {
    const d = table()
    for (const market of [1, 3, 5]) d.open(10, 20, 2, legs(market))
    d.resolve(1, 'no')
    d.pulse()
    d.at(1)
    d.open(20, 21, 2, legs(3))
    expect([10, 20, 21].map((account) => d.view.positionsOf(account))).toEqual([[2, 3], [2, 3, 4], [4]])
    d.create(10, legs(3))
    d.submit(22, 5, 2)
    d.submit(22, 5, 3)
    d.pulse(sec(60))
    expect(d.view.quotesOf(20)).toEqual([])
    expect(d.view.quotesOf(22)).toEqual([6])
    d.pulse(sec(150))
    expect(d.view.quotesOf(22)).toEqual([6])
    d.pulse(sec(150) + 1)
    expect(d.view.quotesOf(22)).toEqual([])
  })
})

describe('the identity of portfolios', () => {
  const ACCOUNTS = [10, 20, 21, 22]

  it('PQ-073 INV-01 holds after every command through win, loss, void, sale, buyback, failed and late fills', () => {
    const d = new Driver().listMarkets(20)
    const deposits = new Deposits()
    const play = (what: () => unknown): void => {
      what()
      expectIdentity(d, deposits, ACCOUNTS)
    }
    const open = (bettor: number, maker: number, market: number): void => {
      const request = d.create(bettor, legs(market))['request'] as number
      const quote = d.submit(maker, request, 4)['quote'] as number
      play(() => d.commit(bettor, request))
      play(() => d.confirm(maker, request, quote))
    }
    const sell = (seller: number, buyer: number, position: number, price: number): void => {
      const auction = d.cashout(seller, position)['auction'] as number
      play(() => d.bid(buyer, auction, price))
      play(() => d.sell(seller, auction))
    }
    const result = (market: number, value: 'yes' | 'no' | 'void'): void => {
      d.at(d.now + 1)
      play(() => d.resolve(market, value))
      play(() => d.pulse())
    }
    for (const account of ACCOUNTS) play(() => d.deposit(account, usd(1000)))
    for (const [i, market] of [1, 3, 5, 7, 9].entries()) open(10, [20, 21][i % 2]!, market)
    play(() => d.withdraw(10, usd(100)))
    sell(10, 22, 4, usd(60))
    sell(22, 20, 4, usd(50))
    sell(10, 20, 5, usd(20))
    result(1, 'yes')
    result(2, 'yes')
    result(3, 'no')
    result(5, 'void')
    d.at(d.now + 1).fault('chainDropped', 1)
    open(21, 20, 11)
    d.fault('chainDropped', 0)
    d.fault('mirrorBehind', 1)
    open(10, 10, 13)
    play(() => d.withdraw(22, usd(10)))
    result(7, 'no')
    result(13, 'no')
    d.at(d.now + 1).fault('mirrorBehind', 0)
    play(() => d.pulse(sec(15)))
    play(() => d.pulse(sec(60)))
    expect(ACCOUNTS.map((account) => {
      const { stats, counts } = d.view.portfolio(account)
      return [stats.totalParlays, stats.wins, stats.losses, counts.totalSettled, counts.totalFailed]
    })).toEqual([[6, 1, 2, 6, 0], [1, 0, 1, 1, 0], [1, 0, 0, 0, 1], [1, 0, 0, 1, 0]])
    expect(d.view.totals()).toMatchObject({ potMicros: 0, escrowMicros: 0 })
  })

  it('INV-01 holds on walks with every fault of the chain', () => {
    const chainFaults = ['chainUnclear', 'chainDropped', 'mirrorBehind', 'chainDisabled'] as const
    let [delayed, failed] = [0, 0]
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
      const d = new Driver({ settlementRetryMs: 3_000, chainRecoveryMs: 4_000, mirrorRecoveryMs: 2_000 })
      const deposits = new Deposits()
      const draw = drawsOf(seed)
      startWalk(d)
      for (let account = 0; account < 6; account++) deposits.micros.set(account, usd(300))
      d.moved = []
      for (let step = 0; step < 300; step++) {
        if (draw(10) === 0) d.at(d.now + 1).fault(chainFaults[draw(4)]!, draw(2) as 0 | 1)
        else stepWalk(d, draw)
        expectIdentity(d, deposits, [0, 1, 2, 3, 4, 5])
        delayed += d.of('settlementDelayed').length
        failed += d.of('positionFailed').length
      }
      const end = d.now + sec(100)
      const rows = d.pulse(end)
      expect(rows.every((row) => row.at <= end)).toBe(true)
      expectIdentity(d, deposits, [0, 1, 2, 3, 4, 5])
    }), { numRuns: 15, seed: 20_250_620 })
    expect(delayed).toBeGreaterThan(5)
    expect(failed).toBeGreaterThan(5)
  })
})
