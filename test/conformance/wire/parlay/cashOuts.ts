import { holds, is, like, sees } from '../expect.ts'
import type { Json, Seen } from '../client.ts'
import type { Area } from '../rules.ts'
import { INSTANT, UUID } from '../world.ts'
import { NO_ID, type World } from './world.ts'

const reason = (text: string, code = 'CONFLICT') => ({ error: { code, details: { reason: text } } })
const INVALID = { error: { code: 'VALIDATION_ERROR', details: { issues: Array.isArray } } }
const commit = (w: World, id: string, body?: object): Promise<Seen> => w.as(w.mine).post(`/v1/cashout-requests/${id}/commit`, body)

/** A bid that is refused for its shape. */
async function refuses(w: World, bodies: readonly (object | string)[]): Promise<void> {
  await w.inAuction(async ({ auction }) => { for (const body of bodies) sees(await w.bid('m2', auction.id, body), 400, INVALID) })
}

export const CASH_OUTS: Area<World> = {
  name: 'cash-outs', service: 'parlay', session: 'parlay',
  rows: [
    ['PQ-258 PQ-099', 'an auction is opened by the holder: 201', (w) => w.inAuction(async ({ auction, fill }) => {
      like(auction, {
        id: UUID, rfq_id: fill.commit.rfq_id, position_id: /^[0-9a-f]{64}$/, status: 'active', market_maker_id: null, user_stake: 24.75, total_payout: 99, best_price_micro: null, created_at: INSTANT,
      })
      sees(await w.as(w.mine).get(`/v1/cashout-requests/${auction.id}`), 200, { data: { cashout_request: auction } })
    })],
    ['PQ-092', 'it names the backing maker', async (w) => { is((await w.auction()).auction.counterparty_mm_id, w.seat('m1')['user_id']) }],
    ['PQ-416', 'it lasts 10 s', async (w) => {
      const { auction: { created_at, expires_at } } = await w.auction()
      is(Date.parse(expires_at) - Date.parse(created_at), 10_000, 'its life in ms')
    }],
    ['PQ-197', 'a bid is placed', (w) => w.inAuction(async ({ auction }) => {
      sees(await w.bid('m2', auction.id, { price_micro: 30_000_000, expires_in_ms: 8000 }), 200, { data: { id: UUID, cashout_request_id: auction.id, status: 'live', price_micro: 30_000_000, expires_at: INSTANT } })
    })],
    ['PQ-199', 'a bid lasts 5 to 60 s', (w) => w.inAuction(async ({ auction }) => {
      const statuses = []
      for (const expires_in_ms of [4999, 5000, 60_000, 60_001]) statuses.push((await w.bid('m2', auction.id, { price_micro: 1, expires_in_ms })).status)
      is(statuses, [400, 200, 200, 400])
    })],
    ['PQ-384', 'a price that is no integer is 400', (w) => refuses(w, [{ price_micro: 1.5 }, { price_micro: '1000000' }, {}])],
    ['PQ-385', 'a price of zero or less is 400', (w) => refuses(w, [{ price_micro: 0 }, { price_micro: -1 }])],
    ['PQ-386', 'a life out of its range is 400', (w) => refuses(w, [{ price_micro: 1, expires_in_ms: 4999 }, { price_micro: 1, expires_in_ms: 60_001 }])],
    ['PQ-387', 'a field that nobody knows is 400', (w) => refuses(w, [{ price_micro: 1, memo: 'x' }])],
    ['PQ-458', 'a bid has no direction', (w) => refuses(w, [{ price_micro: 1, direction: 'close' }])],
    ['PQ-388', 'malformed JSON is 400', (w) => refuses(w, ['{"price_micro":1', 'price_micro=1'])],
    ['PQ-391', 'a bid needs mm:quote', (w) => w.inAuction(async ({ auction }) => {
      sees(await (await w.keyWith('m2', ['trading:write'])).put(`/v1/mm/cashout-requests/${auction.id}/quote`, { price_micro: 1 }), 403, reason('insufficient_scope', 'FORBIDDEN'))
    })],
    ['PQ-392', 'an auction of nothing is not found', async (w) => { sees(await w.bid('m2', NO_ID, { price_micro: 1 }), 404, { error: { code: 'NOT_FOUND' } }) }],
    ['PQ-393', 'the seller may not bid', (w) => w.inAuction(async ({ fill, auction }) => {
      holds(fill.commit.rfq_id === auction.rfq_id, 'a maker’s own parlay')
      sees(await w.bid('m3', auction.id, { price_micro: 1 }), 409, reason('self_quote'))
    }, 'm3', 'm1')],
    ['PQ-389 PQ-097', 'a bid above the payout is told the highest', (w) => w.inAuction(async ({ auction }) => {
      sees(await w.bid('m2', auction.id, { price_micro: 99_000_001 }), 400, { error: { details: { reason: 'price_above_max_payout', max_price_micro: 99_000_000 } } })
      sees(await w.bid('m2', auction.id, { price_micro: 99_000_000 }), 200)
    })],
    ['PQ-390', 'the backing maker’s bid is bounded by its collateral', (w) => w.inAuction(async ({ auction }) => {
      // The payout of 99 USDC less the fee of 1 % on the 74.25 USDC at risk.
      sees(await w.bid('m1', auction.id, { price_micro: 98_257_501 }), 400, reason('price_above_buyback_bound', 'VALIDATION_ERROR'))
      sees(await w.bid('m1', auction.id, { price_micro: 98_257_500 }), 200)
    })],
    ['PQ-394', 'a bid in an auction that was cancelled: not_active', (w) => w.inAuction(async ({ auction }) => {
      sees(await w.as(w.mine).post(`/v1/cashout-requests/${auction.id}/cancel`), 200, { data: { cashout_request: { status: 'cancelled' } } })
      sees(await w.bid('m2', auction.id, { price_micro: 1 }), 409, reason('not_active'))
    })],
    ['PQ-093 PQ-259', 'a seller’s commit takes the best bid, and names the maker that won', (w) => w.inAuction(async ({ auction, fill }) => {
      sees(await w.bid('m1', auction.id, { price_micro: 30_000_000 }), 200)
      sees(await w.bid('m2', auction.id, { price_micro: 40_000_000 }), 200)
      // The fee is 1 % of 40 − 24.75 USDC.
      sees(await commit(w, auction.id, { min_price_micro: 40_000_000 }), 200, { data: { cashout_request: {
        status: 'committed', market_maker_id: w.seat('m2')['user_id'], counterparty_mm_id: w.seat('m1')['user_id'], best_price_micro: 40_000_000, profit_fee: 0.1525, proceeds: 39.8475,
      } } })
      sees(await w.as(w.mine).get(`/v1/parlays/${fill.commit.rfq_id}`), 200, { data: { parlay: { outcome: 'sold', received: 39.8475 } } })
      sees(await w.as('m2').get(`/v1/parlays/${fill.commit.rfq_id}`), 200, { data: { parlay: { bet_amount: 40, counterparty_mm_id: w.seat('m1')['user_id'] } } })
    })],
    ['PQ-455', 'the backing maker closes the position', (w) => w.inAuction(async ({ auction, fill }) => {
      sees(await w.bid('m1', auction.id, { price_micro: 30_000_000 }), 200)
      sees(await commit(w, auction.id), 200, { data: { cashout_request: { market_maker_id: w.seat('m1')['user_id'] } } })
      sees(await w.as(w.mine).get(`/v1/parlays/${fill.commit.rfq_id}`), 200, { data: { parlay: { outcome: 'bought_back' } } })
    })],
    ['PQ-408 PQ-403', 'a bid without its money is 409 to the seller, and the next commit takes the next bid', async (w) => {
      const rich = 'b22'
      let isPoor = false
      const deposit = async (): Promise<void> => { sees(await w.jwt(rich).post('/v1/vault/deposit', { amount: 960 }), 200) }
      await w.inAuction(async ({ auction }) => {
        if (isPoor) await deposit()
        const bidder = await w.keyWith(rich, ['mm:quote'])
        sees(await bidder.put(`/v1/mm/cashout-requests/${auction.id}/quote`, { price_micro: 50_000_000 }), 200)
        sees(await w.bid('m2', auction.id, { price_micro: 30_000_000 }), 200)
        sees(await w.jwt(rich).post('/v1/vault/withdraw', { amount: 960 }), 200)
        isPoor = true
        sees(await commit(w, auction.id), 409, reason('insufficient_buyer_balance'))
        sees(await commit(w, auction.id), 200, { data: { cashout_request: { market_maker_id: w.seat('m2')['user_id'], best_price_micro: 30_000_000 } } })
      })
      await deposit()
    }],
    ['PQ-022 PQ-023 PQ-024', 'what ends in _micro is an integer, and other money a decimal number, in one body', (w) => w.inAuction(async ({ auction }) => {
      sees(await w.bid('m2', auction.id, { price_micro: 30_000_001 }), 200)
      const { cashout_request } = sees(await commit(w, auction.id), 200).data
      like(cashout_request, { best_price_micro: 30_000_001, user_stake: 24.75, proceeds: (value: Json) => typeof value === 'number' && value > 29 && value < 30.000001 })
    })],
    ['PQ-348', 'past its window an auction is GONE', async (w) => {
      const { auction } = await w.auction()
      await new Promise((resolve) => { setTimeout(resolve, 10_300) })
      sees(await commit(w, auction.id), 410, { error: { code: 'GONE' } })
      sees(await w.bid('m2', auction.id, { price_micro: 1 }), 409, reason('expired'))
    }],
  ],
}
