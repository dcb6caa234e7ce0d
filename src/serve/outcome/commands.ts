import type { z } from 'zod'
import { NONE } from '../../unit/none.ts'
import { SECOND_US } from '../../unit/time.ts'
import { OutcomeCode } from '../../venue/outcome/protocol/codes.ts'
import { IssueKey, type OutcomeCommand, OutcomeOp, Read, RevokeKey } from '../../venue/outcome/protocol/commands.ts'
import { isListRoute, ReadRoute } from '../../venue/outcome/protocol/access.ts'
import { type ListQuery, markOfQuery, type PageMark } from '../../venue/outcome/wire/paging.ts'
import { markUnreadable } from './boundBody.ts'
import type { Call, Fault } from './calls.ts'
import type { KeyChallengeRequest, KeyRequest } from './keyRequests.ts'
import type { OutcomeRoute } from './routes.ts'
import type { Served } from './served.ts'
import { SignedCommands } from './signedCommands.ts'
import type { AcceptRequest, ConfirmRequest, QuoteRequest, ReductionRequest, RfqRequest, WithdrawRequest } from './tradeRequests.ts'

/** What a page's cursor is when it is none of this list (`invalidCursor`), and a limit that no list takes (`invalidQuery`). */
const MALFORMED_CURSOR = -2
const NO_LIMIT = 0
/** No key has this number, which is no integer either: `invalidRequest`. */
const NO_KEY_NUMBER = 0.5

type Write = (c: OutcomeCommand, call: Call) => Fault | null
type Output<S extends z.ZodType> = z.output<S>

const NOT_FOUND: Fault = { code: OutcomeCode.notFound, violations: [] }

/** Which list a call reads, or of what. */
export function listOfCall(route: OutcomeRoute, account: number, params: Call['params'], { known }: Pick<Served, 'known'>): ListQuery {
  switch (route.read) {
    case ReadRoute.markets: return { route: route.read, subject: NONE }
    case ReadRoute.marketHistory: return { route: route.read, subject: known.outcome(params['outcome_id']!) }
    case ReadRoute.quotes: return { route: route.read, subject: known.rfq(params['rfq_id']!) }
    default: return { route: route.read!, subject: account }
  }
}

/** Where a page begins, or null for a cursor that is none of the list. */
export const markOfCall = (route: OutcomeRoute, account: number, { params, query }: Pick<Call, 'params' | 'query'>, served: Served): PageMark | null =>
  markOfQuery(served.identity, query.cursor === undefined ? [] : [query.cursor], listOfCall(route, account, params, served))

/** Makes commands of calls: by name of the route, what a call says in the service's numbers. */
export class CommandWriter {
  private declare readonly served: Served
  private declare readonly signed: SignedCommands
  private declare readonly writes: Readonly<Record<string, Write>>

  constructor(served: Served) {
    this.served = served
    this.signed = new SignedCommands(served)
    this.writes = this.table()
  }

  /** Precondition: `c` was reset for the route's opcode and account, and has its key. */
  write(c: OutcomeCommand, route: OutcomeRoute, call: Call, params: Call['params']): Fault | null {
    if (route.read !== null) {
      this.writeRead(c, route, { ...call, params })
      return null
    }
    return this.writes[route.name]?.(c, { ...call, params }) ?? null
  }

  /** A call that could not be read. Of a read the shape of its path is told once the gate has let it through. */
  writeUnread(c: OutcomeCommand, route: OutcomeRoute, fault: Fault): Fault {
    if (route.read !== null) {
      c[Read.route] = route.read
      if (fault.code === OutcomeCode.invalidQuery) c[Read.pageLimit] = NO_LIMIT
    } else {
      markUnreadable(c)
      if (c.op === OutcomeOp.revokeKey) c[RevokeKey.keyNumber] = NO_KEY_NUMBER
    }
    return fault
  }

  private writeRead(c: OutcomeCommand, route: OutcomeRoute, call: Call): void {
    c[Read.route] = route.read!
    if (!isListRoute(route.read!)) return
    c[Read.pageLimit] = call.query.limit ?? NONE
    c.cursor = markOfCall(route, c.account, call, this.served)?.mark ?? MALFORMED_CURSOR
  }

  /** Unix seconds of signed terms in the session's time. Those before its epoch are its epoch, since −1 stands for none. */
  private seconds(s: number): number {
    return s === NONE ? NONE : Math.max(0, s - this.served.identity.shiftUs / SECOND_US)
  }

  private table(): Readonly<Record<string, Write>> {
    const { signed, served: { known } } = this
    const onRfq: Write = (c, { params }) => {
      c.rfq = known.rfq(params['rfq_id']!)
      return null
    }
    const onQuote: Write = (c, { params }) => {
      c.quote = known.quote(params['quote_id']!)
      return null
    }
    return {
      createRfq: (c, { body }) => {
        const { stakeMicros, legs } = body as Output<typeof RfqRequest>
        c.stakeMicros = stakeMicros
        for (const { outcomeId, side } of legs) c.leg(known.outcome(outcomeId), side)
        return null
      },
      cancelRfq: onRfq,
      submitQuote: (c, call) => {
        const { payoutMicros, expiryS, generation, signature } = call.body as Output<typeof QuoteRequest>
        onRfq(c, call)
        c.payoutMicros = payoutMicros
        c.expiryS = this.seconds(expiryS)
        c.generation = generation
        signed.quote(c, signature)
        return null
      },
      cancelQuote: onQuote,
      acceptQuote: (c, call) => {
        const { generation, coreMicros, validAfterS, validBeforeS, signature } = call.body as Output<typeof AcceptRequest>
        onQuote(c, call)
        c.generation = generation
        c.coreMicros = coreMicros
        c.validAfterS = this.seconds(validAfterS)
        c.validBeforeS = this.seconds(validBeforeS)
        signed.accept(c, signature)
        return null
      },
      confirmQuote: (c, call) => {
        const body = call.body as ConfirmRequest
        c.op = body.decision === 'CONFIRM' ? OutcomeOp.confirmQuote : OutcomeOp.declineQuote
        onQuote(c, call)
        if (body.decision === 'CONFIRM') signed.confirmation(c, body.signature)
        return null
      },
      openCashout: (c, { params }) => {
        c.position = known.position(params['position_id']!)
        return null
      },
      withdraw: (c, { body }) => {
        const { amountMicros, exitUntilS, validAfterS, validBeforeS, signature } = body as Output<typeof WithdrawRequest>
        c.amountMicros = amountMicros
        c.exitUntilS = this.seconds(exitUntilS)
        c.validAfterS = this.seconds(validAfterS)
        c.validBeforeS = this.seconds(validBeforeS)
        signed.withdrawal(c, signature)
        return null
      },
      reduceCollateral: (c, { params, body }) => {
        // Of another maker's vault the command says nothing, so that nothing comes of it.
        if (known.account(params['maker_id']!) !== c.account) return NOT_FOUND
        const { amountMicros, signature } = body as Output<typeof ReductionRequest>
        c.amountMicros = amountMicros
        signed.reduction(c, signature)
        return null
      },
      challengeKey: (c, { body }) => {
        writeKey(c, body as Output<typeof KeyChallengeRequest>)
        return null
      },
      issueKey: (c, { body }) => {
        const { challengeId, signature, ...fields } = body as Output<typeof KeyRequest>
        writeKey(c, fields)
        c.challenge = known.challenge(challengeId)
        signed.keyIssue(c, signature, fields.label)
        return null
      },
      revokeKey: (c, { params }) => {
        c[RevokeKey.keyNumber] = known.key(params['key_id']!)
        return null
      },
    }
  }
}

function writeKey(c: OutcomeCommand, { label, scopes, scopeCount, expiresInDays }: Output<typeof KeyChallengeRequest>): void {
  c.validMs = [...label].length
  c[IssueKey.scopes] = scopes
  c[IssueKey.scopeCount] = scopeCount
  c.expiryDays = expiresInDays
}
