import { describe, expect, it } from 'vitest'
import { bettor, type BettorStrategy } from '../../src/agent/bettor.ts'
import { type MakerHandlers, type MakerStrategy, maker } from '../../src/agent/maker.ts'
import type { CohortEntry, MakerEntry } from '../../src/engine/config.ts'
import type { CallListener, ExternalCall } from '../../src/engine/externalCalls.ts'
import { Session } from '../../src/engine/session.ts'
import { Side } from '../../src/market/sides.ts'
import { Digest } from '../../src/record/digest.ts'
import { NEVER_US } from '../../src/unit/time.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { outcomeAuctionConfig } from './outcomeWorld.ts'
import { auctionConfig, cohorts, makerEntry, NO_FAULTS, sessionConfig, WORLD_START_US } from './world.ts'

const SECOND = 1_000_000
/** PQ-414: a request of the parlay service lives for 90 s after each version. */
const LIFE_US = 90 * SECOND
const OURS = 0
const NO_DELAY = { baseUs: 0, jitterUs: 0 }

const entryOf = (handlers: MakerHandlers, wayUs = 0): MakerEntry => ({
  ...makerEntry('told', maker({}, () => handlers) as unknown as MakerStrategy), faults: NO_FAULTS,
  latency: { feedUs: 0, broadcast: { baseUs: wayUs, jitterUs: 0 }, submit: NO_DELAY, confirm: NO_DELAY },
})

/** A bettor for whom a client acts. */
const outsider: CohortEntry = {
  ...cohorts[0]!, name: 'ours', strategy: bettor({}, () => ({ onArrival: () => {}, onDecision: () => {} })) as unknown as BettorStrategy, bettors: 1, arrivalsUs: [], everyUs: 0,
}
const NOBODY: CallListener = { answered: () => {}, told: () => {} }
const asks: ExternalCall = { op: ParlayOp.createRequest, fields: { betMicros: 5 * SECOND }, legs: [[0, Side.yes], [5, Side.yes]] }
const updates: ExternalCall = { op: ParlayOp.updateRequest, fields: { request: 1, betMicros: 6 * SECOND }, legs: [[0, Side.yes], [5, Side.no]] }
const updatesAgain: ExternalCall = { op: ParlayOp.updateRequest, fields: { request: 1, betMicros: 7 * SECOND }, legs: [[0, Side.yes], [5, Side.yes]] }
const cancels: ExternalCall = { op: ParlayOp.cancelRequest, fields: { request: 1 } }

/** What the maker hears of requests, in seconds after the begin, where a client calls at such instants; a checkpoint in between. */
function heardOf(calls: readonly (readonly [atS: number, call: ExternalCall])[], { wayUs = 0, imageAtS = 0 } = {}): string[] {
  const heard: string[] = []
  const handlers: MakerHandlers = {
    onRequest: ({ request, version }, desk) => void heard.push(`${request}.${version} asked ${(desk.nowUs - WORLD_START_US) / SECOND}`),
    onRequestEnded: ({ request, version, betMicros }, desk) => void heard.push(`${request}.${version} over ${(desk.nowUs - WORLD_START_US) / SECOND} ${betMicros / SECOND}`),
  }
  const config = sessionConfig(5, { makers: [entryOf(handlers, wayUs)], cohorts: [outsider] })
  let session = new Session(config)
  const standAt = (atUs: number): void => {
    session.standAt(atUs)
    while (session.run(7)) continue
  }
  for (const [atS, call] of calls) {
    standAt(WORLD_START_US + atS * SECOND)
    session.bringCall('parlay', OURS, call, NOBODY)
  }
  if (imageAtS > 0) {
    standAt(WORLD_START_US + imageAtS * SECOND)
    const image = structuredClone(session.snapshot())
    session = new Session(config)
    session.restore(image)
  }
  standAt(NEVER_US)
  return heard
}

describe('the end of a request, as far as makers are told', () => {
  it('PQ-336 PQ-414 is the instant that the request said, and a cancellation before it changes nothing', () => {
    expect(heardOf([[2, asks]])).toEqual(['1.1 asked 2', '1.1 over 92 5'])
    expect(heardOf([[2, asks], [30, cancels]])).toEqual(['1.1 asked 2', '1.1 over 92 5'])
  })

  it('PQ-111 PQ-112 is that of the newest version that has come to the maker, also after an image', () => {
    const expected = ['1.1 asked 2', '1.2 asked 30', '1.2 over 120 6']
    expect(heardOf([[2, asks], [30, updates]])).toEqual(expected)
    expect(heardOf([[2, asks], [30, updates]], { imageAtS: 40 })).toEqual(expected)
  })

  it('is told of the last of three versions alone', () => {
    // At 92 s and at 120 s the third version is the newest that the maker knows.
    expect(heardOf([[2, asks], [30, updates], [60, updatesAgain]])).toEqual(['1.1 asked 2', '1.2 asked 30', '1.3 asked 60', '1.3 over 150 7'])
  })

  it('is told of each version that is over before its successor has come', () => {
    // The way of 70 s is longer than what is left of the 90 s of the first version when it is updated.
    expect(heardOf([[2, asks], [30, updates]], { wayUs: 70 * SECOND })).toEqual(['1.1 asked 72', '1.1 over 92 5', '1.2 asked 100', '1.2 over 120 6'])
  })

  it('is told at once of a request that comes when its time is over, and of versions that come together one time', () => {
    expect(heardOf([[2, asks]], { wayUs: LIFE_US + SECOND })).toEqual(['1.1 asked 93', '1.1 over 93 5'])
    expect(heardOf([[2, asks], [2, updates]], { wayUs: LIFE_US + SECOND })).toEqual(['1.1 asked 93', '1.2 asked 93', '1.2 over 93 6'])
  })

  it.each([['parlay', auctionConfig], ['outcome', outcomeAuctionConfig]] as const)('is no message for whoever has no handler, and changes no row for whoever has one (%s)', (_, config) => {
    const played = (more: MakerHandlers): [string, number] => {
      const digest = new Digest()
      const quoting: MakerHandlers = { onRequest: (request, desk) => desk.quote(request, { probability: 0.2, validUs: 5 * SECOND }), ...more }
      const session = new Session({ ...config(8, { makers: [entryOf(quoting)] }), sinks: [digest] })
      session.runToEnd()
      return [digest.hex(), session.counts.messages]
    }
    let ended = 0
    const [[digest, messages], [without, fewer]] = [played({ onRequestEnded: () => void ended++ }), played({})]
    expect(ended).toBeGreaterThan(10)
    expect([digest, messages - fewer]).toEqual([without, ended])
  })
})
