import type { MakerStrategy } from '../../../src/agent/maker.ts'
import fixedMargin from '../../../src/agent/makers/fixedMargin.ts'
import lastLook from '../../../src/agent/makers/lastLook.ts'
import shade from '../../../src/agent/makers/shade.ts'
import { parameterValues } from '../../../src/agent/parameters.ts'
import type { PreparedScenario } from '../../../src/scenario/run.ts'
import { parlayHandler } from '../../../src/serve/parlay/handler.ts'
import { OutsideMaker } from '../../engine/outsideMaker.ts'
import { LockstepClient } from './lockstepClient.ts'
import { type Doors, type PlayedMaker, tokenOf } from './served.ts'
import { WireMaker } from './wireMaker.ts'
import { wholeTicks } from '../../market/wholeTicks.ts'

export { WireMaker } from './wireMaker.ts'

const STRATEGIES: Readonly<Record<string, MakerStrategy>> = { 'fixed-margin': fixedMargin, shade, 'last-look': lastLook } as never

/** Latencies of a maker's ways. */
export const WAYS = {
  drawn: '{ broadcast: { base: 5ms, jitter: 20ms }, quote: { base: 20ms, jitter: 100ms }, confirm: { base: 50ms, jitter: 1s } }',
  no: '{ feed: 0ms, broadcast: 0ms, quote: 0ms, confirm: 0ms }',
  equal: '{ feed: 0ms, broadcast: 5ms, quote: 5ms, confirm: 5ms }',
} as const

/** Nothing that the wire does not tell, such as what the maker has at risk, may bind. The last one decides late, declines, and lets windows lapse. */
export const WIRE_MAKERS = (latency: string): PlayedMaker[] => [
  { name: 'a', use: 'last-look', latency, parameters: ', params: { atDeadline: 1, reserve: 300ms, margin: 1%, tolerance: 0.02%, cap: 1000000 USDC }' },
  { name: 'b', use: 'shade', latency, parameters: ', params: { cap: 1000000 USDC }' },
  { name: 'c', use: 'fixed-margin', latency, parameters: ', params: { cap: 1000000 USDC }' },
]
export const VALUES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'last-look': { atDeadline: 1, reserve: 300_000, margin: 0.01, tolerance: 0.0002, cap: 1e12 }, 'fixed-margin': { cap: 1e12 }, shade: { cap: 1e12 },
}

/** The service's own handler, with a key of tests. */
export const wireHandlers = (prepared: PreparedScenario) => ({
  parlay: parlayHandler({ sessionKey: 'a key of tests', allowsLocalWebhooks: true, ticks: prepared.store.ticks, postWebhook: () => {} }),
})

/** Clients that play the makers' strategies over the service's wire. `played` gets them. */
export const wireClients = (prepared: PreparedScenario, makers: readonly PlayedMaker[], played: WireMaker[] = []) => async ({ url, controlUrl, served, results, credentials }: Doors) => {
  const { built: { config } } = served
  const marketOf = new Map(prepared.store.catalogue.markets.map(({ ticker }, number) => [ticker, number]))
  return Promise.all(makers.map(({ name, use }) => {
    const { capitalMicros, latency: { feedUs } } = prepared.resolved.makers.find((maker) => maker.name === name)!
    const strategy = STRATEGIES[use]!
    const brain = new OutsideMaker({ name, seed: config.seed, strategy, values: parameterValues(strategy.parameters, VALUES[use]!), capitalMicros, feedUs, ticks: wholeTicks(config.ticks), marketCount: config.marketCount, results })
    const maker = new WireMaker(brain, marketOf)
    played.push(maker)
    return LockstepClient.connect({
      url, controlUrl, token: tokenOf(served.seats.find((seat) => seat.name === name)!.account), headers: { 'x-api-key': credentials[name]!['api_key']! },
      streams: ['/v1/mm/stream'], sockets: ['/v1/ws'], act: maker.act,
    })
  }))
}
