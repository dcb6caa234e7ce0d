import type { MarketStatus } from '../../../market/marketList.ts'
import { type KindOf, type Row, rowOfKind } from '../../../venue/eventCells.ts'
import type { EventRows } from '../../../venue/eventRows.ts'
import { MarketChanged, MarketListed, ParlayEvent, type ParlayKind } from '../../../venue/parlay/protocol/events.ts'
import type { MarketState } from '../legErrors.ts'

interface Listing {
  readonly closeUs: number
  readonly keys: readonly number[]
  isListed: boolean
  isHalted: boolean
  isResolved: boolean
}

/** Markets as their rows tell them: what a refusal of legs is explained by, and what the list of markets shows. */
export class MarketRecords {
  private readonly listings = new Map<number, Listing>()

  take(events: EventRows, row: Row): void {
    const kind = events.kindOf(row) as ParlayKind
    switch (kind) {
      case ParlayEvent.marketListed: {
        const listed = rowOfKind(row, kind)
        this.listings.set(events.read(listed, MarketListed.market), {
          closeUs: events.read(listed, MarketListed.closeUs), keys: [...events.list(row)], isListed: true, isHalted: false, isResolved: false,
        })
        break
      }
      case ParlayEvent.marketHalted:
        this.change(events, rowOfKind(row, kind), { isHalted: true })
        break
      case ParlayEvent.marketResumed:
        this.change(events, rowOfKind(row, kind), { isHalted: false })
        break
      case ParlayEvent.marketDelisted:
        this.change(events, rowOfKind(row, kind), { isListed: false })
        break
      case ParlayEvent.marketResolved:
        this.change(events, rowOfKind(row, kind), { isResolved: true })
        break
      default:
    }
  }

  private change(events: EventRows, row: Row<KindOf<typeof MarketChanged>>, change: Partial<Listing>): void {
    const listing = this.listings.get(events.read(row, MarketChanged.market))
    if (listing !== undefined) Object.assign(listing, change)
  }

  /** What the list of markets says of one. One that the venue does not know yet is not listed. */
  statusOf(market: number): MarketStatus {
    const listing = this.listings.get(market)
    if (listing === undefined || !listing.isListed) return 'delisted'
    return listing.isResolved ? 'resolved' : listing.isHalted ? 'halted' : 'open'
  }

  /** The markets as they are at an instant. */
  at(nowUs: number): MarketState {
    const { listings } = this
    return {
      isListed: (market) => listings.get(market)?.isListed === true,
      isOver: (market) => {
        const listing = listings.get(market)
        return listing !== undefined && (listing.isResolved || listing.closeUs <= nowUs)
      },
      exclusionKeys: (market) => listings.get(market)?.keys ?? [],
    }
  }
}
