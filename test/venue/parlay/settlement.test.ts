import { describe, expect, it } from 'vitest'
import { MarketResult } from '../../../src/market/sides.ts'
import { Driver, type Leg, sec, table, usd } from './driver.ts'
import { Resolve } from '../../../src/venue/contract.ts'

const THREE: readonly Leg[] = [[1, 'yes'], [2, 'no'], [3, 'yes']]

function position(legs: readonly Leg[] = THREE): Driver {
  const d = table()
  d.open(10, 20, 4, legs)
  return d
}

const outcome = (d: Driver) => d.of('positionSettled').map((row) => [row['position'], row['outcome']])

describe('a won position', () => {
  it('PQ-423 PQ-422 PQ-419 25 USDC at 4.0 receives 98.2575', () => {
    const d = position([[1, 'yes'], [2, 'no']])
    expect(d.free(10)).toBe(usd(975))
    d.at(sec(1)).resolve(1, 'yes')
    d.resolve(2, 'no')
    d.pulse()
    expect(d.rows).toEqual([{
      event: 'positionSettled', at: sec(1), cause: -1, holder: 10, backer: 20, request: 1, version: 1, position: 1, outcome: 'won',
      toHolderMicros: 98_257_500, toBackerMicros: 0, profitFeeMicros: 742_500, takerFeeKeptMicros: 250_000,
    }])
    expect(d.moved).toEqual([
      'settle: pot 1 -> free 10 98257500', 'profitFee: pot 1 -> house 742500', 'takerFee: escrow 1 -> house 250000',
    ])
    expect(d.free(10)).toBe(1_073_257_500)
    expect(d.view.balance(20)).toMatchObject({ freeMicros: 925_750_000, lockedMicros: 0 })
    expect(d.view.totals()).toEqual({
      netDepositsMicros: usd(4000), houseMicros: 992_500, potMicros: 0, escrowMicros: 0, heldMicros: 3_999_007_500,
    })
    expect(d.view.position(1)).toBeNull()
  })

  it('PQ-418 PQ-421 a bet of 1.000099 pays a taker fee of 10000 microUSDC', () => {
    const d = table()
    d.open(10, 20, 4, THREE, 1_000_099)
    expect(d.view.position(1)).toMatchObject({ takerFeeMicros: 10_000, stakeMicros: 990_099 })
  })

  it('PQ-431 payout and profit fee are rounded down (readings A21)', () => {
    const d = table()
    // 990,099 × 1.0001 = 990,198.0099; 1 % of the profit of 99 is 0.99.
    d.open(10, 20, 1.0001, [[1, 'yes'], [2, 'yes']], 1_000_099)
    expect(d.view.position(1)).toMatchObject({ payoutMicros: 990_198 })
    d.resolve(1, 'yes')
    d.resolve(2, 'yes')
    d.pulse()
    expect(d.of('positionSettled')).toMatchObject([{ toHolderMicros: 990_198, profitFeeMicros: 0, takerFeeKeptMicros: 10_000 }])
    expect(d.moved).toEqual(['settle: pot 1 -> free 10 990198', 'takerFee: escrow 1 -> house 10000'])
  })

  it('waits for the last leg (readings A25)', () => {
    const d = position()
    d.resolve(1, 'yes')
    d.resolve(3, 'yes')
    expect(d.pulse(sec(100)).filter((row) => row.event === 'positionSettled')).toEqual([])
    d.at(sec(200)).resolve(2, 'no')
    d.pulse()
    expect(outcome(d)).toEqual([[1, 'won']])
  })
})

describe('a lost position', () => {
  it('PQ-425 the maker takes the pot at the first lost leg, the house the taker fee', () => {
    const d = position()
    d.at(sec(1)).resolve(2, 'yes')
    expect(d.names()).toEqual(['marketResolved', 'reply ok'])
    d.deposit(30, 1)
    expect(d.rows[0]).toEqual({
      event: 'positionSettled', at: sec(1), cause: -1, holder: 10, backer: 20, request: 1, version: 1, position: 1, outcome: 'lost',
      toHolderMicros: 0, toBackerMicros: 99_000_000, profitFeeMicros: 0, takerFeeKeptMicros: 250_000,
    })
    expect(d.moved.slice(0, 2)).toEqual(['settle: pot 1 -> free 20 99000000', 'takerFee: escrow 1 -> house 250000'])
    expect(d.balances(10, 20)).toEqual([[usd(975), 0], [1_024_750_000, 0]])
    expect(d.view.balance(20).lockedMicros).toBe(0)
  })

  it('later results change nothing', () => {
    const d = position()
    d.resolve(2, 'yes')
    d.pulse()
    const before = d.balances(10, 20)
    d.at(1)
    for (const market of [1, 3]) d.resolve(market, 'yes')
    d.pulse()
    expect(d.names()).toEqual([])
    expect(d.balances(10, 20)).toEqual(before)
  })
})

describe('a void leg', () => {
  it('PQ-427 PQ-428 refunds stake, risk and taker fee (readings A23)', () => {
    const d = position()
    d.resolve(1, 'yes')
    d.at(sec(1)).resolve(2, 'void')
    d.pulse()
    expect(d.of('positionSettled')).toEqual([{
      event: 'positionSettled', at: sec(1), cause: -1, holder: 10, backer: 20, request: 1, version: 1, position: 1, outcome: 'void',
      toHolderMicros: usd(25), toBackerMicros: 74_250_000, profitFeeMicros: 0, takerFeeKeptMicros: 0,
    }])
    expect(d.moved).toEqual([
      'void: pot 1 -> free 10 24750000', 'void: pot 1 -> free 20 74250000', 'void: escrow 1 -> free 10 250000',
    ])
    expect(d.balances(10, 20)).toEqual([[usd(1000), 0], [usd(1000), 0]])
    expect(d.view.totals()).toMatchObject({ houseMicros: 0, potMicros: 0, escrowMicros: 0 })
  })

  it.each<[string, ('void' | 'yes')[], string]>([
    ['void, then lost', ['void', 'yes'], 'lost'],
    ['lost, then void', ['yes', 'void'], 'lost'],
    ['void twice', ['void', 'void'], 'void'],
  ])('PQ-428 at one instant: %s (a loss beats a void)', (_, [first, second], code) => {
    const d = position([[1, 'no'], [2, 'no'], [3, 'no']])
    d.resolve(1, first!)
    d.resolve(2, second!)
    d.pulse()
    expect(outcome(d)).toEqual([[1, code]])
  })

  it('PQ-428 one microsecond later a loss comes too late', () => {
    const d = position()
    d.at(1).resolve(1, 'void')
    d.at(2).resolve(2, 'yes')
    expect(d.names()).toEqual(['positionSettled', 'marketResolved', 'reply ok'])
    expect(outcome(d)).toEqual([[1, 'void']])
  })
})

describe('many positions on one market', () => {
  it('settle by number, each by its own side, and leave the others', () => {
    const d = table()
    d.open(10, 20, 2, [[1, 'yes'], [2, 'yes']])
    d.open(10, 21, 2, [[3, 'yes'], [1, 'no']])
    d.open(10, 22, 2, [[1, 'no'], [4, 'yes']])
    d.open(10, 20, 2, [[3, 'no'], [4, 'yes']])
    d.resolve(1, 'yes')
    d.pulse()
    expect(outcome(d)).toEqual([[2, 'lost'], [3, 'lost']])
    d.at(1).resolve(4, 'no')
    d.pulse()
    expect(outcome(d)).toEqual([[4, 'lost']])
    d.at(2).resolve(2, 'yes')
    d.pulse()
    expect(outcome(d)).toEqual([[1, 'won']])
    expect(d.view.totals()).toMatchObject({ potMicros: 0, escrowMicros: 0 })
  })

  it('a settled position leaves the lists of its other markets, wherever it stood', () => {
    for (const out of [1, 2, 3]) {
      const d = table()
      d.open(10, 20, 2, [[1, out === 1 ? 'no' : 'yes'], [5, 'yes']])
      d.open(10, 20, 2, [[1, out === 2 ? 'no' : 'yes'], [5, 'yes']])
      d.open(10, 20, 2, [[1, out === 3 ? 'no' : 'yes'], [5, 'yes']])
      d.resolve(1, 'yes')
      d.pulse()
      expect(outcome(d)).toEqual([[out, 'lost']])
      d.at(1)
      d.open(10, 20, 2, [[6, 'yes'], [5, 'no']])
      d.at(2).resolve(5, 'yes')
      d.pulse()
      expect(outcome(d)).toEqual([...[1, 2, 3].filter((p) => p !== out).map((p) => [p, 'won']), [4, 'lost']])
    }
  })
})

describe('a slot that is used again', () => {
  it('carries nothing over from the lists of its former position', () => {
    const d = table()
    for (const market of [1, 2, 3]) d.open(10, 20, 2, [[market, 'yes'], [5, 'yes']])
    d.resolve(2, 'no')
    d.at(1).resolve(1, 'no')
    d.at(2)
    d.open(10, 20, 2, [[6, 'yes'], [4, 'yes']])
    d.at(3).resolve(5, 'no')
    d.pulse()
    expect(outcome(d)).toEqual([[3, 'lost']])
    expect(d.view.position(4)).not.toBeNull()
  })
})

describe('fee rates of a position', () => {
  it('PQ-424 the taker fee is the quote\'s, the profit fee that of its creation (readings A43)', () => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    d.setFees(200, 300)
    d.commit(10, 1)
    d.confirm(20, 1, 1)
    expect(d.view.position(1)).toMatchObject({ takerFeeBps: 100, takerFeeMicros: 250_000, profitFeeBps: 300 })
    d.setFees(0, 0)
    d.resolve(1, 'yes')
    d.resolve(2, 'no')
    d.pulse()
    // 3 % of a profit of 74.25.
    expect(d.of('positionSettled')).toMatchObject([{ profitFeeMicros: 2_227_500, toHolderMicros: 96_772_500, takerFeeKeptMicros: 250_000 }])
  })

  it('no fee leaves no posting', () => {
    const d = table()
    d.setFees(0, 0)
    d.open(10, 20, 4, [[1, 'yes'], [2, 'no']])
    expect(d.moved).toEqual(['commit: reserved 10 -> pot 1 25000000', 'commit: reserved 20 -> pot 1 75000000'])
    d.resolve(1, 'yes')
    d.resolve(2, 'no')
    d.pulse()
    expect(d.moved).toEqual(['settle: pot 1 -> free 10 100000000'])
  })
})

describe('a result during the wait for the confirmation', () => {
  it.each<[string, ('yes' | 'no' | 'void')[], string]>([
    ['lost', ['no', 'no'], 'lost'], ['won', ['yes', 'no'], 'won'], ['void', ['yes', 'void'], 'void'], ['lost and void', ['no', 'void'], 'lost'],
  ])('%s legs settle the position at the instant it opens', (_, [first, second], code) => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    d.commit(10, 1)
    d.at(sec(1)).resolve(1, first!)
    d.resolve(2, second!)
    d.at(sec(2)).confirm(20, 1, 1)
    expect(d.names().at(-1)).toBe('reply ok')
    d.pulse()
    expect(outcome(d)).toEqual([[1, code]])
    expect(d.rows[0]!.at).toBe(sec(2))
  })

  it('one leg of two leaves it open for the other', () => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    d.commit(10, 1)
    d.resolve(1, 'yes')
    d.confirm(20, 1, 1)
    d.pulse(sec(50))
    expect(d.view.position(1)).not.toBeNull()
    d.resolve(2, 'no')
    d.pulse()
    expect(outcome(d)).toEqual([[1, 'won']])
  })
})

describe('a result', () => {
  it.each([Number.NaN, 0.5, Infinity])('for market %d is invalid, whatever it says', (market) => {
    expect(new Driver().listMarkets(1).send('resolveMarket', 0, { market, [Resolve.result]: MarketResult.yes })!.code).toBe('invalid')
  })
})
