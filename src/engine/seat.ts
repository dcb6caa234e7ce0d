import type { Delay } from '../agent/latency.ts'
import type { MakerHandlers } from '../agent/maker.ts'
import type { MakerBook } from '../agent/makerBook.ts'
import type { MakerDesk } from '../agent/makerDesk.ts'
import type { StrategyRandom } from '../kernel/random.ts'
import type { MakerEntry } from './config.ts'
import type { Reach } from './reach.ts'

/** A maker in the session: its account, strategy, desk, connection and draws. */
export interface Seat extends Reach {
  readonly account: number
  readonly entity: number
  /** These change where another strategy takes the seat. */
  entry: MakerEntry
  handlers: MakerHandlers
  /** Whether it has a handler for it. */
  hearsRequests: boolean
  hearsBest: boolean
  hearsEnds: boolean
  readonly book: MakerBook
  /** What its handlers are given of the book. */
  desk: MakerDesk
  /** Number of its realm, which made the desk and makes its views (roster.ts). */
  realm: number
  readonly random: StrategyRandom
  /** What it is announced by while its strategy is called. */
  readonly called: number
  /** These are the entry's. They stand here because they are read for every message. */
  readonly broadcast: Delay
  readonly submit: Delay
  readonly confirm: Delay
  readonly ignore: number
}
