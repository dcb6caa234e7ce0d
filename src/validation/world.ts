import type { OperatorInput } from '../engine/config.ts'
import { JointChances } from '../draw/jointChances.ts'
import { planOperator, type SettlementPolicy } from '../engine/operatorInputs.ts'
import { Reference } from '../engine/reference.ts'
import { rootKey } from '../kernel/random.ts'
import { internKeys, type MarketKeys } from '../market/exclusion.ts'
import type { Market } from '../market/market.ts'
import { PriceBoard, productPrice } from '../market/priceBoard.ts'
import { PRICE_ONE_E6, type Ticks } from '../market/ticks.ts'
import { assert } from '../unit/assert.ts'
import { SECOND_US } from '../unit/time.ts'
import type { ValueOfLegs } from './fillLog.ts'

/** Worlds begin here, at a whole second. The date has no meaning. */
export const WORLD_BEGIN_US = 1_750_000_000 * SECOND_US

/** A price of YES, 0…1, from an instant on: bid and ask, or both the same. */
export interface PriceChange {
  readonly atUs: number
  readonly bid: number
  readonly ask?: number
}

/** A market of a made-up history. */
export interface MadeMarket {
  /** Markets of one game share what the settlement policy gives a game in common; '' or absent: none. */
  readonly game?: string
  /** Prices in order of time. The first one lists the market. */
  readonly prices: readonly PriceChange[]
  readonly settledUs: number
  /** The result, or null where it is drawn as the settlement policy says. */
  readonly outcome: 'yes' | 'no' | null
}

/** A made-up history as a session takes it. */
export interface World {
  readonly markets: readonly Market[]
  readonly keys: MarketKeys
  readonly ticks: Ticks
  readonly operator: readonly OperatorInput[]
  readonly endUs: number
  /** What fills are scored against. A reference serves one session, so that each session makes a new one. */
  readonly values: () => ValueOfLegs
  /** V as runs are scored by it, of which it is one for each session too. */
  readonly reference: () => Reference
}

const SIZE = 1_000_000

/** A history with prices to the millionth, like recorded ones. `settlement` draws outcomes that are null. */
export function worldOf(made: readonly MadeMarket[], seed: string, settlement: Partial<SettlementPolicy> = {}): World {
  const markets = made.map((market, number) => marketOf(market, number))
  const ticks = ticksOf(made)
  const endUs = made.reduce((latest, { settledUs }) => Math.max(latest, settledUs), 0) + 1
  const policy: SettlementPolicy = { lagUs: 0, missing: 'exclude', scalar: 'exclude', ...settlement }
  const { inputs, coverage, outcomes, drawnChances, ties } = planOperator(markets, ticks, WORLD_BEGIN_US, endUs, policy, rootKey(seed))
  assert(coverage.listed === made.length, 'all markets of a made-up history are listed')
  const reference = (): Reference =>
    new Reference(ticks, made.length, outcomes, { drawnChances, joint: JointChances.of(ties, made.length, policy.correlation?.share ?? 0) })
  return { markets, keys: internKeys(markets), ticks, operator: inputs, endUs, values: () => valuesOf(ticks, made.length), reference }
}

/** Fills are scored against prices, never against results, so that no outcome is ever seen. */
function valuesOf(ticks: Ticks, marketCount: number): ValueOfLegs {
  const board = new PriceBoard(ticks, marketCount, 0)
  return (atUs, markets, sides) => {
    board.advance(atUs)
    return productPrice(board, markets, sides, 0, markets.length, 'mid', atUs, Infinity)
  }
}

function marketOf({ game = '', prices, settledUs, outcome }: MadeMarket, number: number): Market {
  const ticker = `M${number}`
  return {
    number, ticker, venue: 'venue_a', event: ticker, series: '', category: '', title: '', game, ladder: '',
    exclusionKeys: [`market:${ticker}`], openUs: prices[0]!.atUs, scheduledCloseUs: null, scheduledCloseKnownUs: null, actualCloseUs: null,
    outcome, settlementE6: null, settledUs,
  }
}

function ticksOf(made: readonly MadeMarket[]): Ticks {
  const changes = made.flatMap(({ prices }, market) => prices.map((price) => ({ market, ...price })))
  // Array.prototype.sort is stable: at equal instants the lower market comes first.
  changes.sort((a, b) => a.atUs - b.atUs)
  const count = changes.length
  const e6 = (price: number): number => Math.round(price * PRICE_ONE_E6)
  return {
    count, atUs: Float64Array.from(changes, ({ atUs }) => atUs), market: Int32Array.from(changes, ({ market }) => market),
    bidE6: Int32Array.from(changes, ({ bid }) => e6(bid)), askE6: Int32Array.from(changes, ({ bid, ask }) => e6(ask ?? bid)),
    bidSize: new Int32Array(count).fill(SIZE), askSize: new Int32Array(count).fill(SIZE), lastE6: new Int32Array(count).fill(-1),
  }
}
