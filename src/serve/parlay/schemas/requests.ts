import { z } from 'zod'
import { ALL_SUBCATEGORIES, CATEGORIES, FREQUENCIES } from '../../../market/marketClass.ts'
import { TIME_BUCKETS } from '../../../market/marketQuery.ts'
import { ODDS_ONE } from '../../../unit/odds.ts'
import { COMMAND_LEGS_MAX } from '../../../venue/contract.ts'
import { SCOPE_NAMES } from '../../../venue/parlay/protocol/access.ts'
import { COMMAND_LIST_MAX } from '../../../venue/parlay/protocol/commands.ts'
import type { ParlayProfile } from '../../../venue/parlay/protocol/profile.ts'
import { MAKER_WEBHOOK_EVENTS, WEBHOOK_EVENT_NAMES } from '../../../venue/parlay/protocol/webhooks.ts'
import { PARLAY_STATUSES } from '../../../venue/parlay/wire/parlayBody.ts'
import { faultOfWebhookUrl, type WebhookUrlRule } from '../webhookUrl.ts'
import { isPacket } from '../signedTransaction.ts'
import { count, odds, page, queryInteger, usdc, validity } from './fields.ts'

const LABEL_LENGTH_MAX = 80
export const SIGNED_TRANSACTION = 'a signed transaction of the chain is expected, in base64'
const MAKER_EVENTS = WEBHOOK_EVENT_NAMES.filter((_, event) => (MAKER_WEBHOOK_EVENTS & (1 << event)) !== 0)
const isWithoutRepeats = (values: readonly unknown[]): boolean => new Set(values).size === values.length
const NO_REPEATS = { error: 'each value once is expected' }
/** A parameter whose values `parseMarketsQuery` checks; what stands here describes it. */
const described = (parameter: object) => z.string().optional().meta({ parameter: { type: 'string', ...parameter } })

/** A leg as it is submitted (PQ-048…051). Other fields stay: `input_legs` repeats them. */
export const leg = z.looseObject({
  market_ticker: z.string().min(1), side: z.enum(['yes', 'no']),
  venue: z.enum(['venue_a', 'venue_b']).optional().describe('venue_a when it is left out'),
})

/** The first frame of a WebSocket (PQ-268). */
export const authFrame = z.object({ type: z.literal('auth'), api_key: z.string() })

export const ownerKind = z.object({ owner_kind: z.enum(['user', 'mm']).default('user') })

/**
 * Shapes of every request, with the bounds of the profile that is played. Fields that a body has besides are passed over, but for a cash-out
 * bid, which has none (PQ-387). What is in shape may still be refused by the venue.
 */
export function requestSchemas(profile: ParlayProfile, urls: WebhookUrlRule) {
  const quoteRequest = z.object({
    legs: z.array(leg).min(profile.legsMin).max(Math.min(profile.legsMax, COMMAND_LEGS_MAX)),
    bet_amount: usdc(profile.betMinMicros, profile.betMaxMicros),
  })
  return {
    /** GET /markets (PQ-144…163): `parseMarketsQuery` is what checks it. */
    markets: z.object({
      category: described({ enum: [...CATEGORIES, 'all'] }), venue: described({ enum: ['venue_a', 'venue_b'] }),
      subcategory: described({ enum: [...ALL_SUBCATEGORIES] }), frequency: described({ enum: [...FREQUENCIES] }),
      closes_within: described({ enum: [...TIME_BUCKETS], default: 'all' }), search: described({}), cursor: described({}),
      limit: described({ type: 'integer', minimum: 1, maximum: 100, default: 21 }),
      markets_per_event: described({ type: 'integer', minimum: 1, maximum: 50, default: 10 }),
    }),
    quoteRequest,
    commit: z.object({
      expected_version: count, displayed_quote_id: z.string().min(1), displayed_quote_book_seq: z.int().min(0),
      min_payout_odds_seen: z.number().min(profile.oddsE4Min / ODDS_ONE).describe('rounded up to four decimals'),
      exclude_mm_ids: z.array(z.string()).max(COMMAND_LIST_MAX).optional(),
    }),
    submitQuote: z.object({
      request_version: count, request_hash: z.string(), payout_odds: odds(profile.oddsE4Min, profile.oddsE4Max),
      expires_in_ms: validity(profile.quoteValidityMinMs, profile.quoteValidityMaxMs, profile.quoteValidityDefaultMs),
    }),
    withdrawQuote: z.object({ request_version: count.optional(), request_hash: z.string().optional() }),
    lastLook: z.object({ quote_id: z.string().min(1) }),
    openCashout: z.object({ rfq_id: z.uuid() }),
    commitCashout: z.object({ min_price_micro: count.optional() }),
    submitBid: z.strictObject({
      price_micro: count, expires_in_ms: validity(profile.bidValidityMinMs, profile.bidValidityMaxMs, profile.bidValidityDefaultMs),
    }),
    deposit: z.object({ amount: usdc(1, profile.depositMaxMicros) }),
    withdraw: z.object({ amount: usdc(1, profile.withdrawMaxMicros) }),
    walletWithdraw: z.object({
      amount: usdc(1, profile.withdrawMaxMicros),
      address: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, { error: 'an address of the chain is expected, in base 58' }),
    }),
    submitTransaction: z.object({
      transaction: z.string().refine(isPacket, { error: SIGNED_TRANSACTION }),
    }),
    createKey: z.object({
      label: z.string().min(1).max(LABEL_LENGTH_MAX).optional(),
      scopes: z.array(z.enum(SCOPE_NAMES)).min(1).refine(isWithoutRepeats, NO_REPEATS),
      expires_at: z.iso.datetime({ offset: true }).nullable().optional().describe('never when it is left out or null'),
    }),
    revokeKey: z.strictObject({ prefix: z.string().min(1) }),
    /** By the kind of owner that the query names. */
    setWebhook: {
      user: webhook(z.enum(WEBHOOK_EVENT_NAMES), urls),
      mm: webhook(z.enum(MAKER_EVENTS), urls),
    },
    parlays: page.extend({ status: z.enum(PARLAY_STATUSES).optional() }),
    /** The deliveries of one kind of owner. */
    deliveries: ownerKind.extend({ limit: queryInteger(1, 100, 50) }),
    position: z.strictObject({ id: z.string().regex(/^[0-9a-f]{64}$/, { error: 'the id of a position is expected: 64 lowercase hex digits' }) }),
  }
}

export type RequestSchemas = ReturnType<typeof requestSchemas>

const webhook = <T extends z.ZodEnum>(event: T, urls: WebhookUrlRule) => z.object({
  url: z.string().superRefine((text, context) => {
    const fault = faultOfWebhookUrl(text, urls)
    if (fault !== null) context.addIssue({ code: 'custom', message: fault })
  }),
  events: z.array(event).refine(isWithoutRepeats, NO_REPEATS),
})
