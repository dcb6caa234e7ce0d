import { z } from 'zod'
import { SCOPE_NAMES } from '../../../venue/parlay/protocol/access.ts'
import { AuctionState, BidState, QuoteState } from '../../../venue/parlay/protocol/events.ts'
import { DELIVERY_STATUS_NAMES, WEBHOOK_EVENT_NAMES } from '../../../venue/parlay/protocol/webhooks.ts'
import { ERROR_STATUS } from '../../../venue/parlay/wire/errors.ts'
import { HOLDING_OUTCOMES, PARLAY_STATUSES } from '../../../venue/parlay/wire/parlayBody.ts'
import { VAULT_STATUSES } from '../../../venue/parlay/wire/vaultBody.ts'

const keysOf = <K extends string>(states: Readonly<Record<K, unknown>>) => z.enum(Object.keys(states) as [K, ...K[]])
export const text = z.string()
export const uuid = z.uuid()
export const instant = z.iso.datetime()
export const integer = z.int()
export const usdc = z.number().describe('USDC')
export const micro = z.int().describe('microUSDC')
export const odds = z.number().describe('up to four decimals')
const venue = z.enum(['venue_a', 'venue_b'])
const price = z.number().min(0).max(1).nullable()
const number = z.number().nullable()

/** `{ data }`, as every success is wrapped (PQ-018). */
export const data = <T extends z.ZodType>(resource: T) => z.strictObject({ data: resource })
/** `{ data, meta }` of a list whose size the document does not give (PQ-019, PQ-451). */
const paged = <T extends z.ZodType>(resource: T) =>
  z.strictObject({ data: resource, meta: z.strictObject({ cursor: text, has_more: z.boolean(), limit: integer }) })

export const leg = z.strictObject({ market_ticker: text, event_ticker: text, venue, side: z.enum(['yes', 'no']) })

const market = z.strictObject({
  ...Object.fromEntries([
    'ticker', 'event_ticker', 'series_ticker', 'title', 'subtitle', 'yes_sub_title', 'no_sub_title', 'bet_group', 'category', 'subcategory', 'frequency',
    'status', 'venue_url',
  ].map((name) => [name, text])),
  venue,
  yes_bid: price, yes_ask: price, no_bid: price, no_ask: price, last_price: price, price_to_beat: number, volume: number, volume_24h: number,
  open_interest: number,
  open_time: instant, close_time: instant.nullable(), expiration_time: instant.nullable(), exclusion_keys: z.array(text),
})

const eventGroup = z.strictObject({
  event_ticker: text, series_ticker: text, category: text, total_markets: integer, markets: z.array(market), series_title: text, event_title: text,
  event_sub_title: text, image_url: text,
})

export const quoteRequest = z.strictObject({
  id: uuid, user_id: uuid, version: integer, request_hash: text.regex(/^sha256:[0-9a-f]{64}$/), book_seq: integer,
  status: z.enum(['active', 'committed', 'cancelled', 'expired']), bet_amount: usdc, expires_at: instant,
  legs: z.array(leg.extend({ id: uuid })), input_legs: z.array(z.unknown()),
})

const quote = z.strictObject({
  id: uuid, quote_request_id: uuid, mm_id: uuid, request_version: integer, status: keysOf(QuoteState), payout_odds: odds, taker_fee_bps: integer,
  user_stake: usdc, mm_risk: usdc, book_seq: integer, created_at: instant, expires_at: instant, ended_at: instant.nullable(),
})

const position = z.strictObject({
  position_id: text.regex(/^[0-9a-f]{64}$/), rfq_id: uuid, quote_id: uuid, status: z.enum(['confirmed', 'executed', 'settled']), user_stake: usdc,
  total_payout: usdc, mm_risk: usdc, legs: z.array(leg),
})

const parlay = z.strictObject({
  rfq_id: uuid, quote_request_id: uuid, status: z.enum(PARLAY_STATUSES), bet_amount: usdc, legs: z.array(leg), accepted_quote_id: uuid.nullable(),
  position_id: text.nullable(), counterparty_mm_id: uuid.nullable(), payout_odds: odds.nullable(), user_stake: usdc.nullable(),
  taker_fee: usdc.nullable(), total_payout: usdc.nullable(), outcome: z.enum(HOLDING_OUTCOMES).nullable(), received: usdc.nullable(),
  profit_fee: usdc.nullable(), tx_signature: text.nullable(), created_at: instant, updated_at: instant,
})

const cashOut = z.strictObject({
  id: uuid, rfq_id: uuid, position_id: text, status: keysOf(AuctionState), counterparty_mm_id: uuid, market_maker_id: uuid.nullable(),
  user_stake: usdc, total_payout: usdc, best_price_micro: micro.nullable(), profit_fee: usdc.nullable(), proceeds: usdc.nullable(),
  created_at: instant, expires_at: instant,
})

const vault = z.strictObject({ tx_signature: text, amount: usdc, status: z.enum(VAULT_STATUSES) })
const key = z.strictObject({ prefix: text, scopes: z.array(z.enum(SCOPE_NAMES)), status: z.enum(['active', 'revoked', 'expired']), expires_at: instant.nullable() })
const endpoint = z.strictObject({ owner_kind: z.enum(['user', 'mm']), url: text, events: z.array(z.enum(WEBHOOK_EVENT_NAMES)), has_secret: z.boolean() })
const delivery = z.strictObject({
  id: uuid, event_type: z.enum(WEBHOOK_EVENT_NAMES), status: z.enum(DELIVERY_STATUS_NAMES), attempts: integer, response_code: integer.nullable(),
  created_at: instant,
})

/** The bodies of successes: what OpenAPI shows, and what tests hold against the bodies that the wire renders. */
export const RESPONSES = {
  markets: z.strictObject({
    data: z.strictObject({ events: z.array(eventGroup) }),
    meta: z.strictObject({
      cursor: text, has_more: z.boolean(), limit: integer, offset: integer, total: integer, total_events: integer,
      available_subcategories: z.array(text), available_frequencies: z.array(text),
    }),
  }),
  quoteRequest: data(z.strictObject({ quote_request: quoteRequest })),
  commit: data(z.strictObject({
    status: z.literal('committed'), quote_request_id: uuid, rfq_id: uuid, quote_id: uuid, selected_payout_odds: odds, confirmation_deadline: instant,
  })),
  quote: data(quote),
  alreadyExpired: data(z.strictObject({ status: z.literal('already_expired') })),
  quotes: paged(z.strictObject({ quotes: z.array(quote) })),
  position: data(z.strictObject({ position })),
  positions: paged(z.strictObject({ positions: z.array(position) })),
  parlay: data(z.strictObject({ parlay })),
  parlays: paged(z.strictObject({ parlays: z.array(parlay) })),
  cashOut: data(z.strictObject({ cashout_request: cashOut })),
  bid: data(z.strictObject({
    id: uuid, cashout_request_id: uuid, mm_id: uuid, status: keysOf(BidState).exclude(['failed']), price_micro: micro, expires_at: instant,
  })),
  portfolio: data(z.strictObject({
    balance: z.strictObject({ gross_balance: usdc, locked_collateral: usdc, free_balance: usdc, vault_pda: text, vault_token_account: text }),
    stats: z.strictObject({ total_parlays: integer, wins: integer, losses: integer, total_wagered: usdc, realized_pnl: usdc, updated_at: instant }),
    counts: z.strictObject({
      open: integer, quoted: integer, accepted: integer, confirmed: integer, executed: integer, total_settled: integer, total_cancelled: integer,
      total_expired: integer, total_failed: integer,
    }),
    summary: z.strictObject({ active_count: integer, active_bet_total: usdc, portfolio_value: usdc }),
  })),
  vault: data(vault),
  walletWithdrawal: data(vault.extend({ address: text })),
  signature: data(z.strictObject({ signature: text })),
  keys: data(z.strictObject({ api_keys: z.array(key) })),
  createdKey: data(key.extend({ key: text })),
  endpoint: data(endpoint),
  secret: data(z.strictObject({ secret: text })),
  deliveries: data(z.strictObject({ deliveries: z.array(delivery) })),
  delivery: data(delivery),
} as const

const json = z.union([z.string(), z.int()])

/** The one envelope of errors (PQ-338). */
export const errorResponse = z.strictObject({
  error: z.strictObject({
    code: keysOf(ERROR_STATUS), message: text.describe('for people; clients branch on code'),
    details: z.strictObject({
      reason: text,
      issues: z.array(z.strictObject({ path: z.array(json), message: text })),
      leg_errors: z.array(z.strictObject({
        reason: text, legs: z.array(integer).describe('places in legs, from 0').optional(),
        venue: z.enum(['venue_a', 'venue_b']).optional().describe('where a market was not found'),
      })),
      required: usdc, available: usdc, failed_mm_id: uuid, max_price_micro: micro,
      tx_signature: text.describe('transaction of the vault that was made'), amount: usdc.describe('what the caller\'s wallet has of it'),
    }).partial().optional(),
    retry_after: integer.nullable().optional(),
  }),
})

