import impatient from '../../src/agent/bettors/impatient.ts'
import informed from '../../src/agent/bettors/informed.ts'
import noise from '../../src/agent/bettors/noise.ts'
import stopLoss from '../../src/agent/bettors/stopLoss.ts'
import takeProfit from '../../src/agent/bettors/takeProfit.ts'
import { NO_FAULTS } from '../../src/agent/faults.ts'
import type { Latency } from '../../src/agent/latency.ts'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import cashOutBidder from '../../src/agent/makers/cashOutBidder.ts'
import exposureLimited from '../../src/agent/makers/exposureLimited.ts'
import fixedMargin from '../../src/agent/makers/fixedMargin.ts'
import shade from '../../src/agent/makers/shade.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import type { CohortEntry, MakerEntry, ParlayServiceConfig, SessionConfig } from '../../src/engine/config.ts'
import { planOperator } from '../../src/engine/operatorInputs.ts'
import { rootKey } from '../../src/kernel/random.ts'
import { internKeys } from '../../src/market/exclusion.ts'
import type { Market } from '../../src/market/market.ts'
import type { Ticks } from '../../src/market/ticks.ts'
import { PARLAY_SETTINGS } from '../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { drawsOf } from '../draws.ts'

export const WORLD_START_US = 1_750_000_000_000_000
const TICK_GAP_US = 50_000

/** A small synthetic world: `markets` markets of four to an event, their prices a bounded random walk from a fixed generator. */
export function world(markets: number, tickCount: number): { markets: Market[]; ticks: Ticks; endUs: number } {
  const draw = drawsOf(1)
  const column = (fill: number): Int32Array => new Int32Array(tickCount).fill(fill)
  const ticks = {
    count: tickCount, atUs: new Float64Array(tickCount), market: column(0), bidE6: column(0), askE6: column(0),
    bidSize: column(500), askSize: column(500), lastE6: column(-1),
  }
  const cents = Array.from({ length: markets }, () => 20 + draw(60))
  for (let i = 0; i < tickCount; i++) {
    const m = i < markets ? i : draw(markets)
    cents[m] = Math.min(95, Math.max(5, cents[m]! + draw(3) - 1))
    ticks.atUs[i] = WORLD_START_US + Math.max(0, i - markets) * TICK_GAP_US
    ticks.market[i] = m
    ticks.bidE6[i] = (cents[m]! - 1) * 10_000
    ticks.askE6[i] = (cents[m]! + 1) * 10_000
  }
  const catalogue = Array.from({ length: markets }, (_, i): Market => ({
    number: i, ticker: `M${i}`, venue: 'venue_a', event: `E${i >> 2}`, series: '', category: 'sports', title: '', game: `E${i >> 2}`,
    ladder: '', exclusionKeys: [`event:E${i >> 2}`, `group:${i % 7}`], openUs: WORLD_START_US, scheduledCloseUs: null,
    scheduledCloseKnownUs: null, actualCloseUs: null, outcome: i % 5 === 4 ? 'void' : i % 2 === 0 ? 'yes' : 'no',
    settlementE6: null, settledUs: null,
  }))
  return { markets: catalogue, ticks, endUs: ticks.atUs[tickCount - 1]! + 1 }
}

const latency = (submitUs: number): Latency => ({
  feedUs: 20_000, broadcast: { baseUs: 5_000, jitterUs: 20_000 }, submit: { baseUs: submitUs, jitterUs: 100_000 },
  confirm: { baseUs: 100_000, jitterUs: 1_500_000 },
})

const STRATEGIES = [fixedMargin, exposureLimited, shade] as unknown as MakerStrategy[]

export const makerEntry = (name: string, strategy: MakerStrategy): MakerEntry => ({
  name, strategy, values: parameterValues(strategy.parameters), capitalMicros: 50_000_000_000, latency: latency(20_000),
  faults: { ignore: 0.2, missConfirm: 0.03, disconnectEveryUs: 60_000_000, disconnectForUs: 5_000_000 },
})

export const makers = (count: number): MakerEntry[] =>
  Array.from({ length: count }, (_, i) => makerEntry(`maker ${i}`, STRATEGIES[i % STRATEGIES.length]!))

export const cohorts: readonly CohortEntry[] = [
  {
    name: 'noise', strategy: noise as unknown as CohortEntry['strategy'], values: parameterValues(noise.parameters), bettors: 50,
    bankrollMicros: 1_000_000_000, everyUs: 10_000_000, latency: latency(50_000),
  },
  {
    name: 'informed', strategy: informed as unknown as CohortEntry['strategy'], values: parameterValues(informed.parameters), bettors: 5,
    bankrollMicros: 1_000_000_000, everyUs: 10_000_000, latency: latency(50_000),
  },
]

/** The terms of a parlay session and those of its service side by side. */
export type FlatConfig = Omit<SessionConfig, 'parlay' | 'outcome'> & ParlayServiceConfig

/** What a parlay session is replaced in. */
export type Replaced = Partial<FlatConfig>

/** A session with the parlay service alone. */
export type ParlayConfig = SessionConfig & { readonly parlay: ParlayServiceConfig }

export const parlayConfig = ({ profile, gate, makers: seats, cohorts: bettors, ...terms }: FlatConfig): ParlayConfig =>
  ({ ...terms, parlay: { profile, ...(gate === undefined ? {} : { gate }), makers: seats, cohorts: bettors } })

/** A session of about `seconds` virtual seconds with four makers and two cohorts; fields can be replaced. */
export function sessionConfig(seconds: number, replaced: Replaced = {}): ParlayConfig {
  const { markets, ticks, endUs } = world(60, 60 + (seconds * 1_000_000) / TICK_GAP_US)
  const policy = { lagUs: 60_000_000, missing: 'exclude', scalar: 'void' } as const
  return parlayConfig({
    seed: 'a', startUs: WORLD_START_US, arrivalsUntilUs: endUs, profile: profileOf(PARLAY_SETTINGS), marketCount: markets.length,
    keys: internKeys(markets), ticks, operator: planOperator(markets, ticks, WORLD_START_US, endUs, policy, rootKey('a')).inputs,
    makers: makers(4), cohorts, sinks: [], ...replaced,
  })
}

const seller = (name: string, strategy: unknown, values: Record<string, number>): CohortEntry => ({
  ...cohorts[0]!, name, strategy: strategy as CohortEntry['strategy'], values: parameterValues((strategy as CohortEntry['strategy']).parameters, values),
})

/** The same with bettors that cash out and makers that bid. Some of the sold positions go back to their backer and some to others. */
export const auctionConfig = (seconds: number, replaced: Replaced = {}): ParlayConfig => sessionConfig(seconds, {
  makers: [
    ...makers(4).map((entry) => ({ ...entry, values: { ...entry.values, bid: 0.05 } })),
    { ...makerEntry('bidder', cashOutBidder as unknown as MakerStrategy), values: parameterValues(cashOutBidder.parameters, { margin: 0.041 }) },
  ],
  cohorts: [
    cohorts[1]!, seller('impatient', impatient, { holdMin: 1_000_000, holdMax: 40_000_000 }),
    seller('stop-loss', stopLoss, { every: 2_000_000, level: 0.9 }), seller('take-profit', takeProfit, { every: 2_000_000, level: 1.1 }),
  ],
  ...replaced,
})

export { NO_FAULTS }
