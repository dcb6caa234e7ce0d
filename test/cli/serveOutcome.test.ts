import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { newKey, signTyped } from '../serve/outcome/exchanges/bench.ts'
import { parlorHere } from './parlor.ts'
import { serve } from './serving.ts'

const LIVE = SMALL.replace('parlay: { profile: parlay@2.1 }', 'outcome: { profile: outcome@1, signatures: eip712, gate: {} }').replace('until: 10m, max: 200', 'until: 50m')
  .replace('  - { use: shade, capital: 50000 USDC, count: 2 }\n', '  - { external: true, name: ours, capital: 50000 USDC }\n')
  .replace('bettors:\n', 'bettors:\n  - { external: true, name: me, bankroll: 1000 USDC }\n')
const SUBPROTOCOL = 'outcome-rfq.v1'

type Seat = Readonly<Record<string, string>>
// oxlint-disable-next-line no-explicit-any
type Body = any

/** A client of the service, which knows no more of it than the document and the pages say. */
class Client {
  private readonly url: string
  readonly seat: Seat
  private domain: object | null = null

  constructor(url: string, seat: Seat) {
    this.url = url
    this.seat = seat
  }

  async call(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<{ readonly status: number; readonly body: Body }> {
    const answer = await fetch(`${this.url}${path}`, {
      method, headers: { authorization: `Bearer ${this.seat['api_key']}`, ...headers }, ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }

  async post(path: string, body: object, key = newKey()): Promise<Body> {
    const { status, body: made } = await this.call('POST', path, body, { 'idempotency-key': key })
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(made)}`)
    return made
  }

  async sign(type: 'Quote' | 'Acceptance' | 'Confirmation', message: Readonly<Record<string, unknown>>): Promise<string> {
    if (this.domain === null) {
      const { body: { domain, chain_id, vault } } = await this.call('GET', '/v1/deployment')
      this.domain = { ...domain, chainId: Number(chain_id), verifyingContract: vault }
    }
    return signTyped(this.seat['wallet_private_key']!, this.domain, type, message)
  }

  stream(path: string, subscribe: object): Stream {
    return new Stream(this.url.replace('http', 'ws') + path, this.seat['api_key']!, subscribe)
  }
}

/** A socket, whose frames are read one by one. */
class Stream {
  readonly closed: Promise<readonly [code: number, reason: string]>
  private readonly frames: Body[] = []
  private heard = (): void => {}
  private declare readonly socket: WebSocket

  constructor(url: string, key: string, subscribe: object) {
    this.socket = new WebSocket(url, SUBPROTOCOL, { headers: { authorization: `Bearer ${key}` } })
    this.socket.on('open', () => { this.socket.send(JSON.stringify(subscribe)) })
    this.socket.on('message', (data) => {
      this.frames.push(JSON.parse(String(data as Buffer)))
      this.heard()
    })
    this.closed = once(this.socket, 'close').then(([code, reason]) => [code as number, String(reason as Buffer)] as const)
  }

  /** The next frame that is one of those, which may have come before. */
  async next(is: (frame: Body) => boolean): Promise<Body> {
    for (;;) {
      const place = this.frames.findIndex(is)
      if (place >= 0) return this.frames.splice(0, place + 1).at(-1)
      await new Promise<void>((resolve) => { this.heard = resolve })
    }
  }
}

/** Unix seconds of an instant of the wire. */
const secondsOf = (text: string): number => Math.floor(Date.parse(text) / 1000)
const ofEvent = (name: string, id: string, value: unknown) => (frame: Body): boolean => frame.event === name && frame.data[id] === value

/** The parts of a file that must have no secret in them. */
const filesOf = (folder: string): string[] => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))

/** Sends bytes to the port and returns what comes back until the connection ends, or nothing more comes. */
async function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (data) => { text += data.toString('latin1') })
  socket.on('error', () => {})
  socket.end(bytes, 'latin1')
  await once(socket, 'close')
  return text
}

interface Parties {
  readonly maker: Client
  readonly bettor: Client
  readonly offers: Stream
  readonly own: Stream
}

/** A bettor asks for prices of an outcome and accepts the maker's quote, which the maker has been told of: the accept waits for the maker. */
async function acceptedBy({ maker, bettor, offers, own }: Parties, outcomeId: string) {
  const rfq = await bettor.post('/v1/rfqs', { stake: '5000000', legs: [{ outcome_id: outcomeId, side: 'YES' }] })
  const { data } = await offers.next(ofEvent('RFQ_CREATED', 'rfq_id', rfq.rfq_id))
  const expiry = secondsOf(rfq.created_at) + 25
  const legs = data.legs.map(({ outcome_id, side }: Body) => ({ outcomeId: outcome_id, side }))
  const terms = { maker: maker.seat['maker_id'], rfqId: data.rfq_id, feeBps: data.fee_bps, takerFeeBps: data.taker_fee_bps }
  const quote = await maker.post(`/v1/rfqs/${data.rfq_id}/quotes`, {
    payout: '8000000', expiry,
    signature: await maker.sign('Quote', { ...terms, generation: data.generation, netStake: data.net_stake, payout: '8000000', expiry, legs }),
  })
  await own.next(ofEvent('QUOTE_CREATED', 'quote_id', quote.quote_id))
  const key = newKey()
  const [valid_after, valid_before] = [secondsOf(rfq.created_at) - 1, secondsOf(rfq.created_at) + 600]
  const accepting = bettor.post(`/v1/quotes/${quote.quote_id}/accept`, {
    valid_after, valid_before, signature: await bettor.sign('Acceptance', {
      taker: bettor.seat['account_id'], rfqId: rfq.rfq_id, quoteId: quote.quote_id, acceptanceId: key, stake: '5000000', core: '0', payout: '8000000',
      takerFeeBps: quote.taker_fee_bps, feeBps: quote.fee_bps, validAfter: valid_after, validBefore: valid_before,
    }),
  }, key)
  const { data: { acceptance_id } } = await offers.next(ofEvent('QUOTE_ACCEPTED', 'quote_id', quote.quote_id))
  return { quote, accepting, key, acceptance_id, terms }
}

describe('parlor serve with the outcome service', () => {
  it('OM-078 OM-153 OM-163 lets a maker and a bettor trade over HTTP and sockets, and leaves a run that is verified, without a secret', async () => {
    const folder = newFolder()
    put(folder, 'live.yaml', LIVE)
    // Slowly, since a maker has two seconds of virtual time to confirm.
    const { child, ended, path, credentials } = await serve(folder, 'live.yaml', '--json', '--speed', '0.3')
    const { url, seats } = (credentials as unknown as { outcome: { url: string; seats: Record<'ours' | 'me', Seat> } }).outcome
    // Prices as the seat sees them stand beside the service.
    const told = await (await fetch(`${url}/prices`, { headers: { authorization: `Bearer ${seats.ours.api_key}` } })).json() as { prices: { market: string }[] }
    expect(told.prices[0]!.market).toMatch(/^\d{20,}$/)
    const [maker, bettor] = [new Client(url, seats.ours), new Client(url, seats.me)]
    const offers = maker.stream('/v1/stream', { type: 'subscribe', channels: ['maker'] })
    const own = bettor.stream('/v1/stream', { type: 'subscribe', channels: ['account'] })
    await Promise.all([offers.next(({ type }) => type === 'snapshot'), own.next(({ type }) => type === 'snapshot')])
    const { body: { items } } = await bettor.call('GET', '/v1/markets?limit=200')
    const open = items.filter(({ status, bid, ask }: Body) => status === 'LISTED' && Number(bid) > 0.2 && Number(ask) < 0.8)
    const prices = bettor.stream('/v1/market-stream', { type: 'subscribe', outcomes: open.slice(0, 256).map(({ outcome_id }: Body) => outcome_id) })
    expect((await prices.next(({ type }) => type === 'prices')).prices).toHaveLength(Math.min(256, open.length))

    const { quote, accepting, key, acceptance_id, terms } = await acceptedBy({ maker, bettor, offers, own }, open[0].outcome_id)
    const confirmed = await maker.call('POST', `/v1/quotes/${quote.quote_id}/confirm`, {
      decision: 'CONFIRM', signature: await maker.sign('Confirmation', { ...terms, quoteId: quote.quote_id, acceptanceId: acceptance_id, payout: '8000000' }),
    })
    expect([acceptance_id, confirmed.status, confirmed.body.status]).toEqual([key, 200, 'CONFIRMED'])
    expect(await accepting).toEqual(confirmed.body)
    await own.next((frame) => ofEvent('OPERATION_UPDATED', 'operation_id', confirmed.body.operation_id)(frame) && frame.data.status === 'DONE')
    expect((await bettor.call('GET', '/v1/me/positions')).body.items).toMatchObject([{ payout: '8000000', cost: '5000000', status: 'OPEN' }])

    child.kill('SIGTERM')
    const { code, out, err } = await ended
    expect({ code, err: err.includes('error') }).toEqual({ code: 0, err: false })
    for (const stream of [offers, own, prices]) expect(await stream.closed).toEqual([1012, 'CONNECTION_DRAIN'])
    expect(existsSync(path)).toBe(false)
    const verified = await parlorHere(folder, 'verify', 'run')
    expect(verified).toMatchObject({ code: 0 })
    expect(verified.out).toContain('same  table external')
    const secrets = Object.values(seats).flatMap(({ api_key, wallet_private_key }) => [api_key!, wallet_private_key!])
    for (const file of filesOf(join(folder, 'run'))) for (const secret of secrets) expect(readFileSync(file).includes(secret)).toBe(false)
    for (const secret of secrets) expect(out + err).not.toContain(secret)
    expect(await parlorHere(folder, 'explain', 'run', '1')).toMatchObject({ code: 0 })
    expect(await parlorHere(folder, 'report', 'run')).toMatchObject({ code: 0 })
  })

  it('OM-160 OM-162 OM-278 answers what is malformed with an error of the document, or cuts it off, and plays on', async () => {
    const folder = newFolder()
    put(folder, 'live.yaml', LIVE)
    const { child, ended, credentials } = await serve(folder, 'live.yaml', '--json')
    const { url, seats } = (credentials as unknown as { outcome: { url: string; seats: Record<'ours' | 'me', Seat> } }).outcome
    const key = seats.me['api_key']!
    const post = async (body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) => {
      const answer = await fetch(`${url}/v1/rfqs`, { method: 'POST', headers: { authorization: `Bearer ${key}`, 'idempotency-key': newKey(), ...headers }, body })
      return [answer.status, ((await answer.json()) as { error: { code: string } }).error.code]
    }
    const bodies = ['', '{', '[]', 'null', '{"stake":"1","stake":"2","legs":[]}', '{"stake":1e400,"legs":[]}', '['.repeat(30_000), new Uint8Array([0xff, 0xfe, 0x7b]), 'x'.repeat(65_537), new Uint8Array(10_000_000)]
    for (const body of bodies) expect(await post(body)).toEqual([400, 'INVALID_REQUEST'])
    expect(await post('{}', { 'idempotency-key': 'x' })).toEqual([400, 'INVALID_IDEMPOTENCY_KEY'])
    expect(await post('{}', { authorization: 'Bearer \u00ff' })).toEqual([401, 'UNAUTHENTICATED'])
    // It may be cut off before it has read the answer.
    expect(await raw(url, 'GARBAGE\r\n\r\n')).toMatch(/^(HTTP\/1\.1 400 [^]*"code":"INVALID_REQUEST"[^]*)?$/)
    expect(await raw(url, `GET /v1/markets HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(5000)}\r\n`)).toMatch(/^(HTTP\/1\.1 4\d\d [^]*)?$/)
    expect((await fetch(`${url}/v1/markets`)).status).toBe(200)
    const closes = async (path: string, frame: string | Buffer): Promise<number> => {
      const socket = new WebSocket(url.replace('http', 'ws') + path, SUBPROTOCOL, { headers: { authorization: `Bearer ${key}` } })
      socket.on('error', () => {})
      socket.on('open', () => { socket.send(frame) })
      const [code] = await once(socket, 'close') as [number]
      return code
    }
    for (const path of ['/v1/stream', '/v1/market-stream']) {
      for (const frame of ['', '{', '[]', Buffer.from([0xff]), '{"type":"subscribe","type":"x"}', '['.repeat(100_000)]) expect(await closes(path, frame)).toBe(1008)
      expect(await closes(path, 'x'.repeat((1 << 20) + 1))).toBe(1009)
    }
    expect((await fetch(`${url}/v1/stream`)).status).toBe(400)
    const answer = await fetch(`${url}/v1/me/balances`, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
    expect(await parlorHere(folder, 'verify', 'run')).toMatchObject({ code: 0 })
  })

  it('OM-234 drains on SIGTERM: an accept that waits for its maker is answered CONNECTION_DRAIN, sockets are closed, and the run is verified', async () => {
    const folder = newFolder()
    put(folder, 'live.yaml', LIVE)
    const { child, ended, credentials } = await serve(folder, 'live.yaml', '--json', '--speed', '0.1')
    const { url, seats } = (credentials as unknown as { outcome: { url: string; seats: Record<'ours' | 'me', Seat> } }).outcome
    const [maker, bettor] = [new Client(url, seats.ours), new Client(url, seats.me)]
    const offers = maker.stream('/v1/stream', { type: 'subscribe', channels: ['maker'] })
    const own = bettor.stream('/v1/stream', { type: 'subscribe', channels: ['account'] })
    await Promise.all([offers.next(({ type }) => type === 'snapshot'), own.next(({ type }) => type === 'snapshot')])
    let open: Body[] = []
    for (; open.length === 0; await sleep(200)) {
      const { body: { items } } = await bettor.call('GET', '/v1/markets?limit=200')
      open = items.filter(({ status, bid, ask }: Body) => status === 'LISTED' && Number(bid) > 0.2 && Number(ask) < 0.8)
    }
    const { accepting } = await acceptedBy({ maker, bettor, offers, own }, open[0].outcome_id)
    const refused = accepting.catch(({ message }: Error) => message)
    child.kill('SIGTERM')
    expect(await refused).toMatch(/^\/v1\/quotes\/\w+\/accept: 503 .*"code":"CONNECTION_DRAIN"/)
    for (const stream of [offers, own]) expect(await stream.closed).toEqual([1012, 'CONNECTION_DRAIN'])
    expect(await ended).toMatchObject({ code: 0 })
    expect(await parlorHere(folder, 'verify', 'run')).toMatchObject({ code: 0 })
  })

  it('OM-001 OM-074 plays both services in one session, each on a port of its own and with its own clients', async () => {
    const folder = newFolder()
    put(folder, 'live.yaml', SMALL.replace('parlay: { profile: parlay@2.1 }', 'parlay: { profile: parlay@2.1, gate: {} }, outcome: { profile: outcome@1, gate: {} }').replace('until: 10m, max: 200', 'until: 50m').replace(/bettors:\n[^]*$/, `bettors:
  - { external: true, name: asks, service: parlay, bankroll: 1000 USDC }
  - { external: true, name: takes, service: outcome, bankroll: 1000 USDC }
makers:
  - { use: silent, name: one, service: parlay, capital: 50000 USDC }
  - { use: silent, name: other, service: outcome, capital: 50000 USDC }
`))
    const { child, ended, credentials: { parlay, outcome } } = await serve(folder, 'live.yaml', '--json')
    const client = new Client(outcome!.url, outcome!.seats['takes']!)
    const prices = async ({ url }: { readonly url: string }, headers: Readonly<Record<string, string>>): Promise<string[]> =>
      (await (await fetch(`${url}/prices`, { headers })).json() as { prices: { market: string; yes_ask: number | null }[] }).prices.filter(({ yes_ask }) => yes_ask !== null).map(({ market }) => market)
    const outcomes = await prices(outcome!, { authorization: `Bearer ${outcome!.seats['takes']!['api_key']}` })
    const own = { 'x-api-key': parlay.seats['asks']!.api_key }
    const tickers = await prices(parlay, own)
    const portfolio = await fetch(`${parlay.url}/v1/portfolio`, { headers: own })
    // The service lists a market some virtual milliseconds after the session began at the earliest, and others of the recording never.
    let listed: string[] = []
    while (listed.length === 0) {
      const { body: { items } } = await client.call('GET', '/v1/markets?limit=200')
      listed = outcomes.filter((id) => items.some(({ outcome_id }: Body) => outcome_id === id))
    }
    const rfq = await client.post('/v1/rfqs', { stake: '5000000', legs: [{ outcome_id: listed[0], side: 'YES' }] }) as { readonly status: string; readonly stake: string }
    expect([portfolio.status, tickers.length > 0, rfq.status, rfq.stake]).toEqual([200, true, 'OPEN', '5000000'])
    // A credential of one service is none of the other.
    expect((await fetch(`${outcome!.url}/v1/me/balances`, { headers: { authorization: `Bearer ${parlay.seats['asks']!.api_key}` } })).status).toBe(401)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
    expect(await parlorHere(folder, 'verify', 'run')).toMatchObject({ code: 0 })
  })
})
