import type { CallListener, ExternalCall } from '../engine/externalCalls.ts'
import type { Session } from '../engine/session.ts'
import type { Catalogue } from '../market/market.ts'
import type { SeatMessage } from '../scenario/externalSeats.ts'
import type { ResolvedScenario } from '../scenario/resolved.ts'
import type { Row } from '../venue/eventCells.ts'
import type { EventRows } from '../venue/eventRows.ts'
import type { Exchange, ExchangeHandler } from './exchange.ts'
import type { LiveVenue } from './live/liveVenue.ts'

/** A seat of the scenario whose participant is a client outside of the session. */
export interface ExternalSeat {
  readonly service: 'parlay' | 'outcome'
  readonly role: 'maker' | 'bettor'
  readonly name: string
  /** Number of its account. A maker and a bettor with one account are two seats. */
  readonly account: number
}

export type { SeatMessage } from '../scenario/externalSeats.ts'

/** What the handler of a service has of the session that it serves. */
export interface HandlerSite {
  readonly resolved: ResolvedScenario
  readonly catalogue: Catalogue
  /** The seats of the handler's service. */
  readonly seats: readonly ExternalSeat[]
  /** For its views: `site.session.parlay!.venue.view`, `.gateView`. Commands go by `send`. */
  readonly session: Session
  /** The instant at which the handler is being called, µs. Its rows say their own. */
  readonly nowUs: number
  /** Channels are being opened before virtual time begins: the gate has the seats' streams open already, and counts nothing. */
  readonly isOpening?: boolean
  /** Virtual time waits for clients: makers are told what has come down the way to their seats. */
  readonly isInTurns?: boolean
  /** Every instant on the wire, signed ones too, is the session's plus this, µs. */
  readonly shiftUs: number
  /**
   * Sends a command of an account, of any account of the session. With the wall's clock it reaches the gate now, and `answered` may be called
   * before `send` returns; with lockstep's it is as long on its way as the seat's latency says. Every row up to the reply has been given to
   * `take` before `answered` is called.
   */
  send(account: number, call: ExternalCall, listener: CallListener): void
  /** Calls `run` at an instant, or now when that instant is over. The session does not go on for its sake when everything else is over. */
  later(atUs: number, run: () => void): void
}

/** How a service's wire names things, and shows amounts, for the desks of its clients. */
export interface DeskNames {
  market(market: number): string
  request(request: number): string
  quote(quote: number): string
  auction(auction: number): string
  position(position: number): string
  /** What the service opens a cash-out of a position by, of its request. Absent: it does so by the position's own name. */
  parlay?(request: number): string
  /** Absent: whoever takes the best bid does not name it. */
  bid?(bid: number): string
  amount(micros: number): number | string
}

/** One service's side of the wire in a session that is being played. */
export interface ServiceHandler extends ExchangeHandler {
  /** Whose account an exchange is of by its credential, even by one that has ended; −1 for nobody's. Virtual time that waits asks. */
  accountOf?(exchange: Exchange): number
  /** The same by a credential that has not ended by an instant of the session, µs. What is told beside the service asks. */
  readerOf?(exchange: Exchange, atUs: number): number
  /**
   * Scopes that the credential of an exchange lacks, of those by which the service's own calls tell what a desk of such seats tells.
   * Precondition: `readerOf` names its account.
   */
  deskScopesLacking?(exchange: Exchange, roles: readonly ExternalSeat['role'][]): readonly string[]
  /** Name of a market on the service's wire, by its number in the list of markets. Absent: the service tells no prices beside it. */
  marketName?(market: number): string
  /** Absent: the service tells no desks beside it. */
  readonly deskNames?: DeskNames
  /** Every row of the service, once and in order: each before anything else is called that comes after it. */
  take(events: EventRows, row: Row): void
  /** A message has reached the seat of a maker, after its delay. */
  told(seat: ExternalSeat, message: SeatMessage): void
  /** What a client needs to act for a seat, by names that the service's clients know. They are secrets, asked for once every account has its key. */
  credentialsOf(seat: ExternalSeat): Readonly<Record<string, string>>
  /** Whether clients have webhook endpoints: with virtual time that waits, the answers of these are waited for. Absent: the service has none. */
  hasEndpoints?(): boolean
  /** The service for the page of whoever runs the session. Absent: it has none. */
  live?(): LiveVenue
  /**
   * With virtual time that waits: markets have been over for a while, and what clients have begun is ended that would go on for ever, such as
   * the heartbeats of their streams. Absent: there is nothing of the kind.
   */
  rest?(): void
  /** The session is over, or is given up: channels are closed with the code for it, and answers that wait are given. */
  drain(): void
}

export type MakeHandler = (site: HandlerSite) => ServiceHandler
