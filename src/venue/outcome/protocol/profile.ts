import type { ProfileValues, Setting } from '../../profile.ts'

const setting = (unit: Setting['unit'], value: number, min: number, max: number, about: string): Setting =>
  ({ default: value, min, max, unit, about })

const DAY_MS = 86_400_000

/** `outcome@1`: every window, fee and limit of the venue, from the document's Limits section. */
export const OUTCOME_SETTINGS = {
  legsMin: setting('count', 1, 1, 64, 'fewest legs of an RFQ (OM-248)'),
  legsMax: setting('count', 50, 1, 64, 'most legs of an RFQ (OM-248)'),
  netStakeMinMicros: setting('micros', 1_000_000, 1, 1e15, 'smallest stake after the entry fee (OM-250)'),
  payoutMaxMicros: setting('micros', 100_000_000_000, 1, 500_000_000_000, 'largest payout (OM-251)'),
  takerFeeBps: setting('bps', 20, 0, 10_000, 'entry fee on the stake (OM-252)'),
  feeBps: setting('bps', 100, 0, 10_000, 'fee on profit at claim (OM-253)'),
  profitOverGross: setting('flag', 0, 0, 1, '0: profit is payout less net stake; 1: less the stake (readings B02)'),
  feeOnCashout: setting('flag', 0, 0, 1, '1: a cash-out takes the fee on its profit and sets the basis to the price; 0: neither, only claims do (chosen)'),
  entryOpenMs: setting('ms', 20_000, 1, DAY_MS, 'an entry RFQ takes quotes so long (OM-254)'),
  cashoutOpenMs: setting('ms', 30_000, 1, DAY_MS, 'a cash-out RFQ takes quotes so long (OM-255)'),
  strictWindow: setting('flag', 0, 0, 1, '1: no accept after the window; 0: a live quote can be accepted (readings B04)'),
  entryExpiryMaxMs: setting('ms', 30_000, 1, DAY_MS, 'furthest expiry of an entry quote (OM-256)'),
  entryHiddenMs: setting('ms', 2_000, 0, DAY_MS, 'an entry quote is not listed this close to its expiry (OM-257)'),
  cashoutExpiryMinMs: setting('ms', 25_000, 0, DAY_MS, 'nearest expiry of a cash-out quote (OM-258)'),
  cashoutExpiryMaxMs: setting('ms', 60_000, 1, DAY_MS, 'furthest expiry of a cash-out quote (OM-258)'),
  cashoutHiddenMs: setting('ms', 22_000, 0, DAY_MS, 'a cash-out quote is not listed this close to its expiry (OM-259)'),
  confirmMs: setting('ms', 2_000, 0, 60_000, 'the maker confirms within it of the accept, its last instant included (OM-062)'),
  rfqIntentLimit: setting('count', 20, 1, 1e6, 'RFQs of an account that are open or in flight (OM-219, chosen)'),
  exposureMultiple: setting('count', 10, 1, 1e6, "a maker's live quotes may risk so many times its free capital together (OM-221, chosen)"),
  operationMs: setting('ms', 2_000, 0, DAY_MS, 'start of an operation to its end on chain (chosen)'),
  settlementEveryMs: setting('ms', 300_000, 1, DAY_MS, 'between two batches of settlement and claim (OM-262)'),
  settlementPhaseMs: setting('ms', 0, 0, DAY_MS, 'batches are at whole multiples of their span since the epoch, plus this (readings B14, chosen)'),
  fundingAheadMinMs: setting('ms', 5_000, 0, DAY_MS, 'valid_before of an accept funding is at least so far ahead (OM-270)'),
  fundingSpanMaxMs: setting('ms', 900_000, 1, DAY_MS, 'valid_after to valid_before of an accept funding (OM-271)'),
  exitAheadMinMs: setting('ms', 5_000, 0, DAY_MS, 'nearest expiry of an Exit (OM-272)'),
  exitAheadMaxMs: setting('ms', 3_600_000, 1, DAY_MS, 'furthest expiry of an Exit, before the margin (OM-272)'),
  exitMarginMs: setting('ms', 5_000, 0, DAY_MS, 'taken off the Exit range (OM-272)'),
  exitMarginAtNear: setting('flag', 0, 0, 1, '0: the margin narrows the far end, 1: the near end (readings B15)'),
  payoutSpanMaxMs: setting('ms', 4_500_000, 1, DAY_MS, 'valid_after to valid_before of a withdrawal payout (OM-274)'),
  payoutAfterMs: setting('ms', 300_000, 0, DAY_MS, 'valid_before of a payout is at least so long after the Exit, or after now (OM-275, OM-276)'),
  reductionDelayMs: setting('ms', DAY_MS, 0, 10 * DAY_MS, 'a collateral reduction is released after it (OM-277)'),
  retentionMs: setting('ms', 60_000, 1, DAY_MS, 'how long an ended RFQ, its quotes and acceptances, and an ended operation are known (chosen)'),
  acceptKeyRetentionMs: setting('ms', 7 * DAY_MS, DAY_MS, 366 * DAY_MS, 'how long an acceptance_id stays taken (readings B11; for ever is not bounded)'),
  depositMaxMicros: setting('micros', 1e15, 1, 1e15, 'largest deposit (chosen)'),
  withdrawMaxMicros: setting('micros', 1e12, 1, 1e15, 'largest withdrawal or reduction (chosen)'),
} as const

/** Deposits less withdrawals of a whole vault stay at or below this, so that no sum of it leaves the safe integers. */
export const NET_DEPOSITS_MAX_MICROS = 4_000_000_000_000_000

export const OUTCOME_PROFILE_NAME = 'outcome@1'

export type OutcomeProfile = ProfileValues<typeof OUTCOME_SETTINGS>

/** Profiles by name: what each sets apart from the defaults. */
export const OUTCOME_PROFILES: Readonly<Record<string, Partial<OutcomeProfile>>> = { [OUTCOME_PROFILE_NAME]: {} }
