import { NONE } from '../../../unit/none.ts'
import type { Row } from '../../../venue/eventCells.ts'
import type { EventRows } from '../../../venue/eventRows.ts'
import { ChannelBit } from '../../../venue/outcome/protocol/access.ts'
import { carries } from '../../../venue/outcome/protocol/streamEvents.ts'
import { eventFrame, newestOf, type SnapshotClasses, snapshotFrame } from '../../../venue/outcome/wire/streamFrames.ts'
import { operationBody, positionBody, quoteBody, rfqBody } from '../../../venue/outcome/wire/tradeBodies.ts'
import { MS_US } from '../../../unit/time.ts'
import type { Served } from '../served.ts'
import { type StreamEvent, StreamLog } from './streamLog.ts'

/** An open stream of an account's channels. */
interface AccountStream {
  readonly number: number
  readonly account: number
  /** ChannelBit mask. */
  readonly channels: number
  readonly tell: (text: string) => void
  /** Events of a stream that the gate has closed by now. The row that says so tells which of them went out before. */
  readonly held: { readonly seq: number; readonly text: string }[]
}

/** What the streams of `/v1/stream` tell: the state at their begin, or what came behind a cursor, and then each event. */
export class AccountStreams {
  private readonly open = new Map<number, AccountStream>()
  private declare readonly served: Served
  private declare readonly log: StreamLog

  constructor(served: Served, clients: ReadonlySet<number>) {
    this.served = served
    const backerOf = (rfq: number): number => served.records.rfqs.rfq(rfq)!.backer
    this.log = new StreamLog(clients, served.gateProfile.replayWindowMs * MS_US, (events, row) => JSON.stringify(eventFrame(served.names, events.rowCells(row), backerOf)))
  }

  add(number: number, account: number, channels: number, tell: (text: string) => void): void {
    this.open.set(number, { number, account, channels, tell, held: [] })
  }

  remove(number: number): void {
    this.open.delete(number)
  }

  /** Texts of the events behind a cursor. */
  after(cursor: number, channels: number, account: number): readonly string[] {
    return this.log.after(cursor, channels, account).map(({ text }) => text)
  }

  /** The state of an account as far as its channels tell it (OM-157, OM-166). */
  snapshot(cursor: number, channels: number, account: number): object {
    const { view, names, records, origins, gateProfile: { snapshotItemsMax } } = this.served
    const of = (numbers: readonly number[], bodyOf: (number: number) => object): readonly object[] => newestOf(numbers, snapshotItemsMax).map(bodyOf)
    const classes: SnapshotClasses = {
      ...((channels & ChannelBit.account) !== 0 && {
        rfqs: of(view.openRfqsOf(account), (rfq) => rfqBody(names, view.rfq(rfq)!, origins.rfqCreatedAtUs(rfq))),
        positions: of(view.positionsOf(account), (position) => positionBody(names, view.position(position)!)),
        operations: of(view.operationsOf(account), (operation) => operationBody(names, view.operation(operation)!)),
      }),
      ...((channels & ChannelBit.maker) !== 0 && { quotes: of(view.liveQuotesOf(account), (quote) => quoteBody(names, records.quote(quote)!)) }),
    }
    return snapshotFrame(cursor, classes)
  }

  /** Tells an event to the streams that the gate sent it to. Returns it, or null for a row that tells clients nothing. */
  take(events: EventRows, row: Row): StreamEvent | null {
    const event = this.log.take(events, row)
    if (event === null) return null
    const { gate } = this.served
    for (const stream of this.open.values()) {
      if (!carries(stream.channels, stream.account, event.account, event.maker)) continue
      const sentTo = gate.stream(stream.number)?.appliedCursor ?? NONE
      if (sentTo === NONE) stream.held.push(event)
      else if (event.seq <= sentTo) stream.tell(event.text)
    }
    return event
  }

  /** A stream was closed after the event `sentTo`: what it was sent before goes out. */
  closed(number: number, sentTo: number): void {
    const stream = this.open.get(number)
    for (const { seq, text } of stream?.held ?? []) if (seq <= sentTo) stream!.tell(text)
    this.open.delete(number)
  }
}
