import { describe, expect, it } from 'vitest'
import informed from '../../src/agent/bettors/informed.ts'
import noise from '../../src/agent/bettors/noise.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import { Action, Refusal } from '../../src/agent/vocabulary.ts'
import { arriving, HORIZON, sec, usd } from './bettorWorld.ts'
import { refusedWith, ticksOf } from './fakes.ts'

describe('a noise bettor', () => {
  const SURE = { legsMin: 2, legsMax: 2, betMin: usd(12.345), betMax: usd(12.345), toleranceMin: 0.2, toleranceMax: 0.2, decideMin: sec(3), decideMax: sec(3) }

  it('asks for whole cents and takes what fair odds less its tolerance give', () => {
    const { calls, view, handlers, desk } = arriving(noise, SURE)
    handlers.onArrival(view, desk)
    // Two legs at 0.5 are fair at 4.0, whichever the sides; 80 % of it is 3.2.
    expect(calls).toEqual([['request', 0], ['decideIn', 0, sec(3)]])
    expect([view.betMicros, view.minOddsE4, view.legs.count]).toEqual([usd(12.34), 32_000, 2])
    expect(new Set([view.legs.market(0), view.legs.market(1)])).toEqual(new Set([0, 1]))
  })

  it.each([{ live: [0] }, { live: [] }])('leaves when too few markets are live: %s', (world) => {
    const { calls, view, handlers, desk } = arriving(noise, SURE, world)
    handlers.onArrival(view, desk)
    expect(calls).toEqual([])
  })

  it('looks at prices of its age and younger', () => {
    for (const [maxAge, requests] of [[sec(1), 2], [sec(1) - 1, 0]] as const) {
      const { calls, view, handlers, desk } = arriving(noise, { ...SURE, maxAge })
      handlers.onArrival(view, desk)
      expect(calls.length).toBe(requests)
    }
  })

  it('draws stakes and delays over their whole ranges, and legs between theirs', () => {
    const ranges = { ...SURE, legsMin: 1, legsMax: 3, betMin: usd(1), betMax: usd(100), decideMax: sec(13) }
    const asked = Array.from({ length: 300 }, (_, arrival) => {
      const { calls, view, handlers, desk } = arriving(noise, ranges, { live: [0, 1, 2], arrival })
      handlers.onArrival(view, desk)
      return { bet: view.betMicros, legs: view.legs.count, delayUs: calls[1]![2] as number }
    })
    const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
    expect(new Set(asked.map(({ legs }) => legs))).toEqual(new Set([1, 2, 3]))
    expect(asked.every(({ bet, delayUs }) => bet >= usd(1) && bet < usd(100) && delayUs >= sec(3) && delayUs < sec(13))).toBe(true)
    // Means of 50.5 USDC and 8 s; four standard errors are 4 · 99/√12/√300 = 6.6 and 4 · 10/√12/√300 = 0.67.
    expect(Math.abs(mean(asked.map(({ bet }) => bet)) - usd(50.5))).toBeLessThan(usd(6.6))
    expect(Math.abs(mean(asked.map(({ delayUs }) => delayUs)) - sec(8))).toBeLessThan(sec(0.67))
  })

  it('commits at its floor, waits under it, and leaves when its patience ends', () => {
    const { calls, view, handlers, desk, decide } = arriving(noise, { ...SURE, patience: 2, wait: sec(5) })
    handlers.onArrival(view, desk)
    calls.length = 0
    decide(31_999)
    decide(31_999)
    expect(calls).toEqual([['decideIn', 0, sec(5)]])
    decide(32_000)
    expect(calls).toEqual([['decideIn', 0, sec(5)], ['commit', 0]])
  })

  it.each([
    ['noQuote', 1], ['quoteGone', 1], ['notConfirmed', 1], ['counterpartyUnable', 0], ['unfillable', 0],
  ] as const)('after the refusal %s it tries %s times more', (word, times) => {
    const refusal = refusedWith(Action.commit, Refusal[word])
    const { calls, view, handlers, desk, decide } = arriving(noise, { ...SURE, patience: 2 })
    handlers.onArrival(view, desk)
    decide(32_000)
    calls.length = 0
    handlers.onRefused!(view, refusal, desk)
    expect(calls.length).toBe(times)
    decide(32_000)
    handlers.onRefused!(view, refusal, desk)
    expect(calls.filter(([name]) => name === 'decideIn').length).toBe(times)
  })

  it('asks for nothing when a leg is worthless', () => {
    const { calls, view, handlers, desk } = arriving(noise, { ...SURE, priceMin: 0, yes: 1 }, { ticks: ticksOf([[sec(1), 0, 0, 0], [sec(1), 1, 0, 0]]) })
    handlers.onArrival(view, desk)
    expect(calls).toEqual([])
  })
})

describe('an informed bettor', () => {
  const SURE = { legsMin: 2, legsMax: 2, noise: 0, edge: 0.2, betMin: usd(10), betMax: usd(10), decideMin: sec(1), decideMax: sec(1), horizon: HORIZON }

  it('backs the sides that will rise, at odds that beat its view by its edge', () => {
    const { calls, view, handlers, desk } = arriving(informed, SURE)
    // The minute ahead is seen from 1 s on.
    handlers.onArrival(view, desk)
    expect(calls).toEqual([['request', 0], ['decideIn', 0, sec(1)]])
    // Market 0 rises to 0.6 and market 1 falls to 0.4: YES and NO, 0.6 each. 1 / (0.36 / 1.2) = 3.3333…
    const sides = new Map([0, 1].map((i) => [view.legs.market(i), view.legs.side(i)]))
    expect(sides).toEqual(new Map([[0, 1], [1, 0]]))
    expect(view.minOddsE4).toBe(33_333)
  })

  it('has no view without an oracle', () => {
    const { calls, view, handlers, desk } = arriving(informed, SURE, { oracle: false })
    handlers.onArrival(view, desk)
    expect(calls).toEqual([])
  })

  it('declares how far ahead it looks', () => {
    expect(informed.horizonUs!(parameterValues(informed.parameters, { horizon: HORIZON }))).toBe(HORIZON)
  })

  it('errs by its noise on each leg', () => {
    const views = Array.from({ length: 400 }, (_, arrival) => {
      const { view, handlers, desk } = arriving(informed, { ...SURE, legsMin: 1, legsMax: 1, edge: 0, noise: 0.02 }, { live: [0], arrival })
      handlers.onArrival(view, desk)
      expect(view.legs.side(0)).toBe(1)
      return 10_000 / view.minOddsE4
    })
    const mean = views.reduce((sum, value) => sum + value, 0) / views.length
    const deviation = Math.sqrt(views.reduce((sum, value) => sum + (value - mean) ** 2, 0) / views.length)
    // Around 0.6 with a deviation of 0.02: four standard errors are 0.004 and, for the deviation, 0.0028.
    expect(Math.abs(mean - 0.6)).toBeLessThan(0.004)
    expect(Math.abs(deviation - 0.02)).toBeLessThan(0.0028)
  })

  it('commits at its floor, waits under it, and leaves when its patience ends', () => {
    const { calls, view, handlers, desk, decide } = arriving(informed, { ...SURE, patience: 2, wait: sec(2) })
    handlers.onArrival(view, desk)
    calls.length = 0
    decide(33_332)
    decide(33_332)
    decide(33_333)
    expect(calls).toEqual([['decideIn', 0, sec(2)], ['commit', 0]])
  })
})
