import { z } from 'zod'
import { OperationKind, OperationStatus } from '../../venue/outcome/protocol/events.ts'
import type { Frames } from '../asyncapi.ts'
import { bytes32, uuid, uuidV7 } from './fields.ts'
import { bps, dollars, enumOf, generation, integer, kind, leg, Operation, Position, Quote, Rfq, timestamp } from './responses.ts'
import { marketSubscribeFrame, SubscribeFrame } from './subscribe.ts'

const rfqHead = { rfq_id: uuidV7, generation, kind, position_id: bytes32.nullable() }
const quoteHead = { ...rfqHead, quote_id: bytes32, maker_id: uuid, payout: integer, risk: integer, net_stake: integer.nullable() }
const legs = z.array(leg)

const entryRfq = z.strictObject({ ...rfqHead, stake: integer, taker_fee_bps: bps, net_stake: integer, fee_bps: bps, open_until: timestamp, legs })
const cashOutRfq = z.strictObject({ ...rfqHead, payout: integer, maker_id: uuid, net_stake: integer, fee_bps: bps, open_until: timestamp, legs })

/** An event: its data by its name (OM-151…154; payloads chosen, OM-164). `cursor` is what a client sends back to resume behind it. */
const event = <T extends z.ZodType>(name: string, data: T) =>
  z.strictObject({ type: z.literal('event'), event: z.literal(name), cursor: integer, occurred_at: timestamp, data })

const heartbeat = z.strictObject({ type: z.literal('heartbeat'), cursor: integer, sent_at: timestamp })

/** Frames of `/v1/stream` by their events or types. */
export const STREAM_FRAMES = {
  snapshot: z.strictObject({
    type: z.literal('snapshot'), cursor: integer, rfqs: z.array(Rfq).optional(), positions: z.array(Position).optional(), operations: z.array(Operation).optional(),
    quotes: z.array(Quote).optional(),
  }),
  heartbeat,
  RFQ_CREATED: event('RFQ_CREATED', z.union([entryRfq, cashOutRfq])),
  QUOTE_CREATED: event('QUOTE_CREATED', z.strictObject({ ...quoteHead, expires_at: timestamp })),
  QUOTE_ACCEPTED: event('QUOTE_ACCEPTED', z.strictObject({ ...quoteHead, acceptance_id: uuidV7, stake: integer.nullable(), confirm_until: timestamp, legs })),
  OPERATION_UPDATED: event('OPERATION_UPDATED', z.strictObject({
    operation_id: uuidV7, kind: enumOf(OperationKind), status: enumOf(OperationStatus), acceptance_id: uuidV7.nullable(), amount: integer, next_step_at: timestamp.nullable(),
  })),
} as const

/** Frames of the market-data socket (OM-044). */
export const MARKET_FRAMES = {
  prices: z.strictObject({
    type: z.literal('prices'), cursor: integer,
    prices: z.array(z.strictObject({ outcome_id: integer, bid: dollars.nullable(), ask: dollars.nullable(), at: timestamp })),
  }),
  heartbeat,
} as const

/** What both sockets say and hear, by the names of their routes. */
export const outcomeFrames = (outcomesMax?: number): Frames => ({
  openStream: { sent: STREAM_FRAMES, heard: { subscribe: SubscribeFrame } },
  openMarketStream: { sent: MARKET_FRAMES, heard: { subscribe: marketSubscribeFrame(outcomesMax) } },
})
