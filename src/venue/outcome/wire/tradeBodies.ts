import type { Hex } from 'viem'
import { NONE } from '../../../unit/none.ts'
import { AcceptanceState, OperationKind, OperationStatus, PositionState, QuoteState, RfqState } from '../protocol/events.ts'
import type { AcceptanceView, OperationView, OutcomePositionView, OutcomeQuoteView, RfqView } from '../protocol/view.ts'
import { integerOrNull, integerText, named, wireNames } from './encoding.ts'
import { idOrNull, type LegBody, legBodies, type WireNames } from './names.ts'

const RFQ_STATES = wireNames(RfqState)
const QUOTE_STATES = wireNames(QuoteState)
const ACCEPTANCE_STATES = wireNames(AcceptanceState)
export const OPERATION_KINDS = wireNames(OperationKind)
export const OPERATION_STATUSES = wireNames(OperationStatus)
const POSITION_STATES = wireNames(PositionState)

export type RfqKind = 'ENTRY' | 'CASHOUT'
export const kindOfRfq = (position: number): RfqKind => (position === NONE ? 'ENTRY' : 'CASHOUT')

/** The fields of every resource below are chosen (OM-045…051). Amounts are atomic units of USDC, null where the kind has none. */
export interface RfqBody {
  readonly rfq_id: string
  readonly kind: RfqKind
  readonly status: string
  readonly account_id: string
  readonly generation: number
  readonly position_id: string | null
  readonly stake: string | null
  readonly net_stake: string | null
  readonly legs: readonly LegBody[]
  readonly created_at: string
  readonly open_until: string
  readonly accepted_quote_id: string | null
  readonly best_quote_id: string | null
}

/** @param createdAtUs when the RFQ was made: `EntityOrigins` has it. */
export function rfqBody(names: WireNames, rfq: RfqView, createdAtUs: number): RfqBody {
  const { identity } = names
  const quoteOf = (quote: number): string => identity.quote(quote)
  return {
    rfq_id: identity.rfq(rfq.number),
    kind: kindOfRfq(rfq.position),
    status: named(RFQ_STATES, rfq.state),
    account_id: identity.account(rfq.owner),
    generation: rfq.generation,
    position_id: idOrNull(rfq.position, (position) => identity.position(position)),
    stake: integerOrNull(rfq.stakeMicros),
    net_stake: integerOrNull(rfq.netStakeMicros),
    legs: legBodies(names, rfq.legs),
    created_at: identity.instant(createdAtUs),
    open_until: identity.instant(rfq.openUntilUs),
    accepted_quote_id: idOrNull(rfq.acceptedQuote, quoteOf),
    best_quote_id: idOrNull(rfq.bestQuote, quoteOf),
  }
}

export interface QuoteBody {
  readonly quote_id: string
  readonly rfq_id: string
  readonly maker_id: string
  readonly status: string
  readonly generation: number
  readonly net_stake: string | null
  /** For a cash-out quote this is the price. */
  readonly payout: string
  readonly risk: string
  /** Basis points. */
  readonly taker_fee_bps: number | null
  readonly fee_bps: number
  readonly signer: Hex
  readonly expires_at: string
}

export const quoteBody = (names: WireNames, quote: OutcomeQuoteView): QuoteBody => ({
  quote_id: names.identity.quote(quote.number),
  rfq_id: names.identity.rfq(quote.rfq),
  maker_id: names.identity.account(quote.maker),
  status: named(QUOTE_STATES, quote.state),
  generation: quote.generation,
  net_stake: integerOrNull(quote.netStakeMicros),
  payout: integerText(quote.payoutMicros),
  risk: integerText(quote.riskMicros),
  taker_fee_bps: quote.takerFeeBps === NONE ? null : quote.takerFeeBps,
  fee_bps: quote.feeBps,
  signer: names.address(quote.signer),
  expires_at: names.identity.instant(quote.expiresAtUs),
})

export interface AcceptanceBody {
  readonly acceptance_id: string
  readonly quote_id: string
  readonly rfq_id: string
  readonly account_id: string
  readonly maker_id: string
  readonly status: string
  readonly accepted_at: string
  /** Last instant of a confirmation. */
  readonly confirm_until: string
  readonly stake: string | null
  readonly core: string | null
  readonly operation_id: string | null
}

export function acceptanceBody({ identity }: WireNames, acceptance: AcceptanceView): AcceptanceBody {
  const isEntry = acceptance.stakeMicros !== NONE
  return {
    acceptance_id: identity.idempotencyKey(acceptance.taker, acceptance.key),
    quote_id: identity.quote(acceptance.quote),
    rfq_id: identity.rfq(acceptance.rfq),
    account_id: identity.account(acceptance.taker),
    maker_id: identity.account(acceptance.maker),
    status: named(ACCEPTANCE_STATES, acceptance.state),
    accepted_at: identity.instant(acceptance.acceptedAtUs),
    confirm_until: identity.instant(acceptance.confirmUntilUs),
    stake: integerOrNull(acceptance.stakeMicros),
    core: isEntry ? integerText(acceptance.coreMicros) : null,
    operation_id: idOrNull(acceptance.operation, (operation) => identity.operation(operation)),
  }
}

export interface OperationBody {
  readonly operation_id: string
  readonly kind: string
  readonly status: string
  readonly account_id: string
  readonly acceptance_id: string | null
  readonly amount: string
}

export const operationBody = ({ identity }: WireNames, operation: OperationView): OperationBody => ({
  operation_id: identity.operation(operation.number),
  kind: named(OPERATION_KINDS, operation.kind),
  status: named(OPERATION_STATUSES, operation.status),
  account_id: identity.account(operation.account),
  acceptance_id: idOrNull(operation.acceptance, (acceptance) => identity.acceptance(acceptance)),
  amount: integerText(operation.amountMicros),
})

/** A withdrawal is its operation under another name (OM-050). */
export interface WithdrawalBody {
  readonly withdrawal_id: string
  readonly operation_id: string
  readonly status: string
  readonly account_id: string
  readonly amount: string
}

export function withdrawalBody(names: WireNames, operation: OperationView): WithdrawalBody {
  const { operation_id, status, account_id, amount } = operationBody(names, operation)
  return { withdrawal_id: operation_id, operation_id, status, account_id, amount }
}

export interface PositionBody {
  readonly position_id: string
  readonly rfq_id: string
  readonly quote_id: string
  readonly holder_id: string
  readonly maker_id: string
  readonly status: string
  readonly legs: readonly LegBody[]
  readonly net_stake: string
  readonly payout: string
  readonly cost: string
  readonly basis: string
  readonly entry_fee: string
  readonly fee_bps: number
}

export const positionBody = (names: WireNames, position: OutcomePositionView): PositionBody => ({
  position_id: names.identity.position(position.number),
  rfq_id: names.identity.rfq(position.rfq),
  quote_id: names.identity.quote(position.quote),
  holder_id: names.identity.account(position.holder),
  maker_id: names.identity.account(position.backer),
  status: named(POSITION_STATES, position.state),
  legs: legBodies(names, position.legs),
  net_stake: integerText(position.netStakeMicros),
  payout: integerText(position.payoutMicros),
  cost: integerText(position.costMicros),
  basis: integerText(position.basisMicros),
  entry_fee: integerText(position.entryFeeMicros),
  fee_bps: position.feeBps,
})
