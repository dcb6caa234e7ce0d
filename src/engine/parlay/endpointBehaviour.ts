import { type Delay, delayUs } from '../../agent/latency.ts'
import type { Draws } from '../../kernel/random.ts'
import { Answer } from '../../venue/parlay/protocol/webhooks.ts'

/** An endpoint is down from `fromUs` on and before `untilUs`. */
export interface Outage {
  readonly fromUs: number
  readonly untilUs: number
}

/** How a simulated webhook endpoint answers. Shares are of attempts; what they leave over is answered with 200. */
export interface EndpointBehaviour {
  /** No answer at all. */
  readonly timeout: number
  /** 500. */
  readonly serverError: number
  /** 408. */
  readonly requestTimeout: number
  /** 429. */
  readonly tooManyRequests: number
  /** 400, which ends a delivery. */
  readonly clientError: number
  /** The connection fails. */
  readonly networkError: number
  /** The time from the attempt to its answer. */
  readonly delay: Delay
  /** Mean time between outages and mean length of one, µs; 0 for none. While it is down every connection fails. */
  readonly downEveryUs: number
  readonly downForUs: number
  /** Outages at given times besides. */
  readonly outages: readonly Outage[]
}

const Draw = { answer: 0, delay: 1 } as const
/** Draws of a delivery are numbered attempt × 4 + draw; more attempts than a profile allows, and all budgets of a session. */
const DRAWS_PER_ATTEMPT = 4
const DRAWS_PER_DELIVERY = 2 ** 20

const indexOf = (delivery: number, attempt: number, draw: number): number =>
  delivery * DRAWS_PER_DELIVERY + attempt * DRAWS_PER_ATTEMPT + draw

/**
 * HTTP status of an attempt, 0 for a network error, `Answer.timeout` for none. `delivery` counts the endpoint's own, so
 * that no other endpoint moves its draws.
 */
export function answerOf(behaviour: EndpointBehaviour, draws: Draws, entity: number, delivery: number, attempt: number): number {
  const { timeout, serverError, requestTimeout, tooManyRequests, clientError, networkError } = behaviour
  const answers = [
    [timeout, Answer.timeout], [serverError, 500], [requestTimeout, 408], [tooManyRequests, 429], [clientError, 400],
    [networkError, Answer.networkError],
  ] as const
  const drawn = draws.uniform(entity, indexOf(delivery, attempt, Draw.answer))
  let below = 0
  for (const [share, answer] of answers) {
    below += share
    if (drawn < below) return answer
  }
  return 200
}

/** Time from the attempt to its answer, µs. */
export const answerDelayUs = (
  { delay }: EndpointBehaviour, draws: Draws, entity: number, delivery: number, attempt: number,
): number => delayUs(delay, draws, entity, indexOf(delivery, attempt, Draw.delay))

/** Whether a scheduled outage holds at `nowUs`. */
export const isOut = ({ outages }: EndpointBehaviour, nowUs: number): boolean =>
  outages.some(({ fromUs, untilUs }) => nowUs >= fromUs && nowUs < untilUs)
