import { describe, expect, it } from 'vitest'
import type { BettorHandlers, BettorStrategy } from '../../src/agent/bettor.ts'
import { type MakerHandlers, type MakerStrategy, maker } from '../../src/agent/maker.ts'
import type { Exposure } from '../../src/agent/makerDesk.ts'
import type { IntentView, LegsView, PositionView, RequestView, SelectionView } from '../../src/agent/views.ts'
import { Session } from '../../src/engine/session.ts'
import { cohorts, makerEntry, type Replaced, sessionConfig } from './world.ts'

const PROBABILITY = 0.1
const EVER = 1e15

/** What a session ends with, or undefined. */
function failureOf(replaced: Replaced, freshViews = true): string | undefined {
  try {
    new Session(sessionConfig(60, { freshViews, ...replaced })).runToEnd()
    return undefined
  } catch (error) {
    expect((error as Error).name).toBe('StrategyFailure')
    return (error as Error).message
  }
}

/** A maker that is chosen often, with some handlers replaced. */
const quoting = (handlers: MakerHandlers): Replaced => ({
  makers: [makerEntry('keeper', maker({}, () => ({
    onRequest: (request, desk) => desk.quote(request, { probability: PROBABILITY, validUs: 20_000_000 }), ...handlers,
  })) as unknown as MakerStrategy)],
})

const betting = (handlers: Partial<BettorHandlers>): Replaced => ({
  cohorts: [{
    ...cohorts[0]!, name: 'keeper',
    strategy: {
      role: 'bettor', parameters: {},
      create: () => ({
        onArrival(intent, desk) {
          if (desk.pickLegs(intent, 2, 0.1, EVER)) desk.requestQuote(intent, { betMicros: 10_000_000, minOddsE4: 10_001, decideInUs: 1_000_000 })
        },
        onDecision: (intent, desk) => desk.commit(intent), ...handlers,
      }),
    } as BettorStrategy,
  }],
  ...quoting({}),
})

describe('a maker that keeps a view is found out', () => {
  it('the request’s', () => {
    let kept: RequestView | undefined
    const keeping = quoting({
      onRequest(request, desk) {
        kept ??= request
        desk.quote(kept, { probability: PROBABILITY, validUs: 20_000_000 })
      },
    })
    expect(failureOf(keeping)).toMatch(/keeper threw in onRequest(?: \(\w+ \d+\))? at \S+Z: a view holds during its handler only/)
    kept = undefined
    expect(failureOf(keeping, false)).toBeUndefined()
  })

  it.each(['withdraw', 'later'] as const)('the request’s, by %s', (command) => {
    let kept: RequestView | undefined
    const keeping = quoting({
      onRequest(request, desk) {
        kept ??= request
        if (command === 'later') desk.later(kept, 0)
        else desk.withdrawQuote(kept)
      },
    })
    expect(failureOf(keeping)).toMatch('a view holds during its handler only')
  })

  it.each(['confirm', 'decline'] as const)('the selection’s, by %s', (command) => {
    let kept: SelectionView | undefined
    const keeping = quoting({
      onSelected(selection, desk) {
        kept ??= selection
        desk[command](kept)
      },
    })
    expect(failureOf(keeping)).toMatch(/in onSelected(?: \(\w+ \d+\))? at \S+Z: a view holds during its handler only/)
  })

  it.each(['price', 'exposure'] as const)('the legs’, by %s', (question) => {
    let kept: LegsView | undefined
    const keeping = quoting({
      onRequest(request, desk) {
        kept ??= request.legs
        if (question === 'price') desk.price(kept, { priceType: 'mid', maxAgeUs: 1e+12 })
        else desk.exposure(kept)
      },
    })
    expect(failureOf(keeping)).toMatch('a view holds during its handler only')
  })

  it('the answer about exposure', () => {
    let kept: Exposure | undefined
    const seen: number[] = []
    failureOf(quoting({
      onRequest(request, desk) {
        if (kept !== undefined) seen.push(kept.worst, kept.total)
        kept ??= desk.exposure(request.legs)
      },
    }))
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.every(Number.isNaN)).toBe(true)
  })

  it('the position’s', () => {
    let kept: PositionView | undefined
    const keeping = quoting({
      onOpened(position) {
        kept ??= position
        expect(kept.position).toBeGreaterThan(0)
      },
    })
    expect(failureOf(keeping)).toMatch('a view holds during its handler only')
  })
})

describe('a bettor that keeps an intent is found out', () => {
  const HIDDEN = 'an intent is shown during its handler only'

  it.each(['arrival', 'betMicros', 'minOddsE4', 'bestOddsE4', 'decisions'] as const)('reading %s', (field) => {
    let kept: IntentView | undefined
    const keeping = betting({
      onDecision(intent, desk) {
        kept ??= intent
        if (!(kept[field] < 0)) desk.commit(intent)
      },
    })
    expect(failureOf(keeping)).toMatch(HIDDEN)
    kept = undefined
    expect(failureOf(keeping, false)).toBeUndefined()
  })

  it.each(['wait', 'count', 'market', 'side'] as const)('by %s', (use) => {
    let kept: IntentView | undefined
    const keeping = betting({
      onDecision(intent, desk) {
        kept ??= intent
        if (use === 'wait') desk.wait(kept, 0)
        else if (use === 'count') expect(kept.legs.count).toBe(2)
        else kept.legs[use](0)
        desk.commit(intent)
      },
    })
    expect(failureOf(keeping)).toMatch(HIDDEN)
  })

  it('by a command', () => {
    let kept: IntentView | undefined
    const keeping = betting({
      onDecision(intent, desk) {
        kept ??= intent
        desk.commit(kept)
      },
    })
    expect(failureOf(keeping)).toMatch(HIDDEN)
  })
})

describe('what a position shows', () => {
  it('holds its own legs, and leaves the request’s alone', () => {
    const asked = new Map<number, string>()
    const filled: [number, string][] = []
    const shown = (legs: LegsView): string => Array.from({ length: legs.count }, (_, i) => `${legs.market(i)}:${legs.side(i)}`).join(' ')
    expect(failureOf(quoting({
      onRequest(request, desk) {
        asked.set(request.request, shown(request.legs))
        desk.quote(request, { probability: PROBABILITY, validUs: 20_000_000 })
      },
      onOpened: (position) => void filled.push([position.request, shown(position.legs)]),
      onSettled: (position) => void filled.push([position.request, shown(position.legs)]),
    }))).toBeUndefined()
    expect(filled.length).toBeGreaterThan(10)
    for (const [request, legs] of filled) expect(legs).toBe(asked.get(request))
  })
})
