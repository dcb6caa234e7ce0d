import { Session } from '../src/engine/session.ts'
import type { ServiceName, SessionConfig } from '../src/engine/config.ts'
import type { Batch, Sink } from '../src/record/sink.ts'
import { Field, NONE } from '../src/venue/eventRows.ts'
import { OutcomeEvent } from '../src/venue/outcome/protocol/events.ts'
import { ParlayEvent } from '../src/venue/parlay/protocol/events.ts'

/** What became of a workload's requests: the shape in which ours and the peers' are alike. */
export interface Shares {
  readonly requests: number
  /** Of the requests. A request that was missed may also have lapsed: it counts as missed alone. */
  readonly lapse: number
  readonly miss: number
  readonly trade: number
  /** Of the traded. */
  readonly auctioned: number
  /** Of the auctioned. */
  readonly sold: number
}

interface Ends {
  readonly requests: number
  readonly traded: number
  readonly missed: number
  readonly auctions: number
  readonly sales: number
}

export function sharesOf({ requests, traded, missed, auctions, sales }: Ends): Shares {
  const trade = traded / requests
  const miss = missed / requests
  return { requests, lapse: 1 - trade - miss, miss, trade, auctioned: auctions / traded, sold: sales / auctions }
}

/** Of the line that the peers print: `open` are the positions opened, and each auction of theirs, `cash`, is sold. */
export function peerShares(line: Readonly<Record<string, number>>): Shares {
  const { n, miss, open, cash } = line as Record<'n' | 'miss' | 'open' | 'cash', number>
  return sharesOf({ requests: n, traded: open, missed: miss, auctions: cash, sales: cash })
}

/** Counts rows by kind; those of the outcome service's cash-out RFQs, which name a position, are left out. */
class RowCounts implements Sink {
  readonly ofKind = new Float64Array(128)

  flush({ parlay, outcome }: Batch): void {
    const { events } = (parlay ?? outcome)!
    for (let row = 0; row < events.count; row++) {
      if (outcome === null || events.get(row, Field.position) === NONE) this.ofKind[events.get(row, Field.kind)]!++
    }
  }

  finish(): void {}
  abort(): void {}
}

const KINDS: Readonly<Record<ServiceName, { readonly traded: number; readonly missed: number }>> = {
  parlay: { traded: ParlayEvent.requestCommitted, missed: ParlayEvent.quoteFailed },
  outcome: { traded: OutcomeEvent.rfqFilled, missed: OutcomeEvent.quoteFailed },
}

/** Plays a session to its end and counts. */
export function playedShares(config: SessionConfig, service: ServiceName): Shares {
  const rows = new RowCounts()
  const session = new Session({ ...config, sinks: [rows] })
  session.runToEnd()
  const { arrivals, auctions, sales } = session.counts
  const { traded, missed } = KINDS[service]
  return sharesOf({ requests: arrivals, traded: rows.ofKind[traded]!, missed: rows.ofKind[missed]!, auctions, sales })
}
