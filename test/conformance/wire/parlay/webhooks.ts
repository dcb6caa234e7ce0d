import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { holds, is, like, Refuted, sees } from '../expect.ts'
import { inTime, type Json, type Seen } from '../client.ts'
import type { Area } from '../rules.ts'
import { INSTANT, until, UUID } from '../world.ts'
import { NO_ID, WINNING_LEGS, type World } from './world.ts'

const PATH = '/v1/webhooks'
const ALL = ['position.settled', 'position.cancelled', 'position.bought_back', 'position.transferred', 'parlay.status_changed', 'funds.deposited', 'funds.withdrawn']
const MAKERS = ALL.slice(0, 3)
const HTTPS = 'https://example.com/hook'
const TOLERANCE_S = 300
const SETTLES_MS = 240_000
const issueAt = (...path: (string | number)[]) => ({ error: { details: { issues: (issues: Json) => issues.some((issue: Json) => JSON.stringify(issue.path) === JSON.stringify(path)) } } })

interface Posted {
  readonly headers: IncomingHttpHeaders
  readonly raw: string
  readonly body: Json
}

/** An endpoint on this machine, which is told things and answers with the statuses it is given, 200 after that. */
class Receiver {
  readonly posted: Posted[] = []
  readonly secret: string
  private declare readonly server: Server
  private heard = (): void => {}
  private taken = 0

  private constructor(server: Server, secret: string) {
    this.server = server
    this.secret = secret
  }

  static async open(w: World, name: string, events: readonly string[], { owner = 'user', statuses = [] as number[] } = {}): Promise<Receiver> {
    let receiver: Receiver | null = null
    const server = createServer((request, response) => {
      let raw = ''
      request.setEncoding('utf8').on('data', (part: string) => { raw += part }).on('end', () => {
        receiver!.posted.push({ headers: request.headers, raw, body: JSON.parse(raw) })
        response.writeHead(statuses.shift() ?? 200).end()
        receiver!.heard()
      })
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => { server.once('listening', resolve) })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    sees(await w.jwt(name).put(`${PATH}?owner_kind=${owner}`, { url, events }), 200)
    const { secret } = sees(await w.jwt(name).post(`${PATH}/rotate-secret?owner_kind=${owner}`), 200).data
    return receiver = new Receiver(server, secret)
  }

  /** The next delivery that is wanted. */
  async next(is: (body: Json) => boolean, what: string, ms?: number): Promise<Posted> {
    const found = async (): Promise<Posted> => {
      for (;;) {
        while (this.taken < this.posted.length) {
          const one = this.posted[this.taken++]!
          if (is(one.body)) return one
        }
        await new Promise<void>((resolve) => { this.heard = resolve })
      }
    }
    return inTime(found(), what, ms)
  }

  close(): void {
    this.server.closeAllConnections()
    this.server.close()
  }
}

/** What a receiver does: both parts of the header, a time of at most five minutes away, the very bytes, and a comparison in constant time. */
function verified(secret: string, header: string, raw: string, nowS: number): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (t === undefined || Math.abs(nowS - Number(t)) > TOLERANCE_S) return false
  const expected = createHmac('sha256', secret).update(`${t}.${raw}`).digest()
  return timingSafeEqual(expected, Buffer.from(v1!, 'hex'))
}

const nowS = (): number => Date.now() / 1000
const ofType = (type: string, also: (data: Json) => boolean = () => true) => (body: Json): boolean => body.type === type && also(body.data)
const ofRfq = (rfq_id: string) => (data: Json): boolean => data.rfq_id === rfq_id
const move = (w: World, name: string, what: 'deposit' | 'withdraw', amount: number): Promise<Seen> => w.as(name).post(`/v1/vault/${what}`, { amount })

/** A deposit of the rule's own bettor, as its endpoint is told of it. */
async function deposited(w: World, statuses: number[] = []): Promise<{ readonly receiver: Receiver; readonly posted: Posted }> {
  const receiver = await Receiver.open(w, w.mine, ['funds.deposited'], { statuses })
  sees(await move(w, w.mine, 'deposit', 3), 200)
  return { receiver, posted: await receiver.next(ofType('funds.deposited'), 'funds.deposited') }
}

/** An auction of the rule's own bettor that a maker has won with 40 USDC. */
async function sold(w: World, to: string): Promise<Json> {
  let won: Json = null
  await w.inAuction(async ({ auction }) => {
    sees(await w.bid(to, auction.id, { price_micro: 40_000_000 }), 200)
    sees(await w.as(w.mine).post(`/v1/cashout-requests/${auction.id}/commit`), 200)
    won = auction
  })
  return won
}

export const WEBHOOKS: Area<World> = {
  // Endpoints are an account's: rows side by side would take each other's.
  name: 'webhooks', service: 'parlay', session: 'parlay', isOneByOne: true,
  rows: [
    ['PQ-233', 'an endpoint is set, with its URL and its events', async (w) => {
      sees(await w.jwt(w.mine).put(PATH, { url: HTTPS, events: ['funds.deposited'] }), 200, { data: { url: HTTPS, events: ['funds.deposited'] } })
      for (const [body, field] of [[{ url: HTTPS }, 'events'], [{ events: [] }, 'url']] as const) sees(await w.jwt(w.mine).put(PATH, body), 400, issueAt(field))
    }],
    ['PQ-327', 'deliveries of an account can be off: it sets an endpoint, and hears nothing of what another hears', async (w) => {
      const receiver = await Receiver.open(w, 'mute', ['funds.deposited'])
      sees(await move(w, 'mute', 'deposit', 3), 200)
      const other = await deposited(w)
      const deliveries = async (name: string): Promise<readonly Json[]> => sees(await w.jwt(name).get(`${PATH}/deliveries`), 200).data.deliveries
      is([receiver.posted.length, await deliveries('mute'), (await deliveries(w.mine)).length > 0], [0, [], true])
      for (const each of [receiver, other.receiver]) each.close()
    }],
    ['PQ-236 PQ-299', 'events are of the catalogue of seven', async (w) => {
      is(sees(await w.jwt(w.mine).put(PATH, { url: HTTPS, events: ALL }), 200).data.events.toSorted(), ALL.toSorted())
      for (const name of ['position.opened', 'FUNDS.DEPOSITED']) sees(await w.jwt(w.mine).put(PATH, { url: HTTPS, events: [name] }), 400)
    }],
    ['PQ-238 PQ-252', 'it is read', async (w) => {
      sees(await w.jwt(w.mine).get(PATH), 404)
      sees(await w.jwt(w.mine).put(PATH, { url: HTTPS, events: [] }), 200)
      is(sees(await w.jwt(w.mine).get(PATH), 200).data, { owner_kind: 'user', url: HTTPS, events: [], has_secret: false })
    }],
    ['PQ-242', 'a user’s endpoint and a maker’s are two, the user’s when nothing is said', async (w) => {
      sees(await w.jwt('m1').put(`${PATH}?owner_kind=mm`, { url: `${HTTPS}/mm`, events: [] }), 200)
      sees(await w.jwt('m1').put(PATH, { url: HTTPS, events: [] }), 200)
      is([sees(await w.jwt('m1').get(`${PATH}?owner_kind=mm`), 200).data.url, sees(await w.jwt('m1').get(PATH), 200).data.url], [`${HTTPS}/mm`, HTTPS])
      sees(await w.jwt('m1').get(`${PATH}?owner_kind=house`), 400, issueAt('owner_kind'))
    }],
    ['PQ-307 PQ-310', 'a maker’s endpoint takes three events', async (w) => {
      const statuses = []
      for (const name of ALL) statuses.push((await w.jwt('m2').put(`${PATH}?owner_kind=mm`, { url: HTTPS, events: [name] })).status)
      is(statuses, [200, 200, 200, 400, 400, 400, 400])
    }],
    ['PQ-239 PQ-318', 'a secret begins with whsec_, and is shown this once', async (w) => {
      sees(await w.jwt(w.mine).put(PATH, { url: HTTPS, events: [] }), 200)
      const rotate = async (): Promise<string> => sees(await w.jwt(w.mine).post(`${PATH}/rotate-secret`), 200).data.secret
      const [one, other] = [await rotate(), await rotate()]
      like(one, /^whsec_/)
      holds(one !== other, 'another secret')
      const { status, text } = await w.jwt(w.mine).get(PATH)
      is([status, text.includes('whsec_')], [200, false])
    }],
    ['PQ-016 PQ-127', 'what fails is sent again', async (w) => {
      const { receiver, posted } = await deposited(w, [500])
      const again = await receiver.next(ofType('funds.deposited'), 'another attempt')
      is([again.raw, again.headers['x-service-event-id']], [posted.raw, posted.headers['x-service-event-id']])
      receiver.close()
    }],
    ['PQ-312 PQ-316', 'a delivery is a POST of JSON: id, type, data', async (w) => {
      const { receiver, posted } = await deposited(w)
      is(Object.keys(posted.body), ['id', 'type', 'data'])
      is(posted.headers['content-type'], 'application/json')
      receiver.close()
    }],
    ['PQ-313 PQ-317 PQ-319', 'its signature has a time and the MAC of that and the body', async (w) => {
      const { receiver, posted: { headers, raw } } = await deposited(w)
      const header = String(headers['x-service-signature'])
      like(header, /^t=\d{10},v1=[0-9a-f]{64}$/)
      is([verified(receiver.secret, header, raw, nowS()), verified('whsec_other', header, raw, nowS())], [true, false])
      receiver.close()
    }],
    ['PQ-320', 'its time is that of the attempt: a receiver’s five minutes are enough', async (w) => {
      const { receiver, posted: { headers, raw } } = await deposited(w)
      const header = String(headers['x-service-signature'])
      const t = Number(header.slice(2, 12))
      holds(Math.abs(t - nowS()) < 20, 'a time of now')
      is([verified(receiver.secret, header, raw, t + 300), verified(receiver.secret, header, raw, t + 301)], [true, false])
      receiver.close()
    }],
    ['PQ-321 PQ-322', 'it is over the very bytes, and can be compared in constant time', async (w) => {
      const { receiver, posted: { headers, raw, body } } = await deposited(w)
      const header = String(headers['x-service-signature'])
      is([verified(receiver.secret, header, raw, nowS()), verified(receiver.secret, header, JSON.stringify(body, null, 1), nowS())], [true, false])
      receiver.close()
    }],
    ['PQ-314 PQ-315', 'headers say its id and its type', async (w) => {
      const { receiver, posted: { headers, body } } = await deposited(w)
      is([headers['x-service-event-id'], headers['x-service-event-type']], [body.id, 'funds.deposited'])
      receiver.close()
    }],
    ['PQ-297', 'funds.deposited has the amount and the balance', async (w) => {
      const before = sees(await w.as(w.mine).get('/v1/portfolio'), 200).data.balance.gross_balance
      const { receiver, posted: { body } } = await deposited(w)
      like(body.data, { amount_usdc: 3, vault_balance: before + 3, occurred_at: INSTANT })
      receiver.close()
    }],
    ['PQ-298', 'funds.withdrawn has the amount and the balance', async (w) => {
      const receiver = await Receiver.open(w, w.mine, ['funds.withdrawn'])
      const before = sees(await w.as(w.mine).get('/v1/portfolio'), 200).data.balance.gross_balance
      sees(await move(w, w.mine, 'withdraw', 2), 200)
      like((await receiver.next(ofType('funds.withdrawn'), 'funds.withdrawn')).body.data, { amount_usdc: 2, vault_balance: before - 2, occurred_at: INSTANT })
      receiver.close()
    }],
    ['PQ-295', 'parlay.status_changed has the status and the quote', async (w) => {
      const receiver = await Receiver.open(w, w.mine, ALL)
      const { commit: { rfq_id, quote_id } } = await w.fill()
      for (const status of ['accepted', 'confirmed', 'executed']) {
        const { body } = await receiver.next(ofType('parlay.status_changed', (data) => data.rfq_id === rfq_id && data.status === status), status)
        is(Object.keys(body.data).toSorted(), ['accepted_quote_id', 'occurred_at', 'rfq_id', 'status'])
        is(body.data.accepted_quote_id, quote_id)
      }
      receiver.close()
    }],
    ['PQ-291 PQ-303', 'a cancellation is two events with two ids', async (w) => {
      const receiver = await Receiver.open(w, w.mine, ALL)
      const { id } = await w.request()
      sees(await w.as(w.mine).post(`/v1/quote-requests/${id}/cancel`), 200)
      const changed = await receiver.next(ofType('parlay.status_changed', ({ status }) => status === 'cancelled'), 'parlay.status_changed')
      const all = await until(() => w.nobody.get('/v1/markets?limit=1'), () => receiver.posted.some(({ body }) => body.type === 'position.cancelled'), 'position.cancelled')
      is(all.status, 200)
      const { body } = receiver.posted.find((one) => one.body.type === 'position.cancelled')!
      like(body.data, { rfq_id: changed.body.data.rfq_id, reason: 'user_cancelled', occurred_at: INSTANT })
      holds(body.id !== changed.body.id, 'two ids')
      receiver.close()
    }],
    ['PQ-292 PQ-309 PQ-308', 'position.bought_back tells seller and backing maker, each its side', async (w) => {
      const [seller, maker] = [await Receiver.open(w, w.mine, ['position.bought_back']), await Receiver.open(w, 'm1', MAKERS, { owner: 'mm' })]
      const { rfq_id } = await sold(w, 'm1')
      // The price is 40 USDC and the stake 24.75.
      const data = { rfq_id, amount: 15.25, mm_pays_user: true, tx_signature: String, occurred_at: INSTANT }
      const of = ofType('position.bought_back', ofRfq(rfq_id))
      like((await seller.next(of, 'the seller’s event')).body.data, data)
      like((await maker.next(of, 'the maker’s event')).body.data, { ...data, mm_result: 'bought_back' })
      seller.close()
      maker.close()
    }],
    ['PQ-293 PQ-294 PQ-311', 'position.transferred is told to the seller alone', async (w) => {
      const [seller, buyer] = [await Receiver.open(w, w.mine, ['position.transferred']), await Receiver.open(w, 'm2', ALL)]
      const { rfq_id, position_id } = await sold(w, 'm2')
      like((await seller.next(ofType('position.transferred', ofRfq(rfq_id)), 'position.transferred')).body.data, { position_id, price: 40, proceeds: 39.8475, profit_fee: 0.1525, tx_signature: String, occurred_at: INSTANT })
      is(buyer.posted.filter(({ body }) => body.type === 'position.transferred'), [])
      seller.close()
      buyer.close()
    }],
    ['PQ-240 PQ-103', 'deliveries are listed, the newest first', async (w) => {
      const { receiver } = await deposited(w)
      sees(await move(w, w.mine, 'deposit', 1), 200)
      await receiver.next(ofType('funds.deposited', ({ amount_usdc }) => amount_usdc === 1), 'the second')
      const { deliveries } = sees(await w.jwt(w.mine).get(`${PATH}/deliveries`), 200).data
      const instants = deliveries.map((one: Json) => one.created_at)
      holds(deliveries.length >= 2, 'two deliveries')
      is(instants, instants.toSorted().toReversed())
      receiver.close()
    }],
    ['PQ-101 PQ-102', 'a delivery has its fields, and ends as delivered', async (w) => {
      const { receiver } = await deposited(w)
      const list = () => w.jwt(w.mine).get(`${PATH}/deliveries?limit=1`)
      const { body } = await until(list, (seen) => seen.body.data.deliveries[0].status === 'delivered', 'delivered')
      like(body.data.deliveries, [{ id: UUID, event_type: 'funds.deposited', status: 'delivered', attempts: 1, response_code: 200, created_at: INSTANT }])
      receiver.close()
    }],
    ['PQ-241 PQ-134', 'one that ended is sent again by request, under its id', async (w) => {
      const { receiver, posted } = await deposited(w)
      await until(() => w.jwt(w.mine).get(`${PATH}/deliveries?limit=1`), ({ body }) => body.data.deliveries[0].status === 'delivered', 'delivered')
      sees(await w.jwt(w.mine).post(`${PATH}/deliveries/${posted.body.id}/redeliver`), 200, { data: { id: posted.body.id, status: 'pending' } })
      is((await receiver.next(ofType('funds.deposited'), 'the repeat')).body.id, posted.body.id)
      sees(await w.jwt(w.mine).post(`${PATH}/deliveries/${NO_ID}/redeliver`), 404)
      receiver.close()
    }],
    ['PQ-277', 'what tells of a balance needs balances:read when it is sent', async (w) => {
      const { receiver } = await deposited(w)
      const blind = await w.keyWith(w.mine, ['account:write'])
      const { url } = sees(await w.jwt(w.mine).get(PATH), 200).data
      sees(await blind.put(PATH, { url, events: ['funds.deposited'] }), 200)
      sees(await move(w, w.mine, 'deposit', 1), 200)
      const list = () => w.jwt(w.mine).get(`${PATH}/deliveries?limit=1`)
      const { body } = await until(list, (seen) => seen.body.data.deliveries[0].status === 'dead_letter', 'dead_letter')
      like(body.data.deliveries, [{ event_type: 'funds.deposited', attempts: 0, response_code: null }])
      is(receiver.posted.length, 1, 'the number of posts')
      receiver.close()
    }],
    ['PQ-136', 'one that failed and is to be tried again is not: 409', async (w) => {
      const { receiver, posted } = await deposited(w, [500, 500, 500, 500, 500, 500])
      sees(await w.jwt(w.mine).post(`${PATH}/deliveries/${posted.body.id}/redeliver`), 409, { error: { details: { reason: 'delivery_pending' } } })
      receiver.close()
    }],
  ],
}

/** A parlay of 25 USDC at 4.0 both of whose legs will win. Its maker has half a second to confirm, and may be late again and again. */
async function filled(w: World): Promise<string> {
  for (let tries = 0; tries < 20; tries++) {
    // A session begins before its markets are listed.
    const made = await until(() => w.as(w.mine).post('/v1/quote-requests', { legs: WINNING_LEGS, bet_amount: 25 }), ({ status }) => status === 201, 'a request')
    const request = made.body.data.quote_request
    sees(await w.quote('m1', request), 200)
    const filled = await w.fillRequest(w.mine, 'm1', request)
    if (filled !== null) return filled.commit.rfq_id
  }
  throw new Refuted('no maker was in time')
}

/** What becomes of a parlay: nobody calls, the session's markets are decided. */
export const SETTLEMENT: Area<World> = {
  name: 'settlement', service: 'parlay', session: 'parlay-settling', isAtOnce: true,
  rows: [
    ['PQ-290 PQ-308', 'position.settled tells bettor and maker, each its side', async (w) => {
      const [bettor, maker] = [await Receiver.open(w, w.mine, ALL), await Receiver.open(w, 'm1', MAKERS, { owner: 'mm' })]
      const rfq_id = await filled(w)
      const of = ofType('position.settled', ofRfq(rfq_id))
      const data = { rfq_id, outcome: 'won', tx_signature: String, occurred_at: INSTANT }
      like((await bettor.next(of, 'the bettor’s event', SETTLES_MS)).body.data, data)
      like((await maker.next(of, 'the maker’s event')).body.data, { ...data, mm_result: 'lost' })
      bettor.close()
      maker.close()
    }],
    ['PQ-008 PQ-419', 'the vaults move when it is settled, less the profit fee', async (w) => {
      const gross = async (name: string): Promise<number> => sees(await w.as(name).get('/v1/portfolio'), 200).data.balance.gross_balance
      const before = await gross(w.mine)
      const rfq_id = await filled(w)
      const read = () => w.as(w.mine).get(`/v1/parlays/${rfq_id}`)
      // The profit is 99 − 24.75 = 74.25 USDC, and its fee 0.7425.
      const { body } = await until(read, (seen) => seen.body.data.parlay.status === 'settled', 'its settlement', SETTLES_MS)
      like(body.data.parlay, { outcome: 'won', received: 98.2575, profit_fee: 0.7425, tx_signature: String })
      is(await gross(w.mine), before - 25 + 98.2575, 'the bettor’s balance')
      sees(await w.as(w.mine).get('/v1/portfolio'), 200, { data: { stats: { wins: 1, losses: 0, realized_pnl: 73.2575 }, counts: { total_settled: 1 } } })
    }],
  ],
}

/** What a session that lets no endpoint into private networks says of URLs. */
export const WEBHOOK_URLS: Area<World> = {
  name: 'webhook URLs', service: 'parlay', session: 'parlay-faults',
  rows: [
    ['PQ-234', 'a URL is HTTPS', async (w) => { sees(await w.jwt('b10').put(PATH, { url: 'http://example.com/hook', events: [] }), 400, issueAt('url')) }],
    ['PQ-235', 'a URL is not of a private network', async (w) => {
      for (const url of ['https://127.0.0.1/x', 'https://10.0.0.1', 'https://localhost/x', 'https://192.168.1.1', 'https://[::1]/x', 'https://169.254.169.254/']) sees(await w.jwt('b10').put(PATH, { url, events: [] }), 400, issueAt('url'))
      sees(await w.jwt('b10').put(PATH, { url: HTTPS, events: [] }), 200)
    }],
  ],
}
