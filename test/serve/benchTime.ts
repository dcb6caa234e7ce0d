import type { Session } from '../../src/engine/session.ts'

/** The time of a session in memory, which passes when a test says so, and what is to happen at instants of it. */
export abstract class BenchTime {
  abstract readonly session: Session
  nowUs: number
  private readonly timers: { readonly atUs: number; readonly run: () => void }[] = []

  constructor(startUs: number) {
    this.nowUs = startUs
  }

  later(atUs: number, run: () => void): void {
    this.timers.push({ atUs, run })
  }

  /** Plays until `us` later. */
  pass(us: number): void {
    const untilUs = this.nowUs + us
    for (;;) {
      const due = this.timers.filter(({ atUs }) => atUs <= untilUs).toSorted((a, b) => a.atUs - b.atUs)[0]
      this.play(due === undefined ? untilUs : Math.max(this.nowUs, due.atUs))
      if (due === undefined) return
      this.timers.splice(this.timers.indexOf(due), 1)
      due.run()
    }
  }

  private play(untilUs: number): void {
    this.session.standAt(untilUs)
    while (this.session.run(64));
    this.nowUs = untilUs
  }
}
