const MS_US = 1000
const SECOND_US = 1_000_000

/** Maps the wall's time to a session's: virtual time begins with the clock and runs `speed` times as fast. */
export class WallClock {
  private declare readonly startUs: number
  private declare readonly speed: number
  private declare readonly beganMs: number

  /** @param beganMs reading of `wallMs` at which virtual time is `startUs`. */
  constructor(startUs: number, speed: number, beganMs: number) {
    this.startUs = startUs
    this.speed = speed
    this.beganMs = beganMs
  }

  /** The virtual instant of a reading of `wallMs`, whole µs. */
  virtualUs(wallMs: number): number {
    return this.startUs + Math.floor(Math.max(0, wallMs - this.beganMs) * MS_US * this.speed)
  }

  /** Time of the wall from a reading of it until a virtual instant, ms, 0 for an instant that is over. */
  msUntil(virtualUs: number, wallMs: number): number {
    return Math.max(0, this.beganMs + (virtualUs - this.startUs) / (MS_US * this.speed) - wallMs)
  }
}

/**
 * The reading of `wallMs` at which a session begins. At the wall's speed it is when the wall shows the session's first date, so that dates on
 * the wire stay those of the wall. That may be a little ahead, or over by as long as the session took to build.
 * @param now.dateMs the wall's date, ms since 1970, at the reading `now.readMs`.
 */
export const beginMs = (beginsUs: number, speed: number, now: { readonly dateMs: number; readonly readMs: number }): number =>
  (speed === 1 ? now.readMs + beginsUs / MS_US - now.dateMs : now.readMs)

/**
 * What moves dates so that those from `fromUs` on begin at the date `dateMs`, ms since 1970, or less than a second later, µs. Whole seconds stay
 * whole: terms that are signed have no others.
 */
export const shiftToUs = (fromUs: number, dateMs: number): number => Math.ceil((dateMs * MS_US - fromUs) / SECOND_US) * SECOND_US

/** Milliseconds of the wall that never go back, the same in every thread of the process. */
export const wallMs = (): number => Number(process.hrtime.bigint()) / 1e6
