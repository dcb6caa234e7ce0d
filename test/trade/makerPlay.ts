import type { MakerStrategy } from '../../src/agent/maker.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'
import { buildSession } from '../../src/scenario/build.ts'
import type { PreparedScenario } from '../../src/scenario/run.ts'
import { LockstepLink } from '../../src/trade/lockstepLink.ts'
import { MakerTrader } from '../../src/trade/maker/makerTrader.ts'
import { OutcomeMaker } from '../../src/trade/outcome/maker.ts'
import { microsOfUsdc, ParlayMakerWords } from '../../src/trade/parlay/makerWords.ts'
import { SMALL } from '../scenario/small.ts'
import { outcomeHandlers } from '../serve/lockstep/outcomeWirePlay.ts'
import { type Doors, playedOutside, preparedOf, tokenOf } from '../serve/lockstep/served.ts'
import { wireHandlers } from '../serve/lockstep/wirePlay.ts'
import type { PlayedService } from './bettorPlay.ts'

/** What a maker inside repeats by itself has ways of its own: here it repeats nothing. */
const SERVICES = { parlay: 'parlay: { profile: parlay@2.1, gate: {} }', outcome: 'outcome: { profile: outcome@1, signatures: eip712, gate: { retries: { most: 0 } } }' } as const

/** How late prices reach the maker, µs. */
export const FEED_US = 30_000

/** A session of a few bets whose bettors soon sell, with the maker in question, outside or inside, and a rival that outbids nobody. `crowd` others quote what nobody takes. */
export const makerSession = (service: PlayedService, { bets = 8, isInside = false, crowd = 0 } = {}): Promise<PreparedScenario> => preparedOf(SMALL.replace('parlay: { profile: parlay@2.1 }', SERVICES[service])
  .replace('max: 200', `max: ${bets}`)
  .replace(/bettors:\n[^]*$/, `bettors:
  - { kind: impatient, n: 60, every: 10m, params: { legsMax: 3, tries: 1, holdMin: 5s, holdMax: 60s, decideMax: 3s } }
makers:
  - { ${isInside ? 'use: silent' : 'external: true'}, name: maker, capital: 100000 USDC, latency: { feed: ${FEED_US / 1000}ms, broadcast: 5ms, quote: 20ms, confirm: 20ms } }
  - { use: fixed-margin, name: rival, capital: 50000 USDC, params: { bid: 5% } }
${crowd === 0 ? '' : `  - { use: fixed-margin, name: crowd, count: ${crowd}, capital: 50000 USDC, params: { margin: 50%, bid: 1% } }\n`}`))

/** Plays a maker's strategy as a client of a service, in lockstep, to the end of the session. Returns the digest. Throws what the client throws. */
export async function playMaker(strategy: MakerStrategy, service: PlayedService, prepared: PreparedScenario): Promise<string> {
  const stop = new AbortController()
  let over: Promise<unknown> | null = null
  const { digest } = await playedOutside(prepared, ({ url, controlUrl, served, credentials }: Doors) => {
    const held = credentials['maker']!
    const key = held['api_key']!
    const isParlay = service === 'parlay'
    const words = isParlay ? new ParlayMakerWords(key)
      : new OutcomeMaker({ makerId: held['maker_id']!, privateKey: held['wallet_private_key']!, chainId: Number(held['chain_id']), vault: held['vault']! })
    const link = new LockstepLink({
      url, controlUrl, token: tokenOf(served.seats.find(({ name }) => name === 'maker')!.account), channels: words.channels,
      headers: isParlay ? { 'x-api-key': key } : { authorization: `Bearer ${key}` },
    })
    const terms = { link, words, name: 'maker', seed: prepared.resolved.seed, strategy, values: parameterValues(strategy.parameters), microsOf: isParlay ? microsOfUsdc : Number }
    over = MakerTrader.create(terms).then((trader) => trader.play(new AbortController().signal))
    // A session whose only client fails is to end.
    return Promise.resolve([{ over: over.catch(() => { stop.abort() }) }])
  }, { handlers: service === 'parlay' ? wireHandlers(prepared) : outcomeHandlers(prepared), signal: stop.signal })
  await over
  return digest
}

/** Plays the same inside. Returns the digest. */
export function playInside(strategy: MakerStrategy, service: PlayedService, prepared: PreparedScenario): string {
  const { config } = buildSession(prepared.resolved, prepared.strategies, prepared.store)
  const played = config[service]!
  const makers = played.makers.map((entry) => (entry.name === 'maker' ? { ...entry, strategy, values: parameterValues(strategy.parameters) } : entry))
  const digest = new Digest()
  new Session({ ...config, [service]: { ...played, makers }, sinks: [digest] }).runToEnd()
  return digest.hex()
}
