import type { Row } from '../../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../venue/eventRows.ts'
import { type Addressees, addressees, carries, EVERY_MAKER } from '../../../venue/outcome/protocol/streamEvents.ts'
import { NONE } from '../../../unit/none.ts'

/** An event as its streams tell it. */
export interface StreamEvent extends Readonly<Addressees> {
  readonly seq: number
  readonly atUs: number
  readonly text: string
}

/** The events that clients may be told, as long as a stream can go on from before them (OM-155). */
export class StreamLog {
  private events: StreamEvent[] = []
  private first = 0
  private declare readonly clients: ReadonlySet<number>
  private declare readonly keptUs: number
  private declare readonly textOf: (events: EventRows, row: Row) => string
  private readonly to: Addressees = { account: NONE, maker: NONE }

  /** @param textOf the frame of a row. */
  constructor(clients: ReadonlySet<number>, keptUs: number, textOf: (events: EventRows, row: Row) => string) {
    this.clients = clients
    this.keptUs = keptUs
    this.textOf = textOf
  }

  /** Returns the event of a row, or null for a row that tells clients nothing. */
  take(events: EventRows, row: Row): StreamEvent | null {
    const { to, clients } = this
    if (!addressees(events, row, to)) return null
    if (to.maker !== EVERY_MAKER && !clients.has(to.account) && !clients.has(to.maker)) return null
    const event = { seq: events.read(row, EventCell.seq), atUs: events.read(row, EventCell.atUs), account: to.account, maker: to.maker, text: this.textOf(events, row) }
    this.events.push(event)
    this.forget(event.atUs)
    return event
  }

  /** Events after a cursor that a stream of the account with these channels carries, ascending. Precondition: the gate goes on from the cursor. */
  after(cursor: number, channels: number, account: number): readonly StreamEvent[] {
    return this.events.slice(this.first).filter((event) => event.seq > cursor && carries(channels, account, event.account, event.maker))
  }

  private forget(nowUs: number): void {
    while (this.events[this.first]!.atUs + this.keptUs <= nowUs) this.first++
    if (this.first < this.events.length / 2) return
    this.events = this.events.slice(this.first)
    this.first = 0
  }
}
