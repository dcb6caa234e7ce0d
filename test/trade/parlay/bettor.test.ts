import { describe, expect, it } from 'vitest'
import { Action, AuctionOutcome, Refusal } from '../../../src/agent/vocabulary.ts'
import type { BettorTold, BettorWish, Heard } from '../../../src/trade/bettor/bettorWords.ts'
import type { Act, Call, Frame, Wake } from '../../../src/trade/link.ts'
import { ParlayBettor } from '../../../src/trade/parlay/bettor.ts'
import { answer, callsOf, shortly, wakesOf } from '../bettor/acts.ts'

const SECOND_US = 1_000_000
const NOW_US = 1_750_379_010 * SECOND_US
const LEGS = [{ market: 'm', side: 'yes' }] as const

const bodyOf = (act: Act | undefined): unknown => JSON.parse((act as Call).body!)
const iso = (us: number): string => new Date(us / 1000).toISOString()
const refusedBy = (status: number, code: string, reason?: string, more: object = {}) => answer(status, { error: { code, details: { ...(reason === undefined ? {} : { reason }), ...more } } })
const event = (name: string, data: object): Frame => ({ path: '/v1/stream', text: `id: 1\nevent: ${name}\ndata: ${JSON.stringify(data)}` })
const bestFrame = (request: string, quote: string | null, odds: number | null, bookSeq = 1): Frame => event('best_quote', { quote_request_id: request, book_seq: bookSeq, quote_id: quote, payout_odds: odds })
const parlay = (more: object) => answer(200, {
  data: { parlay: { rfq_id: 'x', status: 'confirmed', bet_amount: 25, position_id: 'p', user_stake: 24.75, taker_fee: 0.25, total_payout: 61.875, ...more } },
})
const auction = (more: object) => answer(200, { data: { cashout_request: { id: 'auction', status: 'active', best_price_micro: null, proceeds: null, ...more } } })

/** A bettor with a request of 25 USDC that the service has not answered yet. It expires after a minute. */
function asking() {
  const bettor = new ParlayBettor()
  const ask = (arrival: number): Call => callsOf(bettor.wished({ kind: 'requestQuote', arrival, legs: LEGS, betMicros: 25_000_000 }, NOW_US))[0]!
  const created = (call: Call, id: string, expiresUs = NOW_US + 60 * SECOND_US) => bettor.answered(call.tag, answer(201, { data: { quote_request: { id, version: 3, expires_at: iso(expiresUs) } } }), NOW_US)
  const create = ask(0)
  return {
    bettor, ask, created, open: () => created(create, 'r'),
    best: (quote: string | null, odds: number | null, bookSeq?: number) => bettor.framesCame([bestFrame('r', quote, odds, bookSeq)]).told,
    commit: (minOddsE4 = 10_001) => bettor.wished({ kind: 'commit', arrival: 0, minOddsE4 }, NOW_US),
  }
}

/** A bettor with an open request and the best quote `q` at odds of 2.5. */
function quoted() {
  const asked = asking()
  const [expiry] = wakesOf(asked.open().acts)
  asked.best('q', 2.5)
  const refused = (said: ReturnType<typeof answer>): Heard => asked.bettor.answered(callsOf(asked.commit())[0]!.tag, said, NOW_US)
  const committed = (): Call => callsOf(asked.bettor.answered(callsOf(asked.commit())[0]!.tag, answer(201, { data: { rfq_id: 'x' } }), NOW_US).acts)[0]!
  return { ...asked, expiry: expiry!, refused, committed }
}

/** Opens positions for the arrivals from `from` on; their `n`-th parlay is `x{n}`. Returns what the last one led to. */
function opening({ bettor, ask, created }: ReturnType<typeof asking>, from: number, count: number): Heard {
  let last: Heard = { told: [], acts: [] }
  for (let arrival = from; arrival < from + count; arrival++) {
    created(ask(arrival), `r${arrival}`)
    bettor.framesCame([bestFrame(`r${arrival}`, 'q', 2.5)])
    const [commit] = callsOf(bettor.wished({ kind: 'commit', arrival, minOddsE4: 10_001 }, NOW_US))
    const [trade] = callsOf(bettor.answered(commit!.tag, answer(201, { data: { rfq_id: `x${arrival}` } }), NOW_US).acts)
    last = bettor.answered(trade!.tag, parlay({}), NOW_US)
  }
  return last
}

/** A bettor that holds a position, and what may become of its auction. */
function holding() {
  const asked = asking()
  const { bettor } = asked
  const [positions] = wakesOf(opening(asked, 0, 1).acts)
  const wished = (wish: BettorWish): Call => callsOf(bettor.wished(wish, NOW_US))[0]!
  const openCashOut = (arrival = 0): Call => wished({ kind: 'openCashOut', arrival })
  const began = (arrival = 0): Heard => bettor.answered(openCashOut(arrival).tag, auction({ id: `a${arrival}` }), NOW_US)
  /** Reads the best bid, and says what the service answers. */
  const read = (wake: Act, said: ReturnType<typeof answer>): Heard => bettor.answered(callsOf(bettor.woken(wake.tag, NOW_US, true).acts)[0]!.tag, said, NOW_US)
  return { ...asked, positions: positions!, wished, openCashOut, began, read, takeBid: () => wished({ kind: 'takeBid', arrival: 0, minPriceMicros: 7 }), cancel: () => wished({ kind: 'cancelCashOut', arrival: 0 }) }
}

const refusedCommit = (refusal: Refusal, retryAfterUs = NaN): BettorTold => ({ kind: 'commitRefused', arrival: 0, refusal, retryAfterUs })
const refusedSale = (action: Action, refusal: Refusal, retryAfterUs = NaN): BettorTold => ({ kind: 'cashOutRefused', arrival: 0, action, refusal, retryAfterUs })
const requestEnded: BettorTold = { kind: 'requestEnded', arrival: 0 }
const positionEnded: BettorTold = { kind: 'positionEnded', arrival: 0 }
const ended = (outcome: AuctionOutcome, receivedMicros = NaN): BettorTold => ({ kind: 'auctionEnded', arrival: 0, outcome, receivedMicros })
const best = (oddsE4: number): BettorTold => ({ kind: 'best', arrival: 0, oddsE4 })
const bids = (priceMicros: number): BettorTold => ({ kind: 'bid', arrival: 0, priceMicros })
const requested = (refusal: Refusal, retryAfterUs = NaN): BettorTold => ({ kind: 'requested', arrival: 0, refusal, retryAfterUs })
const opened: BettorTold = { kind: 'opened', arrival: 0, costMicros: 25_000_000, stakeMicros: 24_750_000, payoutMicros: 61_875_000 }

describe('what a bettor sends', () => {
  it('asks with the venues that the list has told', () => {
    const bettor = new ParlayBettor()
    const [list] = callsOf(bettor.begun())
    bettor.answered(list!.tag, answer(200, { data: { events: [{ markets: [{ ticker: 'a', venue: 'venue_b', status: 'open', exclusion_keys: [] }] }] }, meta: { cursor: '', has_more: false } }), NOW_US)
    const legs = [{ market: 'a', side: 'yes' }, { market: 'b', side: 'no' }] as const
    const acts = bettor.wished({ kind: 'requestQuote', arrival: 0, legs, betMicros: 12_500_000 }, NOW_US)
    expect(shortly(acts, NOW_US)).toEqual(['POST /v1/quote-requests'])
    expect(bodyOf(acts[0])).toEqual({ legs: [{ market_ticker: 'a', side: 'yes', venue: 'venue_b' }, { market_ticker: 'b', side: 'no' }], bet_amount: 12.5 })
  })

  it('commits to the quote that it was shown, from its lowest odds on', () => {
    const { commit, best: shown } = quoted()
    shown('better', 2.6, 17)
    expect(shortly(commit(), NOW_US)).toEqual(['POST /v1/quote-requests/r/commit'])
    expect(bodyOf(commit(24_001)[0])).toEqual({ expected_version: 3, displayed_quote_id: 'better', displayed_quote_book_seq: 17, min_payout_odds_seen: 2.4001 })
  })

  it('names no quote where there is none, and hears so at the same instant', () => {
    const { bettor, open, commit } = asking()
    open()
    const acts = commit()
    expect(shortly(acts, NOW_US)).toEqual(['wake 0'])
    expect(bettor.woken(acts[0]!.tag, NOW_US, true)).toEqual({ told: [refusedCommit(Refusal.noQuote)], acts: [] })
  })

  it('takes back, sells, takes a bid and cancels by the names that the service gave', () => {
    const { bettor } = quoted()
    expect(shortly(bettor.wished({ kind: 'cancelRequest', arrival: 0 }, NOW_US), NOW_US)).toEqual(['POST /v1/quote-requests/r/cancel'])
    const { openCashOut, began, takeBid, cancel } = holding()
    expect([openCashOut().path, bodyOf(openCashOut())]).toEqual(['/v1/cashout-requests', { rfq_id: 'x0' }])
    began()
    expect([takeBid().path, bodyOf(takeBid())]).toEqual(['/v1/cashout-requests/a0/commit', { min_price_micro: 7 }])
    expect([cancel().path, cancel().body]).toEqual(['/v1/cashout-requests/a0/cancel', undefined])
  })

  it('does nothing about what has ended, of which its strategy hears in the same turn', () => {
    const { bettor } = holding()
    const wishes: BettorWish[] = [
      { kind: 'commit', arrival: 7, minOddsE4: 0 }, { kind: 'cancelRequest', arrival: 7 }, { kind: 'openCashOut', arrival: 7 }, { kind: 'takeBid', arrival: 7, minPriceMicros: 1 },
      { kind: 'cancelCashOut', arrival: 7 }, { kind: 'takeBid', arrival: 0, minPriceMicros: 1 }, { kind: 'cancelCashOut', arrival: 0 },
    ]
    expect(wishes.flatMap((wish) => bettor.wished(wish, NOW_US))).toEqual([])
  })

  it('takes back, as it leaves, what is open and not being taken', () => {
    const { bettor, commit, ask } = quoted()
    // This one is not answered yet.
    ask(1)
    expect(shortly(bettor.leaving(), NOW_US)).toEqual(['POST /v1/quote-requests/r/cancel'])
    commit()
    expect(bettor.leaving()).toEqual([])
    for (const end of ['takeBid', 'cancel'] as const) {
      const sale = holding()
      expect(sale.bettor.leaving()).toEqual([])
      sale.began()
      sale[end]()
      expect(sale.bettor.leaving()).toEqual([])
      const other = holding()
      other.began()
      const [left] = callsOf(other.bettor.leaving())
      expect(left!.path).toBe('/v1/cashout-requests/a0/cancel')
      expect(other.bettor.answered(left!.tag, auction({ status: 'cancelled' }), NOW_US).told).toEqual([ended(AuctionOutcome.cancelled)])
    }
  })
})

describe('the best quote', () => {
  it('is told by its odds, also where it came before the answer, and that there is none', () => {
    const { bettor, best: shown, open } = asking()
    expect(shown('q', 2.50004)).toEqual([])
    expect(open().told).toEqual([requested(Refusal.none), best(25_000)])
    expect([shown('q2', 2.50006), shown(null, null)]).toEqual([[best(25_001)], [best(NaN)]])
    const other = asking()
    other.best('q', 2.5)
    other.best(null, null)
    expect(other.open().told).toEqual([requested(Refusal.none), best(NaN)])
    expect(bettor.framesCame([event('cashout_request', { quote_request_id: 'r', quote_id: 'q', payout_odds: 2.5 }), { path: '/v1/stream', text: ': comment' }, bestFrame('other', 'q', 2.5)])).toEqual({ told: [], acts: [] })
  })

  it('is kept for a thousand requests whose answer has not come', () => {
    const early = (others: number) => {
      const { bettor, best: shown, open } = asking()
      shown('q', 2.5)
      bettor.framesCame(Array.from({ length: others }, (_, i) => bestFrame(`other ${i}`, 'q', 2.5)))
      return open().told.length
    }
    expect([early(999), early(1000)]).toEqual([2, 1])
  })

  it('of a name that comes again is not that of before', () => {
    const { best: shown, open, ask, created } = asking()
    shown('q', 2.5)
    open()
    expect(created(ask(1), 'r').told).toHaveLength(1)
  })
})

describe('an answer', () => {
  it.each<[number, string, Refusal]>([[429, 'RATE_LIMITED', Refusal.rateLimited], [300, 'NOT_FOUND', Refusal.notFound], [199, 'FORBIDDEN', Refusal.notAllowed]])('of %i %s refuses a request', (status, code, refusal) => {
    const { bettor } = asking()
    const [create] = bettor.wished({ kind: 'requestQuote', arrival: 0, legs: LEGS, betMicros: 1 }, NOW_US)
    expect(bettor.answered(create!.tag, answer(status, { error: { code } }, { 'retry-after': '4' }), NOW_US)).toEqual({ told: [requested(refusal, 4 * SECOND_US)], acts: [] })
    expect([...bettor.refusals]).toEqual([[code, 1]])
    expect(bettor.wished({ kind: 'cancelRequest', arrival: 0 }, NOW_US)).toEqual([])
  })

  it('opens a request until it expires, to the microsecond', () => {
    const { bettor, ask } = asking()
    const until = (expires_at: string): number => wakesOf(bettor.answered(ask(0).tag, answer(200, { data: { quote_request: { id: 'r', version: 1, expires_at } } }), NOW_US).acts)[0]!.wakeUs
    expect(['2025-06-20T00:23:30Z', '2025-06-20T00:23:30.5Z', '2025-06-20T00:23:30.000001Z', '2025-06-20T00:23:30.123456789Z'].map((text) => until(text) - NOW_US)).toEqual([0, 500_000, 1, 123_456])
  })

  it('of a request’s expiry ends it once', () => {
    const { bettor, expiry } = quoted()
    expect(expiry.wakeUs - NOW_US).toBe(60 * SECOND_US)
    expect(bettor.woken(expiry.tag, expiry.wakeUs, true)).toEqual({ told: [requestEnded], acts: [] })
    expect(bettor.woken(expiry.tag, expiry.wakeUs, true)).toEqual({ told: [], acts: [] })
    expect(bettor.framesCame([bestFrame('r', 'q2', 3)]).told).toEqual([])
  })

  it.each<[number, string, string, BettorTold[]]>([
    // The quote is no offer any more.
    [409, 'CONFLICT', 'QUOTE_EXPIRED', [best(NaN), refusedCommit(Refusal.noQuote)]], [409, 'CONFLICT', 'mm_confirmation_timeout', [best(NaN), refusedCommit(Refusal.notConfirmed)]],
    [409, 'CONFLICT', 'QUOTE_CHANGED', [refusedCommit(Refusal.termsStale)]], [503, 'SERVICE_UNAVAILABLE', 'COMMIT_FAILED_RETRYABLE', [refusedCommit(Refusal.unavailable)]],
  ])('%i %s %s refuses a commit', (status, code, reason, told) => {
    const { bettor, refused, commit } = quoted()
    expect(refused(refusedBy(status, code, reason))).toEqual({ told, acts: [] })
    expect([...bettor.refusals]).toEqual([[reason, 1]])
    expect(shortly(bettor.leaving(), NOW_US)).toEqual(['POST /v1/quote-requests/r/cancel'])
    expect(shortly(commit(), NOW_US)).toEqual([told.length === 2 ? 'wake 0' : 'POST /v1/quote-requests/r/commit'])
  })

  it('PQ-365 leaves the next quote, of which the stream has told before the answer', () => {
    const { bettor, commit, best: shown } = quoted()
    const [call] = callsOf(commit())
    shown('next', 2.4, 5)
    expect(bettor.answered(call!.tag, refusedBy(409, 'CONFLICT', 'mm_confirmation_timeout', { failed_mm_id: 'a' }), NOW_US).told).toEqual([refusedCommit(Refusal.notConfirmed)])
    expect(bodyOf(commit()[0])).toMatchObject({ displayed_quote_id: 'next', displayed_quote_book_seq: 5, exclude_mm_ids: ['a'] })
  })

  it('names the makers that are left out from then on, the first eight of them', () => {
    const { best: shown, refused, commit } = quoted()
    const makers = Array.from({ length: 9 }, (_, i) => `m${i}`)
    for (const failed_mm_id of makers) {
      shown('q', 2.5)
      refused(refusedBy(409, 'CONFLICT', 'mm_confirmation_timeout', { failed_mm_id }))
    }
    shown('q', 2.5)
    expect(bodyOf(commit()[0])).toMatchObject({ exclude_mm_ids: makers.slice(0, 8) })
  })

  it('to a commit is waited for when the request expires', () => {
    const { bettor, expiry, commit } = quoted()
    const [call] = callsOf(commit())
    expect(bettor.woken(expiry.tag, expiry.wakeUs, true)).toEqual({ told: [], acts: [] })
    expect(bettor.answered(call!.tag, refusedBy(409, 'CONFLICT', 'COMMIT_FAILED'), NOW_US).told).toEqual([refusedCommit(Refusal.unfillable), requestEnded])
  })

  it('takes a request back, or not', () => {
    const { bettor } = quoted()
    const [cancel] = bettor.wished({ kind: 'cancelRequest', arrival: 0 }, NOW_US)
    expect(bettor.answered(cancel!.tag, refusedBy(409, 'CONFLICT'), NOW_US)).toEqual({ told: [], acts: [] })
    expect([...bettor.refusals]).toEqual([['CONFLICT', 1]])
    expect(bettor.answered(cancel!.tag, answer(200, {}), NOW_US)).toEqual({ told: [requestEnded], acts: [] })
    expect(bettor.wished({ kind: 'commit', arrival: 0, minOddsE4: 1 }, NOW_US)).toEqual([])
  })
})

describe('a trade', () => {
  it.each([['cannot be read', refusedBy(404, 'NOT_FOUND'), [['NOT_FOUND', 1]]], ...['open', 'quoted', 'accepted'].map((status) => [`is ${status}`, parlay({ status }), []] as const)] as const)('that %s is read again after a second', (_, said, refusals) => {
    const { bettor, committed } = quoted()
    const trade = committed()
    expect(shortly([trade], NOW_US)).toEqual(['GET /v1/parlays/x'])
    const heard = bettor.answered(trade.tag, said, NOW_US)
    expect([heard.told, shortly(heard.acts, NOW_US), [...bettor.refusals]]).toEqual([[], ['wake 1000000'], refusals])
    expect(shortly(bettor.woken(heard.acts[0]!.tag, NOW_US, true).acts, NOW_US)).toEqual(['GET /v1/parlays/x'])
  })

  it.each<[string, object, BettorTold[], string[]]>([
    ['failed', { status: 'failed', position_id: null }, [requestEnded], []],
    ['opened', { status: 'confirmed' }, [{ kind: 'takerFee', bps: 100 }, opened], ['wake 120000000']], ['is executed', { status: 'executed' }, [{ kind: 'takerFee', bps: 100 }, opened], ['wake 120000000']],
    ['opened and ended', { status: 'settled' }, [{ kind: 'takerFee', bps: 100 }, opened, positionEnded], []],
  ])('that %s', (_, more, told, acts) => {
    const { bettor, committed, expiry } = quoted()
    const trade = committed()
    expect(bettor.woken(expiry.tag, expiry.wakeUs, true)).toEqual({ told: [], acts: [] })
    const heard = bettor.answered(trade.tag, parlay(more), NOW_US)
    expect([heard.told, shortly(heard.acts, NOW_US)]).toEqual([told, acts])
    expect([bettor.leaving(), bettor.framesCame([bestFrame('r', 'q2', 3)]).told]).toEqual([[], []])
  })

  it('tells the fee where it is another than before', () => {
    const asked = asking()
    const kinds = (from: number): string[] => opening(asked, from, 1).told.map(({ kind }) => kind)
    expect([kinds(0), kinds(1)]).toEqual([['takerFee', 'opened'], ['opened']])
    const { bettor, committed } = quoted()
    // 0.13 of 25 USDC.
    expect(bettor.answered(committed().tag, parlay({ taker_fee: 0.13 }), NOW_US).told[0]).toEqual({ kind: 'takerFee', bps: 52 })
  })
})

describe('an auction', () => {
  it('begins, or is refused', () => {
    const { bettor, openCashOut, began } = holding()
    const refused = answer(409, { error: { code: 'CONFLICT' } }, { 'retry-after': '2' })
    expect(bettor.answered(openCashOut().tag, refused, NOW_US)).toEqual({ told: [refusedSale(Action.openCashOut, Refusal.notSellable, 2 * SECOND_US)], acts: [] })
    expect([...bettor.refusals]).toEqual([['CONFLICT', 1]])
    const heard = began()
    expect([heard.told, shortly(heard.acts, NOW_US)]).toEqual([[{ kind: 'auctionBegan', arrival: 0 }], ['wake 500000']])
    expect(shortly(bettor.woken(heard.acts[0]!.tag, NOW_US, true).acts, NOW_US)).toEqual(['GET /v1/cashout-requests/a0'])
  })

  it('is read the later, the more auctions run', () => {
    const sale = holding()
    opening(sale, 1, 3)
    const inUs = [0, 1, 2].map((arrival) => shortly(sale.began(arrival).acts, NOW_US)[0])
    expect(inUs).toEqual(['wake 500000', 'wake 600000', 'wake 900000'])
  })

  it('tells of each other best bid', () => {
    const { began, read } = holding()
    let [wake] = began().acts
    const told = (best_price_micro: number | null): readonly BettorTold[] => {
      const heard = read(wake!, auction({ best_price_micro }))
      wake = heard.acts[0]!
      expect(shortly(heard.acts, NOW_US)).toEqual(['wake 500000'])
      return heard.told
    }
    expect([null, 5, 5, 6, null, null].map(told)).toEqual([[], [bids(5)], [], [bids(6)], [bids(NaN)], []])
  })

  it.each<[string, ReturnType<typeof answer>, BettorTold[]]>([
    ['is cancelled', auction({ status: 'cancelled' }), [ended(AuctionOutcome.graded)]], ['has expired', auction({ status: 'expired' }), [ended(AuctionOutcome.expired)]],
    ['is not found', refusedBy(404, 'NOT_FOUND'), [ended(AuctionOutcome.expired)]], ['is over', refusedBy(410, 'GONE'), [ended(AuctionOutcome.expired)]],
    ['cannot be read', refusedBy(429, 'RATE_LIMITED'), []], ['is committed', auction({ status: 'committed', best_price_micro: 9 }), []],
  ])('that %s', (_, said, told) => {
    const { bettor, began, read, openCashOut } = holding()
    const [wake] = began().acts
    const heard = read(wake!, said)
    expect([heard.told, shortly(heard.acts, NOW_US)]).toEqual([told, told.length === 0 ? ['wake 500000'] : []])
    expect([...bettor.refusals]).toHaveLength(said.status === 200 ? 0 : 1)
    // What it had asked for means nothing any more, and the position is still there.
    expect(shortly(bettor.woken(wake!.tag, NOW_US, true).acts, NOW_US)).toEqual(told.length === 0 ? ['GET /v1/cashout-requests/a0'] : [])
    expect(openCashOut().path).toBe('/v1/cashout-requests')
  })

  it.each(['takeBid', 'cancel'] as const)('hears of %s by its answer alone', (end) => {
    const sale = holding()
    const [wake] = sale.began().acts
    const call = sale[end]()
    for (const said of [auction({ status: 'committed' }), auction({ status: 'cancelled' }), auction({ best_price_micro: 9 }), refusedBy(404, 'NOT_FOUND')]) {
      const heard = sale.read(wake!, said)
      expect([heard.told, shortly(heard.acts, NOW_US)]).toEqual([[], ['wake 500000']])
    }
    const refusal = end === 'takeBid' ? refusedSale(Action.takeBid, Refusal.noQuote) : refusedSale(Action.cancelCashOut, Refusal.noQuote)
    expect(sale.bettor.answered(call.tag, refusedBy(409, 'CONFLICT', 'no_active_bid'), NOW_US)).toEqual({ told: [refusal], acts: [] })
    expect(sale.read(wake!, auction({ best_price_micro: 9 })).told).toEqual([bids(9)])
  })

  it('ends with a sale, for what the seller gets', () => {
    const { bettor, began, takeBid } = holding()
    const [wake] = began().acts
    expect(bettor.answered(takeBid().tag, auction({ status: 'committed', proceeds: 12.345678 }), NOW_US)).toEqual({ told: [ended(AuctionOutcome.sold, 12_345_678)], acts: [] })
    expect([bettor.woken(wake!.tag, NOW_US, true).acts, bettor.wished({ kind: 'openCashOut', arrival: 0 }, NOW_US)]).toEqual([[], []])
  })

  it('that has ended leaves nothing to answer', () => {
    const { bettor, began, takeBid, cancel, read } = holding()
    const [wake] = began().acts
    const [reading] = callsOf(bettor.woken(wake!.tag, NOW_US, true).acts)
    const calls = [takeBid(), cancel()]
    expect(bettor.answered(calls[1]!.tag, auction({ status: 'cancelled' }), NOW_US).told).toEqual([ended(AuctionOutcome.cancelled)])
    for (const said of [auction({ proceeds: 1 }), refusedBy(410, 'GONE')]) for (const { tag } of calls) expect(bettor.answered(tag, said, NOW_US)).toEqual({ told: [], acts: [] })
    expect([...bettor.refusals]).toEqual([['GONE', 2]])
    expect(bettor.answered(reading!.tag, auction({ best_price_micro: 9 }), NOW_US)).toEqual({ told: [], acts: [] })
    // Another auction of the position is another one.
    const [again] = began().acts
    expect([bettor.woken(wake!.tag, NOW_US, true).acts, read(again!, auction({ best_price_micro: 9 })).told]).toEqual([[], [bids(9)]])
  })
})

describe('positions', () => {
  it('are read one after the other, each every two minutes, and one a second at most', () => {
    const sale = holding()
    const { bettor, positions } = sale
    const nextInUs = (wake: Wake) => wake.wakeUs - NOW_US
    expect(opening(sale, 1, 6).acts).toEqual([])
    const read: string[] = []
    let wake = positions
    for (let i = 0; i < 8; i++) {
      const { acts } = bettor.woken(wake.tag, NOW_US, false)
      read.push(...callsOf(acts).map(({ path }) => path))
      wake = wakesOf(acts)[0]!
      // 120 s for seven of them.
      expect(nextInUs(wake)).toBe(17_142_857)
    }
    expect(read).toEqual([0, 1, 2, 3, 4, 5, 6, 0].map((n) => `/v1/parlays/x${n}`))
    // A time that was asked for before counts no more.
    expect(bettor.woken(positions.tag, NOW_US, true)).toEqual({ told: [], acts: [] })
    opening(sale, 7, 123)
    expect(nextInUs(wakesOf(bettor.woken(wake.tag, NOW_US, true).acts)[0]!)).toBe(SECOND_US)
  })

  it.each<[string, ReturnType<typeof answer>, BettorTold[], [string, number][]]>([
    ['is there', parlay({ status: 'executed' }), [], []], ['cannot be read', refusedBy(429, 'RATE_LIMITED'), [], [['RATE_LIMITED', 1]]], ['has ended', parlay({ status: 'settled' }), [positionEnded], []],
  ])('one that %s', (_, said, told, refusals) => {
    const { bettor, positions } = holding()
    const [read] = callsOf(bettor.woken(positions.tag, NOW_US, true).acts)
    expect(bettor.answered(read!.tag, said, NOW_US)).toEqual({ told, acts: [] })
    expect([...bettor.refusals]).toEqual(refusals)
    // It ends once.
    expect(bettor.answered(read!.tag, parlay({ status: 'settled' }), NOW_US).told).toHaveLength(1 - told.length)
  })

  it('end with their auction, but not while a bid is being taken', () => {
    const sale = holding()
    const { bettor, positions, began, takeBid } = sale
    const [read, again] = bettor.woken(positions.tag, NOW_US, true).acts as [Call, Wake]
    began()
    const call = takeBid()
    expect(bettor.answered(read.tag, parlay({ status: 'settled' }), NOW_US).told).toEqual([])
    bettor.answered(call.tag, refusedBy(429, 'RATE_LIMITED'), NOW_US)
    expect(bettor.answered(read.tag, parlay({ status: 'settled' }), NOW_US).told).toEqual([ended(AuctionOutcome.graded), positionEnded])
    // None is left to be read.
    expect(bettor.woken(again.tag, NOW_US, true).acts).toEqual([])
    expect(shortly(opening(sale, 1, 1).acts, NOW_US)).toEqual(['wake 120000000'])
  })
})

describe('the list of markets', () => {
  const page = (bettor: ParlayBettor, { tag }: Call, markets: readonly [string, string][], cursor: string) => bettor.answered(tag, answer(200, {
    data: { events: markets.map(([ticker, status]) => ({ markets: [{ ticker, title: `Will ${ticker}?`, event_ticker: `e-${ticker}`, bet_group: 'g', category: 'sports', venue: 'v', status, exclusion_keys: [`key of ${ticker}`] }] })) }, meta: { cursor, has_more: cursor !== '' },
  }), NOW_US)

  it('is read page by page, and again after a while, two seconds for each page at least', () => {
    const bettor = new ParlayBettor()
    const [first] = callsOf(bettor.begun())
    expect(first!.path).toBe('/v1/markets?limit=40&markets_per_event=50')
    const [second] = callsOf(page(bettor, first!, [['a', 'open']], 'a b').acts)
    expect(second!.path).toBe('/v1/markets?limit=40&markets_per_event=50&cursor=a%20b')
    const heard = page(bettor, second!, [['b', 'closed']], '')
    // Before the first bet the fee is that of the service's document.
    expect(heard.told).toEqual([{ kind: 'takerFee', bps: 100 }, {
      kind: 'markets', markets: [
        { name: 'a', exclusionKeys: ['key of a'], isOpen: true, names: { ticker: 'a', title: 'Will a?', event: 'e-a', game: '', category: 'sports', venue: 'v' } },
        { name: 'b', exclusionKeys: ['key of b'], isOpen: false, names: { ticker: 'b', title: 'Will b?', event: 'e-b', game: '', category: 'sports', venue: 'v' } },
      ],
    }])
    expect(shortly(heard.acts, NOW_US)).toEqual(['wake 60000000'])
    const again = page(bettor, first!, [], '')
    expect([again.told, shortly(again.acts, NOW_US)]).toEqual([[{ kind: 'markets', markets: [] }], ['wake 10000000']])
    let call = first!
    for (let i = 0; i < 5; i++) [call] = callsOf(page(bettor, call, [], 'next').acts) as [Call]
    // Six pages.
    const [wake] = page(bettor, call, [], '').acts
    expect(shortly([wake!], NOW_US)).toEqual(['wake 12000000'])
    expect(shortly(bettor.woken(wake!.tag, NOW_US, true).acts, NOW_US)).toEqual(['GET /v1/markets?limit=40&markets_per_event=50'])
    expect(bettor.woken(wake!.tag, NOW_US, false)).toEqual({ told: [], acts: [] })
  })

  it('is read on where a page is refused', () => {
    const bettor = new ParlayBettor()
    const [first] = callsOf(bettor.begun())
    const [second] = callsOf(page(bettor, first!, [['a', 'open']], 'next').acts)
    const later = (headers: Readonly<Record<string, string>>) => bettor.answered(second!.tag, answer(429, { error: { code: 'RATE_LIMITED' } }, headers), NOW_US).acts
    expect([later({}), later({ 'retry-after': '7' })].map((acts) => shortly(acts, NOW_US))).toEqual([['wake 2000000'], ['wake 7000000']])
    expect([...bettor.refusals]).toEqual([['RATE_LIMITED', 2]])
    const [again] = callsOf(bettor.woken(later({})[0]!.tag, NOW_US, true).acts)
    expect(again!.path).toBe(second!.path)
    expect(page(bettor, again!, [], '').told.at(-1)).toMatchObject({ markets: [{ name: 'a' }] })
  })
})

describe('a bettor that was away', () => {
  const parlays = (list: readonly object[], cursor = '') => answer(200, {
    data: { parlays: list.map((more) => ({ rfq_id: 'x', quote_request_id: 'r', status: 'open', bet_amount: 25, legs: [{ market_ticker: 'm', side: 'yes', venue: 'v' }], created_at: iso(NOW_US), ...more })) },
    meta: { cursor, has_more: cursor !== '' },
  })
  /** Is back with calls that nobody has answered, and looks for them. Returns the call of the list. */
  const back = (bettor: ParlayBettor, calls: readonly Call[]): Call => {
    const acts = bettor.cameBack(calls, NOW_US)
    expect(shortly(acts, NOW_US)).toEqual(['wake 2000000'])
    const [list] = callsOf(bettor.woken(acts[0]!.tag, NOW_US, false).acts)
    expect(shortly([list!], NOW_US)).toEqual(['GET /v1/parlays?limit=100'])
    return list!
  }

  it('reads again what it was reading, and takes back and opens again', () => {
    const sale = holding()
    const { bettor, committed } = quoted()
    const calls = [...callsOf(bettor.begun()), committed(), ...callsOf(bettor.wished({ kind: 'cancelRequest', arrival: 0 }, NOW_US)), sale.openCashOut()]
    expect(calls).toHaveLength(4)
    expect(bettor.cameBack(calls, NOW_US)).toEqual(calls)
  })

  it('asks again for what has not come in', () => {
    const { bettor, ask, open, commit, best: shown } = asking()
    open()
    shown('q', 2.5)
    const asked = ask(1)
    const [take] = callsOf(commit())
    const others = [{ quote_request_id: 'r' }, { quote_request_id: 'bet', bet_amount: 26 }, { quote_request_id: 'legs', legs: [{ market_ticker: 'm', side: 'no' }] }, { quote_request_id: 'old', created_at: iso(NOW_US - 1000) }]
    expect(bettor.answered(back(bettor, [asked, take!]).tag, parlays(others), NOW_US)).toEqual({ told: [], acts: [asked, take] })
  })

  it('finds the requests that it has made, each by the oldest of them, and reads them', () => {
    const { bettor, ask, open } = asking()
    open()
    const asked = [ask(1), ask(2), ask(3)]
    const found = bettor.answered(back(bettor, asked).tag, parlays([{ quote_request_id: 'second', created_at: iso(NOW_US + 1000) }, { quote_request_id: 'first' }, { quote_request_id: 'r' }]), NOW_US)
    expect([found.told, shortly(found.acts, NOW_US)]).toEqual([[], ['GET /v1/quote-requests/first', 'GET /v1/quote-requests/second', 'POST /v1/quote-requests']])
    const [first, second, third] = callsOf(found.acts)
    expect(third).toEqual(asked[2])
    const heard = bettor.answered(first!.tag, answer(200, { data: { quote_request: { id: 'first', version: 3, expires_at: iso(NOW_US + SECOND_US) } } }), NOW_US)
    expect([heard.told, shortly(heard.acts, NOW_US)]).toEqual([[{ ...requested(Refusal.none), arrival: 1 }], ['wake 1000000']])
    expect(shortly(bettor.wished({ kind: 'cancelRequest', arrival: 1 }, NOW_US), NOW_US)).toEqual(['POST /v1/quote-requests/first/cancel'])
    // One that cannot be read is there all the same.
    const busy = bettor.answered(second!.tag, refusedBy(429, 'RATE_LIMITED'), NOW_US)
    expect([busy.told, shortly(busy.acts, NOW_US), [...bettor.refusals]]).toEqual([[], ['wake 1000000'], [['RATE_LIMITED', 1]]])
    expect(bettor.woken(busy.acts[0]!.tag, NOW_US, false).acts).toEqual([second])
    // It was made, and is over by now.
    expect(bettor.answered(second!.tag, refusedBy(404, 'NOT_FOUND'), NOW_US).told).toEqual([{ ...requested(Refusal.none), arrival: 2 }, { kind: 'requestEnded', arrival: 2 }])
  })

  it('knows a request by its legs in any order', () => {
    const bettor = new ParlayBettor()
    const legs = [{ market: 'b', side: 'no' }, { market: 'a', side: 'yes' }] as const
    const [asked] = callsOf(bettor.wished({ kind: 'requestQuote', arrival: 0, legs, betMicros: 25_000_000 }, NOW_US))
    const listed = [{ quote_request_id: 'it', legs: [{ market_ticker: 'a', side: 'yes' }, { market_ticker: 'b', side: 'no' }] }]
    expect(shortly(bettor.answered(back(bettor, [asked!]).tag, parlays(listed), NOW_US).acts, NOW_US)).toEqual(['GET /v1/quote-requests/it'])
  })

  it.each<[string, string]>([
    ['open', 'POST /v1/quote-requests/r/commit'], ['quoted', 'POST /v1/quote-requests/r/commit'], ['accepted', 'wake 1000000'],
    ...['confirmed', 'executed', 'settled', 'cancelled', 'expired', 'failed'].map((status): [string, string] => [status, 'GET /v1/parlays/x']),
  ])('does about a commit whose parlay is %s: %s', (status, act) => {
    const { bettor, commit } = quoted()
    const heard = bettor.answered(back(bettor, callsOf(commit())).tag, parlays([{ status }]), NOW_US)
    expect([heard.told, shortly(heard.acts, NOW_US)]).toEqual([[], [act]])
    if (status === 'accepted') expect(shortly(bettor.woken(heard.acts[0]!.tag, NOW_US, false).acts, NOW_US)).toEqual(['GET /v1/parlays?limit=100'])
    if (status === 'confirmed') expect(bettor.answered(heard.acts[0]!.tag, parlay({}), NOW_US).told).toEqual([{ kind: 'takerFee', bps: 100 }, opened])
    expect(bettor.leaving()).toEqual([])
  })

  it('reads the list as far as what it looks for may be, and again where it is refused', () => {
    const { bettor, ask } = asking()
    const asked = ask(1)
    const list = back(bettor, [asked])
    const next = bettor.answered(list.tag, parlays([{ quote_request_id: 'other', bet_amount: 1 }], 'a b'), NOW_US)
    expect(shortly(next.acts, NOW_US)).toEqual(['GET /v1/parlays?limit=100&cursor=a%20b'])
    expect(bettor.answered(next.acts[0]!.tag, parlays([{ quote_request_id: 'old', created_at: iso(NOW_US - 1000) }], 'c'), NOW_US).acts).toEqual([asked])
    expect(shortly(bettor.answered(list.tag, parlays([], 'd'), NOW_US).acts, NOW_US)).toEqual(['GET /v1/parlays?limit=100&cursor=d'])
    const found = bettor.answered(next.acts[0]!.tag, parlays([{ quote_request_id: 'older', created_at: iso(NOW_US - 1000) }]), NOW_US)
    expect(found.acts).toEqual([asked])
    const later = (headers: Readonly<Record<string, string>>) => shortly(bettor.answered(list.tag, answer(429, { error: { code: 'RATE_LIMITED' } }, headers), NOW_US).acts, NOW_US)
    expect([later({}), later({ 'retry-after': '7' }), [...bettor.refusals]]).toEqual([['wake 1000000'], ['wake 7000000'], [['RATE_LIMITED', 2]]])
  })

  it.each<[string, 'takeBid' | 'cancel', ReturnType<typeof answer>, BettorTold[], string[]]>([
    ['runs', 'takeBid', auction({}), [], ['POST /v1/cashout-requests/a0/commit']], ['runs', 'cancel', auction({}), [], ['POST /v1/cashout-requests/a0/cancel']],
    ['brought money', 'takeBid', auction({ status: 'committed', proceeds: 12.5 }), [ended(AuctionOutcome.sold, 12_500_000)], []],
    ['was cancelled', 'takeBid', auction({ status: 'cancelled' }), [ended(AuctionOutcome.graded)], []], ['was cancelled', 'cancel', auction({ status: 'cancelled' }), [ended(AuctionOutcome.cancelled)], []],
    ['has expired', 'takeBid', auction({ status: 'expired' }), [ended(AuctionOutcome.expired)], []], 
    ['cannot be read', 'takeBid', refusedBy(429, 'RATE_LIMITED'), [], ['wake 2000000']],
  ])('looks what became of an auction that %s, for %s', (_, end, said, told, acts) => {
    const sale = holding()
    const { bettor } = sale
    sale.began()
    const call = sale[end]()
    const [wake] = bettor.cameBack([call], NOW_US)
    expect(shortly([wake!], NOW_US)).toEqual(['wake 2000000'])
    const [read] = callsOf(bettor.woken(wake!.tag, NOW_US, false).acts)
    expect(read!.path).toBe('/v1/cashout-requests/a0')
    const heard = bettor.answered(read!.tag, said, NOW_US)
    expect([heard.told, shortly(heard.acts, NOW_US), [...bettor.refusals].length]).toEqual([told, acts, said.status === 200 ? 0 : 1])
    // It ends once.
    if (told.length > 0) expect([bettor.answered(read!.tag, said, NOW_US), bettor.woken(wake!.tag, NOW_US, false)]).toEqual([{ told: [], acts: [] }, { told: [], acts: [] }])
    else expect(shortly(bettor.woken(acts[0]!.startsWith('wake') ? heard.acts[0]!.tag : wake!.tag, NOW_US, false).acts, NOW_US)).toEqual(['GET /v1/cashout-requests/a0'])
  })

  it.each<[string, 'takeBid' | 'cancel', ReturnType<typeof answer>, object, BettorTold]>([
    ['sold', 'takeBid', refusedBy(404, 'NOT_FOUND'), { outcome: 'sold', received: 12.5 }, ended(AuctionOutcome.sold, 12_500_000)],
    ['bought back', 'takeBid', refusedBy(410, 'GONE'), { outcome: 'bought_back', received: 3 }, ended(AuctionOutcome.sold, 3_000_000)],
    ['won', 'takeBid', refusedBy(404, 'NOT_FOUND'), { outcome: 'won', received: 99 }, ended(AuctionOutcome.expired)],
    ['held still', 'cancel', refusedBy(404, 'NOT_FOUND'), { outcome: null, received: null }, ended(AuctionOutcome.expired)],
  ])('hears of an auction that the service has forgotten by its parlay, which was %s', (_, end, said, fields, told) => {
    const sale = holding()
    const { bettor } = sale
    sale.began()
    const [wake] = bettor.cameBack([sale[end]()], NOW_US)
    const [read] = callsOf(bettor.woken(wake!.tag, NOW_US, false).acts)
    const looked = bettor.answered(read!.tag, said, NOW_US)
    expect([looked.told, shortly(looked.acts, NOW_US).map((act) => act.replace(/\/[^/]*$/, ''))]).toEqual([[], ['GET /v1/parlays']])
    const { tag } = looked.acts[0]!
    expect(shortly(bettor.answered(tag, refusedBy(429, 'RATE_LIMITED'), NOW_US).acts, NOW_US)).toEqual(['wake 2000000'])
    expect(bettor.answered(tag, parlay(fields), NOW_US)).toEqual({ told: [told], acts: [] })
    // It ends once.
    expect(bettor.answered(tag, parlay(fields), NOW_US)).toEqual({ told: [], acts: [] })
  })

  it('hears by a bid of a sale that its own answer refused', () => {
    const sale = holding()
    const [wake] = sale.began().acts
    sale.bettor.answered(sale.takeBid().tag, refusedBy(409, 'CONFLICT', 'already_transferred'), NOW_US)
    expect(sale.read(wake!, auction({ status: 'committed', proceeds: 3 }))).toEqual({ told: [ended(AuctionOutcome.sold, 3_000_000)], acts: [] })
  })
})
