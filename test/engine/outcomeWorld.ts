import type { OutcomeServiceConfig, SessionConfig } from '../../src/engine/config.ts'
import { OUTCOME_SETTINGS } from '../../src/venue/outcome/protocol/profile.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { auctionConfig, type Replaced, sessionConfig } from './world.ts'

/** A session with the outcome service alone. */
export type OutcomeConfig = SessionConfig & { readonly outcome: OutcomeServiceConfig }

/** outcome_ids of two limbs for markets, in another order than their numbers: market 0 has the highest. */
export const outcomeIds = (markets: number): number[][] => Array.from({ length: markets }, (_, market) => [1, 1000 - market])

/** The same participants, prices and operator on the outcome service instead of the parlay service. */
export function onOutcome({ parlay, ...terms }: ReturnType<typeof sessionConfig>, replaced: Partial<OutcomeServiceConfig> = {}): OutcomeConfig {
  return {
    ...terms,
    outcome: {
      profile: profileOf(OUTCOME_SETTINGS), signatures: 'tag', outcomeIds: outcomeIds(terms.marketCount), makers: parlay.makers,
      cohorts: parlay.cohorts, ...replaced,
    },
  }
}

export const outcomeConfig = (seconds: number, replaced: Replaced = {}): OutcomeConfig => onOutcome(sessionConfig(seconds, replaced))

/** With bettors that cash out and makers that bid. */
export const outcomeAuctionConfig = (seconds: number, replaced: Replaced = {}): OutcomeConfig => onOutcome(auctionConfig(seconds, replaced))
