import type { Snapshot } from '../unit/snapshot.ts'
import type { MakerEntry, OperatorInput, ServiceName } from './config.ts'
import type { DeskBook, RequestDeliveries } from './makerSeats.ts'
import type { LayOffPort } from './play.ts'

/** What a service has done so far in a session. */
export interface ServiceCounts {
  messages: number
  /** Auctions opened, and positions sold in them. */
  auctions: number
  sales: number
}

/**
 * One service of a session: its venue, maybe behind a gate, its participants, and what is under way between them. The session hands
 * it each instant at which something of it is due; it never looks at the clock, nor at another service's state.
 */
export interface ServiceSession extends Snapshot, LayOffPort {
  readonly name: ServiceName
  /** The instant of the last thing that it played, µs. */
  readonly nowUs: number
  readonly counts: ServiceCounts
  /** What its makers lay off goes there from now on. */
  layOffTo(other: LayOffPort): void
  /** Every account gets its capital paid in, and before a gate its key; bettors' first arrivals are scheduled. */
  start(): void
  /** Nothing is left: tells the participants so, at the instant of the last thing that happened. */
  end(nowUs: number): void
  /** The venue's earliest deadline, or NEVER_US. */
  nextDeadlineUs(): number
  /**
   * Runs the venue's deadlines at `nowUs`, and may run on to those before `beforeUs` while nothing comes of them; `nowUs` then says how far.
   * False when that is not the end of anything in a session: the venue only forgot.
   */
  pulse(nowUs: number, beforeUs: number): boolean
  operate(nowUs: number, input: OperatorInput): void
  /** Another strategy takes the seat of a maker. */
  swap(nowUs: number, entry: MakerEntry): void
  /** A message of the service is due: `message` is its first cell. */
  receive(nowUs: number, message: number): void
  /** The rows have been flushed. */
  clear(): void
  /** The makers' books, as far as what was delivered tells them. */
  desks(): DeskBook[]
  /** How many requests and new versions reached each maker so far. */
  deliveredRequests(): RequestDeliveries[]
  /** Requests that each cohort asked for so far, whatever the service said to them. */
  askedRequests(): { readonly name: string; readonly requests: number }[]
}
