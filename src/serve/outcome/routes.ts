import { z } from 'zod'
import { ReadRoute, type SCOPE_NAMES } from '../../venue/outcome/protocol/access.ts'
import { OutcomeOp } from '../../venue/outcome/protocol/commands.ts'
import { PAGE_LIMITS, type PageLimits } from '../../venue/outcome/wire/paging.ts'
import { type Route, route, type Success } from '../routeTable.ts'
import { bytes32, outcomeId, uuid, uuidV7 } from './fields.ts'
import { KeyChallengeRequest, KeyRequest } from './keyRequests.ts'
import { listQuery, NoQuery } from './queries.ts'
import {
  Acceptance, Activity, ApiKey, Balance, Capital, Deployment, HistoryPoint, Identity, IssuedKey, KeyChallenge, listOf, Market, Operation, Position,
  Quote, Reduction, Rfq, Session, SignInChallenge, Withdrawal,
} from './responses.ts'
import { SignInChallengeRequest, SignInRequest } from './sessionRequests.ts'
import { SUBPROTOCOL_NAME } from './subprotocol.ts'
import { AcceptRequest, ConfirmRequest, EmptyRequest, QuoteRequest, ReductionRequest, RfqRequest, WithdrawRequest } from './tradeRequests.ts'

/** A `credential` is a key, or a session with its Origin. `session` is a session with its Origin alone, `origin` one Origin and no credential. */
export type OutcomeAuth = 'public' | 'credential' | 'session' | 'origin'
/** A bucket of the gate (OM-281…289). */
export type OutcomeLimit =
  | 'rfqs' | 'accepts' | 'quotes' | 'quoteCancels' | 'confirms' | 'quoteLists' | 'acceptanceReads' | 'positionReads' | 'activity'

export interface OutcomeWords {
  readonly auth: OutcomeAuth
  readonly scope: (typeof SCOPE_NAMES)[number]
  readonly limit: OutcomeLimit
  readonly code: string
}

/**
 * What of a route is the service's own: the gate's command that a call becomes, of a read its `ReadRoute`, and what is done with an
 * Idempotency-Key (OM-107, readings B12). A wallet's challenge becomes no command.
 */
export interface OutcomeRoute extends Route<OutcomeWords> {
  readonly ops: readonly number[]
  readonly read: number | null
  readonly idempotency: 'required' | 'refused' | 'ignored'
}

type Said = Parameters<typeof route<OutcomeWords>>[0]

const made = (schema: z.ZodType, about: string): readonly [Success] => [{ status: 201, about, schema }]
const shown = (schema: z.ZodType, about: string): readonly [Success] => [{ status: 200, about, schema }]
const done = (about: string): readonly [Success] => [{ status: 204, about, schema: null }]

/** Codes of every call. */
const ALWAYS = ['INVALID_REQUEST', 'RATE_LIMITED'] as const
/** Codes of a call with a credential. */
const CALLED = ['UNAUTHENTICATED', 'ORIGIN_REQUIRED', 'FORBIDDEN', 'AUTHORIZATION_UNAVAILABLE', ...ALWAYS] as const
/** Codes of a command with a key. */
const KEYED = ['INVALID_IDEMPOTENCY_KEY', 'IDEMPOTENCY_KEY_REUSED'] as const
const SIGNED = ['INVALID_SIGNATURE', 'WRONG_AUTHORITY', 'CONTRACT_SIGNATURE_OVERLOADED', 'EMBEDDED_WALLET_UNAVAILABLE'] as const
const FUNDED = ['FINANCIAL_ACTIONS_DISABLED', 'SPONSORSHIP_UNAVAILABLE'] as const
const QUOTE_ENDS = ['QUOTE_NOT_FOUND', 'QUOTE_EXPIRED', 'QUOTE_CANCELLED', 'QUOTE_REPLACED'] as const
const RFQ_ENDS = ['RFQ_NOT_OPEN', 'RFQ_GENERATION_STALE', 'RFQ_GENERATION_IN_FLIGHT'] as const

/** One Idempotency-Key, a lowercase UUIDv7 (OM-107, OM-108). */
const KeyHeaders = z.object({ 'Idempotency-Key': uuidV7 })

const keyed = (op: number, said: Omit<Said, 'auth' | 'method'>): OutcomeRoute => ({
  ...route<OutcomeWords>({ auth: 'credential', method: 'POST', headers: KeyHeaders, ...said, codes: [...CALLED, ...KEYED, ...(said.codes ?? [])] }),
  ops: [op], read: null, idempotency: 'required',
})

const plain = (ops: readonly number[], said: Said, idempotency: 'refused' | 'ignored' = 'ignored'): OutcomeRoute => ({
  ...route<OutcomeWords>({ ...said, codes: [...(said.auth === 'public' || said.auth === 'origin' ? ALWAYS : CALLED), ...(said.codes ?? [])] }),
  ops, read: null, idempotency,
})

const reads = (read: number, said: Omit<Said, 'auth' | 'method' | 'query'> & { readonly auth?: OutcomeAuth; readonly query?: z.ZodObject }): OutcomeRoute => ({
  ...plain([OutcomeOp.read], { auth: 'credential', method: 'GET', query: NoQuery, ...said, codes: ['INVALID_QUERY', ...(said.codes ?? [])] }), read,
})

const rfqParams = z.strictObject({ rfq_id: uuidV7 })
const quoteParams = z.strictObject({ quote_id: bytes32 })
const makerParams = z.strictObject({ maker_id: uuid })
const outcomeParams = z.strictObject({ outcome_id: outcomeId })

const CATALOGUE_CURSOR = ['INVALID_CURSOR', 'STALE_CURSOR'] as const
const ACCOUNT_CURSOR = ['INVALID_CURSOR', 'CURSOR_EXPIRED'] as const

/** Reads of the catalogue, without a credential. */
const publicRoutes = (limits: PageLimits): readonly OutcomeRoute[] => [
  reads(ReadRoute.markets, {
    name: 'listMarkets', path: '/v1/markets', about: 'Lists the markets', auth: 'public', query: listQuery(ReadRoute.markets, limits),
    successes: shown(listOf(Market), 'A page of markets.'), codes: [...CATALOGUE_CURSOR, 'MARKET_DATA_UNAVAILABLE'],
  }),
  reads(ReadRoute.market, {
    name: 'getMarket', path: '/v1/markets/{outcome_id}', about: 'Shows one market', auth: 'public', params: outcomeParams,
    successes: shown(Market, 'The market.'), codes: ['NOT_FOUND', 'MARKET_DATA_UNAVAILABLE'],
  }),
  reads(ReadRoute.marketHistory, {
    name: 'getMarketHistory', path: '/v1/markets/{outcome_id}/history', about: 'Lists a market\'s prices, minute by minute', auth: 'public', params: outcomeParams,
    query: listQuery(ReadRoute.marketHistory, limits), successes: shown(listOf(HistoryPoint), 'A page of minutes, ascending.'),
    codes: ['NOT_FOUND', ...CATALOGUE_CURSOR, 'MARKET_DATA_UNAVAILABLE'],
  }),
  reads(ReadRoute.deployment, {
    name: 'getDeployment', path: '/v1/deployment', about: 'Shows the chain, the vault and the fees that signatures bind to', auth: 'public',
    successes: shown(Deployment, 'The deployment.'),
  }),
]

/** What an account reads of itself. */
const accountReads = (limits: PageLimits): readonly OutcomeRoute[] => [
  reads(ReadRoute.balances, {
    name: 'getBalances', path: '/v1/me/balances', about: 'Shows the account\'s balance', scopes: ['account:read'], successes: shown(Balance, 'The balance.'),
    codes: ['SOURCE_UNAVAILABLE'],
  }),
  reads(ReadRoute.identity, {
    name: 'getIdentity', path: '/v1/me/identity', about: 'Shows who the caller is', scopes: ['account:read'], successes: shown(Identity, 'The identity.'),
    codes: ['IDENTITY_NOT_FOUND', 'SOURCE_UNAVAILABLE'],
  }),
  reads(ReadRoute.operation, {
    name: 'getOperation', path: '/v1/me/operations/{operation_id}', about: 'Follows a fill, a cash-out or a withdrawal', scopes: ['account:read'],
    params: z.strictObject({ operation_id: uuidV7 }), successes: shown(Operation, 'The operation.'), codes: ['NOT_FOUND', 'SOURCE_UNAVAILABLE'],
  }),
  reads(ReadRoute.positions, {
    name: 'listPositions', path: '/v1/me/positions', about: 'Lists positions held, and with a maker\'s key those backed', scopes: ['account:read'],
    limits: ['positionReads'], query: listQuery(ReadRoute.positions, limits), successes: shown(listOf(Position), 'A page of positions.'),
    codes: [...ACCOUNT_CURSOR, 'SOURCE_UNAVAILABLE'],
  }),
  reads(ReadRoute.position, {
    name: 'getPosition', path: '/v1/me/positions/{position_id}', about: 'Shows one position', scopes: ['account:read'], limits: ['positionReads'],
    params: z.strictObject({ position_id: bytes32 }), successes: shown(Position, 'The position.'), codes: ['NOT_FOUND', 'SOURCE_UNAVAILABLE'],
  }),
  reads(ReadRoute.activity, {
    name: 'listActivity', path: '/v1/me/activity', about: 'Lists what happened to the account\'s money and positions', scopes: ['account:read'],
    limits: ['activity'], query: listQuery(ReadRoute.activity, limits), successes: shown(listOf(Activity), 'A page of events, ascending.'),
    codes: [...ACCOUNT_CURSOR, 'SOURCE_UNAVAILABLE'],
  }),
  reads(ReadRoute.capital, {
    name: 'getCapital', path: '/v1/makers/{maker_id}/capital', about: 'Shows a maker\'s capital', scopes: ['capital:read'], limits: ['positionReads'],
    params: makerParams, successes: shown(Capital, 'The capital.'), codes: ['NOT_FOUND', 'DEPENDENCY_STALE'],
  }),
  reads(ReadRoute.acceptances, {
    name: 'listAcceptances', path: '/v1/makers/{maker_id}/acceptances', about: 'Lists acceptances of a maker\'s quotes, to reconcile after a restart',
    scopes: ['rfq:read'], params: makerParams, query: listQuery(ReadRoute.acceptances, limits), successes: shown(listOf(Acceptance), 'A page of acceptances.'),
    codes: ['NOT_FOUND', ...ACCOUNT_CURSOR, 'DEPENDENCY_STALE'],
  }),
]

/** RFQs and the quotes of them. */
const tradeRoutes = (limits: PageLimits): readonly OutcomeRoute[] => [
  keyed(OutcomeOp.createRfq, {
    name: 'createRfq', path: '/v1/rfqs', about: 'Asks makers for a price of a combination', scopes: ['rfq:write'], limits: ['rfqs'], body: RfqRequest,
    successes: made(Rfq, 'The RFQ.'),
    codes: ['IDENTITY_NOT_FOUND', 'RFQ_INTENT_LIMIT', 'CONTRACT_UNAVAILABLE', 'COMBO_AUTOMATIC_DISABLED', 'FINANCIAL_ACTIONS_DISABLED'],
  }),
  reads(ReadRoute.rfqs, {
    name: 'listRfqs', path: '/v1/rfqs', about: 'Lists the RFQs that the account has made; a maker hears of others\' on its stream', scopes: ['rfq:read'], query: listQuery(ReadRoute.rfqs, limits),
    successes: shown(listOf(Rfq), 'A page of RFQs.'), codes: [...ACCOUNT_CURSOR, 'DEPENDENCY_STALE'],
  }),
  reads(ReadRoute.rfq, {
    name: 'getRfq', path: '/v1/rfqs/{rfq_id}', about: 'Shows one RFQ', scopes: ['rfq:read'], params: rfqParams, successes: shown(Rfq, 'The RFQ.'),
    codes: ['NOT_FOUND', 'DEPENDENCY_STALE'],
  }),
  keyed(OutcomeOp.cancelRfq, {
    name: 'cancelRfq', path: '/v1/rfqs/{rfq_id}/cancel', about: 'Stops asking', scopes: ['rfq:write'], params: rfqParams, body: EmptyRequest,
    isBodyOptional: true, successes: shown(Rfq, 'The cancelled RFQ.'), codes: ['NOT_FOUND', 'RFQ_NOT_CANCELLABLE'],
  }),
  keyed(OutcomeOp.submitQuote, {
    name: 'submitQuote', path: '/v1/rfqs/{rfq_id}/quotes', about: 'Quotes, or replaces the maker\'s quote', scopes: ['quote:write'], limits: ['quotes'],
    params: rfqParams, body: QuoteRequest, successes: made(Quote, 'The quote.'),
    codes: [
      'NOT_FOUND', ...RFQ_ENDS, 'STATE_CONFLICT', 'QUOTE_CAPACITY_EXCEEDED', 'QUOTE_EXPOSURE_LIMIT', 'QUOTE_EXPOSURE_STALE', 'CONTRACT_UNAVAILABLE',
      'FINANCIAL_ACTIONS_DISABLED', ...SIGNED,
    ],
  }),
  reads(ReadRoute.quotes, {
    name: 'listQuotes', path: '/v1/rfqs/{rfq_id}/quotes', about: 'Lists the quotes of an RFQ, without those that soon expire', scopes: ['rfq:read'],
    limits: ['quoteLists'], params: rfqParams, query: listQuery(ReadRoute.quotes, limits), successes: shown(listOf(Quote), 'A page of quotes.'),
    codes: ['NOT_FOUND', ...ACCOUNT_CURSOR, 'DEPENDENCY_STALE'],
  }),
  plain([OutcomeOp.cancelQuote], {
    name: 'cancelQuote', method: 'DELETE', path: '/v1/quotes/{quote_id}', about: 'Pulls a quote', auth: 'credential', scopes: ['quote:write'],
    limits: ['quoteCancels'], params: quoteParams, successes: done('It is pulled.'), codes: [...QUOTE_ENDS, 'STATE_CONFLICT'],
  }),
  keyed(OutcomeOp.acceptQuote, {
    name: 'acceptQuote', path: '/v1/quotes/{quote_id}/accept', about: 'Accepts a quote; answers when the maker has confirmed, declined or let the time lapse',
    scopes: ['quote:accept'], limits: ['accepts'], params: quoteParams, body: AcceptRequest, successes: shown(Acceptance, 'The acceptance in its final state.'),
    codes: [
      ...QUOTE_ENDS, 'QUOTE_SIGNER_CHANGED', 'QUOTE_CAPACITY_EXCEEDED', ...RFQ_ENDS, 'STATE_CONFLICT', 'CORE_FUNDING_CONFLICT', 'CORE_VAULT_RESERVATION',
      'CORE_MOVE_IN_FLIGHT', 'CORE_FUNDING_UNAVAILABLE', ...FUNDED, ...SIGNED,
    ],
  }),
  reads(ReadRoute.acceptance, {
    name: 'getAcceptance', path: '/v1/quotes/{quote_id}/acceptance', about: 'Recovers a lost accept', scopes: ['rfq:read'], limits: ['acceptanceReads'],
    params: quoteParams, successes: shown(Acceptance, 'The quote\'s last acceptance.'), codes: ['QUOTE_NOT_FOUND', 'NOT_FOUND', 'DEPENDENCY_STALE'],
  }),
  plain([OutcomeOp.confirmQuote, OutcomeOp.declineQuote], {
    name: 'confirmQuote', method: 'POST', path: '/v1/quotes/{quote_id}/confirm', about: 'Confirms or declines an acceptance', auth: 'credential',
    scopes: ['quote:write'], limits: ['confirms'], params: quoteParams, body: ConfirmRequest, successes: shown(Acceptance, 'The acceptance.'),
    codes: ['INVALID_IDEMPOTENCY_KEY', 'QUOTE_NOT_FOUND', 'STATE_CONFLICT', 'FINANCIAL_ACTIONS_DISABLED', ...SIGNED],
  }, 'refused'),
  keyed(OutcomeOp.openCashout, {
    name: 'openCashout', path: '/v1/me/positions/{position_id}/cashout', about: 'Asks makers for a price of a position', scopes: ['rfq:write'],
    limits: ['rfqs'], params: z.strictObject({ position_id: bytes32 }), body: EmptyRequest, isBodyOptional: true, successes: made(Rfq, 'The cash-out RFQ.'),
    codes: ['NOT_FOUND', 'STATE_CONFLICT', 'RFQ_INTENT_LIMIT', 'CONTRACT_UNAVAILABLE', 'FINANCIAL_ACTIONS_DISABLED'],
  }),
  keyed(OutcomeOp.withdraw, {
    name: 'withdraw', path: '/v1/me/withdrawals', about: 'Withdraws funds', scopes: ['funds:withdraw'], body: WithdrawRequest,
    successes: made(Withdrawal, 'The withdrawal.'), codes: ['IDENTITY_NOT_FOUND', 'CORE_MOVE_IN_FLIGHT', 'CORE_FUNDING_CONFLICT', 'STATE_CONFLICT', ...FUNDED, ...SIGNED],
  }),
  keyed(OutcomeOp.reduceCollateral, {
    name: 'reduceCollateral', path: '/v1/makers/{maker_id}/collateral-reductions', about: 'Lowers a maker\'s collateral, after a delay', scopes: ['capital:write'],
    params: makerParams, body: ReductionRequest, successes: made(Reduction, 'The reduction.'), codes: ['NOT_FOUND', 'STATE_CONFLICT', ...FUNDED, ...SIGNED],
  }),
]

/** Sessions and keys. */
const accessRoutes = (limits: PageLimits): readonly OutcomeRoute[] => [
  plain([], {
    name: 'challengeSignIn', method: 'POST', path: '/v1/auth/wallet-challenges', about: 'Gives the message that a wallet signs to sign in', auth: 'origin',
    body: SignInChallengeRequest, successes: made(SignInChallenge, 'The message.'), codes: ['ORIGIN_REQUIRED'],
  }),
  plain([OutcomeOp.signIn], {
    name: 'signIn', method: 'POST', path: '/v1/auth/wallet-sessions', about: 'Signs in with a wallet', auth: 'origin', body: SignInRequest,
    successes: made(Session, 'The session\'s token.'),
    codes: [
      'ORIGIN_REQUIRED', 'UNAUTHENTICATED', 'STATE_CONFLICT', 'INVALID_SIGNATURE', 'IDENTITY_NOT_FOUND', 'EMBEDDED_WALLET_UNAVAILABLE',
      'AUTHORIZATION_UNAVAILABLE',
    ],
  }),
  plain([OutcomeOp.signOut], {
    name: 'signOut', method: 'DELETE', path: '/v1/auth/wallet-sessions/current', about: 'Ends the session', auth: 'session', successes: done('It has ended.'),
  }),
  plain([OutcomeOp.challengeKey], {
    name: 'challengeKey', method: 'POST', path: '/v1/me/api-key-challenges', about: 'Gives a challenge, which the owner signs to issue a key', auth: 'session',
    body: KeyChallengeRequest, successes: made(KeyChallenge, 'The challenge.'), codes: [],
  }),
  { ...keyed(OutcomeOp.issueKey, {
    name: 'issueKey', path: '/v1/me/api-keys', about: 'Issues an API key', body: KeyRequest, successes: made(IssuedKey, 'The key; its text is shown this once.'),
    codes: ['STATE_CONFLICT', ...SIGNED],
  }), auth: 'session' },
  reads(ReadRoute.apiKeys, {
    name: 'listKeys', path: '/v1/me/api-keys', about: 'Lists the account\'s keys', auth: 'session', query: listQuery(ReadRoute.apiKeys, limits),
    successes: shown(listOf(ApiKey), 'A page of keys.'), codes: [...ACCOUNT_CURSOR, 'SOURCE_UNAVAILABLE'],
  }),
  plain([OutcomeOp.revokeKey], {
    name: 'revokeKey', method: 'DELETE', path: '/v1/me/api-keys/{key_id}', about: 'Revokes a key', auth: 'session', params: z.strictObject({ key_id: uuid }),
    successes: done('It is revoked.'), codes: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
]

const upgraded: readonly [Success] = [{ status: 101, about: 'The socket is open; its frames are described in AsyncAPI.', schema: null }]
const SOCKET_HEADERS = z.object({ 'Sec-WebSocket-Protocol': z.string().describe(`one of them is ${SUBPROTOCOL_NAME}`) })

/** The two sockets. */
const SOCKETS: readonly OutcomeRoute[] = [
  plain([OutcomeOp.openStream], {
    name: 'openStream', method: 'GET', path: '/v1/stream', about: 'Events of the account and of a maker', auth: 'credential', channel: 'socket',
    scopes: ['account:stream'], headers: SOCKET_HEADERS, successes: upgraded,
    codes: ['SUBPROTOCOL_REQUIRED', 'CONNECTION_LIMIT', 'CONNECTION_DRAIN', 'DEPENDENCY_STALE', 'SOURCE_UNAVAILABLE'],
  }),
  plain([OutcomeOp.openMarketStream], {
    name: 'openMarketStream', method: 'GET', path: '/v1/market-stream', about: 'Prices of 1 to 256 outcomes', auth: 'public', channel: 'socket',
    headers: SOCKET_HEADERS, successes: upgraded, codes: ['SUBPROTOCOL_REQUIRED', 'CONNECTION_LIMIT', 'CONNECTION_DRAIN', 'MARKET_DATA_UNAVAILABLE'],
  }),
]

/** Every route of the service. The document names the paths of its table; the others are chosen (OM-101…106, OM-293, OM-294). */
export const outcomeRoutes = (limits: PageLimits = PAGE_LIMITS): readonly OutcomeRoute[] =>
  [...publicRoutes(limits), ...accountReads(limits), ...tradeRoutes(limits), ...accessRoutes(limits), ...SOCKETS]
