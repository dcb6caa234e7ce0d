import type { PublishedResults } from '../../src/market/publishedResults.ts'
import type { Sink } from '../../src/record/sink.ts'
import { rowOfKind } from '../../src/venue/eventCells.ts'
import { EventCell, type EventRows } from '../../src/venue/eventRows.ts'
import { OutcomeEvent, type OutcomeKind, OutcomeResolved } from '../../src/venue/outcome/protocol/events.ts'
import { MarketResolved, ParlayEvent, type ParlayKind } from '../../src/venue/parlay/protocol/events.ts'

/** Results as a client hears of them: when a row tells them. */
export const hearing = (results: PublishedResults): Sink => ({
  flush({ parlay, outcome }) {
    if (parlay !== null) hearParlay(results, parlay.events)
    if (outcome !== null) hearOutcome(results, outcome.events)
  },
  finish: () => {}, abort: () => {},
})

function hearParlay(results: PublishedResults, events: EventRows): void {
  for (let i = 0; i < events.count; i++) {
    const row = events.row(i)
    const kind = events.kindOf(row) as ParlayKind
    if (kind !== ParlayEvent.marketResolved) continue
    const resolved = rowOfKind(row, kind)
    results.publish(events.read(resolved, MarketResolved.market), events.read(resolved, MarketResolved.result), events.read(row, EventCell.atUs))
  }
}

function hearOutcome(results: PublishedResults, events: EventRows): void {
  for (let i = 0; i < events.count; i++) {
    const row = events.row(i)
    const kind = events.kindOf(row) as OutcomeKind
    if (kind !== OutcomeEvent.outcomeResolved) continue
    const resolved = rowOfKind(row, kind)
    results.publish(events.read(resolved, OutcomeResolved.outcome), events.read(resolved, OutcomeResolved.result), events.read(row, EventCell.atUs))
  }
}
