const MS_US = 1000

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

/** Milliseconds of the wall that never go back, the same in every thread of the process. */
export const wallMs = (): number => Number(process.hrtime.bigint()) / 1e6
