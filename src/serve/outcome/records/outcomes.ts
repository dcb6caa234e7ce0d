import { type KindOf, type Row, rowOfKind } from '../../../venue/eventCells.ts'
import type { EventRows } from '../../../venue/eventRows.ts'
import { OutcomeChanged, OutcomeEvent, type OutcomeKind, OutcomeListed } from '../../../venue/outcome/protocol/events.ts'
import type { MarketStatus } from '../../../venue/outcome/wire/marketBody.ts'

interface Listing {
  closeUs: number
  status: Exclude<MarketStatus, 'CLOSED'>
}

/** Outcomes as their rows tell them. */
export class OutcomeMarkets {
  private readonly listings = new Map<number, Listing>()

  /** Numbers of all that were ever listed, ascending. */
  get numbers(): readonly number[] {
    return [...this.listings.keys()].toSorted((a, b) => a - b)
  }

  /** Null for one that the service does not know. */
  at(outcome: number, nowUs: number): { readonly status: MarketStatus; readonly closesAtUs: number } | null {
    const listing = this.listings.get(outcome)
    if (listing === undefined) return null
    const { status, closeUs } = listing
    return { status: (status === 'LISTED' || status === 'HALTED') && nowUs >= closeUs ? 'CLOSED' : status, closesAtUs: closeUs }
  }

  take(events: EventRows, row: Row): void {
    const kind = events.kindOf(row) as OutcomeKind
    switch (kind) {
      case OutcomeEvent.outcomeListed: {
        const listed = rowOfKind(row, kind)
        this.listings.set(events.read(listed, OutcomeListed.outcome), { closeUs: events.read(listed, OutcomeListed.closeUs), status: 'LISTED' })
        break
      }
      case OutcomeEvent.outcomeHalted: return this.change(events, rowOfKind(row, kind), 'HALTED')
      case OutcomeEvent.outcomeResumed: return this.change(events, rowOfKind(row, kind), 'LISTED')
      case OutcomeEvent.outcomeDelisted: return this.change(events, rowOfKind(row, kind), 'DELISTED')
      case OutcomeEvent.outcomeResolved: return this.change(events, rowOfKind(row, kind), 'RESOLVED')
      default:
    }
  }

  private change(events: EventRows, row: Row<KindOf<typeof OutcomeChanged>>, status: Listing['status']): void {
    this.listings.get(events.read(row, OutcomeChanged.outcome))!.status = status
  }
}
