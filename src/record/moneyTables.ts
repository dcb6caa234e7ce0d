import { ACCOUNT_KIND_NAMES, POSTING_CAUSE_NAMES } from '../ledger/ledger.ts'
import type { CastCodes } from './cast.ts'
import { bool, float, int, micros, oneOf, orNull, service, shapeOf, time, word } from './tableShape.ts'

/** Code of a posting's cause is the cause less one. */
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
    request: orNull(int('request that the movement belongs to')),
  })
}

export const MARK_KINDS = ['won', 'lost', 'declined', 'timed_out'] as const
export const MarkKind = { won: 0, lost: 1, declined: 2, timedOut: 3 } as const

export const markTable = (codes: CastCodes) =>
  shapeOf('marks', 'quotes that were decided, valued at horizons after the decision', {
    seq: int('total order: the row that decided the quote'),
    service,
    quote: int('number of the quote'),
    request: int('number of the request'),
    maker: oneOf(codes.makerNames, 'name of the maker'),
    kind: oneOf(MARK_KINDS, "won: filled; lost: another maker's was filled while it lived; else selected in vain"),
    decided_at: time('decision: confirmation of the winner, decline or deadline'),
    horizon_us: int('horizon after the decision, µs'),
    at: time('instant of the mark: decision and horizon, or the end of a censored one'),
    censored: bool('the session ended before the horizon'),
    probability: float('q = user_stake / total_payout'),
    payout_micros: micros('total_payout'),
    fair: orNull(float("the maker's own fair probability at submission")),
    reference_at_submission: orNull(float('reference probability when the quote was submitted')),
    reference: orNull(float('reference probability at the mark, settled legs 0 or 1; null when unknown or void')),
  })

export const equityTable = (codes: CastCodes) =>
  shapeOf('equity', 'money of makers, sampled', {
    seq: int('total order: the last row counted in; 0 before the first'),
    service,
    at: time('sample: everything up to this instant is counted in'),
    maker: oneOf(codes.makerNames, 'name of the maker'),
    account: word('account number'),
    free_micros: micros('free balance'),
    reserved_micros: micros('held by pending selections'),
    locked_micros: micros('reserved, and mm_risk in open pots'),
    gross_micros: micros('free and locked: open risk at cost'),
    marked_micros: micros('free, reserved, and open positions at the reference: (1 − V)·payout where it backs'),
    open_positions: word('positions that it backs'),
    unmarked_positions: word('of these, valued at cost because the reference is unknown'),
  })
