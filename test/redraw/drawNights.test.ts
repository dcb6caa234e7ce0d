import { describe, expect, it } from 'vitest'
import { copulaProbability } from '../../src/math/copula.ts'
import { rootKey } from '../../src/kernel/random.ts'
import { wonSums } from '../../src/redraw/bets.ts'
import { drawNights } from '../../src/redraw/drawNights.ts'
import { OutcomeBits } from '../../src/redraw/outcomeBits.ts'
import { serviceOf } from '../../src/redraw/redrawRun.ts'
import { bookOf, coin, isNear, tally } from './byHand.ts'

const KEY = rootKey('test')
const MANY = 40_000
const bitOf = (bits: OutcomeBits, market: number, outcome: number): number => (bits.bits[market * bits.words + (outcome >>> 5)]! >>> (outcome & 31)) & 1

describe('nights drawn anew', () => {
  it('of two even coins in one bet are won by the maker three times of four', async () => {
    // Stake 100 against 300: the mean is 3/4 · 100 − 1/4 · 300 = 0, the sd is √(3/4 · 100² + 1/4 · 300²) = 173.205.
    const book = bookOf([coin('A', 0.5), coin('B', 0.5)], [{ stake: 100e6, risk: 300e6, legs: [[0, 1], [1, 2]] }])
    const nights = await drawNights(book, MANY, KEY)
    const found = tally(nights.profits[0]!)
    expect([...found.keys()]).toEqual([-300e6, 100e6])
    expect(isNear(found.get(-300e6)!, 0.25, MANY)).toBe(true)
    const { makers: [maker] } = serviceOf(book, nights)
    expect(Math.abs(maker!.mean.value)).toBeLessThan(4 * maker!.mean.error)
    expect(Math.abs(maker!.sd / 173_205_080.8 - 1)).toBeLessThan(0.02)
    expect(Math.abs(maker!.mean.error / (173_205_080.8 / 200) - 1)).toBeLessThan(0.02)
    // A quarter of the redraws lose 300, so that the worst 5 % and 1 % are alike.
    expect(maker!.shortfall.map(({ level, value, error }) => [level, value, error])).toEqual([[0.95, -300e6, 0], [0.99, -300e6, 0]])
    expect(maker!.quantiles.map(({ micros }) => micros / 1e6)).toEqual([-300, -300, maker!.quantiles[2]!.micros / 1e6, 100, 100, 100, 100])
    expect(maker!.lossShare.value).toBe(found.get(-300e6)! / MANY)
    expect(maker!.worstJoint).toEqual({ micros: -300e6, isExact: true })
    // The recorded night is among the better ones: all that lose are below it, and half of the others.
    expect(maker!.percentile).toBeCloseTo(maker!.lossShare.value + (1 - maker!.lossShare.value) / 2, 9)
  })

  it('of correlated coins come together as often as the copula says', () => {
    const coins = Array.from({ length: 5 }, (_, i) => coin(`C${i}`, 0.5))
    const together = (legs: readonly number[], correlation: number, markets = coins): number =>
      wonSums([{ legs: legs.map((market) => ({ market, isYes: true })), weightMicros: 1 }], markets, correlation, KEY, MANY).reduce((sum, won) => sum + won, 0)
    const rho = 0.83
    const rows = Float64Array.from({ length: 25 }, (_, i) => (i % 6 === 0 ? 1 : rho))
    const chance = copulaProbability(new Float64Array(5).fill(0.5), rows, 5)
    expect(chance).toBeGreaterThan(0.25)
    expect(isNear(together([0, 1, 2, 3, 4], rho), chance, MANY)).toBe(true)
    // Of two even coins Sheppard's 1/4 + arcsin(ρ)/2π. Each by itself stays even. Other groups have factors of their own.
    expect(isNear(together([0, 1], rho), 0.25 + Math.asin(rho) / (2 * Math.PI), MANY)).toBe(true)
    expect(isNear(together([3], rho), 0.5, MANY)).toBe(true)
    expect(isNear(together([0, 1], rho, [coin('C0', 0.5, 'one'), coin('C1', 0.5, 'other')]), 0.25, MANY)).toBe(true)
    expect(isNear(together([0, 1], 1, [coin('C0', 0.5), coin('C1', 0.2)]), 0.2, MANY)).toBe(true)
  })

  it('of a partition have exactly one market YES, as often as its place is wide', () => {
    const markets = [{ source: 'G', group: 'all', from: 0.5, to: 0.8 }, { source: 'G', group: 'all', from: 0, to: 0.5 }, { source: 'G', group: 'all', from: 0.8, to: 1 }]
    for (const correlation of [0, 0.6]) {
      const bits = new OutcomeBits(markets, correlation, KEY, MANY)
      bits.draw(0, MANY)
      const counts = [0, 0, 0]
      for (let k = 0; k < MANY; k++) {
        const yes = [0, 1, 2].map((market) => bitOf(bits, market, k))
        if (yes.reduce((sum, bit) => sum + bit, 0) === 1) counts[yes.indexOf(1)]!++
      }
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(MANY)
      expect([0.3, 0.5, 0.2].map((chance, market) => isNear(counts[market]!, chance, MANY))).toEqual([true, true, true])
    }
  })

  it('are the same however many there are, whatever else is drawn, and differ by key', async () => {
    const bet = { stake: 1e6, risk: 2e6, legs: [[0, 1]] } as const
    const few = await drawNights(bookOf([coin('A', 0.4, 'g')], [bet], [], 0.3), 3000, KEY)
    const many = await drawNights(bookOf([coin('A', 0.4, 'g'), coin('B', 0.4, 'g')], [bet, { ...bet, legs: [[1, 1]], maker: 1 }], [], 0.3), 5000, KEY)
    const other = await drawNights(bookOf([coin('A', 0.4, 'g')], [bet], [], 0.3), 3000, rootKey('other'))
    expect(many.profits[0]!.slice(0, 3000)).toEqual(few.profits[0])
    expect(other.profits[0]).not.toEqual(few.profits[0])
  })

  it('compare two makers over the same outcomes', async () => {
    // Both back the same coin at the same odds, the first for twice the money: it is ahead whenever both win.
    const bets = [{ stake: 200e6, risk: 200e6, legs: [[0, 1]], maker: 0 }, { stake: 100e6, risk: 100e6, legs: [[0, 1]], maker: 1 }] as const
    const book = bookOf([coin('A', 0.5)], bets)
    const { pairs: [pair] } = serviceOf(book, await drawNights(book, MANY, KEY))
    expect([pair!.first, pair!.second, pair!.range]).toEqual(['maker 0', 'maker 1', [-100e6, 100e6]])
    expect(isNear(pair!.firstBeats.value * MANY, 0.5, MANY)).toBe(true)
    // The standard deviation of the difference is 100, and not that of two makers with luck of their own.
    expect(Math.abs(pair!.mean.error / (100e6 / Math.sqrt(MANY)) - 1)).toBeLessThan(0.01)
  })
})
