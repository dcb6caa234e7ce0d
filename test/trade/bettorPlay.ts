import type { BettorStrategy } from '../../src/agent/bettor.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import type { ExternalRow } from '../../src/record/externalTable.ts'
import type { Sink } from '../../src/record/sink.ts'
import { parlayHandler } from '../../src/serve/parlay/handler.ts'
import { BettorClient, type BettorSummary } from '../../src/trade/bettor/bettorClient.ts'
import type { BettorWords } from '../../src/trade/bettor/bettorWords.ts'
import type { Link, Turn } from '../../src/trade/link.ts'
import { LockstepLink } from '../../src/trade/lockstepLink.ts'
import { OutcomeBettor } from '../../src/trade/outcome/bettor.ts'
import { ParlayBettor } from '../../src/trade/parlay/bettor.ts'
import { outcomeHandlers } from '../serve/lockstep/outcomeWirePlay.ts'
import { type Doors, playedOutside, preparedOf, tokenOf } from '../serve/lockstep/served.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { SMALL } from '../scenario/small.ts'

export type PlayedService = 'parlay' | 'outcome'

export interface BettorPlay {
  readonly digest: string
  readonly rows: readonly ExternalRow[]
  readonly summary: BettorSummary
  /** What the session said of its clients. */
  readonly said: readonly string[]
}

const SERVICES = { parlay: 'parlay: { profile: parlay@2.1, gate: {} }', outcome: 'outcome: { profile: outcome@1, signatures: eip712, gate: {} }' } as const

/** A session of three minutes in which clients alone bet, and makers quote and bid. */
const sessionOf = (service: PlayedService, latency: string, others: string): string => SMALL.replace('parlay: { profile: parlay@2.1 }', SERVICES[service])
  .replace('until: 10m, max: 200', 'until: 2m').replace('T23:30:00Z', 'T22:33:00Z')
  .replace(/bettors:\n[^]*$/, `bettors:
  - { external: true, name: ours, bankroll: 100000 USDC, latency: ${latency} }
${others}makers:
  - { use: fixed-margin, name: quoter, capital: 1000000 USDC }
  - { use: cashout-bidder, name: bidder, capital: 1000000 USDC }
`)

const headersOf = (service: PlayedService, { api_key: key }: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  (service === 'parlay' ? { 'x-api-key': key! } : { authorization: `Bearer ${key!}` })

const wordsOf = (service: PlayedService, held: Readonly<Record<string, string>>): BettorWords => (service === 'parlay' ? new ParlayBettor() : new OutcomeBettor({
  accountId: held['account_id']!, chainId: Number(held['chain_id']), vault: held['vault']!, privateKey: held['wallet_private_key']!,
}))

/** Another client of the session, which has five turns a second and does nothing in them but wait for a client that comes back: alone a session would be over by then. */
const IDLE = '  - { external: true, name: idle, bankroll: 1000 USDC }\n'

/** Four minutes. */
const IDLE_TURNS = 1200

export interface BettorTerms {
  readonly service?: PlayedService
  readonly values?: Readonly<Record<string, number>>
  readonly ratePerHour?: number
  readonly betsMax?: number
  readonly latency?: string
  readonly sinks?: readonly Sink[]
  /** Whether the session drops the client in a turn, counted from 1. */
  readonly isDropped?: (n: number, turn: Turn) => boolean
  /** It comes when another client has had so many turns, five a second. */
  readonly afterTurns?: number
}

/** Plays a bettor strategy as a client of a service, in lockstep, to the end of the session. */
export async function playBettor(
  strategy: BettorStrategy,
  {
    service = 'parlay', values = {}, ratePerHour = 360, betsMax = 8, latency = '{ feed: 0ms, submit: 0ms, broadcast: 0ms }', sinks = [], isDropped, afterTurns,
  }: BettorTerms = {},
): Promise<BettorPlay> {
  const prepared = await preparedOf(sessionOf(service, latency, afterTurns === undefined && isDropped === undefined ? '' : IDLE))
  const handlers = service === 'outcome' ? outcomeHandlers(prepared)
    : { parlay: parlayHandler({ sessionKey: 'a key of tests', allowsLocalWebhooks: true, ticks: prepared.store.ticks, postWebhook: () => {} }) }
  let patiences = 0
  // Whose client is not there when time begins is not waited for.
  const patience = { end: () => {}, begun: () => { if (++patiences === 1 && afterTurns !== undefined) setImmediate(() => { patience.end() }) } }
  let isAway = afterTurns !== undefined
  const client = { summary: (): BettorSummary => { throw new Error('nobody came') } }
  const { digest, rows, said } = await playedOutside(prepared, ({ url, controlUrl, served, credentials }: Doors) => {
    const linkOf = (seat: string, channels: BettorWords['channels']): Link => new LockstepLink({
      url, controlUrl, token: tokenOf(served.seats.find(({ name }) => name === seat)!.account), headers: headersOf(service, credentials[seat]!), channels,
    })
    const come = (): Promise<void> => {
      const words = wordsOf(service, credentials['ours']!)
      const link = linkOf('ours', words.channels)
      const bettor = new BettorClient({ name: 'ours', seed: 'a seed', strategy, values: parameterValues(strategy.parameters, values), ratePerHour, betsMax }, words)
      client.summary = () => bettor.summary
      let turns = 0
      return bettor.play({
        read: (path) => link.read(path),
        play: (act, signal) => link.play(async (turn) => {
          isAway &&= turn.why !== 'joined'
          if (isDropped?.(++turns, turn) === true) {
            isAway = true
            patience.end()
            await new Promise((resolve) => { setTimeout(resolve, 5) })
          }
          return act(turn)
        }, signal),
      }, new AbortController().signal)
    }
    const clients = afterTurns === undefined ? [{ over: come() }] : []
    if (afterTurns === undefined && isDropped === undefined) return Promise.resolve(clients)
    let turns = 0
    const idle = linkOf('idle', []).play(async ({ atUs }) => {
      if (++turns === afterTurns) come().catch(() => {})
      await new Promise((resolve) => { setTimeout(resolve, isAway ? 3 : 0) })
      return turns < IDLE_TURNS ? [{ wakeUs: atUs + SECOND_US / 5, tag: null }] : []
    }, new AbortController().signal)
    return Promise.resolve([...clients, { over: idle }])
  }, { handlers, sinks, patience })
  return { digest, rows, said, summary: client.summary() }
}
