import { type Row, rowOfKind } from '../../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../venue/eventRows.ts'
import { ChannelBit } from '../../../venue/outcome/protocol/access.ts'
import { OutcomeEvent, type OutcomeKind, QuoteAccepted, RfqRow, StreamClosed, StreamHeartbeat } from '../../../venue/outcome/protocol/events.ts'
import { carries } from '../../../venue/outcome/protocol/streamEvents.ts'
import { heartbeatFrame } from '../../../venue/outcome/wire/streamFrames.ts'
import type { SeatMessage } from '../../serviceHandler.ts'
import type { RfqRecord } from '../records/rfqs.ts'
import type { Served } from '../served.ts'
import type { StreamEvent } from './streamLog.ts'

/** A socket on the stream that the session holds for the seat of a maker. */
export interface SeatStream {
  /** Of the seat's stream. */
  readonly number: number
  readonly account: number
  /** ChannelBit mask. */
  readonly channels: number
  readonly tell: (text: string) => void
  readonly close: (code: number) => void
}

const SEAT_CHANNELS = ChannelBit.account | ChannelBit.maker

/**
 * What makers' clients are told while virtual time waits for them, on the streams that the session holds for their seats. An RFQ and an
 * acceptance are told when their message has come down the way to the seat; all else when it happens.
 */
export class SeatStreams {
  private readonly open = new Set<SeatStream>()
  /** Frames of RFQs by number, and of acceptances by their quote, which is accepted once, as long as the venue knows the RFQ. */
  private readonly rfqs = new Map<number, string>()
  private readonly acceptances = new Map<number, string>()
  private declare readonly served: Served
  private declare readonly makers: ReadonlySet<number>
  /** Seq of the newest row. */
  newest = 0

  /** @param makers accounts of the clients' makers. */
  constructor(served: Served, makers: ReadonlySet<number>) {
    this.served = served
    this.makers = makers
  }

  isMaker(account: number): boolean {
    return this.makers.has(account)
  }

  /** Adds a socket to the stream of its seat; null where the seat has no stream now. */
  add(account: number, channels: number, { tell, close }: Pick<SeatStream, 'tell' | 'close'>): SeatStream | null {
    const { gate } = this.served
    const number = gate.streamsOf(account).find((one) => gate.stream(one)!.channels === SEAT_CHANNELS)
    if (number === undefined) return null
    const stream = { number, account, channels, tell, close }
    this.open.add(stream)
    return stream
  }

  remove(stream: SeatStream): void {
    this.open.delete(stream)
  }

  /** The venue knows an RFQ no longer. */
  rfqPast({ number, quotes }: Pick<RfqRecord, 'number' | 'quotes'>): void {
    this.rfqs.delete(number)
    for (const quote of quotes) this.acceptances.delete(quote)
  }

  /** Every row of the service; `event` is what it tells streams, null where it tells them nothing. */
  take(events: EventRows, row: Row, event: StreamEvent | null): void {
    this.newest = events.read(row, EventCell.seq)
    const kind = events.kindOf(row) as OutcomeKind
    switch (kind) {
      case OutcomeEvent.rfqCreated: return void this.rfqs.set(events.read(rowOfKind(row, kind), RfqRow.rfq), event!.text)
      case OutcomeEvent.quoteAccepted: {
        const accepted = rowOfKind(row, kind)
        if (event !== null && this.makers.has(event.maker)) this.acceptances.set(events.read(accepted, QuoteAccepted.quote), event.text)
        return
      }
      case OutcomeEvent.streamHeartbeat: {
        const beat = rowOfKind(row, kind)
        const text = JSON.stringify(heartbeatFrame(this.served.identity, events.read(beat, StreamHeartbeat.newestCursor), events.read(row, EventCell.atUs)))
        return this.tell(({ number }) => number === events.read(beat, StreamHeartbeat.stream), text)
      }
      case OutcomeEvent.streamClosed: {
        const closed = rowOfKind(row, kind)
        const number = events.read(closed, StreamClosed.stream)
        for (const stream of this.open) if (stream.number === number) stream.close(events.read(closed, StreamClosed.reason))
        return
      }
      default: if (event !== null) this.tell(({ channels, account }) => carries(channels, account, event.account, event.maker), event.text)
    }
  }

  /** A message has reached the seat of an account. */
  told(account: number, { kind, view }: SeatMessage): void {
    switch (kind) {
      case 'onRequest': return this.tellMaker(account, this.rfqs.get(view.request))
      case 'onCashOut': return this.tellMaker(account, this.rfqs.get(view.auction))
      case 'onSelected': case 'onBidTaken': {
        this.tellMaker(account, this.acceptances.get(view.quote))
        this.acceptances.delete(view.quote)
      }
    }
  }

  private tellMaker(account: number, text: string | undefined): void {
    if (text !== undefined) this.tell((stream) => stream.account === account && (stream.channels & ChannelBit.maker) !== 0, text)
  }

  private tell(isTold: (stream: SeatStream) => boolean, text: string): void {
    for (const stream of this.open) if (isTold(stream)) stream.tell(text)
  }
}
