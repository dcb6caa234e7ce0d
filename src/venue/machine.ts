import { assert } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import type { Image } from '../unit/snapshot.ts'
import { type Command, isOperators, type Venue } from './contract.ts'
import type { MachineState } from './machineState.ts'

/** Plays commands, and before each command the deadlines that are due by then. The subclass says what they do. */
export abstract class Machine<C extends Command, S extends MachineState> implements Venue<C> {
  protected declare readonly s: S

  constructor(state: S) {
    this.s = state
  }

  protected abstract play(command: C): void
  protected abstract runDeadline(rank: number, number: number): void

  apply(nowUs: number, command: C): void {
    const { s } = this
    assert(Number.isSafeInteger(nowUs) && nowUs >= s.nowUs, 'time falls')
    this.runDeadlines(isOperators(command.op) ? nowUs - 1 : nowUs)
    s.nowUs = nowUs
    s.cause = command.seq
    this.play(command)
    s.cause = NONE
  }

  pulse(nowUs: number): void {
    const { s } = this
    assert(Number.isSafeInteger(nowUs) && nowUs >= s.nowUs, 'time falls')
    this.runDeadlines(nowUs)
    s.nowUs = nowUs
  }

  nextDeadlineUs(): number {
    return this.s.deadlines.nextUs()
  }

  stateHash(): string {
    return this.s.hash()
  }

  snapshot(): Image {
    return this.s.snapshot()
  }

  restore(image: Image): void {
    this.s.restore(image)
  }

  /** Runs every deadline at or before `untilUs`, each at its own time, in the order of time, rank and number. */
  protected runDeadlines(untilUs: number): void {
    const { deadlines } = this.s
    while (!deadlines.isEmpty && deadlines.nextUs() <= untilUs) this.runNext()
  }

  /** Runs the earliest deadline. Precondition: there is one. */
  protected runNext(): void {
    const { s, s: { deadlines } } = this
    s.nowUs = deadlines.nextUs()
    const { rank, number } = deadlines
    deadlines.pop()
    this.runDeadline(rank, number)
  }
}
