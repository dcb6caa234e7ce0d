import { describe, expect, it } from 'vitest'
import type { BettorHandlers, BettorStrategy } from '../../src/agent/bettor.ts'
import { type MakerHandlers, type MakerStrategy, maker } from '../../src/agent/maker.ts'
import cashOutBidder from '../../src/agent/makers/cashOutBidder.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import { Action } from '../../src/agent/vocabulary.ts'
import { closesAtUs, HEARD_US } from '../../src/engine/closing.ts'
import type { SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'
import { MarketOp } from '../../src/venue/contract.ts'
import { RowLog } from './rowLog.ts'
import { auctionConfig, cohorts, makerEntry, makers, NO_FAULTS, type Replaced, sessionConfig, WORLD_START_US } from './world.ts'

const SECOND = 1_000_000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
/** 95 years. */
const FAR = 3e15
const EVER = 1e15
const LIMIT = 100

const withMaker = (handlers: MakerHandlers): Replaced =>
  ({ makers: [{ ...makerEntry('endless', maker({}, () => handlers) as unknown as MakerStrategy), faults: NO_FAULTS }] })

const withBettor = (handlers: BettorHandlers): Replaced => {
  const strategy = { role: 'bettor', parameters: {}, create: () => handlers } as BettorStrategy
  return { cohorts: [{ ...cohorts[0]!, name: 'endless', bettors: 3, strategy }], makers: makers(1) }
}

/** Bettors that ask for prices and commit at once. */
const betting: BettorHandlers = {
  onArrival(intent, desk) {
    if (desk.pickLegs(intent, 2, 0.1, EVER)) desk.requestQuote(intent, { betMicros: 10 * SECOND, minOddsE4: 10_001, decideInUs: SECOND })
  },
  onDecision(intent, desk) { desk.commit(intent) },
}

const asking = (decideInUs: number): BettorHandlers['onArrival'] => (intent, desk) => {
  if (desk.pickLegs(intent, 2, 0.1, EVER)) desk.requestQuote(intent, { betMicros: 10 * SECOND, minOddsE4: 10_001, decideInUs })
}

/** A taker over of positions that holds them, with handlers of its own. */
function holding(more: Pick<MakerHandlers, 'onAck' | 'onBought' | 'onCheck' | 'onSettled'>): SessionConfig {
  const config = auctionConfig(30)
  const create = (...given: Parameters<typeof cashOutBidder.create>) => ({ ...cashOutBidder.create(...given), ...more })
  const strategy = { ...cashOutBidder, create } as unknown as MakerStrategy
  const values = parameterValues(cashOutBidder.parameters, { margin: 0.041 })
  const seats = config.parlay.makers.map((entry) => (entry.name === 'bidder' ? { ...entry, name: 'endless', strategy, values, faults: NO_FAULTS } : entry))
  return { ...config, parlay: { ...config.parlay, makers: seats } }
}

/** What ends a session whose participants may look again so often; null where nothing does. */
function failureOf(config: SessionConfig, looksAgain = LIMIT): Error | null {
  try {
    new Session({ ...config, looksAgain }).runToEnd()
    return null
  } catch (error) {
    return error as Error
  }
}

/** Does something as often as it may about each thing. */
function counted(most: number): (about: number, act: () => void) => void {
  const counts = new Map<number, number>()
  return (about, act) => {
    const count = (counts.get(about) ?? 0) + 1
    counts.set(about, count)
    if (count <= most) act()
  }
}

describe('a participant that asks for ever to be called again is stopped by name, and one that asks as often as it may is not', () => {
  const REQUEST = 'it asks for ever to be called again: more than 100 times about one request'

  const cases: readonly [string, (most: number) => SessionConfig, handler: string, said: string][] = [
    ['later', (most) => {
      const again = counted(most)
      const ask: MakerHandlers['onRequest'] = (request, desk) => { again(request.request, () => { desk.later(request, 1) }) }
      return sessionConfig(30, withMaker({ onRequest: ask, onLater: ask }))
    }, 'onLater', REQUEST],
    ['decideLater', (most) => {
      const again = counted(most)
      const ask: MakerHandlers['onSelected'] = (selection, desk) => { again(selection.quote, () => { desk.decideLater(selection, 1) }) }
      return sessionConfig(30, withMaker({ onRequest(request, desk) { desk.quote(request, { probability: 0.5, validUs: 60 * SECOND }) }, onSelected: ask, onDecision: ask }))
    }, 'onDecision', 'it asks for ever to be called again: more than 100 times about one selection'],
    ["a maker's checkIn", (most) => {
      const again = counted(most)
      const ask: MakerHandlers['onBought'] = (position, desk) => { again(position.position, () => { desk.checkIn(position, 1) }) }
      return holding({ onBought: ask, onCheck: ask })
    }, 'onCheck', 'it asks for ever to be called again: more than 100 times about one position'],
    ['wait', (most) => {
      const handlers: BettorHandlers = { onArrival: asking(SECOND), onDecision(intent, desk) { if (intent.decisions <= most) desk.wait(intent, 1) } }
      return sessionConfig(30, withBettor(handlers))
    }, 'onDecision', REQUEST],
    ["a bettor's checkIn", (most) => {
      const again = counted(most)
      const ask: BettorHandlers['onOpened'] = (position, desk) => { again(position.position, () => { desk.checkIn(position, 1) }) }
      return sessionConfig(30, withBettor({ ...betting, onOpened: ask, onCheck: ask }))
    }, 'onCheck', 'it asks for ever to be called again: more than 100 times about one position'],
  ]

  it.each(cases)('by %s', (_, configOf, handler, said) => {
    expect(failureOf(configOf(LIMIT))).toBeNull()
    const failure = failureOf(configOf(LIMIT + 1))
    expect(failure?.name).toBe('StrategyFailure')
    expect(failure?.message).toMatch(new RegExp(`^strategy of endless threw in ${handler}(?: \\(\\w+ \\d+\\))? at \\S+Z: ${said}$`))
    // Its own line, not one of the engine's.
    expect((failure!.cause as Error).stack).toMatch(/^Error: .*\n +at .*endlessStrategies\.test\.ts/)
  })

  it('and a call of the market begins to count anew', () => {
    const calls = new Map<number, number>()
    const handlers: MakerHandlers = {
      onRequest(request, desk) { for (let i = 0; i < 2 * LIMIT; i++) desk.later(request, 1 + i) },
      onLater(request) { calls.set(request.request, (calls.get(request.request) ?? 0) + 1) },
    }
    expect(failureOf(sessionConfig(30, withMaker(handlers)))).toBeNull()
    expect(Math.min(...calls.values())).toBe(2 * LIMIT)
  })
})


describe('a session ends a day after its last input, whatever its participants ask for', () => {
  function played(config: SessionConfig): { readonly digest: string; readonly endUs: number } {
    const digest = new Digest()
    const session = new Session({ ...config, sinks: [digest] })
    session.runToEnd()
    return { digest: digest.hex(), endUs: session.nowUs }
  }

  it('the last input is an arrival or an operator\'s, or the begin', () => {
    const terms = { startUs: 5, arrivalsUntilUs: 3, operator: [] }
    expect(HEARD_US).toBe(DAY)
    expect(closesAtUs(terms)).toBe(5 + DAY)
    expect(closesAtUs({ ...terms, arrivalsUntilUs: 7 })).toBe(7 + DAY)
    expect(closesAtUs({ ...terms, arrivalsUntilUs: 7, operator: [{ atUs: 6, op: 0, market: 0 }, { atUs: 9, op: 0, market: 0 }] })).toBe(9 + DAY)
  })

  const quoting: MakerHandlers['onRequest'] = (request, desk) => { desk.quote(request, { probability: 0.5, validUs: 60 * SECOND }) }
  const never: readonly [string, (delayUs: number | null) => SessionConfig][] = [
    ['later', (delayUs) => sessionConfig(30, withMaker({
      onRequest(request, desk) { if (delayUs !== null) desk.later(request, delayUs) }, onLater() { throw new Error('called') },
    }))],
    ['decideLater', (delayUs) => sessionConfig(30, withMaker({
      onRequest: quoting, onSelected(selection, desk) { if (delayUs !== null) desk.decideLater(selection, delayUs) }, onDecision() { throw new Error('called') },
    }))],
    ["a maker's checkIn", (delayUs) => holding({
      onBought(position, desk) { if (delayUs !== null) desk.checkIn(position, delayUs) }, onCheck() { throw new Error('called') },
    })],
    ['wait', (delayUs) => sessionConfig(30, withBettor({
      onArrival: asking(SECOND), onDecision(intent, desk) { if (intent.decisions > 1) throw new Error('called'); if (delayUs !== null) desk.wait(intent, delayUs) },
    }))],
    ["a bettor's checkIn", (delayUs) => sessionConfig(30, withBettor({
      ...betting, onOpened(position, desk) { if (delayUs !== null) desk.checkIn(position, delayUs) }, onCheck() { throw new Error('called') },
    }))],
  ]

  it.each(never)('with nothing more, where it asks for a call in 95 years by %s', (_, configOf) => {
    expect(played(configOf(FAR))).toEqual(played(configOf(null)))
  })

  it.each([
    ['decides in 95 years', { onArrival: asking(FAR), onDecision() { throw new Error('called') } }],
    ['listens for 95 years', { ...betting, onOpened(position, desk) { desk.openCashOut(position, FAR) }, onListened() { throw new Error('called') } }],
  ] as const satisfies [string, BettorHandlers][])('within that day, where a bettor %s', (_, handlers) => {
    const config = sessionConfig(30, withBettor(handlers))
    expect(played(config).endUs).toBeLessThanOrEqual(closesAtUs(config))
  })

  it('with the last call at the day\'s end, and none a microsecond later', () => {
    const config = sessionConfig(30, withMaker({
      onRequest(request, desk) {
        desk.later(request, closeUs - desk.nowUs)
        desk.later(request, closeUs - desk.nowUs + 1)
      },
      onLater(_, desk) { calledAtUs.add(desk.nowUs) },
    }))
    const closeUs = closesAtUs(config)
    const calledAtUs = new Set<number>()
    expect(played(config).endUs).toBe(closeUs)
    expect([...calledAtUs]).toEqual([closeUs])
    expect(closeUs).toBeGreaterThan(WORLD_START_US + 30 * SECOND + DAY)
  })

  it('with each hour\'s call until then, where each asks for the next', () => {
    let last = 0
    const config = sessionConfig(30, withMaker({
      onRequest(request, desk) { desk.later(request, HOUR) },
      onLater(request, desk) {
        desk.later(request, HOUR)
        last = desk.nowUs
      },
    }))
    const { endUs } = played(config)
    expect(endUs).toBe(last)
    expect(closesAtUs(config) - last).toBeLessThan(HOUR)
  })

  it('and what is sent then is neither journaled nor answered', () => {
    let sent = 0
    let answered = 0
    const config = sessionConfig(30, withMaker({
      onRequest(request, desk) {
        desk.later(request, closeUs - SECOND - desk.nowUs)
        desk.later(request, closeUs - desk.nowUs)
      },
      onLater(request, desk) {
        desk.withdrawQuote(request)
        sent++
      },
      onAck() { answered++ },
    }))
    const closeUs = closesAtUs(config)
    const log = new RowLog()
    new Session({ ...config, sinks: [log] }).runToEnd()
    // A way to the venue takes 20 to 120 ms, so half of them come too late.
    expect([sent % 2, sent > 20, answered]).toEqual([0, true, sent / 2])
    expect(log.commands.filter(({ atUs }) => atUs > closeUs)).toEqual([])
  })
})

describe('a cohort that commands without end at one instant is stopped by name', () => {
  const COMMANDS = 30
  /** A call may command ten things, whatever the cohort commanded before. */
  const MOST = COMMANDS + 10
  const commanding = (handlers: BettorHandlers): Error | null => failureOf({ ...sessionConfig(30, withBettor(handlers)), actionsPerInstant: COMMANDS }, 1e6)
  const times = (count: number, act: () => void): void => { for (let i = 0; i < count; i++) act() }

  const floods: readonly [string, (count: number) => BettorHandlers, string][] = [
    ['cancelRequest', (count) => ({ onArrival: asking(SECOND), onDecision(intent, desk) { times(count, () => { desk.cancelRequest(intent) }) } }), 'onDecision'],
    ['wait', (count) => ({ onArrival: asking(SECOND), onDecision(intent, desk) { if (intent.decisions === 1) times(count, () => { desk.wait(intent, HOUR) }) } }), 'onDecision'],
    ['checkIn', (count) => ({ ...betting, onOpened(position, desk) { times(count, () => { desk.checkIn(position, HOUR) }) } }), 'onOpened'],
    ['cancelCashOut', (count) => ({
      ...betting,
      onOpened(position, desk) { desk.openCashOut(position, SECOND) },
      onListened(position, desk) { if (position.isAuctioned) times(count, () => { desk.cancelCashOut(position) }) },
    }), 'onListened'],
    ['wait after a request', (count) => ({
      onArrival(intent, desk) {
        asking(SECOND)(intent, desk)
        times(count, () => { desk.wait(intent, HOUR) })
      },
      onDecision() {},
    }), 'onArrival'],
  ]

  it.each(floods)('by %s, and not by as many as it may', (_, flood, handler) => {
    expect(commanding(flood(MOST))).toBe(null)
    expect(commanding(flood(MOST + 1))!.message).toMatch(new RegExp(`^strategy of endless threw in ${handler}(?: \\(\\w+ \\d+\\))? at \\S+Z: it did not let time pass: more than 30 actions at one instant$`))
  })

  it('and not by any number of bettors that arrive at one instant and ask once each', () => {
    const arrivalsUs = Array.from({ length: 300 }, () => WORLD_START_US + SECOND)
    const askedAtUs: number[] = []
    const replaced = withBettor({
      onArrival(intent, desk) {
        asking(SECOND)(intent, desk)
        askedAtUs.push(desk.nowUs)
      },
      onDecision(intent, desk) { desk.cancelRequest(intent) },
    })
    const config = sessionConfig(30, { ...replaced, cohorts: [{ ...replaced.cohorts![0]!, arrivalsUs }] })
    expect(failureOf({ ...config, actionsPerInstant: 1 })).toBe(null)
    expect(askedAtUs).toEqual(arrivalsUs)
  })
})

describe('a maker may command one thing more at the instant at which a position ends', () => {
  const ALLOWED = 3
  const backing = (handlers: MakerHandlers): SessionConfig =>
    sessionConfig(30, withMaker({ ...handlers, onRequest(request, desk) { desk.quote(request, { probability: 0.5, validUs: 60 * SECOND }) } }))

  it.each([['that it holds', holding], ['that it backed', backing]])('%s, and no second thing', (_, configOf) => {
    const commanding = (commands: number): Error | null => failureOf({
      ...configOf({ onSettled(position, desk) { for (let i = 0; i < commands; i++) desk.withdrawQuote(position.request) } }), actionsPerInstant: ALLOWED,
    })
    expect(commanding(ALLOWED + 1)).toBeNull()
    expect(commanding(ALLOWED + 2)?.message).toMatch(/^strategy of endless threw in onSettled(?: \(\w+ \d+\))? at \S+Z: it did not let time pass: more than 3 actions at one instant$/)
  })
})

describe('a maker that answers answers for ever is stopped by name', () => {
  const LOOPS = 30
  const answering = (handlers: MakerHandlers): Error | null => failureOf({ ...sessionConfig(30, withMaker(handlers)), actionsPerInstant: LOOPS })
  const retrying = (most: number): MakerHandlers => {
    let times = 0
    return {
      onRequest(request, desk) { if (times++ === 0) desk.withdrawQuote(request.request) },
      onAck(_, desk) { if (times++ <= most) desk.withdrawQuote(1) },
    }
  }

  it('when nothing else happens to it', () => {
    const failure = answering({ onRequest(request, desk) { desk.withdrawQuote(request) }, onAck(ack, desk) { desk.withdrawQuote(ack.request) } })
    expect(failure?.name).toBe('StrategyFailure')
    expect(failure?.message).toMatch(/^strategy of endless threw in onAck(?: \(\w+ \d+\))? at \S+Z: it answers answers for ever: more than 30 commands in onAck while nothing else happened to it$/)
    expect((failure!.cause as Error).stack).toMatch(/^Error: .*\n +at .*endlessStrategies\.test\.ts/)
  })

  it('also where it looks at what it holds meanwhile, which it does of its own wish', () => {
    let held: number | null = null
    let answers = 0
    const config = holding({
      onBought(position, desk) {
        held ??= position.position
        if (position.position === held) desk.checkIn(position, HOUR)
      },
      onCheck(position, desk) {
        // An answer comes after 25 to 145 ms, so that 31 of them take some 2.6 s and meet looks.
        if (answers === 0) desk.withdrawQuote(position.request)
        if (answers < 100) desk.checkIn(position, SECOND)
      },
      onAck({ action }, desk) { if (action === Action.withdrawQuote && answers++ < 100) desk.withdrawQuote(1) },
    })
    // Nobody cashes out after a minute, and results come two hours late, so that nothing else happens in between.
    const operator = config.operator.map((input) => (input.op === MarketOp.resolve ? { ...input, atUs: input.atUs + 2 * HOUR } : input))
    const failure = failureOf({ ...config, operator, parlay: { ...config.parlay!, cohorts: config.parlay!.cohorts.slice(0, 2) }, actionsPerInstant: LOOPS })
    expect(failure?.message ?? 'it was not stopped').toContain('it answers answers for ever')
    expect(answers).toBe(LOOPS + 1)
  })

  it('and not when it asks as often as it may', () => {
    // The arrivals are over before: requests would begin the count anew.
    const late = (most: number): MakerHandlers => {
      const { onAck } = retrying(most)
      let isSent = false
      return {
        onRequest(request, desk) { desk.later(request, HOUR) },
        onLater(request, desk) {
          if (!isSent) desk.withdrawQuote(request.request)
          isSent = true
        },
        onAck: onAck!,
      }
    }
    expect(answering(late(LOOPS - 1))).toBeNull()
    expect(answering(late(LOOPS))?.message).toContain('it answers answers for ever')
  })
})
