import { describe, expect, it } from 'vitest'
import { Action, AuctionOutcome, Refusal } from '../../../src/agent/vocabulary.ts'
import { OutcomeBettor } from '../../../src/trade/outcome/bettor.ts'
import type { BettorTold, BettorWish, Heard } from '../../../src/trade/bettor/bettorWords.ts'
import type { Act, Call, Frame, Wake } from '../../../src/trade/link.ts'
import { signedTerms } from '../../../src/trade/outcome/typedTerms.ts'
import { answer, callsOf, shortly, wakesOf } from '../bettor/acts.ts'

const SECOND_US = 1_000_000
const NOW_US = 1_750_379_010 * SECOND_US
const SEAT = { accountId: 'account', chainId: 999, vault: `0x${'ab'.repeat(20)}`, privateKey: `0x${'4'.repeat(64)}` }
const LEGS = [{ market: '1', side: 'yes' }] as const
const KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const paths = (acts: readonly Act[]): string[] => callsOf(acts).map(({ path }) => path)
const bodyOf = ({ body }: Call): Readonly<Record<string, unknown>> => JSON.parse(body!) as Readonly<Record<string, unknown>>
const refusedBy = (code: string, status = 409) => answer(status, { error: { code } })
/** The id of a quote or a position: the bytes of its name, and zeros. */
const idOf = (name: string): string => `0x${Buffer.from(name).toString('hex').padEnd(64, '0')}`
const iso = (us: number): string => new Date(us / 1000).toISOString()
const frame = (body: object): Frame => ({ path: '/v1/stream', text: JSON.stringify(body) })

/** What the stream says of a quote, which expires half a minute after `NOW_US` unless `inUs` says otherwise. */
const quoteFrame = (rfq: string, quote: string, maker: string, payout: string, inUs = 30 * SECOND_US, netStake: string | null = '25000000'): Frame => frame({
  type: 'event', event: 'QUOTE_CREATED', data: { rfq_id: rfq, quote_id: idOf(quote), maker_id: maker, payout, net_stake: netStake, expires_at: iso(NOW_US + inUs) },
})

/** A bettor with a request of 25 USDC that the service has not answered yet. Its window is a minute. */
function asking() {
  const bettor = new OutcomeBettor(SEAT)
  const [create] = callsOf(bettor.wished({ kind: 'requestQuote', arrival: 0, legs: LEGS, betMicros: 25_000_000 }, NOW_US))
  return {
    bettor,
    open: () => bettor.answered(create!.tag, answer(201, { rfq_id: 'rfq', open_until: iso(NOW_US + 60 * SECOND_US) }), NOW_US),
    quoted: (quote: string, maker: string, payout: string, inUs?: number) => bettor.framesCame([quoteFrame('rfq', quote, maker, payout, inUs)], NOW_US),
    commit: (minOddsE4 = 0, nowUs = NOW_US) => bettor.wished({ kind: 'commit', arrival: 0, minOddsE4 }, nowUs),
    deployed: (takerFeeBps: number, feeBps: number, nowUs = NOW_US) => bettor.answered({ kind: 'deployment' }, answer(200, { taker_fee_bps: takerFeeBps, fee_bps: feeBps }), nowUs),
  }
}

/** A bettor that knows the rates, with an open request and a quote of 60 USDC by maker `a`. */
function quoted() {
  const asked = asking()
  asked.deployed(20, 100)
  const [expiry] = wakesOf(asked.open().acts)
  asked.quoted('a1', 'a', '60000000')
  const accept = (): Call => callsOf(asked.commit())[0]!
  return { ...asked, expiry: expiry!, accept }
}

/** Confirms an acceptance, whose operation is then read. */
const confirmed = (bettor: OutcomeBettor, accept: Call, nowUs = NOW_US): Call =>
  callsOf(bettor.answered(accept.tag, answer(200, { status: 'CONFIRMED', maker_id: 'a', operation_id: 'op' }), nowUs).acts)[0]!
const done = (bettor: OutcomeBettor, operation: Call, status = 'DONE', nowUs = NOW_US): Heard => bettor.answered(operation.tag, answer(200, { status }), nowUs)

/** Opens positions of 25 USDC to win 60 for the arrivals from 0 on. Their `n`-th is named `p{n}`. Returns what the last one led to. */
function opening(bettor: OutcomeBettor, from: number, count: number): Heard {
  let last: Heard = { told: [], acts: [] }
  for (let arrival = from; arrival < from + count; arrival++) {
    const rfq = `r${arrival}`
    const [create] = callsOf(bettor.wished({ kind: 'requestQuote', arrival, legs: LEGS, betMicros: 25_000_000 }, NOW_US))
    bettor.answered(create!.tag, answer(201, { rfq_id: rfq, open_until: iso(NOW_US + 60 * SECOND_US) }), NOW_US)
    bettor.framesCame([quoteFrame(rfq, `a${arrival}`, 'a', '60000000', 30 * SECOND_US, '24950000')], NOW_US)
    const [accept] = callsOf(bettor.wished({ kind: 'commit', arrival, minOddsE4: 0 }, NOW_US))
    const [positions] = callsOf(done(bettor, confirmed(bettor, accept!)).acts)
    last = bettor.answered(positions!.tag, answer(200, { items: [{ position_id: idOf(`p${arrival}`), rfq_id: rfq, fee_bps: 110 }], next_cursor: null }), NOW_US)
  }
  return last
}

/** A bettor that holds a position, and with `auction` sells it: the window is 30 s. */
function holding() {
  const bettor = new OutcomeBettor(SEAT)
  bettor.answered({ kind: 'deployment' }, answer(200, { taker_fee_bps: 20, fee_bps: 100 }), NOW_US)
  const [positions] = wakesOf(opening(bettor, 0, 1).acts)
  const wished = (wish: BettorWish, nowUs = NOW_US): Call => callsOf(bettor.wished(wish, nowUs))[0]!
  const openCashOut = (): Call => wished({ kind: 'openCashOut', arrival: 0 })
  const began = (): Heard => bettor.answered(openCashOut().tag, answer(201, { rfq_id: 'sale', open_until: iso(NOW_US + 30 * SECOND_US) }), NOW_US)
  const bid = (quote: string, maker: string, price: string, inUs?: number) => bettor.framesCame([quoteFrame('sale', quote, maker, price, inUs, null)], NOW_US).told
  const takeBid = (minPriceMicros = 1, nowUs = NOW_US) => bettor.wished({ kind: 'takeBid', arrival: 0, minPriceMicros }, nowUs)
  return { bettor, positions: positions!, wished, openCashOut, began, bid, takeBid }
}

const refusedCommit = (refusal: Refusal, retryAfterUs = NaN): BettorTold => ({ kind: 'commitRefused', arrival: 0, refusal, retryAfterUs })
const refusedSale = (action: Action, refusal: Refusal, retryAfterUs = NaN): BettorTold => ({ kind: 'cashOutRefused', arrival: 0, action, refusal, retryAfterUs })
const requestEnded: BettorTold = { kind: 'requestEnded', arrival: 0 }
const ended = (outcome: AuctionOutcome, receivedMicros = NaN): BettorTold => ({ kind: 'auctionEnded', arrival: 0, outcome, receivedMicros })
const best = (oddsE4: number): BettorTold => ({ kind: 'best', arrival: 0, oddsE4 })
const bids = (priceMicros: number): BettorTold => ({ kind: 'bid', arrival: 0, priceMicros })

describe('the best quote of an RFQ', () => {
  it.each(['after', 'before'])('is of two equal ones the earlier, also where a maker has quoted again, told %s the RFQ is known', (when) => {
    const { open, quoted: quote, commit, deployed } = asking()
    deployed(0, 0)
    if (when === 'after') open()
    quote('a1', 'a', '50000000')
    quote('b1', 'b', '60000000')
    quote('a2', 'a', '60000000')
    if (when === 'before') open()
    expect(paths(commit())).toEqual([`/v1/quotes/${idOf('b1')}/accept`])
  })

  it('is a maker’s last quote where it pays more', () => {
    const { open, quoted: quote, commit, deployed } = asking()
    deployed(0, 0)
    open()
    quote('a1', 'a', '60000000')
    quote('b1', 'b', '60000000')
    quote('b2', 'b', '60000001')
    expect(paths(commit())).toEqual([`/v1/quotes/${idOf('b2')}/accept`])
  })

  it('is told once, by its odds rounded down, and that it is gone at the instant at which it expires', () => {
    const { bettor, open, quoted: quote } = asking()
    expect(quote('a1', 'a', '59999999').told).toEqual([])
    // 59,999,999 ∕ 25,000,000 is 2.39999996.
    expect(open().told).toEqual([{ kind: 'requested', arrival: 0, refusal: Refusal.none, retryAfterUs: NaN }, best(23_999)])
    expect(quote('b1', 'b', '59999999').told).toEqual([])
    expect(quote('c1', 'c', '62500000', SECOND_US).told).toEqual([best(25_000)])
    const at = (inUs: number) => bettor.framesCame([], NOW_US + inUs).told
    expect([at(SECOND_US - 1), at(SECOND_US), at(30 * SECOND_US - 1), at(30 * SECOND_US)]).toEqual([[], [best(23_999)], [], [best(NaN)]])
  })

  it('is told of no other event, and of no other RFQ', () => {
    const { bettor, open } = asking()
    open()
    const { text } = quoteFrame('rfq', 'a1', 'a', '60000000')
    const other = [frame({ type: 'heartbeat' }), frame({ ...JSON.parse(text) as object, type: 'snapshot' }), frame({ ...JSON.parse(text) as object, event: 'QUOTE_ACCEPTED' }), quoteFrame('other', 'a1', 'a', '60000000')]
    expect(bettor.framesCame(other, NOW_US)).toEqual({ told: [], acts: [] })
  })

  it('is kept for a thousand RFQs whose answer has not come', () => {
    const early = (others: number) => {
      const { bettor, open, quoted: quote } = asking()
      quote('a1', 'a', '60000000')
      bettor.framesCame(Array.from({ length: others }, (_, i) => quoteFrame(`other ${i}`, 'a1', 'a', '60000000')), NOW_US)
      return open().told.length
    }
    expect([early(999), early(1000)]).toEqual([2, 1])
  })
})

it('the quotes of a name that comes again are not those of before', () => {
  const { bettor, open, quoted: quote } = asking()
  quote('a1', 'a', '60000000')
  open()
  const [create] = callsOf(bettor.wished({ kind: 'requestQuote', arrival: 1, legs: LEGS, betMicros: 1 }, NOW_US))
  expect(bettor.answered(create!.tag, answer(201, { rfq_id: 'rfq', open_until: iso(NOW_US) }), NOW_US).told).toHaveLength(1)
})

describe('what a bettor sends', () => {
  it('asks with the legs in the order of their numbers', () => {
    const bettor = new OutcomeBettor(SEAT)
    const legs = [{ market: '10', side: 'no' }, { market: '9', side: 'yes' }, { market: '123456789012345678901', side: 'yes' }, { market: '123456789012345678900', side: 'no' }] as const
    const [call] = callsOf(bettor.wished({ kind: 'requestQuote', arrival: 0, legs, betMicros: 7_000_000 }, NOW_US))
    expect([call!.method, call!.path, bodyOf(call!)]).toEqual(['POST', '/v1/rfqs', {
      stake: '7000000', legs: [{ outcome_id: '9', side: 'YES' }, { outcome_id: '10', side: 'NO' }, { outcome_id: '123456789012345678900', side: 'NO' }, { outcome_id: '123456789012345678901', side: 'YES' }],
    }])
    expect(call!.headers!['idempotency-key']).toMatch(KEY)
  })

  it('commits to the best quote from the lowest odds on', () => {
    const { bettor, commit, deployed, open, quoted: quote } = asking()
    deployed(20, 100)
    open()
    const noQuote = (minOddsE4: number) => {
      const [wake] = wakesOf(commit(minOddsE4, NOW_US + 5))
      return [wake!.wakeUs - NOW_US, bettor.woken(wake!.tag, NOW_US + 5, true)]
    }
    const refused = [5, { told: [refusedCommit(Refusal.noQuote)], acts: [] }]
    expect(noQuote(0)).toEqual(refused)
    quote('a1', 'a', '60000000')
    expect([noQuote(24_001), shortly(commit(24_000), NOW_US)]).toEqual([refused, [`POST /v1/quotes/${idOf('a1')}/accept`]])
  })

  it('signs an acceptance for ten minutes from its whole second on', () => {
    const { commit, deployed, open, quoted: quote } = asking()
    deployed(20, 100)
    open()
    quote('a1', 'a', '60000000')
    const [call] = callsOf(commit(0, NOW_US + SECOND_US - 1))
    expect(bodyOf(call!)).toEqual({ valid_after: 1_750_379_010, valid_before: 1_750_379_610, signature: signatureOf(call!, 'a1', 60_000_000n, 20, 100) })
  })

  it('takes a bid from the lowest price on, signed at the rate of its position', () => {
    const { bettor, began, bid, takeBid } = holding()
    began()
    bid('b1', 'b', '40000000')
    const [wake] = wakesOf(takeBid(40_000_001))
    expect(bettor.woken(wake!.tag, NOW_US, true)).toEqual({ told: [refusedSale(Action.takeBid, Refusal.noQuote)], acts: [] })
    const [call] = callsOf(takeBid(40_000_000))
    const terms = { seller: 'account', rfqId: 'sale', quoteId: idOf('b1'), acceptanceId: call!.headers!['idempotency-key']!, price: 40_000_000n, feeBps: 110, positionId: idOf('p0') }
    expect([call!.path, bodyOf(call!)]).toEqual([`/v1/quotes/${idOf('b1')}/accept`, { signature: signedTerms(SEAT, 'CashoutAcceptance', terms) }])
  })

  it('sells and takes back by the names that the service gave', () => {
    const { bettor, began, openCashOut, wished } = holding()
    expect([openCashOut().method, openCashOut().path, openCashOut().body]).toEqual(['POST', `/v1/me/positions/${idOf('p0')}/cashout`, '{}'])
    began()
    expect(wished({ kind: 'cancelCashOut', arrival: 0 }).path).toBe('/v1/rfqs/sale/cancel')
    const asked = asking()
    asked.open()
    expect(shortly(asked.bettor.wished({ kind: 'cancelRequest', arrival: 0 }, NOW_US), NOW_US)).toEqual(['POST /v1/rfqs/rfq/cancel'])
    expect(paths(bettor.leaving(NOW_US))).toEqual(['/v1/rfqs/sale/cancel'])
  })

  it('does nothing about what has ended, of which its strategy hears in the same turn', () => {
    const { bettor } = holding()
    const wishes: BettorWish[] = [
      { kind: 'commit', arrival: 7, minOddsE4: 0 }, { kind: 'cancelRequest', arrival: 7 }, { kind: 'openCashOut', arrival: 7 }, { kind: 'takeBid', arrival: 7, minPriceMicros: 1 },
      { kind: 'cancelCashOut', arrival: 7 }, { kind: 'takeBid', arrival: 0, minPriceMicros: 1 }, { kind: 'cancelCashOut', arrival: 0 },
    ]
    expect(wishes.flatMap((wish) => bettor.wished(wish, NOW_US))).toEqual([])
  })

  it('takes back, as it leaves, what is open and not being accepted', () => {
    const { bettor, accept } = quoted()
    bettor.wished({ kind: 'requestQuote', arrival: 1, legs: LEGS, betMicros: 1 }, NOW_US)
    expect(shortly(bettor.leaving(NOW_US), NOW_US)).toEqual(['POST /v1/rfqs/rfq/cancel'])
    accept()
    expect(bettor.leaving(NOW_US)).toEqual([])
  })
})

describe('an answer', () => {
  it.each<[number, string, Refusal]>([[429, 'RFQ_INTENT_LIMIT', Refusal.tooManyOpen], [300, 'RATE_LIMITED', Refusal.rateLimited], [199, 'NOT_FOUND', Refusal.notFound]])('of %i %s refuses a request', (status, code, refusal) => {
    const { bettor } = asking()
    const [create] = callsOf(bettor.wished({ kind: 'requestQuote', arrival: 3, legs: LEGS, betMicros: 1_000_000 }, NOW_US))
    expect(bettor.answered(create!.tag, answer(status, { error: { code } }, { 'retry-after': '4' }), NOW_US)).toEqual({ told: [{ kind: 'requested', arrival: 3, refusal, retryAfterUs: 4_000_000 }], acts: [] })
    expect([...bettor.refusals]).toEqual([[code, 1]])
    expect(bettor.wished({ kind: 'cancelRequest', arrival: 3 }, NOW_US)).toEqual([])
  })

  it('opens a request until the end of its window, to the microsecond', () => {
    const { bettor } = asking()
    const until = (open_until: string): number => {
      const [create] = callsOf(bettor.wished({ kind: 'requestQuote', arrival: 3, legs: LEGS, betMicros: 1_000_000 }, NOW_US))
      return wakesOf(bettor.answered(create!.tag, answer(200, { rfq_id: open_until, open_until }), NOW_US).acts)[0]!.wakeUs
    }
    expect(['2025-06-20T00:23:30Z', '2025-06-20T00:23:30.5Z', '2025-06-20T00:23:30.000001Z', '2025-06-20T00:23:30.123456789Z'].map((text) => until(text) - NOW_US)).toEqual([0, 500_000, 1, 123_456])
  })

  it.each<[string, BettorTold[], string[]]>([
    // The quote is no offer any more, and none is left.
    ['QUOTE_EXPIRED', [best(NaN), refusedCommit(Refusal.quoteGone)], []], ['STATE_CONFLICT', [best(NaN), refusedCommit(Refusal.unfillable)], []],
    ['QUOTE_CAPACITY_EXCEEDED', [best(NaN), refusedCommit(Refusal.counterpartyUnable)], []],
    ['RATE_LIMITED', [refusedCommit(Refusal.rateLimited)], []], ['INVALID_SIGNATURE', [refusedCommit(Refusal.termsStale)], ['GET /v1/deployment']], ['WRONG_AUTHORITY', [refusedCommit(Refusal.termsStale)], []],
    ['RFQ_NOT_OPEN', [refusedCommit(Refusal.notOpen), requestEnded], []],
  ])('%s refuses a commit', (code, told, acts) => {
    const { bettor, accept } = quoted()
    const heard = bettor.answered(accept().tag, refusedBy(code), NOW_US)
    expect([heard.told, shortly(heard.acts, NOW_US)]).toEqual([told, acts])
    expect([...bettor.refusals]).toEqual([[code, 1]])
  })

  it.each<[string, BettorTold[]]>([
    ['QUOTE_EXPIRED', [refusedSale(Action.takeBid, Refusal.quoteGone), bids(NaN)]], ['INVALID_SIGNATURE', [refusedSale(Action.takeBid, Refusal.termsStale)]],
    ['RFQ_NOT_OPEN', [refusedSale(Action.takeBid, Refusal.notOpen), ended(AuctionOutcome.expired)]],
  ])('%s refuses a sale', (code, told) => {
    const { bettor, began, bid, takeBid } = holding()
    began()
    bid('b1', 'b', '40000000')
    expect(bettor.answered(callsOf(takeBid())[0]!.tag, refusedBy(code), NOW_US)).toEqual({ told, acts: [] })
  })

  it('about a quote that its maker has replaced leaves the new one', () => {
    const { bettor, accept, quoted: quote, commit } = quoted()
    const call = accept()
    quote('a2', 'a', '50000000')
    expect(bettor.answered(call.tag, refusedBy('QUOTE_REPLACED'), NOW_US).told).toEqual([refusedCommit(Refusal.quoteGone)])
    expect(paths(commit())).toEqual([`/v1/quotes/${idOf('a2')}/accept`])
  })

  it.each(['DECLINED', 'TIMED_OUT'])('%s leaves the maker out of the request, the first eight of them', (status) => {
    const { bettor, commit, quoted: quote } = quoted()
    const declined = (maker: string) => bettor.answered(callsOf(commit())[0]!.tag, answer(200, { status, maker_id: maker, operation_id: null }), NOW_US).told
    expect(declined('a')).toEqual([best(NaN), refusedCommit(Refusal.notConfirmed)])
    expect(quote('a2', 'a', '90000000').told).toEqual([])
    for (const maker of ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) {
      expect(quote(`${maker}1`, maker, '60000000').told).toEqual([best(24_000)])
      declined(maker)
    }
    expect([quote('h2', 'h', '60000000').told, quote('i2', 'i', '60000000').told]).toEqual([[], [best(24_000)]])
    expect([...bettor.refusals]).toEqual([[status, 9]])
  })

  it('DECLINED ends a bid, and its maker may bid again', () => {
    const { bettor, began, bid, takeBid } = holding()
    began()
    bid('b1', 'b', '40000000')
    const declined = bettor.answered(callsOf(takeBid())[0]!.tag, answer(200, { status: 'DECLINED', maker_id: 'b', operation_id: null }), NOW_US)
    expect(declined.told).toEqual([refusedSale(Action.takeBid, Refusal.notConfirmed), bids(NaN)])
    expect(bid('b2', 'b', '30000000')).toEqual([bids(30_000_000)])
  })

  it('that is confirmed without an operation is none', () => {
    const { bettor, accept } = quoted()
    expect(bettor.answered(accept().tag, answer(200, { status: 'CONFIRMED', maker_id: 'a', operation_id: null }), NOW_US)).toEqual({ told: [best(NaN), refusedCommit(Refusal.notConfirmed)], acts: [] })
  })

  it('takes a request back, or not', () => {
    const { bettor } = quoted()
    const [cancel] = callsOf(bettor.wished({ kind: 'cancelRequest', arrival: 0 }, NOW_US))
    expect(bettor.answered(cancel!.tag, refusedBy('RFQ_NOT_CANCELLABLE'), NOW_US)).toEqual({ told: [], acts: [] })
    expect([...bettor.refusals]).toEqual([['RFQ_NOT_CANCELLABLE', 1]])
    expect(bettor.answered(cancel!.tag, answer(200, {}), NOW_US)).toEqual({ told: [requestEnded], acts: [] })
    expect(bettor.answered(cancel!.tag, answer(200, {}), NOW_US)).toEqual({ told: [], acts: [] })
    expect(bettor.wished({ kind: 'commit', arrival: 0, minOddsE4: 0 }, NOW_US)).toEqual([])
  })

  it('opens an auction with the bids that have come before, or refuses it', () => {
    const { bettor, openCashOut, began, bid } = holding()
    expect(bettor.answered(openCashOut().tag, answer(409, { error: { code: 'STATE_CONFLICT' } }, { 'retry-after': '1' }), NOW_US)).toEqual({ told: [refusedSale(Action.openCashOut, Refusal.notSellable, SECOND_US)], acts: [] })
    bid('b1', 'b', '40000000')
    const heard = began()
    expect([heard.told, shortly(heard.acts, NOW_US)]).toEqual([[{ kind: 'auctionBegan', arrival: 0 }, bids(40_000_000)], ['wake 30000000']])
    expect([...bettor.refusals]).toEqual([['STATE_CONFLICT', 1]])
  })

  it('ends an auction that is cancelled, or refuses that while the auction runs', () => {
    const { bettor, began, wished } = holding()
    began()
    const cancel = wished({ kind: 'cancelCashOut', arrival: 0 })
    expect(bettor.answered(cancel.tag, refusedBy('RFQ_NOT_CANCELLABLE'), NOW_US).told).toEqual([refusedSale(Action.cancelCashOut, Refusal.notOpen)])
    expect(bettor.answered(cancel.tag, answer(200, {}), NOW_US).told).toEqual([ended(AuctionOutcome.cancelled)])
    expect(bettor.wished({ kind: 'cancelCashOut', arrival: 0 }, NOW_US)).toEqual([])
    expect(bettor.answered(cancel.tag, refusedBy('RFQ_NOT_CANCELLABLE'), NOW_US).told).toEqual([])
    expect([...bettor.refusals]).toEqual([['RFQ_NOT_CANCELLABLE', 2]])
  })
})

describe('the end of an RFQ’s window', () => {
  it('ends a request without a quote', () => {
    const { bettor, open } = asking()
    const [expiry] = wakesOf(open().acts)
    expect(expiry!.wakeUs - NOW_US).toBe(60 * SECOND_US)
    expect(bettor.woken(expiry!.tag, expiry!.wakeUs, true)).toEqual({ told: [requestEnded], acts: [] })
    expect(bettor.woken(expiry!.tag, expiry!.wakeUs, true)).toEqual({ told: [], acts: [] })
  })

  it('ends it with the last quote, which can be accepted until it expires', () => {
    const { bettor, expiry, accept, quoted: quote } = quoted()
    quote('b1', 'b', '50000000', 80 * SECOND_US)
    quote('c1', 'c', '50000000', 70 * SECOND_US)
    const { told, acts } = bettor.woken(expiry.tag, expiry.wakeUs, true)
    expect([told, shortly(acts, NOW_US)]).toEqual([[], ['wake 80000000']])
    expect(accept().path).toBe(`/v1/quotes/${idOf('a1')}/accept`)
    expect(bettor.answered(accept().tag, refusedBy('QUOTE_NOT_FOUND'), NOW_US + 61 * SECOND_US)).toMatchObject({ told: [best(20_000), refusedCommit(Refusal.quoteGone)], acts: [{ wakeUs: NOW_US + 80 * SECOND_US }] })
    expect(bettor.woken(wakesOf(acts)[0]!.tag, NOW_US + 80 * SECOND_US, true).told).toEqual([requestEnded])
  })

  it('waits for an acceptance that is under way', () => {
    const { bettor, expiry, accept } = quoted()
    const call = accept()
    expect(bettor.woken(expiry.tag, expiry.wakeUs, true)).toEqual({ told: [], acts: [] })
    expect(bettor.answered(call.tag, answer(200, { status: 'TIMED_OUT', maker_id: 'a', operation_id: null }), expiry.wakeUs)).toEqual({ told: [best(NaN), refusedCommit(Refusal.notConfirmed), requestEnded], acts: [] })
  })

  it('ends an auction without a sale', () => {
    const { bettor, began, bid } = holding()
    const [expiry] = wakesOf(began().acts)
    bid('b1', 'b', '40000000', 40 * SECOND_US)
    const last = bettor.woken(expiry!.tag, expiry!.wakeUs, true)
    expect(last).toMatchObject({ told: [], acts: [{ wakeUs: NOW_US + 40 * SECOND_US }] })
    expect(bettor.framesCame([], NOW_US + 40 * SECOND_US).told).toEqual([bids(NaN)])
    expect(bettor.woken(wakesOf(last.acts)[0]!.tag, NOW_US + 40 * SECOND_US, true).told).toEqual([ended(AuctionOutcome.expired)])
  })

  it('leaves nothing to refuse', () => {
    const { bettor, began, takeBid } = holding()
    const [expiry] = wakesOf(began().acts)
    const [noQuote] = wakesOf(takeBid())
    bettor.woken(expiry!.tag, expiry!.wakeUs, true)
    expect(bettor.woken(noQuote!.tag, expiry!.wakeUs, true)).toEqual({ told: [], acts: [] })
  })
})

describe('an operation', () => {
  it('is read every second until it is over', () => {
    const { bettor, accept, expiry } = quoted()
    const operation = confirmed(bettor, accept())
    expect(shortly([operation], NOW_US)).toEqual(['GET /v1/me/operations/op'])
    expect([bettor.leaving(NOW_US), bettor.woken(expiry.tag, expiry.wakeUs, true)]).toEqual([[], { told: [], acts: [] }])
    for (const heard of [done(bettor, operation, 'PENDING'), bettor.answered(operation.tag, refusedBy('SOURCE_UNAVAILABLE', 503), NOW_US)]) {
      expect([heard.told, shortly(heard.acts, NOW_US)]).toEqual([[], ['wake 1000000']])
      expect(paths(bettor.woken(wakesOf(heard.acts)[0]!.tag, NOW_US, true).acts)).toEqual(['/v1/me/operations/op'])
    }
    expect([...bettor.refusals]).toEqual([['SOURCE_UNAVAILABLE', 1]])
    expect(done(bettor, operation, 'FAILED')).toEqual({ told: [requestEnded], acts: [] })
  })

  it('opens the position of its bet, which is looked for on each page', () => {
    const { bettor, accept } = quoted()
    const first = callsOf(done(bettor, confirmed(bettor, accept())).acts)[0]!
    expect(shortly([first], NOW_US)).toEqual(['GET /v1/me/positions?limit=200'])
    const page = (call: Call, rfq: string, next_cursor: string | null) => bettor.answered(call.tag, answer(200, { items: [{ position_id: 'p', rfq_id: rfq, fee_bps: 100 }], next_cursor }), NOW_US)
    const later = bettor.answered(first.tag, refusedBy('RATE_LIMITED', 429), NOW_US).acts
    expect(shortly(later, NOW_US)).toEqual(['wake 2000000'])
    expect(paths(bettor.woken(wakesOf(later)[0]!.tag, NOW_US, true).acts)).toEqual(['/v1/me/positions?limit=200'])
    const [second] = callsOf(page(first, 'other', 'a b').acts)
    expect(second!.path).toBe('/v1/me/positions?limit=200&cursor=a%20b')
    const heard = page(second!, 'rfq', 'more')
    expect([heard.told, shortly(heard.acts, NOW_US)]).toEqual([[{ kind: 'opened', arrival: 0, costMicros: 25_000_000, stakeMicros: 25_000_000, payoutMicros: 60_000_000 }], ['wake 120000000']])
    expect(bettor.leaving(NOW_US)).toEqual([])
  })

  it('whose position is on no page has opened one that has ended since', () => {
    const { bettor, accept } = quoted()
    const [first] = callsOf(done(bettor, confirmed(bettor, accept())).acts)
    const heard = bettor.answered(first!.tag, answer(200, { items: [], next_cursor: null }), NOW_US)
    expect(heard).toEqual({ told: [{ kind: 'opened', arrival: 0, costMicros: 25_000_000, stakeMicros: 25_000_000, payoutMicros: 60_000_000 }, { kind: 'positionEnded', arrival: 0 }], acts: [] })
  })

  it.each<[string, BettorTold, string[]]>([['DONE', ended(AuctionOutcome.sold, 40_000_000), []], ['FAILED', ended(AuctionOutcome.saleFailed), [`/v1/me/positions/${idOf('p0')}/cashout`]]])('of a sale is %s', (status, told, again) => {
    const { bettor, began, bid, takeBid } = holding()
    began()
    bid('b1', 'b', '40000000')
    expect(done(bettor, confirmed(bettor, callsOf(takeBid())[0]!), status)).toEqual({ told: [told], acts: [] })
    // A position that was sold is not the bettor's any more.
    expect(paths(bettor.wished({ kind: 'openCashOut', arrival: 0 }, NOW_US))).toEqual(again)
  })
})

describe('positions', () => {
  it('are read one after the other, each every two minutes, and one a second at most', () => {
    const { bettor, positions } = holding()
    const nextInUs = (wake: Wake) => wake.wakeUs - NOW_US
    expect(nextInUs(positions)).toBe(120 * SECOND_US)
    expect(opening(bettor, 1, 6).acts).toEqual([])
    const read: string[] = []
    let wake = positions
    for (let i = 0; i < 8; i++) {
      const { acts } = bettor.woken(wake.tag, NOW_US, false)
      read.push(...paths(acts))
      wake = wakesOf(acts)[0]!
      // 120 s for seven of them.
      expect(nextInUs(wake)).toBe(17_142_857)
    }
    expect(read).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p0'].map((name) => `/v1/me/positions/${idOf(name)}`))
    // A time that was asked for before counts no more.
    expect(bettor.woken(positions.tag, NOW_US, true)).toEqual({ told: [], acts: [] })
    opening(bettor, 7, 123)
    expect(nextInUs(wakesOf(bettor.woken(wake.tag, NOW_US, true).acts)[0]!)).toBe(SECOND_US)
  })

  it.each<[string, ReturnType<typeof answer>, BettorTold[], [string, number][]]>([
    ['is there', answer(200, {}), [], []], ['cannot be read', refusedBy('RATE_LIMITED', 429), [], [['RATE_LIMITED', 1]]], ['has ended', refusedBy('NOT_FOUND', 404), [{ kind: 'positionEnded', arrival: 0 }], []],
  ])('one that %s', (_, said, told, refusals) => {
    const { bettor, positions } = holding()
    const [read] = callsOf(bettor.woken(positions.tag, NOW_US, true).acts)
    expect(bettor.answered(read!.tag, said, NOW_US)).toEqual({ told, acts: [] })
    expect([...bettor.refusals]).toEqual(refusals)
    // It is read no more, and said to have ended once.
    expect(bettor.answered(read!.tag, refusedBy('NOT_FOUND', 404), NOW_US).told).toHaveLength(1 - told.length)
  })

  it('end with their auction, but not while a bid is being taken', () => {
    const { bettor, positions, began, bid, takeBid } = holding()
    const [read, again] = bettor.woken(positions.tag, NOW_US, true).acts as [Call, Wake]
    began()
    bid('b1', 'b', '40000000')
    const [accept] = callsOf(takeBid())
    expect(bettor.answered(read.tag, refusedBy('NOT_FOUND', 404), NOW_US).told).toEqual([])
    bettor.answered(accept!.tag, refusedBy('RATE_LIMITED', 429), NOW_US)
    expect(bettor.answered(read.tag, refusedBy('NOT_FOUND', 404), NOW_US).told).toEqual([ended(AuctionOutcome.graded), { kind: 'positionEnded', arrival: 0 }])
    // None is left to be read.
    expect(bettor.woken(again.tag, NOW_US, true).acts).toEqual([])
    expect(shortly(opening(bettor, 1, 1).acts, NOW_US)).toEqual(['wake 120000000'])
  })
})

describe('the list of markets', () => {
  const listed = (bettor: OutcomeBettor, call: Call, items: readonly object[], next_cursor: string | null) => bettor.answered(call.tag, answer(200, { items, next_cursor }), NOW_US)

  it('is read page by page, and again when the first of its markets may be open', () => {
    const bettor = new OutcomeBettor(SEAT)
    const [, first] = callsOf(bettor.begun())
    const [second] = callsOf(listed(bettor, first!, [{ outcome_id: '1', title: 'Will one?', status: 'LISTED' }], 'a b').acts)
    expect(second!.path).toBe('/v1/markets?limit=200&cursor=a%20b')
    const heard = listed(bettor, second!, [{ outcome_id: '2', title: 'Will two?', status: 'CLOSED' }], null)
    expect(heard.told).toEqual([{ kind: 'markets', markets: [
      { name: '1', exclusionKeys: ['1'], isOpen: true, names: { ticker: '', title: 'Will one?', event: '', game: '', category: '', venue: '' } },
      { name: '2', exclusionKeys: ['2'], isOpen: false, names: { ticker: '', title: 'Will two?', event: '', game: '', category: '', venue: '' } },
    ] }])
    expect(shortly(heard.acts, NOW_US)).toEqual(['wake 60000000'])
    expect(shortly(listed(bettor, first!, [], null).acts, NOW_US)).toEqual(['wake 10000000'])
  })

  it.each<[string, string[]]>([
    // The list has changed since: it has no such page any more.
    ['STALE_CURSOR', ['/v1/deployment', '/v1/markets?limit=200']], ['CURSOR_EXPIRED', ['/v1/deployment', '/v1/markets?limit=200']], ['INVALID_CURSOR', ['/v1/deployment', '/v1/markets?limit=200']],
    ['RATE_LIMITED', ['/v1/markets?limit=200&cursor=next']],
  ])('whose next page is refused with %s is read on', (code, then) => {
    const bettor = new OutcomeBettor(SEAT)
    const [, first] = callsOf(bettor.begun())
    const [second] = callsOf(listed(bettor, first!, [{ outcome_id: '1', status: 'LISTED' }], 'next').acts)
    const later = (headers: Readonly<Record<string, string>>) => wakesOf(bettor.answered(second!.tag, answer(409, { error: { code } }, headers), NOW_US).acts)[0]!
    expect([later({}).wakeUs - NOW_US, later({ 'retry-after': '7' }).wakeUs - NOW_US]).toEqual([2_000_000, 7_000_000])
    const calls = callsOf(bettor.woken(later({}).tag, NOW_US, true).acts)
    expect(calls.map(({ path }) => path)).toEqual(then)
    // What the pages before have said is kept where the list is read on, and read again where it is not.
    expect(listed(bettor, calls.at(-1)!, [], null).told).toMatchObject([{ markets: { length: then.length === 1 ? 1 : 0 } }])
  })
})

/** The signature that an acceptance of a quote of 25 USDC must have at `NOW_US`. */
function signatureOf({ headers }: Call, quote: string, payout: bigint, takerFeeBps: number, feeBps: number): string {
  const validAfter = NOW_US / SECOND_US
  return signedTerms(SEAT, 'Acceptance', {
    taker: 'account', rfqId: 'rfq', quoteId: idOf(quote), acceptanceId: headers!['idempotency-key']!, stake: 25_000_000n, core: 0n, payout, takerFeeBps, feeBps, validAfter, validBefore: validAfter + 600,
  })
}
const signed = (call: Call): unknown => bodyOf(call)['signature']

describe('the rates that an acceptance names', () => {
  it('are those of the last deployment that was read, which is read again with each list of markets', () => {
    const { bettor, open, quoted: quote, commit, deployed } = asking()
    expect(paths(bettor.begun())).toEqual(['/v1/deployment', '/v1/markets?limit=200'])
    expect(deployed(20, 100).told).toEqual([{ kind: 'takerFee', bps: 20 }])
    open()
    quote('a1', 'a', '60000000')
    const list = bettor.answered({ kind: 'markets', cursor: '', listed: [] }, answer(200, { items: [], next_cursor: null }), NOW_US)
    const [again] = wakesOf(list.acts)
    expect(paths(bettor.woken(again!.tag, again!.wakeUs, true).acts)).toEqual(['/v1/deployment', '/v1/markets?limit=200'])
    expect(bettor.woken(again!.tag, again!.wakeUs, false).acts).toEqual([])
    expect(deployed(30, 120).told).toEqual([{ kind: 'takerFee', bps: 30 }])
    expect(deployed(30, 125)).toEqual({ told: [], acts: [] })
    const [accept] = callsOf(commit())
    expect(signed(accept!)).toBe(signatureOf(accept!, 'a1', 60_000_000n, 30, 125))
  })

  it('are waited for: an acceptance is sent once they are known, of the best quote of then', () => {
    const { bettor, open, quoted: quote, commit, deployed } = asking()
    bettor.begun()
    open()
    quote('a1', 'a', '60000000')
    expect(commit(20_000)).toEqual([])
    const failed = bettor.answered({ kind: 'deployment' }, refusedBy('SOURCE_UNAVAILABLE', 503), NOW_US)
    expect(paths(bettor.woken(wakesOf(failed.acts)[0]!.tag, NOW_US + 2 * SECOND_US, true).acts)).toEqual(['/v1/deployment'])
    quote('b1', 'b', '70000000')
    const [accept, ...more] = callsOf(deployed(20, 100).acts)
    expect([accept!.path, more]).toEqual([`/v1/quotes/${idOf('b1')}/accept`, []])
    expect(signed(accept!)).toBe(signatureOf(accept!, 'b1', 70_000_000n, 20, 100))
    expect(deployed(20, 100).acts).toEqual([])
  })

  it('come too late for a request that has ended, and for odds that are no longer there', () => {
    const { bettor, open, quoted: quote, commit, deployed } = asking()
    const [expiry] = wakesOf(open().acts)
    quote('a1', 'a', '60000000')
    commit()
    bettor.framesCame([], expiry!.wakeUs)
    expect(bettor.woken(expiry!.tag, expiry!.wakeUs, true).told).toEqual([requestEnded])
    expect(deployed(20, 100).acts).toEqual([])
    const left = asking()
    left.open()
    left.quoted('a1', 'a', '60000000')
    left.commit()
    expect([paths(left.bettor.leaving(NOW_US)), left.deployed(20, 100).acts]).toEqual([['/v1/rfqs/rfq/cancel'], []])
    const other = asking()
    other.open()
    other.quoted('a1', 'a', '60000000')
    other.commit(24_001)
    expect(paths(other.deployed(20, 100).acts)).toEqual([])
  })

  it('are read again when the service does not take a signature', () => {
    const { bettor, accept } = quoted()
    const refused = (code: string): string[] => paths(bettor.answered(accept().tag, refusedBy(code, 422), NOW_US).acts)
    expect([refused('INVALID_SIGNATURE'), refused('RFQ_NOT_OPEN')]).toEqual([['/v1/deployment'], []])
  })
})

describe('a bettor that was away', () => {
  const listed = (...quotes: readonly (readonly [quote: string, maker: string, payout: string, netStake?: string | null])[]) => answer(200, {
    items: quotes.map(([quote, maker_id, payout, net_stake = '25000000']) => ({ rfq_id: 'rfq', quote_id: idOf(quote), maker_id, payout, net_stake, expires_at: iso(NOW_US + 30 * SECOND_US) })), next_cursor: null,
  })

  it('makes the calls again under their keys, and reads the quotes of what is open', () => {
    const { bettor, accept } = quoted()
    const call = accept()
    const [deployment, list] = callsOf(bettor.begun())
    const back = bettor.cameBack([call, deployment!, list!])
    expect(back.slice(0, 3)).toEqual([call, deployment, list])
    expect(shortly(back.slice(3), NOW_US)).toEqual(['GET /v1/rfqs/rfq/quotes?limit=200'])
    // The quotes that were being read are read once.
    expect(shortly(bettor.cameBack(callsOf(back)), NOW_US)).toHaveLength(4)
  })

  it('knows the quotes that the service lists, and newer ones that the stream has told of', () => {
    const { bettor, quoted: quote, commit } = quoted()
    quote('b1', 'b', '70000000')
    const [list] = callsOf(bettor.cameBack([]))
    expect(quote('c1', 'c', '65000000').told).toEqual([])
    expect(bettor.answered(list!.tag, listed(['a1', 'a', '60000000'], ['c0', 'c', '99000000'], ['d1', 'd', '65000000']), NOW_US).told).toEqual([best(26_000)])
    expect(paths(commit())).toEqual([`/v1/quotes/${idOf('d1')}/accept`])
    // The same best quote is told once, though it was listed.
    const [again] = callsOf(bettor.cameBack([]))
    expect(bettor.answered(again!.tag, listed(['d1', 'd', '65000000']), NOW_US)).toEqual({ told: [], acts: [] })
    expect(bettor.answered(again!.tag, listed(), NOW_US).told).toEqual([best(NaN)])
  })

  it('gives a listed quote up that is refused', () => {
    const { bettor, accept } = quoted()
    const call = accept()
    const [list] = callsOf(bettor.cameBack([call]).slice(1))
    bettor.answered(list!.tag, listed(['a1', 'a', '60000000']), NOW_US)
    expect(bettor.answered(call.tag, refusedBy('QUOTE_EXPIRED'), NOW_US).told).toEqual([best(NaN), refusedCommit(Refusal.quoteGone)])
  })

  it('goes on with what it knows where quotes cannot be read, and nothing is open where the request has ended', () => {
    const { bettor, commit, expiry } = quoted()
    const [list] = callsOf(bettor.cameBack([]))
    expect(bettor.answered(list!.tag, refusedBy('NOT_FOUND', 404), NOW_US)).toEqual({ told: [], acts: [] })
    expect([[...bettor.refusals], paths(commit())]).toEqual([[['NOT_FOUND', 1]], [`/v1/quotes/${idOf('a1')}/accept`]])
    const other = quoted()
    const [late] = callsOf(other.bettor.cameBack([]))
    other.bettor.woken(other.expiry.tag, NOW_US + 60 * SECOND_US, true)
    expect([expiry.wakeUs, other.bettor.answered(late!.tag, listed(['b1', 'b', '70000000']), NOW_US)]).toEqual([NOW_US + 60 * SECOND_US, { told: [], acts: [] }])
  })

  it('reads the quotes of an RFQ that stood before its answer', () => {
    const { bettor } = asking()
    const [create] = callsOf(bettor.wished({ kind: 'requestQuote', arrival: 3, legs: LEGS, betMicros: 1 }, NOW_US))
    const said = answer(201, { rfq_id: 'old', open_until: iso(NOW_US + SECOND_US) }, { 'idempotency-replayed': 'true' })
    expect(shortly(bettor.answered(create!.tag, said, NOW_US).acts, NOW_US)).toEqual(['wake 1000000', 'GET /v1/rfqs/old/quotes?limit=200'])
    const sale = holding()
    const heard = sale.bettor.answered(sale.openCashOut().tag, { ...said, body: said.body.replace('old', 'sale') }, NOW_US)
    expect(shortly(heard.acts, NOW_US)).toEqual(['wake 1000000', 'GET /v1/rfqs/sale/quotes?limit=200'])
    expect(sale.bettor.answered(callsOf(heard.acts)[0]!.tag, listed(['b1', 'b', '40000000', null]), NOW_US).told).toEqual([bids(40_000_000)])
  })
})
