import type { LegFacts } from './liveVenue.ts'

/** Legs of a row's list, which are pairs of market and side. */
export const legsOfList = (list: ArrayLike<number>): LegFacts[] => Array.from({ length: list.length / 2 }, (_, i) => ({ market: list[2 * i]!, side: list[2 * i + 1]! }))
