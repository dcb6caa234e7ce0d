import { EntityColumns } from '../../../unit/countedColumns.ts'

/** Webhook deliveries: one event for one endpoint, under one event id for all of its attempts. */
export class DeliveryColumns extends EntityColumns {
  /** 0 in a free slot. */
  number = new Float64Array(this.capacity)
  account = new Int32Array(this.capacity)
  owner = new Uint8Array(this.capacity)
  event = new Uint8Array(this.capacity)
  status = new Uint8Array(this.capacity)
  phase = new Uint8Array(this.capacity)
  /** When the next attempt, the timeout of the attempt under way, or the eviction is due. */
  dueUs = new Float64Array(this.capacity)
  /** Attempts over all budgets, which is the number of the last attempt. */
  attempts = new Float64Array(this.capacity)
  /** Attempts before the present budget. */
  spent = new Float64Array(this.capacity)
  /** Response to the last attempt. It has no meaning before an attempt was answered. */
  answer = new Float64Array(this.capacity)
  isAnswered = new Uint8Array(this.capacity)
  createdAtUs = new Float64Array(this.capacity)
}
