import type { Image } from '../../../src/unit/snapshot.ts'
import { NEVER_US } from '../../../src/unit/time.ts'
import { type EventRows, Field } from '../../../src/venue/eventRows.ts'
import { ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import type { ParlayView } from '../../../src/venue/parlay/protocol/view.ts'
import type { ParlayVenue } from '../../../src/venue/parlay/venue.ts'
import { GateDriver, T0 } from './gateDriver.ts'

export type ScriptRow = readonly [event: keyof typeof ParlayEvent, account: number, other?: number]

/** A venue that writes the rows it is told to: `now` at its next command, `due` at its deadline. */
class ScriptVenue implements ParlayVenue {
  readonly view = {} as ParlayView
  now: readonly ScriptRow[] = []
  due: readonly ScriptRow[] = []
  dueUs: number = NEVER_US
  private readonly events: EventRows

  constructor(events: EventRows) {
    this.events = events
  }

  apply(nowUs: number, command: { seq: number; op: number }): void {
    this.write(nowUs, this.now, command.seq)
    this.now = []
    this.events.open(nowUs, ParlayEvent.reply, command.seq)
    this.events.set(Field.code, 0)
    this.events.set(Field.amountA, command.op)
  }

  nextDeadlineUs(): number {
    return this.dueUs
  }

  pulse(nowUs: number): void {
    if (this.dueUs > nowUs) return
    this.write(this.dueUs, this.due, -1)
    this.dueUs = NEVER_US
  }

  stateHash(): string {
    return ''
  }

  snapshot(): Image {
    return null
  }

  restore(): void {}

  private write(atUs: number, rows: readonly ScriptRow[], cause: number): void {
    for (const [event, account, other = -1] of rows) {
      this.events.open(atUs, ParlayEvent[event], cause)
      this.events.set(Field.account, account)
      this.events.set(Field.other, other)
    }
  }
}

/** A gate before a venue that writes what the test scripts. */
export class ScriptDriver extends GateDriver {
  private readonly script: ScriptVenue

  constructor() {
    let script: ScriptVenue | undefined
    super({}, (events) => (script = new ScriptVenue(events)))
    this.script = script!
  }

  /** The operator's next command, at the present instant, makes these rows. */
  happen(...rows: ScriptRow[]): this {
    this.script.now = rows
    this.send('setFees', 0)
    return this
  }

  /** A deadline at `offsetUs` makes these rows. */
  plan(offsetUs: number, ...rows: ScriptRow[]): this {
    this.script.dueUs = T0 + offsetUs
    this.script.due = rows
    return this
  }
}
