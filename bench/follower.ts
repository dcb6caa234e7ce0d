import { bettor } from '../src/agent/bettor.ts'
import type { BettorStrategy } from '../src/agent/bettor.ts'
import { NO_FAULTS } from '../src/agent/faults.ts'
import { NO_LATENCY } from '../src/agent/latency.ts'
import { maker } from '../src/agent/maker.ts'
import type { MakerStrategy } from '../src/agent/maker.ts'
import type { RequestView } from '../src/agent/views.ts'
import type { OperatorInput, SessionConfig } from '../src/engine/config.ts'
import { internKeys } from '../src/market/exclusion.ts'
import type { Market } from '../src/market/market.ts'
import type { Ticks } from '../src/market/ticks.ts'
import { ParlayOp } from '../src/venue/parlay/protocol/commands.ts'
import { PARLAY_PROFILES, PARLAY_SETTINGS } from '../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../src/venue/profile.ts'
import { mix } from './mix.ts'

const START_US = 1_750_000_000_000_000
const DAY_US = 86_400_000_000
/** The maker follows the first request on each market. Of so many on each on average, drawn ones, no market is without. */
const REQUESTS_A_MARKET = 30
/** Requests come a microsecond apart, before the first change. */
const FIRST_CHANGE_US = START_US + 1_000_000
const CHANGE_GAP_US = 1_000
/** A change in so many leads to a new quote. */
export const CHANGES_PER_QUOTE = 100
/** A price in millionths: one step up or down, within these bounds. */
const STEP_E6 = 1_000
const LOW_E6 = 100_000
const HIGH_E6 = 900_000
const HALF_SPREAD_E6 = 1_000
const SIZE = 5
/** Odds that no quote offers, so that requests stay open. */
const ODDS_OUT_OF_REACH_E4 = 9_999_999
const WALK_SALT = 2

/** What the maker has done. */
export interface Followed {
  changes: number
  quotes: number
}

/** A maker that is called at each change of a price that it follows, and quotes anew at every 100th of them. */
function follower(followed: Followed): MakerStrategy {
  const seen = new Set<number>()
  const anyMove = { priceType: 'mid', movedBy: 1e-6 } as const
  const quote = (request: RequestView, desk: Parameters<NonNullable<ReturnType<MakerStrategy['create']>['onPrice']>>[1]): void => {
    followed.quotes++
    desk.quote(request, { probability: Math.min(1, desk.price(request.legs, { priceType: 'mid', maxAgeUs: 1e12 }) * 1.02), validUs: DAY_US })
  }
  return maker({}, () => ({
    onRequest(request, desk) {
      const market = request.legs.market(0)
      if (seen.has(market)) return desk.pass()
      seen.add(market)
      quote(request, desk)
      desk.watch(request, anyMove)
    },
    onPrice(request, desk) {
      if (++followed.changes % CHANGES_PER_QUOTE === 0) quote(request, desk)
      desk.watch(request, anyMove)
    },
  })) as unknown as MakerStrategy
}

const asker = bettor({}, () => ({
  onArrival(intent, desk) {
    if (desk.pickLegs(intent, 1, 0, DAY_US)) desk.requestQuote(intent, { betMicros: 1_000_000, minOddsE4: ODDS_OUT_OF_REACH_E4, decideInUs: 1 })
  },
  onDecision() {},
})) as unknown as BettorStrategy

/** A first price of each market, and then changes, market after market. */
function walks(markets: number, changes: number): Ticks {
  const count = markets + changes
  const column = (): Int32Array => new Int32Array(count)
  const size = column().fill(SIZE)
  const t = { count, atUs: new Float64Array(count), market: column(), bidE6: column(), askE6: column(), bidSize: size, askSize: size, lastE6: column().fill(-1) }
  const midE6 = new Int32Array(markets).fill((LOW_E6 + HIGH_E6) / 2)
  for (let i = 0; i < count; i++) {
    const market = i % markets
    if (i >= markets) {
      const isUp = midE6[market]! <= LOW_E6 || (midE6[market]! < HIGH_E6 && mix(i, 0, WALK_SALT) % 2 === 0)
      midE6[market]! += isUp ? STEP_E6 : -STEP_E6
    }
    t.atUs[i] = i < markets ? START_US : FIRST_CHANGE_US + (i - markets) * CHANGE_GAP_US
    t.market[i] = market
    t.bidE6[i] = midE6[market]! - HALF_SPREAD_E6
    t.askE6[i] = midE6[market]! + HALF_SPREAD_E6
  }
  return t
}

const market = (number: number): Market => ({
  number, ticker: `F${number}`, venue: 'venue_a', event: `E${number}`, series: '', category: '', title: '', game: '', ladder: '', exclusionKeys: [`f${number}`],
  openUs: START_US, scheduledCloseUs: null, scheduledCloseKnownUs: null, actualCloseUs: null, outcome: null, settlementE6: null, settledUs: null,
})

/**
 * A session in which a maker follows `markets` prices that change `changes` times, one after another: each is followed for one open request, of the parlay
 * service with the windows of `kalshi-rfq@2026-07`, where requests are open for a day and have one leg. `followed` counts along.
 */
export function following(markets: number, changes: number, followed: Followed): SessionConfig {
  const listed = Array.from({ length: markets }, (_, number) => market(number))
  const requests = markets * REQUESTS_A_MARKET
  const profile = { ...profileOf(PARLAY_SETTINGS), ...PARLAY_PROFILES['kalshi-rfq@2026-07'] }
  return {
    seed: 'bench', startUs: START_US, arrivalsUntilUs: FIRST_CHANGE_US, marketCount: markets, keys: internKeys(listed), ticks: walks(markets, changes),
    operator: listed.map(({ number }): OperatorInput => ({ atUs: START_US, op: ParlayOp.listMarket, market: number, closeUs: START_US + 30 * DAY_US })),
    parlay: {
      profile,
      makers: [{ name: 'follower', strategy: follower(followed), values: {}, capitalMicros: 1e12, latency: NO_LATENCY, faults: NO_FAULTS }],
      cohorts: [{
        name: 'askers', strategy: asker, values: {}, bettors: requests, bankrollMicros: 1e9, everyUs: 1, latency: NO_LATENCY,
        arrivalsUs: Array.from({ length: requests }, (_, i) => START_US + 1 + i), bettorOf: Array.from({ length: requests }, (_, i) => i),
      }],
    },
    sinks: [],
  }
}
