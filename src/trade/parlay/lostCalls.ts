import { SECOND_US } from '../../unit/time.ts'
import type { Call } from '../link.ts'
import { usOf } from './instants.ts'

/** After this a call that was sent before its client was dropped has come in. */
export const SETTLED_US = 2 * SECOND_US

/** A parlay of the account as the service lists it. One is listed from the creation of its quote request on. */
export interface ListedParlay {
  readonly rfq_id: string
  readonly quote_request_id: string
  readonly status: string
  readonly bet_amount: number
  readonly legs: readonly NamedLeg[]
  readonly created_at: string
}

interface NamedLeg {
  readonly market_ticker: string
  readonly side: string
}

/** Whether a list, newest first, may still have a parlay of since then on a page that follows. */
export const goesBackTo = (sinceUs: number, listed: readonly ListedParlay[]): boolean => listed.length === 0 || usOf(listed.at(-1)!.created_at) >= sinceUs

/**
 * The parlay of the quote request that a call has made, if it has: the oldest of since then with the call's bet and legs.
 * @param known ids of quote requests that other calls have made.
 */
export function madeBy({ body }: Call, sinceUs: number, listed: readonly ListedParlay[], known: ReadonlySet<string>): ListedParlay | undefined {
  const asked = JSON.parse(body!) as Pick<ListedParlay, 'bet_amount' | 'legs'>
  return listed.findLast(({ quote_request_id, bet_amount, legs, created_at }) =>
    !known.has(quote_request_id) && usOf(created_at) >= sinceUs && bet_amount === asked.bet_amount && textOf(legs) === textOf(asked.legs))
}

const textOf = (legs: readonly NamedLeg[]): string => legs.map(({ market_ticker, side }) => `${market_ticker} ${side}`).sort().join()
