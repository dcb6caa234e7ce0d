/** From one look at a thread that plays to the next, ms. */
export const LOOK_MS = 250
/** Time between two looks counts to this much at most: while this process was stopped, strategies were too. */
const COUNTED_MS_MAX = 2 * LOOK_MS
/** Time in which nobody works counts to this share, or to less where threads share cores, so that a strategy that waits for ever is over a limit at some time too. */
const IDLE_SHARE = 0.25

/** How long the threads of this process have worked, ms. */
export const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** What a {@link WorkClock} reads, ms: the wall's time, and how long was worked. */
export interface WorkReadings {
  wallMs(): number
  cpuMs(): number
  /** The part of the wall's time that whoever works can be sure of on a machine of its own: 1 unless threads share cores. */
  coreShare?(): number
}

const OF_THIS_PROCESS: WorkReadings = { wallMs: () => performance.now(), cpuMs }

/**
 * A clock for limits of what a strategy may take. It goes as the wall's while there is work done, by this process or as
 * its readings say, and slower while others take the machine, so that who is over a limit does not depend on them.
 */
export class WorkClock {
  private readonly readings: WorkReadings
  private wallMs: number
  private cpuMs: number
  private atMs = 0

  constructor(readings = OF_THIS_PROCESS) {
    this.readings = readings
    this.wallMs = readings.wallMs()
    this.cpuMs = readings.cpuMs()
  }

  /** Time on this clock since it was made, ms. It is as exact as it is asked often, and stands still from half a second after one asking to the next. */
  nowMs(): number {
    const [wallMs, workedMs] = [this.readings.wallMs(), this.readings.cpuMs()]
    const passedMs = Math.min(wallMs - this.wallMs, COUNTED_MS_MAX)
    this.atMs += Math.min(passedMs, Math.max(workedMs - this.cpuMs, passedMs * IDLE_SHARE * (this.readings.coreShare?.() ?? 1)))
    this.wallMs = wallMs
    this.cpuMs = workedMs
    return this.atMs
  }
}
