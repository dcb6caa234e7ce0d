import { describe, expect, it } from 'vitest'
import type { BettorHandlers, BettorStrategy } from '../../src/agent/bettor.ts'
import { Intents } from '../../src/agent/intents.ts'
import { type MakerHandlers, type MakerStrategy, maker } from '../../src/agent/maker.ts'
import type { MakerDesk } from '../../src/agent/makerDesk.ts'
import type { RequestView } from '../../src/agent/views.ts'
import { Combos } from '../../src/engine/combos.ts'
import { Session } from '../../src/engine/session.ts'
import { Bug } from '../../src/unit/assert.ts'
import { EventRows } from '../../src/venue/eventRows.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { RowLog } from './rowLog.ts'
import { cohorts, makerEntry, makers, type Replaced, sessionConfig } from './world.ts'

/** What a session ends with: the error that stopped it. */
function failureOf(replaced: Replaced): Error {
  try {
    new Session(sessionConfig(30, replaced)).runToEnd()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing failed')
}

const withMaker = (handlers: () => MakerHandlers, replaced: Replaced = {}): Replaced =>
  ({ makers: [makerEntry('wrong', maker({}, handlers) as unknown as MakerStrategy)], ...replaced })

const withBettor = (handlers: BettorHandlers, replaced: Replaced = {}): Replaced => {
  const strategy = { role: 'bettor', parameters: {}, create: () => handlers } as BettorStrategy
  return { cohorts: [{ ...cohorts[0]!, name: 'wrong', strategy }], makers: makers(1), ...replaced }
}

const BET = 10_000_000
const FLOOR = 10_001
const SECOND = 1_000_000
const EVER = 1e15

function expectFailure(failure: Error, handler: string, reason: string): void {
  expect(failure.name).toBe('StrategyFailure')
  expect(failure.message).toMatch(new RegExp(`^strategy of wrong threw in ${handler}(?: \\(\\w+ \\d+\\))? at \\S+Z: ${reason}`))
}

describe('a maker’s mistake stops the run and names maker and handler', () => {
  it('with the request and the time as people write it', () => {
    let [request, atUs] = [0, 0]
    const failure = failureOf(withMaker(() => ({
      onRequest(view, desk) {
        if (view.request < 3) return
        [request, atUs] = [view.request, desk.nowUs]
        throw new Error('boom')
      },
    })))
    const instant = `${new Date(Math.floor(atUs / 1000)).toISOString().slice(0, -1)}${String(atUs % 1000).padStart(3, '0')}Z`
    expect(failure.message).toBe(`strategy of wrong threw in onRequest (request ${request}) at ${instant}: boom`)
  })

  it('with the position that its handler is about', () => {
    let position = 0
    const failure = failureOf(withMaker(() => ({
      onRequest: (view, desk) => { desk.quote(view, { probability: 0.05, validUs: 8_000_000 }) },
      onOpened(view) {
        position = view.position
        throw new Error('boom')
      },
    })))
    expect(failure.message).toMatch(new RegExp(`^strategy of wrong threw in onOpened \\(position ${position}\\) at `))
  })

  it.each([NaN, undefined, 0])('a quote at the probability %s', (probability) => {
    const failure = failureOf(withMaker(() => ({ onRequest: (request, desk) => desk.quote(request, { probability: probability as number, validUs: 8_000_000 }) })))
    expectFailure(failure, 'onRequest', 'a quote needs a finite probability above 0')
  })
})

const BAD_DELAYS = [NaN, -1, 0.5, Infinity, 8e15]

describe('a delay that is none stops the run as the strategy’s mistake', () => {
  const asking = (decideInUs: number): BettorHandlers['onArrival'] => (intent, desk) => {
    if (desk.pickLegs(intent, 2, 0.1, EVER)) desk.requestQuote(intent, { betMicros: BET, minOddsE4: FLOOR, decideInUs })
  }

  it.each(BAD_DELAYS)('later in %s µs', (delayUs) => {
    expectFailure(failureOf(withMaker(() => ({ onRequest: (request, desk) => desk.later(request, delayUs) }))), 'onRequest', 'a delay is a whole number')
  })

  it.each(BAD_DELAYS)('a decision in %s µs', (delayUs) => {
    expectFailure(failureOf(withBettor({ onArrival: asking(delayUs), onDecision() {} })), 'onArrival', 'a delay is a whole number')
  })

  it.each(BAD_DELAYS)('a wait of %s µs', (delayUs) => {
    const waiting = withBettor({ onArrival: asking(SECOND), onDecision: (intent, desk) => desk.wait(intent, delayUs) })
    expectFailure(failureOf(waiting), 'onDecision', 'a delay is a whole number')
  })
})

describe('a bettor’s mistake stops the run and names cohort and handler', () => {
  const asking: BettorHandlers = {
    onArrival(intent, desk) {
      if (desk.pickLegs(intent, 2, 0.1, EVER)) desk.requestQuote(intent, { betMicros: BET, minOddsE4: FLOOR, decideInUs: SECOND })
    },
    onDecision() {},
  }

  it('a second request', () => {
    const twice = withBettor({
      ...asking,
      onArrival(intent, desk) {
        asking.onArrival(intent, desk)
        desk.requestQuote(intent, { betMicros: BET, minOddsE4: FLOOR, decideInUs: SECOND })
      },
    })
    expectFailure(failureOf(twice), 'onArrival', 'an intent makes one request, as it arrives')
  })

  it.each(['betMicros', 'minOddsE4'])('a second request out of what makes the first one’s %s a number', (field) => {
    const inside = withBettor({
      ...asking,
      onArrival(intent, desk) {
        if (!desk.pickLegs(intent, 2, 0.1, EVER)) return
        const terms = { betMicros: BET, minOddsE4: FLOOR, decideInUs: SECOND }
        const number = { valueOf: () => (desk.requestQuote(intent, terms), BET) }
        desk.requestQuote(intent, { ...terms, [field]: number })
      },
    })
    expectFailure(failureOf(inside), 'onArrival', 'an intent makes one request, as it arrives')
  })

  it('a request at the decision', () => {
    const late = withBettor({ ...asking, onDecision: (intent, desk) => desk.requestQuote(intent, { betMicros: BET, minOddsE4: FLOOR, decideInUs: SECOND }) })
    expectFailure(failureOf(late), 'onDecision', 'an intent makes one request, as it arrives')
  })

  it.each([['commit', 'commit'], ['cancel', 'cancelRequest']] as const)('a %s before the request is open', (word, command) => {
    const early = withBettor({ ...asking, onArrival: (intent, desk) => desk[command](intent) })
    expectFailure(failureOf(early), 'onArrival', `there is no open request to ${word}`)
  })

  it.each([['commit', 'commit'], ['cancel', 'cancelRequest']] as const)('a %s while a commit is under way', (word, command) => {
    const again = withBettor({
      ...asking,
      onDecision(intent, desk) {
        desk.commit(intent)
        desk[command](intent)
      },
    })
    expectFailure(failureOf(again), 'onDecision', `there is no open request to ${word}`)
  })

  it.each([0, 17, 2.5, NaN])('picking %s legs', (legs) => {
    const picking = withBettor({ ...asking, onArrival: (intent, desk) => void desk.pickLegs(intent, legs, 0.1, EVER) })
    expectFailure(failureOf(picking), 'onArrival', `1 to 16 legs can be drawn, not ${legs}`)
  })

  it.each([-1, 50, 0.5])('setting leg %s', (leg) => {
    expectFailure(failureOf(withBettor({ ...asking, onArrival: (intent) => intent.setLeg(leg, 0, 1) })), 'onArrival', `an intent has no leg ${leg}`)
  })
})

describe('a request that a maker is not looking at', () => {
  it.each(['onAck', 'onSelected', 'onOpened'] as const)('cannot be put off in %s', (handler) => {
    let kept: RequestView | undefined
    const failure = failureOf(withMaker(() => ({
      onRequest(request, desk) {
        kept = request
        desk.quote(request, { probability: 0.05, validUs: 20_000_000 })
      },
      [handler]: (_view: object, desk: MakerDesk) => desk.later(kept!, SECOND),
    })))
    expectFailure(failure, handler, 'a view holds during its handler only')
  })

  it('can be withdrawn from by its number', () => {
    const kept: number[] = []
    const log = new RowLog()
    new Session(sessionConfig(30, { sinks: [log], ...withMaker(() => ({
      onRequest(request, desk) {
        kept.push(request.request)
        desk.quote(request, { probability: 0.05, validUs: 20_000_000 })
      },
      onOpened: (_position, desk) => kept.forEach((request) => { desk.withdrawQuote(request) }),
    })) })).runToEnd()
    expect(log.rows.some((row) => row.kind === ParlayEvent.quoteWithdrawn)).toBe(true)
  })

  it.each([0, -1, 0.5, NaN, 2 ** 40])('has no number %s', (request) => {
    const failure = failureOf(withMaker(() => ({ onRequest: (_request, desk) => desk.withdrawQuote(request) })))
    expectFailure(failure, 'onRequest', 'a request has a whole number above 0')
  })
})

describe('a slot is freed once', () => {
  it('an intent’s', () => {
    const intents = new Intents(1)
    const slot = intents.begin(0, 0, 0)
    intents.end(slot)
    expect(() => intents.end(slot)).toThrow(Bug)
  })

  it('a combo’s', () => {
    const combos = new Combos()
    const rows = new EventRows({ next: 1 }, 0)
    const slot = combos.ofRow(rows, rows.open(0, ParlayEvent.requestCreated, 0), 0)
    combos.retain(slot)
    combos.release(slot)
    combos.release(slot)
    expect(() => combos.release(slot)).toThrow(Bug)
    expect(() => combos.release(-1)).toThrow(Bug)
  })
})
