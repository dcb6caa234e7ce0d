import { createHash } from 'node:crypto'
import type { Market } from '../market/market.ts'
import { assert } from '../unit/assert.ts'
import { limbsOfDecimal } from '../venue/outcome/protocol/outcomeId.ts'

/**
 * The outcome_id of a market of a history, which has none: the 256-bit integer of the SHA-256 of its venue and ticker, as the
 * outcome tokens of a chain are numbered. As limbs.
 */
export function outcomeLimbs({ venue, ticker }: Pick<Market, 'venue' | 'ticker'>): number[] {
  const digest = createHash('sha256').update(`${venue}\0${ticker}`).digest('hex')
  const limbs = limbsOfDecimal(BigInt(`0x${digest}`).toString())
  assert(limbs !== null, 'a 256-bit integer has limbs')
  return limbs
}
