import { Session } from '../src/engine/session.ts'
import type { SessionConfig } from '../src/engine/config.ts'
import type { Batch, Sink } from '../src/record/sink.ts'
import { NONE } from '../src/unit/none.ts'
import { rowOfKind } from '../src/venue/eventCells.ts'
import { type EventRows } from '../src/venue/eventRows.ts'
import { OutcomeEvent, type OutcomeKind, QuoteRow, RfqRow } from '../src/venue/outcome/protocol/events.ts'
import { ParlayEvent, type ParlayKind, QuoteFailed, RequestCreated, RequestEnded } from '../src/venue/parlay/protocol/events.ts'

/** What became of a workload's requests. Ours and the peers' must be alike in this. */
export interface Shares {
  readonly requests: number
  /** Shares of the requests. Each counts once: as traded, or else as missed, or else as lapsed. */
  readonly lapse: number
  readonly miss: number
  readonly trade: number
  /** The share of traded positions that is auctioned. */
  readonly auctioned: number
  /** The share of auctioned positions that is sold. */
  readonly sold: number
}

interface Ends {
  readonly requests: number
  readonly lapsed: number
  readonly traded: number
  readonly missed: number
  readonly auctions: number
  readonly sales: number
}

export const sharesOf = ({ requests, lapsed, missed, traded, auctions, sales }: Ends): Shares => ({
  requests, lapse: lapsed / requests, miss: missed / requests, trade: traded / requests,
  auctioned: auctions / traded, sold: sales / auctions,
})

/** The shares of the line that the peers print: `open` are the positions opened, and each auction of theirs, `cash`, is sold. */
export function peerShares(line: Readonly<Record<string, number>>): Shares {
  const { n, miss, open, cash } = line as Record<'n' | 'miss' | 'open' | 'cash', number>
  return sharesOf({ requests: n, lapsed: n - open - miss, traded: open, missed: miss, auctions: cash, sales: cash })
}

/** How a request ended. Of several ends the greatest counts, because a missed request may be offered again and trade. */
const End = { lapsed: 1, missed: 2, traded: 3 } as const

/** How each request of a session on one service ended. Cash-out RFQs of the outcome service, which name a position, do not count. */
export class RequestEnds implements Sink {
  /** By request number. */
  private readonly ends = new Map<number, number>()

  flush({ parlay, outcome }: Batch): void {
    if (parlay !== null) this.takeParlay(parlay.events)
    if (outcome !== null) this.takeOutcome(outcome.events)
  }

  private takeParlay(events: EventRows): void {
    for (let i = 0; i < events.count; i++) {
      const row = events.row(i)
      const kind = events.kindOf(row) as ParlayKind
      switch (kind) {
        case ParlayEvent.requestCreated: this.note(events.read(rowOfKind(row, kind), RequestCreated.request), End.lapsed); break
        case ParlayEvent.quoteFailed: this.note(events.read(rowOfKind(row, kind), QuoteFailed.request), End.missed); break
        case ParlayEvent.requestCommitted: this.note(events.read(rowOfKind(row, kind), RequestEnded.request), End.traded)
      }
    }
  }

  private takeOutcome(events: EventRows): void {
    for (let i = 0; i < events.count; i++) {
      const row = events.row(i)
      const kind = events.kindOf(row) as OutcomeKind
      switch (kind) {
        case OutcomeEvent.rfqCreated: this.noteEntry(events.read(rowOfKind(row, kind), RfqRow.rfq), events.read(rowOfKind(row, kind), RfqRow.position), End.lapsed); break
        case OutcomeEvent.quoteFailed: this.noteEntry(events.read(rowOfKind(row, kind), QuoteRow.rfq), events.read(rowOfKind(row, kind), QuoteRow.position), End.missed); break
        case OutcomeEvent.rfqFilled: this.noteEntry(events.read(rowOfKind(row, kind), RfqRow.rfq), events.read(rowOfKind(row, kind), RfqRow.position), End.traded)
      }
    }
  }

  finish(): void {}
  abort(): void {}

  counts(): Pick<Ends, 'lapsed' | 'missed' | 'traded'> {
    const ofEnd = [0, 0, 0, 0]
    for (const end of this.ends.values()) ofEnd[end]!++
    return { lapsed: ofEnd[End.lapsed]!, missed: ofEnd[End.missed]!, traded: ofEnd[End.traded]! }
  }

  private noteEntry(rfq: number, position: number, end: number): void {
    if (position === NONE) this.note(rfq, end)
  }

  private note(request: number, end: number): void {
    if (end > (this.ends.get(request) ?? 0)) this.ends.set(request, end)
  }
}

/** Plays a session to its end and counts. */
export function playedShares(config: SessionConfig): Shares {
  const ends = new RequestEnds()
  const session = new Session({ ...config, sinks: [ends] })
  session.runToEnd()
  const { arrivals, auctions, sales } = session.counts
  return sharesOf({ requests: arrivals, ...ends.counts(), auctions, sales })
}
