import { ODDS_E4_MAX, ODDS_E4_MIN } from '../../../unit/odds.ts'
import type { ProfileValues, Setting } from '../../profile.ts'

const setting = (unit: Setting['unit'], value: number, min: number, max: number, about: string): Setting =>
  ({ default: value, min, max, unit, about })

/** `parlay@2.1`: every window, fee and limit of the venue, from the document's Limits section. */
export const PARLAY_SETTINGS = {
  legsMin: setting('count', 2, 1, 64, 'fewest legs of a parlay (PQ-166)'),
  legsMax: setting('count', 5, 1, 64, 'most legs of a parlay (PQ-166)'),
  betMinMicros: setting('micros', 1_000_000, 1, 1e15, 'smallest bet (PQ-042)'),
  betMaxMicros: setting('micros', 100_000_000, 1, 1e12, 'largest bet (PQ-042)'),
  oddsE4Min: setting('oddsE4', ODDS_E4_MIN, ODDS_E4_MIN, ODDS_E4_MAX, 'lowest payout odds (PQ-205)'),
  oddsE4Max: setting('oddsE4', ODDS_E4_MAX, ODDS_E4_MIN, ODDS_E4_MAX, 'highest payout odds (PQ-205)'),
  takerFeeBps: setting('bps', 100, 0, 10_000, 'taker fee on the gross bet (PQ-418)'),
  profitFeeBps: setting('bps', 100, 0, 10_000, 'profit fee of a winner (PQ-419)'),
  requestExpiryMs: setting('ms', 90_000, 1, 86_400_000, 'life of a quote request, again after each update (PQ-414)'),
  quoteValidityMinMs: setting('ms', 5_000, 1, 86_400_000, 'shortest quote validity (PQ-413)'),
  quoteValidityMaxMs: setting('ms', 60_000, 1, 86_400_000, 'longest quote validity (PQ-413)'),
  quoteValidityDefaultMs: setting('ms', 15_000, 1, 86_400_000, 'quote validity when none is given (PQ-413)'),
  confirmationMs: setting('ms', 5_000, 5_000, 8_000, 'the chosen maker must confirm within it (PQ-415)'),
  requestRetentionMs: setting('ms', 60_000, 0, 86_400_000, 'how long an ended request is still known, before 404 (readings A32)'),
  cashoutWindowMs: setting('ms', 10_000, 1, 86_400_000, 'life of a cash-out auction (PQ-416)'),
  cashoutCutoffMs: setting('ms', 30_000, 0, 86_400_000, 'no cash-out within this of the earliest leg close (PQ-417)'),
  cutoffSkipsResolvedLegs: setting('flag', 0, 0, 1, '1: a leg with a result no longer counts for the cutoff (readings A33, chosen)'),
  bidValidityMinMs: setting('ms', 5_000, 1, 86_400_000, 'shortest bid validity (PQ-199)'),
  bidValidityMaxMs: setting('ms', 60_000, 1, 86_400_000, 'longest bid validity (PQ-199)'),
  bidValidityDefaultMs: setting('ms', 15_000, 1, 86_400_000, 'bid validity when none is given (PQ-199)'),
  auctionRetentionMs: setting('ms', 60_000, 0, 86_400_000, 'how long an ended auction is still known, before 404 (readings A32)'),
  buybackBoundAtBid: setting('flag', 1, 0, 1, '1: the buyback bound is checked when the bid is made, 0: when it is committed (PQ-390, PQ-402)'),
  buybackBoundGrossedUp: setting('flag', 0, 0, 1, '0: bound = payout less the fee on the risk; 1: stake + risk/(1 + fee) (readings A28)'),
  profitFeeOnTransfer: setting('flag', 1, 0, 1, '1: a transfer takes the profit fee and sets the basis to the price; 0: neither (readings A27)'),
  profitFeeOnMaker: setting('flag', 0, 0, 1, "1: the profit fee also falls on a maker's gain; 0: on the holder's alone (PQ-419)"),
  chainRecoveryMs: setting('ms', 20_000, 1, 86_400_000, 'chain_pending to final or dropped (PQ-079, chosen)'),
  mirrorRecoveryMs: setting('ms', 10_000, 1, 86_400_000, 'balance_pending to completed (PQ-080, chosen)'),
  executionMs: setting('ms', 0, 0, 86_400_000, 'confirmed to executed while the chain is well (chosen; the document names no time)'),
  settlementRetryMs: setting('ms', 30_000, 1, 86_400_000, 'between two tries to pay a position while the chain is at fault (chosen)'),
  depositMaxMicros: setting('micros', 1e15, 1, 1e15, 'largest single deposit (chosen)'),
  withdrawMaxMicros: setting('micros', 1_000_000_000_000, 1, 1e15, 'largest withdrawal (PQ-214)'),
} as const

/** Deposits less withdrawals of a whole vault stay at or below this, so that no sum of it leaves the safe integers. */
export const NET_DEPOSITS_MAX_MICROS = 4_000_000_000_000_000

export const PARLAY_PROFILE_NAME = 'parlay@2.1'

export type ParlayProfile = ProfileValues<typeof PARLAY_SETTINGS>

const DAY_MS = 86_400_000

/** Profiles by name: what each sets apart from the defaults. Where it departs from a range of `parlay@2.1`, it imitates another service. */
export const PARLAY_PROFILES: Readonly<Record<string, Partial<ParlayProfile>>> = {
  [PARLAY_PROFILE_NAME]: {},
  /** Windows of a recorded exchange's requests for quotes (docs/conformance/kalshi-rfq.md). */
  'kalshi-rfq@2026-07': {
    legsMin: 1, legsMax: 16, betMinMicros: 10_000, betMaxMicros: 100_000_000_000, takerFeeBps: 0, profitFeeBps: 0,
    requestExpiryMs: DAY_MS, quoteValidityMinMs: 1, quoteValidityDefaultMs: DAY_MS, quoteValidityMaxMs: DAY_MS,
    confirmationMs: 30_000, executionMs: 15_780,
  },
}
