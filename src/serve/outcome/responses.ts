import { z } from 'zod'
import { CHAIN_ID } from '../../venue/outcome/protocol/terms.ts'
import { SCOPE_NAMES } from '../../venue/outcome/protocol/access.ts'
import { OUTCOME_CODES } from '../../venue/outcome/protocol/codes.ts'
import { AccountRole } from '../../venue/outcome/protocol/commands.ts'
import { AcceptanceState, OperationKind, OperationStatus, PositionState, QuoteState, RfqState } from '../../venue/outcome/protocol/events.ts'
import { SIDE_NAMES, wireNames } from '../../venue/outcome/wire/encoding.ts'
import { bytes32, uuid, uuidV7 } from './fields.ts'

/** An amount of atomic units of USDC, a chain, a sequence number (OM-022, OM-023). */
export const integer = z.string().regex(/^(0|[1-9][0-9]*)$/)
/** RFC 3339 in UTC, with microseconds (OM-031). */
export const timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/).meta({ format: 'date-time' })
const address = z.string().regex(/^0x[0-9a-f]{40}$/)
export const dollars = z.string().regex(/^\d+\.\d{4}$/)
export const bps = z.int().min(0).max(10_000)
export const generation = z.int().min(1)
export const enumOf = (values: Readonly<Record<string, number>>) => z.enum(Object.values(wireNames(values)))
export const kind = z.enum(['ENTRY', 'CASHOUT'])
export const leg = z.strictObject({ outcome_id: integer, side: z.enum(Object.values(SIDE_NAMES)) })

export const Rfq = z.strictObject({
  rfq_id: uuidV7, kind, status: enumOf(RfqState), account_id: uuid, generation, position_id: bytes32.nullable(), stake: integer.nullable(),
  net_stake: integer.nullable(), legs: z.array(leg), created_at: timestamp, open_until: timestamp, accepted_quote_id: bytes32.nullable(),
  best_quote_id: bytes32.nullable(),
})
export const Quote = z.strictObject({
  quote_id: bytes32, rfq_id: uuidV7, maker_id: uuid, status: enumOf(QuoteState), generation, net_stake: integer.nullable(), payout: integer, risk: integer,
  taker_fee_bps: bps.nullable(), fee_bps: bps, signer: address, expires_at: timestamp,
})
export const Acceptance = z.strictObject({
  acceptance_id: uuidV7, quote_id: bytes32, rfq_id: uuidV7, account_id: uuid, maker_id: uuid, status: enumOf(AcceptanceState), accepted_at: timestamp,
  confirm_until: timestamp, stake: integer.nullable(), core: integer.nullable(), operation_id: uuidV7.nullable(),
})
export const Operation = z.strictObject({
  operation_id: uuidV7, kind: enumOf(OperationKind), status: enumOf(OperationStatus), account_id: uuid, acceptance_id: uuidV7.nullable(), amount: integer,
})
export const Withdrawal = z.strictObject({
  withdrawal_id: uuidV7, operation_id: uuidV7, status: enumOf(OperationStatus), account_id: uuid, amount: integer,
})
export const Position = z.strictObject({
  position_id: bytes32, rfq_id: uuidV7, quote_id: bytes32, holder_id: uuid, maker_id: uuid, status: enumOf(PositionState), legs: z.array(leg),
  net_stake: integer, payout: integer, cost: integer, basis: integer, entry_fee: integer, fee_bps: bps,
})
export const Market = z.strictObject({
  outcome_id: integer, market_id: uuid, title: z.string(), status: z.enum(['LISTED', 'HALTED', 'CLOSED', 'DELISTED', 'RESOLVED']), closes_at: timestamp,
  bid: dollars.nullable(), ask: dollars.nullable(),
})
export const HistoryPoint = z.strictObject({ at: timestamp, bid: dollars.nullable(), ask: dollars.nullable() })
export const Deployment = z.strictObject({
  chain_id: z.literal(String(CHAIN_ID)), vault: address, taker_fee_bps: bps, fee_bps: bps, domain: z.strictObject({ name: z.string(), version: z.string() }),
})
export const Balance = z.strictObject({ account_id: uuid, free: integer, reserved: integer, core_status: z.enum(['IDLE', 'FUNDING', 'MOVING']) })
export const Identity = z.strictObject({ id: uuid, kind: enumOf(AccountRole).nullable(), signer: address.nullable() })
export const Capital = z.strictObject({ maker_id: uuid, free: integer, pending: integer, backed: integer, reductions: integer, quoted: integer })
export const Reduction = z.strictObject({ reduction_id: uuid, maker_id: uuid, amount: integer, released_at: timestamp })
export const Activity = z.strictObject({
  activity_id: integer, kind: z.string().regex(/^[A-Z_]+$/), occurred_at: timestamp, rfq_id: uuidV7.nullable(), quote_id: bytes32.nullable(),
  position_id: bytes32.nullable(), operation_id: uuidV7.nullable(), amount: integer.nullable(),
})
export const SignInChallenge = z.strictObject({ message: z.string(), expires_at: timestamp })
export const Session = z.strictObject({ access_token: z.string(), expires_at: timestamp })
export const KeyChallenge = z.strictObject({ challenge_id: uuid, expires_at: timestamp })
export const ApiKey = z.strictObject({
  id: uuid, account: z.strictObject({ kind: enumOf(AccountRole), id: uuid }), environment: z.string(), label: z.string(), scopes: z.array(z.enum(SCOPE_NAMES)),
  status: z.enum(['ACTIVE', 'REVOKED', 'EXPIRED']), created_at: timestamp, expires_at: timestamp.nullable(), last_used_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(), rotated_from: z.null(), overlap_until: z.null(),
})
export const IssuedKey = z.strictObject({ key: ApiKey, secret: z.string() })

/** A list of a resource (OM-020). */
export const listOf = <T extends z.ZodType>(item: T) => z.strictObject({ items: z.array(item), next_cursor: z.string().nullable(), has_more: z.boolean() })

const CODES = Object.values(OUTCOME_CODES).filter(({ status, code }) => status !== 0 && code !== '').map(({ code }) => code)

/** The one error body (OM-167, OM-169, OM-174). */
export const ErrorBody = z.strictObject({
  error: z.strictObject({
    code: z.enum(CODES), message: z.string(), retry: z.enum(['NEVER', 'BACKOFF', 'REFRESH']), request_id: uuid,
    field_violations: z.array(z.strictObject({
      field: z.string().meta({ description: 'JSON pointer.' }), code: z.enum(['REQUIRED', 'INVALID', 'UNEXPECTED']),
    })).optional(),
  }),
})
