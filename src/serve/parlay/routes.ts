import type { z } from 'zod'
import type { SCOPE_NAMES } from '../../venue/parlay/protocol/access.ts'
import type { ErrorCode } from '../../venue/parlay/wire/errors.ts'
import { type Route, route, type Success } from '../routeTable.ts'
import type { LimitBucket } from './buckets.ts'
import { id, page } from './schemas/fields.ts'
import { ownerKind, type RequestSchemas } from './schemas/requests.ts'
import { RESPONSES } from './schemas/responses.ts'

/** Every authenticated route takes an API key or an identity-provider JWT (PQ-140, PQ-263); a socket authenticates by its first frame. */
export type ParlayAuth = 'public' | 'credential' | 'frame'
/** A bucket, or the cap of a call that moves money, on top of its bucket (PQ-440…444). */
export type ParlayLimit = LimitBucket | 'wallet_withdraw' | 'vault_deposit' | 'vault_withdraw' | 'wallet_submit_tx'
export interface ParlayWords {
  readonly auth: ParlayAuth
  readonly scope: (typeof SCOPE_NAMES)[number]
  readonly limit: ParlayLimit
  readonly code: ErrorCode
}
export type ParlayRoute = Route<ParlayWords>

const success = (status: number, about: string, schema: z.ZodType | null): readonly [Success] => [{ status, about, schema }]
const ok = (about: string, schema: z.ZodType) => success(200, about, schema)
const made = (about: string, schema: z.ZodType) => success(201, about, schema)

type Said = Omit<Parameters<typeof route<ParlayWords>>[0], 'auth'>
/** A route that needs a credential. Its shape, its size, its credential and its limit can fail. */
const called = (said: Said): ParlayRoute => route<ParlayWords>({
  limits: ['authenticated'], ...said, auth: 'credential',
  codes: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED', ...(said.body ? ['PAYLOAD_TOO_LARGE'] as const : []), ...(said.codes ?? [])],
})
/** One of the quote service. */
const quoted = (said: Said): ParlayRoute => called({ ...said, limits: ['quote_service'] })

/** All routes of the parlay service, by the document's sections. Paths that the document does not give are chosen (parlay-wire.md). */
export function parlayRoutes(shapes: RequestSchemas): readonly ParlayRoute[] {
  return [
    route<ParlayWords>({
      name: 'listMarkets', method: 'GET', path: '/markets', aliases: ['/v1/markets'], about: 'Markets by event, filtered, page by page', auth: 'public',
      limits: ['public'], query: shapes.markets, successes: ok('one page', RESPONSES.markets), codes: ['VALIDATION_ERROR', 'RATE_LIMITED'],
    }),
    ...quoteRequestRoutes(shapes), ...makerRoutes(shapes), ...cashOutRoutes(shapes), ...accountRoutes(shapes), ...keyRoutes(shapes),
    ...webhookRoutes(shapes), ...LIVE_ROUTES,
  ]
}

const quoteRequestRoutes = (shapes: RequestSchemas): readonly ParlayRoute[] => [
  quoted({
    name: 'createQuoteRequest', method: 'POST', path: '/v1/quote-requests', about: 'Asks makers for prices of a parlay', scopes: ['trading:write'],
    body: shapes.quoteRequest, successes: made('the request, which makers have been told of', RESPONSES.quoteRequest),
  }),
  quoted({
    name: 'readQuoteRequest', method: 'GET', path: '/v1/quote-requests/{id}', about: 'A request of the caller', scopes: ['positions:read'], params: id,
    successes: ok('the request', RESPONSES.quoteRequest), codes: ['NOT_FOUND'],
  }),
  quoted({
    name: 'updateQuoteRequest', method: 'PATCH', path: '/v1/quote-requests/{id}', about: 'Gives a request other legs or another bet: a new version',
    scopes: ['trading:write'], params: id, body: shapes.quoteRequest, successes: ok('the request in its new version', RESPONSES.quoteRequest),
    codes: ['NOT_FOUND', 'CONFLICT'],
  }),
  quoted({
    name: 'cancelQuoteRequest', method: 'POST', path: '/v1/quote-requests/{id}/cancel', about: 'Takes a request back', scopes: ['trading:write'],
    params: id, successes: ok('the cancelled request', RESPONSES.quoteRequest), codes: ['NOT_FOUND', 'CONFLICT'],
  }),
  quoted({
    name: 'commitQuoteRequest', method: 'POST', path: '/v1/quote-requests/{id}/commit',
    about: 'Takes the best quote at or above a floor; answers once its maker confirmed, declined or let the time lapse', scopes: ['trading:write'],
    params: id, body: shapes.commit, successes: made('the trade', RESPONSES.commit), codes: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  }),
  called({
    name: 'listParlays', method: 'GET', path: '/v1/parlays', about: "The caller's parlays, newest first, ended ones too", scopes: ['positions:read'],
    query: shapes.parlays, successes: ok('one page', RESPONSES.parlays),
  }),
  called({
    name: 'readParlay', method: 'GET', path: '/v1/parlays/{id}', about: 'A parlay of the caller, by its rfq_id', scopes: ['positions:read'], params: id,
    successes: ok('the parlay', RESPONSES.parlay), codes: ['NOT_FOUND'],
  }),
]

const makerRoutes = (shapes: RequestSchemas): readonly ParlayRoute[] => [
  quoted({
    name: 'submitQuote', method: 'PUT', path: '/v1/mm/quote-requests/{id}/quote', about: 'Offers payout odds, in place of an earlier quote',
    scopes: ['mm:quote'], params: id, body: shapes.submitQuote, successes: ok('the quote, with the fee rate it was priced at', RESPONSES.quote),
    codes: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  }),
  quoted({
    name: 'withdrawQuote', method: 'DELETE', path: '/v1/mm/quote-requests/{id}/quote', about: 'Takes a quote back', scopes: ['mm:quote'], params: id,
    body: shapes.withdrawQuote, isBodyOptional: true,
    successes: [
      { status: 204, about: 'the quote is withdrawn', schema: null }, { status: 200, about: 'the quote had run out', schema: RESPONSES.alreadyExpired },
    ],
    codes: ['NOT_FOUND', 'CONFLICT'],
  }),
  quoted({
    name: 'confirmQuote', method: 'POST', path: '/v1/mm/quote-requests/{id}/quote/confirm', about: 'Confirms the selected quote, before its deadline',
    scopes: ['mm:quote'], params: id, body: shapes.lastLook, successes: ok('the quote, filled', RESPONSES.quote), codes: ['NOT_FOUND', 'CONFLICT'],
  }),
  quoted({
    name: 'declineQuote', method: 'POST', path: '/v1/mm/quote-requests/{id}/quote/decline', about: 'Declines the selected quote', scopes: ['mm:quote'],
    params: id, body: shapes.lastLook, successes: ok('the quote, failed', RESPONSES.quote), codes: ['NOT_FOUND', 'CONFLICT'],
  }),
  called({
    name: 'listMakerQuotes', method: 'GET', path: '/v1/mm/quotes', aliases: ['/mm/quotes'],
    about: "The caller's quotes, newest first, each with where it is in its life", scopes: ['mm:quote'], query: page,
    successes: ok('one page', RESPONSES.quotes),
  }),
  called({
    name: 'listMakerPositions', method: 'GET', path: '/v1/mm/positions', aliases: ['/mm/positions'], about: 'Active positions that the caller backs',
    scopes: ['mm:quote'], query: page, successes: ok('one page', RESPONSES.positions),
  }),
  called({
    name: 'readMakerPosition', method: 'GET', path: '/v1/mm/positions/{id}', aliases: ['/mm/positions/{id}'], about: 'An active position that the caller backs', scopes: ['mm:quote'],
    params: shapes.position, successes: ok('the position', RESPONSES.position), codes: ['NOT_FOUND'],
  }),
]

const cashOutRoutes = (shapes: RequestSchemas): readonly ParlayRoute[] => [
  quoted({
    name: 'openCashOut', method: 'POST', path: '/v1/cashout-requests', about: 'Opens an auction of a position that the caller holds',
    scopes: ['trading:write'], body: shapes.openCashout, successes: made('the auction, which makers have been told of', RESPONSES.cashOut),
    codes: ['NOT_FOUND', 'CONFLICT'],
  }),
  quoted({
    name: 'readCashOut', method: 'GET', path: '/v1/cashout-requests/{id}', about: 'An auction of the caller, with its best price',
    scopes: ['positions:read'], params: id, successes: ok('the auction', RESPONSES.cashOut), codes: ['NOT_FOUND'],
  }),
  quoted({
    name: 'cancelCashOut', method: 'POST', path: '/v1/cashout-requests/{id}/cancel', about: 'Ends an auction without a sale', scopes: ['trading:write'],
    params: id, successes: ok('the cancelled auction', RESPONSES.cashOut), codes: ['NOT_FOUND', 'CONFLICT', 'GONE'],
  }),
  quoted({
    name: 'commitCashOut', method: 'POST', path: '/v1/cashout-requests/{id}/commit', about: 'Takes the best bid', scopes: ['trading:write'], params: id,
    body: shapes.commitCashout, isBodyOptional: true, successes: ok('the auction with the maker that won', RESPONSES.cashOut),
    codes: ['NOT_FOUND', 'CONFLICT', 'GONE', 'SERVICE_UNAVAILABLE'],
  }),
  quoted({
    name: 'submitBid', method: 'PUT', path: '/v1/mm/cashout-requests/{id}/quote', about: 'Bids one all-in price, in place of an earlier bid',
    scopes: ['mm:quote'], params: id, body: shapes.submitBid, successes: ok('the bid', RESPONSES.bid), codes: ['NOT_FOUND', 'CONFLICT'],
  }),
]

const accountRoutes = (shapes: RequestSchemas): readonly ParlayRoute[] => [
  called({
    name: 'readPortfolio', method: 'GET', path: '/v1/portfolio', about: "The caller's balances, statistics and counts", scopes: ['positions:read'],
    successes: ok('the portfolio', RESPONSES.portfolio),
  }),
  called({
    name: 'deposit', method: 'POST', path: '/v1/vault/deposit', about: 'Moves USDC into the vault', scopes: ['funds:deposit'],
    limits: ['authenticated', 'vault_deposit'], body: shapes.deposit, successes: ok('the transaction', RESPONSES.vault), codes: ['SERVICE_UNAVAILABLE'],
  }),
  called({
    name: 'withdraw', method: 'POST', path: '/v1/vault/withdraw', about: 'Moves free USDC out of the vault', scopes: ['funds:withdraw'],
    limits: ['authenticated', 'vault_withdraw'], body: shapes.withdraw, successes: ok('the transaction', RESPONSES.vault),
    codes: ['NOT_FOUND', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
  }),
  called({
    name: 'withdrawFromWallet', method: 'POST', path: '/v1/wallet/withdraw', about: 'Sends USDC to an address', scopes: ['funds:withdraw'],
    limits: ['authenticated', 'wallet_withdraw'], body: shapes.walletWithdraw, successes: ok('the transaction', RESPONSES.walletWithdrawal),
    codes: ['NOT_FOUND', 'INTERNAL_ERROR', 'PARTIAL_VAULT_ONLY', 'SERVICE_UNAVAILABLE'],
  }),
  called({
    name: 'submitTransaction', method: 'POST', path: '/v1/wallet/submit-tx', about: 'Hands in a transaction that the client signed', scopes: ['tx:sign'],
    limits: ['authenticated', 'wallet_submit_tx'], body: shapes.submitTransaction, successes: ok('its signature', RESPONSES.signature),
    codes: ['SERVICE_UNAVAILABLE'],
  }),
]

const keyRoutes = (shapes: RequestSchemas): readonly ParlayRoute[] => [
  called({
    name: 'listKeys', method: 'GET', path: '/v1/api-keys', about: "The caller's keys", scopes: ['keys:manage'], successes: ok('the keys', RESPONSES.keys),
  }),
  called({
    name: 'createKey', method: 'POST', path: '/v1/api-keys', about: 'Makes a key; its text is shown this once', scopes: ['keys:manage'],
    body: shapes.createKey, successes: made('the key', RESPONSES.createdKey),
  }),
  called({
    name: 'revokeKey', method: 'DELETE', path: '/v1/api-keys/{prefix}', about: 'Ends a key', scopes: ['keys:manage'], params: shapes.revokeKey,
    successes: success(204, 'the key is revoked', null), codes: ['NOT_FOUND', 'CONFLICT'],
  }),
]

const webhookRoutes = (shapes: RequestSchemas): readonly ParlayRoute[] => [
  called({
    name: 'setWebhook', method: 'PUT', path: '/v1/webhooks', about: 'Sets where events are sent; no events park the endpoint',
    scopes: ['account:write', 'mm:quote'], query: ownerKind, body: shapes.setWebhook.user, successes: ok('the endpoint', RESPONSES.endpoint),
  }),
  called({
    name: 'readWebhook', method: 'GET', path: '/v1/webhooks', about: 'Where events are sent, and which', scopes: ['account:read', 'mm:quote'], query: ownerKind,
    successes: ok('the endpoint', RESPONSES.endpoint), codes: ['NOT_FOUND'],
  }),
  called({
    name: 'rotateSecret', method: 'POST', path: '/v1/webhooks/rotate-secret', about: 'Makes the next signing secret, which is shown this once',
    scopes: ['account:write', 'mm:quote'], query: ownerKind, successes: ok('the secret', RESPONSES.secret), codes: ['NOT_FOUND'],
  }),
  called({
    name: 'listDeliveries', method: 'GET', path: '/v1/webhooks/deliveries', about: 'Recent deliveries, newest first', scopes: ['account:read', 'mm:quote'],
    query: shapes.deliveries, successes: ok('the deliveries', RESPONSES.deliveries),
  }),
  called({
    name: 'redeliver', method: 'POST', path: '/v1/webhooks/deliveries/{id}/redeliver', about: 'Sends an ended delivery again', params: id,
    scopes: ['account:write', 'mm:quote'], query: ownerKind, successes: ok('the delivery, pending', RESPONSES.delivery), codes: ['NOT_FOUND', 'CONFLICT'],
  }),
]

const LIVE_ROUTES: readonly ParlayRoute[] = [
  called({
    name: 'openMakerStream', method: 'GET', path: '/v1/mm/stream', channel: 'events', scopes: ['mm:quote'],
    about: 'Requests, best quotes and cash-outs as they happen; marks the maker live while it is open', successes: success(200, 'the stream', null),
  }),
  called({
    name: 'openStream', method: 'GET', path: '/v1/stream', channel: 'events', scopes: ['positions:read'], about: 'Requests, best quotes and cash-outs of everybody as they happen; a client picks its own by id',
    successes: success(200, 'the stream', null),
  }),
  route<ParlayWords>({
    name: 'openSocket', method: 'GET', path: '/v1/ws', channel: 'socket', auth: 'frame', about: 'Post-trade events, after the frame auth',
    successes: success(101, 'the socket', null),
  }),
]

/** Routes that no longer serve, all 410 GONE (PQ-459, PQ-460, the status chosen, PQ-464). */
export const RETIRED = [
  { method: 'GET', path: '/v1/wallet/blockhash' }, { method: 'POST', path: '/v1/mm/heartbeat' },
] as const
