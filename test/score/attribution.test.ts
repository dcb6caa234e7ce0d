import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Deal, type DealEnd, splitProfit, TERMS } from '../../src/score/attribution.ts'

const USDC = 1_000_000
/** A payout of 100 USDC, backed at a stake of 40: F .36 of leg prices that multiply to .3, V .35 at submission of values that multiply to .25, and .37 at the decision. */
const ENTRY: Deal = { priceMicros: 40 * USDC, fair: 0.36, fairProduct: 0.3, submitted: 0.35, product: 0.25, decided: 0.37, rivals: 0 }
const POT = { payoutMicros: 100 * USDC, feeMicros: 0 }
const inUsdc = (terms: Record<string, number>): number[] => TERMS.map((term) => terms[term]! / USDC)

// In the order margin, selection, model, last look, drift, fees, luck. With u = .36/.3 = 1.2, selection is (30 − 25)·1.2 = 6 and model 25·1.2 − 35 = −5.
describe('the terms of a profit', () => {
  it('of a backed position that lost lead from the stake to nothing paid', () => {
    const end: DealEnd = { kind: 'result', paidMicros: 0, closing: 0.48 }
    const { terms, withoutFair, withoutProduct, withoutReference } = splitProfit({ entry: ENTRY, end, ...POT, backs: true, profitMicros: 40 * USDC })
    expect(inUsdc(terms)).toEqual([4, 6, -5, -2, -11, 0, 48])
    expect([withoutFair, withoutProduct, withoutReference]).toEqual([false, false, false])
  })

  it('of one that lost where the fee falls on the maker have it apart', () => {
    const end: DealEnd = { kind: 'result', paidMicros: 0, closing: 0.45 }
    const { terms } = splitProfit({ entry: ENTRY, end, payoutMicros: 100 * USDC, feeMicros: 2 * USDC, backs: true, profitMicros: 38 * USDC })
    expect(inUsdc(terms)).toEqual([4, 6, -5, -2, -8, -2, 45])
  })

  it('of one bought back have the terms of the bid too, and no luck', () => {
    // Bought for 50: F .56 of leg prices that multiply to .4, V .55 at the bid of values that multiply to .35, .52 at the sale.
    const end: DealEnd = { kind: 'bid', deal: { priceMicros: 50 * USDC, fair: 0.56, fairProduct: 0.4, submitted: 0.55, product: 0.35, decided: 0.52, rivals: 0 } }
    const { terms } = splitProfit({ entry: ENTRY, end, ...POT, backs: true, profitMicros: -10 * USDC })
    // 4 + (56 − 50), 6 − (40 − 35)·1.4, −5 − (35·1.4 − 55), −2 + (52 − 55), 37 − 52.
    expect(inUsdc(terms)).toEqual([10, -1, 1, -5, -15, 0, 0])
  })

  it('of a holding that won have the other signs', () => {
    const end: DealEnd = { kind: 'result', paidMicros: 100 * USDC, closing: 0.48 }
    const { terms } = splitProfit({ entry: ENTRY, end, payoutMicros: 100 * USDC, feeMicros: USDC, backs: false, profitMicros: 59 * USDC })
    expect(inUsdc(terms)).toEqual([-4, -6, 5, 2, 11, -1, 52])
  })

  it('of a holding sold on have what the price differs from V in the margin', () => {
    const end: DealEnd = { kind: 'sale', priceMicros: 41 * USDC, reference: 0.43 }
    const { terms } = splitProfit({ entry: ENTRY, end, payoutMicros: 100 * USDC, feeMicros: USDC, backs: false, profitMicros: 0 })
    // −4 + (41 − 43), −6, 5, 2, 43 − 37.
    expect(inUsdc(terms)).toEqual([-6, -6, 5, 2, 6, -1, 0])
  })

  it('are rounded once each: thirds of a payout of 100 micro-units', () => {
    const entry: Deal = { priceMicros: 40, fair: 1 / 3, fairProduct: 1 / 3, submitted: 2 / 3, product: 1 / 9, decided: 1 / 6, rivals: 0 }
    const end: DealEnd = { kind: 'result', paidMicros: 100, closing: 5 / 6 }
    const { terms } = splitProfit({ entry, end, payoutMicros: 100, feeMicros: 0, backs: true, profitMicros: -60 })
    // 40 33 67 17 83 100, and 100·(1/9 − 2/3) = −55.6 of the −34 between F and V.
    expect(TERMS.map((term) => terms[term])).toEqual([7, 22, -56, 50, -66, 0, -17])
  })
})

describe('what was uncertain, and what of it was left to luck', () => {
  const split = (end: DealEnd, entry: Partial<Deal> = {}) => {
    const { uncertainMicros, undecidedMicros } = splitProfit({ entry: { ...ENTRY, ...entry }, end, ...POT, backs: true, profitMicros: 40 * USDC })
    return [uncertainMicros / USDC, undecidedMicros / USDC]
  }

  it('is the payout times V(1 − V) at the decision and at the close', () => {
    // 100 · .37 · .63 and 100 · .48 · .52.
    expect(split({ kind: 'result', paidMicros: 0, closing: 0.48 })).toEqual([23.31, 24.96])
    expect(split({ kind: 'result', paidMicros: 0, closing: 0 })).toEqual([23.31, 0])
  })

  it('goes to V at the sale where a bid ended the position, and stands where no close is known', () => {
    // .52 · .48 and .43 · .57.
    expect(split({ kind: 'bid', deal: { ...ENTRY, submitted: 0.55, decided: 0.52 } })[1]).toBe(24.96)
    expect(split({ kind: 'sale', priceMicros: 41 * USDC, reference: 0.43 })[1]).toBe(24.51)
    expect(split({ kind: 'result', paidMicros: 0, closing: NaN })).toEqual([23.31, 23.31])
  })
})

describe('what is not known', () => {
  const lost = (entry: Partial<Deal>, end: Partial<DealEnd & { kind: 'result' }> = {}) => splitProfit({
    entry: { ...ENTRY, ...entry }, end: { kind: 'result', paidMicros: 0, closing: 0.48, ...end }, ...POT, backs: true, profitMicros: 40 * USDC,
  })

  it('without F has the selection in the margin', () => {
    const { terms, withoutFair, withoutProduct, withoutReference } = lost({ fair: NaN, fairProduct: NaN })
    expect(inUsdc(terms)).toEqual([5, 0, 0, -2, -11, 0, 48])
    expect([withoutFair, withoutProduct, withoutReference]).toEqual([true, false, false])
  })

  it('without D has the model in the selection, and counts where legs are drawn together', () => {
    const tied = lost({ fairProduct: NaN })
    expect([inUsdc(tied.terms), tied.withoutProduct]).toEqual([[4, 1, 0, -2, -11, 0, 48], true])
    const apart = lost({ fairProduct: NaN, product: 0.35 })
    expect([inUsdc(apart.terms), apart.withoutProduct]).toEqual([[4, 1, 0, -2, -11, 0, 48], false])
  })

  it('and a maker that multiplies where nothing is drawn together has no model', () => {
    expect(inUsdc(lost({ fairProduct: 0.36, product: 0.35 }).terms)).toEqual([4, 1, 0, -2, -11, 0, 48])
  })

  it('takes no product of dependence and values for more than certain', () => {
    // 36/1e-7·25 would be far above 100.
    expect(inUsdc(lost({ fairProduct: 1e-9 }).terms)).toEqual([4, -64, 65, -2, -11, 0, 48])
  })

  it('without V at an instant has the nearest earlier one in its place, else the nearest later one', () => {
    expect(inUsdc(lost({ decided: NaN }).terms)).toEqual([4, 6, -5, 0, -13, 0, 48])
    expect(inUsdc(lost({ submitted: NaN }).terms)).toEqual([4, -1, 0, 0, -11, 0, 48])
    expect(inUsdc(lost({}, { closing: NaN }).terms)).toEqual([4, 6, -5, -2, 0, 0, 37])
    expect(lost({ decided: NaN }).withoutReference).toBe(true)
  })

  it('without any V is all luck', () => {
    const { terms, withoutReference } = lost({ submitted: NaN, decided: NaN }, { closing: NaN })
    expect(inUsdc(terms)).toEqual([0, 0, 0, 0, 0, 0, 40])
    expect(withoutReference).toBe(true)
  })
})

it('adds up to any profit, known or not, and leaves no luck to a sale', () => {
  const chance = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(NaN))
  const micros = fc.integer({ min: 0, max: 3_000_000_000_000 })
  const deal = fc.record({ priceMicros: micros, fair: chance, fairProduct: chance, submitted: chance, product: chance, decided: chance, rivals: fc.constant(0) })
  const end = fc.oneof(
    fc.record({ kind: fc.constant('result' as const), paidMicros: micros, closing: chance }),
    fc.record({ kind: fc.constant('bid' as const), deal }),
    fc.record({ kind: fc.constant('sale' as const), priceMicros: micros, reference: chance }),
  )
  fc.assert(fc.property(deal, end, micros, micros, fc.boolean(), (entry, how, more, feeMicros, backs) => {
    const last = how.kind === 'result' ? how.paidMicros : how.kind === 'bid' ? how.deal.priceMicros : how.priceMicros
    const profitMicros = (backs ? entry.priceMicros - last : last - entry.priceMicros) - feeMicros
    const { terms } = splitProfit({ entry, end: how, payoutMicros: entry.priceMicros + more + 1, backs, profitMicros, feeMicros })
    expect(TERMS.reduce((sum, term) => sum + terms[term], 0)).toBe(profitMicros)
    expect(terms.fees).toBe(0 - feeMicros)
    if (how.kind !== 'result') expect(terms.luck).toBe(0)
  }))
})
