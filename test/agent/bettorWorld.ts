import type { BettorHandlers, BettorStrategy } from '../../src/agent/bettor.ts'
import { CohortDesk, type BettorPort, IntentView } from '../../src/agent/bettorDesk.ts'
import { Holdings } from '../../src/agent/holdings.ts'
import { IntentCell, Intents, IntentState, IntentWord } from '../../src/agent/intents.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import { Draws, Purpose, rootKey } from '../../src/kernel/random.ts'
import { LiveMarkets } from '../../src/market/liveMarkets.ts'
import { PriceBoard } from '../../src/market/priceBoard.ts'
import { PublishedResults } from '../../src/market/publishedResults.ts'
import type { Ticks } from '../../src/market/ticks.ts'
import { ticksOf } from './fakes.ts'

export const usd = (amount: number): number => amount * 1_000_000
export const sec = (s: number): number => s * 1_000_000
export const HORIZON = sec(60)
const NO_HOLDINGS = { openCashOut: () => {}, takeBid: () => {}, cancelCashOut: () => {}, checkIn: () => {} }

/** Three markets without common keys at 49/51 since 1 s; a minute later 0 stands at 59/61, 1 at 39/41, 2 where it was. */
const TICKS = ticksOf([[sec(1), 0, 49, 51], [sec(1), 1, 49, 51], [sec(1), 2, 49, 51], [sec(61), 0, 59, 61], [sec(61), 1, 39, 41]])

/** Bettors of one cohort at 2 s, and what they command. */
export interface BettorWorld {
  readonly calls: unknown[][]
  readonly intents: Intents
  readonly desk: CohortDesk
  readonly view: IntentView
  readonly handlers: BettorHandlers
  /** The intent's decision, with the best odds that have reached it. */
  decide(bestOddsE4: number): void
  /** Another bettor arrives, number `arrival` of the cohort; the view is its intent then. */
  next(arrival: number): void
}

/** An intent that arrives at 2 s, number `arrival` of its cohort, with a desk over the markets `live`. */
export function arriving(
  strategy: unknown, values: Record<string, number>, { live: listed = [0, 1], oracle = true, arrival = 0, ticks = TICKS as Ticks, takerFeeBps = 0 } = {},
): BettorWorld {
  const calls: unknown[][] = []
  const port: BettorPort = {
    requestQuote: (slot) => void calls.push(['request', slot]), commit: (slot) => void calls.push(['commit', slot]),
    cancelRequest: (slot) => void calls.push(['cancel', slot]), decideIn: (slot, delayUs) => void calls.push(['decideIn', slot, delayUs]),
  }
  const intents = new Intents()
  const live = new LiveMarkets(3)
  for (const market of listed) live.add(market)
  const desk = new CohortDesk({
    cohort: 0, entity: 1, takerFeeBps, intents, board: new PriceBoard(ticks, 3, 0), oracle: oracle ? new PriceBoard(ticks, 3, -HORIZON) : undefined, live,
    keys: { texts: ['a', 'b', 'c'], start: Int32Array.of(0, 1, 2, 3), keys: Int32Array.of(0, 1, 2) },
    draws: new Draws(rootKey('bettors'), Purpose.arrivals), port,
    holdings: new Holdings(), results: new PublishedResults(3), holdingPort: NO_HOLDINGS,
  })
  desk.wake(sec(2))
  const view = new IntentView(intents)
  view.slot = intents.begin(0, 0, arrival)
  const { parameters, create } = strategy as BettorStrategy
  const handlers = create(parameterValues(parameters, values))
  return {
    calls, intents, desk, view, handlers,
    decide(bestOddsE4) {
      intents.words[view.slot + IntentWord.state] = IntentState.open
      intents.cells[view.slot + IntentCell.bestOddsE4] = bestOddsE4
      intents.words[view.slot + IntentWord.decisions]!++
      handlers.onDecision(view, desk)
    },
    next(number) {
      intents.end(view.slot)
      view.slot = intents.begin(0, 0, number)
      handlers.onArrival(view, desk)
    },
  }
}

/** Makes the draws of one field those of `values`, by arrival; the others stay. */
export function withDraws(desk: CohortDesk, field: number, valueOf: (arrival: number) => number): void {
  const own = desk.uniform.bind(desk)
  desk.uniform = (of, at) => (at === field ? valueOf(of.arrival) : own(of, at))
}
