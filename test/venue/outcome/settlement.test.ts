import { describe, expect, it } from 'vitest'
import { type Driver, type Leg, sec, table, usd } from './driver.ts'

/**
 * The worked position: a stake of 25 USDC at odds 4. Fee floor(25,000,000 × 20 ∕ 10,000) = 50,000, net 24,950,000, payout 99,800,000,
 * risk 74,850,000; a profit of 74,850,000 costs 748,500 at claim and leaves 99,051,500. It opens at 2 s.
 */
const PAYOUT = 99_800_000
/** The first batch: 1,750,000,200 is the first whole multiple of 300 after T0. */
const BATCH = sec(200)

/** Plays the results at 10 s and the batch of 200 s. */
function settle(d: Driver, results: readonly (readonly [outcome: number, result: 'yes' | 'no' | 'void'])[]): void {
  d.at(sec(10))
  for (const [outcome, result] of results) d.resolve(outcome, result)
  d.pulse(BATCH)
}

it('OM-006 create, quote, accept and confirm, each after the one before, lead to a fill that the vault settles', () => {
  const d = table()
  expect(d.accept(10, 1)!.code).toBe('quoteNotFound')
  expect(d.create(10).code).toBe('ok')
  expect(d.quote(20, 1, PAYOUT).code).toBe('ok')
  expect(d.confirm(20, 1).code).toBe('stateConflict')
  expect(d.accept(10, 1)).toBeUndefined()
  expect(d.confirm(20, 1).code).toBe('ok')
  d.pulse(sec(2))
  expect(d.view.position(1)).toMatchObject({ holder: 10, backer: 20, payoutMicros: PAYOUT })
  expect(d.view.totals()).toMatchObject({ potMicros: PAYOUT, houseMicros: 50_000 })
  settle(d, [[1, 'yes'], [2, 'no']])
  expect(d.of('positionSettled')).toMatchObject([{ position: 1, outcome: 'won', toHolderMicros: 99_051_500 }])
  expect(d.balances(10, 20)).toEqual([[1_074_051_500, 0], [925_150_000, 0]])
  expect(d.view.totals().potMicros).toBe(0)
})

describe('a position that won', () => {
  it('OM-252 OM-253 OM-263 pays the payout less the fee on profit, to the micro-unit', () => {
    const d = table()
    const position = d.open(10, 20, PAYOUT)
    settle(d, [[1, 'yes'], [2, 'no']])
    expect(d.moved).toEqual([
      `settle: pot ${position} -> free 10 99051500`,
      `profitFee: pot ${position} -> house 748500`,
    ])
    expect(d.rows).toEqual([
      { event: 'positionSettled', at: BATCH, cause: -1, holder: 10, backer: 20, rfq: 1, position, outcome: 'won', toHolderMicros: 99_051_500, toBackerMicros: 0, profitFeeMicros: 748_500, takerFeeKeptMicros: 0 },
      { event: 'positionClaimed', at: BATCH, cause: -1, holder: 10, backer: 20, rfq: 1, position, toHolderMicros: 99_051_500, profitFeeMicros: 748_500 },
    ])
    // 1000 − 25 + 99.0515, 1000 − 74.85, 0.05 + 0.7485.
    expect(d.balances(10, 20)).toEqual([[1_074_051_500, 0], [925_150_000, 0]])
    expect(d.view.totals()).toMatchObject({ houseMicros: 798_500, potMicros: 0 })
    expect(d.view.position(position)).toBeNull()
  })

  it('OM-264 counts profit from the net stake; with profitOverGross from the stake', () => {
    // (99.8 − 25) × 1% = 0.748.
    const d = table({ profitOverGross: 1 })
    const position = d.open(10, 20, PAYOUT)
    expect(d.view.position(position)).toMatchObject({ netStakeMicros: 24_950_000, basisMicros: 25_000_000 })
    settle(d, [[1, 'yes'], [2, 'no']])
    expect(d.of('positionClaimed')[0]).toMatchObject({ toHolderMicros: 99_052_000, profitFeeMicros: 748_000 })
    const net = table()
    net.open(10, 20, PAYOUT)
    expect(net.view.position(1)).toMatchObject({ basisMicros: 24_950_000 })
  })

  it('OM-263 rounds the fees down: a profit of 99 micro-units costs nothing, of 100 one, of 199 one, of 200 two', () => {
    for (const [profit, fee] of [[99, 0], [100, 1], [199, 1], [200, 2]] as const) {
      const d = table()
      // Stake 1,002,004: fee floor(2,004.008) = 2,004, net 1,000,000.
      d.open(10, 20, 1_000_000 + profit, [[1, 'yes']], 1_002_004)
      expect(d.view.position(1)).toMatchObject({ entryFeeMicros: 2_004, netStakeMicros: 1_000_000 })
      settle(d, [[1, 'yes']])
      expect(d.of('positionClaimed')[0]).toMatchObject({ toHolderMicros: 1_000_000 + profit - fee, profitFeeMicros: fee })
      expect(d.moved.length).toBe(fee === 0 ? 1 : 2)
    }
  })

  it('INV-07 without a profit there is no fee: profitOverGross and a payout at or below the stake', () => {
    for (const [payout, fee] of [[24_999_999, 0], [25_000_000, 0], [25_000_100, 1]] as const) {
      const d = table({ profitOverGross: 1 })
      d.open(10, 20, payout)
      settle(d, [[1, 'yes'], [2, 'no']])
      expect(d.of('positionClaimed')[0]).toMatchObject({ toHolderMicros: payout - fee, profitFeeMicros: fee })
    }
  })

  it('OM-253 INV-08 takes the fee at the rates that its quote was made at', () => {
    const d = table()
    const rfq = d.create(10)['rfq'] as number
    const quote = d.quote(20, rfq, PAYOUT)['quote'] as number
    d.at(1).accept(10, quote)
    d.setFees(500, 2_000)
    d.confirm(20, quote)
    d.pulse(sec(3))
    d.at(sec(4)).setFees(0, 10_000)
    expect(d.view.position(1)).toMatchObject({ entryFeeMicros: 50_000, feeBps: 100 })
    settle(d, [[1, 'yes'], [2, 'no']])
    expect(d.of('positionClaimed')[0]).toMatchObject({ toHolderMicros: 99_051_500, profitFeeMicros: 748_500 })
  })

  it('waits for all its legs', () => {
    const d = table()
    d.open(10, 20, PAYOUT)
    settle(d, [[1, 'yes']])
    expect(d.rows).toEqual([])
    d.at(sec(300)).resolve(2, 'no')
    expect(d.pulse(sec(500)).map((row) => row.event)).toEqual(['positionSettled', 'positionClaimed'])
  })
})

describe('a position that lost or was voided', () => {
  it('OM-252 gives the pot to the backing maker, and the house keeps the entry fee', () => {
    const d = table()
    const position = d.open(10, 20, PAYOUT)
    settle(d, [[2, 'yes']])
    expect(d.moved).toEqual([`settle: pot ${position} -> free 20 99800000`])
    expect(d.rows).toEqual([
      { event: 'positionSettled', at: BATCH, cause: -1, holder: 10, backer: 20, rfq: 1, position, outcome: 'lost', toHolderMicros: 0, toBackerMicros: PAYOUT, profitFeeMicros: 0, takerFeeKeptMicros: 0 },
    ])
    expect(d.balances(10, 20)).toEqual([[975_000_000, 0], [1_024_950_000, 0]])
    expect(d.view.totals().houseMicros).toBe(50_000)
  })

  it('gives the net stake back when a leg is void, and the risk to the maker; the entry fee stays with the house', () => {
    const d = table()
    const position = d.open(10, 20, PAYOUT)
    settle(d, [[2, 'void']])
    expect(d.moved).toEqual([`void: pot ${position} -> free 10 24950000`, `void: pot ${position} -> free 20 74850000`])
    expect(d.rows).toEqual([
      { event: 'positionSettled', at: BATCH, cause: -1, holder: 10, backer: 20, rfq: 1, position, outcome: 'void', toHolderMicros: 24_950_000, toBackerMicros: 74_850_000, profitFeeMicros: 0, takerFeeKeptMicros: 0 },
    ])
    expect(d.balances(10, 20)).toEqual([[999_950_000, 0], [1_000_000_000, 0]])
  })

  it('a loss beats a void and a void beats a win, in whatever order they come before the batch', () => {
    const legs: readonly Leg[] = [[1, 'yes'], [2, 'no'], [3, 'yes']]
    const orders = [
      [[[1, 'void'], [2, 'yes']], 'lost'], [[[2, 'yes'], [1, 'void']], 'lost'],
      [[[1, 'yes'], [2, 'no'], [3, 'void']], 'void'], [[[3, 'void'], [1, 'yes'], [2, 'no']], 'void'],
    ] as const
    for (const [results, outcome] of orders) {
      const d = table()
      d.open(10, 20, PAYOUT, legs)
      settle(d, results)
      expect(d.of('positionSettled').map((row) => row['outcome'])).toEqual([outcome])
    }
  })

  it('OM-262 a loss after the batch that settled a void changes nothing', () => {
    const d = table()
    d.open(10, 20, PAYOUT)
    settle(d, [[1, 'void']])
    d.at(sec(201)).resolve(2, 'yes')
    expect(d.names()).toEqual(['outcomeResolved', 'reply ok'])
    expect(d.pulse(sec(900))).toEqual([])
  })
})

describe('batches', () => {
  it('OM-262 OM-268 a result is settled in the first batch at or after it: at whole multiples of 300 s since the epoch', () => {
    for (const [atUs, batchUs] of [[sec(10), BATCH], [BATCH - 1, BATCH], [BATCH, BATCH], [BATCH + 1, sec(500)]] as const) {
      const d = table()
      d.open(10, 20, PAYOUT)
      d.at(atUs).resolve(1, 'no')
      if (batchUs > atUs) expect(d.pulse(batchUs - 1)).toEqual([])
      expect(d.pulse(batchUs)).toMatchObject([{ event: 'positionSettled', at: batchUs }])
    }
  })

  it('OM-262 OM-268 settlementEveryMs and settlementPhaseMs move the batches', () => {
    // 1,750,000,260 is 60 over a multiple of 300, and 1,750,000,014 a multiple of 7.
    const phase = { settlementPhaseMs: 60_000 }
    for (const [settings, atUs, batchUs] of [
      [phase, sec(10), sec(260)], [phase, sec(250), sec(260)], [phase, sec(261), sec(560)], [{ settlementEveryMs: 7_000 }, sec(10), sec(14)],
    ] as const) {
      const d = table(settings)
      d.open(10, 20, PAYOUT)
      d.at(atUs).resolve(1, 'no')
      expect(d.pulse(batchUs - 1)).toEqual([])
      expect(d.pulse(batchUs)).toMatchObject([{ event: 'positionSettled', at: batchUs }])
    }
  })

  it('OM-262 settles what one batch is due in the order of positions', () => {
    const d = table()
    d.open(10, 20, PAYOUT, [[1, 'yes']])
    d.open(11, 21, PAYOUT, [[2, 'yes']])
    d.at(sec(20)).resolve(2, 'no')
    d.resolve(1, 'no')
    expect(d.pulse(BATCH).map((row) => row['position'])).toEqual([1, 2])
  })

  it('OM-262 while the chain is stalled a decided position waits for the first batch after it', () => {
    const d = table()
    d.open(10, 20, PAYOUT)
    d.at(sec(10)).resolve(1, 'yes')
    d.resolve(2, 'no')
    d.fault('chainStalled', 1)
    expect(d.pulse(sec(700))).toEqual([])
    d.at(sec(701)).fault('chainStalled', 0)
    expect(d.pulse(sec(799))).toEqual([])
    expect(d.pulse(sec(800)).map((row) => row.event)).toEqual(['positionSettled', 'positionClaimed'])
  })

  it('OM-262 a chain that drops operations does not keep settlements', () => {
    const d = table()
    d.open(10, 20, PAYOUT)
    d.at(sec(10)).fault('chainDropped', 1)
    settle(d, [[1, 'no']])
    expect(d.of('positionSettled').length).toBe(1)
  })

  it('outcomes count as they stand at a batch that was put off', () => {
    const d = table()
    d.open(10, 20, PAYOUT)
    d.at(sec(10)).resolve(1, 'void')
    d.fault('chainStalled', 1)
    d.pulse(BATCH)
    d.at(sec(300)).resolve(2, 'yes')
    d.fault('chainStalled', 0)
    expect(d.pulse(sec(500))).toMatchObject([{ event: 'positionSettled', outcome: 'lost' }])
  })
})

describe('results before the opening', () => {
  it('a result while the fill is under way counts when the position opens', () => {
    const d = table()
    const rfq = d.create(10)['rfq'] as number
    const quote = d.quote(20, rfq, PAYOUT)['quote'] as number
    d.accept(10, quote)
    d.confirm(20, quote)
    d.at(sec(1)).resolve(1, 'no')
    expect(d.names()).toEqual(['outcomeResolved', 'reply ok'])
    expect(d.pulse(sec(2)).map((row) => row.event)).toEqual(['operationUpdated', 'positionOpened'])
    expect(d.pulse(BATCH)).toMatchObject([{ event: 'positionSettled', outcome: 'lost', toBackerMicros: PAYOUT }])
  })

  it('OM-262 a decided position that opens at the instant of a batch is settled in it', () => {
    const d = table()
    d.at(sec(198))
    const rfq = d.create(10)['rfq'] as number
    const quote = d.quote(20, rfq, PAYOUT)['quote'] as number
    d.accept(10, quote)
    d.confirm(20, quote)
    d.at(sec(199)).resolve(1, 'no')
    expect(d.pulse(BATCH).map((row) => row.event)).toEqual(['operationUpdated', 'positionOpened', 'positionSettled'])
  })

  it('INV-06 one that is won on all legs but one before it opens is settled once the last is', () => {
    const d = table()
    const rfq = d.create(10)['rfq'] as number
    const quote = d.quote(20, rfq, usd(100))['quote'] as number
    d.accept(10, quote)
    d.confirm(20, quote)
    d.at(sec(1)).resolve(1, 'yes')
    d.pulse(sec(2))
    expect(d.pulse(BATCH)).toEqual([])
    d.at(sec(250)).resolve(2, 'no')
    expect(d.pulse(sec(500))).toMatchObject([{ event: 'positionSettled', outcome: 'won' }, { event: 'positionClaimed' }])
    expect(d.view.totals().potMicros).toBe(0)
  })
})
