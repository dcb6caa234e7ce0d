import { describe, expect, it } from 'vitest'
import { cashOf } from '../../src/score/figureBasis.ts'
import { kellyOf } from '../../src/score/kelly.ts'

const usd = (amount: number): number => amount * 1_000_000
/** Three of five clusters bring 10 USDC, and two cost as much. */
const profitsOf = (clusters: number): Float64Array => Float64Array.from({ length: clusters }, (_, i) => (i % 5 < 3 ? usd(10) : usd(-10)))

describe('how large a book would have been best', () => {
  it('is the share of Kelly over what the book staked', () => {
    // 2 · 0.6 − 1 of 1000 is 200, and the book staked 10.
    const kelly = kellyOf(profitsOf(20), usd(1000), cashOf(2))
    expect(kelly).toMatchObject({ clusters: 20, capitalMicros: usd(1000), label: expect.stringContaining('20 clusters; no interval') })
    expect(kelly.multiple).toBeCloseTo(20, 9)
    expect(kellyOf(profitsOf(20), usd(25), cashOf(2)).multiple).toBeCloseTo(0.5, 9)
  })

  it('is unknown with fewer clusters than cash needs, and without a loss', () => {
    expect(kellyOf(profitsOf(19), usd(1000), cashOf(2))).toMatchObject({ multiple: null, label: '19 clusters of 2-leg parlays: an interval of cash would not hold; 20 needed' })
    expect(kellyOf(new Float64Array(20).fill(usd(3)), usd(1000), cashOf(2))).toMatchObject({ multiple: null, label: '20 clusters, none with a loss: no multiple is too large' })
    expect(kellyOf(new Float64Array(0), usd(1000), cashOf(1)).multiple).toBeNull()
    expect(kellyOf(profitsOf(20), 0, cashOf(2))).toMatchObject({ multiple: null, label: 'no capital' })
  })

  it('is unknown of a maker that hedges on its own account', () => {
    expect(kellyOf(profitsOf(20), usd(1000), cashOf(2), 1)).toMatchObject({ multiple: null, label: 'it bets on its own account, too, and no profit counts these bets' })
  })

  it('is 0 of a book that lost', () => {
    expect(kellyOf(profitsOf(20).map((profit) => 0 - profit), usd(1000), cashOf(2)).multiple).toBe(0)
  })
})
