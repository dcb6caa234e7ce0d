import type { PublishedResults } from '../../src/market/publishedResults.ts'
import type { Sink } from '../../src/record/sink.ts'
import { rowAs } from '../../src/venue/eventCells.ts'
import { EventCell } from '../../src/venue/eventRows.ts'
import { MarketResolved, ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'

/** Results as a client hears of them: when a row tells them. */
export const hearing = (results: PublishedResults): Sink => ({
  flush({ parlay }) {
    const { events } = parlay!
    for (let i = 0; i < events.count; i++) {
      const row = events.row(i)
      if (events.kindOf(row) !== ParlayEvent.marketResolved) continue
      const resolved = rowAs(MarketResolved, row)
      results.publish(events.read(resolved, MarketResolved.market), events.read(resolved, MarketResolved.result), events.read(row, EventCell.atUs))
    }
  },
  finish: () => {}, abort: () => {},
})
