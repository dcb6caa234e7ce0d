import { OutcomeOp } from './commands.ts'

/**
 * Scopes as bits of a mask. The document names the first five; those for makers and withdrawals are chosen (OM-147,
 * docs/conformance/outcome-gate.md).
 */
export const ScopeBit = {
  accountRead: 1, accountStream: 2, quoteAccept: 4, rfqRead: 8, rfqWrite: 16, fundsWithdraw: 32, quoteWrite: 64, capitalRead: 128,
  capitalWrite: 256,
} as const
export const ALL_SCOPES = 511

/** The service's names of the scopes, by bit number. */
export const SCOPE_NAMES = [
  'account:read', 'account:stream', 'quote:accept', 'rfq:read', 'rfq:write', 'funds:withdraw', 'quote:write', 'capital:read', 'capital:write',
] as const

/** Scopes that apply to an account, by its AccountRole (OM-115). A maker may hold and sell positions. */
export const SCOPES_OF_ROLE: readonly number[] = [
  ScopeBit.accountRead | ScopeBit.accountStream | ScopeBit.quoteAccept | ScopeBit.rfqRead | ScopeBit.rfqWrite | ScopeBit.fundsWithdraw,
  ALL_SCOPES & ~ScopeBit.fundsWithdraw,
]

/** `credential` of a command: the number of a session or key, from 1, or one of these. The app's own sign-in holds every scope. */
export const Credential = { app: 0, none: -1, malformed: -2 } as const
/** `origin` of a command: the number of its Origin header's value, or one of these. */
export const Origin = { none: -1, several: -2 } as const

/** Subscriptions of a stream. */
export const ChannelBit = { account: 1, maker: 2, market: 4 } as const
/** `OpenStream.flags`. `paced`: the client says how far it has read; else it reads at once. */
export const StreamFlag = { freshness: 1, paced: 2 } as const
/** `version` of a stream command: the subprotocol that was negotiated. */
export const SUBPROTOCOL = 1

/** What a `read` command reads. The first four are public. */
export const ReadRoute = {
  markets: 0, market: 1, marketHistory: 2, deployment: 3, balances: 4, identity: 5, quotes: 6, acceptance: 7, acceptances: 8, capital: 9,
  operation: 10, positions: 11, position: 12, activity: 13, rfq: 14, rfqs: 15, apiKeys: 16,
} as const
export const READ_ROUTES = 17
export const isPublicRoute = (route: number): boolean => route <= ReadRoute.deployment

/** Routes that answer with a list, and so take a limit and a cursor. */
export const isListRoute = (route: number): boolean =>
  route === ReadRoute.markets || route === ReadRoute.marketHistory || route === ReadRoute.quotes || route === ReadRoute.acceptances ||
  route === ReadRoute.positions || route === ReadRoute.activity || route === ReadRoute.rfqs || route === ReadRoute.apiKeys

/** Scope that a read needs, by route; 0: none. No key reads keys. */
export const SCOPE_OF_READ: readonly number[] = [
  0, 0, 0, 0, ScopeBit.accountRead, ScopeBit.accountRead, ScopeBit.rfqRead, ScopeBit.rfqRead, ScopeBit.rfqRead, ScopeBit.capitalRead,
  ScopeBit.accountRead, ScopeBit.accountRead, ScopeBit.accountRead, ScopeBit.accountRead, ScopeBit.rfqRead, ScopeBit.rfqRead, 0,
]

/** Scope that an opcode needs; what is missing needs none. */
export const SCOPE_OF_OP: Readonly<Record<number, number>> = {
  [OutcomeOp.withdraw]: ScopeBit.fundsWithdraw, [OutcomeOp.reduceCollateral]: ScopeBit.capitalWrite,
  [OutcomeOp.createRfq]: ScopeBit.rfqWrite, [OutcomeOp.cancelRfq]: ScopeBit.rfqWrite, [OutcomeOp.openCashout]: ScopeBit.rfqWrite,
  [OutcomeOp.acceptQuote]: ScopeBit.quoteAccept,
  [OutcomeOp.submitQuote]: ScopeBit.quoteWrite, [OutcomeOp.cancelQuote]: ScopeBit.quoteWrite,
  [OutcomeOp.confirmQuote]: ScopeBit.quoteWrite, [OutcomeOp.declineQuote]: ScopeBit.quoteWrite,
}

/** What a call counts in, per account and minute (OM-281…289). */
export const Bucket = {
  rfqs: 1, accepts: 2, quotes: 3, quoteCancels: 4, confirms: 5, quoteLists: 6, acceptanceReads: 7, positionReads: 8, activity: 9,
} as const

/** The bucket of a call, or 0; `route` is the ReadRoute of a read. */
export function bucketOf(op: number, route: number): number {
  switch (op) {
    case OutcomeOp.createRfq: case OutcomeOp.openCashout: return Bucket.rfqs
    case OutcomeOp.acceptQuote: return Bucket.accepts
    case OutcomeOp.submitQuote: return Bucket.quotes
    case OutcomeOp.cancelQuote: return Bucket.quoteCancels
    case OutcomeOp.confirmQuote: case OutcomeOp.declineQuote: return Bucket.confirms
    case OutcomeOp.read: break
    default: return 0
  }
  switch (route) {
    case ReadRoute.quotes: return Bucket.quoteLists
    case ReadRoute.acceptance: return Bucket.acceptanceReads
    case ReadRoute.positions: case ReadRoute.position: case ReadRoute.capital: return Bucket.positionReads
    case ReadRoute.activity: return Bucket.activity
    default: return 0
  }
}

/** Whether the command POST needs an Idempotency-Key (readings B12). */
export const needsKey = (op: number): boolean =>
  op === OutcomeOp.withdraw || op === OutcomeOp.reduceCollateral || op === OutcomeOp.createRfq || op === OutcomeOp.cancelRfq ||
  op === OutcomeOp.openCashout || op === OutcomeOp.acceptQuote || op === OutcomeOp.submitQuote || op === OutcomeOp.issueKey

/** Faults of the gate, as values of setFault: calls that need what is away are refused with the code of their name. */
export const GateFault = {
  authorizationUnavailable: 20, dependencyStale: 21, sourceUnavailable: 22, contractUnavailable: 23, marketDataUnavailable: 24,
  sponsorshipUnavailable: 25, contractSignatureOverloaded: 26, comboAutomaticDisabled: 27, embeddedWalletUnavailable: 28,
} as const
