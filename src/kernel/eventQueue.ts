import { Bug } from '../unit/assert.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { NEVER_US } from '../unit/time.ts'

/**
 * Future events by time, first in first out among equal times (design.md, decision 2). A payload is an int32: a message
 * slot. All implementations have the same image, so that a checkpoint of one restores into another.
 */
export interface EventQueue extends Snapshot {
  readonly size: number
  /** Time of the event popped last, in µs; 0 before the first. */
  readonly poppedUs: number
  /** Schedules an event at an integer instant with poppedUs ≤ atUs < NEVER_US. An instant before `nextUs()` is allowed. */
  push(atUs: number, payload: number): void
  /** The earliest instant, or NEVER_US when empty. Changes nothing. */
  nextUs(): number
  /** Removes the earliest event and returns its payload. Precondition: size > 0. */
  pop(): number
}

/** What every queue's snapshot looks like: the pending events in the order in which they would be popped. */
export interface EventQueueImage {
  readonly poppedUs: number
  readonly timesUs: Float64Array
  readonly payloads: Int32Array
  readonly [name: string]: Image
}

/** The image of events that come in any order: sorted by time, then by `order`, which is unique among events of equal time. */
export function eventQueueImage(
  poppedUs: number, timesUs: Float64Array, payloads: Int32Array, order: Float64Array,
): EventQueueImage {
  const rows = new Uint32Array(timesUs.length)
  for (let i = 0; i < rows.length; i++) rows[i] = i
  rows.sort((a, b) => timesUs[a]! - timesUs[b]! || order[a]! - order[b]!)
  const image = { poppedUs, timesUs: new Float64Array(rows.length), payloads: new Int32Array(rows.length) }
  for (let i = 0; i < rows.length; i++) {
    image.timesUs[i] = timesUs[rows[i]!]!
    image.payloads[i] = payloads[rows[i]!]!
  }
  return image
}

/** Stops the run on a push that the contract forbids. It is a function of its own, so that `push` builds no message unless it fails. */
export function refusePush(atUs: number, poppedUs: number): never {
  throw new Bug(`event at ${atUs} µs: not an integer from ${poppedUs} (popped last) to below ${NEVER_US}`)
}
