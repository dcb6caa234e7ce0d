import type { RowWriter } from '../arrow/rowWriter.ts'
import { NONE } from '../unit/none.ts'
import { Service } from '../unit/services.ts'
import { type KindOf, type Row, rowOfKind } from '../venue/eventCells.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'
import { DeliveryAttempted, DeliveryChanged, DeliveryQueued, type ParlayKind, WebhookRow } from '../venue/parlay/protocol/events.ts'
import { DeliveryStatus, isWebhookKind } from '../venue/parlay/protocol/webhooks.ts'
import { orEmpty } from './cells.ts'
import type { webhookTable } from './logTables.ts'
import { NumberedColumns } from './numberedColumns.ts'

/** Deliveries that can still end. While the gate retains an ended delivery, its owner can ask for it again, and the next row needs its fields. */
class Deliveries extends NumberedColumns {
  declare event: Uint8Array
  declare account: Int32Array
  declare owner: Uint8Array
  declare toldSeq: Float64Array
  declare request: Float64Array
  declare createdSeq: Float64Array
  declare createdUs: Float64Array
  declare redeliveries: Int32Array
  declare attempts: Int32Array
  declare status: Uint8Array
  declare response: Int32Array
  /** 1: an attempt has been answered. */
  declare answered: Uint8Array
  /** −1 after the last attempt. */
  declare nextUs: Float64Array
  /** When the gate forgets the delivery. Infinity while it has not ended. */
  declare forgottenUs: Float64Array

  constructor(capacity = 64) {
    super(capacity)
    this.event = new Uint8Array(capacity)
    this.account = new Int32Array(capacity)
    this.owner = new Uint8Array(capacity)
    this.toldSeq = new Float64Array(capacity)
    this.request = new Float64Array(capacity)
    this.createdSeq = new Float64Array(capacity)
    this.createdUs = new Float64Array(capacity)
    this.redeliveries = new Int32Array(capacity)
    this.attempts = new Int32Array(capacity)
    this.status = new Uint8Array(capacity)
    this.response = new Int32Array(capacity)
    this.answered = new Uint8Array(capacity)
    this.nextUs = new Float64Array(capacity)
    this.forgottenUs = new Float64Array(capacity)
  }
}

/** Webhook deliveries. Each end of one writes a row. */
export class WebhookRows {
  private readonly deliveries = new Deliveries()
  private declare readonly writer: RowWriter
  private declare readonly at: ReturnType<typeof webhookTable>['at']
  private declare readonly retentionUs: number
  /** Number of each delivery that ended within the retention, and when it is forgotten, in order from `oldest` on. */
  private readonly ends: { number: number; forgottenUs: number }[] = []
  private oldest = 0

  /** @param retentionUs how long the gate knows a delivery that ended. After that nobody can ask for it again. */
  constructor(writer: RowWriter, at: ReturnType<typeof webhookTable>['at'], retentionUs: number) {
    this.writer = writer
    this.at = at
    this.retentionUs = retentionUs
  }

  /** Deliveries that a row can still be about. */
  get knownCount(): number {
    return this.deliveries.live
  }

  queued(events: EventRows, row: Row<KindOf<typeof DeliveryQueued>>): void {
    const { deliveries } = this
    this.forget(events.read(row, EventCell.atUs))
    const slot = deliveries.open(events.read(row, DeliveryQueued.delivery))
    const toldSeq = events.read(row, DeliveryQueued.eventSeq)
    deliveries.event[slot] = events.read(row, DeliveryQueued.webhookEvent)
    deliveries.account[slot] = events.read(row, DeliveryQueued.account)
    deliveries.owner[slot] = events.read(row, DeliveryQueued.ownerKind)
    deliveries.toldSeq[slot] = toldSeq
    deliveries.request[slot] = requestOf(events, row, toldSeq)
    deliveries.createdSeq[slot] = events.read(row, EventCell.seq)
    deliveries.createdUs[slot] = deliveries.nextUs[slot] = events.read(row, EventCell.atUs)
    deliveries.redeliveries[slot] = deliveries.attempts[slot] = deliveries.answered[slot] = 0
    deliveries.status[slot] = DeliveryStatus.pending
    deliveries.forgottenUs[slot] = Infinity
  }

  attempted(events: EventRows, row: Row<KindOf<typeof DeliveryAttempted>>): void {
    const { deliveries } = this
    const slot = deliveries.openSlotOf(events.read(row, DeliveryAttempted.delivery))
    deliveries.attempts[slot] = events.read(row, DeliveryAttempted.attempt)
    deliveries.nextUs[slot] = events.read(row, DeliveryAttempted.timeoutAtUs)
  }

  changed(events: EventRows, row: Row<KindOf<typeof DeliveryChanged>>): void {
    const { deliveries } = this
    const slot = deliveries.openSlotOf(events.read(row, DeliveryChanged.delivery))
    deliveries.status[slot] = events.read(row, DeliveryChanged.status)
    deliveries.attempts[slot] = events.read(row, DeliveryChanged.attempts)
    deliveries.response[slot] = events.read(row, DeliveryChanged.response)
    deliveries.answered[slot] = 1
    deliveries.nextUs[slot] = events.read(row, DeliveryChanged.nextAttemptAtUs)
    if (hasEnded(deliveries.status[slot]!)) this.end(slot, events.read(row, EventCell.seq), events.read(row, EventCell.atUs))
  }

  requeued(events: EventRows, row: Row<KindOf<typeof DeliveryChanged>>): void {
    const { deliveries } = this
    this.forget(events.read(row, EventCell.atUs))
    const slot = deliveries.openSlotOf(events.read(row, DeliveryChanged.delivery))
    deliveries.redeliveries[slot]!++
    deliveries.status[slot] = DeliveryStatus.pending
    deliveries.nextUs[slot] = events.read(row, EventCell.atUs)
    deliveries.forgottenUs[slot] = Infinity
  }

  /** The session is over: writes the rows of deliveries that have not ended. */
  finish(): void {
    const { deliveries } = this
    for (const slot of deliveries.openSlots()) if (!hasEnded(deliveries.status[slot]!)) this.write(slot, NONE, NONE)
  }

  private end(slot: number, seq: number, endedUs: number): void {
    const { deliveries } = this
    this.write(slot, seq, endedUs)
    deliveries.forgottenUs[slot] = endedUs + this.retentionUs
    this.ends.push({ number: deliveries.number[slot]!, forgottenUs: deliveries.forgottenUs[slot]! })
  }

  /** Forgets as the gate does, before the commands of the instant. A delivery that was asked for again has a later end. */
  private forget(nowUs: number): void {
    const { deliveries, ends } = this
    for (; this.oldest < ends.length && ends[this.oldest]!.forgottenUs <= nowUs; this.oldest++) {
      const slot = deliveries.slotOf(ends[this.oldest]!.number)
      if (slot !== NONE && deliveries.forgottenUs[slot]! <= nowUs) deliveries.close(slot)
    }
    if (this.oldest <= FORGOTTEN_MAX) return
    ends.splice(0, this.oldest)
    this.oldest = 0
  }

  private write(slot: number, seq: number, endedUs: number): void {
    const { deliveries, writer, at } = this
    const { cells } = writer
    const to = writer.row()
    cells[to + at.seq] = orEmpty(seq)
    cells[to + at.service] = Service.parlay
    cells[to + at.delivery] = deliveries.number[slot]!
    cells[to + at.redeliveries] = deliveries.redeliveries[slot]!
    cells[to + at.event] = deliveries.event[slot]!
    cells[to + at.account] = deliveries.account[slot]!
    cells[to + at.owner_kind] = deliveries.owner[slot]!
    cells[to + at.event_seq] = deliveries.toldSeq[slot]!
    cells[to + at.request] = orEmpty(deliveries.request[slot]!)
    cells[to + at.created_seq] = deliveries.createdSeq[slot]!
    cells[to + at.created_at] = deliveries.createdUs[slot]!
    cells[to + at.attempts] = deliveries.attempts[slot]!
    cells[to + at.status] = deliveries.status[slot]!
    if (deliveries.answered[slot] === 1) cells[to + at.response_code] = deliveries.response[slot]!
    cells[to + at.next_attempt_at] = orEmpty(endedUs === NONE ? deliveries.nextUs[slot]! : NONE)
    cells[to + at.ended_at] = orEmpty(endedUs)
  }
}

/** So many forgotten ends may stand before `oldest`, so that an end costs little. */
const FORGOTTEN_MAX = 4096

const hasEnded = (status: number): boolean => status === DeliveryStatus.delivered || status === DeliveryStatus.deadLetter

/** Request of the row numbered `seq`, a few rows before `row` in its batch; −1 without one. */
function requestOf(events: EventRows, row: Row, seq: number): number {
  for (let i = events.indexOf(row) - 1; i >= 0; i--) {
    const told = events.row(i)
    const itsSeq = events.read(told, EventCell.seq)
    if (itsSeq > seq) continue
    const kind = events.kindOf(told) as ParlayKind
    return itsSeq === seq && isWebhookKind(kind) ? events.read(rowOfKind(told, kind), WebhookRow.request) : NONE
  }
  return NONE
}
