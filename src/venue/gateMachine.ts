import type { Image } from '../unit/snapshot.ts'
import { NEVER_US } from '../unit/time.ts'
import { type Command, isOperators, type Venue } from './contract.ts'
import { Machine } from './machine.ts'
import type { MachineState } from './machineState.ts'

/** A gate around a venue that writes to the same event rows. It checks commands, hands them on, and takes note of the venue's rows. */
export abstract class GateMachine<C extends Command, V extends Venue<C>, S extends MachineState> extends Machine<C, S> {
  protected declare readonly venue: V

  constructor(venue: V, state: S) {
    super(state)
    this.venue = venue
  }

  /** Plays an operator's command. */
  protected abstract operate(command: C): void
  /** Answers a participant's or the world's command that fails a check, and plays the others. */
  protected abstract check(command: C): void
  /** Takes note of the venue's rows from `from` on. */
  protected abstract take(from: number): void

  protected override play(command: C): void {
    if (isOperators(command.op)) this.operate(command)
    else this.check(command)
  }

  protected handOn(command: C): void {
    const { s } = this
    const from = s.events.count
    this.venue.apply(s.nowUs, command)
    this.take(from)
  }

  override pulse(nowUs: number): void {
    super.pulse(nowUs)
    this.venue.pulse(nowUs)
  }

  override nextDeadlineUs(): number {
    return Math.min(this.venue.nextDeadlineUs(), this.s.deadlines.nextUs())
  }

  override stateHash(): string {
    return this.s.hash(this.venue.stateHash())
  }

  override snapshot(): Image {
    return { venue: this.venue.snapshot(), gate: this.s.snapshot() }
  }

  override restore(image: Image): void {
    const { venue, gate } = image as { readonly venue: Image; readonly gate: Image }
    this.venue.restore(venue)
    this.s.restore(gate)
  }

  /** Runs the venue's deadlines too. At one instant the venue's come before the gate's. */
  protected override runDeadlines(untilUs: number): void {
    const { s, s: { events, deadlines }, venue } = this
    for (;;) {
      const venueUs = venue.nextDeadlineUs()
      const nextUs = Math.min(venueUs, deadlines.nextUs())
      if (nextUs > untilUs || nextUs === NEVER_US) return
      if (venueUs === nextUs) {
        s.nowUs = venueUs
        const from = events.count
        venue.pulse(venueUs)
        this.take(from)
      } else this.runNext()
    }
  }
}
