import { MINUTE_US, SECOND_US } from '../unit/time.ts'
import { type MadeMarket, WORLD_BEGIN_US, type World, worldOf } from './world.ts'

const GAP_US = SECOND_US / 10
const LISTED_BEFORE_US = SECOND_US
export const SETTLED_AFTER_US = MINUTE_US

/** When request `i` is made, of requests that have nothing to do with each other: each is about a market of its own. */
export const requestUs = (i: number): number => WORLD_BEGIN_US + LISTED_BEFORE_US + i * GAP_US

/** The requests of `separateMarkets`: when each is made. */
export const requestsUs = (count: number): number[] => Array.from({ length: count }, (_, i) => requestUs(i))

/** `count` markets, one for each of such requests: its price is `value(i)` all along, and its outcome is drawn at that. */
export const separateMarkets = (count: number, value: (market: number) => number, seed: string): World =>
  worldOf(Array.from({ length: count }, (_, i): MadeMarket => {
    const atUs = requestUs(i)
    return { prices: [{ atUs: atUs - LISTED_BEFORE_US, bid: value(i) }], settledUs: atUs + SETTLED_AFTER_US, outcome: null }
  }), seed, { missing: 'draw' })
