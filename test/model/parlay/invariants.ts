import * as book from './bookInvariants.ts'
import * as cashout from './cashOutInvariants.ts'
import type { Invariant, Moment } from './moment.ts'
import * as money from './moneyInvariants.ts'

/**
 * INV-01…30 of readings.md as far as they concern the venue, counted from the model's selections, positions and bids, the
 * rows of the step and the venue's view; never from sums of the ledger.
 */
export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  'INV-01': money.conservation,
  'INV-02': money.balancesAddUp,
  'INV-03': money.riskIsLocked,
  'INV-04, INV-05': money.termsOfPositions,
  'INV-06': money.paidOnceInFull,
  'INV-07': money.winnersGetNoMore,
  'INV-08': money.feeRatesStay,
  'INV-09, INV-26': book.confirmedInTime,
  'INV-10': money.failedCommitMovesNothing,
  'INV-11': book.oneTradePerRequest,
  'INV-12': book.versionsRise,
  'INV-13': book.bookSeqRises,
  'INV-14': book.liveQuotesAreCurrent,
  'INV-15': book.bestIsSelected,
  'INV-16': book.oneQuotePerMaker,
  'INV-17': book.endsAreFinal,
  'INV-18': book.legsAreDisjoint,
  'INV-19': book.withinLimits,
  'INV-20': cashout.bidsAreBounded,
  'INV-21': book.partiesStay,
  'INV-22': cashout.cutoffIsKept,
  'INV-23': money.withdrawalsAreFree,
  'INV-29': money.postingsBalance,
  'INV-30': book.timeIsMonotone,
  'fences follow the transactions': money.fencesCount,
  'the portfolio identity': money.portfolioAddsUp,
  'one reply to each command': book.oneReplyEach,
}

/** Invariants that nothing of the venue can break, each with the reason. */
export const NOT_YET_APPLICABLE: Readonly<Record<string, string>> = {
  'INV-24': 'idempotency keys belong to the outcome service',
  'INV-25': 'listing windows belong to the outcome service',
  'INV-27': 'deliveries belong to webhooks',
  'INV-28': 'scopes and secrets belong to the gate and webhooks',
}

/**
 * What does not hold now, each line with the ids and the object; empty when all holds. Counts by ids in `claimed` how often
 * an invariant had something to claim.
 */
export function breachesOf(moment: Moment, claimed: Map<string, number>): string[] {
  const breaches: string[] = []
  for (const [ids, invariant] of Object.entries(INVARIANTS)) {
    let claims = 0
    invariant(moment, (holds, about) => {
      claims++
      if (!holds) breaches.push(`${ids}: ${about}`)
    })
    claimed.set(ids, (claimed.get(ids) ?? 0) + claims)
  }
  return breaches
}
