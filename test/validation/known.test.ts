import { describe, expect, it } from 'vitest'
import {
  glostenMilgromAsk, lambertW, lastLookWorth, legsWinAtHalf, logisticDemand, lowestNormal, optimalMargin, pairWins, parlayHold,
  waitOfConstantService, waitOfExponentialService, winnersProfit, winnersProfitAtFixedStakes, zeroProfitMarkUpAtFixedStakes,
} from '../../src/validation/known.ts'

// Figures of docs/notes/research.md, which were found without this code, or by hand where a comment says how.
describe('known values', () => {
  it.each([[2, -1 / 3, 2 / 3], [3, -1 / 2, 1 / 2], [5, -2 / 3, 1 / 3], [8, -7 / 9, 2 / 9]])("of the winner's curse among %d", (bidders, ofSignals, inEquilibrium) => {
    expect(winnersProfit(bidders, 0)).toBeCloseTo(ofSignals, 12)
    expect(winnersProfit(bidders, 1)).toBeCloseTo(inEquilibrium, 12)
  })

  it('of the same with fixed stakes, which meet equal payouts where errors are small', () => {
    expect(winnersProfitAtFixedStakes(2, 0, 0.1, [0.3, 0.7])).toBeCloseTo(-0.385, 3)
    expect(winnersProfitAtFixedStakes(2, 0, 1e-4, [0.3, 0.7])).toBeCloseTo(-1 / 3, 3)
    expect(winnersProfitAtFixedStakes(8, 1, 1e-4, [0.3, 0.7])).toBeCloseTo(2 / 9, 3)
  })

  it.each([[2, 1.13], [3, 1.69], [5, 2.33], [8, 2.85]])('of the best of %d makers with errors of 2¢', (makers, cents) => {
    expect(-2 * lowestNormal(makers)).toBeCloseTo(cents, 2)
  })

  it('of the best of two: −1/√π', () => {
    expect(lowestNormal(2)).toBeCloseTo(-1 / Math.sqrt(Math.PI), 10)
  })

  it('of the mark-up at fixed stakes, 1.24¢ for two makers at V = 25 %', () => {
    expect(zeroProfitMarkUpAtFixedStakes(2, 0.02, 0.25) * 100).toBeCloseTo(1.24, 2)
  })

  it('of Glosten and Milgrom: at p = ½ the ask is (1 + α)/2; nobody informed, p', () => {
    expect(glostenMilgromAsk(0.5, 0.1)).toBeCloseTo(0.55, 12)
    expect(glostenMilgromAsk(0.3, 0)).toBeCloseTo(0.3, 12)
    // 1/3 · 5/4 ∕ (1/3 · 5/4 + 2/3 · 3/4) = 5/12 ∕ 11/12.
    expect(glostenMilgromAsk(1 / 3, 0.25)).toBeCloseTo(5 / 11, 12)
  })

  it.each([[-1.9, 11, 0.1773, 48.7], [-0.3, 3.5, 0.3857, 25.9]])('of the optimal quote at α = %d, β = %d', (alpha, beta, margin, hit) => {
    const best = optimalMargin(alpha, beta)
    expect(best).toBeCloseTo(margin, 4)
    expect(100 * logisticDemand(alpha, beta, best)).toBeCloseTo(hit, 1)
    for (const other of [0.99, 1.01]) expect(best * other * logisticDemand(alpha, beta, best * other)).toBeLessThan(best * logisticDemand(alpha, beta, best))
  })

  it('of W: W(e) = 1, and the omega constant W(1)', () => {
    expect(lambertW(Math.E)).toBeCloseTo(1, 12)
    expect(lambertW(1)).toBeCloseTo(0.5671432904097838, 12)
  })

  it('of correlated legs', () => {
    expect(pairWins(0)).toBe(0.25)
    expect(pairWins(0.5)).toBeCloseTo(legsWinAtHalf(2), 12)
    expect(pairWins(0.5) + pairWins(-0.5)).toBeCloseTo(0.5, 12)
    expect(100 * legsWinAtHalf(5)).toBeCloseTo(16.7, 1)
  })

  it.each([[2, 8.9], [3, 13.0], [4, 17.0], [5, 20.8]])('of the hold of %d legs', (legs, points) => {
    expect(100 * parlayHold(legs)).toBeCloseTo(points, 1)
  })

  it('of queues and of the last look', () => {
    expect(waitOfExponentialService(0.8, 1)).toBeCloseTo(4, 12)
    expect(waitOfConstantService(0.8, 1)).toBeCloseTo(2, 12)
    expect(lastLookWorth(0.1, 5)).toBeCloseTo(0.089, 3)
    expect(lastLookWorth(0.1, 2)).toBeCloseTo(0.056, 3)
  })
})
