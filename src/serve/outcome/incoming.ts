import { needsKey } from '../../venue/outcome/protocol/access.ts'
import type { OutcomeCommand } from '../../venue/outcome/protocol/commands.ts'
import { keyOfHeaders } from '../../venue/outcome/wire/identity.ts'
import type { Exchange } from '../exchange.ts'
import { valuesOf } from '../headers.ts'
import { queryOf, type RouteMatcher } from '../routeMatcher.ts'
import { bindBody, bodyTag } from './boundBody.ts'
import type { Caller } from './caller.ts'
import { type Call, type Fault, readCall } from './calls.ts'
import { CommandWriter } from './commands.ts'
import type { OutcomeRoute } from './routes.ts'
import type { Served } from './served.ts'

/** A call to a route of the service. What lets it through is the gate's to say, be its shape right or wrong. */
export interface Incoming {
  readonly route: OutcomeRoute
  /** Null for a call that could not be read. */
  readonly call: Call | null
  /** What is wrong with it, told unless the gate refuses it for something else. */
  readonly fault: Fault | null
}

/** A key of a caller without an account is never looked at. */
const ANY_KEY = 1

/** Reads exchanges by the table of routes. Nothing that a client sends is a fault here. */
export class IncomingReader {
  private declare readonly matcher: RouteMatcher<OutcomeRoute>
  private declare readonly served: Served
  private declare readonly writer: CommandWriter

  constructor(matcher: RouteMatcher<OutcomeRoute>, served: Served) {
    this.matcher = matcher
    this.served = served
    this.writer = new CommandWriter(served)
  }

  /** Null for a path or a method that the service does not have. */
  read({ method, path, query, body }: Exchange): { readonly incoming: Incoming; readonly params: Readonly<Record<string, string>>; readonly value: unknown } | null {
    const matched = this.matcher.find(method, path)
    if (matched === null) return null
    const { route, params } = matched
    const { call, fault, value } = readCall(route, { params, query: queryOf(query), body })
    return { incoming: { route, call, fault }, params, value }
  }

  /**
   * Makes `c` the command of a call, and returns the fault of the call, which a name in it may be besides its shape. A call that cannot be
   * read makes a command too: the gate checks its credential, counts it and binds its key.
   */
  write(c: OutcomeCommand, { incoming, params, value }: NonNullable<ReturnType<IncomingReader['read']>>, exchange: Exchange, caller: Caller): Fault | null {
    const { route, call } = incoming
    c.reset(route.ops[0]!, caller.account)
    c.credential = caller.credential
    c.origin = caller.origin
    const keys = valuesOf(exchange.headers, 'idempotency-key')
    if (route.idempotency !== 'ignored') c.key = keyOfHeaders(keys, (text) => (caller.isKnown ? this.served.keys.enter(caller.account, text) : ANY_KEY))
    const fault = call === null ? this.writer.writeUnread(c, route, incoming.fault!) : this.writer.write(c, route, call, params)
    if (needsKey(c.op)) bindBody(c, bodyTag(exchange.method, `${exchange.path}?${exchange.query}`, exchange.body, exchange.body.length === 0 ? {} : value))
    return fault
  }
}
