import { type Row, rowOfKind } from '../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../venue/eventRows.ts'
import { DeliveryChanged, ParlayEvent, type ParlayKind } from '../../venue/parlay/protocol/events.ts'
import { DeliveryStatus } from '../../venue/parlay/protocol/webhooks.ts'
import { Retention } from '../retention.ts'

/**
 * Which deliveries of webhooks the gate has forgotten: those that ended so long ago, unless they have been asked for again. The gate writes no
 * row when it forgets.
 */
export class DeliveryEnds {
  /** When each delivery ended that has ended, µs. */
  private readonly endedUs = new Map<number, number>()
  private declare readonly ended: Retention
  private declare readonly forget: (delivery: number) => void

  /** @param retentionUs how long the gate knows a delivery that has ended (`deliveryRetentionMs`). */
  constructor(retentionUs: number, forget: (delivery: number) => void) {
    this.ended = new Retention(retentionUs)
    this.forget = forget
  }

  take(events: EventRows, row: Row): void {
    const kind = events.kindOf(row) as ParlayKind
    switch (kind) {
      case ParlayEvent.deliveryChanged: case ParlayEvent.deliveryRequeued: {
        const changed = rowOfKind(row, kind)
        return this.changed(events.read(changed, DeliveryChanged.delivery), events.read(changed, DeliveryChanged.status), events.read(row, EventCell.atUs))
      }
      default:
    }
  }

  private changed(delivery: number, status: number, atUs: number): void {
    for (const due of this.ended.due(atUs)) {
      // It may have been asked for again, and have ended again.
      if ((this.endedUs.get(due) ?? Infinity) + this.ended.keptUs > atUs) continue
      this.endedUs.delete(due)
      this.forget(due)
    }
    if (status !== DeliveryStatus.delivered && status !== DeliveryStatus.deadLetter) return void this.endedUs.delete(delivery)
    this.endedUs.set(delivery, atUs)
    this.ended.add(delivery, atUs)
  }
}
