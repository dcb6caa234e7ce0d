import { randomBytes } from 'node:crypto'
import { hashTypedData, type Hex } from 'viem'
import { expect } from 'vitest'
import type { ZodType } from 'zod'
import type { CohortEntry, OperatorInput, OutcomeGateConfig } from '../../../../src/engine/config.ts'
import { Session } from '../../../../src/engine/session.ts'
import type { Sink } from '../../../../src/record/sink.ts'
import type { Channel, HeaderPairs } from '../../../../src/serve/exchange.ts'
import { MARKET_FRAMES, STREAM_FRAMES } from '../../../../src/serve/outcome/frames.ts'
import { outcomeHandler } from '../../../../src/serve/outcome/handler.ts'
import { ErrorBody } from '../../../../src/serve/outcome/responses.ts'
import { outcomeRoutes } from '../../../../src/serve/outcome/routes.ts'
import { RouteMatcher } from '../../../../src/serve/routeMatcher.ts'
import type { ExternalSeat, HandlerSite, SeatMessage, ServiceHandler } from '../../../../src/serve/serviceHandler.ts'
import { EXTERNAL_BETTOR, externalMaker } from '../../../../src/scenario/externalSeats.ts'
import type { ResolvedScenario } from '../../../../src/scenario/resolved.ts'
import type { EventRows } from '../../../../src/venue/eventRows.ts'
import { OUTCOME_CODES } from '../../../../src/venue/outcome/protocol/codes.ts'
import { OUTCOME_GATE_SETTINGS, type OutcomeGateProfile } from '../../../../src/venue/outcome/protocol/gate.ts'
import { decimalOfLimbs } from '../../../../src/venue/outcome/protocol/outcomeId.ts'
import { OUTCOME_SETTINGS, type OutcomeProfile } from '../../../../src/venue/outcome/protocol/profile.ts'
import { sign } from '../../../../src/venue/outcome/wire/signing.ts'
import { profileOf } from '../../../../src/venue/profile.ts'
import { outcomeIds, onOutcome } from '../../../engine/outcomeWorld.ts'
import { makerEntry, NO_FAULTS, sessionConfig, world, WORLD_START_US } from '../../../engine/world.ts'
import { BenchTime } from '../../benchTime.ts'
import { type Heard, heardOf, TestChannel } from '../../testChannel.ts'

export const SECOND = 1_000_000
export const START_S = WORLD_START_US / SECOND
const AT_ONCE = { feedUs: 0, broadcast: { baseUs: 0, jitterUs: 0 }, submit: { baseUs: 0, jitterUs: 0 }, confirm: { baseUs: 0, jitterUs: 0 } }
export const PAGE = 'https://app.example'
const MARKETS = 60

/** outcome_id of a market. Market 0 has the highest. */
export const outcomeId = (market: number): string => decimalOfLimbs(outcomeIds(MARKETS)[market]!)
/** Two legs in the order of their outcome_ids. */
export const LEGS = [{ outcome_id: outcomeId(8), side: 'NO' }, { outcome_id: outcomeId(0), side: 'YES' }]

export type Who = 'taker' | 'rich' | 'ours' | 'rival' | 'nobody'
export interface Asked {
  readonly as?: Who
  /** Sent in place of the participant's key. */
  readonly bearer?: string
  readonly origin?: string
  readonly key?: string
  readonly headers?: HeaderPairs
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown
  readonly remote?: string
}

export interface Served {
  readonly profile?: Partial<OutcomeProfile>
  readonly gate?: Partial<OutcomeGateProfile>
  readonly keys?: OutcomeGateConfig['keys']
  readonly operator?: (inputs: readonly OperatorInput[]) => readonly OperatorInput[]
  readonly signatures?: 'eip712' | 'tag'
  readonly seconds?: number
  readonly shiftUs?: number
  /** Virtual time waits for the clients: makers are told what has come down the way to their seats. */
  readonly isInTurns?: boolean
  /** Seats whose wallets the service's own app holds. */
  readonly embeddedWallets?: readonly Who[]
}

/** A new Idempotency-Key. */
export function newKey(): string {
  const hex = randomBytes(16).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

const matcher = new RouteMatcher(outcomeRoutes())
const STATUS_OF = new Map(Object.values(OUTCOME_CODES).map(({ code, status, retry }) => [code, { status, retry }]))

/** What every answer of the service must be, whatever it says: its id, an error in its form, a body as its route describes it. */
function checked(method: string, path: string, heard: Heard): Heard {
  const { status, headers, text, body } = heard
  expect(headers['X-Request-ID']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8/)
  expect(headers['Content-Type']).toBe(status === 204 ? undefined : 'application/json')
  if (status >= 400) {
    const { error } = ErrorBody.parse(body)
    expect(STATUS_OF.get(error.code)).toEqual({ status, retry: error.retry })
    expect(error.request_id).toBe(headers['X-Request-ID'])
    expect(headers['Retry-After'] !== undefined).toBe(error.retry === 'BACKOFF')
    return heard
  }
  const success = matcher.find(method, path)!.route.successes.find((one) => one.status === status)
  if (success === undefined) throw new Error(`${method} ${path} answers ${status}`)
  if (success.schema === null) expect(text).toBe('')
  else success.schema.parse(body)
  return heard
}

const FRAMES: Readonly<Record<string, Readonly<Record<string, ZodType>>>> = { '/v1/stream': STREAM_FRAMES, '/v1/market-stream': MARKET_FRAMES }

/** A channel whose frames must be what the description of its path says. */
class CheckedChannel extends TestChannel {
  private readonly path: string

  constructor(kind: Channel['kind'], path: string) {
    super(kind)
    this.path = path
  }

  override send(text: string): void {
    const { type, event } = JSON.parse(text) as { type: string; event?: string }
    FRAMES[this.path]![event ?? type]!.parse(JSON.parse(text))
    super.send(text)
  }
}

/** The body of an answer that must have a status. */
// oxlint-disable-next-line no-explicit-any
function made({ status, text, body }: Heard, expected: number): any {
  if (status !== expected) throw new Error(`${status} in place of ${expected}: ${text}`)
  return body
}

type Message = Readonly<Record<string, unknown>>
const TYPES = {
  Leg: 'string outcomeId, string side',
  Quote: 'string maker, string rfqId, uint64 generation, uint256 netStake, uint256 payout, uint64 takerFeeBps, uint64 feeBps, uint64 expiry, Leg[] legs',
  CashoutQuote: 'string maker, string rfqId, uint64 generation, bytes32 positionId, uint256 price, uint64 feeBps, uint64 expiry, Leg[] legs',
  Acceptance: 'string taker, string rfqId, bytes32 quoteId, string acceptanceId, uint256 stake, uint256 core, uint256 payout, uint64 takerFeeBps, uint64 feeBps, uint64 validAfter, uint64 validBefore',
  CashoutAcceptance: 'string seller, string rfqId, bytes32 quoteId, string acceptanceId, uint256 price, uint64 feeBps, bytes32 positionId',
  Confirmation: 'string maker, string rfqId, bytes32 quoteId, string acceptanceId, uint256 payout, uint64 takerFeeBps, uint64 feeBps',
  CashoutConfirmation: 'string maker, string rfqId, bytes32 quoteId, string acceptanceId, uint256 price, uint64 feeBps, bytes32 positionId',
  Withdrawal: 'string account, uint256 amount, uint64 takerFeeBps, uint64 feeBps, uint64 validAfter, uint64 validBefore, string requestKey',
  ExitWithdrawal: 'string account, uint256 amount, uint64 takerFeeBps, uint64 feeBps, uint64 exitExpiry, uint64 validAfter, uint64 validBefore, string requestKey',
  CollateralReduction: 'string maker, uint256 amount, uint64 takerFeeBps, uint64 feeBps, string requestKey',
  IssueKey: 'string account, string challengeId, string label, string[] scopes, uint64 expiresInDays',
} as const
export type Signable = Exclude<keyof typeof TYPES, 'Leg'>
const typesOf = Object.fromEntries(Object.entries(TYPES).map(([name, text]) => [name, text.split(', ').map((field) => ({ type: field.split(' ')[0]!, name: field.split(' ')[1]! }))]))

/**
 * A session in memory with two makers and two takers whose clients are the test's, and the handler that answers them. Every exchange comes a
 * millisecond after the one before it, and nothing has a way. Terms are signed with viem, from what the service's answers say.
 */
export class OutcomeBench extends BenchTime implements Sink {
  readonly session: Session
  readonly handler: ServiceHandler
  /** Kinds of the rows so far. */
  readonly kinds: number[] = []
  /** Sockets are being opened before time begins. */
  isOpening = false
  /** Answers that are on their way down, null while nothing has a way. */
  onTheirWay: (() => void)[] | null = null
  private readonly accounts = new Map<string, number>()
  private taken = 0
  private readonly shiftUs: number
  // oxlint-disable-next-line no-explicit-any
  private domain: any = null

  constructor({ profile = {}, gate = {}, keys = { lifeDays: 0, renewAfterUs: 0 }, operator = (inputs) => inputs, signatures = 'tag', seconds = 600, shiftUs = 0, isInTurns = false, embeddedWallets = [] }: Served = {}) {
    super(WORLD_START_US)
    const names = ['ours', 'rival']
    const makers = names.map((name) => ({ ...makerEntry(name, externalMaker((message) => { this.reached(name, message) })), values: {}, faults: NO_FAULTS, latency: AT_ONCE, capitalMicros: 1_000_000_000 }))
    const cohorts = ['taker', 'rich'].map((name): CohortEntry => ({
      name, strategy: EXTERNAL_BETTOR, values: {}, bettors: 1, bankrollMicros: name === 'rich' ? 10_000_000_000 : 100_000_000, everyUs: 0, arrivalsUs: [], latency: AT_ONCE,
    }))
    const own = profileOf(OUTCOME_SETTINGS, profile)
    const gateProfile = profileOf(OUTCOME_GATE_SETTINGS, gate)
    const base = onOutcome(sessionConfig(seconds, { makers, cohorts, sinks: [this] }), {
      profile: own, gate: { profile: gateProfile, keys, retries: { most: 0, backoffUs: 0 } }, signatures,
    })
    const config = { ...base, operator: operator(base.operator) }
    this.session = new Session(config)
    this.shiftUs = shiftUs
    ;['taker', 'rich', ...names].forEach((name, account) => this.accounts.set(name, account))
    const seats: ExternalSeat[] = [...this.accounts].map(([name, account]) => ({ service: 'outcome', role: names.includes(name) ? 'maker' : 'bettor', name, account }))
    const clock = (): number => this.nowUs
    const isOpening = (): boolean => this.isOpening
    const site: HandlerSite = {
      resolved: { services: { outcome: { settings: own, gate: { profile: gateProfile }, embeddedWallets } } } as unknown as ResolvedScenario,
      catalogue: { markets: world(MARKETS, MARKETS).markets }, seats, session: this.session, shiftUs,
      get nowUs() { return clock() },
      get isOpening() { return isOpening() },
      isInTurns,
      send: (account, call, listener) => this.session.bringCall('outcome', account, call, {
        taken: () => listener.taken?.(),
        answered: (rows, row) => {
          this.takeTo(rows, rows.indexOf(row) + 1)
          listener.answered(rows, row)
        },
        told: () => (this.onTheirWay === null ? listener.told() : void this.onTheirWay.push(() => listener.told())),
      }),
      later: (atUs, run) => { this.later(atUs, run) },
    }
    this.handler = outcomeHandler({
      ticks: config.ticks, sessionKey: 'bench', outcomeIds: outcomeIds(config.marketCount).map(decimalOfLimbs), pages: [PAGE, 'https://second.example'],
    })(site)
    this.pass(SECOND)
  }

  /** A message has reached the seat of a maker. */
  private reached(name: string, message: SeatMessage): void {
    const { events } = this.session.outcome!.batch
    this.takeTo(events, events.count)
    this.handler.told({ service: 'outcome', role: 'maker', name, account: this.account(name as Who) }, message)
  }

  account(name: Who): number {
    return this.accounts.get(name)!
  }

  /** What the credentials file has of a seat. */
  seat(name: Who): Readonly<Record<string, string>> {
    return this.handler.credentialsOf({ service: 'outcome', role: name === 'ours' || name === 'rival' ? 'maker' : 'bettor', name, account: this.account(name) })
  }

  idOf(name: Who): string {
    const { maker_id, account_id } = this.seat(name)
    return maker_id ?? account_id!
  }

  /** Unix seconds of the wire. */
  get wireS(): number {
    return Math.floor((this.nowUs + this.shiftUs) / SECOND)
  }

  /** Sends an exchange and returns its answer, which must come at once. */
  call(method: string, target: string, asked: Asked = {}): Heard {
    const heard = this.send(method, target, asked)
    if (heard.answer === null) throw new Error(`${method} ${target} waits`)
    return heard.answer
  }

  get(target: string, asked: Asked = {}): Heard {
    return this.call('GET', target, asked)
  }

  /** A command with a new key, or with the one that is given. */
  post(target: string, asked: Asked = {}): Heard {
    return this.call('POST', target, { key: newKey(), ...asked })
  }

  /** Sends an exchange whose answer may come later. */
  send(method: string, target: string, asked: Asked = {}): { answer: Heard | null } {
    this.pass(1000)
    const heard: { answer: Heard | null; count: number } = { answer: null, count: 0 }
    this.handler.call(this.exchange(method, target, asked), (answer) => {
      if (++heard.count > 1) throw new Error('answered twice')
      heard.answer = checked(method, target.split('?')[0]!, heardOf(answer))
    })
    return heard
  }

  /** Opens a channel. */
  open(target: string, asked: Asked = {}, kind: Channel['kind'] = 'socket'): TestChannel {
    this.pass(1000)
    const channel = new CheckedChannel(kind, target.split('?')[0]!)
    this.handler.open(this.exchange('GET', target, { ...asked, headers: [['sec-websocket-protocol', 'outcome-rfq.v1'], ...asked.headers ?? []] }), channel)
    return channel
  }

  exchange(method: string, target: string, { as = 'nobody', bearer, origin, key, headers = [], body, remote = '10.0.0.1' }: Asked) {
    const [path, ...query] = target.split('?')
    const token = bearer ?? (as === 'nobody' ? undefined : this.seat(as)['api_key'])
    const named: HeaderPairs = [
      ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]), ...(origin === undefined ? [] : [['origin', origin] as const]),
      ...(key === undefined ? [] : [['idempotency-key', key] as const]),
    ]
    return {
      service: 'outcome' as const, method, path: path!, query: query.join('?'), headers: [...named, ...headers], remote,
      body: body instanceof Uint8Array ? body : body === undefined ? new Uint8Array(0) : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
    }
  }

  /** Signs terms with a seat's wallet, in the domain that the deployment names. */
  sign(as: Who, primaryType: Signable, message: Message): string {
    if (this.domain === null) {
      const { body: { chain_id, vault, domain } } = this.get('/v1/deployment')
      this.domain = { ...domain, chainId: Number(chain_id), verifyingContract: vault }
    }
    return signTyped(this.seat(as)['wallet_private_key']!, this.domain, primaryType, message)
  }

  /** An RFQ of two legs. */
  // oxlint-disable-next-line no-explicit-any
  rfq(as: Who = 'taker', stake = '25000000', legs: readonly unknown[] = LEGS): any {
    return made(this.post('/v1/rfqs', { as, body: { stake, legs } }), 201)
  }

  /** The body of a quote: signed, at a payout, and as long as it may last. */
  // oxlint-disable-next-line no-explicit-any
  quoteBody(as: Who, rfq: any, payout = '99000000', expiry = this.wireS + 29): any {
    const { taker_fee_bps, fee_bps } = this.get('/v1/deployment').body
    const legs = rfq.legs.map(({ outcome_id, side }: { outcome_id: string; side: string }) => ({ outcomeId: outcome_id, side }))
    const common = { maker: this.idOf(as), rfqId: rfq.rfq_id, generation: rfq.generation, feeBps: fee_bps, expiry, legs }
    const signature = rfq.kind === 'ENTRY'
      ? this.sign(as, 'Quote', { ...common, netStake: rfq.net_stake, payout, takerFeeBps: taker_fee_bps })
      : this.sign(as, 'CashoutQuote', { ...common, positionId: rfq.position_id, price: payout })
    return { payout, expiry, signature }
  }

  // oxlint-disable-next-line no-explicit-any
  quote(as: Who, rfq: any, payout = '99000000', expiry?: number): any {
    return made(this.post(`/v1/rfqs/${rfq.rfq_id}/quotes`, { as, body: this.quoteBody(as, rfq, payout, expiry) }), 201)
  }

  /** The body of an accept under an Idempotency-Key. */
  // oxlint-disable-next-line no-explicit-any
  acceptBody(as: Who, rfq: any, quote: any, key: string, validAfter = this.wireS, validBefore = this.wireS + 300): any {
    const common = { rfqId: rfq.rfq_id, quoteId: quote.quote_id, acceptanceId: key, feeBps: quote.fee_bps }
    if (rfq.kind === 'CASHOUT') {
      return { signature: this.sign(as, 'CashoutAcceptance', { ...common, seller: this.idOf(as), price: quote.payout, positionId: rfq.position_id }) }
    }
    const signature = this.sign(as, 'Acceptance', {
      ...common, taker: this.idOf(as), stake: rfq.stake, core: '0', payout: quote.payout, takerFeeBps: quote.taker_fee_bps, validAfter, validBefore,
    })
    return { valid_after: validAfter, valid_before: validBefore, signature }
  }

  /** Accepts a quote. Its maker has yet to say what comes of it. */
  // oxlint-disable-next-line no-explicit-any
  accept(as: Who, rfq: any, quote: any, key = newKey()): { answer: Heard | null } {
    return this.send('POST', `/v1/quotes/${quote.quote_id}/accept`, { as, key, body: this.acceptBody(as, rfq, quote, key) })
  }

  // oxlint-disable-next-line no-explicit-any
  confirmBody(as: Who, rfq: any, quote: any, acceptanceId: string): any {
    const common = { maker: this.idOf(as), rfqId: rfq.rfq_id, quoteId: quote.quote_id, acceptanceId, feeBps: quote.fee_bps }
    const signature = rfq.kind === 'ENTRY' ? this.sign(as, 'Confirmation', { ...common, payout: quote.payout, takerFeeBps: quote.taker_fee_bps })
      : this.sign(as, 'CashoutConfirmation', { ...common, price: quote.payout, positionId: rfq.position_id })
    return { decision: 'CONFIRM', signature }
  }

  /** A fill of 25 USDC at a payout of 99: the RFQ, the quote, the acceptance as it was answered. */
  fill(as: Who = 'taker', maker: Who = 'ours', legs: readonly unknown[] = LEGS) {
    const rfq = this.rfq(as, '25000000', legs)
    const quote = this.quote(maker, rfq)
    const key = newKey()
    const accept = this.accept(as, rfq, quote, key)
    made(this.call('POST', `/v1/quotes/${quote.quote_id}/confirm`, { as: maker, body: this.confirmBody(maker, rfq, quote, key) }), 200)
    return { rfq, quote, acceptance: accept.answer!.body }
  }

  flush(): void {
    const { events } = this.session.outcome!.batch
    this.takeTo(events, events.count)
    this.taken = 0
  }

  finish(): void {}
  abort(): void {}

  private takeTo(events: EventRows, end: number): void {
    for (; this.taken < end; this.taken++) {
      this.kinds.push(events.kindOf(events.row(this.taken)))
      this.handler.take(events, events.row(this.taken))
    }
  }
}

/** Signs typed data, which viem hashes. */
// oxlint-disable-next-line no-explicit-any
export function signTyped(privateKey: string, domain: any, primaryType: Signable, message: Message): string {
  const types = { [primaryType]: typesOf[primaryType], ...('legs' in message && { Leg: typesOf['Leg'] }) }
  return sign(hashTypedData({ domain, types, primaryType, message } as Parameters<typeof hashTypedData>[0]), privateKey as Hex)
}
