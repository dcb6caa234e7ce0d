import { expect, it } from 'vitest'
import { Price, PRICE_STRIDE, PriceBoard } from '../../../src/market/priceBoard.ts'
import type { TickBody } from '../../../src/serve/session/priceFeed.ts'
import { type Answered, callOnce, LockstepClient } from './lockstepClient.ts'
import { digestAgain, digestInside, type PlayedMaker, playedOutside, preparedOf, scenarioOf, tokenOf } from './served.ts'
import { wireHandlers } from './wirePlay.ts'

const way = (feed: string): string => `{ feed: ${feed}, broadcast: 5ms, quote: 5ms, confirm: 5ms }`
const MAKERS: readonly PlayedMaker[] = [{ name: 'a', use: 'silent', latency: way('0ms') }, { name: 'b', use: 'silent', latency: way('30s') }]
const FEEDS_US: Readonly<Record<string, number>> = { a: 0, b: 30_000_000 }

it('a client reads what a desk of its seat would see, at any time and with no turn, and leaves the session as it is', async () => {
  const session = await preparedOf(scenarioOf(MAKERS, true, 20))
  const { catalogue: { markets } } = session.store
  const read: { readonly name: string; readonly atUs: number; readonly answer: Answered }[] = []
  let config: { readonly ticks: ConstructorParameters<typeof PriceBoard>[0]; readonly marketCount: number } | null = null
  let stranger: Answered | null = null
  const { digest, rows } = await playedOutside(session, async ({ url, controlUrl, served, credentials }) => {
    ({ config } = served.built)
    return Promise.all(MAKERS.map(async ({ name }) => {
      const headers = { 'x-api-key': credentials[name]!['api_key']! }
      const client: LockstepClient = await LockstepClient.connect({
        url, controlUrl, token: tokenOf(served.seats.find((seat) => seat.name === name)!.account), headers, streams: ['/v1/mm/stream'],
        act: ({ n, at_us }) => {
          const asked = async (): Promise<void> => {
            stranger ??= await callOnce(`${url}/prices`, 'GET', '', {})
            read.push({ name, atUs: at_us, answer: await callOnce(`${url}/prices`, 'GET', '', headers) })
            client.say({ frame: 'done', n, calls: 0 })
          }
          void asked()
          return null
        },
      })
      return client
    }))
  }, { handlers: wireHandlers(session) })
  expect(stranger!.status).toBe(401)
  const compared = { a: 0, b: 0 }
  const boards = new Map(MAKERS.map(({ name }) => [name, new PriceBoard(config!.ticks, config!.marketCount, FEEDS_US[name]!)]))
  for (const { name, atUs, answer } of read) {
    const board = boards.get(name)!
    board.advance(atUs)
    const { now_us, prices } = JSON.parse(answer.body) as { readonly now_us: number; readonly prices: readonly TickBody[] }
    expect(now_us).toBe(atUs)
    const bids = new Map(prices.map(({ market, yes_bid }) => [market, yes_bid]))
    markets.forEach(({ ticker }, market) => {
      const bidE6 = board.cells[market * PRICE_STRIDE + Price.bidE6]!
      expect(bids.get(ticker) ?? null).toBe(bidE6 < 0 ? null : bidE6 / 1e6)
    })
    compared[name as 'a' | 'b'] += prices.length
  }
  expect(Math.min(compared.a, compared.b)).toBeGreaterThan(100)
  expect(digest).toBe(await digestInside(MAKERS, 20))
  expect(digestAgain(session, rows)).toBe(digest)
})
