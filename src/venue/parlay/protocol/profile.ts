import { ODDS_E4_MAX, ODDS_E4_MIN } from '../../../unit/odds.ts'
import type { ProfileValues, Setting } from '../../profile.ts'

const setting = (unit: Setting['unit'], value: number, min: number, max: number, about: string): Setting =>
  ({ default: value, min, max, unit, about })

/** `parlay@2.1`: every window, fee and limit of the main line, from the document's Limits section. */
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
  depositMaxMicros: setting('micros', 1e15, 1, 1e15, 'largest single deposit (chosen)'),
  withdrawMaxMicros: setting('micros', 1_000_000_000_000, 1, 1e15, 'largest withdrawal (PQ-214)'),
} as const

/** Deposits less withdrawals of a whole vault stay at or below this, so that no sum of it leaves the safe integers. */
export const NET_DEPOSITS_MAX_MICROS = 4_000_000_000_000_000

export const PARLAY_PROFILE_NAME = 'parlay@2.1'

export type ParlayProfile = ProfileValues<typeof PARLAY_SETTINGS>
