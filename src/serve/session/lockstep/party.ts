import { createHash, timingSafeEqual } from 'node:crypto'
import type { ExternalSeat } from '../../serviceHandler.ts'
import { HOUR_US, SECOND_US } from '../../../unit/time.ts'
import type { ControlChannel } from './controlChannel.ts'
import type { ControlFrame } from './controlFrames.ts'
import type { PartyChannel } from './partyChannel.ts'
import type { CallNumber } from './turnHeaders.ts'

/** A turn for whose end the loop waits. */
export interface OpenTurn {
  readonly n: number
  readonly frame: ControlFrame
  /** By channel: frames that its client reads before it acts. */
  readonly counts: ReadonlyMap<number, number>
  /** What it does, by number. */
  readonly entries: Map<number, Entry>
  /** How many there are; null: its client has not said so. */
  calls: number | null
  holds: boolean
  /** Why it is not waited for, as a sentence about its client goes on; null: it is. */
  fault: string | null
  /** Whether whoever holds the control channel has been told of it. */
  readonly isTold: boolean
}

export interface Entry {
  /** Takes it into the session. */
  readonly enter: () => void
  /** The turn has been dropped. */
  readonly drop: () => void
}

/** A client of the session: whoever holds the seats of an account. */
export class Party {
  readonly service: ExternalSeat['service']
  readonly account: number
  readonly seats: readonly ExternalSeat[]
  readonly token: string
  state: 'coming' | 'here' | 'away' = 'coming'
  control: ControlChannel | null = null
  /** It has said `ready`, and so its control channel is where it says that it leaves. */
  isOnControl = false
  /** Why its client is dropped where the loop stands next, or with a turn that comes before; null: it is not. */
  gone: string | null = null
  turn: OpenTurn | null = null
  /** What it can see beside the service: the instant of its last turn, and how much its desk had been told. Null: it has had no turn. */
  seen: { readonly nowUs: number; readonly count: number } | null = null
  /** The call for whose answer its turns wait; null: for none. */
  hold: CallNumber | null = null
  /** Its calls that came before its turn did. */
  readonly early: { readonly enter: (turn: OpenTurn) => void; readonly drop: () => void }[] = []
  readonly channels = new Map<number, PartyChannel>()
  /** Gives up the calls that wait for their answers. */
  readonly waiting = new Set<() => void>()
  /** Rises when it leaves: what was on its way to it then comes to nobody. */
  stay = 0
  /** The instant before which it has no turn `joined`, µs. */
  joinFromUs = 0
  /** Turns in a row that were dropped. */
  private failures = 0
  /** Turns at one instant. */
  private atUs = -1
  private turns = 0

  constructor(seats: readonly ExternalSeat[], token: string) {
    const { service, account } = seats[0]!
    this.service = service
    this.account = account
    this.seats = seats
    this.token = token
  }

  get name(): string {
    return this.seats[0]!.name
  }

  isToken(token: string): boolean {
    return timingSafeEqual(hashOf(token), hashOf(this.token))
  }

  say(frame: ControlFrame): void {
    this.control?.send(JSON.stringify(frame))
  }

  /** Its turn was dropped. Where that happens again and again, time goes on for the others for longer each time before it has another one. */
  hasFailed(nowUs: number): void {
    const more = ++this.failures - FAILURES_FREE
    if (more > 0) this.joinFromUs = nowUs + Math.min(WAIT_MOST_US, SECOND_US * 2 ** more)
  }

  /** It has ended a turn. */
  hasTaken(): void {
    this.failures = 0
  }

  /** Counts a turn, and returns how many there have been at its instant. */
  countAt(nowUs: number): number {
    if (nowUs !== this.atUs) this.turns = 0
    this.atUs = nowUs
    return ++this.turns
  }
}

/** So many turns in a row may be dropped before a client that is back waits for its turn. */
const FAILURES_FREE = 3
const WAIT_MOST_US = HOUR_US

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()
