// Clients that load a server: `node clients.ts LOAD`, where LOAD is JSON of a Load. Prints what came of it, JSON of a Loaded.
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, Pool } from 'undici'

export interface Load {
  readonly url: string
  /** API keys of the makers, each with its stream. */
  readonly makers: readonly string[]
  /** API key of the bettor that asks for quotes; null: the server only answers. */
  readonly bettor: string | null
  readonly seconds: number
  /** It is over before that once so many quotes have been accepted. */
  readonly quotes?: number
  /** Quotes that are sent before the first of them is answered, and one more with each answer. */
  readonly atOnce?: number
  /** Or quotes a second, whatever becomes of them. */
  readonly perSecond?: number
}

export interface Loaded {
  readonly accepted: number
  /** From when a quote was due until the best-quote event had come to a stream; of a server that only answers, until the answer. NaN: not timed. */
  readonly p50Ms: number
  readonly p99Ms: number
}

interface Asked {
  readonly id: string
  readonly version: number
  readonly request_hash: string
}

const REQUESTS = 8
/** Of fewer markets with prices, all may exclude each other. */
const MARKETS_MIN = 6
const ODDS_E4_MIN = 20_000
const CONNECTIONS = 128
/** How long a quote is good. */
const VALID_MS = 60_000
/** Connections are made and code is compiled in it. */
const WARM_MS = 2000

const terms = JSON.parse(process.argv[2]!) as Load
const pool = new Pool(terms.url, { connections: CONNECTIONS, pipelining: 1 })
/** Streams stay open, each on a connection of its own. */
const streaming = new Agent({ bodyTimeout: 0, headersTimeout: 0 })
const asked: Asked[] = []
const dueMsOf = new Map<string, number>()
const tookMs: number[] = []
let accepted = 0
let isTimed = false

const keyOf = (request: string, odds: number): string => `${request} ${odds}`

function told(event: string, data: string): void {
  if (event === 'quote_request' && !asked.some(({ id }) => data.includes(id))) asked.push(JSON.parse(data) as Asked)
  if (event !== 'best_quote' || !isTimed) return
  const { quote_request_id, payout_odds } = JSON.parse(data) as { readonly quote_request_id: string; readonly payout_odds: number }
  const dueMs = dueMsOf.get(keyOf(quote_request_id, payout_odds))
  if (dueMs !== undefined) tookMs.push(performance.now() - dueMs)
}

async function follow(key: string): Promise<void> {
  const { statusCode, body } = await streaming.request({ origin: terms.url, path: '/v1/mm/stream', method: 'GET', headers: { 'x-api-key': key, accept: 'text/event-stream' } })
  if (statusCode !== 200) throw new Error(`stream: ${statusCode} ${await body.text()}`)
  let text = ''
  body.setEncoding('utf8')
  body.on('error', () => {})
  body.on('data', (part: string) => {
    const events = (text + part).split('\n\n')
    text = events.pop()!
    for (const one of events) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/m.exec(one) ?? []
      if (data !== undefined) told(event!, data)
    }
  })
}

interface Listed {
  readonly ticker: string
  readonly venue: string
  readonly yes_ask: number | null
}

/** The first market of each event that has a price. */
async function pricedMarkets(headers: Readonly<Record<string, string>>): Promise<readonly Listed[]> {
  const listed = await pool.request({ path: '/v1/markets?limit=40&markets_per_event=10', method: 'GET', headers })
  const { data: { events } } = await listed.body.json() as { data: { events: { markets: Listed[] }[] } }
  return events.flatMap(({ markets: [first] }) => (first === undefined || first.yes_ask === null ? [] : [first]))
}

/** Has the bettor ask for quotes of two legs, and waits until the first maker has heard of all. */
async function ask(bettor: string): Promise<void> {
  const headers = { 'x-api-key': bettor, 'content-type': 'application/json' }
  const deadline = performance.now() + 20_000
  let markets = await pricedMarkets(headers)
  // A session that has just begun has few prices.
  while (markets.length < MARKETS_MIN && performance.now() < deadline) {
    await sleep(100)
    markets = await pricedMarkets(headers)
  }
  if (markets.length < 2) throw new Error('no two markets have a price after 20 s')
  let requests = 0
  for (let i = 0; requests < REQUESTS; i++) {
    const [one, apart] = [i % markets.length, 1 + Math.floor(i / markets.length) % (markets.length - 1)]
    const legs = [markets[one]!, markets[(one + apart) % markets.length]!].map(({ ticker, venue }) => ({ market_ticker: ticker, side: 'yes', venue }))
    const { statusCode, body } = await pool.request({ path: '/v1/quote-requests', method: 'POST', headers, body: JSON.stringify({ legs, bet_amount: 1 }) })
    const text = await body.text()
    if (statusCode === 201) requests++
    // Two markets that exclude each other make no parlay.
    else if (!text.includes('exclusion_conflict') || i > REQUESTS * markets.length ** 2) throw new Error(`asked: ${statusCode} ${text}`)
  }
  while (asked.length < REQUESTS) {
    if (performance.now() > deadline) throw new Error(`heard of ${asked.length} requests in 20 s`)
    await sleep(20)
  }
}

let sent = 0
/** The next maker quotes on the next request, better than anyone before. The quote was due at `dueMs`. */
async function quote(dueMs: number): Promise<void> {
  const n = sent++
  const request = asked[n % asked.length]!
  const odds = (ODDS_E4_MIN + Math.floor(n / asked.length)) / 10_000
  if (isTimed) dueMsOf.set(keyOf(request.id, odds), dueMs)
  const { statusCode, body } = await pool.request({
    path: `/v1/mm/quote-requests/${request.id}/quote`, method: 'PUT', headers: { 'x-api-key': terms.makers[n % terms.makers.length]!, 'content-type': 'application/json' },
    body: JSON.stringify({ request_version: request.version, request_hash: request.request_hash, payout_odds: odds, expires_in_ms: VALID_MS }),
  })
  const text = await body.text()
  if (statusCode !== 200 && statusCode !== 201) throw new Error(`quote at ${odds}: ${statusCode} ${text}`)
  accepted++
  if (isTimed && terms.bettor === null) tookMs.push(performance.now() - dueMs)
}

const quantile = (sorted: readonly number[], share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN

if (terms.bettor === null) asked.push({ id: 'x', version: 1, request_hash: '0'.repeat(64) })
else {
  await Promise.all(terms.makers.map((key) => follow(key)))
  await ask(terms.bettor)
}
const endMs = performance.now() + terms.seconds * 1000
if (terms.perSecond === undefined) {
  await Promise.all(Array.from({ length: terms.atOnce! }, async () => {
    while (performance.now() < endMs && accepted < (terms.quotes ?? Infinity)) await quote(performance.now())
  }))
} else {
  const beganMs = performance.now()
  const quotes: Promise<void>[] = []
  while (performance.now() < endMs + WARM_MS) {
    isTimed = performance.now() > beganMs + WARM_MS
    // All that are due. A client that was held up catches up, and a quote that goes out late is timed from when it was due.
    for (const due = (performance.now() - beganMs) / 1000 * terms.perSecond; quotes.length < due;) quotes.push(quote(beganMs + quotes.length / terms.perSecond * 1000))
    await sleep(1)
  }
  await Promise.all(quotes)
  await sleep(500)
}
tookMs.sort((a, b) => a - b)
console.log(JSON.stringify({ accepted, p50Ms: quantile(tookMs, 0.5), p99Ms: quantile(tookMs, 0.99) } satisfies Loaded))
process.exit(0)
