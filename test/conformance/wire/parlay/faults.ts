import { is, sees } from '../expect.ts'
import type { Json, Seen } from '../client.ts'
import type { Area } from '../rules.ts'
import { until } from '../world.ts'
import type { World } from './world.ts'

const ADDRESS = '1'.repeat(32)
const saying = (reason: string) => ({ body }: { readonly body: { readonly error?: { readonly details?: { readonly reason?: string } } } | null }): boolean => body?.error?.details?.reason === reason

async function grossMicros(w: World, name: string): Promise<number> {
  return Math.round(sees(await w.as(name).get('/v1/portfolio'), 200).data.balance.gross_balance * 1e6)
}

/** Each fault comes again every minute. */
const ROUNDS_MS = 240_000
const untilFault = (call: () => Promise<Seen>, isIt: (seen: Seen) => boolean, what: string): Promise<Seen> => until(call, isIt, what, ROUNDS_MS)

/** What is seen while something that the service needs is away: one fault after another, as the session's scenario has them. */
export const FAULTS: Area<World> = {
  name: 'faults', service: 'parlay', session: 'parlay-faults',
  rows: [
    ['PQ-376', 'a quote whose fee rate cannot be read: fee_unavailable', async (w) => {
      sees(await untilFault(async () => w.quote('m1', await w.request('b1')), saying('fee_unavailable'), 'fee_unavailable'), 503, { error: { code: 'SERVICE_UNAVAILABLE' } })
    }],
    ['PQ-375', 'a quote whose collateral cannot be checked: collateral_check_unavailable', async (w) => {
      sees(await untilFault(async () => w.quote('m2', await w.request('b2')), saying('collateral_check_unavailable'), 'collateral_check_unavailable'), 503, { error: { code: 'SERVICE_UNAVAILABLE' } })
    }],
    ['PQ-225 PQ-353', 'a withdrawal while the chain is off', async (w) => {
      const seen = await untilFault(() => w.as('b3').post('/v1/vault/withdraw', { amount: 0.000001 }), saying('chain_disabled'), 'chain_disabled')
      sees(seen, 503, { error: { code: 'SERVICE_UNAVAILABLE' } })
      is(seen.headers['content-type']?.startsWith('application/json'), true)
    }],
    ['PQ-083', 'a deposit can be balance_pending or chain_pending', async (w) => {
      sees(await untilFault(() => w.as('b4').post('/v1/vault/deposit', { amount: 0.000001 }), ({ body }) => body.data?.status === 'balance_pending', 'balance_pending'), 200)
      sees(await untilFault(() => w.as('b5').post('/v1/vault/deposit', { amount: 0.000001 }), ({ body }) => body.data?.status === 'chain_pending', 'chain_pending'), 200)
    }],
    ['PQ-084', 'a withdrawal that is not clear yet is an error', async (w) => {
      sees(await untilFault(() => w.as('b6').post('/v1/vault/withdraw', { amount: 0.000001 }), saying('recovery_pending'), 'recovery_pending'), 503)
    }],
    ['PQ-224 PQ-351', 'a withdrawal fails with 500, and nothing has happened', async (w) => {
      let before = NaN
      const seen = await untilFault(async () => {
        before = await grossMicros(w, 'b7')
        return w.as('b7').post('/v1/vault/withdraw', { amount: 0.000001 })
      }, saying('withdrawal_failed'), 'a withdrawal that fails')
      sees(seen, 500, { error: { code: 'INTERNAL_ERROR' } })
      is(await grossMicros(w, 'b7'), before)
    }],
    ['PQ-352', 'a wallet withdrawal gets no further than the wallet: 502, and its details say what has left the vault', async (w) => {
      let before = NaN
      const seen = await untilFault(async () => {
        before = await grossMicros(w, 'b8')
        return w.as('b8').post('/v1/wallet/withdraw', { amount: 0.000002, address: ADDRESS })
      }, saying('wallet_transfer_failed'), 'a partial success')
      sees(seen, 502, { error: { code: 'PARTIAL_VAULT_ONLY', details: { tx_signature: String, amount: 0.000002 } } })
      is(await grossMicros(w, 'b8'), before - 2)
    }],
  ],
}

/** What takes its time: a minute goes by in six seconds. */
export const WINDOWS: Area<World> = {
  name: 'windows', service: 'parlay', session: 'parlay-fast',
  rows: [
    ['PQ-195', 'a quote that ran out is already_expired', async (w) => {
      const request = await w.request()
      sees(await w.quote('m1', request, 4, { expires_in_ms: 5000 }), 200)
      await new Promise((resolve) => { setTimeout(resolve, 700) })
      sees(await w.as('m1').delete(`/v1/mm/quote-requests/${request.id}/quote`), 200, { data: { status: 'already_expired' } })
    }],
    ['PQ-346', 'a request expires, and is NOT_FOUND a minute later', async (w) => {
      const { id } = await w.request()
      const read = () => w.as(w.mine).get(`/v1/quote-requests/${id}`)
      sees(await until(read, ({ body }) => body.data?.quote_request.status !== 'active', 'its end'), 200, { data: { quote_request: { status: 'expired' } } })
      sees(await until(read, ({ status }) => status !== 200, 'that it is forgotten'), 404, { error: { code: 'NOT_FOUND' } })
    }],
    ['PQ-041', 'an expired request is neither updated nor committed', async (w) => {
      const request = await w.request()
      await until(() => w.as(w.mine).get(`/v1/quote-requests/${request.id}`), ({ body }) => body.data?.quote_request.status === 'expired', 'its end')
      sees(await w.commit(w.mine, request), 409, { error: { code: 'CONFLICT' } })
    }],
    ['PQ-004', 'the list of markets has the prices of both venues, which move while nobody trades', async (w) => {
      const asks = async (venue: string): Promise<Seen> => w.nobody.get(`/v1/markets?category=all&limit=100&venue=${venue}`)
      const shown = ({ body }: Seen): string => JSON.stringify(body.data.events.flatMap((event: Json) => event.markets).map(({ ticker, yes_bid, yes_ask }: Json) => [ticker, yes_bid, yes_ask]))
      for (const venue of ['venue_a', 'venue_b']) {
        const first = await until(() => asks(venue), ({ body }) => body.data.events.length > 0, `markets of ${venue}`)
        await until(() => asks(venue), (seen) => shown(seen) !== shown(first), `other prices of ${venue}`)
      }
    }],
    ['PQ-203', 'a quote that ran out is listed as expired', async (w) => {
      const { id } = sees(await w.quote('m2', await w.request(), 4, { expires_in_ms: 5000 }), 200).data
      await until(() => w.as('m2').get('/v1/mm/quotes?limit=100'), ({ body }) => body.data.quotes.some((one: { id: string; status: string }) => one.id === id && one.status === 'expired'), 'an expired quote')
    }],
  ],
}
