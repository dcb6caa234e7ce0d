import { SECOND_US } from '../../../unit/time.ts'
import type { LimitView } from '../../callWindows.ts'

/**
 * Rate limit headers of a call that was counted (PQ-445…448). Reset is in Unix seconds, rounded up (chosen); `Retry-After`
 * stands on a 429 only.
 */
export function limitHeaders(limit: LimitView, shiftUs = 0): Readonly<Record<string, string>> {
  return {
    'X-RateLimit-Limit': String(limit.limit),
    'X-RateLimit-Remaining': String(limit.remaining),
    'X-RateLimit-Reset': String(Math.ceil((limit.resetUs + shiftUs) / SECOND_US)),
    ...(limit.retryAfterS >= 0 && { 'Retry-After': String(limit.retryAfterS) }),
  }
}
