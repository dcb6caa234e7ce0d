import { sees } from '../expect.ts'
import type { Client, Json, Seen, Socket } from '../client.ts'
import type { SessionTerms } from '../session.ts'
import { faultRounds, scenarioOf, SessionWorld, until } from '../world.ts'

const RAISED = 'authenticatedLimit: 1000000, unauthenticatedLimit: 1000000, publicLimit: 1000000, quoteServiceLimit: 1000000, walletWithdrawLimit: 1000000, depositLimit: 1000000, withdrawLimit: 1000000, submitTransactionLimit: 1000000'
const scenario = (entry: string, from?: string): string =>
  scenarioOf({ service: 'parlay', entry: `profile: parlay@2.1, ${entry}`, rest: '  - { external: true, name: poor, capital: 1000 USDC }\n  - { external: true, name: mute, capital: 1000 USDC }\n', ...(from !== undefined && { from }) })

/** Faults, each with the second of a round at which it comes. */
const FAULTS_AT = [
  ['feeUnavailable', 3], ['collateralUnavailable', 7], ['chainDisabled', 11], ['withdrawalFails', 15], ['walletFails', 19], ['mirrorBehind', 23], ['chainUnclear', 37],
] as const

/** Every session that rules of the service are seen in. The longest come first. */
export const PARLAY_SESSIONS = {
  /** No limit binds, and time goes as on the wall. Deliveries of one account are off. */
  parlay: { service: 'parlay', scenario: scenario(`gate: { deliveriesOff: [mute], set: { ${RAISED}, deliveryBackoff: 1s } }`), args: ['--allow-local-webhooks'] },
  /** The limits of the document, in real time. */
  'parlay-limits': { service: 'parlay', scenario: scenario('gate: {}') },
  /** One fault after another, four seconds each. What is pending at `mirrorBehind` is done before `chainUnclear`, and what is pending then before the next round's withdrawals. */
  'parlay-faults': {
    service: 'parlay',
    scenario: scenario(`gate: { set: { ${RAISED} } }, faults: [${
      faultRounds(FAULTS_AT.map(([fault, from]) => ({ fault, from, for: 4 })), 60)}]`),
  },
  /** Two markets are decided within a quarter of an hour, which goes by in forty-five seconds. */
  'parlay-settling': {
    service: 'parlay', scenario: scenario(`set: { confirmation: 8s }, gate: { set: { ${RAISED} } }`, '2025-06-20T00:00:00Z'), speed: 20, args: ['--allow-local-webhooks'],
  },
  /** A minute goes by in six seconds. */
  'parlay-fast': { service: 'parlay', scenario: scenario(`set: { confirmation: 8s }, gate: { set: { ${RAISED} } }`), speed: 10 },
} as const satisfies Readonly<Record<string, SessionTerms>>

/** Legs of the settling session, both of which win. */
export const WINNING_LEGS = [{ market_ticker: 'ECON-JOBS-2', side: 'yes' }, { market_ticker: 'TOTAL-07-MAY-NOR-40', side: 'yes' }]

export const NO_ID = '0b8e1c1e-7c1a-8a3b-9d2e-5f60718293a4'
const SOON_MS = 20 * 60_000

/** A session of the service as the clients of one rule find it. */
export class World extends SessionWorld {
  as(name: string): Client {
    return this.key(this.seat(name)['api_key']!)
  }

  jwt(name: string): Client {
    return this.client({ authorization: `Bearer ${this.seat(name)['jwt']}` })
  }

  key(key: string): Client {
    return this.client({ 'x-api-key': key })
  }

  /** A key of a seat with these scopes. */
  async keyWith(name: string, scopes: readonly string[]): Promise<Client> {
    return this.key(sees(await this.jwt(name).post('/v1/api-keys', { scopes }), 201).data.key)
  }

  /** Markets of different events that a parlay may have together, which do not close soon. A session begins with few. */
  async markets(count = 2): Promise<readonly Json[]> {
    const list = (): Promise<Seen> => this.nobody.get('/v1/markets?limit=40&markets_per_event=3&category=all')
    return chosenOf(await until(list, (seen) => chosenOf(seen, count).length === count, `${count} markets for a parlay`), count)
  }

  async legs(count = 2): Promise<readonly Json[]> {
    return (await this.markets(count)).map(({ ticker, venue }) => ({ market_ticker: ticker, side: 'yes', venue }))
  }

  async request(name = this.mine, bet = 25, legs?: readonly Json[]): Promise<Json> {
    return sees(await this.as(name).post('/v1/quote-requests', { legs: legs ?? await this.legs(), bet_amount: bet }), 201).data.quote_request
  }

  quote(maker: string, { id, version, request_hash }: Json, odds = 4, more: object = {}): Promise<Seen> {
    return this.as(maker).put(`/v1/mm/quote-requests/${id}/quote`, { request_version: version, request_hash, payout_odds: odds, expires_in_ms: 60_000, ...more })
  }

  commit(name: string, { id, version }: Json, more: object = {}): Promise<Seen> {
    return this.as(name).post(`/v1/quote-requests/${id}/commit`, {
      expected_version: version, displayed_quote_id: NO_ID, displayed_quote_book_seq: 1, min_payout_odds_seen: 1.0001, ...more,
    })
  }

  /** The instant of the wire, ms: that of a new quote. The wire's clock begins before the session does, so that it is late by what the begin takes. */
  async nowMs(): Promise<number> {
    return Date.parse(sees(await this.quote('m3', await this.request('b23')), 200).data.created_at)
  }

  /** Commits a request, and lets the maker that hears of its selection on its socket confirm: what both were answered. */
  async fillRequest(name: string, maker: string, request: Json, more: object = {}): Promise<{ readonly commit: Seen; readonly confirm: Seen; readonly accepted: Json; readonly exposure: Json }> {
    const socket = await this.as(maker).socket('/v1/ws')
    await socket.next(({ type }) => type === 'auth:ok', 'auth:ok')
    const committing = this.commit(name, request, more)
    const [accepted, exposure] = await this.selected(socket, request.id)
    const confirm = await this.as(maker).post(`/v1/mm/quote-requests/${request.id}/quote/confirm`, { quote_id: accepted.data.quote_id })
    const commit = await committing
    socket.close()
    return { commit, confirm, accepted, exposure }
  }

  private async selected(socket: Socket, id: string): Promise<[Json, Json]> {
    const of = (kind: string) => (frame: Json): boolean => frame.type === kind && frame.data.quote_request_id === id
    return [await socket.next(of('quote:accepted'), 'quote:accepted'), await socket.next(of('mm_quote:accepted'), 'mm_quote:accepted')]
  }

  /** A parlay of 25 USDC at 4.0 that a maker has confirmed. */
  async fill(name = this.mine, maker = 'm1'): Promise<{ readonly request: Json; readonly quote: Json; readonly commit: Json; readonly confirm: Json; readonly accepted: Json; readonly exposure: Json }> {
    const request = await this.request(name)
    const quote = sees(await this.quote(maker, request), 200).data
    const { commit, confirm, accepted, exposure } = await this.fillRequest(name, maker, request)
    return { request, quote, commit: sees(commit, 201).data, confirm: sees(confirm, 200).data, accepted, exposure }
  }

  /** An auction of a parlay that was just filled. */
  async auction(name = this.mine, maker = 'm1'): Promise<{ readonly fill: Json; readonly auction: Json }> {
    const fill = await this.fill(name, maker)
    const opened = sees(await this.as(name).post('/v1/cashout-requests', { rfq_id: fill.commit.rfq_id }), 201)
    return { fill, auction: opened.data.cashout_request }
  }

  bid(maker: string, auction: string, body: object | string): Promise<Seen> {
    return this.as(maker).put(`/v1/mm/cashout-requests/${auction}/quote`, body)
  }
}

function chosenOf({ body }: Pick<Seen, 'body'>, count: number): readonly Json[] {
  const chosen: Json[] = []
  for (const market of body.data.events.flatMap((event: Json) => event.markets)) {
    const isFree = chosen.every(({ event_ticker, exclusion_keys }) => event_ticker !== market.event_ticker && !exclusion_keys.some((key: string) => market.exclusion_keys.includes(key)))
    const isOpen = market.status === 'open' && (market.close_time === null || Date.parse(market.close_time) > Date.now() + SOON_MS)
    if (isFree && isOpen) chosen.push(market)
    if (chosen.length === count) break
  }
  return chosen
}
