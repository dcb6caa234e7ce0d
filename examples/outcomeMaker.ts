// A maker of the outcome service. It quotes bettors' RFQs at what the legs cost and a margin, and confirms what is accepted, by the service's time.
//     npx parlor serve scenarios/live-outcome.yaml --credentials keys.json
//     node examples/outcomeMaker.ts keys.json our-maker
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

interface Seat { readonly api_key: string; readonly maker_id: string; readonly wallet_private_key: Hex }
interface Deployment { readonly chain_id: string; readonly vault: Hex; readonly taker_fee_bps: number; readonly fee_bps: number; readonly domain: { readonly name: string; readonly version: string } }
interface Prices { readonly next: number; readonly now_us: number; readonly has_more: boolean; readonly prices: readonly { market: string; yes_bid: number | null; yes_ask: number | null }[] }
interface Rfq { readonly rfq_id: string; readonly kind: string; readonly generation: number; readonly net_stake: string; readonly legs: readonly { outcome_id: string; side: 'YES' | 'NO' }[] }
interface Accepted { readonly rfq_id: string; readonly quote_id: string; readonly acceptance_id: string; readonly payout: string }

const [MARGIN, EXPIRES_IN_S, REFRESH_MS] = [0.02, 20, 1000]
const TYPES: Readonly<Record<string, string>> = {
  Quote: 'string maker, string rfqId, uint64 generation, uint256 netStake, uint256 payout, uint64 takerFeeBps, uint64 feeBps, uint64 expiry, Leg[] legs',
  Leg: 'string outcomeId, string side',
  Confirmation: 'string maker, string rfqId, bytes32 quoteId, string acceptanceId, uint256 payout, uint64 takerFeeBps, uint64 feeBps',
}
const [path, name] = process.argv.slice(2) as [string, string]
const { url, seats } = (JSON.parse(readFileSync(path, 'utf8')) as { outcome: { url: string; seats: Record<string, Seat> } }).outcome
const { api_key, maker_id, wallet_private_key } = seats[name]!
const headers = { authorization: `Bearer ${api_key}` }
const get = async (route: string): Promise<unknown> => (await fetch(url + route, { headers })).json()
const post = (route: string, body: object, more = {}): Promise<Response> => fetch(url + route, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })
const costs = new Map<string, { readonly YES: number; readonly NO: number }>()
let nowS = 0

async function followPrices(): Promise<never> {
  for (let from = 0; ;) {
    const { prices, next, now_us, has_more } = await get(`/prices?ticks=latest&from=${from}`) as Prices
    for (const { market, yes_bid, yes_ask } of prices) costs.set(market, { YES: yes_ask ?? NaN, NO: 1 - (yes_bid ?? NaN) })
    ;[from, nowS] = [next, Math.floor(now_us / 1e6)]
    if (!has_more) await sleep(REFRESH_MS)
  }
}

// Acts on frames until the stream breaks. The next one goes on behind the last frame.
const followStream = (behind: { cursor?: string }) => new Promise<{ cursor?: string }>((broke, failed) => {
  let [last, isOpen] = [behind, false]
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/stream`, { protocols: 'outcome-rfq.v1', headers })
  socket.addEventListener('open', () => { isOpen = true; socket.send(JSON.stringify({ type: 'subscribe', channels: ['maker'], ...behind })) })
  socket.addEventListener('message', ({ data: text }) => {
    const { cursor, event, data } = JSON.parse(text as string) as { cursor: string; event?: string; data: Rfq & Accepted }
    last = { cursor }
    if (event === 'RFQ_CREATED' || event === 'QUOTE_ACCEPTED') (event === 'RFQ_CREATED' ? quote(data) : confirm(data)).catch(failed)
  })
  socket.addEventListener('close', ({ reason }) => { if (isOpen) broke(reason === 'CURSOR_RESET' ? {} : last); else failed(reason) })
})

async function sign(primaryType: string, terms: object): Promise<string> {
  const { domain: names, chain_id, vault, taker_fee_bps, fee_bps } = await deployment
  const types = Object.fromEntries(Object.entries(TYPES).map(([type, text]) => [type, text.split(', ').map((field) => ({ type: field.split(' ')[0]!, name: field.split(' ')[1]! }))]))
  const domain = { ...names, chainId: Number(chain_id), verifyingContract: vault }
  const message = { maker: maker_id, takerFeeBps: BigInt(taker_fee_bps), feeBps: BigInt(fee_bps), ...terms }
  return privateKeyToAccount(wallet_private_key).signTypedData({ domain, types, primaryType, message })
}

async function quote({ rfq_id, kind, generation, net_stake, legs }: Rfq): Promise<void> {
  const price = legs.reduce((product, { outcome_id, side }) => product * (costs.get(outcome_id)?.[side] ?? NaN), 1 + MARGIN)
  // NaN, while nobody offers a side, is in no interval.
  if (kind !== 'ENTRY' || !(price > 0.001 && price < 0.95)) return
  const [payout, expiry, signedLegs] = [BigInt(Math.floor(Number(net_stake) / price)), nowS + EXPIRES_IN_S, legs.map(({ outcome_id: outcomeId, side }) => ({ outcomeId, side }))]
  const signature = await sign('Quote', { rfqId: rfq_id, generation: BigInt(generation), netStake: BigInt(net_stake), payout, expiry: BigInt(expiry), legs: signedLegs })
  const uuid7 = `${(nowS * 1000).toString(16).padStart(12, '0').replace(/^.{8}/, '$&-')}-7${randomUUID().slice(15)}`
  const { status } = await post(`/v1/rfqs/${rfq_id}/quotes`, { payout: String(payout), expiry, generation, signature }, { 'idempotency-key': uuid7 })
  console.log(`quote ${rfq_id} for ${payout}: ${status}`)
}

async function confirm({ rfq_id, quote_id, acceptance_id, payout }: Accepted): Promise<void> {
  const signature = await sign('Confirmation', { rfqId: rfq_id, quoteId: quote_id, acceptanceId: acceptance_id, payout: BigInt(payout) })
  const { status } = await post(`/v1/quotes/${quote_id}/confirm`, { decision: 'CONFIRM', signature })
  console.log(`confirm ${quote_id.slice(0, 10)}: ${status}`)
}
const deployment = get('/v1/deployment') as Promise<Deployment>
const followEvents = async (behind = {}): Promise<never> => followEvents(await followStream(behind))
await Promise.all([followPrices(), followEvents()]).catch(() => { console.log('the session is over'); process.exit() })
