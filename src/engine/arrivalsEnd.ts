import { entityOfName } from '../kernel/names.ts'
import { Draws, Purpose, rootKey } from '../kernel/random.ts'
import { seedOfPart } from '../kernel/seeds.ts'
import { ArrivalTimes, termsOfCohort } from './arrivals.ts'
import type { SessionConfig } from './config.ts'

/** The next arrival of a cohort. */
interface Due {
  readonly times: ArrivalTimes
  readonly cohort: number
  index: number
  atUs: number
}

/**
 * The instant of the last arrival of a session in which more bettors would come than `arrivalsMax`, µs. Null where as many come as would.
 * Draws the arrivals as the session does, and nothing else of it.
 */
export function arrivalsEndUs(config: Omit<SessionConfig, 'sinks'>): number | null {
  const { arrivalsMax, arrivalsUntilUs, startUs, parlay, outcome } = config
  if (arrivalsMax === undefined) return null
  const draws = new Draws(rootKey(seedOfPart(config, 'bettors')), Purpose.arrivals)
  const due = [parlay, outcome].flatMap((service) => {
    const times = new ArrivalTimes((service?.cohorts ?? []).map((entry) => termsOfCohort(entry, entityOfName(entry.name))), draws)
    return (service?.cohorts ?? []).map((_, cohort): Due => ({ times, cohort, index: 0, atUs: startUs + times.gapBefore(cohort, 0, startUs) }))
  })
  let lastUs = startUs
  for (let count = 0; ; count++) {
    const next = earliest(due)
    if (next === undefined || next.atUs >= arrivalsUntilUs) return null
    if (count === arrivalsMax) return lastUs
    lastUs = next.atUs
    next.index++
    next.atUs += next.times.gapBefore(next.cohort, next.index, next.atUs)
  }
}

function earliest(due: readonly Due[]): Due | undefined {
  let first = due[0]
  for (const one of due) if (one.atUs < first!.atUs) first = one
  return first
}
