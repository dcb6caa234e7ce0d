import { describe, expect, it } from 'vitest'
import { Action, AuctionOutcome, Refusal, Side } from '../../src/agent/vocabulary.ts'
import type { DeskNote } from '../../src/trade/deskFeed.ts'
import type { Frame } from '../../src/trade/link.ts'
import { ParlayMakerWords } from '../../src/trade/parlay/makerWords.ts'
import { refusalOf } from '../../src/trade/parlay/refusals.ts'

const frame = (id: string): Frame => ({ path: '/v1/mm/stream', text: `id: 1\nevent: quote_request\ndata: ${JSON.stringify({ id, version: 1, request_hash: `sha256:${id}` })}` })
const note = (request: string, what = 'onRequest'): DeskNote => ({ n: 0, at_us: 5, what, request, version: 1, expires_at_us: 90, bet: 25, net_stake: 24.75, best_odds: 2.5, book_changes: null, legs: [] })

describe('a maker’s client of the parlay service', () => {
  it('tells of a request once its frame has come, and of what came behind it then too', () => {
    const words = new ParlayMakerWords('key')
    expect(words.told([], [note('a'), note('a', 'onBest')], 5)).toEqual([])
    expect(words.told([frame('a')], [note('a', 'onBest')], 6).map(({ kind }) => kind)).toEqual(['onRequest', 'onBest', 'onBest'])
  })

  it('holds back only what is about a request whose frame is lost, until the request has ended', () => {
    const words = new ParlayMakerWords('key')
    const opened = { ...note('lost', 'onOpened'), position: 'p', quote: null }
    expect(words.told([frame('b')], [note('lost'), note('lost', 'onBest'), opened, note('b'), note('c')], 5).map(({ kind }) => kind)).toEqual(['onOpened', 'onRequest'])
    expect(words.told([frame('c')], [], 89).map(({ kind }) => kind)).toEqual(['onRequest'])
    expect(words.told([frame('lost')], [], 90)).toEqual([])
    expect(words.told([], [], 91)).toEqual([])
  })

  it('tells a maker that begins again what has come about, and no question that has ended', () => {
    const selected = { ...note('a', 'onSelected'), quote: 'q', deadline_at_us: 50 }
    const auction = (what: string) => ({ ...note('a', what), auction: 'x', position: 'p', ends_at_us: 50 })
    const position = (what: string) => ({ ...note('a', what), position: 'p', quote: 'q' })
    const since = ['onOpened', 'onSettled', 'onBought'].map(position)
    const kinds = (atUs: number, at_us = 5) => new ParlayMakerWords('key').told([frame('a')], [note('a'), selected, auction('onCashOut'), auction('onBestBid'), ...since].map((one) => ({ ...one, at_us })), atUs).map(({ kind }) => kind)
    expect(kinds(49)).toEqual(['onRequest', 'onSelected', 'onCashOut', 'onBestBid', 'onOpened', 'onSettled', 'onBought'])
    expect(kinds(50)).toEqual(['onRequest', 'onOpened', 'onSettled', 'onBought'])
    expect(kinds(90)).toEqual(['onOpened', 'onSettled', 'onBought'])
    // What reaches the seat at that instant is told, as inside of a session.
    expect(kinds(90, 90)).toHaveLength(7)
  })

  it('quotes by the hash of the version, and not without it', () => {
    const words = new ParlayMakerWords('key')
    const [{ numbers }] = words.told([frame('a')], [note('a')], 5) as unknown as [{ numbers: Record<string, number> }]
    expect(numbers).toMatchObject({ version: 1, netStakeMicros: 24_750_000, bestOddsE4: 25_000, bookChanges: NaN })
    const wish = { kind: 'quote', request: numbers['request']!, version: 1, oddsE4: 25_001, probability: 0.4, validUs: 8_000_999 } as const
    expect(words.callOf(wish, 5)).toEqual([{
      method: 'PUT', path: '/v1/mm/quote-requests/a/quote', tag: { action: Action.submitQuote, request: numbers['request'], auction: NaN },
      body: JSON.stringify({ request_version: 1, request_hash: 'sha256:a', payout_odds: 2.5001, expires_in_ms: 8000 }),
    }])
    expect(words.callOf({ ...wish, version: 2 }, 5)).toEqual([])
    words.callOf(wish, 6)
    const tag = { action: Action.submitQuote, request: numbers['request'], auction: NaN }
    const withdrawn = [1, 2].map(() => {
      words.answered(tag, { status: 200, headers: {}, body: '{}' })
      return words.leaving()
    })
    // Not before both of its quotes are answered: a withdrawal may overtake them.
    expect(withdrawn).toMatchObject([[], [{ method: 'DELETE', path: '/v1/mm/quote-requests/a/quote' }]])
  })

  it('tells of selections, auctions and positions what its desk says, and nothing of results', () => {
    const words = new ParlayMakerWords('key')
    const legs = [{ market: 'M', side: 'no', number: 3, category: null, event: null, game: null, game_category: null }] as const
    const selected = { ...note('a', 'onSelected'), quote: 'q', deadline_at_us: 50, odds: 4, risk: 74.25, payout: 99, position: null, legs }
    const auction = {
      ...note('a', 'onCashOut'), auction: 'x', position: 'p', ends_at_us: 60, payout: 99, profit_fee_bps: 200, maker_fee_bps: 50, cost_basis: 25, is_seller: false, is_backing_maker: true,
      max_price: 80, best_price: null,
    }
    const position = { ...note('a', 'onSettled'), position: 'p', quote: 'q', odds: null, risk: 74.25, is_holder: false, cost: 74.25, profit: -74.25, is_bought_back: true, payout: 99, profit_fee_bps: 0, cost_basis: null }
    const tell = [selected, auction, { ...auction, what: 'onBestBid', is_seller: true, is_backing_maker: false, best_price: 12.5 }, position, { ...position, what: 'onOpened', quote: null, is_holder: true, is_bought_back: false }, note('a', 'result')]
    const told = words.told([frame('a')], tell, 5)
    expect(told.map(({ kind, markets, sides }) => [kind, markets, sides])).toEqual([['onSelected', [3], [Side.no]], ...['onCashOut', 'onBestBid', 'onSettled', 'onOpened'].map((kind) => [kind, [], []])])
    const [a, b, c, d, e] = told.map(({ numbers }) => numbers)
    expect(a).toEqual({
      request: 1, version: 1, quote: 1, deadlineAtUs: 50, oddsE4: 40_000, quotedProbability: 0.25, netStakeMicros: 24_750_000, riskMicros: 74_250_000, payoutMicros: 99_000_000, position: NaN, selection: -1,
    })
    expect(b).toEqual({
      auction: 1, version: -1, position: 1, endsAtUs: 60, netStakeMicros: 24_750_000, payoutMicros: 99_000_000, profitFeeBps: 200, makerFeeBps: 50, costBasisMicros: 25_000_000, isSeller: false,
      isBackingMaker: true, maxPriceMicros: 80_000_000, bestPriceMicros: NaN,
    })
    expect(c).toEqual({ ...b, isSeller: true, isBackingMaker: false, bestPriceMicros: 12_500_000 })
    expect(d).toEqual({
      position: 1, request: 1, quote: 1, oddsE4: NaN, netStakeMicros: 24_750_000, riskMicros: 74_250_000, isHolder: false, costMicros: 74_250_000, profitMicros: -74_250_000, isBoughtBack: true,
      payoutMicros: 99_000_000, profitFeeBps: 0, costBasisMicros: NaN,
    })
    expect(e).toEqual({ ...d, quote: NaN, isHolder: true, isBoughtBack: false })
    const [bid] = words.callOf({ kind: 'bid', auction: 1, version: -1, priceMicros: 12_345, validUs: 3_000_999 }, 5)
    const tag = { action: Action.submitBid, request: NaN, auction: 1 }
    expect(bid).toEqual({ method: 'PUT', path: '/v1/mm/cashout-requests/x/quote', body: JSON.stringify({ price_micro: 12_345, expires_in_ms: 3000 }), tag })
    expect(words.answered(tag, { status: 200, headers: {}, body: '{"data":{"id":"bid"}}' })).toEqual({ ack: { ...tag, refusal: Refusal.none, quote: 2, retryAfterUs: NaN }, acts: [] })
    const decide = (confirm: boolean) => words.callOf({ kind: 'decide', request: 1, quote: 1, position: NaN, confirm }, 5)
    expect([decide(true), decide(false)]).toEqual([['confirm', Action.confirm], ['decline', Action.decline]].map(([verb, action]) => [
      { method: 'POST', path: `/v1/mm/quote-requests/a/quote/${verb}`, body: '{"quote_id":"q"}', tag: { action, request: 1, auction: NaN } },
    ]))
  })

  it('withdraws when it leaves what may stand still, and not what the strategy has withdrawn', () => {
    const words = new ParlayMakerWords('key')
    words.told(['a', 'b', 'c'].map(frame), ['a', 'b', 'c'].map((name) => note(name)), 5)
    const tagOf = (request: number) => ({ action: Action.submitQuote, request, auction: NaN })
    const quote = (request: number, nowUs: number): void => {
      words.callOf({ kind: 'quote', request, version: 1, oddsE4: 25_000, probability: 0.4, validUs: 8_000_000 }, nowUs)
      words.answered(tagOf(request), { status: 200, headers: {}, body: '{}' })
    }
    const left = () => words.leaving().map((act) => (act as { path: string }).path.split('/')[4])
    quote(1, 5)
    quote(2, 6)
    quote(1, 7)
    expect(left()).toEqual(['b', 'a'])
    expect(words.callOf({ kind: 'withdraw', request: 1 }, 8)).toMatchObject([{ method: 'DELETE', path: '/v1/mm/quote-requests/a/quote', tag: { action: Action.withdrawQuote, request: 1 } }])
    expect(left()).toEqual(['b'])
    // A quote ends 8 s after it was sent, which may take 10 s.
    quote(3, 18_000_005)
    expect(left()).toEqual(['b', 'c'])
    quote(3, 18_000_006)
    expect(left()).toEqual(['c'])
  })

  it('opens the stream of makers, and a socket that says who it is', () => {
    expect(new ParlayMakerWords('key').channels).toEqual([{ kind: 'events', path: '/v1/mm/stream' }, { kind: 'socket', path: '/v1/ws', firstFrame: '{"type":"auth","api_key":"key"}' }])
    const words = new ParlayMakerWords('key')
    const other = [{ path: '/v1/ws', text: frame('a').text }, { path: '/v1/mm/stream', text: 'event: heartbeat\ndata: {"id":"a","version":1}' }, { path: '/v1/mm/stream', text: ':' }]
    expect(words.told(other, [note('a')], 5)).toEqual([])
  })

  it('forgets the hashes of requests that have long ended', () => {
    const words = new ParlayMakerWords('key')
    words.told(Array.from({ length: 20_001 }, (_, i) => frame(`r${i}`)), [], 5)
    expect(words.told([], [note('r0'), note('r1')], 5).map(({ numbers }) => numbers['request'])).toEqual([1])
    expect(words.callOf({ kind: 'quote', request: 1, version: 1, oddsE4: 25_000, probability: 0.4, validUs: 8_000_000 }, 5)).toMatchObject([{ path: '/v1/mm/quote-requests/r1/quote' }])
  })

  it('withdraws after it was away what may stand, whether it is answered or not', () => {
    const words = new ParlayMakerWords('key')
    words.told([frame('a')], [note('a')], 5)
    words.callOf({ kind: 'quote', request: 1, version: 1, oddsE4: 25_000, probability: 0.4, validUs: 8_000_000 }, 5)
    expect(words.leaving()).toEqual([])
    words.cameBack()
    expect(words.leaving()).toMatchObject([{ method: 'DELETE', path: '/v1/mm/quote-requests/a/quote' }])
  })

  it.each([
    [Action.submitQuote, 409, { code: 'CONFLICT' }, Refusal.selectionPending, 'CONFLICT'], [Action.withdrawQuote, 409, { code: 'CONFLICT' }, Refusal.quoteGone, 'CONFLICT'],
    [Action.submitQuote, 409, { code: 'CONFLICT', details: { reason: 'version_mismatch' } }, Refusal.termsStale, 'version_mismatch'],
    [Action.submitQuote, 400, { code: 'VALIDATION_ERROR', details: { reason: 'insufficient_collateral' } }, Refusal.insufficientFunds, 'insufficient_collateral'],
    [Action.confirm, 409, { code: 'CONFLICT', details: { reason: 'no_pending_selection' } }, Refusal.noSelection, 'no_pending_selection'],
    [Action.confirm, 409, { code: 'CONFLICT' }, Refusal.quoteGone, 'CONFLICT'], [Action.decline, 409, { code: 'CONFLICT' }, Refusal.quoteGone, 'CONFLICT'],
    [Action.submitBid, 409, { code: 'CONFLICT', details: { reason: 'price_above_max_payout' } }, Refusal.priceOutOfBounds, 'price_above_max_payout'],
    [Action.submitBid, 409, { code: 'CONFLICT' }, Refusal.quoteGone, 'CONFLICT'], [Action.submitQuote, 403, { code: 'FORBIDDEN', details: { reason: 'self_quote' } }, Refusal.notAllowed, 'self_quote'],
    [Action.submitBid, 404, { code: 'NOT_FOUND' }, Refusal.notFound, 'NOT_FOUND'], [Action.submitBid, 500, {}, Refusal.unavailable, 'HTTP 500'],
  ] as const)('reads refusal %i %i %j', (action, status, error, refusal, code) => {
    expect(refusalOf(action, { status, headers: {}, body: JSON.stringify({ error }) })).toEqual({ failedMaker: null, refusal, code, retryAfterUs: NaN })
  })

  it('reads how long to wait, and a withdrawal that came too late', () => {
    expect(refusalOf(Action.submitQuote, { status: 429, headers: { 'retry-after': '3' }, body: '{"error":{"code":"RATE_LIMITED"}}' })).toEqual({ failedMaker: null, refusal: Refusal.rateLimited, code: 'RATE_LIMITED', retryAfterUs: 3_000_000 })
    expect(refusalOf(Action.submitQuote, { status: 299, headers: {}, body: '' })).toBeNull()
    const words = new ParlayMakerWords('key')
    const tag = { action: Action.withdrawQuote, request: 1, auction: NaN }
    expect(words.answered(tag, { status: 200, headers: {}, body: '{"data":{"status":"already_expired"}}' }).ack).toMatchObject({ refusal: Refusal.quoteGone })
    expect(words.answered(tag, { status: 204, headers: {}, body: '' }).ack).toMatchObject({ refusal: Refusal.none, quote: NaN })
  })

  it('sells what it took over by the parlay’s rfq_id, and commits and cancels the auction that runs', () => {
    const words = new ParlayMakerWords('key')
    const held = (what: string, more: object = {}) => ({ ...note('a', what), position: 'p', quote: null, is_holder: true, ...more })
    const [{ numbers }] = words.told([], [held('onBought', { rfq_id: 'r' })], 5) as unknown as [{ numbers: Record<string, number> }]
    const position = numbers['position']!
    const [open] = words.callOf({ kind: 'openCashOut', position }, 5)
    expect(open).toEqual({ method: 'POST', path: '/v1/cashout-requests', body: '{"rfq_id":"r"}', tag: { action: Action.openCashOut, request: NaN, auction: NaN, position, opening: 1 } })
    expect([words.callOf({ kind: 'takeBid', position, minPriceMicros: 7 }, 5), words.callOf({ kind: 'openCashOut', position: 99 }, 5), words.leaving()]).toEqual([[], [], []])
    const taken = words.answered(open!.tag, { status: 201, headers: {}, body: '{"data":{"cashout_request":{"id":"x"}}}' })
    expect(taken).toEqual({ ack: { action: Action.openCashOut, request: NaN, quote: NaN, position, auction: 1, refusal: Refusal.none, retryAfterUs: NaN }, acts: [] })
    const tag = { action: Action.takeBid, request: NaN, auction: 1, position }
    expect(words.callOf({ kind: 'takeBid', position, minPriceMicros: 7 }, 5)).toEqual([{ method: 'POST', path: '/v1/cashout-requests/x/commit', body: '{"min_price_micro":7}', tag }])
    expect(words.answered(tag, { status: 409, headers: {}, body: '{"error":{"code":"CONFLICT","details":{"reason":"no_active_bid"}}}' }).ack)
      .toEqual({ action: Action.takeBid, request: NaN, quote: NaN, position, auction: 1, refusal: Refusal.noQuote, code: 'no_active_bid', retryAfterUs: NaN })
    expect(words.leaving()).toEqual([{ method: 'POST', path: '/v1/cashout-requests/x/cancel', tag: { ...tag, action: Action.cancelCashOut } }])
    expect(words.told([], [held('onBid', { auction: 'y', best_price: 12.5 })], 6)).toMatchObject([{ kind: 'onBid', sale: { auction: 2, bestPriceMicros: 12_500_000 } }])
    expect(words.callOf({ kind: 'cancelCashOut', position }, 6)).toMatchObject([{ path: '/v1/cashout-requests/y/cancel' }])
    expect(words.told([], [held('onAuctionEnded', { outcome: 'expired', best_price: null })], 7)).toMatchObject([{ sale: { auction: NaN, bestPriceMicros: NaN, outcome: AuctionOutcome.expired } }])
    expect(words.leaving()).toEqual([])
    expect(words.told([], [held('onAuctionEnded', { outcome: 'sold', best_price: 12, profit: 2 })], 8)).toMatchObject([{ numbers: { profitMicros: 2_000_000 }, sale: { bestPriceMicros: 12_000_000, outcome: AuctionOutcome.sold } }])
    expect(words.callOf({ kind: 'openCashOut', position }, 9)).toEqual([])
  })

  it('keeps no auction of which it was told the end before the answer that names it', () => {
    const words = new ParlayMakerWords('key')
    const held = (what: string, more: object = {}) => ({ ...note('a', what), position: 'p', quote: null, is_holder: true, ...more })
    const [{ numbers }] = words.told([], [held('onBought', { rfq_id: 'r' })], 5) as unknown as [{ numbers: Record<string, number> }]
    const position = numbers['position']!
    const opens = () => words.callOf({ kind: 'openCashOut', position }, 5)[0]!.tag
    const answer = (tag: unknown, id: string) => words.answered(tag, { status: 201, headers: {}, body: JSON.stringify({ data: { cashout_request: { id } } }) }).ack
    const first = opens()
    words.told([], [held('onAuctionEnded', { outcome: 'expired', best_price: null })], 7)
    expect([answer(first, 'x'), words.leaving()]).toEqual([null, []])
    const [second, expired] = [opens(), held('onAuctionEnded', { outcome: 'expired', best_price: null })]
    words.told([], [held('onBid', { auction: 'y', best_price: 12 }), expired], 8)
    const third = opens()
    expect([answer(second, 'y'), words.leaving()]).toEqual([null, []])
    expect(answer(third, 'z')).toMatchObject({ action: Action.openCashOut, refusal: Refusal.none })
    expect(words.leaving()).toMatchObject([{ path: '/v1/cashout-requests/z/cancel' }])
  })

  it('says which quote a withdrawal has ended: the last one that the service took', () => {
    const words = new ParlayMakerWords('key')
    const answered = (action: Action, request: number, status: number, body = '') => words.answered({ action, request, auction: NaN }, { status, headers: {}, body }).ack!.quote
    const took = (request: number, id: string) => answered(Action.submitQuote, request, 200, JSON.stringify({ data: { id } }))
    expect([took(1, 'a'), took(1, 'b'), took(2, 'c')]).toEqual([1, 2, 3])
    expect(answered(Action.submitQuote, 1, 409, '{"error":{"code":"CONFLICT"}}')).toBeNaN()
    expect([answered(Action.withdrawQuote, 1, 204), answered(Action.withdrawQuote, 2, 204)]).toEqual([2, 3])
    expect([answered(Action.withdrawQuote, 1, 409, '{"error":{"code":"CONFLICT"}}'), answered(Action.withdrawQuote, 2, 200, '{"data":{"status":"already_expired"}}')]).toEqual([NaN, NaN])
  })
})
