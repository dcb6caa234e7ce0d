import { type RecordedDecision, recordedBettor } from '../../agent/bettors/recorded.ts'
import { type QuotingTerms, recordedMaker, type RecordedQuoting } from '../../agent/makers/recorded.ts'
import type { CohortEntry, ServiceName } from '../../engine/config.ts'
import type { MakerStrategy } from '../../agent/maker.ts'
import type { LoggedAcceptance, LoggedRequest } from '../../feed/rfqLog/rfqLog.ts'
import type { OfferedIn } from '../../unit/quotedPrice.ts'
import { MS_US, SECOND_US } from '../../unit/time.ts'
import type { ResolvedServices } from '../resolved.ts'
import type { Takes } from '../recordedSchema.ts'
import { bettorsOf, type MadeRequest } from './playableLog.ts'

export const offeredIn = (service: ServiceName): OfferedIn => (service === 'parlay' ? 'odds' : 'payout')

/**
 * When an acceptance is played: at its instant, and a microsecond later where its quote was made at that very instant, since what is decided at an
 * instant knows nothing of quotes that come at it.
 */
export const acceptedUs = ({ atUs, quotedUs }: LoggedAcceptance): number => (quotedUs === atUs ? atUs + 1 : atUs)

/** What the bettor of a request does, in order of time. */
export function decisionsOf({ atUs, acceptances, endUs, decideUs, floor }: LoggedRequest, takes: Takes): RecordedDecision[] {
  const decisions: RecordedDecision[] = []
  if (takes === 'recorded') {
    for (const acceptance of acceptances) if (acceptance.price !== null) decisions.push({ atUs: acceptedUs(acceptance), floor: acceptance.price })
  } else {
    const lowest = floor ?? acceptances[0]?.price ?? null
    const decidedUs = acceptances.length > 0 ? acceptedUs(acceptances[0]!) : decideUs !== null ? atUs + decideUs : endUs === null ? null : endUs - 1
    if (lowest !== null && decidedUs !== null && decidedUs >= atUs) decisions.push({ atUs: decidedUs, floor: lowest })
  }
  const last = decisions.at(-1)
  // What was accepted as the request ended was accepted before it ended.
  if (endUs !== null) decisions.push({ atUs: Math.max(endUs, (last?.atUs ?? -1) + 1), floor: null })
  return decisions
}

/** The cohort that makes the requests of a log. */
export function recordedCohort(name: string, made: readonly MadeRequest[], service: ServiceName, takes: Takes): Pick<CohortEntry, 'name' | 'strategy' | 'values' | 'arrivalsUs' | 'bettorOf'> {
  const requests = made.map(({ request, legs }) => ({ legs, betMicros: request.betMicros, decisions: decisionsOf(request, takes) }))
  return { name, strategy: recordedBettor(requests, offeredIn(service)), values: {}, arrivalsUs: made.map(({ request }) => request.atUs), bettorOf: bettorsOf(made).bettorOf }
}

/** The strategy of a maker of a log. */
export const recordedSeat = (made: readonly MadeRequest[], maker: string, service: ServiceName, services: ResolvedServices): MakerStrategy =>
  recordedMaker(made.map(({ request, legs }) => quotingOf(request, legs, maker)), quotingTerms(service, services))

function quotingOf({ atUs, betMicros, endUs, quotes, acceptances }: LoggedRequest, legs: MadeRequest['legs'], maker: string): RecordedQuoting {
  const offers = quotes.filter((quote) => quote.maker === maker).map(({ atUs: quotedUs, price, validUntilUs, withdrawnUs }) => {
    const untilUs = Math.min(validUntilUs ?? Infinity, withdrawnUs ?? Infinity)
    return { atUs: quotedUs, price, untilUs: untilUs === Infinity ? null : untilUs }
  })
  const answers = acceptances.filter((acceptance) => acceptance.maker === maker)
    .map(({ answer, answerDelayUs }) => ({ says: answer ?? 'confirmed' as const, delayUs: answerDelayUs ?? 0 }))
  return { atUs, betMicros, legs, endUs, offers, answers }
}

function quotingTerms(service: ServiceName, { parlay, outcome }: ResolvedServices): QuotingTerms {
  if (service === 'parlay') {
    const { quoteValidityMinMs, quoteValidityMaxMs, requestExpiryMs } = parlay!.settings
    return { offeredIn: 'odds', validMinUs: quoteValidityMinMs * MS_US, validMaxUs: quoteValidityMaxMs * MS_US, unlistedUs: 0, requestLifeUs: requestExpiryMs * MS_US }
  }
  const { entryExpiryMaxMs, entryHiddenMs, entryOpenMs } = outcome!.settings
  // An expiry is a whole second, which may be as much earlier.
  return { offeredIn: 'payout', validMinUs: MS_US, validMaxUs: entryExpiryMaxMs * MS_US, unlistedUs: entryHiddenMs * MS_US + SECOND_US, requestLifeUs: entryOpenMs * MS_US }
}
