import { createHash } from 'node:crypto'
import { usdcJson } from './decimalUsdc.ts'
import type { PositionLeg } from './legBody.ts'

/**
 * `request_hash` (PQ-035): the SHA-256 of a request's parameters as JSON without blanks, names sorted: `bet_amount`, then `legs` in the
 * order submitted, each with `market_ticker`, `side` and `venue`. Equal parameters give equal hashes (readings A16).
 */
export function requestHash(legs: readonly PositionLeg[], betMicros: number): string {
  const parameters = {
    bet_amount: usdcJson(betMicros), legs: legs.map(({ market_ticker, side, venue }) => ({ market_ticker, side, venue })),
  }
  return `sha256:${createHash('sha256').update(JSON.stringify(parameters)).digest('hex')}`
}
