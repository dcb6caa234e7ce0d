import { describe, expect, it } from 'vitest'
import type { BettorHandlers, BettorStrategy } from '../../src/agent/bettor.ts'
import type { BettorDesk } from '../../src/agent/bettorDesk.ts'
import { type MakerHandlers, type MakerStrategy, maker } from '../../src/agent/maker.ts'
import type { MakerDesk } from '../../src/agent/makerDesk.ts'
import { Action, Refusal } from '../../src/agent/vocabulary.ts'
import type { Boards } from '../../src/engine/boards.ts'
import { HEARD_US } from '../../src/engine/closing.ts'
import type { MakerEntry, SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { Price, PRICE_STRIDE } from '../../src/market/priceBoard.ts'
import { Digest } from '../../src/record/digest.ts'
import { ToldRows } from '../../src/unit/toldRows.ts'
import { outcomeAuctionConfig } from './outcomeWorld.ts'
import { auctionConfig, cohorts, makerEntry, NO_FAULTS, sessionConfig, WORLD_START_US } from './world.ts'
import { wholeTicks } from '../market/wholeTicks.ts'

const SECOND = 1_000_000
const FEED_US = 20_000
const NO_DELAY = { baseUs: 0, jitterUs: 0 }

/** A maker of these handlers, which is never away and hears and sends at once. Its prices come as late as those of the others. */
const entryOf = (handlers: MakerHandlers, name = 'timed'): MakerEntry => ({
  ...makerEntry(name, maker({}, () => handlers) as unknown as MakerStrategy), faults: NO_FAULTS,
  latency: { feedUs: FEED_US, broadcast: NO_DELAY, submit: NO_DELAY, confirm: NO_DELAY },
})

function failureOf(config: SessionConfig): Error | null {
  try {
    new Session(config).runToEnd()
    return null
  } catch (error) {
    return error as Error
  }
}

describe('the begin and the end of a session', () => {
  it.each([['parlay', auctionConfig], ['outcome', outcomeAuctionConfig]] as const)('are told once, at the first instant and at that of the last thing (%s)', (service, config) => {
    const told = new ToldRows()
    const speaking = { onStart: (desk: { log(line: string): void }) => { desk.log('begun') }, onEnd: (desk: { log(line: string): void }) => { desk.log('over') } }
    const bettors: BettorHandlers = { onArrival() {}, onDecision() {}, ...speaking }
    const strategy = { role: 'bettor', parameters: {}, create: () => bettors } as BettorStrategy
    const session = new Session({ ...config(5, { makers: [entryOf(speaking)], cohorts: [{ ...cohorts[0]!, name: 'idle', strategy }] }), told })
    session.runToEnd()
    expect(told.logs.map(({ service: of, participant, handler, atUs, text, request }) => [of, participant, handler, atUs, text, request])).toEqual([
      [service, 'timed', 'onStart', WORLD_START_US, 'begun', -1], [service, 'idle', 'onStart', WORLD_START_US, 'begun', -1],
      [service, 'timed', 'onEnd', session.nowUs, 'over', -1], [service, 'idle', 'onEnd', session.nowUs, 'over', -1],
    ])
    expect(session.run(1)).toBe(false)
    expect(told.logs.length).toBe(4)
  })

  it('are not told where the loop stands still before nothing is left, nor again in a session that goes on from an image', () => {
    const told: string[] = []
    const config = sessionConfig(2, { makers: [entryOf({ onStart: () => void told.push('start'), onEnd: () => void told.push('end') })], cohorts: [] })
    const session = new Session(config)
    session.standAt(WORLD_START_US + SECOND)
    while (session.run(7)) continue
    expect(told).toEqual(['start'])
    const other = new Session(config)
    other.restore(session.snapshot())
    other.runToEnd()
    expect(told).toEqual(['start', 'end'])
    const over = new Session(config)
    over.restore(other.snapshot())
    over.runToEnd()
    expect(told).toEqual(['start', 'end'])
  })

  it.each(['onStart', 'onEnd'] as const)('name the maker and the bettors that throw in %s', (handler) => {
    const thrower = { [handler]: () => { throw new Error('no luck') } }
    const strategy = { role: 'bettor', parameters: {}, create: () => ({ onArrival() {}, onDecision() {}, ...thrower }) } as unknown as BettorStrategy
    const failures = [
      sessionConfig(1, { makers: [entryOf(thrower)], cohorts: [] }), sessionConfig(1, { makers: [], cohorts: [{ ...cohorts[0]!, name: 'timed', strategy }] }),
    ].map(failureOf)
    for (const failure of failures) expect([failure?.name, failure?.message]).toEqual(['StrategyFailure', expect.stringMatching(new RegExp(`^strategy of timed threw in ${handler} at \\S+Z: no luck$`))])
  })
})

describe('a timer', () => {
  it('of the instant at which a tick comes to the maker sees it, and a microsecond earlier it does not', () => {
    const config = sessionConfig(5, { cohorts: [] })
    const ticks = wholeTicks(config.ticks)
    // Two ticks of one market, the second of which has another ask.
    const second = Array.from({ length: ticks.count }, (_, i) => i).find((i) => {
      const first = ticks.market.subarray(0, i).lastIndexOf(ticks.market[i]!)
      return ticks.atUs[i]! > WORLD_START_US + SECOND && ticks.askE6[first] !== ticks.askE6[i]
    })!
    const market = ticks.market[second]!
    const before = ticks.askE6[ticks.market.subarray(0, second).lastIndexOf(market)]! / 1e6
    const seen: number[] = []
    const reached = ticks.atUs[second]! + FEED_US
    const asks: number[] = []
    const handlers: MakerHandlers = {
      onStart(desk) {
        desk.after(reached - 1 - desk.nowUs)
        desk.after(reached - desk.nowUs)
      },
      // A timer is about no legs: the board behind the desk says what the maker could see.
      onTimer(_tag, desk) {
        seen.push(desk.nowUs)
        asks.push(board.cells[market * PRICE_STRIDE + Price.askE6]! / 1e6)
      },
    }
    const session = new Session({ ...config, parlay: { ...config.parlay, makers: [entryOf(handlers)] } })
    const board = (session as unknown as { readonly shared: { readonly boards: Boards } }).shared.boards.withLag(FEED_US)
    session.runToEnd()
    expect(seen).toEqual([reached - 1, reached])
    expect(asks).toEqual([before, ticks.askE6[second]! / 1e6])
  })

  it.each([[-1, Refusal.none], [0, Refusal.quoteGone]])('%i µs from the end of a quote: the withdrawal is answered %i, since deadlines come first', (offUs, refusal) => {
    const said: number[] = []
    let request = 0
    const handlers: MakerHandlers = {
      onRequest(view, desk) {
        if (request > 0) return
        request = view.request
        desk.quote(view, { probability: 0.5, validUs: 5 * SECOND })
        desk.after(5 * SECOND + offUs)
      },
      onTimer: (_tag, desk) => { desk.withdrawQuote(request) },
      onAck: (ack) => { if (ack.action === Action.withdrawQuote) said.push(ack.refusal) },
    }
    const patient: BettorHandlers = {
      onArrival(intent, desk) {
        if (desk.pickLegs(intent, 2, 0.1, 1e15)) desk.requestQuote(intent, { betMicros: 10 * SECOND, minOddsE4: 10_001, decideInUs: 60 * SECOND })
      },
      onDecision() {},
    }
    const strategy = { role: 'bettor', parameters: {}, create: () => patient } as BettorStrategy
    new Session(sessionConfig(10, { makers: [entryOf(handlers)], cohorts: [{ ...cohorts[0]!, strategy }] })).runToEnd()
    expect(said).toEqual([refusal])
  })

  it('that asks for itself at once is stopped, with the instant\'s budget', () => {
    const again = (most: number): MakerHandlers => {
      let count = 0
      const ask: MakerHandlers['onTimer'] = (_tag, desk) => { if (count++ < most) desk.after(0) }
      return { onStart: (desk) => { ask(0, desk) }, onTimer: ask }
    }
    const config = (most: number): SessionConfig => ({ ...sessionConfig(1, { makers: [entryOf(again(most))], cohorts: [] }), actionsPerInstant: 50 })
    expect(failureOf(config(50))).toBeNull()
    expect(failureOf(config(51))?.message).toMatch(/^strategy of timed threw in onTimer at \S+Z: it did not let time pass: more than 50 actions at one instant$/)
  })

  it('that asks for itself for ever, while the maker hears of no request, is stopped by name', () => {
    const again = (most: number): MakerHandlers => {
      let count = 0
      const ask: MakerHandlers['onTimer'] = (_tag, desk) => { if (count++ < most) desk.after(1) }
      return { onStart: (desk) => { ask(0, desk) }, onTimer: ask }
    }
    const config = (most: number): SessionConfig => ({ ...sessionConfig(1, { makers: [entryOf(again(most))], cohorts: [] }), looksAgain: 100 })
    expect(failureOf(config(100))).toBeNull()
    const failure = failureOf(config(101))
    expect(failure?.message).toMatch(/^strategy of timed threw in onTimer at \S+Z: it asks for ever to be called again: more than 100 times about one timer$/)
    expect((failure!.cause as Error).stack).toMatch(/^Error: .*\n +at .*sessionHandlers\.test\.ts/)
  })

  it('may go on as long as requests come', () => {
    let [timers, requests] = [0, 0]
    const ask: MakerHandlers['onTimer'] = (_tag, desk) => {
      timers++
      if (requests < 20) desk.after(100_000)
    }
    const handlers: MakerHandlers = { onStart: (desk) => { desk.after(100_000) }, onTimer: ask, onRequest: () => { requests++ } }
    expect(failureOf({ ...sessionConfig(30, { makers: [entryOf(handlers)] }), looksAgain: 25 })).toBeNull()
    expect(timers).toBeGreaterThan(25)
  })

  it('does not come when participants are no longer heard', () => {
    const config = sessionConfig(1, { cohorts: [] })
    const closesUs = Math.max(config.arrivalsUntilUs, config.operator.at(-1)!.atUs) + HEARD_US
    const came: number[] = []
    const handlers: MakerHandlers = {
      onStart(desk) {
        desk.after(closesUs - desk.nowUs, 1)
        desk.after(closesUs - desk.nowUs + 1, 2)
      },
      onTimer: (tag) => void came.push(tag),
    }
    new Session({ ...config, parlay: { ...config.parlay, makers: [entryOf(handlers)] } }).runToEnd()
    expect(came).toEqual([1])
  })

  it.each([['parlay', 15, auctionConfig], ['outcome', 45, outcomeAuctionConfig]] as const)('and a watch of a price are in an image, so that a session goes on from it to the same rows and the same calls (%s)', (_, seconds, config) => {
    const play = (cutAfter: number | null): { digest: string; heard: string[] } => {
      const heard: string[] = []
      const note = (handler: string, about: number, desk: MakerDesk | BettorDesk): void => void heard.push(`${handler} ${about} ${desk.nowUs}`)
      const by = { priceType: 'ask', movedBy: 0.01 } as const
      const handlers: MakerHandlers = {
        onStart: (desk) => { desk.after(SECOND, 1) },
        onTimer(tag, desk) {
          note('onTimer', tag, desk)
          if (tag < 30) desk.after(700_000 + tag, tag + 1)
        },
        onRequest(request, desk) {
          desk.quote(request, { probability: 0.1, validUs: 5 * SECOND })
          desk.watch(request, by)
        },
        onPrice(request, desk) {
          note('onPrice', request.request, desk)
          desk.watch(request, by)
        },
        onCashOut: (auction, desk) => { if (!auction.isBackingMaker) desk.bid(auction, { priceMicros: auction.maxPriceMicros, validUs: 60 * SECOND }) },
        onBought: (position, desk) => { desk.watchPosition(position, by) },
        onOpened: (position, desk) => { desk.watchPosition(position, by) },
        onPositionPrice(position, desk) {
          note(position.isHolder ? 'held' : 'backed', position.position, desk)
          desk.watchPosition(position, by)
        },
      }
      const digest = new Digest()
      const terms = { ...config(seconds, { makers: [entryOf(handlers), entryOf(handlers, 'other')] }), sinks: [digest] }
      let session = new Session(terms)
      if (cutAfter !== null) {
        for (let i = 0; i < cutAfter; i++) session.run(20)
        const image = structuredClone(session.snapshot())
        session = new Session(terms)
        session.restore(image)
      }
      session.runToEnd()
      return { digest: digest.hex(), heard }
    }
    const whole = play(null)
    for (const handler of ['onTimer', 'onPrice', 'held', 'backed']) expect(whole.heard.filter((line) => line.startsWith(`${handler} `)).length).toBeGreaterThan(4)
    for (const cutAfter of [30, 200]) expect(play(cutAfter)).toEqual(whole)
  })
})
