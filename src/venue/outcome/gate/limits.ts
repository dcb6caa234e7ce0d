import { NONE } from '../../../unit/none.ts'
import { rowAs } from '../../eventCells.ts'
import { Bucket, bucketOf } from '../protocol/access.ts'
import { OutcomeCode } from '../protocol/codes.ts'
import { type OutcomeCommand, Read } from '../protocol/commands.ts'
import { LimitRefusal } from '../protocol/events.ts'
import type { OutcomeGateProfile } from '../protocol/gate.ts'
import { openReply } from './rows.ts'
import type { GateState } from './state.ts'

/** Numbers of buckets are below this. */
const BUCKETS = 16

/**
 * Counts a call for its account and over all accounts (OM-216, OM-241, OM-281…289). When one of the two is full, the call is
 * answered `rateLimited` and counted for neither, and the result is false.
 */
export function passesLimits(s: GateState, c: OutcomeCommand): boolean {
  const bucket = bucketOf(c.op, c[Read.route])
  if (bucket === 0) return true
  const { limits, totals, nowUs, limitWindowUs: windowUs } = s
  const { routeTotalLimit } = s.profile
  const limit = limitOf(s.profile, bucket)
  const key = c.account * BUCKETS + bucket
  const own = limits.rowOf(key)
  if (limits.isFull(own, limit, nowUs, windowUs)) return refuse(s, c, bucket, limit, limits.startUs[own]!)
  const total = totals.rowOf(bucket)
  if (totals.isFull(total, routeTotalLimit, nowUs, windowUs)) return refuse(s, c, bucket, routeTotalLimit, totals.startUs[total]!)
  totals.countCall(bucket, total, nowUs, windowUs)
  limits.showRoom(limits.countCall(key, own, nowUs, windowUs), limit, windowUs)
  return true
}

/** Whether a call of a command, which is no read, has room in its limits. Nothing is counted. */
export function hasRoom({ limits, totals, limitWindowUs, profile }: GateState, account: number, op: number, nowUs: number): boolean {
  const bucket = bucketOf(op, NONE)
  if (bucket === 0) return true
  const isOwnFull = limits.isFull(limits.rowOf(account * BUCKETS + bucket), limitOf(profile, bucket), nowUs, limitWindowUs)
  return !isOwnFull && !totals.isFull(totals.rowOf(bucket), profile.routeTotalLimit, nowUs, limitWindowUs)
}

function refuse(s: GateState, c: OutcomeCommand, bucket: number, limit: number, startUs: number): false {
  const { events, limits } = s
  limits.showFull(startUs, limit, s.nowUs, s.limitWindowUs)
  const row = rowAs(LimitRefusal, openReply(s, c, OutcomeCode.rateLimited))
  events.write(row, LimitRefusal.limit, limit)
  events.write(row, LimitRefusal.retryAfterS, limits.retryAfterS)
  events.write(row, LimitRefusal.bucket, bucket)
  events.write(row, LimitRefusal.resetAtUs, limits.resetUs)
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
