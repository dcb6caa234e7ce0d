import { describe, expect, it } from 'vitest'
import { PositionState } from '../../../src/venue/outcome/protocol/events.ts'
import { Driver, type Leg, sec, T0, table, TWO_LEGS, usd } from './driver.ts'

/** 25 USDC at odds 4: fee 50,000, net 24,950,000, risk 74,850,000 (settlement.test.ts). */
const PAYOUT = 99_800_000

/** An accepted and confirmed quote on two legs; its number. The fill is under way. */
function fill(d: Driver, payoutMicros = PAYOUT, fields: Partial<Record<string, number>> = {}): number {
  const quote = d.quote(20, d.create(10)['rfq'] as number, payoutMicros)['quote'] as number
  d.accept(10, quote, fields)
  d.confirm(20, quote)
  return quote
}

describe('the opening of a position', () => {
  it('OM-008 OM-252 a done fill moves stake, fee and risk, and opens the position', () => {
    const d = table()
    fill(d)
    expect(d.balances(10, 20)).toEqual([[975_000_000, 25_000_000], [925_150_000, 74_850_000]])
    expect(d.pulse(sec(2) - 1)).toEqual([])
    expect(d.view.positionsOf(10)).toEqual([])
    expect(d.pulse(sec(2))).toEqual([
      { event: 'operationUpdated', at: sec(2), cause: -1, account: 10, maker: 20, rfq: 1, generation: 2, quote: 1, acceptance: 1, operation: 1, operationKind: 'fill', amountMicros: 99_850_000, status: 2 },
      { event: 'positionOpened', at: sec(2), cause: -1, holder: 10, backer: 20, rfq: 1, quote: 1, position: 1, acceptance: 1, oddsE4: 40_000, netStakeMicros: 24_950_000, payoutMicros: PAYOUT, takerFeeMicros: 50_000, profitFeeBps: 100, list: [1, 1, 2, 0] },
    ])
    expect(d.moved).toEqual([
      'commit: reserved 10 -> pot 1 24950000',
      'takerFee: reserved 10 -> house 50000',
      'commit: reserved 20 -> pot 1 74850000',
    ])
    expect(d.balances(10, 20)).toEqual([[975_000_000, 0], [925_150_000, 0]])
    expect(d.view.totals()).toEqual({ netDepositsMicros: usd(5000), houseMicros: 50_000, potMicros: PAYOUT, heldMicros: usd(5000) - 50_000 - PAYOUT })
  })

  it('OM-048 OM-092 the view shows who holds and who backs, stakes, payout, cost, basis, fee, rate, state and legs', () => {
    const d = table()
    const position = d.open(10, 20, PAYOUT)
    expect(d.view.position(position)).toEqual({
      number: 1, rfq: 1, quote: 1, holder: 10, backer: 20, netStakeMicros: 24_950_000, payoutMicros: PAYOUT, costMicros: 25_000_000,
      basisMicros: 24_950_000, entryFeeMicros: 50_000, feeBps: 100, state: PositionState.open,
      legs: [{ outcome: 1, side: 1 }, { outcome: 2, side: 0 }],
    })
    expect(d.view.position(position + 1)).toBeNull()
    const copy = d.view.position(position)!
    copy.legs.pop()
    copy.holder = 99
    expect(d.view.position(position)).toMatchObject({ holder: 10, legs: { length: 2 } })
  })

  it('OM-253 INV-08 the rates are those of the quote, whatever the operator sets later', () => {
    const d = table()
    d.setFees(100, 250)
    const quote = d.quote(20, d.create(10)['rfq'] as number, PAYOUT)['quote'] as number
    d.accept(10, quote)
    d.setFees(0, 0)
    d.confirm(20, quote)
    d.setFees(30, 30)
    d.pulse(sec(2))
    // 25 USDC at 1%.
    expect(d.view.position(1)).toMatchObject({ entryFeeMicros: 250_000, netStakeMicros: 24_750_000, feeBps: 250 })
    expect(d.moved).toContain('takerFee: reserved 10 -> house 250000')
  })

  it('OM-252 without a fee there is no posting of one; the highest leaves 2500 micro-units of 25 USDC', () => {
    for (const [takerFeeBps, oddsE4, moved] of [
      [0, 39_920, ['commit: reserved 10 -> pot 1 25000000', 'commit: reserved 20 -> pot 1 74800000']],
      [9_999, 399_200_000, [
        'commit: reserved 10 -> pot 1 2500', 'takerFee: reserved 10 -> house 24997500', 'commit: reserved 20 -> pot 1 99797500',
      ]],
    ] as const) {
      const d = table({ netStakeMinMicros: 2_500 })
      const rfq = d.create(10)['rfq'] as number
      d.setFees(takerFeeBps, 100)
      const quote = d.quote(20, rfq, PAYOUT)['quote'] as number
      d.accept(10, quote)
      d.confirm(20, quote)
      d.pulse(sec(2))
      expect(d.moved).toEqual(moved)
      expect(d.of('positionOpened')[0]?.['oddsE4']).toBe(oddsE4)
    }
  })

  it('INV-10 a fill that fails gives stake and risk back and opens nothing', () => {
    const d = table()
    fill(d)
    d.at(sec(1)).fault('chainDropped', 1)
    expect(d.pulse(sec(2)).map((row) => [row.event, row['status']])).toEqual([['operationUpdated', 3]])
    expect(d.moved).toEqual(['release: reserved 10 -> free 10 25000000', 'release: reserved 20 -> free 20 74850000'])
    expect(d.balances(10, 20)).toEqual([[usd(1000), 0], [usd(1000), 0]])
    expect(d.view.positionsOf(10)).toEqual([])
  })

  it('opens after RFQ, quote and acceptance are forgotten, when the chain was stalled for so long', () => {
    const d = table({ retentionMs: 5_000 })
    const quote = fill(d)
    d.fault('chainStalled', 1)
    d.pulse(sec(60))
    expect([d.view.rfq(1), d.view.quote(quote), d.view.acceptance(1)]).toEqual([null, null, null])
    d.at(sec(61)).fault('chainStalled', 0)
    d.pulse(sec(70))
    expect(d.of('positionOpened')[0]).toMatchObject({ holder: 10, backer: 20, rfq: 1, quote: 1, acceptance: 1, netStakeMicros: 24_950_000, list: [1, 1, 2, 0] })
  })
})

describe('a fill in part out of the core wallet', () => {
  it('OM-209 OM-211 INV-01 the core part arrives with the fill and counts as a deposit', () => {
    const d = table()
    fill(d, PAYOUT, { coreMicros: usd(10) })
    expect(d.balances(10)).toEqual([[985_000_000, 15_000_000]])
    expect(d.view.balance(10).core).toBe('moving')
    expect(d.pulse(sec(2)).map((row) => row.event)).toEqual(['fundsDeposited', 'operationUpdated', 'positionOpened'])
    expect(d.of('fundsDeposited')).toEqual([{ event: 'fundsDeposited', at: sec(2), cause: -1, account: 10, amountMicros: usd(10), accountBalanceMicros: 985_000_000 }])
    expect(d.moved).toEqual([
      'deposit: external -> reserved 10 10000000',
      'commit: reserved 10 -> pot 1 24950000',
      'takerFee: reserved 10 -> house 50000',
      'commit: reserved 20 -> pot 1 74850000',
    ])
    expect(d.view.totals().netDepositsMicros).toBe(usd(5010))
    expect(d.view.balance(10)).toMatchObject({ freeMicros: 985_000_000, reservedMicros: 0, core: 'idle' })
    expect(d.view.position(1)).toMatchObject({ costMicros: usd(25), entryFeeMicros: 50_000 })
  })

  it('INV-10 a failed fill brings no core part in', () => {
    const d = table()
    fill(d, PAYOUT, { coreMicros: usd(25) })
    expect(d.balances(10)).toEqual([[usd(1000), 0]])
    d.at(sec(1)).fault('chainDropped', 1)
    d.pulse(sec(2))
    expect(d.moved).toEqual(['release: reserved 20 -> free 20 74850000'])
    expect(d.view.totals().netDepositsMicros).toBe(usd(5000))
    expect(d.view.balance(10).core).toBe('idle')
  })
})

describe('lists of positions', () => {
  it('OM-090 OM-091 a participant has those that it holds, a maker those that it backs, ascending', () => {
    const d = table()
    d.open(10, 20, usd(30))
    d.open(11, 21, usd(30))
    d.open(10, 21, usd(30))
    expect([10, 11, 20, 21, 22].map((account) => d.view.positionsOf(account))).toEqual([[1, 3], [2], [1], [2, 3], []])
  })

  it('OM-090 one that is sold is its buyer\'s: a maker has those that it holds among those that it backs', () => {
    const d = table()
    d.open(10, 20, usd(30))
    d.open(10, 21, usd(30))
    d.open(10, 21, usd(30))
    for (const position of [1, 3]) d.sell(10, 22, position, usd(5))
    expect([10, 20, 21, 22].map((account) => d.view.positionsOf(account))).toEqual([[2], [1], [2, 3], [1, 3]])
    d.sell(10, 20, 2, usd(5))
    expect([10, 20, 21].map((account) => d.view.positionsOf(account))).toEqual([[], [1, 2], [2, 3]])
  })

  it('a result decides just the positions with a leg on its outcome, after others of them have ended', () => {
    const d = table()
    const on = (...legs: Leg[]): number => d.open(10, 20, usd(3), legs, usd(2))
    const [first, second, third, fourth] = [on([1, 'yes'], [3, 'yes']), on([1, 'no']), on([1, 'yes'], [2, 'yes'], [3, 'yes']), on([2, 'yes'], [3, 'no'])]
    d.sell(10, 20, second!, usd(1))
    const fifth = on([1, 'yes'], [2, 'yes'])
    d.at(sec(100)).resolve(2, 'no')
    expect(d.pulse(sec(200)).map((row) => row['position'])).toEqual([third, fourth, fifth])
    d.at(sec(210)).resolve(1, 'yes')
    expect(d.pulse(sec(500))).toEqual([])
    d.at(sec(510)).resolve(3, 'yes')
    expect(d.pulse(sec(800))).toMatchObject([{ event: 'positionSettled', position: first, outcome: 'won' }, { event: 'positionClaimed' }])
    expect(d.view.positionsOf(10)).toEqual([])
    expect(d.view.totals().potMicros).toBe(0)
  })

  it('a result does not reach the position that took the place of an ended one, first, middle or last on its outcome', () => {
    for (const sold of [1, 2, 3]) {
      const d = table()
      for (let i = 0; i < 3; i++) d.open(10, 20, usd(3), [[1, 'yes']], usd(2))
      d.sell(10, 20, sold, usd(1))
      const next = d.open(10, 20, usd(3), [[2, 'yes']], usd(2))
      d.at(sec(100)).resolve(1, 'yes')
      expect(d.pulse(sec(200)).filter((row) => row.event === 'positionSettled').map((row) => row['position'])).toEqual([1, 2, 3].filter((number) => number !== sold))
      d.at(sec(210)).resolve(2, 'yes')
      expect(d.pulse(sec(500))).toMatchObject([{ event: 'positionSettled', position: next, outcome: 'won' }, { event: 'positionClaimed' }])
    }
  })

  it('a position that opened with a leg resolved leaves the others on that outcome alone when it is sold', () => {
    const d = table()
    const stake = usd(2)
    d.open(10, 20, usd(30), [[3, 'yes']], stake)
    d.open(10, 20, usd(30), [[4, 'yes']], stake)
    const quote = d.quote(20, d.create(10, TWO_LEGS, stake)['rfq'] as number, usd(30))['quote'] as number
    d.accept(10, quote)
    d.confirm(20, quote)
    d.at(d.now + sec(1)).resolve(1, 'yes')
    d.pulse(d.now + sec(1))
    d.sell(10, 20, 3, usd(1))
    expect(d.open(10, 20, usd(30), [[3, 'no']], stake)).toBe(4)
    d.at(sec(100)).resolve(3, 'yes')
    expect(d.pulse(sec(200)).map((row) => [row.event, row['position'], row['outcome']])).toEqual([
      ['positionSettled', 1, 'won'], ['positionClaimed', 1, undefined], ['positionSettled', 4, 'lost'],
    ])
  })

  it('a snapshot carries open positions with their lists: a restored venue settles them alike', () => {
    const d = table()
    const copy = new Driver()
    for (const legs of [TWO_LEGS, [[1, 'yes']], [[2, 'yes'], [4, 'yes']]] as const) d.open(10, 20, usd(30), legs)
    d.cashout(10, 1)
    d.reduce(21, usd(3))
    copy.venue.restore(d.venue.snapshot())
    copy.seq = d.seq
    for (const each of [d, copy]) {
      each.at(sec(50)).resolve(2, 'yes')
      each.pulse(sec(200))
    }
    expect(d.of('positionSettled').map((row) => [row['position'], row['outcome']])).toEqual([[1, 'lost']])
    expect(copy.rows).toEqual(d.rows)
    expect(copy.moved).toEqual(d.moved)
    expect(copy.venue.stateHash()).toBe(d.venue.stateHash())
    expect(T0 + d.now).toBeLessThan(d.venue.nextDeadlineUs())
  })
})
