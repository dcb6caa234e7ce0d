import type { Image } from '../../../src/unit/snapshot.ts'
import { NEVER_US } from '../../../src/unit/time.ts'
import type { EventRows } from '../../../src/venue/eventRows.ts'
import { ParlayEvent, Reply } from '../../../src/venue/parlay/protocol/events.ts'
import type { ParlayView } from '../../../src/venue/parlay/protocol/view.ts'
import type { ParlayVenue } from '../../../src/venue/parlay/venue.ts'
import { cellNamed } from '../namedCells.ts'
import { kindNames } from './cellNames.ts'
import { GateDriver, T0 } from './gateDriver.ts'

/** What the accounts of a row are called, by its kind. */
const PARTIES = {
  positionOpened: ['holder', 'backer'], positionSettled: ['holder', 'backer'], settlementDelayed: ['holder', 'backer'],
  positionBoughtBack: ['holder', 'backer'], positionCancelled: ['owner', 'backer'], positionTransferred: ['seller', 'buyer'],
  statusChanged: ['owner'], fundsDeposited: ['account'], fundsWithdrawn: ['account'],
} as const

/** A row about these accounts; a second one is written where its kind names two. */
export type ScriptRow = readonly [event: keyof typeof PARTIES, account: number, other?: number]

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
    const row = this.events.open(nowUs, ParlayEvent.reply, command.seq)
    this.events.write(row, Reply.code, 0)
    this.events.write(row, Reply.op, command.op)
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
    for (const [event, ...accounts] of rows) {
      const row = this.events.open(atUs, ParlayEvent[event], cause)
      for (const [i, name] of PARTIES[event].entries()) this.events.write(row, cellNamed(kindNames(ParlayEvent[event]), name), accounts[i] ?? -1)
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
