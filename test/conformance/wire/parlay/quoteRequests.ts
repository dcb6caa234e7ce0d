import { holds, is, like, sees } from '../expect.ts'
import { awaitedLater, type Json, type Seen } from '../client.ts'
import type { Area } from '../rules.ts'
import { inGoodTime, INSTANT, until, UUID } from '../world.ts'
import { isLate, NO_ID, type World } from './world.ts'

const PATH = '/v1/quote-requests'
const issueAt = (...path: (string | number)[]) => ({ error: { code: 'VALIDATION_ERROR', details: { issues: (issues: Json) => issues.some((issue: Json) => JSON.stringify(issue.path) === JSON.stringify(path)) } } })
const reason = (text: string, code = 'CONFLICT') => ({ error: { code, details: { reason: text } } })

/** Is an instant between two others, ms? */
const isBetween = (ms: number, before: number, after: number): void => { holds(ms >= before && ms <= after, `an instant between ${before} and ${after}, not ${ms}`) }

/** A request with its first leg changed is refused with an issue at that field. */
async function refusesLeg(w: World, change: object, field: string): Promise<void> {
  const [leg, other] = await w.legs()
  sees(await w.as(w.mine).post(PATH, { legs: [{ ...leg, ...change }, other], bet_amount: 25 }), 400, issueAt('legs', 0, field))
}

/** A commit without a field, or with a wrong one, is refused with an issue at that field. */
async function refusesCommit(w: World, field: string, values: readonly unknown[]): Promise<void> {
  const request = await w.request()
  for (const value of values) sees(await w.commit(w.mine, request, { [field]: value }), 400, issueAt(field))
}

export const QUOTE_REQUESTS: Area<World> = {
  name: 'quote requests', service: 'parlay', session: 'parlay',
  rows: [
    ['PQ-164', 'a request is made: 201', async (w) => { sees(await w.as(w.mine).post(PATH, { legs: await w.legs(), bet_amount: 25 }), 201, { data: { quote_request: Object } }) }],
    ['PQ-165', 'legs and bet_amount are both needed', async (w) => {
      sees(await w.as(w.mine).post(PATH, { legs: await w.legs() }), 400, issueAt('bet_amount'))
      sees(await w.as(w.mine).post(PATH, { bet_amount: 25 }), 400, issueAt('legs'))
    }],
    ['PQ-031 PQ-032', 'it has a UUID, and is its owner’s', async (w) => { like(await w.request(), { id: UUID, user_id: w.seat(w.mine)['user_id'] }) }],
    ['PQ-033 PQ-036', 'its version is 1 and its book empty', async (w) => { like(await w.request(), { version: 1, book_seq: 0 }) }],
    ['PQ-035', 'its hash is sha256:<hex>', async (w) => { like(await w.request(), { request_hash: /^sha256:[0-9a-f]{64}$/ }) }],
    ['PQ-041', 'its status goes from active to cancelled, or to committed', async (w) => {
      const request = await w.request()
      is(request.status, 'active')
      is(sees(await w.as(w.mine).post(`${PATH}/${request.id}/cancel`), 200).data.quote_request.status, 'cancelled')
      const { request: { id } } = await w.fill()
      is(sees(await w.as(w.mine).get(`${PATH}/${id}`), 200).data.quote_request.status, 'committed')
    }],
    ['PQ-043 PQ-414', 'it ends 90 s from now', async (w) => {
      const before = await w.nowMs()
      const { expires_at } = await w.request()
      like(expires_at, INSTANT)
      isBetween(Date.parse(expires_at) - 90_000, before, await w.nowMs())
    }],
    ['PQ-044 PQ-053', 'its legs have the tickers of their events', async (w) => {
      const markets = await w.markets()
      const { legs } = await w.request(w.mine, 25, markets.map(({ ticker, venue }) => ({ market_ticker: ticker, side: 'yes', venue })))
      is(legs.map((leg: Json) => leg.event_ticker), markets.map(({ event_ticker }) => event_ticker))
    }],
    ['PQ-052', 'each leg has a UUID of its own', async (w) => {
      const { legs } = await w.request()
      like(legs, [{ id: UUID }, { id: UUID }])
      holds(legs[0].id !== legs[1].id, 'two ids')
    }],
    ['PQ-054', 'each leg keeps ticker, side and venue', async (w) => {
      const legs = await w.legs()
      like((await w.request(w.mine, 25, legs)).legs, legs)
    }],
    ['PQ-045', 'input_legs are the legs as they were sent', async (w) => {
      const [leg, other] = await w.legs() as [Json, Json]
      const sent = [leg.market_ticker, other.market_ticker].map((market_ticker, i) => ({ side: 'no', market_ticker, ...(i === 1 && { venue: other.venue }), note: 'mine' }))
      is(sees(await w.as(w.mine).post(PATH, { legs: sent, bet_amount: 25 }), 201).data.quote_request.input_legs, sent)
    }],
    ['PQ-051', 'a leg without a venue is of venue_a', async (w) => {
      // A market of venue_b would not be found.
      const legs = (await w.legs()).map(({ market_ticker, side }) => ({ market_ticker, side }))
      like(sees(await w.as(w.mine).post(PATH, { legs, bet_amount: 25 }), 201).data.quote_request.legs, [{ venue: 'venue_a' }, { venue: 'venue_a' }])
    }],
    ['PQ-046', 'it says nothing of an implied probability', async (w) => {
      const { id } = await w.request()
      const { status, text } = await w.as(w.mine).get(`${PATH}/${id}`)
      is([status, text.includes('implied_probability')], [200, false])
    }],
    ['PQ-048', 'a leg needs a market', async (w) => { for (const market_ticker of [undefined, '', 7]) await refusesLeg(w, { market_ticker }, 'market_ticker') }],
    ['PQ-049', 'a leg needs a side, yes or no', async (w) => { for (const side of [undefined, 'YES', 'both']) await refusesLeg(w, { side }, 'side') }],
    ['PQ-050', 'a venue is venue_a or venue_b', async (w) => { for (const venue of ['venue_c', '', null]) await refusesLeg(w, { venue }, 'venue') }],
    ['PQ-042', 'a bet is of 1 to 100 USDC', async (w) => {
      const legs = await w.legs()
      const statuses = []
      for (const bet_amount of [0.999999, 1, 100, 100.000001]) statuses.push((await w.as(w.mine).post(PATH, { legs, bet_amount })).status)
      is(statuses, [400, 201, 201, 400])
    }],
    ['PQ-166', 'two legs at least', async (w) => { sees(await w.as(w.mine).post(PATH, { legs: (await w.legs()).slice(1), bet_amount: 25 }), 400, issueAt('legs')) }],
    ['PQ-355', 'malformed legs, sides, venues and bets are issues', async (w) => {
      const [leg] = await w.legs()
      sees(await w.as(w.mine).post(PATH, { legs: [{ ...leg, side: 1, venue: 'x' }, 7], bet_amount: 'ten' }), 400, { error: { details: { issues: (issues: Json[]) => issues.length === 4 } } })
      const { id } = await w.request()
      sees(await w.as(w.mine).patch(`${PATH}/${id}`, { legs: [leg, { ...leg, side: 'x' }], bet_amount: 25 }), 400, issueAt('legs', 1, 'side'))
    }],
    ['PQ-356 PQ-466', 'a market that is not there is a leg error, with its place and the venue that was asked', async (w) => {
      const [leg] = await w.legs()
      const { error } = sees(await w.as(w.mine).post(PATH, { legs: [leg, { market_ticker: 'NOTHING', side: 'yes' }], bet_amount: 25 }), 400)
      is(error.details.leg_errors, [{ reason: 'market_not_found', legs: [1], venue: 'venue_a' }])
    }],
    ['PQ-358', 'legs that exclude each other are a leg error', async (w) => {
      const [leg] = await w.legs()
      sees(await w.as(w.mine).post(PATH, { legs: [leg, { ...leg, side: 'no' }], bet_amount: 25 }), 400, { error: { details: { leg_errors: [{ reason: 'exclusion_conflict', legs: [0, 1] }] } } })
    }],
    ['PQ-178', 'creating, updating and committing need trading:write', async (w) => {
      const client = await w.keyWith(w.mine, ['positions:read'])
      const { id } = await w.request()
      for (const seen of [await client.post(PATH, {}), await client.patch(`${PATH}/${id}`, {}), await client.post(`${PATH}/${id}/commit`, {})]) sees(seen, 403, reason('insufficient_scope', 'FORBIDDEN'))
    }],
    ['PQ-179', 'its id in a path is a UUID', async (w) => {
      for (const id of ['1', 'x', NO_ID.slice(1)]) {
        sees(await w.as(w.mine).get(`${PATH}/${id}`), 400, issueAt('id'))
        sees(await w.as(w.mine).post(`${PATH}/${id}/commit`, {}), 400, issueAt('id'))
      }
    }],
    ['PQ-253', 'it is read by its id', async (w) => {
      const request = await w.request()
      is(sees(await w.as(w.mine).get(`${PATH}/${request.id}`), 200).data.quote_request, request)
      sees(await w.as(w.mine).get(`${PATH}/${NO_ID}`), 404, { error: { code: 'NOT_FOUND' } })
    }],
    ['PQ-289', 'another account is forbidden to read, update, cancel and commit it', async (w) => {
      const request = await w.request()
      const other = w.as(w.other)
      const seen = [await other.get(`${PATH}/${request.id}`), await other.patch(`${PATH}/${request.id}`, { legs: await w.legs(), bet_amount: 5 }), await other.post(`${PATH}/${request.id}/cancel`), await w.commit(w.other, request)]
      for (const one of seen) sees(one, 403, { error: { code: 'FORBIDDEN' } })
    }],
    ['PQ-167', 'an update answers 200 with the next version', async (w) => {
      const request = await w.request()
      const { data } = sees(await w.as(w.mine).patch(`${PATH}/${request.id}`, { legs: await w.legs(), bet_amount: 30 }), 200)
      like(data.quote_request, { id: request.id, version: 2, bet_amount: 30, request_hash: (hash: string) => hash !== request.request_hash })
    }],
    ['PQ-168 PQ-370', 'an update needs all fields, in shape', async (w) => {
      const { id } = await w.request()
      sees(await w.as(w.mine).patch(`${PATH}/${id}`, { legs: await w.legs() }), 400, issueAt('bet_amount'))
      sees(await w.as(w.mine).patch(`${PATH}/${id}`, { bet_amount: 5 }), 400, issueAt('legs'))
      sees(await w.as(w.mine).patch(`${PATH}/${id}`, { legs: await w.legs(), bet_amount: 101 }), 400, issueAt('bet_amount'))
    }],
    ['PQ-371', 'an update needs a credential', async (w) => { sees(await w.nobody.patch(`${PATH}/${(await w.request()).id}`, { legs: await w.legs(), bet_amount: 5 }), 401, { error: { code: 'UNAUTHORIZED' } }) }],
    ['PQ-372', 'an update needs its owner', async (w) => { sees(await w.as(w.other).patch(`${PATH}/${(await w.request()).id}`, { legs: await w.legs(), bet_amount: 5 }), 403, { error: { code: 'FORBIDDEN' } }) }],
    ['PQ-373', 'an update of nothing is not found', async (w) => { sees(await w.as(w.mine).patch(`${PATH}/${NO_ID}`, { legs: await w.legs(), bet_amount: 5 }), 404, { error: { code: 'NOT_FOUND' } }) }],
    ['PQ-254 PQ-118', 'a cancelled request is neither updated nor committed', async (w) => {
      const request = await w.request()
      sees(await w.as(w.mine).post(`${PATH}/${request.id}/cancel`), 200, { data: { quote_request: { status: 'cancelled' } } })
      for (const seen of [await w.as(w.mine).patch(`${PATH}/${request.id}`, { legs: await w.legs(), bet_amount: 5 }), await w.commit(w.mine, request), await w.as(w.mine).post(`${PATH}/${request.id}/cancel`)]) sees(seen, 409, { error: { code: 'CONFLICT' } })
    }],
    ['PQ-169 PQ-174', 'a commit is held until its maker confirms: 201, committed', async (w) => {
      await inGoodTime(async () => {
        const request = await w.request()
        const quote = sees(await w.quote('m1', request), 200).data
        let answer: Seen | null = null
        const committing = awaitedLater(w.commit(w.mine, request).then((seen) => answer = seen))
        const statusOf = ({ body }: Seen): string => body.data.quotes.find((one: Json) => one.id === quote.id).status
        const list = await until(() => w.as('m1').get('/v1/mm/quotes?limit=100'), (seen) => answer !== null || statusOf(seen) === 'reserved', 'a reserved quote')
        if (answer !== null && isLate(answer)) return null
        is([answer, statusOf(list)], [null, 'reserved'], 'the commit and the quote before the confirmation')
        const { status } = await w.as('m1').post(`/v1/mm/quote-requests/${request.id}/quote/confirm`, { quote_id: quote.id })
        const seen = await committing
        if (isLate(seen)) return null
        is(status, 200, 'the confirmation')
        return sees(seen, 201, { data: { status: 'committed' } })
      }, 'a confirmation in time')
    }],
    ['PQ-175', 'it names the request and the quote', async (w) => {
      const { commit, request, quote } = await w.fill()
      like(commit, { quote_request_id: request.id, quote_id: quote.id })
    }],
    ['PQ-176', 'it names the trade, which is a parlay from then on', async (w) => {
      const { commit: { rfq_id } } = await w.fill()
      sees(await w.as(w.mine).get(`/v1/parlays/${rfq_id}`), 200, { data: { parlay: { rfq_id } } })
    }],
    ['PQ-177', 'it has the odds that were taken', async (w) => { is((await w.fill()).commit.selected_payout_odds, 4) }],
    ['PQ-094 PQ-415', 'it has the deadline of the confirmation, 5 s after the selection', async (w) => {
      const before = await w.nowMs()
      const { commit: { confirmation_deadline }, accepted } = await w.fill()
      like(confirmation_deadline, INSTANT)
      is(confirmation_deadline, accepted.data.confirmation_deadline)
      isBetween(Date.parse(confirmation_deadline) - 5000, before, await w.nowMs())
    }],
    ['PQ-170', 'a commit needs an integer expected_version', (w) => refusesCommit(w, 'expected_version', [undefined, '1', 1.5, 0])],
    ['PQ-171', 'a commit needs a text displayed_quote_id', (w) => refusesCommit(w, 'displayed_quote_id', [undefined, 7, ''])],
    ['PQ-172', 'a commit needs an integer displayed_quote_book_seq', (w) => refusesCommit(w, 'displayed_quote_book_seq', [undefined, '1', 0.5])],
    ['PQ-173', 'a commit needs min_payout_odds_seen, at least 1.0001', (w) => refusesCommit(w, 'min_payout_odds_seen', [undefined, '2', 1])],
    ['PQ-366', 'a commit without its fields is 400', async (w) => { sees(await w.as(w.mine).post(`${PATH}/${(await w.request()).id}/commit`, {}), 400, { error: { code: 'VALIDATION_ERROR', details: { issues: (issues: Json[]) => issues.length === 4 } } }) }],
    ['PQ-367', 'a commit needs a credential', async (w) => { sees(await w.nobody.post(`${PATH}/${(await w.request()).id}/commit`, {}), 401, { error: { code: 'UNAUTHORIZED' } }) }],
    ['PQ-368', 'a commit needs the owner', async (w) => { sees(await w.commit(w.other, await w.request()), 403, { error: { code: 'FORBIDDEN' } }) }],
    ['PQ-369', 'a commit of nothing is not found', async (w) => { sees(await w.commit(w.mine, { id: NO_ID, version: 1 }), 404, { error: { code: 'NOT_FOUND' } }) }],
    ['PQ-359', 'a commit to another version: QUOTE_CHANGED', async (w) => {
      const request = await w.request()
      sees(await w.quote('m1', request), 200)
      sees(await w.commit(w.mine, { ...request, version: 2 }), 409, reason('QUOTE_CHANGED'))
    }],
    ['PQ-361', 'a commit without a quote: QUOTE_EXPIRED', async (w) => { sees(await w.commit(w.mine, await w.request()), 409, reason('QUOTE_EXPIRED')) }],
    ['PQ-467', 'a floor of more than four decimals is rounded up: no worse quote is taken', async (w) => {
      const request = await w.request()
      sees(await w.quote('m1', request, 4), 200)
      sees(await w.commit(w.mine, request, { min_payout_odds_seen: 4.00001 }), 409, reason('QUOTE_EXPIRED'))
      sees(await w.quote('m1', request, 4.00001), 400, issueAt('payout_odds'))
    }],
    ['PQ-364 PQ-365', 'a maker that lets its time pass is named, and can be left out', async (w) => {
      const { commit } = await inGoodTime(async () => {
        const request = await w.request()
        sees(await w.quote('m1', request, 4), 200)
        sees(await w.quote('m2', request, 3), 200)
        const mm = w.seat('m1')['user_id']
        sees(await w.commit(w.mine, request), 409, { error: { code: 'CONFLICT', details: { reason: 'mm_confirmation_timeout', failed_mm_id: mm } } })
        is(sees(await w.as(w.mine).get(`${PATH}/${request.id}`), 200).data.quote_request.status, 'active', 'the request after the timeout')
        return w.fillRequest(w.mine, 'm2', request, { exclude_mm_ids: [mm] })
      }, 'the other maker’s confirmation in time')
      like(commit, { selected_payout_odds: 3 })
    }],
    ['PQ-345 PQ-346 PQ-347', 'FORBIDDEN is 403, NOT_FOUND 404 and CONFLICT 409', async (w) => {
      const request = await w.request()
      sees(await w.as(w.other).get(`${PATH}/${request.id}`), 403, { error: { code: 'FORBIDDEN' } })
      sees(await w.as(w.mine).get(`${PATH}/${NO_ID}`), 404, { error: { code: 'NOT_FOUND' } })
      sees(await w.commit(w.mine, request), 409, { error: { code: 'CONFLICT' } })
    }],
  ],
}
