import { holds, is, like, sees } from '../expect.ts'
import type { Json } from '../client.ts'
import type { Area } from '../rules.ts'
import { inGoodTime, INSTANT, until, UUID } from '../world.ts'
import { AMOUNT, failure, HEX, newKey, NO_HEX, NO_UUID7, UUID7, violation, type World } from './world.ts'

export const TRADES: Area<World> = {
  name: 'trades', service: 'outcome', session: 'outcome',
  rows: [
    ['OM-001 OM-064', 'calls go to paths below the base, with names in braces as parameters', async (w) => {
      sees(await w.nobody.get('/v1/markets'), 200)
      const { rfq_id } = await w.rfq()
      sees(await w.as(w.mine).get(`/v1/rfqs/${rfq_id}`), 200, { rfq_id })
      sees(await w.nobody.get('/markets'), 404)
    }],
    ['OM-065 OM-021', 'markets are listed without a key', async (w) => {
      await w.outcomes(3)
      sees(await w.nobody.get('/v1/markets?limit=2'), 200, { items: [Object, Object], next_cursor: String, has_more: true })
    }],
    ['OM-066 OM-049', 'one market', async (w) => {
      const [outcome_id] = await w.outcomes(1)
      sees(await w.nobody.get(`/v1/markets/${outcome_id}`), 200, { outcome_id, market_id: UUID, title: String, status: 'LISTED', closes_at: INSTANT })
      sees(await w.nobody.get('/v1/markets/1'), 404, failure('NOT_FOUND'))
    }],
    ['OM-106 OM-244', 'a market’s history has up to 1,440 points', async (w) => {
      const [outcome_id] = await w.outcomes(1)
      const path = `/v1/markets/${outcome_id}/history`
      sees(await w.nobody.get(`${path}?limit=1440`), 200, { items: Array.isArray })
      sees(await w.nobody.get(`${path}?limit=1441`), 400, failure('INVALID_QUERY'))
    }],
    ['OM-104 OM-105', 'the deployment: chain 999, the vault and the fees', async (w) => {
      sees(await w.nobody.get('/v1/deployment'), 200, { chain_id: '999', vault: /^0x[0-9a-f]{40}$/, taker_fee_bps: 20, fee_bps: 100, domain: { name: String, version: String } })
    }],
    ['OM-067', 'an account’s balance', async (w) => { sees(await w.as('t23').get('/v1/me/balances'), 200, { account_id: w.idOf('t23'), free: '1000000000', reserved: '0' }) }],
    ['OM-103', 'an account’s identity', async (w) => { sees(await w.as('m1').get('/v1/me/identity'), 200, { id: w.idOf('m1'), kind: 'MAKER', signer: /^0x[0-9a-f]{40}$/ }) }],
    ['OM-070 OM-036', 'an RFQ is made of a stake and legs', async (w) => {
      const legs = await w.legs(2)
      sees(await w.post(w.mine, '/v1/rfqs', { stake: '25000000', legs }), 201, { rfq_id: UUID7, kind: 'ENTRY', status: 'OPEN', stake: '25000000', legs, open_until: INSTANT })
      sees(await w.post(w.mine, '/v1/rfqs', { legs }), 400, violation('/stake', 'REQUIRED'))
      sees(await w.post(w.mine, '/v1/rfqs', { stake: '25000000' }), 400, violation('/legs', 'REQUIRED'))
    }],
    ['OM-254', 'it is open for 20 s', async (w) => {
      const { created_at, open_until } = await w.rfq()
      is(Date.parse(open_until) - Date.parse(created_at), 20_000)
    }],
    ['OM-252', 'the fee on the stake is 20 bps', async (w) => { is((await w.rfq()).net_stake, '24950000') }],
    ['OM-024', 'a leg is an outcome_id and a side', async (w) => {
      const [leg] = await w.legs()
      sees(await w.post(w.mine, '/v1/rfqs', { stake: '25000000', legs: [{ side: 'YES' }] }), 400, violation('/legs/0/outcome_id', 'REQUIRED'))
      sees(await w.post(w.mine, '/v1/rfqs', { stake: '25000000', legs: [{ outcome_id: leg.outcome_id }] }), 400, violation('/legs/0/side', 'REQUIRED'))
    }],
    ['OM-025 OM-026', 'a side is YES or NO, in upper case', async (w) => {
      const [leg] = await w.legs()
      for (const side of ['YES', 'NO']) sees(await w.post(w.mine, '/v1/rfqs', { stake: '25000000', legs: [{ ...leg, side }] }), 201)
      for (const side of ['yes', 'no', 'BOTH']) sees(await w.post(w.mine, '/v1/rfqs', { stake: '25000000', legs: [{ ...leg, side }] }), 400, violation('/legs/0/side'))
    }],
    ['OM-022', 'an amount is a text, no number', async (w) => {
      const legs = await w.legs()
      for (const stake of [25_000_000, '25.0', '025000000', '-1', '']) sees(await w.post(w.mine, '/v1/rfqs', { stake, legs }), 400, violation('/stake'))
    }],
    ['OM-023', 'large numbers are decimal texts', async (w) => {
      like((await w.rfq()).legs, [{ outcome_id: AMOUNT }])
      const { socket, snapshot } = await w.stream(w.mine, ['account'])
      like(snapshot.cursor, AMOUNT)
      sees(await w.nobody.get('/v1/deployment'), 200, { chain_id: AMOUNT })
      socket.close()
    }],
    ['OM-249', 'legs ascend', async (w) => { sees(await w.post(w.mine, '/v1/rfqs', { stake: '25000000', legs: (await w.legs(2)).toReversed() }), 400, failure('INVALID_REQUEST')) }],
    ['OM-072', 'an RFQ that is cancelled asks no more', async (w) => {
      const rfq = await w.rfq()
      sees(await w.post(w.mine, `/v1/rfqs/${rfq.rfq_id}/cancel`, {}), 200, { rfq_id: rfq.rfq_id, status: 'CANCELLED' })
      sees(await w.post('m1', `/v1/rfqs/${rfq.rfq_id}/quotes`, await w.quoteBody('m1', rfq)), 409, failure('RFQ_NOT_OPEN', 'REFRESH'))
    }],
    ['OM-199 OM-180', 'one that is past it is not cancelled: 409', async (w) => {
      const { rfq } = await w.fill()
      sees(await w.post(w.mine, `/v1/rfqs/${rfq.rfq_id}/cancel`, {}), 409, failure('RFQ_NOT_CANCELLABLE'))
    }],
    ['OM-294', 'RFQs are read and listed', async (w) => {
      const { rfq_id } = await w.rfq()
      sees(await w.as(w.mine).get(`/v1/rfqs/${rfq_id}`), 200, { rfq_id, account_id: w.idOf(w.mine) })
      holds(sees(await w.as(w.mine).get('/v1/rfqs?limit=200'), 200).items.some((one: Json) => one.rfq_id === rfq_id), 'the RFQ')
      sees(await w.as(w.other).get(`/v1/rfqs/${rfq_id}`), 404, failure('NOT_FOUND'))
    }],
    ['OM-074 OM-012', 'a maker quotes, and replaces its quote', async (w) => {
      const rfq = await w.rfq()
      const first = await w.quote('m1', rfq)
      like(first, { quote_id: HEX, rfq_id: rfq.rfq_id, maker_id: w.idOf('m1'), status: 'LIVE', payout: '99000000', risk: '74050000', net_stake: '24950000', taker_fee_bps: 20, fee_bps: 100 })
      const second = await w.quote('m1', rfq, '98000000')
      const { items } = sees(await w.as(w.mine).get(`/v1/rfqs/${rfq.rfq_id}/quotes`), 200)
      is(items.filter((one: Json) => one.status === 'LIVE').map((one: Json) => one.quote_id), [second.quote_id], 'live quotes')
      const key = newKey()
      sees(await w.post(w.mine, `/v1/quotes/${first.quote_id}/accept`, await w.acceptBody(w.mine, rfq, first, key), key), 409, failure('QUOTE_REPLACED', 'REFRESH'))
    }],
    ['OM-101', 'quotes of an RFQ are listed', async (w) => {
      const rfq = await w.rfq()
      const { quote_id } = await w.quote('m1', rfq)
      like(sees(await w.as(w.mine).get(`/v1/rfqs/${rfq.rfq_id}/quotes`), 200).items, [{ quote_id }])
      sees(await w.as(w.other).get(`/v1/rfqs/${rfq.rfq_id}/quotes`), 404)
    }],
    ['OM-247', 'a page may be empty while there is more', async (w) => {
      const rfq = await w.rfq()
      await w.quote('m1', rfq)
      const { quote_id } = await w.quote('m2', rfq)
      // A maker sees its own quotes alone, and a page looks at one of both.
      const path = `/v1/rfqs/${rfq.rfq_id}/quotes?limit=1`
      const first = sees(await w.as('m2').get(path), 200, { items: [], next_cursor: String, has_more: true })
      sees(await w.as('m2').get(`${path}&cursor=${encodeURIComponent(first.next_cursor)}`), 200, { items: [{ quote_id }], next_cursor: null, has_more: false })
    }],
    ['OM-076 OM-019', 'a quote is pulled: 204 without a body', async (w) => {
      const rfq = await w.rfq()
      const quote = await w.quote('m1', rfq)
      const seen = await w.as('m1').delete(`/v1/quotes/${quote.quote_id}`)
      sees(seen, 204)
      is(seen.text, '')
      const key = newKey()
      sees(await w.post(w.mine, `/v1/quotes/${quote.quote_id}/accept`, await w.acceptBody(w.mine, rfq, quote, key), key), 409, failure('QUOTE_CANCELLED', 'REFRESH'))
    }],
    ['OM-078 OM-083', 'a taker accepts, and the maker confirms: one acceptance', async (w) => {
      const { acceptance, confirm, key, quote } = await w.fill()
      like(acceptance, { acceptance_id: key, quote_id: quote.quote_id, status: 'CONFIRMED', operation_id: UUID7 })
      is(confirm.body, acceptance)
    }],
    ['OM-060', 'a maker may decline', async (w) => {
      const { acceptance } = await inGoodTime(async () => w.settle(w.mine, 'm2', await w.rfq(), { decline: true }), 'a decline in time')
      like(acceptance, { status: 'DECLINED', operation_id: null })
    }],
    ['OM-062 OM-261', 'a maker has 2 s to confirm', async (w) => {
      const rfq = await w.rfq()
      const quote = await w.quote('m2', rfq)
      const key = newKey()
      const { accepted_at, confirm_until, status } = sees(await w.post(w.mine, `/v1/quotes/${quote.quote_id}/accept`, await w.acceptBody(w.mine, rfq, quote, key), key), 200)
      is([Date.parse(confirm_until) - Date.parse(accepted_at), status], [2000, 'TIMED_OUT'])
    }],
    ['OM-082', 'an acceptance is recovered by its taker and its maker', async (w) => {
      const { acceptance, quote } = await w.fill()
      for (const name of [w.mine, 'm1']) is(sees(await w.as(name).get(`/v1/quotes/${quote.quote_id}/acceptance`), 200), acceptance)
      sees(await w.as(w.other).get(`/v1/quotes/${quote.quote_id}/acceptance`), 404, failure('QUOTE_NOT_FOUND'))
    }],
    ['OM-085 OM-013', 'a maker lists its acceptances', async (w) => {
      const { acceptance } = await w.fill()
      const path = `/v1/makers/${w.idOf('m1')}/acceptances?limit=200`
      holds(sees(await w.as('m1').get(path), 200).items.some((one: Json) => one.acceptance_id === acceptance.acceptance_id), 'the acceptance')
      sees(await w.as('m2').get(path), 404, failure('NOT_FOUND'))
      sees(await w.as(w.mine).get(path), 403, failure('FORBIDDEN'))
    }],
    ['OM-086 OM-011', 'a maker reads its capital', async (w) => {
      sees(await w.as('m3').get(`/v1/makers/${w.idOf('m3')}/capital`), 200, { maker_id: w.idOf('m3'), free: AMOUNT, pending: AMOUNT, backed: AMOUNT, reductions: AMOUNT, quoted: AMOUNT })
      sees(await w.as('m2').get(`/v1/makers/${w.idOf('m3')}/capital`), 404)
    }],
    ['OM-087 OM-014', 'a maker lowers its collateral', async (w) => {
      const key = newKey()
      sees(await w.post('m3', `/v1/makers/${w.idOf('m3')}/collateral-reductions`, await w.reduction('m3', key), key), 201, { reduction_id: UUID, maker_id: w.idOf('m3'), amount: '5000000', released_at: INSTANT })
    }],
    ['OM-277', 'it leaves a day later', async (w) => {
      const key = newKey()
      const { released_at } = sees(await w.post('m3', `/v1/makers/${w.idOf('m3')}/collateral-reductions`, await w.reduction('m3', key), key), 201)
      const hours = (Date.parse(released_at) - Date.now()) / 3600_000
      holds(hours > 23.99 && hours < 24.01, `a day, not ${hours} h`)
    }],
    ['OM-089', 'a fill is followed by its operation', async (w) => {
      const { acceptance: { operation_id, acceptance_id } } = await w.fill()
      const { body } = await until(() => w.as(w.mine).get(`/v1/me/operations/${operation_id}`), (seen) => seen.body.status === 'DONE', 'a done operation')
      like(body, { operation_id, acceptance_id, status: 'DONE', account_id: w.idOf(w.mine), kind: String, amount: AMOUNT })
      sees(await w.as(w.mine).get(`/v1/me/operations/${NO_UUID7}`), 404)
    }],
    ['OM-090 OM-092', 'positions held are listed and read', async (w) => {
      const { position } = await w.position()
      like(position, { position_id: HEX, holder_id: w.idOf(w.mine), maker_id: w.idOf('m1'), status: 'OPEN', payout: '99000000', cost: '25000000', net_stake: '24950000', entry_fee: '50000' })
      is(sees(await w.as(w.mine).get(`/v1/me/positions/${position.position_id}`), 200), position)
      sees(await w.as(w.other).get(`/v1/me/positions/${position.position_id}`), 404, failure('NOT_FOUND'))
    }],
    ['OM-091', 'a maker’s key lists the positions that it backs', async (w) => {
      const { position } = await w.position()
      holds(sees(await w.as('m1').get('/v1/me/positions?limit=200'), 200).items.some((one: Json) => one.position_id === position.position_id), 'the position')
    }],
    ['OM-093', 'a position is sold by a cash-out RFQ', async (w) => {
      const { position } = await w.position()
      const { socket } = await w.stream('m2', ['maker'])
      const { acceptance } = await inGoodTime(async () => {
        const rfq = sees(await w.post(w.mine, `/v1/me/positions/${position.position_id}/cashout`, {}), 201)
        const { data } = await socket.next((frame) => frame.event === 'RFQ_CREATED' && frame.data.rfq_id === rfq.rfq_id, 'RFQ_CREATED')
        like(data, { kind: 'CASHOUT', position_id: position.position_id, net_stake: '24950000', payout: '99000000', maker_id: w.idOf('m1'), fee_bps: 100, open_until: rfq.open_until })
        like(rfq, { kind: 'CASHOUT', position_id: position.position_id, status: 'OPEN' })
        is(Date.parse(rfq.open_until) - Date.parse(rfq.created_at), 30_000, 'how long it is open')
        return w.settle(w.mine, 'm2', rfq, { payout: '40000000' })
      }, 'a confirmation in time')
      socket.close()
      is(acceptance.status, 'CONFIRMED')
    }],
    ['OM-095 OM-010', 'a taker withdraws', async (w) => {
      const key = newKey()
      sees(await w.post(w.mine, '/v1/me/withdrawals', await w.withdrawal(w.mine, key), key), 201, { withdrawal_id: UUID7, operation_id: UUID7, status: String, account_id: w.idOf(w.mine), amount: '5000000' })
    }],
    ['OM-102', 'an account’s activity is listed', async (w) => {
      const { position } = await w.position()
      const { items } = sees(await w.as(w.mine).get('/v1/me/activity?limit=200'), 200)
      const own = items.filter((one: Json) => one.position_id === position.position_id)
      holds(own.length > 0, 'what the position did')
      like(own[0], { activity_id: AMOUNT, kind: /^[A-Z_]+$/, occurred_at: INSTANT })
    }],
    ['OM-133', 'what the document does not show has its fields', async (w) => {
      const { acceptance, quote, rfq } = await w.fill()
      is(Object.keys(acceptance), ['acceptance_id', 'quote_id', 'rfq_id', 'account_id', 'maker_id', 'status', 'accepted_at', 'confirm_until', 'stake', 'core', 'operation_id'])
      is(Object.keys(quote), ['quote_id', 'rfq_id', 'maker_id', 'status', 'generation', 'net_stake', 'payout', 'risk', 'taker_fee_bps', 'fee_bps', 'signer', 'expires_at'])
      is(Object.keys(rfq), ['rfq_id', 'kind', 'status', 'account_id', 'generation', 'position_id', 'stake', 'net_stake', 'legs', 'created_at', 'open_until', 'accepted_quote_id', 'best_quote_id'])
    }],
    ['OM-029 OM-030', 'quotes and positions have hex ids, RFQs, acceptances and withdrawals UUIDv7', async (w) => {
      const { position, acceptance } = await w.position()
      like(position, { quote_id: HEX, position_id: HEX, rfq_id: UUID7 })
      like(acceptance.acceptance_id, UUID7)
    }],
    ['OM-027', 'addresses are lowercase hex', async (w) => { like((await w.quote('m1', await w.rfq())).signer, /^0x[0-9a-f]{40}$/) }],
    ['OM-028', 'a checksummed address is taken', async (w) => {
      const { getAddress } = await import('viem')
      const checksummed = getAddress(w.seat(w.mine)['wallet_address'] as `0x${string}`)
      sees(await w.nobody.with({ origin: w.origin }).post('/v1/auth/wallet-challenges', { address: checksummed }), 201)
    }],
    ['OM-032', 'times inside signed terms are Unix seconds', async (w) => {
      const rfq = await w.rfq()
      const body = await w.quoteBody('m1', rfq)
      like(body.expiry, Number.isInteger)
      sees(await w.post('m1', `/v1/rfqs/${rfq.rfq_id}/quotes`, { ...body, expiry: rfq.open_until }), 400, violation('/expiry'))
    }],
    ['OM-035', 'a field that is null is not one that is left out', async (w) => {
      const rfq = await w.rfq()
      sees(await w.post('m1', `/v1/rfqs/${rfq.rfq_id}/quotes`, { ...await w.quoteBody('m1', rfq), generation: null }), 400, violation('/generation'))
      sees(await w.post('m1', `/v1/rfqs/${rfq.rfq_id}/quotes`, await w.quoteBody('m1', rfq)), 201)
    }],
    ['OM-181', 'another signature than that of the terms: 422', async (w) => {
      const rfq = await w.rfq()
      const body = await w.quoteBody('m1', rfq)
      sees(await w.post('m1', `/v1/rfqs/${rfq.rfq_id}/quotes`, { ...body, payout: '99000001' }), 422, failure('INVALID_SIGNATURE'))
      sees(await w.post('m2', `/v1/rfqs/${rfq.rfq_id}/quotes`, { ...await w.quoteBody('m2', rfq), signature: await w.sign('m2', 'Withdrawal', { account: 'x', amount: 1, takerFeeBps: 1, feeBps: 1, validAfter: 1, validBefore: 2, requestKey: '' }) }), 422)
    }],
    ['OM-201', 'a quote that nobody made is QUOTE_NOT_FOUND', async (w) => {
      const key = newKey()
      sees(await w.post(w.mine, `/v1/quotes/${NO_HEX}/accept`, { valid_after: 1, valid_before: 2, signature: `0x${'1'.repeat(130)}` }, key), 404, failure('QUOTE_NOT_FOUND'))
    }],
  ],
}
