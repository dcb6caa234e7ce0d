import type { Words } from './mapping.ts'

const listed = (lists: Readonly<Record<string, readonly string[]>>): Words =>
  new Map(Object.entries(lists).flatMap(([meaning, words]) => words.map((word) => [word.toLowerCase(), meaning] as const)))

/** Words that a mapping gives take the place of the usual ones of the same meaning. */
export function wordsWith(usual: Readonly<Record<string, readonly string[]>>, given: Readonly<Record<string, readonly string[]>> = {}): Words {
  return listed({ ...usual, ...given })
}

/** Sides of a book. Those of the second list are asks, or bids for NO where both sides are bids. */
export const SIDE_WORDS = { bid: ['bid', 'bids', 'buy', 'b', 'yes', 'y'], ask: ['ask', 'asks', 'offer', 'sell', 's', 'a', 'no', 'n'] } as const
export const OUTCOME_WORDS = { yes: ['yes', 'y', '1', 'true', 'up', 'over'], no: ['no', 'n', '0', 'false', 'down', 'under'] } as const
export const RESULT_WORDS = {
  yes: ['yes', 'y', '1', '1.0', 'true', 't', 'win', 'won', 'winner', 'w'],
  no: ['no', 'n', '0', '0.0', 'false', 'f', 'lose', 'lost', 'loss', 'loser', 'l'],
  void: ['void', 'voided', 'cancelled', 'canceled', 'refund', 'refunded', 'push', 'annulled', 'invalid'],
  scalar: ['scalar'],
  open: ['open', 'active', 'pending', 'unresolved', 'unsettled', 'undecided'],
} as const
export const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 'true', 't', 'yes', 'y'])
