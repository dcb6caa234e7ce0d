import { assert } from '../../unit/assert.ts'
import { SECOND_US } from '../../unit/time.ts'
import type { BettorStrategy } from '../bettor.ts'

const WAIT_US = SECOND_US
const WAITS = 10

export interface ScriptedLeg {
  readonly market: number
  /** 1 for yes, 0 for no. */
  readonly side: 0 | 1
}

/** One request of a script. */
export interface ScriptedRequest {
  readonly legs: readonly ScriptedLeg[]
  readonly betMicros: number
  /** Lowest odds that are taken, four decimals. */
  readonly minOddsE4: number
  /** From the request to the decision. */
  readonly decideUs: number
  /** At the decision the request is cancelled, whatever was offered. */
  readonly cancel: boolean
}

/**
 * Scripted: the cohort's arrival number i makes request number i of the script. At its decision it commits the best delivered
 * odds if they reach the floor. Otherwise it looks again each second, ten times, and then lets the request lapse. A refused
 * commit is not tried again. Nothing is drawn.
 */
export const scripted = (script: readonly ScriptedRequest[]): BettorStrategy => ({
  role: 'bettor',
  parameters: {},
  create: () => ({
    onArrival(intent, desk) {
      const { legs, betMicros, minOddsE4, decideUs } = requestOf(script, intent.arrival)
      legs.forEach(({ market, side }, i) => intent.setLeg(i, market, side))
      intent.setLegCount(legs.length)
      desk.requestQuote(intent, { betMicros, minOddsE4, decideInUs: decideUs })
    },
    onDecision(intent, desk) {
      if (requestOf(script, intent.arrival).cancel) return desk.cancelRequest(intent)
      if (intent.bestOddsE4 >= intent.minOddsE4) return desk.commit(intent)
      if (intent.decisions <= WAITS) desk.wait(intent, WAIT_US)
    },
  }),
})

function requestOf(script: readonly ScriptedRequest[], arrival: number): ScriptedRequest {
  const request = script[arrival]
  assert(request !== undefined, `the script has no request ${arrival}`)
  return request
}
