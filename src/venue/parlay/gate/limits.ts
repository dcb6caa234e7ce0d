import { rowAs } from '../../eventCells.ts'
import { NONE } from '../../../unit/none.ts'
import { Bucket, isQuoteService, ReadRoute } from '../protocol/access.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { type ParlayCommand, ParlayOp, Read } from '../protocol/commands.ts'
import { LimitRefusal } from '../protocol/events.ts'
import { openReply } from './rows.ts'
import { type GateState, NUMBER_MAX } from './state.ts'

/** What a window counts. The first four are buckets, the others caps of single calls. */
const Counted = {
  account: 0, unauthenticated: 1, publicRead: 2, quoteService: 3, walletWithdraw: 4, deposit: 5, withdraw: 6, submitTransaction: 7,
} as const
const COUNTED = 8
/** Whether a call needs no credential and is counted by its source alone (PQ-435…437). */
export const isPublicRead = (c: ParlayCommand): boolean => c.op === ParlayOp.read && c[Read.route] === ReadRoute.markets

/**
 * Counts a call in its bucket and against its own cap (PQ-432…444). When one of them is full, the call is answered
 * `rateLimited` and the result is false. `isValid` says whether the call's credential is valid.
 */
export function passesLimits(s: GateState, c: ParlayCommand, isValid: boolean): boolean {
  const bucket = bucketOf(c, isValid)
  const passes = bucketCounts(s, c, bucket) && (!isValid || capCounts(s, c))
  if (!passes) {
    const { events, limits } = s
    const row = rowAs(LimitRefusal, openReply(s, c, ParlayCode.rateLimited))
    events.write(row, LimitRefusal.limit, limits.limit)
    events.write(row, LimitRefusal.retryAfterS, limits.retryAfterS)
    events.write(row, LimitRefusal.bucket, bucket)
    events.write(row, LimitRefusal.resetAtUs, limits.resetUs)
  }
  return passes
}

function bucketOf(c: ParlayCommand, isValid: boolean): number {
  if (isQuoteService(c.op, c[Read.route])) return Bucket.quoteService
  if (isPublicRead(c)) return Bucket.public
  return isValid ? Bucket.authenticated : Bucket.unauthenticated
}

function bucketCounts(s: GateState, c: ParlayCommand, bucket: number): boolean {
  const { profile } = s
  switch (bucket) {
    case Bucket.quoteService: return counts(s, Counted.quoteService, sourceOf(c), profile.quoteServiceLimit)
    case Bucket.public: return counts(s, Counted.publicRead, sourceOf(c), profile.publicLimit)
    case Bucket.authenticated: return counts(s, Counted.account, c.account, profile.authenticatedLimit)
    default: return counts(s, Counted.unauthenticated, sourceOf(c), profile.unauthenticatedLimit)
  }
}

function capCounts(s: GateState, c: ParlayCommand): boolean {
  const { profile } = s
  switch (c.op) {
    case ParlayOp.walletWithdraw: return counts(s, Counted.walletWithdraw, c.account, profile.walletWithdrawLimit)
    case ParlayOp.deposit: return counts(s, Counted.deposit, c.account, profile.depositLimit)
    case ParlayOp.withdraw: return counts(s, Counted.withdraw, c.account, profile.withdrawLimit)
    case ParlayOp.submitTransaction: return counts(s, Counted.submitTransaction, c.account, profile.submitTransactionLimit)
    default: return true
  }
}

/** Counts a call, or returns false when its window is full. Of two windows the one with less room left is shown. */
function counts({ limits, nowUs, limitWindowUs }: GateState, counted: number, whose: number, limit: number): boolean {
  const key = whose * COUNTED + counted
  const known = limits.rowOf(key)
  if (limits.isFull(known, limit, nowUs, limitWindowUs)) {
    limits.showFull(limits.startUs[known]!, limit, nowUs, limitWindowUs)
    return false
  }
  const row = limits.countCall(key, known, nowUs, limitWindowUs)
  if (limits.limit === NONE || limit - limits.calls[row]! <= limits.remaining) limits.showRoom(row, limit, limitWindowUs)
  return true
}

function sourceOf(c: ParlayCommand): number {
  const { source } = c
  return Number.isInteger(source) && source >= 0 && source <= NUMBER_MAX ? source : 0
}
