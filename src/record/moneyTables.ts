import { ACCOUNT_KIND_NAMES, POSTING_CAUSE_NAMES } from '../ledger/ledger.ts'
import type { DirectoryCodes } from './directory.ts'
import { beginSeq, bool, type Column, closingSeqOrNull, float, int, micros, nameOf, numbered, oneOf, orNull, service, shapeOf, time, word } from './tableShape.ts'

/** The code of a posting's cause is the cause minus one. */
export const POSTING_CAUSES = POSTING_CAUSE_NAMES.slice(1) as Exclude<(typeof POSTING_CAUSE_NAMES)[number], ''>[]

const CAUSE_MEANINGS = {
  deposit: 'money comes in', withdraw: 'money goes out', hold: 'money is reserved', release: 'it is free again', commit: 'money goes into a pot or an escrow',
  settle: 'a pot is paid out', void: 'a pot or an escrow is given back', takerFee: 'the house takes the taker fee', profitFee: 'the house takes a fee on a profit',
  buyback: 'the pot pays for a position that its backing maker buys', transfer: 'another maker pays for a position',
}
const ACCOUNT_KIND_MEANINGS = {
  external: 'the world that money comes from and goes to', free: 'what a participant can use', reserved: 'what a pending selection, sale or withdrawal holds back',
  pot: 'net stake and risk of a position', escrow: 'taker fee of a position of the parlay service', house: "the service's own account",
}

const makerOf = (codes: DirectoryCodes, about: string): Column => nameOf(codes.makerNames, 'makers', about)

export const ledgerTable = () => {
  const owner = (side: string) =>
    orNull(numbered(`owner of the ${side} account: account number of free and reserved, position of pot and escrow`), 'the account is `house` or `external`, which exist once')
  return shapeOf('ledger', 'every posting: one exact movement from the debited to the credited account', {
    seq: int('total order'),
    service,
    at: time('posting'),
    cause: oneOf(POSTING_CAUSES, 'why money moved', CAUSE_MEANINGS),
    debit_kind: oneOf(ACCOUNT_KIND_NAMES, 'kind of the debited account', ACCOUNT_KIND_MEANINGS),
    debit_owner: owner('debited'),
    credit_kind: oneOf(ACCOUNT_KIND_NAMES, 'kind of the credited account', ACCOUNT_KIND_MEANINGS),
    credit_owner: owner('credited'),
    amount_micros: micros('amount, above zero'),
    request: orNull(numbered('request that the movement belongs to; of a hold or a release for a cash-out of the outcome service its RFQ'), 'a deposit or a withdrawal'),
  })
}

export const MARK_KINDS = ['filled', 'traded_away', 'declined', 'timed_out'] as const
export const MarkKind = { filled: 0, tradedAway: 1, declined: 2, timedOut: 3 } as const

export const markTable = (codes: DirectoryCodes) =>
  shapeOf('marks', 'quotes that were decided, valued at horizons after the decision', {
    seq: int('total order: the row that decided the quote'),
    service,
    quote: numbered('number of the quote'),
    request: numbered('number of the request'),
    maker: makerOf(codes, 'name of the maker'),
    kind: oneOf(MARK_KINDS, 'what became of the quote', {
      filled: 'it became a position', traded_away: "another maker's was filled while it lived", declined: 'it was selected, and its maker declined',
      timed_out: 'it was selected, and its maker let the deadline pass',
    }),
    decided_at: time('decision: confirmation of the winner, decline or deadline'),
    horizon_us: int('horizon after the decision, µs'),
    at: time('instant of the mark: decision and horizon, or the end of a censored one'),
    censored: bool('the session ended before the horizon'),
    quoted_probability: float('q = user_stake / total_payout'),
    payout_micros: micros('total_payout'),
    fair: orNull(float("the maker's own fair probability F at submission"), 'the maker gave none'),
    reference_at_submission: orNull(float('reference probability V when the quote was submitted'), 'V was unknown'),
    reference: orNull(float('reference probability V at the mark, settled legs 0 or 1'), 'V was unknown, or a leg was void'),
  })

export const equityTable = (codes: DirectoryCodes) =>
  shapeOf('equity', 'money of makers, sampled', {
    seq: int('total order: the last row counted in; 0 before the first'),
    service,
    at: time('sample: everything up to this instant is counted in'),
    maker: makerOf(codes, 'name of the maker'),
    account: word('account number'),
    free_micros: micros('free balance'),
    reserved_micros: micros('held by pending selections'),
    locked_micros: micros('reserved, and mm_risk in open pots'),
    at_cost_micros: micros('free and locked: open risk at cost'),
    mark_to_market_micros: micros('free, reserved, and open positions at the reference: (1 − V)·payout where it backs, V·(payout − profit fee) where it holds'),
    liquidation_micros: orNull(micros('the same at the touch: what leaving costs a backer, the product of asks, and brings a holder, the product of bids'), 'no touch is known of a position'),
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
    operation: orNull(numbered('number of the operation'), 'a reduction'),
    reduction: orNull(numbered('number of the reduction'), 'an operation'),
    kind: oneOf(OPERATION_KINDS, 'what it does', {
      fill: 'a confirmed acceptance becomes a position', cashout: 'a position is sold', withdrawal: 'a participant takes money out',
      reduction: 'a maker lowers its collateral',
    }),
    account: word('account number of the taker, the seller or the withdrawer'),
    cohort: orNull(nameOf(codes.groups, 'cohorts', 'cohort of the account, or its name as a maker'), 'the account takes no part in the session'),
    maker: orNull(makerOf(codes, 'maker of a fill or a cash-out'), 'neither a fill nor a cash-out'),
    request: orNull(numbered('RFQ of a fill, cash-out RFQ of a cash-out'), 'neither a fill nor a cash-out'),
    quote: orNull(numbered('quote, or bid, that it carries out'), 'neither a fill nor a cash-out'),
    acceptance: orNull(numbered('its acceptance'), 'neither a fill nor a cash-out'),
    position: orNull(numbered('position of a cash-out'), 'no cash-out; the position of a fill names the acceptance of the fill'),
    amount_micros: micros('amount; of a fill gross stake and mm_risk, of a cash-out the price'),
    started_seq: beginSeq('the start'),
    started_at: time('start'),
    stall_count: word('how often the chain was stalled and its step was put off'),
    ended_at: orNull(time('end'), 'the session ended first'),
    status: oneOf(OPERATION_STATUSES, 'last status', { pending: 'it had not ended when the session did', done: 'it was carried out', failed: 'it was not carried out' }),
    next_step_at: orNull(time('its next step'), 'it has ended'),
  })

/** In the order of `VaultEffect`, from 1. */
export const VAULT_EFFECTS = ['deposit', 'withdrawal', 'fill', 'execution'] as const
/** In the order of `VaultStatus`. */
export const VAULT_STATUSES = ['completed', 'chain_pending', 'balance_pending', 'failed'] as const

const VAULT_STATUS_MEANINGS = {
  completed: 'it has landed and is credited', chain_pending: 'it is not known to have landed', balance_pending: 'it has landed and is not credited',
  failed: 'it did not land',
}

export const vaultTransactionTable = (codes: DirectoryCodes) =>
  shapeOf('vault_transactions', 'transactions of vaults that did not complete at once, as the chain was at fault, one row each', {
    seq: closingSeqOrNull,
    service,
    transaction: numbered('number of the transaction'),
    effect: oneOf(VAULT_EFFECTS, 'what it does', {
      deposit: 'money comes in', withdrawal: 'money goes out', fill: 'a confirmed position is funded', execution: 'the same while the chain is well',
    }),
    account: word('account number whose vault it is; of a fill the bettor'),
    cohort: orNull(nameOf(codes.groups, 'cohorts', 'cohort of the account, or its name as a maker'), 'the account takes no part in the session'),
    maker: orNull(makerOf(codes, 'backing maker of a fill, whose vault is fenced too'), 'no fill'),
    amount_micros: micros('amount; of a fill gross bet and mm_risk'),
    request: orNull(numbered('request of a fill'), 'no fill'),
    position: orNull(numbered('position of a fill'), 'no fill'),
    started_seq: beginSeq('the start'),
    started_at: time('start'),
    initial_status: oneOf(VAULT_STATUSES, 'status that it started with', VAULT_STATUS_MEANINGS),
    ended_at: orNull(time('completion or failure'), 'the session ended first'),
    status: oneOf(VAULT_STATUSES, 'last status', VAULT_STATUS_MEANINGS),
    next_step_at: orNull(time('when it goes on'), 'it has ended'),
  })
