// A maker of the parlay service. It asks for the product of what its legs cost and a margin on top, and confirms what it has quoted.
//
//     npx parlor serve scenarios/live.yaml --credentials keys.json
//     node examples/maker.ts keys.json our-maker
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

interface Leg { readonly market_ticker: string; readonly side: 'yes' | 'no' }
interface Market { readonly ticker: string; readonly yes_ask: number | null; readonly no_ask: number | null }
interface Request { readonly id: string; readonly version: number; readonly request_hash: string; readonly legs: readonly Leg[] }

const MARGIN = 0.03
const REFRESH_S = 2
const [path, seat] = process.argv.slice(2) as [string, string]
const { url, seats } = (JSON.parse(readFileSync(path, 'utf8')) as { parlay: { url: string; seats: Record<string, { api_key: string }> } }).parlay
const key = seats[seat]!.api_key
const prices = new Map<string, Market>()

const call = (method: string, route: string, body?: unknown): Promise<Response> =>
  fetch(url + route, { method, headers: { 'x-api-key': key, 'content-type': 'application/json' }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })

async function followPrices(): Promise<void> {
  for (;;) {
    const answer = await call('GET', '/v1/markets?limit=40&markets_per_event=50')
    if (answer.ok) {
      const { data } = await answer.json() as { data: { events: { markets: Market[] }[] } }
      for (const market of data.events.flatMap(({ markets }) => markets)) prices.set(market.ticker, market)
    }
    await sleep(1000 * Math.max(REFRESH_S, Number(answer.headers.get('retry-after') ?? 0)))
  }
}

async function quoteRequests(): Promise<void> {
  const stream = await fetch(`${url}/v1/mm/stream`, { headers: { 'x-api-key': key, accept: 'text/event-stream' } })
  let text = ''
  for await (const part of stream.body!.pipeThrough(new TextDecoderStream())) {
    const events = (text + part).split('\n\n')
    text = events.pop()!
    for (const event of events) {
      const data = /^event: quote_request\ndata: (.*)$/m.exec(event)?.[1]
      if (data !== undefined) await quote(JSON.parse(data) as Request)
    }
  }
}

async function quote({ id, version, request_hash, legs }: Request): Promise<void> {
  const costs = legs.map(({ market_ticker, side }) => (side === 'yes' ? prices.get(market_ticker)?.yes_ask : prices.get(market_ticker)?.no_ask) ?? NaN)
  const asked = costs.reduce((product, cost) => product * cost, 1 + MARGIN)
  // NaN, for a leg without a price, is in no interval.
  if (!(asked > 0.0011 && asked < 0.95)) return
  const payout_odds = Math.floor(10_000 / asked) / 10_000
  const { status } = await call('PUT', `/v1/mm/quote-requests/${id}/quote`, { request_version: version, request_hash, payout_odds })
  console.log(`quote ${id.slice(0, 8)} at ${payout_odds}: ${status}`)
}

function confirmSelections(): Promise<never> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws`)
  socket.addEventListener('open', () => { socket.send(JSON.stringify({ type: 'auth', api_key: key })) })
  return new Promise((_, reject) => {
    socket.addEventListener('close', reject)
    socket.addEventListener('message', ({ data }) => {
      const { type, data: selected } = JSON.parse(data as string) as { type: string; data: { quote_request_id: string; quote_id: string } }
      if (type !== 'quote:accepted') return
      call('POST', `/v1/mm/quote-requests/${selected.quote_request_id}/quote/confirm`, { quote_id: selected.quote_id })
        .then(({ status }) => { console.log(`confirm ${selected.quote_request_id.slice(0, 8)}: ${status}`) }, reject)
    })
  })
}

await Promise.all([followPrices(), quoteRequests(), confirmSelections()]).catch(() => { console.log('the session is over'); process.exit() })
