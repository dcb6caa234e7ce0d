import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { errorResponse, RESPONSES } from '../../../src/serve/parlay/schemas/responses.ts'
import { MarketList } from '../../../src/market/marketList.ts'
import { rowAs } from '../../../src/venue/eventCells.ts'
import { Bucket } from '../../../src/venue/parlay/protocol/access.ts'
import { PARLAY_CODES, ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { AuctionState, BidState, CommitReply, PositionState, QuoteState, RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import { apiKeyBody, createdApiKeyBody } from '../../../src/venue/parlay/wire/apiKey.ts'
import { bidBody, cashOutBody } from '../../../src/venue/parlay/wire/cashOutBody.ts'
import { commitBody } from '../../../src/venue/parlay/wire/commitBody.ts'
import { deliveryRecord } from '../../../src/venue/parlay/wire/deliveryRecord.ts'
import { endpointBody, rotatedSecretBody } from '../../../src/venue/parlay/wire/endpointBody.ts'
import { errorAnswer, errorOfReply } from '../../../src/venue/parlay/wire/errors.ts'
import { parlayBody, type ParlayRecord } from '../../../src/venue/parlay/wire/parlayBody.ts'
import { portfolioBody } from '../../../src/venue/parlay/wire/portfolioBody.ts'
import { makerPositionBody } from '../../../src/venue/parlay/wire/positionBody.ts'
import { ALREADY_EXPIRED, quoteBody } from '../../../src/venue/parlay/wire/quoteBody.ts'
import { quoteRequestBody } from '../../../src/venue/parlay/wire/quoteRequestBody.ts'
import { vaultBody, walletWithdrawalBody } from '../../../src/venue/parlay/wire/vaultBody.ts'
import { asSent, nameOf } from '../../venue/parlay/wire/names.ts'
import { AT_US, identity, replyRow } from '../../venue/parlay/wire/rows.ts'

const LEGS = [{ market: 0, side: 1 }, { market: 1, side: 0 }]
const META = { cursor: '', has_more: false, limit: 50 }
const KEY = { number: 1, account: 3, scopes: 1025, expiresAtUs: -1, state: 'active' } as const
const ENDPOINT = { account: 3, owner: 1, events: 7, secret: 2 }
const DELIVERY = { number: 4, account: 3, owner: 0, event: 0, status: 1, attempts: 1, response: 204, createdAtUs: AT_US }
const OPEN: ParlayRecord = { request: 6, status: 'open', legs: LEGS, costMicros: 25_000_000, createdAtUs: AT_US, updatedAtUs: AT_US, trade: null, end: null }
const ENDED: ParlayRecord = {
  ...OPEN, status: 'settled', trade: { quote: 8, position: 2, backer: 21, oddsE4: 40_000, stakeMicros: 1, payoutMicros: 2, takerFeeMicros: 3 },
  end: { outcome: 'bought_back', receivedMicros: 1, profitFeeMicros: 0, seq: 1 },
}
const quote = quoteBody(identity, {
  number: 8, request: 6, maker: 21, state: QuoteState.failed, version: 2, oddsE4: 40_000, riskMicros: 1, stakeMicros: 1, takerFeeBps: 100,
  validUntilUs: AT_US, submittedAtUs: AT_US, endedAtUs: AT_US, bookSeq: 5,
})
const position = makerPositionBody(identity, {
  number: 2, request: 6, quote: 8, stakeMicros: 1, payoutMicros: 2, state: PositionState.executed, legs: LEGS,
}, nameOf)
const auction = { number: 4, position: 2, request: 6, seller: 3, backer: 21, state: AuctionState.active, stakeMicros: 1, payoutMicros: 2, openedAtUs: AT_US, endsAtUs: AT_US, bestPriceMicros: -1, winner: -1, profitFeeMicros: -1 }

const BODIES: readonly (readonly [keyof typeof RESPONSES, object])[] = [
  ['markets', new MarketList({ markets: [{
    number: 0, ticker: 'A', venue: 'venue_a', event: 'E', series: 'S', category: 'Sports', title: 'T', game: '', ladder: '', exclusionKeys: ['k'], openUs: 0,
    scheduledCloseUs: AT_US * 2, scheduledCloseKnownUs: 0, actualCloseUs: null, outcome: null, settlementE6: null, settledUs: null,
  }] }).read({ category: 'all' }, {
    nowUs: AT_US, status: () => 'open', figures: () => ({ bidE6: 410_000, askE6: 430_000, lastE6: 420_000 }),
  })],
  ['quoteRequest', { data: { quote_request: quoteRequestBody(identity, {
    number: 6, owner: 3, state: RequestState.active, version: 1, bookSeq: 0, betMicros: 25_000_000, expiresAtUs: AT_US, legs: LEGS,
  }, nameOf) } }],
  ['commit', { data: commitBody(identity, rowAs(CommitReply, replyRow(ParlayOp.commitRequest, 0, { request: 6, quote: 8, maker: 21, oddsE4: 40_000, position: 1, confirmBeforeUs: AT_US }))) }],
  ['quote', { data: quote }], ['quotes', { data: { quotes: [quote] }, meta: META }], ['alreadyExpired', { data: ALREADY_EXPIRED }],
  ['position', { data: { position } }], ['positions', { data: { positions: [position] }, meta: META }],
  ['parlay', { data: { parlay: parlayBody(identity, OPEN, nameOf) } }], ['parlay', { data: { parlay: parlayBody(identity, ENDED, nameOf) } }],
  ['parlays', { data: { parlays: [parlayBody(identity, ENDED, nameOf)] }, meta: META }],
  ['cashOut', { data: { cashout_request: cashOutBody(identity, auction) } }],
  ['cashOut', { data: { cashout_request: cashOutBody(identity, { ...auction, state: AuctionState.committed, winner: 22, bestPriceMicros: 5, profitFeeMicros: 0 }) } }],
  ['bid', { data: bidBody(identity, { number: 7, auction: 4, maker: 21, state: BidState.live, priceMicros: 5, validUntilUs: AT_US }) }],
  ['portfolio', { data: portfolioBody(identity, 3, {
    balance: { freeMicros: 0, reservedMicros: 0, lockedMicros: 0, grossMicros: 0, hasVault: false, fenced: false },
    stats: { totalParlays: 0, wins: 0, losses: 0, totalWageredMicros: 0, realizedPnlMicros: -1, makerRealizedMicros: 0, updatedAtUs: -1 },
    counts: { open: 0, quoted: 0, accepted: 0, confirmed: 0, executed: 0, totalSettled: 0, totalCancelled: 0, totalExpired: 0, totalFailed: 0 },
    summary: { activeCount: 0, activeBetMicros: 0, portfolioMicros: 0 },
  }, AT_US) }],
  ['vault', { data: vaultBody(identity, replyRow(ParlayOp.deposit, ParlayCode.chainPending), 5) }],
  ['walletWithdrawal', { data: walletWithdrawalBody(identity, replyRow(ParlayOp.walletWithdraw, 0), 5, 'A') }],
  ['keys', { data: { api_keys: [apiKeyBody(identity, KEY)] } }], ['createdKey', { data: createdApiKeyBody(identity, { ...KEY, expiresAtUs: AT_US }) }],
  ['endpoint', { data: endpointBody(ENDPOINT, 'https://example.com') }], ['secret', { data: rotatedSecretBody(identity, 3, 1, 1) }],
  ['deliveries', { data: { deliveries: [deliveryRecord(identity, DELIVERY)] } }], ['delivery', { data: deliveryRecord(identity, { ...DELIVERY, response: null }) }],
]

describe('the schema of a success', () => {
  it.each(BODIES)('fits the body that the wire renders: %s', (name, body) => {
    const schema: z.ZodType = RESPONSES[name]
    expect(schema.safeParse(asSent(body))).toEqual({ success: true, data: asSent(body) })
  })

  it('fits no body with a field more or less', () => {
    expect(RESPONSES.quote.safeParse(asSent({ data: { ...quote, more: 1 } })).success).toBe(false)
    expect(RESPONSES.quote.safeParse(asSent({ data: { ...quote, mm_risk: undefined } })).success).toBe(false)
  })
})

describe('the schema of an error', () => {
  const SHOWN: Readonly<Record<number, Readonly<Record<string, number>>>> = {
    [ParlayCode.insufficientCollateral]: { requiredMicros: 1, availableMicros: 1 }, [ParlayCode.mmConfirmationTimeout]: { maker: 1 },
    [ParlayCode.priceAboveMaxPayout]: { maxPriceMicros: 1 }, [ParlayCode.rateLimited]: { retryAfterS: 1, bucket: Bucket.authenticated },
    [ParlayCode.partialVaultOnly]: { amountMicros: 1 },
  }

  it('PQ-338 fits every rejection', () => {
    const codes = Object.entries(PARLAY_CODES).filter(([, { code }]) => code !== '').map(([code]) => Number(code))
    expect(codes.length).toBeGreaterThan(40)
    for (const code of codes) {
      const body = asSent(errorOfReply(identity, replyRow(ParlayOp.commitRequest, code, SHOWN[code] ?? {})).body)
      expect(errorResponse.safeParse(body)).toEqual({ success: true, data: body })
    }
  })

  it('PQ-466 fits issues and leg errors', () => {
    const body = asSent(errorAnswer('VALIDATION_ERROR', { issues: [{ path: ['legs', 1, 'side'], message: 'm' }], leg_errors: [{ reason: 'exclusion_conflict', legs: [0, 2] }] }).body)
    expect(errorResponse.safeParse(body).success).toBe(true)
  })
})
