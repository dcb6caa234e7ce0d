import { assert } from '../../unit/assert.ts'
import { netStake, type OfferedIn, offerAt, type QuotedPrice } from '../../unit/quotedPrice.ts'
import { SECOND_US } from '../../unit/time.ts'
import type { BettorStrategy } from '../bettor.ts'
import type { BettorDesk } from '../bettorDesk.ts'
import type { IntentView } from '../views.ts'
import type { ScriptedLeg } from './scripted.ts'

/** What a recorded bettor does at an instant: takes the best offer if it is at least as good as `floor`, or with null cancels its request. */
export interface RecordedDecision {
  readonly atUs: number
  readonly floor: QuotedPrice | null
}

/** One request of a log. */
export interface RecordedRequest {
  readonly legs: readonly ScriptedLeg[]
  readonly betMicros: number
  /** In order of time, after the request. */
  readonly decisions: readonly RecordedDecision[]
}

/** Lowest odds that a service has, for a request that nothing is taken on. */
const NO_FLOOR_E4 = 10_001
/** A request without a decision needs a time for one all the same. */
const IDLE_US = SECOND_US

/**
 * Recorded: the cohort's arrival number i makes request number i of a log. At each recorded decision it commits the best delivered offer if that is
 * at least as good as what was recorded, and otherwise does nothing until the next decision. Nothing is drawn, and nobody responds to prices in any
 * other way than that.
 */
export const recordedBettor = (requests: readonly RecordedRequest[], offeredIn: OfferedIn): BettorStrategy => {
  const oddsOf = ({ betMicros }: RecordedRequest, floor: QuotedPrice, desk: BettorDesk): number => {
    const netStakeMicros = netStake(betMicros, desk.takerFeeBps)
    return netStakeMicros > 0 ? offerAt(floor, netStakeMicros, offeredIn).oddsE4 : Infinity
  }
  const waitForNext = (intent: IntentView, desk: BettorDesk): void => {
    const next = requestOf(requests, intent.arrival).decisions.find(({ atUs }) => atUs > desk.nowUs)
    if (next !== undefined) desk.wait(intent, next.atUs - desk.nowUs)
  }
  return {
    role: 'bettor',
    parameters: {},
    create: () => ({
      onArrival(intent, desk) {
        const request = requestOf(requests, intent.arrival)
        const { legs, betMicros, decisions } = request
        legs.forEach(({ market, side }, i) => intent.setLeg(i, market, side))
        intent.setLegCount(legs.length)
        const floors = decisions.flatMap(({ floor }) => (floor === null ? [] : [oddsOf(request, floor, desk)]))
        const minOddsE4 = floors.length === 0 ? NO_FLOOR_E4 : Math.min(...floors)
        const decideInUs = decisions.length === 0 ? IDLE_US : decisions[0]!.atUs - desk.nowUs
        desk.requestQuote(intent, { betMicros, minOddsE4, decideInUs })
      },
      onDecision(intent, desk) {
        const request = requestOf(requests, intent.arrival)
        const due = request.decisions.findLast(({ atUs }) => atUs <= desk.nowUs)
        if (due === undefined) return
        if (due.floor === null) return desk.cancelRequest(intent)
        if (intent.bestOddsE4 >= oddsOf(request, due.floor, desk)) return desk.commit(intent)
        waitForNext(intent, desk)
      },
      onRefused(intent, _refusal, desk) {
        const { decisions } = requestOf(requests, intent.arrival)
        if (decisions.some(({ atUs, floor }) => floor === null && atUs <= desk.nowUs)) return desk.cancelRequest(intent)
        waitForNext(intent, desk)
      },
    }),
  }
}

function requestOf(requests: readonly RecordedRequest[], arrival: number): RecordedRequest {
  const request = requests[arrival]
  assert(request !== undefined, `the log has no request ${arrival}`)
  return request
}
