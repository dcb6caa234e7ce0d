import { NONE } from '../../../unit/none.ts'
import { type KindOf, type Row, rowAs, rowOfKind } from '../../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../venue/eventRows.ts'
import {
  BestQuoteChanged, CashOutRfqCreated, OutcomeEvent, type OutcomeKind, QuoteAccepted, QuoteRow, RfqCreated, RfqRow, RfqState,
} from '../../../venue/outcome/protocol/events.ts'
import type { OutcomeLegView, RfqView } from '../../../venue/outcome/protocol/view.ts'

/** An RFQ as its rows tell it. */
export interface RfqRecord extends RfqView {
  /** Of a cash-out the maker that backs the position, else −1. */
  readonly backer: number
  /** Of a cash-out the rate of its position, else that of its creation, basis points. */
  readonly feeBps: number
  /** Its quotes. */
  readonly quotes: number[]
  /** When it ended last, µs; −1 while it is open or in flight. */
  endedAtUs: number
}

const STATE_OF_END: Readonly<Record<number, number>> = {
  [OutcomeEvent.rfqClosed]: RfqState.closed, [OutcomeEvent.rfqCancelled]: RfqState.cancelled, [OutcomeEvent.rfqFilled]: RfqState.filled,
}

/** Legs of a row that lists them. */
export function legsOf(events: EventRows, row: Row): OutcomeLegView[] {
  const list = events.list(row)
  return Array.from({ length: list.length / 2 }, (_, i) => ({ outcome: list[2 * i]!, side: list[2 * i + 1]! }))
}

/** RFQs as their rows tell them. */
export class RfqRecords {
  private readonly rfqs = new Map<number, RfqRecord>()
  private readonly ofOwner = new Map<number, number[]>()
  private declare readonly kept: ReadonlySet<number>

  /** @param kept accounts whose RFQs are listed. */
  constructor(kept: ReadonlySet<number>) {
    this.kept = kept
  }

  rfq(number: number): RfqRecord | null {
    return this.rfqs.get(number) ?? null
  }

  /** Numbers of the account's RFQs, ascending. */
  of(account: number): readonly number[] {
    return this.ofOwner.get(account) ?? []
  }

  /** Takes a row about an RFQ and passes over others. Returns the RFQ that it ended, or null. */
  take(events: EventRows, row: Row): RfqRecord | null {
    const kind = events.kindOf(row) as OutcomeKind
    switch (kind) {
      case OutcomeEvent.rfqCreated:
        this.create(events, rowOfKind(row, kind))
        return null
      case OutcomeEvent.rfqClosed: case OutcomeEvent.rfqCancelled: case OutcomeEvent.rfqFilled: return this.end(events, rowOfKind(row, kind), STATE_OF_END[kind]!)
      case OutcomeEvent.quoteAccepted: {
        const rfq = this.rfqs.get(events.read(rowOfKind(row, kind), QuoteRow.rfq))!
        rfq.state = RfqState.inFlight
        rfq.acceptedQuote = events.read(rowOfKind(row, kind), QuoteAccepted.quote)
        rfq.endedAtUs = NONE
        return null
      }
      case OutcomeEvent.quoteFailed: return this.fail(events, rowOfKind(row, kind))
      case OutcomeEvent.bestQuoteChanged: {
        const best = rowOfKind(row, kind)
        this.rfqs.get(events.read(best, BestQuoteChanged.rfq))!.bestQuote = events.read(best, BestQuoteChanged.quote)
        return null
      }
      default: return null
    }
  }

  forget({ number }: RfqRecord): void {
    this.rfqs.delete(number)
  }

  private create(events: EventRows, row: Row<'outcome.rfqCreated'>): void {
    const sale = rowAs(CashOutRfqCreated, row)
    const number = events.read(row, RfqRow.rfq)
    const owner = events.read(row, RfqRow.owner)
    const position = events.read(row, RfqRow.position)
    const isEntry = position === NONE
    this.rfqs.set(number, {
      number, owner, state: RfqState.open, generation: events.read(row, RfqRow.generation), position,
      stakeMicros: isEntry ? events.read(row, RfqCreated.betMicros) : NONE, netStakeMicros: isEntry ? events.read(row, RfqCreated.netStakeMicros) : NONE,
      openUntilUs: events.read(row, RfqCreated.openUntilUs), legs: legsOf(events, row), acceptedQuote: NONE, bestQuote: NONE,
      backer: isEntry ? NONE : events.read(sale, CashOutRfqCreated.backer), feeBps: events.read(row, RfqCreated.profitFeeBps), quotes: [], endedAtUs: NONE,
    })
    if (!this.kept.has(owner)) return
    const own = this.ofOwner.get(owner)
    if (own === undefined) this.ofOwner.set(owner, [number])
    else own.push(number)
  }

  private end(events: EventRows, row: Row<KindOf<typeof RfqRow>>, state: number): RfqRecord {
    const rfq = this.rfqs.get(events.read(row, RfqRow.rfq))!
    rfq.state = state
    rfq.acceptedQuote = NONE
    rfq.generation = events.read(row, RfqRow.generation)
    rfq.endedAtUs = events.read(row, EventCell.atUs)
    return rfq
  }

  /** An acceptance has failed: the RFQ is open again, or closed when its window is over by then. */
  private fail(events: EventRows, row: Row<KindOf<typeof QuoteRow>>): RfqRecord | null {
    const rfq = this.rfqs.get(events.read(row, QuoteRow.rfq))!
    rfq.generation = events.read(row, QuoteRow.generation)
    rfq.acceptedQuote = NONE
    const atUs = events.read(row, EventCell.atUs)
    rfq.state = atUs < rfq.openUntilUs ? RfqState.open : RfqState.closed
    if (rfq.state === RfqState.open) return null
    rfq.endedAtUs = atUs
    return rfq
  }
}
