import { ACCOUNT_KIND_NAMES, POSTING_CAUSE_NAMES } from '../ledger/ledger.ts'
import type { DirectoryCodes } from './directory.ts'
import { bool, closingSeqOrNull, float, int, micros, oneOf, orNull, service, shapeOf, time, word } from './tableShape.ts'

/** The code of a posting's cause is the cause minus one. */
export const POSTING_CAUSES = POSTING_CAUSE_NAMES.slice(1)

export const ledgerTable = () => {
  const owner = (side: string) =>
    orNull(int(`owner of the ${side} account: account number of free and reserved, position of pot and escrow, else null`))
  return shapeOf('ledger', 'every posting: one exact movement from the debited to the credited account', {
    seq: int('total order'),
    service,
    at: time('posting'),
    cause: oneOf(POSTING_CAUSES, 'why money moved'),
    debit_kind: oneOf(ACCOUNT_KIND_NAMES, 'kind of the debited account'),
    debit_owner: owner('debited'),
    credit_kind: oneOf(ACCOUNT_KIND_NAMES, 'kind of the credited account'),
    credit_owner: owner('credited'),
    amount_micros: micros('amount, above zero'),
    request: orNull(int('request that the movement belongs to; of a hold or a release for a cash-out of the outcome service its RFQ')),
  })
}

export const MARK_KINDS = ['filled', 'traded_away', 'declined', 'timed_out'] as const
export const MarkKind = { filled: 0, tradedAway: 1, declined: 2, timedOut: 3 } as const

export const markTable = (codes: DirectoryCodes) =>
  shapeOf('marks', 'quotes that were decided, valued at horizons after the decision', {
    seq: int('total order: the row that decided the quote'),
    service,
    quote: int('number of the quote'),
    request: int('number of the request'),
    maker: oneOf(codes.makerNames, 'name of the maker'),
    kind: oneOf(MARK_KINDS, "traded_away: another maker's was filled while it lived; declined, timed_out: selected in vain"),
    decided_at: time('decision: confirmation of the winner, decline or deadline'),
    horizon_us: int('horizon after the decision, µs'),
    at: time('instant of the mark: decision and horizon, or the end of a censored one'),
    censored: bool('the session ended before the horizon'),
    quoted_probability: float('q = user_stake / total_payout'),
    payout_micros: micros('total_payout'),
    fair: orNull(float("the maker's own fair probability at submission")),
    reference_at_submission: orNull(float('reference probability when the quote was submitted')),
    reference: orNull(float('reference probability at the mark, settled legs 0 or 1; null when unknown or void')),
  })

export const equityTable = (codes: DirectoryCodes) =>
  shapeOf('equity', 'money of makers, sampled', {
    seq: int('total order: the last row counted in; 0 before the first'),
    service,
    at: time('sample: everything up to this instant is counted in'),
    maker: oneOf(codes.makerNames, 'name of the maker'),
    account: word('account number'),
    free_micros: micros('free balance'),
    reserved_micros: micros('held by pending selections'),
    locked_micros: micros('reserved, and mm_risk in open pots'),
    at_cost_micros: micros('free and locked: open risk at cost'),
    mark_to_market_micros: micros('free, reserved, and open positions at the reference: (1 − V)·payout where it backs, V·(payout − profit fee) where it holds'),
    liquidation_micros: orNull(micros('the same at the touch: what leaving costs a backer, the product of asks, and brings a holder, the product of bids; null when unknown')),
    open_positions: word('positions that it backs'),
    unpriced_positions: word('of these and of those that it took over, valued at cost because the reference is unknown'),
    held_positions: word('positions that it holds, taken over in cash-outs or bet on'),
    held_cost_micros: micros('what it paid for them'),
  })

/** In the order of the service's `OperationKind`, from 1, followed by the delayed withdrawal of a maker's collateral. */
export const OPERATION_KINDS = ['fill', 'cashout', 'withdrawal', 'reduction'] as const
export const OperationRowKind = { fill: 0, cashout: 1, withdrawal: 2, reduction: 3 } as const
/** In the order of the service's `OperationStatus`, from 1. */
export const OPERATION_STATUSES = ['pending', 'done', 'failed'] as const
export const OperationRowStatus = { pending: 0, done: 1, failed: 2 } as const

export const operationTable = (codes: DirectoryCodes) =>
  shapeOf('operations', 'operations of the outcome service on their way to the chain, and reductions of collateral, one row each', {
    seq: closingSeqOrNull,
    service,
    operation: orNull(int('number of the operation; null of a reduction')),
    reduction: orNull(int('number of the reduction; null of an operation')),
    kind: oneOf(OPERATION_KINDS, 'what it does; fill: a confirmed acceptance becomes a position; cashout: a position is sold; reduction: a maker lowers its collateral'),
    account: word('account number of the taker, the seller or the withdrawer'),
    cohort: orNull(oneOf(codes.groups, 'cohort of the account, or its name as a maker')),
    maker: orNull(oneOf(codes.makerNames, 'maker of a fill or a cash-out')),
    request: orNull(int('RFQ of a fill, cash-out RFQ of a cash-out')),
    quote: orNull(int('quote, or bid, that it carries out')),
    acceptance: orNull(int('its acceptance')),
    position: orNull(int('position of a cash-out; that of a fill has its acceptance')),
    amount_micros: micros('amount; of a fill gross stake and mm_risk, of a cash-out the price'),
    started_at: time('start'),
    stall_count: word('how often the chain was stalled and its step was put off'),
    ended_at: orNull(time('end')),
    status: oneOf(OPERATION_STATUSES, 'last status; pending: it had not ended when the session did'),
    next_step_at: orNull(time('of a pending one: its next step')),
  })

/** In the order of `VaultEffect`, from 1. */
export const VAULT_EFFECTS = ['deposit', 'withdrawal', 'fill', 'execution'] as const
/** In the order of `VaultStatus`. */
export const VAULT_STATUSES = ['completed', 'chain_pending', 'balance_pending', 'failed'] as const

export const vaultTransactionTable = (codes: DirectoryCodes) =>
  shapeOf('vault_transactions', 'transactions of vaults that did not complete at once, as the chain was at fault, one row each', {
    seq: closingSeqOrNull,
    service,
    transaction: int('number of the transaction'),
    effect: oneOf(VAULT_EFFECTS, 'what it does; fill: a confirmed position is funded; execution: the same while the chain is well'),
    account: word('account number whose vault it is; of a fill the bettor'),
    cohort: orNull(oneOf(codes.groups, 'cohort of the account, or its name as a maker')),
    maker: orNull(oneOf(codes.makerNames, 'backing maker of a fill, whose vault is fenced too')),
    amount_micros: micros('amount; of a fill gross bet and mm_risk'),
    request: orNull(int('request of a fill')),
    position: orNull(int('position of a fill')),
    started_at: time('start'),
    initial_status: oneOf(VAULT_STATUSES, 'status that it started with'),
    ended_at: orNull(time('completion or failure')),
    status: oneOf(VAULT_STATUSES, 'last status; neither completed nor failed: it was pending when the session ended'),
    next_step_at: orNull(time('of a pending one: when it goes on')),
  })
