import { RequestState } from '../protocol/events.ts'
import type { LegView, RequestView } from '../protocol/view.ts'
import { type JsonNumber, usdcJson } from './decimalUsdc.ts'
import type { WireIdentity } from './identity.ts'
import { legBody, type NameOf, type PositionLeg } from './legBody.ts'
import { requestHash } from './requestHash.ts'

export type RequestStatus = 'active' | 'committed' | 'cancelled' | 'expired'

/** A leg that was found to name a market (PQ-052…054). */
export interface RequestLeg extends PositionLeg {
  readonly id: string
}

/** A quote request as its owner and the makers read it (PQ-031…047). It has no `implied_probability`. */
export interface QuoteRequestBody {
  readonly id: string
  readonly user_id: string
  readonly version: number
  readonly request_hash: string
  readonly book_seq: number
  readonly status: RequestStatus
  readonly bet_amount: JsonNumber
  readonly expires_at: string
  readonly legs: readonly RequestLeg[]
  readonly input_legs: readonly unknown[]
}

/** What a request is made of, whether a view or a kept record has it. */
export type RequestParts = Pick<RequestView, 'number' | 'owner' | 'state' | 'version' | 'bookSeq' | 'betMicros' | 'expiresAtUs'> & {
  readonly legs: readonly LegView[]
}

/** A request that waits for a maker's confirmation is still `active` (readings A12). */
const STATUS: Readonly<Record<number, RequestStatus>> = {
  [RequestState.active]: 'active', [RequestState.committed]: 'committed', [RequestState.cancelled]: 'cancelled', [RequestState.expired]: 'expired',
}

/** @param inputLegs the legs as the client sent them, for whom nothing was sent the legs as a client would send them. */
export function quoteRequestBody(identity: WireIdentity, request: RequestParts, nameOf: NameOf, inputLegs?: readonly unknown[]): QuoteRequestBody {
  const { number, version, betMicros } = request
  const legs = request.legs.map((leg) => legBody(leg, nameOf))
  return {
    id: identity.request(number),
    user_id: identity.account(request.owner),
    version,
    request_hash: requestHash(legs, betMicros),
    book_seq: request.bookSeq,
    status: STATUS[request.state]!,
    bet_amount: usdcJson(betMicros),
    expires_at: identity.instant(request.expiresAtUs),
    legs: legs.map((leg, place) => ({ id: identity.leg(number, version, place), ...leg })),
    input_legs: inputLegs ?? legs.map(({ market_ticker, side, venue }) => ({ market_ticker, side, venue })),
  }
}
