import { NEVER_US } from '../../unit/time.ts'

interface Timer {
  readonly atUs: number
  readonly run: () => void
}

/** What is to be done at instants of a session. What is due at one instant is done in the order in which it was asked for. */
export class Timers {
  /** By instant, the earliest last. */
  private readonly waiting: Timer[] = []

  get nextUs(): number {
    return this.waiting.at(-1)?.atUs ?? NEVER_US
  }

  add(atUs: number, run: () => void): void {
    let place = this.waiting.length
    while (place > 0 && this.waiting[place - 1]!.atUs <= atUs) place--
    this.waiting.splice(place, 0, { atUs, run })
  }

  /** Takes out what is due by `atUs`, in order. */
  *take(atUs: number): Generator<() => void> {
    while (this.nextUs <= atUs) yield this.waiting.pop()!.run
  }
}
