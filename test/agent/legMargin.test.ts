import { describe, expect, it } from 'vitest'
import copula from '../../src/agent/makers/copula.ts'
import exposureLimited from '../../src/agent/makers/exposureLimited.ts'
import fixedMargin from '../../src/agent/makers/fixedMargin.ts'
import lastLook from '../../src/agent/makers/lastLook.ts'
import layOff from '../../src/agent/makers/layOff.ts'
import shade from '../../src/agent/makers/shade.ts'
import { Action, type FakeLeg, fakeMaker, type MakerStrategy, Side } from '../../src/index.ts'

const EVEN = Array.from({ length: 4 }, () => ({ bid: 0.5, ask: 0.5 }))
const legs = (count: number): readonly FakeLeg[] => Array.from({ length: count }, (_, market) => [market, Side.yes] as const)
const MARGIN = { margin: 0.03, marginPerLeg: 0.01 }

/** Makers with a margin on what they quote, whose other mark-ups are 0. */
const MAKERS: readonly [string, unknown, Record<string, number>][] = [
  ['fixed-margin', fixedMargin, {}], ['lay-off', layOff, {}], ['copula', copula, { category: 0, game: 0 }], ['exposure-limited', exposureLimited, { skew: 0 }],
  ['last-look', lastLook, {}], ['shade', shade, { curse: 0 }],
]

/** Those that let a request go by where the margin takes their price to 1 or beyond. The others offer the lowest odds that there are. */
const LETS_GO = ['copula', 'last-look']
const LOWEST_E4 = 10_001

describe('a margin by the number of legs', () => {
  // Even legs at 3 % on one or two, 4 % on three and 5 % on four: 1/0.515, 1/0.2575, 1/0.13 and 1/0.065625, rounded down.
  it.each(MAKERS)('of %s grows from the third leg on', (_, strategy, others) => {
    const maker = fakeMaker(strategy as MakerStrategy, { params: { ...MARGIN, ...others }, prices: EVEN })
    for (const count of [1, 2, 3, 4]) maker.onRequest({ legs: legs(count), betMicros: 1_000_000 })
    expect(maker.commands.map(({ oddsE4 }) => oddsE4)).toEqual([19_417, 38_834, 76_923, 152_380])
  })

  it.each(MAKERS)('of %s is the same on any number unless told otherwise', (_, strategy, others) => {
    const maker = fakeMaker(strategy as MakerStrategy, { params: { margin: 0.03, ...others }, prices: EVEN })
    for (const count of [2, 4]) maker.onRequest({ legs: legs(count), betMicros: 1_000_000 })
    // 1/0.2575 and 1/0.064375.
    expect(maker.commands.map(({ oddsE4 }) => oddsE4)).toEqual([38_834, 155_339])
  })

  // Three legs at asks of 0.98 are together 0.941192. With 6.2 % on three legs the price is 0.99954590…, and with 6.3 % 1.00048709….
  it.each(MAKERS)('of %s takes a price up to 1, and beyond it the lowest odds or none', (name, strategy, others) => {
    for (const [marginPerLeg, isBeyond] of [[0.032, false], [0.033, true]] as const) {
      const maker = fakeMaker(strategy as MakerStrategy, { params: { margin: 0.03, marginPerLeg, ...others }, prices: EVEN.map(() => ({ bid: 0.98, ask: 0.98 })) })
      maker.onRequest({ legs: legs(3), betMicros: 1_000_000 })
      const beyond = LETS_GO.includes(name) ? [[], ['no price']] : [[LOWEST_E4], []]
      expect([maker.commands.map(({ oddsE4 }) => oddsE4), maker.reasons]).toEqual(isBeyond ? beyond : [[10_004], []])
    }
  })

  it.each(MAKERS)('of %s treats a price of exactly 1 as one beyond it', (name, strategy, others) => {
    // 0.5 · (1 + 0.5 + 0.5), and two legs that are all but certain.
    const maker = fakeMaker(strategy as MakerStrategy, { params: { margin: 0.5, marginPerLeg: 0.5, ...others }, prices: [{ bid: 0.5, ask: 0.5 }, { bid: 1, ask: 1 }, { bid: 1, ask: 1 }] })
    maker.onRequest({ legs: legs(3), betMicros: 1_000_000 })
    expect([maker.commands.map(({ oddsE4 }) => oddsE4), maker.reasons]).toEqual(LETS_GO.includes(name) ? [[], ['no price']] : [[LOWEST_E4], []])
  })

  it.each([[0.502, Action.confirm], [0.504, Action.decline]])('is taken off a quote by a last look: at an ask of %s it chooses %s', (ask, choice) => {
    // The quote at 0.13 was 0.125 before its 4 %. Half a percent more is 0.125625: 0.502/4 is 0.1255, and 0.504/4 is 0.126, which 3 % would forgive.
    const maker = fakeMaker(lastLook as unknown as MakerStrategy, { params: { ...MARGIN, tolerance: 0.005 }, prices: EVEN })
    maker.setPrice(0, { bid: 0.5, ask })
    maker.onSelected({ legs: legs(3), quotedProbability: 0.13 })
    expect(maker.commands.map(({ action }) => action)).toEqual([choice])
  })
})
