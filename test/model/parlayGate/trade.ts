import { ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import type { AuctionView, ParlayView, PositionView, RequestView } from '../../../src/venue/parlay/protocol/view.ts'
import { cellOf, isOfKind, type Row } from '../parlay/namedRows.ts'

/** What the generator remembers of the trading, from the venue's rows: enough to go on with it. */
export class Trade {
  /** Without a result, by number. */
  readonly markets = new Set<number>()
  readonly faults = new Set<number>()
  nextMarket = 0
  private lastRequest = 0
  private lastPosition = 0
  private lastAuction = 0
  private readonly view: ParlayView

  constructor(view: ParlayView) {
    this.view = view
  }

  observe(row: Row): void {
    this.lastRequest = Math.max(this.lastRequest, cellOf(row, 'request'))
    this.lastPosition = Math.max(this.lastPosition, cellOf(row, 'position'))
    this.lastAuction = Math.max(this.lastAuction, cellOf(row, 'auction'))
    if (isOfKind(row, ParlayEvent.marketListed)) {
      this.markets.add(row.market)
      this.nextMarket = Math.max(this.nextMarket, row.market + 1)
    } else if (isOfKind(row, ParlayEvent.marketResolved)) this.markets.delete(row.market)
    else if (isOfKind(row, ParlayEvent.faultChanged)) {
      if (row.isOn === 1) this.faults.add(row.fault)
      else this.faults.delete(row.fault)
    }
  }

  /** The known ones among the newest. */
  requests(): RequestView[] {
    return newest(this.lastRequest, (number) => this.view.request(number))
  }

  positions(): PositionView[] {
    return newest(this.lastPosition, (number) => this.view.position(number))
  }

  auctions(): AuctionView[] {
    return newest(this.lastAuction, (number) => this.view.auction(number))
  }

  makerOf(quote: number): number | undefined {
    return this.view.quote(quote)?.maker
  }
}

function newest<T>(last: number, read: (number: number) => T | null): T[] {
  const known: T[] = []
  for (let number = Math.max(1, last - 7); number <= last; number++) {
    const one = read(number)
    if (one !== null) known.push(one)
  }
  return known
}
