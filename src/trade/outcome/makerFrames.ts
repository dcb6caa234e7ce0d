import { z } from 'zod'

const amount = z.string().regex(/^\d+$/)
const legs = z.array(z.object({ outcome_id: amount, side: z.enum(['YES', 'NO']) }))
const rfqHead = { rfq_id: z.string(), generation: z.int(), net_stake: amount, fee_bps: z.int(), open_until: z.string(), legs }
const entryRfq = z.object({ ...rfqHead, kind: z.literal('ENTRY'), taker_fee_bps: z.int() })
const cashOutRfq = z.object({ ...rfqHead, kind: z.literal('CASHOUT'), position_id: z.string() })
const accepted = z.object({ rfq_id: z.string(), quote_id: z.string(), acceptance_id: z.string(), position_id: z.string().nullable(), payout: amount })
const liveQuote = z.object({ quote_id: z.string(), rfq_id: z.string(), taker_fee_bps: z.int().nullable(), fee_bps: z.int() })

/** An RFQ as its frame tells it to makers. */
export type RfqData = z.infer<typeof entryRfq> | z.infer<typeof cashOutRfq>
export type AcceptedData = z.infer<typeof accepted>
export type LiveQuote = z.infer<typeof liveQuote>

/** What a maker signs on: frames of `/v1/stream` that say so, and of the others their type alone. */
export const MakerFrame = z.union([
  z.object({ type: z.literal('event'), event: z.literal('RFQ_CREATED'), data: z.union([entryRfq, cashOutRfq]) }),
  z.object({ type: z.literal('event'), event: z.literal('QUOTE_ACCEPTED'), data: accepted }),
  z.object({ type: z.literal('snapshot'), quotes: z.array(liveQuote).default([]) }),
  z.object({ type: z.string() }),
])

/** A quote as the answer to its call shows it. */
export const MadeQuote = liveQuote

/** What a client says first on `/v1/stream`. */
export const SUBSCRIBE = JSON.stringify({ type: 'subscribe', channels: ['account', 'maker'] })
export const SUBPROTOCOL = 'outcome-rfq.v1'
