import { EntityColumns } from '../../../unit/countedColumns.ts'

/** Webhook deliveries: one event for one endpoint, under one event id for all of its attempts. */
export class DeliveryColumns extends EntityColumns {
  /** 0 in a slot that is free. */
  number = new Float64Array(this.capacity)
  account = new Int32Array(this.capacity)
  owner = new Uint8Array(this.capacity)
  event = new Uint8Array(this.capacity)
  status = new Uint8Array(this.capacity)
  phase = new Uint8Array(this.capacity)
  /** The next attempt, the timeout of the one under way, or the eviction. */
  dueUs = new Float64Array(this.capacity)
  /** Attempts over all budgets; the last one's number. */
  attempts = new Float64Array(this.capacity)
  /** Attempts before the present budget. */
  spent = new Float64Array(this.capacity)
  /** Of the last attempt; without meaning before one was answered. */
  answer = new Float64Array(this.capacity)
  isAnswered = new Uint8Array(this.capacity)
  createdAtUs = new Float64Array(this.capacity)
}
