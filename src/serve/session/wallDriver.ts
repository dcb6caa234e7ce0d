import { withPlainTraces } from '../../unit/plainTraces.ts'
import { NEVER_US } from '../../unit/time.ts'
import type { ServedSession } from './servedSession.ts'
import { WallClock, wallMs } from './wallClock.ts'

/** Something that came in from outside, and when it had been read whole. */
export interface Arrival {
  readonly readMs: number
  /** Lets it in, where the session stands. */
  readonly enter: () => void
}

/** How far virtual time was behind the wall's when something came in or happened, ms of the wall. */
export interface Lag {
  readonly mostMs: number
  readonly arrivals: number
}

const SLEEP_MS_MAX = 50

/**
 * Plays a session as the wall's clock goes. What comes in is stamped with the mapped time at which it had been read whole, and later than
 * anything that has happened. The loop never passes the mapped wall.
 */
export class WallDriver {
  private readonly served: ServedSession
  private readonly clock: WallClock
  private readonly read: () => number
  private readonly inbox: Arrival[] = []
  private wake = (): void => {}
  private lastUs = -1
  private mostMs = 0
  private arrivals = 0
  private isOver = false

  /** @param beganMs the reading at which virtual time begins. */
  constructor(served: ServedSession, speed: number, read: () => number = wallMs, beganMs = read()) {
    this.served = served
    this.read = read
    this.clock = new WallClock(served.session.reachedUs, speed, beganMs)
  }

  /** Where the session is, µs: where the wall is as long as nothing is due before, and where it stands when it is behind or over. */
  get reachedUs(): number {
    const wallUs = this.clock.virtualUs(this.read())
    const { nextUs, nowUs } = this.served
    return this.isOver || nextUs <= wallUs || this.inbox.length > 0 ? nowUs : wallUs
  }

  get lag(): Lag {
    return { mostMs: this.mostMs, arrivals: this.arrivals }
  }

  /** Takes something that came in. What comes in first is let in first. */
  arrived(arrival: Arrival): void {
    this.inbox.push(arrival)
    this.wake()
  }

  /** Plays until nothing is left, or until the signal. Resolves to where the session was stopped, or to null at its end. */
  async play(signal: AbortSignal, between: () => void = () => {}): Promise<number | null> {
    const wake = (): void => { this.wake() }
    signal.addEventListener('abort', wake)
    try {
      for (;;) {
        // One turn of the event loop, in which messages of the other thread come in.
        await new Promise((resolve) => { setImmediate(resolve) })
        if (signal.aborted) return this.standNow()
        this.enterAll()
        const nowUs = this.clock.virtualUs(this.read())
        const { nextUs } = this.served
        if (nextUs === NEVER_US && this.inbox.length === 0) return null
        if (nextUs <= nowUs) this.served.playTo(nowUs)
        between()
        if (this.inbox.length === 0 && !signal.aborted) await this.sleep()
      }
    } finally {
      this.isOver = true
      signal.removeEventListener('abort', wake)
    }
  }

  private enterAll(): void {
    if (this.inbox.length === 0) return
    // Once for all of them: whoever plays between two would make an error for it each time.
    withPlainTraces(() => {
      for (let arrival = this.inbox.shift(); arrival !== undefined; arrival = this.inbox.shift()) this.enter(arrival)
    })
  }

  private enter({ readMs, enter }: Arrival): void {
    const { served, clock } = this
    const atUs = Math.max(this.lastUs + 1, served.session.reachedUs + 1, clock.virtualUs(readMs))
    this.lastUs = atUs
    this.arrivals++
    served.playTo(atUs)
    served.hearing(enter)
    this.mostMs = Math.max(this.mostMs, this.read() - readMs)
  }

  /** Stands where the wall is, and says where. */
  private standNow(): number {
    this.enterAll()
    const atUs = Math.max(this.lastUs + 1, this.served.session.reachedUs + 1, this.clock.virtualUs(this.read()))
    this.served.playTo(atUs)
    return atUs
  }

  private async sleep(): Promise<void> {
    const { nextUs } = this.served
    const ms = nextUs === NEVER_US ? 0 : Math.min(SLEEP_MS_MAX, this.clock.msUntil(nextUs, this.read()))
    if (ms < 1) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.wake = () => {}
  }
}
