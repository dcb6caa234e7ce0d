import { type Row, rowOfKind } from '../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../venue/eventRows.ts'
import { OutcomeEvent, type OutcomeKind, OutcomeResolved } from '../../venue/outcome/protocol/events.ts'
import { MarketResolved, ParlayEvent, type ParlayKind } from '../../venue/parlay/protocol/events.ts'

/** A market's result as a row tells it: its number, a MarketResult, and when. Null for any other row. */
export interface ToldResult {
  readonly market: number
  readonly value: number
  readonly atUs: number
}

export const resolvedIn = (service: 'parlay' | 'outcome', events: EventRows, row: Row): ToldResult | null =>
  (service === 'parlay' ? inParlay(events, row) : inOutcome(events, row))

function inParlay(events: EventRows, row: Row): ToldResult | null {
  const kind = events.kindOf(row) as ParlayKind
  if (kind !== ParlayEvent.marketResolved) return null
  const resolved = rowOfKind(row, kind)
  return { market: events.read(resolved, MarketResolved.market), value: events.read(resolved, MarketResolved.result), atUs: events.read(row, EventCell.atUs) }
}

function inOutcome(events: EventRows, row: Row): ToldResult | null {
  const kind = events.kindOf(row) as OutcomeKind
  if (kind !== OutcomeEvent.outcomeResolved) return null
  const resolved = rowOfKind(row, kind)
  return { market: events.read(resolved, OutcomeResolved.outcome), value: events.read(resolved, OutcomeResolved.result), atUs: events.read(row, EventCell.atUs) }
}
