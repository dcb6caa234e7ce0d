import { describe, expect, it } from 'vitest'
import { Action, AuctionOutcome, Refusal, Side } from '../../../src/agent/vocabulary.ts'
import type { DeskNote } from '../../../src/trade/deskFeed.ts'
import type { Answer, Call } from '../../../src/trade/link.ts'
import type { MakerWish } from '../../../src/trade/maker/makerWords.ts'
import { OutcomeMaker } from '../../../src/trade/outcome/maker.ts'
import { signTyped } from '../../serve/outcome/exchanges/bench.ts'

const SECOND = 1_000_000
const NOW = 1_750_379_010 * SECOND + 400_000
const SEAT = { makerId: '5d0b4f6e-0000-8000-8000-000000000001', privateKey: `0x${'4'.repeat(64)}`, chainId: 999, vault: `0x${'ab'.repeat(20)}` }
const DOMAIN = { name: 'Outcome-Market RFQ', version: '1', chainId: 999, verifyingContract: SEAT.vault }
const RFQ = '01978a5e-0000-7000-8000-000000000001'
const QUOTE = `0x${'2'.repeat(64)}`
const POSITION = `0x${'3'.repeat(64)}`
const OPEN_UNTIL = '2025-06-20T00:23:50.400000Z'
const OPEN_UNTIL_US = Date.parse(OPEN_UNTIL) * 1000
const LEGS = [{ outcome_id: '7', side: 'YES' }, { outcome_id: '9', side: 'NO' }]
const SIGNED_LEGS = [{ outcomeId: '7', side: 'YES' }, { outcomeId: '9', side: 'NO' }]
const DESK_LEGS = [
  { market: '7', side: 'yes', number: 3, category: null, event: null, game: null, game_category: null }, { market: '9', side: 'no', number: 5, category: null, event: null, game: null, game_category: null },
] as const

const frame = (value: object) => ({ path: '/v1/stream', text: JSON.stringify(value) })
const created = (more: object = {}) => frame({
  type: 'event', event: 'RFQ_CREATED', cursor: '1', occurred_at: OPEN_UNTIL,
  data: { rfq_id: RFQ, generation: 1, kind: 'ENTRY', position_id: null, stake: '10020000', taker_fee_bps: 20, net_stake: '10000000', fee_bps: 100, open_until: OPEN_UNTIL, legs: LEGS, ...more },
})
const cashOut = () => created({ kind: 'CASHOUT', position_id: POSITION, payout: '50000000', maker_id: 'x', generation: 4 })
const accepted = (more: object = {}) => frame({
  type: 'event', event: 'QUOTE_ACCEPTED',
  data: { rfq_id: RFQ, quote_id: QUOTE, acceptance_id: 'acc', position_id: null, payout: '20000000', ...more },
})
const note = (what: string, more: object): DeskNote => ({ n: 0, at_us: NOW, what, legs: DESK_LEGS, ...more })
const asked = (): DeskNote => note('onRequest', { request: RFQ, version: 1, expires_at_us: OPEN_UNTIL_US, bet: '10020000', net_stake: '10000000', best_odds: null, book_changes: null })
const auctioned = (): DeskNote => note('onCashOut', {
  auction: RFQ, position: POSITION, ends_at_us: OPEN_UNTIL_US, net_stake: '10000000', payout: '50000000', profit_fee_bps: 100, maker_fee_bps: 0, cost_basis: '10000000', is_seller: false,
  is_backing_maker: false, max_price: '50000000', best_price: null,
})
const chosen = (what: string, position: string | null): DeskNote =>
  note(what, { request: RFQ, version: 1, quote: QUOTE, deadline_at_us: NOW + 2 * SECOND, odds: position === null ? 2 : null, net_stake: '10000000', risk: '10000000', payout: '20000000', position })
const made: Answer = { status: 201, headers: {}, body: JSON.stringify({ quote_id: QUOTE, rfq_id: RFQ, taker_fee_bps: 20, fee_bps: 100 }) }
const quoteOf = (request: number, more: object = {}): MakerWish => ({ kind: 'quote', request, version: 1, oddsE4: 20_000, probability: 0.5, validUs: 15 * SECOND, ...more })
const bodyOf = (act: unknown): Record<string, unknown> => JSON.parse((act as Call).body!) as Record<string, unknown>

/** A maker that was asked for a quote. */
function askedMaker(): { maker: OutcomeMaker; request: number } {
  const maker = new OutcomeMaker(SEAT)
  const [told] = maker.told([created()], [asked()], NOW)
  return { maker, request: told!.numbers['request'] as number }
}

/** Where a withdrawal goes that has nothing to name. */
const NOTHING = `/v1/quotes/0x${'0'.repeat(64)}`

/** A note about the position that the maker took over. */
const held = (what: string, more: object = {}) => note(what, {
  position: POSITION, request: RFQ, quote: null, odds: null, net_stake: '10000000', risk: '5', is_holder: true, cost: '5', profit: '0', is_bought_back: false, payout: '10000005', profit_fee_bps: 100,
  cost_basis: null, ...more,
})

describe('a maker’s client of the outcome service', () => {
  it('tells of an RFQ what its desk says, once its frame has come too', () => {
    const maker = new OutcomeMaker(SEAT)
    expect(maker.told([], [asked()], NOW)).toEqual([])
    expect(maker.told([frame({ type: 'heartbeat', cursor: '1' }), created()], [], NOW + 1)).toEqual([{
      kind: 'onRequest', atUs: NOW, markets: [3, 5], sides: [Side.yes, Side.no],
      numbers: { request: 1, version: 1, deliveredAtUs: NOW, expiresAtUs: OPEN_UNTIL_US, betMicros: 10_020_000, netStakeMicros: 10_000_000, bestOddsE4: NaN, bookChanges: NaN },
    }])
    expect(maker.told([], [], NOW + 2)).toEqual([])
  })

  it('does not wait for a frame any more when what it was about is over', () => {
    const maker = new OutcomeMaker(SEAT)
    maker.told([], [asked()], OPEN_UNTIL_US - 1)
    expect(maker.told([created()], [], OPEN_UNTIL_US - 1)).toHaveLength(1)
    const late = new OutcomeMaker(SEAT)
    late.told([], [asked()], OPEN_UNTIL_US)
    expect(late.told([created()], [], OPEN_UNTIL_US)).toEqual([])
  })

  it('signs a quote of the net stake by the probability, rounded down, until a whole second', () => {
    const { maker, request } = askedMaker()
    const [act] = maker.callOf(quoteOf(request, { probability: 0.3 }), NOW)
    const { method, path, headers } = act as Call
    expect([method, path]).toEqual(['POST', `/v1/rfqs/${RFQ}/quotes`])
    expect(headers!['idempotency-key']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    const expiry = 1_750_379_025
    expect(bodyOf(act)).toEqual({
      payout: '33333333', expiry, generation: 1,
      signature: signTyped(SEAT.privateKey, DOMAIN, 'Quote', {
        maker: SEAT.makerId, rfqId: RFQ, generation: 1, netStake: '10000000', payout: '33333333', takerFeeBps: 20, feeBps: 100, expiry, legs: SIGNED_LEGS,
      }),
    })
  })

  it('keeps a quote within what the service takes', () => {
    const { maker, request } = askedMaker()
    const body = (more: object) => bodyOf(maker.callOf(quoteOf(request, more), NOW)[0])
    expect(body({ probability: 1 })['payout']).toBe('10000001')
    expect(body({ probability: 1e-9 })['payout']).toBe('100000000000')
    // 30 s ahead at most, and validities are cut to ms.
    expect(body({ validUs: 60 * SECOND })['expiry']).toBe(1_750_379_040)
    expect([body({ validUs: 14_599_999 })['expiry'], body({ validUs: 14_600_000 })['expiry']]).toEqual([1_750_379_024, 1_750_379_025])
  })

  it('bids until the nearest second at which the service takes the bid when it arrives', () => {
    const bidOf = (wayUs: number | null, validUs: number) => {
      const maker = new OutcomeMaker(SEAT)
      if (wayUs !== null || validUs < 0) maker.seated({ name: 'a', role: 'maker', capital: '1', ended_profit: '0', feed_us: 0, way_us: wayUs })
      const [told] = maker.told([cashOut()], [auctioned()], NOW)
      expect(told!.numbers).toMatchObject({ auction: 1, version: 4, position: 1, payoutMicros: 50_000_000, isBackingMaker: false, bestPriceMicros: NaN })
      const [act] = maker.callOf({ kind: 'bid', auction: 1, version: 4, priceMicros: 12_345, validUs: Math.abs(validUs) }, NOW)
      return bodyOf(act)
    }
    // 25 s ahead: 10.4 s + 25 s, up to the next whole second.
    expect(bidOf(0, 15 * SECOND)['expiry']).toBe(1_750_379_036)
    expect([bidOf(600_000, 15 * SECOND)['expiry'], bidOf(600_001, 15 * SECOND)['expiry']]).toEqual([1_750_379_036, 1_750_379_037])
    // A network may take 5 s.
    expect([bidOf(null, 15 * SECOND)['expiry'], bidOf(null, -15 * SECOND)['expiry']]).toEqual([1_750_379_041, 1_750_379_041])
    expect(bidOf(0, 45 * SECOND)['expiry']).toBe(1_750_379_055)
    expect(bidOf(0, 600 * SECOND)['expiry']).toBe(1_750_379_070)
    const expiry = 1_750_379_036
    expect(bidOf(0, 15 * SECOND)).toEqual({
      payout: '12345', expiry, generation: 4,
      signature: signTyped(SEAT.privateKey, DOMAIN, 'CashoutQuote', { maker: SEAT.makerId, rfqId: RFQ, generation: 4, positionId: POSITION, price: '12345', feeBps: 100, expiry, legs: SIGNED_LEGS }),
    })
  })

  it('confirms with a signature of the acceptance, and declines without one', () => {
    const { maker, request } = askedMaker()
    expect(maker.told([], [chosen('onSelected', null)], NOW)).toEqual([])
    const [told] = maker.told([accepted()], [], NOW)
    expect(told!.numbers).toMatchObject({ request, quote: 1, oddsE4: 20_000, quotedProbability: 0.5, riskMicros: 10_000_000, payoutMicros: 20_000_000, deadlineAtUs: NOW + 2 * SECOND, position: NaN })
    const decide = (confirm: boolean) => maker.callOf({ kind: 'decide', request, quote: 1, position: NaN, confirm }, NOW)[0] as Call
    expect([decide(true).method, decide(true).path, decide(true).headers]).toEqual(['POST', `/v1/quotes/${QUOTE}/confirm`, undefined])
    expect(bodyOf(decide(false))).toEqual({ decision: 'DECLINE' })
    expect(bodyOf(decide(true))).toEqual({
      decision: 'CONFIRM',
      signature: signTyped(SEAT.privateKey, DOMAIN, 'Confirmation', { maker: SEAT.makerId, rfqId: RFQ, quoteId: QUOTE, acceptanceId: 'acc', payout: '20000000', takerFeeBps: 20, feeBps: 100 }),
    })
  })

  it('confirms a bid that was taken with its price, whose probability is its share of the payout', () => {
    const maker = new OutcomeMaker(SEAT)
    maker.told([cashOut(), accepted({ position_id: POSITION })], [auctioned()], NOW)
    const [told] = maker.told([], [chosen('onBidTaken', POSITION)], NOW)
    expect(told!.numbers).toMatchObject({ oddsE4: NaN, quotedProbability: 0.5, position: 1 })
    const [act] = maker.callOf({ kind: 'decide', request: 1, quote: 1, position: 1, confirm: true }, NOW)
    expect(bodyOf(act)['signature']).toBe(signTyped(SEAT.privateKey, DOMAIN, 'CashoutConfirmation', {
      maker: SEAT.makerId, rfqId: RFQ, quoteId: QUOTE, acceptanceId: 'acc', price: '20000000', feeBps: 100, positionId: POSITION,
    }))
  })

  it('knows the rates of a quote from the snapshot, where it was away when the RFQ was made', () => {
    const confirmed = (frames: object[]) => {
      const maker = new OutcomeMaker(SEAT)
      maker.told([...frames.map(frame), accepted()], [chosen('onSelected', null)], NOW)
      return maker.callOf({ kind: 'decide', request: 1, quote: 1, position: NaN, confirm: true }, NOW)
    }
    expect(confirmed([{ type: 'snapshot', cursor: '1' }])).toEqual([])
    const [act] = confirmed([{ type: 'snapshot', cursor: '1', quotes: [{ quote_id: QUOTE, rfq_id: RFQ, taker_fee_bps: 30, fee_bps: 90 }] }])
    expect(bodyOf(act)['signature']).toBe(signTyped(SEAT.privateKey, DOMAIN, 'Confirmation', {
      maker: SEAT.makerId, rfqId: RFQ, quoteId: QUOTE, acceptanceId: 'acc', payout: '20000000', takerFeeBps: 30, feeBps: 90,
    }))
  })

  it('withdraws a quote once it has a name, and when it leaves, while it is live', () => {
    const { maker, request } = askedMaker()
    const [act] = maker.callOf(quoteOf(request), NOW)
    expect(maker.callOf({ kind: 'withdraw', request }, NOW)).toEqual([])
    const { ack, acts } = maker.answered(act!.tag, made, NOW)
    expect(ack).toEqual({ action: Action.submitQuote, refusal: Refusal.none, request, quote: 1, auction: NaN, retryAfterUs: NaN })
    expect(acts.map((one) => [(one as Call).method, (one as Call).path])).toEqual([['DELETE', `/v1/quotes/${QUOTE}`]])
    expect(maker.answered(acts[0]!.tag, { status: 204, headers: {}, body: '' }, NOW).ack).toMatchObject({ action: Action.withdrawQuote, refusal: Refusal.none, request, quote: 1 })
    expect(maker.leaving()).toHaveLength(1)
    maker.told([], [], 1_750_379_025 * SECOND)
    expect(maker.leaving()).toEqual([])
  })

  it('is told of a bid’s answer by its auction, and of a refusal by the service’s code', () => {
    const maker = new OutcomeMaker(SEAT)
    maker.told([cashOut()], [auctioned()], NOW)
    const [act] = maker.callOf({ kind: 'bid', auction: 1, version: 4, priceMicros: 5, validUs: SECOND }, NOW)
    expect(maker.answered(act!.tag, made, NOW)).toMatchObject({ ack: { action: Action.submitBid, auction: 1, request: NaN, quote: 1 }, acts: [] })
    const refused = { status: 409, headers: {}, body: JSON.stringify({ error: { code: 'RFQ_NOT_OPEN' } }) }
    expect(maker.answered(act!.tag, refused, NOW).ack).toEqual({ action: Action.submitBid, auction: 1, request: NaN, quote: NaN, refusal: Refusal.notOpen, code: 'RFQ_NOT_OPEN', retryAfterUs: NaN })
  })

  it('withdraws a quote that was refused by no name, so that the service answers', () => {
    const { maker, request } = askedMaker()
    expect(maker.callOf({ kind: 'withdraw', request }, NOW)).toMatchObject([{ method: 'DELETE', path: NOTHING }])
    const [act] = maker.callOf(quoteOf(request), NOW)
    maker.callOf({ kind: 'withdraw', request }, NOW)
    const { acts } = maker.answered(act!.tag, { status: 409, headers: {}, body: '{"error":{"code":"RFQ_NOT_OPEN"}}' }, NOW)
    expect(acts).toMatchObject([{ method: 'DELETE', path: NOTHING }])
    const none = { status: 404, headers: {}, body: '{"error":{"code":"QUOTE_NOT_FOUND"}}' }
    expect(maker.answered(acts[0]!.tag, none, NOW).ack).toMatchObject({ action: Action.withdrawQuote, refusal: Refusal.quoteGone, request, quote: NaN })
  })

  it('sells what it took over: asks for a cash-out, and accepts the bid that is good enough with signed terms', () => {
    const maker = new OutcomeMaker(SEAT)
    const [{ numbers }] = maker.told([], [held('onBought')], NOW) as unknown as [{ numbers: Record<string, number> }]
    const position = numbers['position']!
    const [open] = maker.callOf({ kind: 'openCashOut', position }, NOW)
    expect(open).toMatchObject({ method: 'POST', path: `/v1/me/positions/${POSITION}/cashout`, body: '{}' })
    const sale = '01978a5e-0000-7000-8000-000000000002'
    const { ack } = maker.answered(open!.tag, { status: 201, headers: {}, body: JSON.stringify({ rfq_id: sale }) }, NOW)
    expect(ack).toMatchObject({ action: Action.openCashOut, position, refusal: Refusal.none })
    expect(maker.told([], [held('onBid', { auction: sale, best_price: '777', bid: QUOTE })], NOW)).toMatchObject([{ kind: 'onBid', sale: { auction: ack!.auction, bestPriceMicros: 777 } }])
    const [take] = maker.callOf({ kind: 'takeBid', position, minPriceMicros: 777 }, NOW)
    const key = (take as Call).headers!['idempotency-key']!
    expect(take).toMatchObject({ path: `/v1/quotes/${QUOTE}/accept` })
    expect(bodyOf(take)).toEqual({
      signature: signTyped(SEAT.privateKey, DOMAIN, 'CashoutAcceptance', { seller: SEAT.makerId, rfqId: sale, quoteId: QUOTE, acceptanceId: key, price: '777', feeBps: 100, positionId: POSITION }),
    })
    const answered = (status: number, body: object) => maker.answered(take!.tag, { status, headers: {}, body: JSON.stringify(body) }, NOW).ack
    expect(answered(200, { status: 'CONFIRMED' })).toMatchObject({ action: Action.takeBid, refusal: Refusal.none, auction: ack!.auction })
    expect(answered(200, { status: 'TIMED_OUT' })).toMatchObject({ refusal: Refusal.notConfirmed, code: 'TIMED_OUT', isOfferGone: true })
    // It is no offer any more, and is not named again: the service refuses a quote that is none.
    const [none] = maker.callOf({ kind: 'takeBid', position, minPriceMicros: 1 }, NOW)
    expect(none).toMatchObject({ path: `${NOTHING}/accept` })
    expect(maker.answered(none!.tag, { status: 404, headers: {}, body: '{"error":{"code":"QUOTE_NOT_FOUND"}}' }, NOW).ack).toMatchObject({ refusal: Refusal.noQuote, isOfferGone: false })
    expect(maker.callOf({ kind: 'cancelCashOut', position }, NOW)).toMatchObject([{ path: `/v1/rfqs/${sale}/cancel`, body: '{}' }])
    expect(maker.leaving()).toMatchObject([{ path: `/v1/rfqs/${sale}/cancel` }])
    expect(maker.told([], [held('onAuctionEnded', { outcome: 'saleFailed', best_price: null })], NOW)).toMatchObject([{ sale: { outcome: AuctionOutcome.saleFailed, bestPriceMicros: NaN } }])
    expect([maker.callOf({ kind: 'takeBid', position, minPriceMicros: 1 }, NOW), maker.leaving()]).toEqual([[], []])
    maker.told([], [held('onSettled')], NOW)
    expect(maker.callOf({ kind: 'openCashOut', position }, NOW)).toEqual([])
  })

  it('keeps no RFQ of which it was told the end before the answer that names it, and no bid less for an answer', () => {
    const maker = new OutcomeMaker(SEAT)
    const [{ numbers }] = maker.told([], [held('onBought')], NOW) as unknown as [{ numbers: Record<string, number> }]
    const position = numbers['position']!
    const opens = () => maker.callOf({ kind: 'openCashOut', position }, NOW)[0]!.tag
    const answer = (tag: unknown, rfq_id: string) => maker.answered(tag, { status: 201, headers: {}, body: JSON.stringify({ rfq_id }) }, NOW).ack
    const expired = held('onAuctionEnded', { outcome: 'expired', best_price: null })
    const first = opens()
    maker.told([], [expired], NOW)
    expect([answer(first, 'x'), maker.leaving()]).toEqual([null, []])
    const second = opens()
    maker.told([], [held('onBid', { auction: 'y', best_price: '777', bid: QUOTE }), expired], NOW)
    const third = opens()
    expect([answer(second, 'y'), maker.leaving()]).toEqual([null, []])
    maker.told([], [held('onBid', { auction: 'z', best_price: '777', bid: QUOTE })], NOW)
    expect(answer(third, 'z')).toMatchObject({ action: Action.openCashOut, refusal: Refusal.none })
    expect(maker.leaving()).toMatchObject([{ path: '/v1/rfqs/z/cancel' }])
    expect(maker.callOf({ kind: 'takeBid', position, minPriceMicros: 777 }, NOW)).toMatchObject([{ path: `/v1/quotes/${QUOTE}/accept` }])
  })

  it('withdraws a bid when it leaves, while it is live', () => {
    const maker = new OutcomeMaker(SEAT)
    maker.seated({ name: 'a', role: 'maker', capital: '1', ended_profit: '0', feed_us: 0, way_us: 0 })
    maker.told([cashOut()], [auctioned()], NOW)
    const [act] = maker.callOf({ kind: 'bid', auction: 1, version: 4, priceMicros: 5, validUs: SECOND }, NOW)
    expect(maker.leaving()).toEqual([])
    maker.answered(act!.tag, made, NOW)
    expect(maker.leaving()).toMatchObject([{ method: 'DELETE', path: `/v1/quotes/${QUOTE}` }])
    // The nearest second at which the service takes it: 10.4 s + 25 s, rounded up.
    maker.told([], [], 1_750_379_036 * SECOND)
    expect(maker.leaving()).toEqual([])
  })

  it('withdraws after it was away what the service has taken and it knows of', () => {
    const { maker, request } = askedMaker()
    const [act] = maker.callOf(quoteOf(request), NOW)
    maker.answered(act!.tag, made, NOW)
    maker.callOf(quoteOf(request), NOW)
    expect(maker.callOf({ kind: 'withdraw', request }, NOW)).toEqual([])
    maker.cameBack()
    expect(maker.callOf({ kind: 'withdraw', request }, NOW)).toMatchObject([{ method: 'DELETE', path: `/v1/quotes/${QUOTE}` }])
  })

  it('forgets the acceptances and rates of quotes that have long ended', () => {
    const nameOf = (i: number): string => `0x${String(i).padStart(64, '0')}`
    const many = Array.from({ length: 20_001 }, (_, i) => i)
    const maker = new OutcomeMaker(SEAT)
    maker.told([frame({ type: 'snapshot', cursor: '1', quotes: many.map((i) => ({ quote_id: nameOf(i), rfq_id: RFQ, taker_fee_bps: 30, fee_bps: 90 })) }), ...many.map((i) => accepted({ quote_id: nameOf(i) }))], [], NOW)
    const told = maker.told([], [0, 1].map((i) => ({ ...chosen('onSelected', null), quote: nameOf(i) })), NOW)
    expect(told.map(({ numbers }) => numbers['quote'])).toEqual([2])
    const confirm = (quote: number) => maker.callOf({ kind: 'decide', request: 1, quote, position: NaN, confirm: true }, NOW).length
    expect([confirm(1), confirm(2)]).toEqual([0, 1])
    // The rates of the first are forgotten too.
    maker.told([accepted({ quote_id: nameOf(0) })], [], NOW)
    expect([confirm(1), confirm(20_001)]).toEqual([0, 1])
  })

  it('forgets an RFQ five minutes after its end, with what it had quoted, and quotes on no other one', () => {
    const { maker, request } = askedMaker()
    maker.answered(maker.callOf(quoteOf(request), NOW)[0]!.tag, made, NOW)
    maker.told([], [], OPEN_UNTIL_US + 300 * SECOND - 1)
    expect(maker.callOf({ kind: 'withdraw', request }, NOW)).toHaveLength(1)
    expect(maker.callOf({ kind: 'bid', auction: request, version: 1, priceMicros: 5, validUs: SECOND }, NOW)).toEqual([])
    maker.told([], [], OPEN_UNTIL_US + 300 * SECOND)
    expect(maker.callOf({ kind: 'withdraw', request }, NOW)).toMatchObject([{ path: NOTHING }])
    expect(maker.callOf(quoteOf(request), NOW)).toEqual([])
  })

  it('tells of positions what its desk says', () => {
    const maker = new OutcomeMaker(SEAT)
    const settled = note('onSettled', {
      position: POSITION, request: RFQ, quote: null, odds: null, net_stake: '10000000', risk: '5', is_holder: false, cost: '5', profit: '-5', is_bought_back: true, payout: '10000005', profit_fee_bps: 100,
      cost_basis: null,
    })
    expect(maker.told([], [settled, note('result', {})], NOW)).toMatchObject([{
      kind: 'onSettled', numbers: {
        position: 1, request: 1, quote: NaN, oddsE4: NaN, netStakeMicros: 10_000_000, riskMicros: 5, isHolder: false, costMicros: 5, profitMicros: -5, isBoughtBack: true, payoutMicros: 10_000_005,
        profitFeeBps: 100, costBasisMicros: NaN,
      },
    }])
  })
})
