import { describe, expect, it } from 'vitest'
import type { BettorHandlers, BettorStrategy } from '../../src/agent/bettor.ts'
import { type MakerHandlers, type MakerStrategy, maker } from '../../src/agent/maker.ts'
import type { LegsView } from '../../src/agent/views.ts'
import { Side } from '../../src/agent/vocabulary.ts'
import type { CohortEntry, MakerEntry, SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import type { Ticks } from '../../src/market/ticks.ts'
import { Digest } from '../../src/record/digest.ts'
import { PARLAY_SETTINGS } from '../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { outcomeAuctionConfig } from './outcomeWorld.ts'
import { auctionConfig, cohorts, makerEntry, makers, NO_FAULTS, sessionConfig, WORLD_START_US } from './world.ts'
import { wholeTicks } from '../market/wholeTicks.ts'

const SECOND = 1_000_000
const NO_DELAY = { baseUs: 0, jitterUs: 0 }
const SERVICES = [['parlay', auctionConfig], ['outcome', outcomeAuctionConfig]] as const

/** A maker of these handlers, which is never away, hears and sends at once, and has prices so late. */
const entryOf = (handlers: MakerHandlers, feedUs = 20_000, name = 'watching'): MakerEntry => ({
  ...makerEntry(name, maker({}, () => handlers) as unknown as MakerStrategy), faults: NO_FAULTS,
  latency: { feedUs, broadcast: NO_DELAY, submit: NO_DELAY, confirm: NO_DELAY },
})

/** Bettors that ask for prices of two legs, and leave a request as it is for so long. */
const patient = (handlers: Partial<BettorHandlers> = {}, decideInUs = 8 * SECOND): CohortEntry => {
  const asking: BettorHandlers = {
    onArrival(intent, desk) {
      if (desk.pickLegs(intent, 2, 0.1, 1e15)) desk.requestQuote(intent, { betMicros: 10 * SECOND, minOddsE4: 10_001, decideInUs })
    },
    onDecision(intent, desk) { if (intent.bestOddsE4 > 0) desk.commit(intent) },
    ...handlers,
  }
  return { ...cohorts[0]!, name: 'patient', strategy: { role: 'bettor', parameters: {}, create: () => asking } as BettorStrategy }
}

const legsOf = ({ markets, sides }: LegsView): (readonly [number, number])[] => markets.map((market, i) => [market, sides[i]!])

/**
 * The first instant behind `nowUs` at which the ask of a leg stands `cents` from what it stood at, as whoever gets ticks so late sees it, looked for
 * tick by tick. The world has one tick of a market at an instant, and both sides always.
 */
function firstMoveUs(ticks: Ticks, legs: readonly (readonly [number, number])[], nowUs: number, feedUs: number, cents: number): number {
  const stood = new Map<number, number>()
  for (let i = 0; i < ticks.count; i++) {
    const shownUs = ticks.atUs[i]! + feedUs
    for (const [market, side] of legs) {
      if (ticks.market[i] !== market) continue
      const centsAsked = (side === Side.yes ? ticks.askE6[i]! : 1_000_000 - ticks.bidE6[i]!) / 10_000
      if (shownUs <= nowUs) stood.set(market, centsAsked)
      else if (!stood.has(market) || Math.abs(centsAsked - stood.get(market)!) >= cents) return shownUs
    }
  }
  return Infinity
}

interface Call {
  readonly number: number
  readonly atUs: number
}

describe('a watch of a request', () => {
  it.each(SERVICES.flatMap(([service, config]) => [20_000, 83_000].map((feedUs) => [service, feedUs, config] as const)))(
    'calls at the instant at which a leg has moved so far for the maker, with its own feed latency, and before the request is over (%s, %i µs)', (_, feedUs, config) => {
      const [asked, came]: [(Call & { untilUs: number; legs: readonly (readonly [number, number])[] })[], Call[]] = [[], []]
      const handlers: MakerHandlers = {
        onRequest(request, desk) {
          asked.push({ number: request.request, atUs: desk.nowUs, untilUs: request.expiresAtUs, legs: legsOf(request.legs) })
          desk.watch(request, { priceType: 'ask', movedBy: 0.03 })
        },
        onPrice: (request, desk) => void came.push({ number: request.request, atUs: desk.nowUs }),
      }
      const session = config(40, { profile: profileOf(PARLAY_SETTINGS, { requestExpiryMs: 20_000 }),  makers: [entryOf(handlers, feedUs)], cohorts: [{ ...patient({}, 200 * SECOND), bettors: 8 }] })
      new Session(session).runToEnd()
      const moves = asked.map(({ number, atUs, untilUs, legs }) => ({ number, atUs: firstMoveUs(wholeTicks(session.ticks), legs, atUs, feedUs, 3), untilUs }))
      const expected = moves.filter(({ atUs, untilUs }) => atUs < untilUs).map(({ number, atUs }) => ({ number, atUs }))
      expect(came.length).toBeGreaterThan(10)
      expect(moves.some(({ atUs, untilUs }) => atUs >= untilUs && atUs < Infinity)).toBe(true)
      const inOrder = (calls: readonly Call[]): Call[] => calls.toSorted((a, b) => a.atUs - b.atUs || a.number - b.number)
      expect(inOrder(came)).toEqual(inOrder(expected))
    })

  it('has its maker quote at once, and hear of the next move where it asks again', () => {
    const moves = new Map<number, number[]>()
    const quoted: number[] = []
    const handlers: MakerHandlers = {
      onRequest: (request, desk) => desk.watch(request, { priceType: 'ask', movedBy: 0.01 }),
      onPrice(request, desk) {
        moves.set(request.request, [...moves.get(request.request) ?? [], desk.nowUs])
        desk.quote(request, { probability: 0.5, validUs: 5 * SECOND })
        desk.watch(request, { priceType: 'ask', movedBy: 0.01 })
      },
      onAck: (ack, desk) => { if (ack.refusal === 0) quoted.push(desk.nowUs) },
    }
    new Session(sessionConfig(12, { makers: [entryOf(handlers)], cohorts: [patient({}, 60 * SECOND)] })).runToEnd()
    const all = [...moves.values()]
    expect(all.some((of) => of.length > 2)).toBe(true)
    for (const of of all) expect(of).toEqual([...new Set(of)].toSorted((a, b) => a - b))
    expect(new Set(quoted)).toEqual(new Set(all.flat().filter((us) => quoted.includes(us))))
    expect(quoted.length).toBeGreaterThan(20)
  })

  it('leaves nothing behind where nothing is to come', () => {
    const counted = (handlers: MakerHandlers): unknown[] => {
      const digest = new Digest()
      const session = new Session({ ...sessionConfig(8, { makers: [entryOf(handlers)], cohorts: [patient()] }), sinks: [digest] })
      session.runToEnd()
      return [digest.hex(), session.counts.messages, session.nowUs]
    }
    const quoting: MakerHandlers = { onRequest(request, desk) { desk.quote(request, { probability: 0.5, validUs: 5 * SECOND }) } }
    const far: MakerHandlers = {
      onRequest(request, desk) {
        quoting.onRequest!(request, desk)
        desk.watch(request, { priceType: 'mid', movedBy: 1 })
      },
      onOpened: (position, desk) => desk.watchPosition(position, { priceType: 'mid', movedBy: 1 }),
      onPrice: () => { throw new Error('nothing moves so far') },
      onPositionPrice: () => { throw new Error('nothing moves so far') },
    }
    expect(counted(far)).toEqual(counted(quoting))
    expect(counted({ ...quoting, onPrice() {}, onPositionPrice() {}, onTimer() {} })).toEqual(counted(quoting))
  })

  it('is an action of its instant', () => {
    const play = (most: number) => () => {
      const handlers: MakerHandlers = { onRequest(request, desk) { for (let i = 0; i < most; i++) desk.watch(request, { priceType: 'mid', movedBy: 0.5 }) } }
      new Session({ ...sessionConfig(5, { makers: [entryOf(handlers)], cohorts: [patient()] }), actionsPerInstant: 50 }).runToEnd()
    }
    expect(play(50)).not.toThrow()
    expect(play(51)).toThrow('it did not let time pass: more than 50 actions at one instant')
  })
})

describe('a watch of a position', () => {
  it.each(SERVICES)('is the backing maker\'s until it is told of the end, at the instants of its own prices (%s)', (_, config) => {
    const [asked, came, ended]: [(Call & { legs: readonly (readonly [number, number])[] })[], Call[], Call[]] = [[], [], []]
    const handlers: MakerHandlers = {
      onRequest: (request, desk) => desk.quote(request, { probability: 0.2, validUs: 5 * SECOND }),
      onOpened(position, desk) {
        asked.push({ number: position.position, atUs: desk.nowUs, legs: legsOf(position.legs) })
        desk.watchPosition(position, { priceType: 'ask', movedBy: 0.03 })
      },
      onPositionPrice: (position, desk) => {
        expect([position.isHolder, position.oddsE4 > 10_000, position.quote > 0, position.isBoughtBack]).toEqual([false, true, true, false])
        came.push({ number: position.position, atUs: desk.nowUs })
      },
      // It buys back what is offered, so that positions end while prices move.
      onCashOut: (auction, desk) => { if (auction.isBackingMaker) desk.bid(auction, { priceMicros: auction.maxPriceMicros, validUs: 5 * SECOND }) },
      onSettled: (position, desk) => void ended.push({ number: position.position, atUs: desk.nowUs }),
    }
    const session = config(60, { makers: [entryOf(handlers)] })
    new Session(session).runToEnd()
    const endOf = new Map(ended.map(({ number, atUs }) => [number, atUs]))
    const expected = asked.map(({ number, atUs, legs }) => ({ number, atUs: firstMoveUs(wholeTicks(session.ticks), legs, atUs, 20_000, 3) }))
    const heard = expected.filter(({ number, atUs }) => atUs < (endOf.get(number) ?? Infinity))
    expect(came.length).toBeGreaterThan(3)
    expect(expected.filter(({ number, atUs }) => atUs < Infinity && atUs > (endOf.get(number) ?? Infinity)).length).toBeGreaterThan(0)
    expect(came.toSorted((a, b) => a.number - b.number)).toEqual(heard.toSorted((a, b) => a.number - b.number))
  })

  it.each(SERVICES)('is a bettor\'s too (%s)', (_, config) => {
    const [asked, came]: [(Call & { legs: readonly (readonly [number, number])[] })[], Call[]] = [[], []]
    const strategy = patient({
      onOpened(holding, desk) {
        asked.push({ number: holding.position, atUs: desk.nowUs, legs: legsOf(holding.legs) })
        desk.watch(holding, { priceType: 'ask', movedBy: 0.02 })
      },
      onPrice: (holding, desk) => void came.push({ number: holding.position, atUs: desk.nowUs }),
    }, SECOND)
    const session = config(15, { makers: makers(1), cohorts: [{ ...strategy, latency: { ...strategy.latency, feedUs: 47_000 } }] })
    new Session(session).runToEnd()
    const expected = asked.map(({ number, atUs, legs }) => ({ number, atUs: firstMoveUs(wholeTicks(session.ticks), legs, atUs, 47_000, 2) })).filter(({ atUs }) => atUs < Infinity)
    expect(came.length).toBeGreaterThan(5)
    expect(came.toSorted((a, b) => a.number - b.number)).toEqual(expected.toSorted((a, b) => a.number - b.number))
  })

  it.each([['onPrice', 'request'], ['onPositionPrice', 'position']] as const)('that throws in %s is named with the %s', (handler, subject) => {
    const handlers: MakerHandlers = {
      onRequest(request, desk) {
        desk.quote(request, { probability: 0.2, validUs: 5 * SECOND })
        desk.watch(request, { priceType: 'ask', movedBy: 0.01 })
      },
      onOpened: (position, desk) => desk.watchPosition(position, { priceType: 'ask', movedBy: 0.01 }),
      [handler]: () => { throw new Error('no luck') },
    }
    expect(() => { new Session(sessionConfig(15, { makers: [entryOf(handlers)], cohorts: [patient({}, SECOND)] })).runToEnd() })
      .toThrow(new RegExp(`^strategy of watching threw in ${handler} \\(${subject} \\d+\\) at \\S+Z: no luck$`))
  })
})

describe('no look-ahead', () => {
  it.each(SERVICES)('changing all prices after t changes nothing that makers and bettors with watches hear or do up to t (%s)', (_, config) => {
    const tUs = WORLD_START_US + 8 * SECOND
    const play = (change: (ticks: Ticks) => Ticks): string[] => {
      const heard: string[] = []
      const note = (handler: string, number: number, nowUs: number): void => void heard.push(`${nowUs} ${handler} ${number}`)
      const handlers: MakerHandlers = {
        onRequest(request, desk) {
          note('request', request.request, desk.nowUs)
          desk.quote(request, { probability: Math.min(0.9, desk.price(request.legs, { priceType: 'ask', maxAgeUs: 1e15 }) * 1.05), validUs: 5 * SECOND })
          desk.watch(request, { priceType: 'ask', movedBy: 0.01 })
        },
        onPrice(request, desk) {
          note('price', request.request, desk.nowUs)
          handlers.onRequest!(request, desk)
        },
        onOpened(position, desk) {
          note('opened', position.position, desk.nowUs)
          desk.watchPosition(position, { priceType: 'mid', movedBy: 0.01 })
        },
        onPositionPrice(position, desk) {
          note('position', position.position, desk.nowUs)
          desk.watchPosition(position, { priceType: 'mid', movedBy: 0.01 })
        },
        onAck: (ack, desk) => note('ack', ack.request, desk.nowUs),
      }
      const watching = patient({
        onOpened: (holding, desk) => desk.watch(holding, { priceType: 'bid', movedBy: 0.01 }),
        onPrice(holding, desk) {
          note('holding', holding.position, desk.nowUs)
          if (holding.canCashOut) desk.openCashOut(holding)
          desk.watch(holding, { priceType: 'bid', movedBy: 0.01 })
        },
      }, SECOND)
      const plain: SessionConfig = config(16, { makers: [entryOf(handlers)], cohorts: [watching] })
      new Session({ ...plain, ticks: change(wholeTicks(plain.ticks)) }).runToEnd()
      return heard
    }
    const otherwise = (ticks: Ticks): Ticks => {
      const atUs = ticks.atUs.map((us) => (us > tUs ? tUs + 1 + Math.floor((us - tUs) / 2) : us))
      const bidE6 = ticks.bidE6.map((price, i) => (ticks.atUs[i]! > tUs ? 980_000 - price : price))
      return { ...ticks, atUs, bidE6, askE6: bidE6.map((price) => price + 20_000) }
    }
    const upTo = (heard: readonly string[]): string[] => heard.filter((line) => Number(line.split(' ')[0]) <= tUs)
    const [asItWas, changed] = [play((ticks) => ticks), play(otherwise)]
    expect(upTo(changed)).toEqual(upTo(asItWas))
    expect(changed).not.toEqual(asItWas)
    for (const what of ['price', 'position', 'holding']) expect(upTo(asItWas).some((line) => line.includes(` ${what} `))).toBe(true)
  })
})
