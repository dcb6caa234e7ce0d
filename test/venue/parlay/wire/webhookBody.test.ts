import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PostingRows } from '../../../../src/ledger/postingRows.ts'
import type { Kind } from '../../../../src/venue/eventCells.ts'
import { EventRows } from '../../../../src/venue/eventRows.ts'
import { SCOPE_NAMES } from '../../../../src/venue/parlay/protocol/access.ts'
import { ParlayCommand, ParlayOp } from '../../../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent } from '../../../../src/venue/parlay/protocol/events.ts'
import { PARLAY_SETTINGS } from '../../../../src/venue/parlay/protocol/profile.ts'
import { OwnerKind, SCOPE_OF_EVENT, WEBHOOK_EVENT_NAMES } from '../../../../src/venue/parlay/protocol/webhooks.ts'
import { parlayVenue } from '../../../../src/venue/parlay/venue.ts'
import { usdcText } from '../../../../src/venue/parlay/wire/decimalUsdc.ts'
import { deliveryRecord } from '../../../../src/venue/parlay/wire/deliveryRecord.ts'
import { cashOutBroadcast, makerPositionBody } from '../../../../src/venue/parlay/wire/positionBody.ts'
import { webhookBody, webhookEventOf, webhookText } from '../../../../src/venue/parlay/wire/webhookBody.ts'
import { profileOf } from '../../../../src/venue/profile.ts'
import { AT_US, type Fields, identity, row } from './rows.ts'

const { user, maker } = OwnerKind
const AT = '2025-06-20T00:23:00.000007Z'
const RFQ = identity.rfq(6)
const TX = identity.txSignature(9)

/** Data of the body as a receiver parses it. */
function data(owner: number, kind: Kind, fields: Fields): Record<string, unknown> {
  const { data: told } = JSON.parse(webhookText(webhookBody(identity, 4, owner, row(kind, fields)))) as { data: Record<string, unknown> }
  return told
}

describe('the body of a webhook', () => {
  it('PQ-312 is { id, type, data }', () => {
    const text = webhookText(webhookBody(identity, 4, user, row(ParlayEvent.fundsDeposited, { account: 1, amountMicros: 25_500_000, grossBalanceMicros: 100_000_001 })))
    expect(text).toBe(
      `{"id":"${identity.event(4)}","type":"funds.deposited","data":{"amount_usdc":25.5,"vault_balance":100.000001,"occurred_at":"${AT}"}}`,
    )
  })

  it.each([[0, 'lost'], [1, 'won'], [2, 'void']])('PQ-290 PQ-306 tells that a position settled: %i is %s', (number, outcome) => {
    expect(data(user, ParlayEvent.positionSettled, { request: 6, position: 3, outcome: number })).toEqual({
      rfq_id: RFQ, outcome, tx_signature: TX, occurred_at: AT,
    })
  })

  it.each([[0, 'user_cancelled'], [1, 'chain_failed']])('PQ-291 PQ-306 tells that a position was cancelled: %i is %s', (number, reason) => {
    expect(data(user, ParlayEvent.positionCancelled, { request: 6, reason: number })).toEqual({ rfq_id: RFQ, reason, occurred_at: AT })
  })

  it.each([[0, false], [1, true]])('PQ-292 PQ-301 tells of a buyback: with %i the maker pays: %s', (isPaidByMaker, pays) => {
    expect(data(user, ParlayEvent.positionBoughtBack, { request: 6, position: 3, differenceMicros: 10_250_000, isPaidByMaker })).toEqual({
      rfq_id: RFQ, amount: 10.25, mm_pays_user: pays, tx_signature: TX, occurred_at: AT,
    })
  })

  it('PQ-294 tells the seller of a transfer its price, proceeds and fee', () => {
    const fields = { request: 6, position: 3, priceMicros: 40_000_000, toSellerMicros: 39_847_500, profitFeeMicros: 152_500, buyer: 21 }
    expect(data(user, ParlayEvent.positionTransferred, fields)).toEqual({
      rfq_id: RFQ, position_id: identity.position(3), price: 40, proceeds: 39.8475, profit_fee: 0.1525, tx_signature: TX, occurred_at: AT,
    })
  })

  it.each([[1, 'accepted'], [2, 'confirmed'], [3, 'executed'], [4, 'cancelled']])('PQ-295 PQ-296 tells the status %i, %s', (number, status) => {
    expect(data(user, ParlayEvent.statusChanged, { request: 6, status: number, quote: 8 })).toEqual({
      rfq_id: RFQ, status, accepted_quote_id: identity.quote(8), occurred_at: AT,
    })
    expect(data(user, ParlayEvent.statusChanged, { request: 6, status: number })['accepted_quote_id']).toBeNull()
  })

  it.each<['PQ-297' | 'PQ-298', string, Kind]>([
    ['PQ-297', 'funds.deposited', ParlayEvent.fundsDeposited], ['PQ-298', 'funds.withdrawn', ParlayEvent.fundsWithdrawn],
  ])('%s tells amount and balance of %s', (_, type, kind) => {
    const fields = { account: 1, amountMicros: 1, grossBalanceMicros: 0 }
    expect(data(user, kind, fields)).toEqual({ amount_usdc: 0.000001, vault_balance: 0, occurred_at: AT })
    expect(webhookBody(identity, 1, user, row(kind, fields)).type).toBe(type)
  })

  it.each<[string, number, string]>([
    ['PQ-290', ParlayEvent.positionSettled, 'positions:read'], ['PQ-291', ParlayEvent.positionCancelled, 'positions:read'],
    ['PQ-292', ParlayEvent.positionBoughtBack, 'positions:read'], ['PQ-293', ParlayEvent.positionTransferred, 'positions:read'],
    ['PQ-295', ParlayEvent.statusChanged, 'positions:read'], ['PQ-297', ParlayEvent.fundsDeposited, 'balances:read'],
    ['PQ-298', ParlayEvent.fundsWithdrawn, 'balances:read'],
  ])('%s row kind %i needs the scope %s', (_, kind, scope) => {
    expect(SCOPE_NAMES.filter((__, bit) => SCOPE_OF_EVENT[webhookEventOf(kind, user)!] === 1 << bit)).toEqual([scope])
  })

  it('PQ-304 PQ-303 is another event for each of the two rows of a cancellation, with one rfq_id', () => {
    const events = new EventRows({ next: 1 }, 1)
    const venue = parlayVenue(profileOf(PARLAY_SETTINGS, {}), events, new PostingRows({ next: 1 }, 1))
    const command = new ParlayCommand()
    const send = (fields: Partial<ParlayCommand>, op: number, account: number): void => {
      command.reset(op, account)
      if (op === ParlayOp.listMarket) command.item(fields.market!)
      if (op === ParlayOp.createRequest) command.leg(1, 1).leg(2, 1)
      venue.apply(AT_US, Object.assign(command, { seq: command.seq + 1 }, fields))
    }
    for (const market of [1, 2]) send({ market, closeUs: AT_US + 1e9 }, ParlayOp.listMarket, 0)
    send({ betMicros: 25_000_000 }, ParlayOp.createRequest, 10)
    send({ request: 1 }, ParlayOp.cancelRequest, 10)
    const told = Array.from({ length: events.count }, (_, i) => events.row(i)).filter((each) => webhookEventOf(events.kindOf(each), user) !== null)
    const bodies = told.map((each, i) => webhookBody(identity, i + 1, user, events.rowCells(each)))
    expect(bodies.map(({ type }) => type)).toEqual(['parlay.status_changed', 'position.cancelled'])
    expect(bodies.map(({ data: { rfq_id } }) => rfq_id)).toEqual([identity.rfq(1), identity.rfq(1)])
    expect(bodies[0]!.data).toMatchObject({ status: 'cancelled', accepted_quote_id: null })
    expect(bodies[0]!.id).not.toBe(bodies[1]!.id)
  })
})

describe('the maker\'s side', () => {
  it.each([[0, 'won', 'lost'], [1, 'lost', 'won'], [2, 'void', 'void']])('PQ-308 PQ-311 is mm_result: outcome %i is %s, %s to the holder',
    (number, mm_result, outcome) => {
      expect(data(maker, ParlayEvent.positionSettled, { request: 6, outcome: number })).toEqual({
        rfq_id: RFQ, outcome, tx_signature: TX, occurred_at: AT, mm_result,
      })
    })

  it('PQ-308 PQ-311 has mm_result cancelled when the fill failed', () => {
    expect(data(maker, ParlayEvent.positionCancelled, { request: 6, reason: 1, backer: 20 })).toEqual({
      rfq_id: RFQ, reason: 'chain_failed', occurred_at: AT, mm_result: 'cancelled',
    })
  })

  it.each([[0, false], [1, true]])('PQ-309 PQ-311 has mm_pays_user in a buyback: %i is %s', (isPaidByMaker, mm_pays_user) => {
    expect(data(maker, ParlayEvent.positionBoughtBack, { request: 6, differenceMicros: 5_000_000, isPaidByMaker })).toEqual({
      rfq_id: RFQ, amount: 5, mm_pays_user, tx_signature: TX, occurred_at: AT, mm_result: 'bought_back',
    })
  })

  const TOLD = Object.values(ParlayEvent)
  it('PQ-310 is told in three events of seven', () => {
    const names = (owner: number): string[] =>
      TOLD.map((kind) => webhookEventOf(kind, owner)).filter((event) => event !== null).map((event) => WEBHOOK_EVENT_NAMES[event]!)
    expect(names(maker).sort()).toEqual(['position.bought_back', 'position.cancelled', 'position.settled'])
    expect(names(user).sort()).toEqual([...WEBHOOK_EVENT_NAMES].sort())
  })

  it('PQ-293 is never told of a transfer', () => {
    expect(webhookEventOf(ParlayEvent.positionTransferred, maker)).toBeNull()
    expect(() => webhookBody(identity, 1, maker, row(ParlayEvent.positionTransferred, {}))).toThrow('no webhook tells row kind 45')
  })
})

describe('money in a body', () => {
  it.each([
    [0, '0'], [1, '0.000001'], [100_000, '0.1'], [1_000_000, '1'], [98_257_500, '98.2575'], [10_000_000_000_000, '10000000'],
    [-1_500_000, '-1.5'], [Number.MAX_SAFE_INTEGER, '9007199254.740991'],
  ])('PQ-023 writes %i microUSDC as %s', (micros, text) => {
    expect(usdcText(micros)).toBe(text)
  })

  it('PQ-023 loses no digit of any amount', () => {
    fc.assert(fc.property(fc.maxSafeInteger(), (micros) => {
      const [whole, fraction = ''] = usdcText(micros).replace('-', '').split('.')
      expect(BigInt(whole! + fraction.padEnd(6, '0'))).toBe(BigInt(Math.abs(micros)))
      expect(fraction.endsWith('0')).toBe(false)
    }))
  })
})

describe('records beside', () => {
  it('PQ-090 PQ-100 a maker\'s position has position_id in lowercase hex, and its legs in full', () => {
    const nameOf = (market: number) => ({ market_ticker: `M-${market}`, event_ticker: 'E', venue: 'venue_b' as const })
    const position = {
      number: 12, request: 6, quote: 8, holder: 10, backer: 20, stakeMicros: 24_750_000, payoutMicros: 99_000_000, costMicros: 25_000_000,
      basisMicros: 24_750_000, takerFeeMicros: 250_000, takerFeeBps: 100, profitFeeBps: 100, state: 1, legs: [{ market: 1, side: 1 }, { market: 2, side: 0 }],
    }
    expect(JSON.parse(JSON.stringify(makerPositionBody(identity, position, nameOf)))).toEqual({
      position_id: 'da25c109c66f23a8c24c086b60d31160d0b4d977e7c8dc5006260044768510c7',
      rfq_id: RFQ, quote_id: identity.quote(8), status: 'executed', user_stake: 24.75, total_payout: 99, mm_risk: 74.25,
      legs: [
        { market_ticker: 'M-1', event_ticker: 'E', venue: 'venue_b', side: 'yes' },
        { market_ticker: 'M-2', event_ticker: 'E', venue: 'venue_b', side: 'no' },
      ],
    })
  })

  it('PQ-091 PQ-024 PQ-022 a cash-out broadcast has position_id in lowercase hex, and both conventions of money', () => {
    const fields = {
      request: 6, position: 12, auction: 2, seller: 10, backer: 20, payoutMicros: 99_000_000, netStakeMicros: 24_750_000,
      endsAtUs: AT_US + 10_000_000,
    }
    expect(JSON.parse(JSON.stringify(cashOutBroadcast(identity, row(ParlayEvent.auctionOpened, fields))))).toEqual({
      cashout_request_id: identity.auction(2), rfq_id: RFQ,
      position_id: 'da25c109c66f23a8c24c086b60d31160d0b4d977e7c8dc5006260044768510c7',
      counterparty_mm_id: identity.account(20), user_stake: 24.75, total_payout: 99, max_price_micro: 99_000_000,
      expires_at: '2025-06-20T00:23:10.000007Z',
    })
  })

  it.each<[number, string, number | null, number | null]>([
    [0, 'pending', null, null], [1, 'delivered', 204, 204], [2, 'failed', 500, 500], [2, 'failed', 0, null], [2, 'failed', -1, null],
    [3, 'dead_letter', -2, null],
  ])('PQ-101 PQ-102 a delivery of status %i is %s', (status, name, response, response_code) => {
    const view = { number: 4, account: 1, owner: user, event: 4, status, attempts: 3, response, createdAtUs: AT_US }
    expect(deliveryRecord(identity, view)).toEqual({
      id: identity.event(4), event_type: 'parlay.status_changed', status: name, attempts: 3, response_code, created_at: AT,
    })
  })
})
