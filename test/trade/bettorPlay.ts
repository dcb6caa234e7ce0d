import type { BettorStrategy } from '../../src/agent/bettor.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import type { ExternalRow } from '../../src/record/externalTable.ts'
import type { Sink } from '../../src/record/sink.ts'
import { parlayHandler } from '../../src/serve/parlay/handler.ts'
import { BettorClient, type BettorSummary } from '../../src/trade/bettor/bettorClient.ts'
import type { BettorWords } from '../../src/trade/bettor/bettorWords.ts'
import { LockstepLink } from '../../src/trade/lockstepLink.ts'
import { OutcomeBettor } from '../../src/trade/outcome/bettor.ts'
import { ParlayBettor } from '../../src/trade/parlay/bettor.ts'
import { outcomeHandlers } from '../serve/lockstep/outcomeWirePlay.ts'
import { type Doors, playedOutside, preparedOf, tokenOf } from '../serve/lockstep/served.ts'
import { SMALL } from '../scenario/small.ts'

export type PlayedService = 'parlay' | 'outcome'

export interface BettorPlay {
  readonly digest: string
  readonly rows: readonly ExternalRow[]
  readonly summary: BettorSummary
}

const SERVICES = { parlay: 'parlay: { profile: parlay@2.1, gate: {} }', outcome: 'outcome: { profile: outcome@1, signatures: eip712, gate: {} }' } as const

/** A session of three minutes in which clients alone bet, and makers quote and bid. */
const sessionOf = (service: PlayedService, latency: string): string => SMALL.replace('parlay: { profile: parlay@2.1 }', SERVICES[service])
  .replace('until: 10m, max: 200', 'until: 2m').replace('T23:30:00Z', 'T22:33:00Z')
  .replace(/bettors:\n[^]*$/, `bettors:
  - { external: true, name: ours, bankroll: 100000 USDC, latency: ${latency} }
makers:
  - { use: fixed-margin, name: quoter, capital: 1000000 USDC }
  - { use: cashout-bidder, name: bidder, capital: 1000000 USDC }
`)

const headersOf = (service: PlayedService, { api_key: key }: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  (service === 'parlay' ? { 'x-api-key': key! } : { authorization: `Bearer ${key!}` })

const wordsOf = (service: PlayedService, held: Readonly<Record<string, string>>): BettorWords => (service === 'parlay' ? new ParlayBettor() : new OutcomeBettor({
  accountId: held['account_id']!, chainId: Number(held['chain_id']), vault: held['vault']!, privateKey: held['wallet_private_key']!,
}))

/** Plays a bettor strategy as a client of a service, in lockstep, to the end of the session. */
export async function playBettor(
  strategy: BettorStrategy, { service = 'parlay', values = {}, ratePerHour = 360, betsMax = 8, latency = '{ feed: 0ms, submit: 0ms, broadcast: 0ms }', sinks = [] }: {
    service?: PlayedService; values?: Readonly<Record<string, number>>; ratePerHour?: number; betsMax?: number; latency?: string
    sinks?: readonly Sink[]
  } = {},
): Promise<BettorPlay> {
  const prepared = await preparedOf(sessionOf(service, latency))
  const handlers = service === 'outcome' ? outcomeHandlers(prepared)
    : { parlay: parlayHandler({ sessionKey: 'a key of tests', allowsLocalWebhooks: true, ticks: prepared.store.ticks, postWebhook: () => {} }) }
  let client: BettorClient | null = null
  const { digest, rows } = await playedOutside(prepared, ({ url, controlUrl, served, credentials }: Doors) => {
    const held = credentials['ours']!
    const words = wordsOf(service, held)
    const token = tokenOf(served.seats.find(({ name }) => name === 'ours')!.account)
    const link = new LockstepLink({ url, controlUrl, token, headers: headersOf(service, held), channels: words.channels })
    client = new BettorClient({ name: 'ours', seed: 'a seed', strategy, values: parameterValues(strategy.parameters, values), ratePerHour, betsMax }, words)
    return Promise.resolve([{ over: client.play(link, new AbortController().signal) }])
  }, { handlers, sinks })
  return { digest, rows, summary: client!.summary }
}
