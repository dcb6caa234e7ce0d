import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { maker, type MakerStrategy } from '../../src/agent/maker.ts'
import { writeStore } from '../../src/feed/store/writeStore.ts'
import type { Pace } from '../../src/serve/session/serveThread.ts'
import type { Market } from '../../src/market/market.ts'
import { numberMarkets } from '../market/numberMarkets.ts'
import { newFolder } from '../scenario/small.ts'
import { servedTrade, type ServedTrade } from './servedTrade.ts'

const SECOND_US = 1_000_000
const FROM = '2025-06-19T12:00:00Z'
const at = (seconds: number): number => Date.parse(FROM) * 1000 + seconds * SECOND_US

const store = join(newFolder(), 'store')
beforeAll(async () => {
  const marketOf = (ticker: string, outcome: 'yes' | 'no'): Omit<Market, 'number'> => ({
    ticker, venue: 'venue_a', event: ticker, series: 'S', category: 'sports', title: ticker, game: '', ladder: '', exclusionKeys: [`event:${ticker}`], openUs: at(-10),
    scheduledCloseUs: null, scheduledCloseKnownUs: null, actualCloseUs: at(140), outcome, settlementE6: null, settledUs: at(150),
  })
  await writeStore(store, {
    markets: numberMarkets([marketOf('A', 'yes'), marketOf('B', 'no')]),
    ticks: {
      count: 2, atUs: Float64Array.of(at(1), at(1)), market: Int32Array.of(0, 1), bidE6: Int32Array.of(490_000, 490_000), askE6: Int32Array.of(510_000, 510_000), bidSize: Int32Array.of(1000, 1000),
      askSize: Int32Array.of(1000, 1000), lastE6: Int32Array.of(500_000, 500_000),
    },
    report: { format: 'hand', files: [], inputRows: 0, acceptedRows: 0, quarantinedRows: 0, troubles: [], markets: 2, ticks: 2, coverage: {} },
  })
})

/**
 * Clients have turns until four minutes after the operator's last input, which comes at 155 s at the latest, and the wall's clock is waited for until two
 * minutes after it. Positions are paid later: ten minutes after their result at 150 s, and at the next quarter of an hour.
 */
const SERVICES = {
  parlay: 'parlay: { profile: parlay@2.1, gate: {}, set: { settlementRetry: 600s }, faults: [{ fault: chainUnclear, from: 145s, for: 10s }] }',
  outcome: 'outcome: { profile: outcome@1, signatures: eip712, gate: {}, set: { settlementEvery: 900s } }',
} as const

/** A turn behind the operator's last input, which is shorter than anybody's patience and longer than any grace of a client. */
const LATE_US = 160 * SECOND_US
const SLOW_MS = 1000

const BETS = 20
/** Bets of 10 USDC on what comes out otherwise, each decided while markets trade. */
const REQUESTS = Array.from({ length: BETS }, (_, i) => `{ at: ${20 + 5 * i}s, bet: 10 USDC, legs: [A yes, B yes], decide: 18s }`).join(', ')

const scenarioOf = (service: keyof typeof SERVICES): string => `version: 1
mode: interactive
services: { ${SERVICES[service]} }
history: { store: ${store}, from: ${FROM}, to: 2025-06-19T12:10:00Z }
bettors: [{ kind: scripted, requests: [${REQUESTS}] }]
makers: [{ external: true, name: ours, capital: 50000 USDC, latency: { feed: 0ms, broadcast: 0ms, quote: 0ms, confirm: 0ms } }]
`

const PAID_US = { parlay: at(750), outcome: at(900) } as const
const CAPITAL_MICROS = 50_000_000_000
/** A bet less its fee of 1 % or of 0.2 %, which is also what a maker risks that quotes a half. */
const NET_STAKE_MICROS = { parlay: 9_900_000, outcome: 9_980_000 } as const

/** Quotes everything at a half, and keeps what it hears of its positions. */
function quoting(opened: () => void = () => {}): { readonly strategy: MakerStrategy; readonly profits: number[]; readonly endedAtUs: number[] } {
  const profits: number[] = []
  const endedAtUs: number[] = []
  const strategy = maker({}, () => ({
    onRequest(request, desk) { desk.quote(request, { probability: 0.5, validUs: 30 * SECOND_US }) },
    onOpened: opened,
    onSettled(position, desk) {
      profits.push(position.profitMicros)
      endedAtUs.push(desk.nowUs)
    },
  }))
  return { strategy: strategy as unknown as MakerStrategy, profits, endedAtUs }
}

/** Markets trade for seven seconds of the wall at the first speed: a client on a machine that is busy is late for all bets, and has longer at the next one. */
const PACES = {
  wall: [{ clock: 'wall', speed: 20 }, { clock: 'wall', speed: 5 }], lockstep: [{ clock: 'lockstep', patienceMs: 3_600_000 }],
} as const

/** Plays until a bet was filled, at the next slower pace each time. */
async function filledTrade<Played extends { readonly trade: ServedTrade }>(clock: keyof typeof PACES, play: (pace: Pace) => Promise<Played>): Promise<Played> {
  const [first, ...others] = PACES[clock]
  let played = await play(first)
  for (const pace of others) if (played.trade.run.makers[0]!.hits.fills === 0) played = await play(pace)
  return played
}
const CASES = (['parlay', 'outcome'] as const).flatMap((service) => (['wall', 'lockstep'] as const).map((clock) => ({ service, clock })))

describe.each(CASES)('a maker’s client of the $service service ($clock)', ({ service, clock }) => {
  const netStakeMicros = NET_STAKE_MICROS[service]

  it('says at the end what the run says, also of positions that are paid when it has no turn any more', async () => {
    const { trade: { summaries: [summary], said, run: { makers: [ours] }, faults }, profits, endedAtUs } = await filledTrade(clock, async (pace) => {
      const { strategy, ...heard } = quoting()
      return { trade: await servedTrade(scenarioOf(service), pace, [{ name: 'ours', strategy }]), ...heard }
    })
    const { hits: { fills }, profitMicros } = ours!
    // By the wall's clock some bets may be over before the client is there.
    expect(fills).toBeGreaterThan(clock === 'wall' ? 0 : BETS - 1)
    expect(profitMicros).toBe(fills * netStakeMicros)
    expect(profits).toEqual(Array.from({ length: fills }, () => netStakeMicros))
    expect(new Set(endedAtUs)).toEqual(new Set([PAID_US[service]]))
    expect(summary!.figures).toMatchObject({
      opened: fills, ended: fills, profitMicros, capitalMicros: CAPITAL_MICROS + profitMicros, freeMicros: CAPITAL_MICROS + profitMicros, openRiskMicros: 0,
    })
    expect([said, faults]).toEqual([[], []])
  })

  it.runIf(clock === 'lockstep')('says nothing of a stream that closes because every market is over, however long the turns take that come behind', async () => {
    let late = 0
    const strategy = maker({}, () => ({
      onStart(desk) { desk.after(LATE_US) },
      onTimer() {
        late++
        const untilMs = performance.now() + SLOW_MS
        while (performance.now() < untilMs) continue
      },
    }))
    const { said, faults } = await servedTrade(scenarioOf(service), PACES[clock][0], [{ name: 'ours', strategy: strategy as unknown as MakerStrategy }])
    expect([late, said, faults]).toEqual([1, [], []])
  })

  it('says of a session that is stopped what had come about by then, and what is at risk', async () => {
    let opened = 0
    const { trade: { summaries: [summary], said, run: { makers: [ours] }, faults }, profits } = await filledTrade(clock, async (pace) => {
      const stop = new AbortController()
      const { strategy, ...heard } = quoting(() => { if (++opened === 1) stop.abort() })
      return { trade: await servedTrade(scenarioOf(service), pace, [{ name: 'ours', strategy }], stop.signal), ...heard }
    })
    const { hits: { fills } } = ours!
    expect(fills).toBeGreaterThan(0)
    const openRiskMicros = fills * netStakeMicros
    expect(summary!.figures).toMatchObject({ opened: fills, ended: 0, profitMicros: 0, capitalMicros: CAPITAL_MICROS, freeMicros: CAPITAL_MICROS - openRiskMicros, openRiskMicros })
    expect(said).toEqual([`${(openRiskMicros / 1e6).toFixed(2)} USDC are at risk in positions that had not ended when this client did: the profit is without them`])
    expect([opened, profits, faults]).toEqual([fills, [], []])
  })
})
