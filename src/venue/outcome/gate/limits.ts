import { KeyedColumns } from '../../../unit/keyedColumns.ts'
import { SECOND_US } from '../../../unit/time.ts'
import { Field, NONE } from '../../eventRows.ts'
import { Bucket, bucketOf } from '../protocol/access.ts'
import { OutcomeCode } from '../protocol/codes.ts'
import type { OutcomeCommand } from '../protocol/commands.ts'
import type { OutcomeGateProfile } from '../protocol/gate.ts'
import { reply } from './rows.ts'
import type { GateState } from './state.ts'

/** Buckets are numbered below it. */
const BUCKETS = 16
/** Windows that are over are dropped when this many rows, or twice what the last sweep left, are in use. */
const SWEEP_MIN = 1024

/** Windows by a key: of an account and bucket, or of a bucket. One that is over counts as if it were not there. */
export class LimitColumns extends KeyedColumns {
  startUs = new Float64Array(this.capacity)
  calls = new Float64Array(this.capacity)
  sweepAt = SWEEP_MIN
  /** Of the last participant's command, as `OutcomeLimitView`; limit NONE: no limit applied to it. */
  limit = NONE
  remaining = NONE
  resetUs = NONE
  retryAfterS = NONE

  /** Another participant's command begins, to which no limit has applied yet. */
  begin(): void {
    this.limit = this.remaining = this.resetUs = this.retryAfterS = NONE
  }

  /** Whether the window of a row, NONE for none, has no room. */
  isFull(row: number, limit: number, nowUs: number, windowUs: number): boolean {
    return row !== NONE && nowUs < this.startUs[row]! + windowUs && this.calls[row]! >= limit
  }

  /** Counts a call in the window of a key's row, NONE for none: in one with room, or in one that begins with it. Returns the row. */
  counts(key: number, known: number, nowUs: number, windowUs: number): number {
    let row = known
    if (row === NONE) {
      if (this.count >= this.sweepAt) this.sweep(nowUs, windowUs)
      row = this.add(key)
      this.startUs[row] = nowUs
    } else if (nowUs >= this.startUs[row]! + windowUs) {
      this.startUs[row] = nowUs
      this.calls[row] = 0
    }
    this.calls[row]!++
    return row
  }

  show(limit: number, remaining: number, resetUs: number, retryAfterS: number): void {
    this.limit = limit
    this.remaining = remaining
    this.resetUs = resetUs
    this.retryAfterS = retryAfterS
  }

  /** When it runs follows from the rows in use and never from the capacity, which an image does not hold. */
  private sweep(nowUs: number, windowUs: number): void {
    const { key, startUs, calls, count } = this
    let kept = 0
    for (let row = 0; row < count; row++) {
      if (nowUs >= startUs[row]! + windowUs) continue
      key[kept] = key[row]!
      startUs[kept] = startUs[row]!
      calls[kept++] = calls[row]!
    }
    for (const column of [key, startUs, calls]) column.fill(0, kept, count)
    this.count = kept
    this.sweepAt = Math.max(SWEEP_MIN, 2 * kept)
    this.reindex()
  }
}

/**
 * Counts a call for its account and over all accounts (OM-216, OM-241, OM-281…289). When one of the two is full the call is
 * answered `rateLimited`, counted for neither, and false comes back.
 */
export function passesLimits(s: GateState, c: OutcomeCommand): boolean {
  const bucket = bucketOf(c.op, c.value)
  if (bucket === 0) return true
  const { limits, totals, nowUs, limitWindowUs: windowUs } = s
  const { routeTotalLimit } = s.profile
  const limit = limitOf(s.profile, bucket)
  const key = c.account * BUCKETS + bucket
  const own = limits.rowOf(key)
  if (limits.isFull(own, limit, nowUs, windowUs)) return refuse(s, c, bucket, limit, limits.startUs[own]!)
  const total = totals.rowOf(bucket)
  if (totals.isFull(total, routeTotalLimit, nowUs, windowUs)) return refuse(s, c, bucket, routeTotalLimit, totals.startUs[total]!)
  totals.counts(bucket, total, nowUs, windowUs)
  const row = limits.counts(key, own, nowUs, windowUs)
  limits.show(limit, limit - limits.calls[row]!, limits.startUs[row]! + windowUs, NONE)
  return true
}

function refuse(s: GateState, c: OutcomeCommand, bucket: number, limit: number, startUs: number): false {
  const { events, limits } = s
  const resetUs = startUs + s.limitWindowUs
  limits.show(limit, 0, resetUs, Math.ceil((resetUs - s.nowUs) / SECOND_US))
  reply(s, c, OutcomeCode.rateLimited)
  events.set(Field.amountB, limit)
  events.set(Field.amountC, limits.retryAfterS)
  events.set(Field.amountD, bucket)
  events.set(Field.untilUs, resetUs)
  return false
}

/** Calls of a bucket per account and window. */
function limitOf(profile: OutcomeGateProfile, bucket: number): number {
  switch (bucket) {
    case Bucket.rfqs: return profile.rfqLimit
    case Bucket.accepts: return profile.acceptLimit
    case Bucket.quotes: return profile.quoteLimit
    case Bucket.quoteCancels: return profile.quoteCancelLimit
    case Bucket.confirms: return profile.confirmLimit
    case Bucket.quoteLists: return profile.quoteListLimit
    case Bucket.acceptanceReads: return profile.acceptanceReadLimit
    case Bucket.positionReads: return profile.positionReadLimit
    default: return profile.activityLimit
  }
}
