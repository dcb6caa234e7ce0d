import type { RequestRow } from '../agent/rows.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { fillRequest } from './makerStream.ts'
import { MessageKind } from './messages.ts'
import type { Seat } from './seat.ts'
import type { Transit } from './transit.ts'

/**
 * Calls makers when requests are over by what the makers were told of them, and by nothing else (docs/decisions/0021-public-ends.md). Only seats
 * with the handler have messages here.
 */
export class RequestEnds implements Snapshot {
  private declare readonly transit: Transit
  private declare readonly seatCount: number
  /** The newest version above 1 that has reached a seat, by request and seat. */
  private readonly newest = new Map<number, number>()

  constructor(transit: Transit, seatCount: number) {
    this.transit = transit
    this.seatCount = seatCount
  }

  /** A request has reached the seat. Precondition: the request is shown, and `combo` belongs to it. */
  told({ book: { seat } }: Seat, { request, version, expiresAtUs, bookChanges }: RequestRow, combo: number): void {
    const { transit } = this
    const key = request * this.seatCount + seat
    if (version > 1) this.newest.set(key, Math.max(version, this.newest.get(key) ?? version))
    const delayUs = Math.max(0, expiresAtUs - transit.nowUs)
    if (transit.isClosedIn(delayUs)) return
    const slot = transit.messages.takeBare(MessageKind.requestOver, seat)
    fillRequest(transit, slot, request, version, combo, NaN, bookChanges)
    transit.send(slot, delayUs)
  }

  /** A version's time is over. False where a newer one has reached the seat. */
  isDue({ book: { seat } }: Seat, request: number, version: number): boolean {
    const key = request * this.seatCount + seat
    const newest = this.newest.get(key)
    if (newest === undefined) return true
    if (newest === version) this.newest.delete(key)
    return newest <= version
  }

  snapshot(): Image {
    return [...this.newest].map(([key, version]) => ({ key, version }))
  }

  restore(image: Image): void {
    this.newest.clear()
    for (const { key, version } of image as readonly { key: number; version: number }[]) this.newest.set(key, version)
  }
}
