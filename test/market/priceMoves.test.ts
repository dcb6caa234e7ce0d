import { describe, expect, it } from 'vitest'
import { legPrice, PriceBoard, type PriceHow } from '../../src/market/priceBoard.ts'
import { PriceMoves, twiceE6Of } from '../../src/market/priceMoves.ts'
import { Side } from '../../src/market/sides.ts'
import type { Ticks } from '../../src/market/ticks.ts'
import { NEVER_US } from '../../src/unit/time.ts'
import { drawsOf } from '../draws.ts'
import { chunkedTicks } from './chunkedTicks.ts'

type Tick = readonly [atUs: number, market: number, bidE6: number, askE6: number, lastE6?: number]

function ticksOf(rows: readonly Tick[]): Ticks {
  const column = (of: (row: Tick) => number): Int32Array => Int32Array.from(rows, of)
  return {
    count: rows.length, atUs: Float64Array.from(rows, ([atUs]) => atUs), market: column(([, market]) => market), bidE6: column(([, , bid]) => bid),
    askE6: column(([, , , ask]) => ask), bidSize: column(() => 1), askSize: column(() => 1), lastE6: column(([, , , , last = -1]) => last),
  }
}

const LAG_US = 7
const at = (rows: readonly Tick[], nowUs: number, { how = 'ask', by = 0.02, untilUs = NEVER_US, side = Side.yes, markets = [0] }: {
  how?: PriceHow; by?: number; untilUs?: number; side?: number; markets?: readonly number[]
} = {}): number => {
  const board = new PriceBoard(ticksOf(rows), 2, LAG_US)
  board.advance(nowUs)
  return new PriceMoves(ticksOf(rows), 2).firstMoveUs(board, markets, markets.map(() => side), 0, markets.length, how, twiceE6Of(by), untilUs)
}

describe('the next move of a price', () => {
  // The ask stands at 0.50 from the beginning on.
  const asks = (...more: readonly (readonly [number, number])[]): Tick[] => [[0, 0, 480_000, 500_000], ...more.map(([atUs, ask]): Tick => [atUs, 0, 480_000, ask])]

  it.each([
    ['up by less', 519_999, NEVER_US], ['up by as much', 520_000, 107], ['down by less', 480_001, NEVER_US], ['down by as much', 480_000, 107],
  ])('is that which goes %s, to the millionth, as late as the feed', (_, ask, expected) => {
    expect(at(asks([100, ask]), 50)).toBe(expected)
  })

  it('counts from what the board shows, and not from the tick before', () => {
    expect(at(asks([100, 510_000], [200, 520_000]), 50)).toBe(207)
    expect(at(asks([100, 510_000], [200, 520_000]), 107)).toBe(NEVER_US)
    expect(at(asks([100, 510_000], [200, 530_000]), 107)).toBe(207)
  })

  it('is no tick that the board shows already, to the microsecond', () => {
    expect(at(asks([100, 520_000]), 106)).toBe(107)
    expect(at(asks([100, 520_000]), 107)).toBe(NEVER_US)
  })

  it('is before the end that was given, and not at it', () => {
    expect(at(asks([100, 520_000]), 50, { untilUs: 108 })).toBe(107)
    expect(at(asks([100, 520_000]), 50, { untilUs: 107 })).toBe(NEVER_US)
  })

  it('is none that happens before the end and is heard after it', () => {
    expect(at(asks([100, 520_000]), 50, { untilUs: 101 })).toBe(NEVER_US)
    // The first leg's move is heard at 107. The second leg's happens at 105 and is heard at 112.
    const rows: Tick[] = [[0, 0, 480_000, 500_000], [0, 1, 280_000, 300_000], [100, 0, 480_000, 520_000], [105, 1, 280_000, 320_000]]
    expect(at(rows, 50, { markets: [0, 1] })).toBe(107)
  })

  it('is none where the last tick of an instant stands where the price stood', () => {
    expect(at(asks([100, 600_000], [100, 500_000], [200, 600_000]), 50)).toBe(207)
  })

  it('is that of the leg that moves first', () => {
    const rows: Tick[] = [[0, 0, 480_000, 500_000], [0, 1, 280_000, 300_000], [100, 1, 280_000, 320_000], [200, 0, 480_000, 520_000]]
    expect(at(rows, 50, { markets: [0, 1] })).toBe(107)
    expect(at(rows, 50, { markets: [1, 0] })).toBe(107)
    expect(at(rows, 50, { markets: [0] })).toBe(207)
  })

  it('is of the price that is asked about: a leg on NO is bought at the bid', () => {
    const rows: Tick[] = [[0, 0, 480_000, 500_000], [100, 0, 480_000, 520_000], [200, 0, 460_000, 520_000], [300, 0, 460_000, 560_000]]
    expect(at(rows, 50, { side: Side.no })).toBe(207)
    expect(at(rows, 50, { how: 'bid' })).toBe(207)
    expect(at(rows, 50, { how: 'bid', side: Side.no })).toBe(107)
    expect(at(rows, 50, { how: 'mid' })).toBe(307)
  })

  it('is a price that comes, and one that goes', () => {
    expect(at([[100, 0, 480_000, 500_000]], 50, { by: 1 })).toBe(107)
    expect(at(asks([100, -1]), 50, { by: 1 })).toBe(107)
    // Without a side the middle is the last price.
    expect(at([[0, 0, 480_000, 500_000], [100, 0, 480_000, -1, 490_000], [200, 0, 480_000, -1, -1]], 50, { how: 'mid' })).toBe(207)
  })

  it('is the first instant at which legPrice says another price, for drawn ticks', () => {
    const draw = drawsOf(3)
    for (let round = 0; round < 60; round++) {
      let atUs = 0
      const rows = Array.from({ length: 40 }, (): Tick => {
        atUs += draw(3)
        const bid = draw(4) === 0 ? -1 : 400_000 + draw(6) * 10_000
        return [atUs, draw(2), bid, draw(4) === 0 ? -1 : 460_000 + draw(6) * 10_000, draw(3) === 0 ? -1 : 430_000 + draw(6) * 10_000]
      })
      const how = (['ask', 'bid', 'mid'] as const)[draw(3)]!
      const [side, nowUs, by] = [draw(2), draw(40), 0.01 * (1 + draw(4))]
      const board = new PriceBoard(ticksOf(rows), 2, LAG_US)
      const priceAt = (us: number): number => {
        board.advance(us)
        return legPrice(board, 0, side, how, us, Infinity)
      }
      const before = priceAt(nowUs)
      let expected: number = NEVER_US
      for (let us = nowUs + 1; us <= atUs + LAG_US && expected === NEVER_US; us++) {
        const now = priceAt(us)
        if (Number.isNaN(before) !== Number.isNaN(now) || Math.abs(now - before) >= by - 1e-9) expected = us
      }
      expect(at(rows, nowUs, { how, side, by })).toBe(expected)
    }
  })
})

it('whoever asked before, and from wherever, the next move is the same', () => {
  const draw = drawsOf(5)
  const MARKETS = 3
  let atUs = 0
  const ticks = ticksOf(Array.from({ length: 300 }, (): Tick => [(atUs += draw(3)), draw(MARKETS), 400_000 + draw(3) * 10_000, 460_000 + draw(3) * 10_000]))
  for (const source of [ticks, chunkedTicks(ticks, 7)]) {
    const moves = new PriceMoves(source, MARKETS)
    const boards = [0, LAG_US, 90].map((lagUs) => new PriceBoard(source, MARKETS, lagUs))
    for (let nowUs = 0; nowUs <= atUs; nowUs += draw(4)) {
      const board = boards[draw(3)]!
      board.advance(nowUs)
      const asked = (by: PriceMoves): number => by.firstMoveUs(board, [market], [Side.yes], 0, 1, 'mid', byTwiceE6, NEVER_US)
      const [market, byTwiceE6] = [draw(MARKETS), 1 + draw(3) * 10_000]
      expect(asked(moves)).toBe(asked(new PriceMoves(source, MARKETS)))
    }
  }
})

it('a distance is no less than what was said', () => {
  expect([0.02, 0.07, 0.000001, 0.0000012, 1].map(twiceE6Of)).toEqual([40_000, 140_000, 2, 3, 2_000_000])
})
