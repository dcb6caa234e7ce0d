import type { Market } from '../../market/market.ts'
import { nearestName } from '../../unit/nearestName.ts'
import { type BetLimits, betLimitsOf } from '../betLimits.ts'
import type { Fail, Path } from '../mistakes.ts'
import type { ResolvedRequest } from '../resolved.ts'
import { instantText } from '../../unit/time.ts'
import { quantityText } from '../units.ts'
import type { Check, Draft } from './draft.ts'
import { servicesThere } from './participants.ts'
import type { Window } from './window.ts'

/**
 * What the service, the history or the settlement policy would not let happen of a script is a mistake: a script says what is
 * asked for, so nothing of it may fall away unsaid.
 */
export const checkScripts: Check = (draft, fail) => {
  const { file, cohorts } = draft
  for (const { path, entry, cohort: { service, script } } of cohorts) {
    // A service that is not there is a mistake of the cohort's.
    if (script === undefined || (entry.service !== undefined && !servicesThere(file).includes(entry.service))) continue
    const limits = betLimitsOf(file.services, service)
    for (const [i, request] of script.entries()) {
      const at = [...path, 'requests', i]
      checkRequest(draft.window, limits, at, request, fail)
      checkLegs(draft.plan, service === 'parlay', [...at, 'legs'], request.legs, fail)
      const before = script[i - 1]
      if (before !== undefined && before.atUs > request.atUs) {
        fail([...at, 'at'], `${instantText(request.atUs)} is before ${instantText(before.atUs)} of the request above it: requests stand in order of time`)
      }
    }
  }
}

function checkRequest(window: Window | undefined, limits: BetLimits, path: Path, { atUs, legs, betMicros }: ResolvedRequest, fail: Fail): void {
  const { legsMin, legsMax, betMinMicros, betMaxMicros } = limits
  if (window !== undefined && atUs < window.fromUs) fail([...path, 'at'], `is before the session, which begins at ${instantText(window.fromUs)}`)
  else if (window !== undefined && atUs >= window.untilUs) {
    fail([...path, 'at'], `${instantText(atUs)} is not before ${instantText(window.untilUs)}, from when on nobody arrives`)
  }
  if (legs.length < legsMin || legs.length > legsMax) {
    fail([...path, 'legs'], `${legs.length === 1 ? '1 leg is' : `${legs.length} legs are`} not what the service takes, ${legsMin} to ${legsMax}`)
  }
  if (betMicros < betMinMicros || betMicros > betMaxMicros) {
    const [stake, low, high] = [betMicros, betMinMicros, betMaxMicros].map((micros) => quantityText('money', micros))
    fail([...path, 'bet'], `${stake} is not what the service takes, ${low} to ${high}`)
  }
}

/** @param keysMatter False on the outcome service, which has no exclusion keys. */
function checkLegs(plan: Draft['plan'], keysMatter: boolean, path: Path, legs: ResolvedRequest['legs'], fail: Fail): void {
  const { index } = plan
  const taken: Market[] = []
  for (const [i, { ticker }] of legs.entries()) {
    const at = [...path, i]
    const market = index.ofTicker(ticker)
    if (market === undefined) {
      const near = nearestName(ticker, index.catalogue.markets.map((other) => other.ticker))
      fail(at, `no market ${ticker} in the store${near === undefined ? '' : `; did you mean ${near}?`}`, { hint: 'expected a ticker of its catalogue' })
      continue
    }
    const why = plan.leftOut(market)
    if (why !== undefined) fail(at, `${ticker} cannot be traded: ${why}`)
    for (const other of taken) {
      const shared = market.exclusionKeys.filter((key) => other.exclusionKeys.includes(key))
      if (other === market) fail(at, `${ticker} stands in the parlay twice`)
      else if (keysMatter && shared.length > 0) {
        fail(at, `${other.ticker} and ${ticker} share the exclusion ${shared.length === 1 ? 'key' : 'keys'} ${shared.join(', ')}`,
          { hint: 'expected markets without a common key: the service refuses others in one parlay (PQ-065)' })
      }
    }
    taken.push(market)
  }
}
