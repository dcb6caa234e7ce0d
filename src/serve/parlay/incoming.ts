import { type ParlayCommand, Read } from '../../venue/parlay/protocol/commands.ts'
import { ParlayOp } from '../../venue/parlay/protocol/commands.ts'
import { ReadRoute } from '../../venue/parlay/protocol/access.ts'
import { type ErrorAnswer, errorAnswer } from '../../venue/parlay/wire/errors.ts'
import { BODY_BYTES_MAX, type Channel, type Exchange } from '../exchange.ts'
import { queryOf, type RouteMatcher } from '../routeMatcher.ts'
import { bucketOfPath } from './buckets.ts'
import { type Call, isMisshapen, readCall } from './calls.ts'
import { type WireNumbers, writeCommand, writeMisshapen } from './commands.ts'
import { type ParlayRoute, RETIRED } from './routes.ts'
import type { RequestSchemas } from './schemas/requests.ts'

/** What an exchange is to the service: a call to a route, the opening of a channel, or something that only counts and is then refused. */
export type Incoming =
  | { readonly kind: 'call'; readonly route: ParlayRoute; readonly call: Call; readonly write: Write }
  | { readonly kind: 'socket'; readonly route: ParlayRoute; readonly write: Write }
  /** A call whose shape is wrong: what lets it through is still the gate's to say. */
  | { readonly kind: 'misshapen'; readonly route: ParlayRoute; readonly error: ErrorAnswer; readonly write: Write }
  /** A call of nothing that the service has. Only its limit comes before the error. */
  | { readonly kind: 'unknown'; readonly error: ErrorAnswer; readonly write: Write }

/** Makes a command of an account's call. */
type Write = (c: ParlayCommand, account: number) => void

/** A read of no route: it counts, its credential is looked at, and that is all. */
const NO_ROUTE = -1
const counting = (route: number): Write => (c, account) => {
  c.reset(ParlayOp.read, account)
  c[Read.route] = route
}

/** A path outside of every bucket counts as the most do. */
function countingPath(path: string): Write {
  switch (bucketOfPath(path)) {
    case 'public': return counting(ReadRoute.markets)
    case 'quote_service': return counting(ReadRoute.quoteRequests)
    default: return counting(NO_ROUTE)
  }
}

const EXPECTED: Readonly<Record<Channel['kind'], string>> = {
  events: 'a request for an event stream is expected, with Accept: text/event-stream', socket: 'an upgrade to a WebSocket is expected',
}

/** Reads exchanges by the table of routes. Nothing that a client sends is a fault here. */
export class IncomingReader {
  private declare readonly matcher: RouteMatcher<ParlayRoute>
  private declare readonly shapes: RequestSchemas
  private declare readonly numbers: WireNumbers

  constructor(matcher: RouteMatcher<ParlayRoute>, shapes: RequestSchemas, numbers: WireNumbers) {
    this.matcher = matcher
    this.shapes = shapes
    this.numbers = numbers
  }

  /** @param channel what the client asked to be answered with; null: with a body. */
  read({ method, path, query: text, body }: Exchange, channel: Channel['kind'] | null): Incoming {
    const matched = this.matcher.find(method, path)
    if (matched === null) {
      const isRetired = RETIRED.some((route) => route.method === method && route.path === path)
      return { kind: 'unknown', error: errorAnswer(isRetired ? 'GONE' : 'NOT_FOUND'), write: countingPath(path) }
    }
    const { route, params } = matched
    const query = queryOf(text)
    const misshapen = (error: ErrorAnswer, write: Write = (c, account) => writeMisshapen(c, route.name, account, query)): Incoming =>
      ({ kind: 'misshapen', route, error, write })
    if (body.length > BODY_BYTES_MAX) return misshapen(errorAnswer('PAYLOAD_TOO_LARGE'))
    if (route.channel !== 'body' && route.channel !== channel) {
      return misshapen(errorAnswer('VALIDATION_ERROR', { issues: [{ path: [], message: EXPECTED[route.channel] }] }), counting(NO_ROUTE))
    }
    if (route.channel === 'socket') return { kind: 'socket', route, write: counting(NO_ROUTE) }
    const call = readCall(route, this.shapes, { params, query, body: body.length === 0 ? null : body })
    if (isMisshapen(call)) return misshapen(errorAnswer('VALIDATION_ERROR', { issues: call.issues }))
    return { kind: 'call', route, call, write: (c, account) => writeCommand(c, route.name, account, call, this.numbers) }
  }
}
