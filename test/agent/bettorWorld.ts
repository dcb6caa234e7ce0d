import type { BettorHandlers, BettorStrategy } from '../../src/agent/bettor.ts'
import { type BettorDesk, DRAWS_PER_INTENT } from '../../src/agent/bettorDesk.ts'
import type { BettorPort } from '../../src/agent/bettorPort.ts'
import { CohortBook } from '../../src/agent/cohortBook.ts'
import { intentCursor } from '../../src/agent/cursor.ts'
import { FACADES } from '../../src/agent/facades/facades.ts'
import { Holdings } from '../../src/agent/holdings.ts'
import { IntentCell, Intents, IntentState, IntentWord } from '../../src/agent/intents.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import type { IntentView } from '../../src/agent/views.ts'
import { Draws, Purpose, rootKey } from '../../src/kernel/random.ts'
import { LiveMarkets } from '../../src/market/liveMarkets.ts'
import { PriceBoard } from '../../src/market/priceBoard.ts'
import { PublishedResults } from '../../src/market/publishedResults.ts'
import type { Ticks } from '../../src/market/ticks.ts'
import { ticksOf } from './fakes.ts'

export const usd = (amount: number): number => amount * 1_000_000
export const sec = (s: number): number => s * 1_000_000
export const HORIZON = sec(60)
const NO_HOLDINGS = { openCashOut: () => {}, takeBid: () => {}, cancelCashOut: () => {}, checkIn: () => {}, watch: () => {} }

/** Three markets without common keys at 49/51 since 1 s; a minute later 0 stands at 59/61, 1 at 39/41, 2 where it was. */
const TICKS = ticksOf([[sec(1), 0, 49, 51], [sec(1), 1, 49, 51], [sec(1), 2, 49, 51], [sec(61), 0, 59, 61], [sec(61), 1, 39, 41]])

/** Bettors of one cohort at 2 s, and what they command. */
export interface BettorWorld {
  readonly calls: unknown[][]
  readonly intents: Intents
  readonly desk: BettorDesk
  readonly book: CohortBook
  readonly draws: Draws
  readonly view: IntentView
  /** The slot of the intent that the view shows. */
  readonly slot: number
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
  const intents = new Intents(3)
  const live = new LiveMarkets(3)
  for (const market of listed) live.add(market)
  const draws = new Draws(rootKey('bettors'), Purpose.arrivals)
  const book = new CohortBook({
    entity: 1, takerFeeBps, intents, board: new PriceBoard(ticks, 3, 0), oracle: oracle ? new PriceBoard(ticks, 3, -HORIZON) : undefined, live,
    keys: { texts: ['a', 'b', 'c'], start: Int32Array.of(0, 1, 2, 3), keys: Int32Array.of(0, 1, 2) },
    draws, port,
    holdings: new Holdings(), results: new PublishedResults(3), holdingPort: NO_HOLDINGS,
  })
  book.wake(sec(2))
  const desk = FACADES.bettorDesk(book)
  const cursor = intentCursor(intents)
  const view = FACADES.intent(cursor)
  cursor.show(intents.begin(0, 0, arrival), book)
  const { parameters, create } = strategy as BettorStrategy
  const handlers = create(parameterValues(parameters, values))
  return {
    calls, intents, desk, book, draws, view, handlers,
    get slot() { return cursor.slot },
    decide(bestOddsE4) {
      intents.words[cursor.slot + IntentWord.state] = IntentState.open
      intents.cells[cursor.slot + IntentCell.bestOddsE4] = bestOddsE4
      intents.words[cursor.slot + IntentWord.decisions]!++
      handlers.onDecision(view, desk)
    },
    next(number) {
      intents.end(cursor.slot)
      cursor.slot = intents.begin(0, 0, number)
      handlers.onArrival(view, desk)
    },
  }
}

/** Makes the draws of one field those of `values`, by arrival; the others stay. */
export function withDraws({ draws }: BettorWorld, field: number, valueOf: (arrival: number) => number): void {
  const own = draws.uniform.bind(draws)
  draws.uniform = (entity, index) => (index % DRAWS_PER_INTENT === field ? valueOf(Math.floor(index / DRAWS_PER_INTENT)) : own(entity, index))
}
