import type { Row } from '../../venue/eventCells.ts'
import type { EventRows } from '../../venue/eventRows.ts'
import type { LiveVenue } from './liveVenue.ts'

/** What was paid into each account from outside, less what was taken out. It is counted from the first row on, since no view tells it. */
export class PaidIn {
  private readonly ofAccounts = new Map<number, number>()
  private declare readonly venue: Pick<LiveVenue, 'paidIn'>

  constructor(venue: Pick<LiveVenue, 'paidIn'>) {
    this.venue = venue
  }

  take(events: EventRows, row: Row): void {
    const moved = this.venue.paidIn(events, row)
    if (moved !== null) this.ofAccounts.set(moved.account, this.microsOf(moved.account) + moved.amountMicros)
  }

  microsOf(account: number): number {
    return this.ofAccounts.get(account) ?? 0
  }
}
