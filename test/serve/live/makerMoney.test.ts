import { describe, expect, it } from 'vitest'
import type { LiveVenue, PositionFacts } from '../../../src/serve/live/liveVenue.ts'
import { markedAt } from '../../../src/serve/live/makerMoney.ts'

const USDC = 1_000_000
const MAKER = 2
const OTHER = 3
const BETTOR = 7

/** Pays 60 USDC for a stake of 20, which its holder paid with a fee of 1. */
const position = (number: number, more: Partial<PositionFacts> = {}): PositionFacts => ({
  number, holder: BETTOR, backer: MAKER, legs: [{ market: number, side: 1 }], stakeMicros: 20 * USDC, payoutMicros: 60 * USDC, costMicros: 21 * USDC, profitFeeMicros: USDC,
  makerFeeMicros: 0, ...more,
})

/** Money of makers with some positions, each of a value, 100 USDC free, 5 reserved, and 90 paid in. */
function marked(positions: readonly PositionFacts[], values: readonly number[]) {
  const venue: Partial<LiveVenue> = {
    money: () => ({ freeMicros: 100 * USDC, reservedMicros: 5 * USDC }), position: (number) => positions.find((one) => one.number === number)!,
    positionsOf: (account) => positions.filter(({ holder, backer }) => holder === account || backer === account).map(({ number }) => number),
  }
  return markedAt(9, [MAKER, OTHER], venue as LiveVenue, { microsOf: () => 90 * USDC }, (atUs, [leg]) => (atUs === 9 ? values[leg!.market]! : -1))
}

describe('a maker’s money', () => {
  it('is what it has, when it has no position', () => {
    const { makers, positions } = marked([], [])
    expect(makers[0]).toEqual({ freeMicros: 100 * USDC, lockedMicros: 5 * USDC, backed: 0, held: 0, unpriced: 0, openMicros: 0, profitMicros: 15 * USDC })
    expect(positions).toEqual([])
  })

  it('counts a position that it backs at what it keeps of the pot by its chance, less its own fee', () => {
    // 75 % of 60 − 2 USDC, for a risk of 40.
    const { makers: [maker, other], positions } = marked([position(0, { makerFeeMicros: 2 * USDC })], [0.25])
    expect(maker).toEqual({ freeMicros: 100 * USDC, lockedMicros: 45 * USDC, backed: 1, held: 0, unpriced: 0, openMicros: 3.5 * USDC, profitMicros: (15 + 43.5) * USDC })
    expect(other!.backed + other!.held).toBe(0)
    expect(positions).toMatchObject([{ number: 0, value: 0.25 }])
  })

  it('counts a position that it holds at what that pays by its chance, less the fee of a win', () => {
    // 50 % of 60 − 1 USDC, for 21. It has no risk of its own.
    const { makers: [maker, other] } = marked([position(0, { holder: MAKER, backer: OTHER })], [0.5])
    expect(maker).toMatchObject({ lockedMicros: 5 * USDC, backed: 0, held: 1, openMicros: 8.5 * USDC, profitMicros: (15 + 29.5) * USDC })
    expect(other).toMatchObject({ lockedMicros: 45 * USDC, backed: 1, held: 0, openMicros: -10 * USDC })
  })

  it('counts one without a price at what it cost, and says so', () => {
    const { makers: [maker, other], positions } = marked([position(0), position(1, { holder: OTHER })], [NaN, NaN])
    expect(maker).toMatchObject({ backed: 2, unpriced: 2, openMicros: 0, profitMicros: (15 + 80) * USDC })
    expect(other).toMatchObject({ held: 1, unpriced: 1, openMicros: 0, profitMicros: (15 + 21) * USDC })
    expect(positions.map(({ number }) => number)).toEqual([0, 1])
  })

  it('has each position once, by number, whoever comes first', () => {
    const { positions } = marked([position(5, { holder: OTHER }), position(4, { backer: OTHER }), position(6)], [0, 0, 0, 0, 0.1, 0.2, 0.3])
    expect(positions.map(({ number, value }) => [number, value])).toEqual([[4, 0.1], [5, 0.2], [6, 0.3]])
  })
})
