import { Refuted, sees } from '../expect.ts'
import type { Client, Json, Seen, Socket } from '../client.ts'
import type { SessionTerms } from '../session.ts'
import { faultRounds, inGoodTime, scenarioOf, SessionWorld, until } from '../world.ts'

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
  /** Two markets take calls for eight minutes, which are half a minute by the wall, and are decided after as many more. A maker has half a second to confirm. */
  'parlay-settling': {
    service: 'parlay', scenario: scenario(`set: { confirmation: 8s }, gate: { set: { ${RAISED} } }`, '2025-06-20T00:00:00Z'), speed: 15, args: ['--allow-local-webhooks'],
  },
  /** One fault after another, four seconds each. What is pending at `mirrorBehind` is done before `chainUnclear`, and what is pending then before the next round's withdrawals. */
  'parlay-faults': {
    service: 'parlay',
    scenario: scenario(`gate: { set: { ${RAISED} } }, faults: [${
      faultRounds(FAULTS_AT.map(([fault, from]) => ({ fault, from, for: 4 })), 60)}]`),
  },
  /** A minute goes by in six seconds. */
  'parlay-fast': { service: 'parlay', scenario: scenario(`set: { confirmation: 8s }, gate: { set: { ${RAISED} } }`), speed: 10 },
} as const satisfies Readonly<Record<string, SessionTerms>>

/** Legs of the settling session, both of which win. */
export const WINNING_LEGS = [{ market_ticker: 'TOTAL-07-MAY-NOR-40', side: 'yes' }, { market_ticker: 'TOTAL-11-ULM-VER-46', side: 'yes' }]

export const NO_ID = '0b8e1c1e-7c1a-8a3b-9d2e-5f60718293a4'
const SOON_MS = 20 * 60_000

/** What seller and maker were answered, and what the maker heard on its socket. */
interface Filled {
  readonly commit: Json
  readonly confirm: Json
  readonly accepted: Json
  readonly exposure: Json
}

interface Auction {
  readonly fill: Json
  readonly auction: Json
}

/** A maker has five seconds to confirm. They had passed. */
export const isLate = ({ status, body }: Seen): boolean => status === 409 && body.error.details?.reason === 'mm_confirmation_timeout'

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

  /**
   * Commits a request, and lets the maker that hears of its selection on its socket confirm: what both were answered, and what the maker heard.
   * Null: the maker was late.
   */
  async fillRequest(name: string, maker: string, request: Json, more: object = {}): Promise<Filled | null> {
    const socket = await this.as(maker).socket('/v1/ws')
    await socket.next(({ type }) => type === 'auth:ok', 'auth:ok')
    const committing = this.commit(name, request, more)
    const heard = await Promise.race([this.selected(socket, request.id), committing.then(() => null)])
    const confirming = heard && await this.as(maker).post(`/v1/mm/quote-requests/${request.id}/quote/confirm`, { quote_id: heard[0].data.quote_id })
    const answer = await committing
    socket.close()
    if (isLate(answer) && confirming?.status !== 200) return null
    const commit = sees(answer, 201).data
    if (heard === null) throw new Refuted('the commit is answered before its maker has heard of it')
    return { commit, confirm: sees(confirming!, 200).data, accepted: heard[0], exposure: heard[1] }
  }

  private async selected(socket: Socket, id: string): Promise<[Json, Json]> {
    const of = (kind: string) => (frame: Json): boolean => frame.type === kind && frame.data.quote_request_id === id
    return [await socket.next(of('quote:accepted'), 'quote:accepted'), await socket.next(of('mm_quote:accepted'), 'mm_quote:accepted')]
  }

  /** A parlay of 25 USDC at 4.0 that a maker has confirmed. */
  fill(name = this.mine, maker = 'm1'): Promise<Filled & { readonly request: Json; readonly quote: Json }> {
    return inGoodTime(async () => {
      const request = await this.request(name)
      const quote = sees(await this.quote(maker, request), 200).data
      const filled = await this.fillRequest(name, maker, request)
      return filled && { request, quote, ...filled }
    }, 'a confirmation in time')
  }

  /** An auction of a parlay that was just filled. */
  async auction(name = this.mine, maker = 'm1'): Promise<Auction> {
    const fill = await this.fill(name, maker)
    const opened = sees(await this.as(name).post('/v1/cashout-requests', { rfq_id: fill.commit.rfq_id }), 201)
    return { fill, auction: opened.data.cashout_request }
  }

  /** What is done in an auction's ten seconds. What fails while they pass is done in another one. */
  async inAuction(play: (found: Auction) => Promise<void>, name = this.mine, maker = 'm1'): Promise<void> {
    await inGoodTime(async () => {
      const found = await this.auction(name, maker)
      try {
        await play(found)
      } catch (error) {
        if (sees(await this.as(name).get(`/v1/cashout-requests/${found.auction.id}`), 200).data.cashout_request.status !== 'expired') throw error
        return null
      }
      return true
    }, 'what is done in an auction')
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
