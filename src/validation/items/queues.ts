import { bettor, type BettorStrategy } from '../../agent/bettor.ts'
import { type Latency, NO_DELAY } from '../../agent/latency.ts'
import type { MakerDesk } from '../../agent/makerDesk.ts'
import { maker, type MakerStrategy } from '../../agent/maker.ts'
import type { RequestView } from '../../agent/views.ts'
import { Draws, Purpose, rootKey } from '../../kernel/random.ts'
import { USDC } from '../../unit/micros.ts'
import { ODDS_E4_MIN } from '../../unit/odds.ts'
import { HOUR_US, MS_US, SECOND_US } from '../../unit/time.ts'
import { seriesMeanOf } from '../estimates.ts'
import { figureOf, type ItemFigure, type Task, type ValidationItem } from '../figure.ts'
import { waitOfConstantService, waitOfExponentialService } from '../known.ts'
import { playSession, WIDENED } from '../playSession.ts'
import { WORLD_BEGIN_US, worldOf } from '../world.ts'

/** Arrivals and services a second. */
const ARRIVALS = 0.8
const SERVICES = 1
const REQUESTS = { small: 12_000, full: 200_000 } as const
/** Requests at the begin, when the queue is shorter than it will be, that are left out. */
const WARM_UP = 1_000
/** Seconds. */
const WIDTH_MAX = { small: { exponential: 5, constant: 2 }, full: { exponential: 1.3, constant: 0.5 } } as const
const BET_MICROS = 10 * USDC
const DECIDE_US = 200 * SECOND_US
const LIFE_MS = 600_000
/** Constant, so that they can be taken off again. */
const MAKER_WAYS: Latency = { feedUs: 0, broadcast: { baseUs: 5 * MS_US, jitterUs: 0 }, submit: { baseUs: 20 * MS_US, jitterUs: 0 }, confirm: NO_DELAY }
const WAYS_US = MAKER_WAYS.broadcast.baseUs + MAKER_WAYS.submit.baseUs

/** Prices one request at a time, each for `serviceUs`. The others wait in the order of their arrival. */
const oneAtATime = (serviceUs: (request: number) => number): MakerStrategy => maker({}, () => {
  const state = { serving: -1, busyUntilUs: 0 }
  const serveOrWait = (request: RequestView, desk: MakerDesk): void => {
    // Waiting requests ask again when the service ends. Messages of one instant keep their order, so that none overtakes.
    if (state.serving >= 0) return desk.later(request, state.busyUntilUs - desk.nowUs)
    const lastsUs = serviceUs(request.request)
    state.serving = request.request
    state.busyUntilUs = desk.nowUs + lastsUs
    desk.later(request, lastsUs)
  }
  return {
    state,
    onRequest: serveOrWait,
    onLater(request, desk) {
      if (request.request !== state.serving) return serveOrWait(request, desk)
      state.serving = -1
      desk.quote(request, { probability: 0.5, validUs: LIFE_MS * MS_US })
    },
  }
})

/** Asks about the one market, and takes what is offered when all waits are over. */
const patient: BettorStrategy = bettor({}, () => ({
  onArrival(intent, desk) {
    intent.setLeg(0, 0, 1)
    intent.setLegCount(1)
    desk.requestQuote(intent, { betMicros: BET_MICROS, minOddsE4: ODDS_E4_MIN, decideInUs: DECIDE_US })
  },
  onDecision(intent, desk) {
    if (intent.bestOddsE4 > 0) desk.commit(intent)
  },
}))

async function measureQueue(task: Task, kind: 'exponential' | 'constant'): Promise<ItemFigure> {
  const count = REQUESTS[task.size]
  const seed = `${task.seed} queue ${kind}`
  const draws = new Draws(rootKey(seed), Purpose.makerResponse)
  const meanUs = (task.wrong ? 0.9 : 1) * SECOND_US / SERVICES
  const serviceUs = (request: number): number => (kind === 'constant' ? meanUs : 1 + Math.floor(draws.exponential(0, request, meanUs)))
  const untilUs = WORLD_BEGIN_US + 2 * count * (SECOND_US / ARRIVALS)
  const log = await playSession({
    seed, service: 'parlay', untilUs, arrivalsMax: count,
    world: worldOf([{ prices: [{ atUs: WORLD_BEGIN_US, bid: 0.5 }], settledUs: untilUs + HOUR_US, outcome: null }], seed, { missing: 'draw' }),
    makers: [{ name: 'maker', strategy: oneAtATime(serviceUs), latency: MAKER_WAYS }],
    cohorts: [{ name: 'takers', strategy: patient, bettors: 1000, gapUs: SECOND_US / ARRIVALS }],
    parlay: { requestExpiryMs: LIFE_MS, quoteValidityMaxMs: LIFE_MS },
  }, task)
  const measured = log.asked.slice(WARM_UP)
  const requests = new Set(measured.map(({ request }) => request))
  const waits = measured.map(({ request, atUs, quotedUs }) => (quotedUs - atUs - WAYS_US - serviceUs(request)) / SECOND_US)
  const known = (kind === 'exponential' ? waitOfExponentialService : waitOfConstantService)(ARRIVALS, SERVICES)
  return figureOf({
    id: `8.${kind}`, title: `mean wait for a maker that prices one request at a time, ${kind} service`, unit: 's',
    settings: { arrivalsPerSecond: ARRIVALS, servicesPerSecond: SERVICES, warmUp: WARM_UP },
    remark: `from request to quote, less ways and service; intervals by batch means, as waits are autocorrelated; one leg; requests and quotes live 10 minutes; ways of 5 ms out and 20 ms in, constant; ${WIDENED.parlay}`,
  }, { known, widthMax: WIDTH_MAX[task.size][kind] }, seriesMeanOf(waits), log.fills.filter(({ request }) => requests.has(request)))
}

export const queues: ValidationItem = {
  id: '8', title: 'queues', source: 'M/M/1 and M/D/1 at λ = 0.8, μ = 1 (Pollaczek and Khinchine)', wrong: 'pricing takes 10 % less time',
  requests: (size) => 2 * REQUESTS[size],
  measure: async (task) => [await measureQueue(task, 'exponential'), await measureQueue(task, 'constant')],
}
