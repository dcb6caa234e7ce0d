import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import * as book from './bookInvariants.ts'
import type { Invariant, Moment } from './moment.ts'
import * as money from './moneyInvariants.ts'
import { rowsOfKind } from './namedRows.ts'

/**
 * INV-01…30 of readings.md as far as they concern the venue, counted from the model's objects, the rows and postings of the
 * step and the sums of all before it.
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
  'INV-09': book.fillsAreConfirmed,
  'INV-10': money.failureMovesNothing,
  'INV-11': book.oneFillPerRfq,
  'INV-12': book.generationsRise,
  'INV-25': book.quotesAreInTime,
  'INV-16, INV-20': book.oneQuotePerMaker,
  'INV-18': book.legsAscend,
  'INV-19': book.withinLimits,
  'INV-21': book.partiesStay,
  'INV-23': money.withdrawalsAreFree,
  'INV-24': book.keysAreOnce,
  'INV-29': money.postingsBalance,
  'INV-30': book.timeIsMonotone,
  'one reply to each command': book.oneReplyEach,
  'the best quote is told': book.bestIsTold,
}

/** Checked after each single deadline and command, by the driver. */
export const OF_SINGLE_STEPS = 'INV-17'

/** Invariants that nothing of the venue can break, each with the reason. */
export const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  'INV-13': 'book_seq belongs to the parlay service',
  'INV-14': 'a resolved acceptance raises the generation and leaves the other quotes, which can be accepted (readings B08)',
  'INV-15': 'the taker chooses the quote that it accepts',
  'INV-22': 'the service has no cutoff before a close',
  'INV-27': 'deliveries belong to webhooks, of which the service has none',
  'INV-28': 'scopes belong to the gate',
}

const ALL = Object.entries(INVARIANTS)
const OF_REFUSALS = ALL.filter(([ids]) => ids === 'one reply to each command')

/** Whether nothing happened but a refusal: what held before holds after it. The driver compares all that stands now and then. */
const isRefusal = ({ rows, postings }: Moment): boolean =>
  rows.length === 1 && postings.length === 0 && rowsOfKind(rows, OutcomeEvent.reply).some(({ code }) => code !== OutcomeCode.ok)

/**
 * What does not hold now, each line with the ids and the object; empty when all holds. Counts by ids in `claimed` how often
 * an invariant had something to claim.
 */
export function breachesOf(moment: Moment, claimed: Map<string, number>): string[] {
  const breaches: string[] = []
  for (const [ids, invariant] of isRefusal(moment) ? OF_REFUSALS : ALL) {
    let claims = 0
    invariant(moment, (holds, about) => {
      claims++
      if (!holds) breaches.push(`${ids}: ${about}`)
    })
    claimed.set(ids, (claimed.get(ids) ?? 0) + claims)
  }
  return breaches
}
