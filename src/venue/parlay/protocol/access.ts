import { ParlayOp } from './commands.ts'

/** The eleven scopes, as bits of a mask (PQ-285). */
export const ScopeBit = {
  accountRead: 1, marketsRead: 2, positionsRead: 4, balancesRead: 8, tradingWrite: 16, fundsDeposit: 32, fundsWithdraw: 64,
  accountWrite: 128, txSign: 256, keysManage: 512, mmQuote: 1024,
} as const
export const ALL_SCOPES = 2047

/** The service's names of the scopes, by bit number. */
export const SCOPE_NAMES = [
  'account:read', 'markets:read', 'positions:read', 'balances:read', 'trading:write', 'funds:deposit', 'funds:withdraw',
  'account:write', 'tx:sign', 'keys:manage', 'mm:quote',
] as const

/** `credential` of a command: the number of a key, from 1, or one of these. The JWT of its account holds every scope. */
export const Credential = { jwt: 0, none: -1, wrongType: -2 } as const

/** What a `read` command reads. */
export const ReadRoute = {
  markets: 0, portfolio: 1, quoteRequests: 2, parlays: 3, makerPositions: 4, makerQuotes: 5, keys: 6, webhooks: 7, makerWebhooks: 8,
  balances: 9,
} as const
export const READ_ROUTES = 10

/** The bucket that a call counts in (PQ-432…439): its account's, or one of its source address. */
export const Bucket = { authenticated: 1, public: 2, quoteService: 3, unauthenticated: 4 } as const

/** Whether a call is on a route of the quote service (PQ-438); `route` is the `ReadRoute` of a read. */
export const isQuoteService = (op: number, route: number): boolean =>
  (op >= ParlayOp.createRequest && op <= ParlayOp.commitCashout) || (op >= ParlayOp.submitQuote && op <= ParlayOp.submitBid) ||
  (op === ParlayOp.read && route === ReadRoute.quoteRequests)

const { tradingWrite, fundsDeposit, fundsWithdraw, txSign, mmQuote, keysManage } = ScopeBit

/** Scope that an opcode needs; the documents' own or, where they are silent, chosen (PQ-287). Endpoints' is by owner kind, reads' by route. */
export const SCOPE_OF_OP: Readonly<Record<number, number>> = {
  [ParlayOp.deposit]: fundsDeposit, [ParlayOp.withdraw]: fundsWithdraw, [ParlayOp.walletWithdraw]: fundsWithdraw,
  [ParlayOp.submitTransaction]: txSign,
  [ParlayOp.createRequest]: tradingWrite, [ParlayOp.updateRequest]: tradingWrite, [ParlayOp.cancelRequest]: tradingWrite,
  [ParlayOp.commitRequest]: tradingWrite, [ParlayOp.openCashout]: tradingWrite, [ParlayOp.cancelCashout]: tradingWrite,
  [ParlayOp.commitCashout]: tradingWrite,
  [ParlayOp.submitQuote]: mmQuote, [ParlayOp.withdrawQuote]: mmQuote, [ParlayOp.confirmSelection]: mmQuote,
  [ParlayOp.declineSelection]: mmQuote, [ParlayOp.submitBid]: mmQuote, [ParlayOp.openStream]: mmQuote,
  [ParlayOp.createKey]: keysManage, [ParlayOp.revokeKey]: keysManage,
}

/** Scope that a read needs, by route; 0: none, the call is public (PQ-143, PQ-243, PQ-244, the others chosen). */
export const SCOPE_OF_READ: readonly number[] = [
  0, ScopeBit.positionsRead, ScopeBit.positionsRead, ScopeBit.positionsRead, mmQuote, mmQuote, keysManage, ScopeBit.accountRead, mmQuote,
  ScopeBit.balancesRead,
]
