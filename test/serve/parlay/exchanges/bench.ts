import { expect } from 'vitest'
import { type MakerHandlers, type MakerStrategy, maker } from '../../../../src/agent/maker.ts'
import { bettor } from '../../../../src/agent/bettor.ts'
import type { CohortEntry, EndpointEntry, OperatorInput } from '../../../../src/engine/config.ts'
import { Session } from '../../../../src/engine/session.ts'
import type { Channel, HeaderPairs, IdentityToken } from '../../../../src/serve/exchange.ts'
import { parlayHandler } from '../../../../src/serve/parlay/handler.ts'
import type { WebhookAttempt } from '../../../../src/serve/parlay/webhookSends.ts'
import type { ResolvedScenario } from '../../../../src/scenario/resolved.ts'
import type { ExternalSeat, HandlerSite, SeatMessage, ServiceHandler } from '../../../../src/serve/serviceHandler.ts'
import type { Market } from '../../../../src/market/market.ts'
import type { Sink } from '../../../../src/record/sink.ts'
import type { EventRows } from '../../../../src/venue/eventRows.ts'
import type { ParlayGateProfile } from '../../../../src/venue/parlay/protocol/gate.ts'
import { PARLAY_SETTINGS, type ParlayProfile } from '../../../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../../../src/venue/profile.ts'
import { RouteMatcher } from '../../../../src/serve/routeMatcher.ts'
import { SOCKET_FRAMES, STREAM_DATA } from '../../../../src/serve/parlay/schemas/frames.ts'
import { errorResponse } from '../../../../src/serve/parlay/schemas/responses.ts'
import { ERROR_STATUS, type ErrorCode } from '../../../../src/venue/parlay/wire/errors.ts'
import { gateProfile } from '../../../engine/gateWorld.ts'
import { BenchTime } from '../../benchTime.ts'
import { type Heard, heardOf, TestChannel } from '../../testChannel.ts'
import { routes } from '../profile.ts'
import { makerEntry, NO_FAULTS, sessionConfig, world, WORLD_START_US } from '../../../engine/world.ts'

export const SECOND = 1_000_000
const KINDS = ['onRequest', 'onBest', 'onSelected', 'onAck', 'onOpened', 'onSettled', 'onCashOut'] as const
const AT_ONCE = { feedUs: 0, broadcast: { baseUs: 0, jitterUs: 0 }, submit: { baseUs: 0, jitterUs: 0 }, confirm: { baseUs: 0, jitterUs: 0 } }
const IDLE = bettor({}, () => ({ onArrival: () => {}, onDecision: () => {} })) as unknown as CohortEntry['strategy']

/** Two legs that go together. */
export const LEGS = [{ market_ticker: 'M0', side: 'yes' }, { market_ticker: 'M8', side: 'no' }]
/** An id of nothing, in the form of all ids. */
export const NO_ID = '0b8e1c1e-7c1a-8a3b-9d2e-5f60718293a4'

/** A quote request as its maker reads it. */
export interface Made {
  readonly id: string
  readonly version: number
  readonly request_hash: string
}

/** Who calls: a participant by name, or nobody. */
export type Who = 'bettor' | 'rich' | 'ours' | 'rival' | 'nobody'
export interface Asked {
  readonly as?: Who
  /** Sent in place of the participant's key. */
  readonly key?: string
  readonly jwt?: string
  readonly headers?: HeaderPairs
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown
  readonly remote?: string
}

export interface Served {
  readonly profile?: Partial<ParlayProfile>
  readonly gate?: Partial<ParlayGateProfile>
  readonly operator?: (inputs: readonly OperatorInput[]) => readonly OperatorInput[]
  readonly endpoints?: readonly EndpointEntry[]
  readonly allowsLocalWebhooks?: boolean
  readonly seconds?: number
  readonly shiftUs?: number
  /** What the list of markets is made of. */
  readonly listed?: (markets: readonly Market[]) => readonly Market[]
}

const matcher = new RouteMatcher(routes)

/** What every answer of the service must be, whatever it says: the headers of a limit, an error in its envelope, a body as its route describes it. */
function checked(method: string, path: string, heard: Heard): Heard {
  const { status, headers, text, body } = heard
  for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']) expect(headers[name]).toMatch(/^\d+$/)
  expect(Object.keys(headers).includes('Retry-After')).toBe(status === 429)
  expect(headers['Content-Type']).toBe(status === 204 ? undefined : 'application/json')
  expect(text).not.toContain('implied_probability')
  if (status >= 400) {
    const { error } = errorResponse.parse(body)
    expect(ERROR_STATUS[error.code as ErrorCode]).toBe(status)
    return heard
  }
  const success = matcher.find(method, path)!.route.successes.find((one) => one.status === status)
  if (success === undefined) throw new Error(`${method} ${path} answers ${status}`)
  if (success.schema === null) expect(text).toBe('')
  else success.schema.parse(body)
  return heard
}

/** A channel on which everything that is said must be as the service describes it. */
class DescribedChannel extends TestChannel {
  override send(text: string): void {
    super.send(text)
    if (this.kind === 'events') {
      const { event, data } = this.events.at(-1)!
      STREAM_DATA[event as keyof typeof STREAM_DATA].parse(data)
    } else {
      const frame = this.frames.at(-1)
      SOCKET_FRAMES[frame.type as keyof typeof SOCKET_FRAMES].parse(frame)
    }
  }
}

/**
 * A session in memory with two makers and two bettors whose clients are the test's, and the handler that answers them. Every exchange comes a
 * millisecond after the one before it, and nothing has a way.
 */
export class ParlayBench extends BenchTime implements Sink {
  readonly session: Session
  readonly handler: ServiceHandler
  readonly catalogue = world(60, 60).markets
  rowCount = 0
  /** Kinds of the rows so far, replies and operator's rows too. */
  readonly kinds: number[] = []
  /** Webhooks that were posted, and how to answer each. */
  readonly posted: { readonly attempt: WebhookAttempt; readonly answer: (status: number) => void }[] = []
  /** Answers that are on their way down, null while nothing has a way. */
  onTheirWay: (() => void)[] | null = null
  private readonly accounts = new Map<string, number>()
  private taken = 0

  constructor({ profile = {}, gate = {}, operator = (inputs) => inputs, endpoints = [], allowsLocalWebhooks = false, seconds = 600, shiftUs = 0, listed = (markets) => markets }: Served = {}) {
    super(WORLD_START_US)
    const names = ['ours', 'rival']
    const makers = names.map((name) => ({
      ...makerEntry(name, this.forwarding(name)), values: {}, faults: NO_FAULTS, latency: AT_ONCE, capitalMicros: 1_000_000_000,
    }))
    const cohorts = ['bettor', 'rich'].map((name): CohortEntry => ({
      name, strategy: IDLE, values: {}, bettors: 1, bankrollMicros: name === 'rich' ? 10_000_000_000 : 100_000_000, everyUs: 0, arrivalsUs: [], latency: AT_ONCE,
    }))
    const own = profileOf(PARLAY_SETTINGS, profile)
    const base = sessionConfig(seconds, {
      makers, cohorts, profile: own, gate: { profile: gateProfile(gate), keys: { lifeUs: 0, renewAfterUs: 0 }, endpoints }, sinks: [this],
    })
    const config = { ...base, operator: operator(base.operator) }
    this.session = new Session(config)
    ;['bettor', 'rich', ...names].forEach((name, account) => this.accounts.set(name, account))
    const seats: ExternalSeat[] = [...this.accounts].map(([name, account]) => ({ service: 'parlay', role: names.includes(name) ? 'maker' : 'bettor', name, account }))
    const clock = (): number => this.nowUs
    const site: HandlerSite = {
      resolved: { services: { parlay: { settings: own, gate: { profile: gateProfile(gate) } } }, history: { fromUs: WORLD_START_US } } as unknown as ResolvedScenario,
      catalogue: { markets: listed(this.catalogue) }, seats, session: this.session, shiftUs,
      get nowUs() { return clock() },
      send: (account, call, listener) => this.session.bringCall('parlay', account, call, {
        taken: () => listener.taken?.(),
        answered: (rows, row) => {
          this.takeTo(rows, rows.indexOf(row) + 1)
          listener.answered(rows, row)
        },
        told: () => (this.onTheirWay === null ? listener.told() : void this.onTheirWay.push(() => listener.told())),
      }),
      later: (atUs, run) => { this.later(atUs, run) },
    }
    this.handler = parlayHandler({
      ticks: config.ticks, sessionKey: 'bench', allowsLocalWebhooks,
      postWebhook: (attempt, answered) => void this.posted.push({
        attempt,
        answer: (status) => {
          this.pass(1000)
          answered(status)
        },
      }),
    })(site)
    this.pass(SECOND)
  }

  account(name: Who): number {
    return this.accounts.get(name)!
  }

  keyOf(name: Who): string {
    return this.handler.credentialsOf({ service: 'parlay', role: 'maker', name, account: this.account(name) })['api_key']!
  }

  idOf(name: Who): string {
    return this.handler.credentialsOf({ service: 'parlay', role: 'maker', name, account: this.account(name) })['user_id']!
  }

  /** Sends an exchange and returns its answer, which must come at once. */
  call(method: string, target: string, asked: Asked = {}): Heard {
    const heard = this.send(method, target, asked)
    if (heard.answer === null) throw new Error(`${method} ${target} waits`)
    return heard.answer
  }

  /** Sends an exchange whose answer may come later. */
  send(method: string, target: string, asked: Asked = {}): { answer: Heard | null } {
    this.pass(1000)
    return this.sendNow(method, target, asked)
  }

  /** Sends an exchange without any time before it, in which something else could fall due. */
  sendNow(method: string, target: string, asked: Asked = {}): { answer: Heard | null } {
    const heard: { answer: Heard | null; count: number } = { answer: null, count: 0 }
    this.handler.call(this.exchange(method, target, asked), (answer) => {
      if (++heard.count > 1) throw new Error('answered twice')
      heard.answer = checked(method, target.split('?')[0]!, heardOf(answer))
    })
    return heard
  }

  /** Creates a quote request and returns it. */
  request(as: Who = 'bettor', legs: readonly unknown[] = LEGS, bet = 25): Made {
    return this.call('POST', '/v1/quote-requests', { as, body: { legs, bet_amount: bet } }).body.data.quote_request
  }

  /** Submits a quote of a maker. */
  quote(as: Who, { id, version, request_hash }: Made, odds = 4, more: object = {}): Heard {
    return this.call('PUT', `/v1/mm/quote-requests/${id}/quote`, {
      as, body: { request_version: version, request_hash, payout_odds: odds, expires_in_ms: 60_000, ...more },
    })
  }

  /** Commits a request. The answer may come later. */
  commit(as: Who, { id, version }: Made, more: object = {}): { answer: Heard | null } {
    return this.send('POST', `/v1/quote-requests/${id}/commit`, {
      as, body: { expected_version: version, displayed_quote_id: 'shown', displayed_quote_book_seq: 1, min_payout_odds_seen: 1.0001, ...more },
    })
  }

  /** A bettor's parlay of 25 USDC at 4.0 that a maker has confirmed: its `rfq_id` and what else the commit was answered with. */
  fill(as: Who = 'bettor', maker: Who = 'ours', legs: readonly unknown[] = LEGS) {
    const made = this.request(as, legs)
    const { id: quote_id } = this.quote(maker, made).body.data
    const commit = this.commit(as, made)
    this.call('POST', `/v1/mm/quote-requests/${made.id}/quote/confirm`, { as: maker, body: { quote_id } })
    return commit.answer!.body.data as { rfq_id: string; quote_request_id: string; quote_id: string }
  }

  /** Opens a channel. */
  /**
   * What the transport makes of a bearer: `good-NAME` is a token of somebody who has an account, `timed-US` one that is good at one instant
   * of the wire.
   */
  private tokenOf(headers: HeaderPairs): { readonly token?: IdentityToken } {
    const jwt = /^bearer +(.+)$/i.exec(headers.find(([name]) => name === 'authorization')?.[1] ?? '')?.[1] ?? ''
    const timed = /^timed-(\d+)$/.exec(jwt)?.[1]
    if (timed !== undefined) return { token: { subject: this.idOf([...this.accounts.keys()][0]! as Who), notBeforeUs: Number(timed), expiresAtUs: Number(timed) + 1 } }
    const name = /^good-(\w+)$/.exec(jwt)?.[1]
    return name === undefined || !this.accounts.has(name) ? {} : { token: { subject: this.idOf(name as Who), notBeforeUs: 0, expiresAtUs: Infinity } }
  }

  open(kind: Channel['kind'], target: string, asked: Asked = {}): TestChannel {
    this.pass(1000)
    const channel = new DescribedChannel(kind)
    this.handler.open(this.exchange('GET', target, asked), channel)
    return channel
  }

  exchange(method: string, target: string, { as = 'nobody', key, jwt, headers = [], body, remote = '10.0.0.1' }: Asked) {
    const [path, ...query] = target.split('?')
    const named: HeaderPairs = jwt !== undefined ? [['authorization', `Bearer ${jwt}`]]
      : key !== undefined ? [['x-api-key', key]] : as === 'nobody' ? [] : [['x-api-key', this.keyOf(as)]]
    return {
      service: 'parlay' as const, ...this.tokenOf([...named, ...headers]), method, path: path!, query: query.join('?'), headers: [...named, ...headers], remote,
      body: body instanceof Uint8Array ? body : body === undefined ? new Uint8Array(0) : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
    }
  }

  flush(): void {
    const { events } = this.session.parlay!.batch
    this.takeTo(events, events.count)
    this.taken = 0
  }

  finish(): void {}
  abort(): void {}

  private takeTo(events: EventRows, end: number): void {
    for (; this.taken < end; this.taken++) {
      this.rowCount++
      this.kinds.push(events.kindOf(events.row(this.taken)))
      this.handler.take(events, events.row(this.taken))
    }
  }

  private forwarding(name: string): MakerStrategy {
    const tell = (kind: (typeof KINDS)[number]) => (view: never): void => {
      const { events } = this.session.parlay!.batch
      this.takeTo(events, events.count)
      this.handler.told({ service: 'parlay', role: 'maker', name, account: this.accounts.get(name)! }, { kind, view } as SeatMessage)
    }
    return maker({}, () => Object.fromEntries(KINDS.map((kind) => [kind, tell(kind)])) as MakerHandlers) as unknown as MakerStrategy
  }
}
