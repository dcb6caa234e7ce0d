import { KeyedColumns } from '../../../unit/keyedColumns.ts'
import { SECOND_US } from '../../../unit/time.ts'
import { Field, NONE } from '../../eventRows.ts'
import { Bucket, isQuoteService, ReadRoute } from '../protocol/access.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { type ParlayCommand, ParlayOp } from '../protocol/commands.ts'
import { reply } from './rows.ts'
import { type GateState, NUMBER_MAX } from './state.ts'

/** What a window counts; the first four are buckets, the others a call's own cap. */
const Counted = {
  account: 0, unauthenticated: 1, publicRead: 2, quoteService: 3, walletWithdraw: 4, deposit: 5, withdraw: 6, submitTransaction: 7,
} as const
const COUNTED = 8
/** Windows that are over are dropped when this many rows, or twice what the last sweep left, are in use. */
const SWEEP_MIN = 1024

/** Windows by what they count and whose calls they are; one that is over counts as if it were not there. */
export class LimitColumns extends KeyedColumns {
  startUs = new Float64Array(this.capacity)
  calls = new Float64Array(this.capacity)
  sweepAt = SWEEP_MIN
  /** Of the last command, as `LimitView`; limit NONE: no limit applied to it. */
  limit = NONE
  remaining = NONE
  resetUs = NONE
  retryAfterS = NONE

  /** Another command begins, to which no limit has applied yet. */
  begin(): void {
    this.limit = this.remaining = this.resetUs = this.retryAfterS = NONE
  }

  /** Counts a call, unless its window is full: then false. */
  counts(key: number, limit: number, nowUs: number, windowUs: number): boolean {
    let row = this.rowOf(key)
    if (row === NONE) {
      if (this.count >= this.sweepAt) this.sweep(nowUs, windowUs)
      row = this.add(key)
      this.startUs[row] = nowUs
    } else if (nowUs >= this.startUs[row]! + windowUs) {
      this.startUs[row] = nowUs
      this.calls[row] = 0
    }
    const endUs = this.startUs[row]! + windowUs
    if (this.calls[row]! >= limit) {
      this.show(limit, 0, endUs, Math.ceil((endUs - nowUs) / SECOND_US))
      return false
    }
    const remaining = limit - ++this.calls[row]!
    if (this.limit === NONE || remaining <= this.remaining) this.show(limit, remaining, endUs, NONE)
    return true
  }

  private show(limit: number, remaining: number, resetUs: number, retryAfterS: number): void {
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

/** Whether a call is one that needs no credential and counts by its source alone (PQ-435…437). */
export const isPublicRead = (c: ParlayCommand): boolean => c.op === ParlayOp.read && c.value === ReadRoute.markets

/**
 * Counts a call in its bucket and against its own cap (PQ-432…444). When one of them is full the call is answered
 * `rateLimited` and false comes back. `isValid`: its credential is.
 */
export function passesLimits(s: GateState, c: ParlayCommand, isValid: boolean): boolean {
  const bucket = bucketOf(c, isValid)
  const passes = bucketCounts(s, c, bucket) && (!isValid || capCounts(s, c))
  if (!passes) {
    const { events, limits } = s
    reply(s, c, ParlayCode.rateLimited)
    events.set(Field.amountB, limits.limit)
    events.set(Field.amountC, limits.retryAfterS)
    events.set(Field.amountD, bucket)
    events.set(Field.untilUs, limits.resetUs)
  }
  return passes
}

function bucketOf(c: ParlayCommand, isValid: boolean): number {
  if (isQuoteService(c.op, c.value)) return Bucket.quoteService
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

const counts = (s: GateState, counted: number, whose: number, limit: number): boolean =>
  s.limits.counts(whose * COUNTED + counted, limit, s.nowUs, s.limitWindowUs)

function sourceOf(c: ParlayCommand): number {
  const { source } = c
  return Number.isInteger(source) && source >= 0 && source <= NUMBER_MAX ? source : 0
}
