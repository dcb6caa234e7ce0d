import type { ActionOptions, TrustOption } from './options.ts'
import type { RunFigures, StoredRunOptions } from './run.ts'

/** How time goes: `wall` follows the wall's clock, `lockstep` waits for the clients, turn by turn. */
export type ServedClock =
  | { readonly clock: 'wall'; readonly speed: number }
  /** `patienceMs`: how long a client may take to end its turn before it is dropped. */
  | { readonly clock: 'lockstep'; readonly patienceMs: number }

export interface ServeOptions extends ActionOptions, TrustOption, Pick<StoredRunOptions, 'out' | 'taken' | 'report'> {
  /** The default is the wall's clock at its own speed. */
  readonly pace?: ServedClock
  /** Port of the first service, and the next ones for the others, and for turns. The default is ports that are free. */
  readonly port?: number
  /** Address to listen at. Anything but loopback lets other machines in. */
  readonly host?: string
  /** `now` moves every date on the wire, so that the session begins now, which is the default with the wall's clock; `none` leaves the recorded dates. */
  readonly shift?: 'now' | 'none'
  /** Where the clients' credentials are written, for the owner alone, until the session ends. The default is `out` with `.credentials.json`. */
  readonly credentials?: string
  /** Lets webhook endpoints be plain HTTP and in private networks. */
  readonly allowLocalWebhooks?: boolean
  /** Clients may come. */
  readonly onServing?: (serving: ServedSession) => void
}

/** A session that clients can take part in. */
export interface ServedSession {
  readonly services: readonly { readonly service: string; readonly url: string; readonly hasReference: boolean }[]
  readonly seats: readonly { readonly service: string; readonly role: string; readonly name: string }[]
  /** Path of the clients' credentials. */
  readonly credentials: string
  /** What was added to every instant on the wire, µs. */
  readonly shiftUs: number
  /** Where the session can be watched, by whoever has one of these. */
  readonly pages: readonly string[]
}

/** How a session went. */
export type ServedCourse =
  | { readonly clock: 'wall'; readonly arrivals: number; readonly mostMs: number }
  | { readonly clock: 'lockstep'; readonly turns: number; readonly calls: number }

export interface ServedRun extends Pick<RunFigures, 'digest' | 'counts' | 'manifest'> {
  readonly path: string
  /** Null of a session that nobody heard the end of. */
  readonly course: ServedCourse | null
}
