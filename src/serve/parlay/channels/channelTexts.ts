import type { KindOf } from '../../../venue/eventCells.ts'
import { readCell } from '../../../venue/eventRows.ts'
import { RequestCreated, RequestState } from '../../../venue/parlay/protocol/events.ts'
import type { WireIdentity } from '../../../venue/parlay/wire/identity.ts'
import { legsOfRow, type NameOf } from '../../../venue/parlay/wire/legBody.ts'
import { cashOutBroadcast } from '../../../venue/parlay/wire/positionBody.ts'
import { type QuoteRequestBody, quoteRequestBody } from '../../../venue/parlay/wire/quoteRequestBody.ts'
import { makerQuoteAcceptedFrame, quoteAcceptedFrame } from '../../../venue/parlay/wire/socketFrames.ts'
import { bestQuoteData, streamText } from '../../../venue/parlay/wire/streamEvents.ts'
import type { InputLegs } from '../inputLegs.ts'
import { type KeptRow, seqOf } from '../../keptRow.ts'
import type { SelectedTiding, StreamTiding } from './tidings.ts'

/** Events whose texts are kept. Makers hear of one at different instants. */
const EVENTS_KEPT = 1024

/** Renders what channels tell: events of the streams, frames of the socket. */
export class ChannelTexts {
  private declare readonly identity: WireIdentity
  private declare readonly nameOf: NameOf
  private declare readonly inputLegs: InputLegs
  /** The texts that were asked for last: one for all streams that tell of it. */
  private readonly events: ({ readonly tiding: StreamTiding; readonly text: string } | undefined)[] = Array.from({ length: EVENTS_KEPT }, () => undefined)

  constructor(identity: WireIdentity, nameOf: NameOf, inputLegs: InputLegs) {
    this.identity = identity
    this.nameOf = nameOf
    this.inputLegs = inputLegs
  }

  /** One event of the stream (PQ-331, PQ-332, PQ-336). */
  event(tiding: StreamTiding): string {
    const place = seqOf(tiding.row) % EVENTS_KEPT
    const kept = this.events[place]
    if (kept !== undefined && kept.tiding === tiding) return kept.text
    const text = this.textOf(tiding)
    this.events[place] = { tiding, text }
    return text
  }

  private textOf(tiding: StreamTiding): string {
    switch (tiding.kind) {
      case 'request': return streamText('quote_request', tiding.row, this.request(tiding.row))
      case 'best': return streamText('best_quote', tiding.row, bestQuoteData(this.identity, tiding.row))
      default: return streamText('cashout_request', tiding.row, cashOutBroadcast(this.identity, tiding.row))
    }
  }

  /** The frames of a selection, in order (PQ-334, PQ-335). */
  frames({ row }: SelectedTiding): readonly string[] {
    return [quoteAcceptedFrame(this.identity, row), makerQuoteAcceptedFrame(this.identity, row, this.nameOf)].map((frame) => JSON.stringify(frame))
  }

  private request(row: KeptRow<KindOf<typeof RequestCreated>>): QuoteRequestBody {
    const number = readCell(row, RequestCreated.request)
    const version = readCell(row, RequestCreated.version)
    return quoteRequestBody(this.identity, {
      number, version, owner: readCell(row, RequestCreated.owner), state: RequestState.active, bookSeq: readCell(row, RequestCreated.bookSeq),
      betMicros: readCell(row, RequestCreated.betMicros), expiresAtUs: readCell(row, RequestCreated.expiresAtUs), legs: legsOfRow(row),
    }, this.nameOf, this.inputLegs.of(number, version))
  }
}
