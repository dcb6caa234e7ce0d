import { z } from 'zod'
import { AUTH_ERRORS } from '../../../venue/parlay/wire/socketFrames.ts'
import type { Frames } from '../../asyncapi.ts'
import { authFrame } from './requests.ts'
import { instant, integer, leg, micro, odds, quoteRequest, text, usdc, uuid } from './responses.ts'

const bestQuote = z.strictObject({
  quote_request_id: uuid, request_version: integer, book_seq: integer, quote_id: uuid.nullable(), mm_id: uuid.nullable(), payout_odds: odds.nullable(),
  expires_at: instant.nullable(),
})

const cashOutRequest = z.strictObject({
  cashout_request_id: uuid, rfq_id: uuid, position_id: text.regex(/^[0-9a-f]{64}$/), counterparty_mm_id: uuid, user_stake: usdc, total_payout: usdc,
  max_price_micro: micro, expires_at: instant,
})

const accepted = z.strictObject({ quote_request_id: uuid, request_version: integer, rfq_id: uuid, quote_id: uuid, payout_odds: odds, confirmation_deadline: instant })

/** Data of the events of both streams, by their names (PQ-331, PQ-332, PQ-336). */
export const STREAM_DATA = { quote_request: quoteRequest, best_quote: bestQuote, cashout_request: cashOutRequest } as const

/** Frames that a socket is sent, by their types (PQ-269, PQ-334, PQ-335). */
export const SOCKET_FRAMES = {
  'auth:ok': z.strictObject({ type: z.literal('auth:ok'), user_id: uuid }),
  'auth:error': z.strictObject({ type: z.literal('auth:error'), code: z.enum(AUTH_ERRORS) }),
  'quote:accepted': z.strictObject({ type: z.literal('quote:accepted'), data: accepted }),
  'mm_quote:accepted': z.strictObject({
    type: z.literal('mm_quote:accepted'), channel: text,
    data: accepted.extend({ bet_amount: usdc, taker_fee: usdc, user_stake: usdc, total_payout: usdc, mm_risk: usdc, legs: z.array(leg) }),
  }),
} as const

/** What both streams and the socket say and hear, by the names of their routes. */
export const PARLAY_FRAMES: Frames = {
  openMakerStream: { sent: STREAM_DATA, heard: {} },
  openStream: { sent: STREAM_DATA, heard: {} },
  openSocket: { sent: SOCKET_FRAMES, heard: { auth: authFrame } },
}
