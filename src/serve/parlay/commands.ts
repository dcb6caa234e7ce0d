import type { z } from 'zod'
import { Side } from '../../market/sides.ts'
import { ReadRoute, SCOPE_NAMES } from '../../venue/parlay/protocol/access.ts'
import {
  CreateKey, type ParlayCommand, ParlayOp, Read, Redeliver, RevokeKey, RotateSecret, SetEndpoint,
} from '../../venue/parlay/protocol/commands.ts'
import { OwnerKind, WEBHOOK_EVENT_NAMES } from '../../venue/parlay/protocol/webhooks.ts'
import type { Call } from './calls.ts'
import { ceilScaled } from './decimals.ts'
import { microsOf, oddsE4Of } from './schemas/fields.ts'
import type { ownerKind, RequestSchemas } from './schemas/requests.ts'

/** Numbers of what clients name. An unknown name is −1, which the venue answers in its own order of checks. */
export interface WireNumbers {
  request(id: string): number
  quote(id: string): number
  account(id: string): number
  auction(id: string): number
  /** The position of an `rfq_id` that the account holds. */
  positionOfRfq(account: number, rfqId: string): number
  key(account: number, prefix: string): number
  delivery(id: string): number
  /** The session's instant of one on the wire, µs. */
  instant(iso: string): number
  /** −1 where the ticker is another venue's, too. */
  market(ticker: string, venue: 'venue_a' | 'venue_b'): number
  /** The content tag of a version of the request whose hash it is; one that no content has where there is none. */
  contentTag(request: number, hash: string): number
}

/** A displayed quote that nobody knows is recorded as this number: it pins nothing (readings A02). */
export const UNKNOWN_QUOTE = Number.MAX_SAFE_INTEGER
/** Of a leg that names none (PQ-051). */
export const DEFAULT_VENUE = 'venue_a'
const NOBODY = -1
const ODDS_DECIMALS = 4

type Body<S extends 'quoteRequest' | 'commit' | 'submitQuote' | 'withdrawQuote' | 'lastLook' | 'openCashout' | 'commitCashout' | 'submitBid' | 'deposit' | 'createKey'> =
  z.output<RequestSchemas[S]>

/** Writes what a call says into a command that was reset for its opcode and account. */
type Write = (c: ParlayCommand, call: Call, numbers: WireNumbers) => void

/** What a route's call is to the gate. */
interface Meaning {
  readonly op: number
  /** Fields that a call has whose shape is wrong, too: they decide which scope it needs. */
  readonly always?: (c: ParlayCommand, query: Call['query']) => void
  readonly write?: Write
}

/** −1 for a kind that does not exist: the gate refuses it, and asks for the user's scope first. */
function ownerOf(query: Call['query']): number {
  const { owner_kind: kind = 'user' } = query as Partial<z.output<typeof ownerKind>>
  return kind === 'mm' ? OwnerKind.maker : kind === 'user' ? OwnerKind.user : NOBODY
}
const toOwner = (field: typeof SetEndpoint.ownerKind | typeof RotateSecret.ownerKind | typeof Redeliver.ownerKind): NonNullable<Meaning['always']> => (c, query) => {
  c[field] = ownerOf(query)
}
const maskOf = (names: readonly string[], chosen: readonly string[]): number => chosen.reduce((mask, name) => mask | (1 << names.indexOf(name)), 0)

const onRequest: Write = (c, call, numbers) => {
  c.request = numbers.request(call.params['id']!)
}
const onAuction: Write = (c, call, numbers) => {
  c.auction = numbers.auction(call.params['id']!)
}
const withLegs: Write = (c, call, numbers) => {
  const { legs, bet_amount } = call.body as Body<'quoteRequest'>
  c.betMicros = microsOf(bet_amount)
  for (const { market_ticker, venue = DEFAULT_VENUE, side } of legs) c.leg(numbers.market(market_ticker, venue), side === 'yes' ? Side.yes : Side.no)
}
const withAmount: Write = (c, call) => {
  c.amountMicros = microsOf((call.body as Body<'deposit'>).amount)
}
const lastLook: Write = (c, call, numbers) => {
  onRequest(c, call, numbers)
  c.quote = numbers.quote((call.body as Body<'lastLook'>).quote_id)
}
const reading = (route: number): Meaning => ({
  op: ParlayOp.read,
  always: (c) => {
    c[Read.route] = route
  },
})
const readingEndpoint: Meaning = {
  op: ParlayOp.read,
  always: (c, query) => {
    c[Read.route] = ownerOf(query) === OwnerKind.maker ? ReadRoute.makerWebhooks : ReadRoute.webhooks
  },
}

/** By name of the route. A stream for bettors and the reads only count against limits and scopes: what they show comes from the record. */
export const MEANINGS: Readonly<Record<string, Meaning>> = {
  listMarkets: reading(ReadRoute.markets),
  createQuoteRequest: { op: ParlayOp.createRequest, write: withLegs },
  readQuoteRequest: reading(ReadRoute.quoteRequests),
  updateQuoteRequest: {
    op: ParlayOp.updateRequest,
    write: (c, call, numbers) => {
      onRequest(c, call, numbers)
      withLegs(c, call, numbers)
    },
  },
  cancelQuoteRequest: { op: ParlayOp.cancelRequest, write: onRequest },
  commitQuoteRequest: {
    op: ParlayOp.commitRequest,
    write: (c, call, numbers) => {
      const { expected_version, displayed_quote_id, displayed_quote_book_seq, min_payout_odds_seen, exclude_mm_ids = [] } = call.body as Body<'commit'>
      onRequest(c, call, numbers)
      c.version = expected_version
      const quote = numbers.quote(displayed_quote_id)
      c.quote = quote === NOBODY ? UNKNOWN_QUOTE : quote
      c.bookSeq = displayed_quote_book_seq
      c.oddsE4 = ceilScaled(min_payout_odds_seen, ODDS_DECIMALS)
      for (const maker of exclude_mm_ids.map((name) => numbers.account(name))) if (maker !== NOBODY) c.item(maker)
    },
  },
  listParlays: reading(ReadRoute.parlays),
  readParlay: reading(ReadRoute.parlays),
  submitQuote: {
    op: ParlayOp.submitQuote,
    write: (c, call, numbers) => {
      const { request_version, request_hash, payout_odds, expires_in_ms } = call.body as Body<'submitQuote'>
      onRequest(c, call, numbers)
      c.version = request_version
      c.contentTag = numbers.contentTag(c.request, request_hash)
      c.oddsE4 = oddsE4Of(payout_odds)
      if (expires_in_ms !== undefined) c.validMs = expires_in_ms
    },
  },
  withdrawQuote: {
    op: ParlayOp.withdrawQuote,
    write: (c, call, numbers) => {
      const { request_version, request_hash } = call.body as Body<'withdrawQuote'>
      onRequest(c, call, numbers)
      if (request_version !== undefined) c.version = request_version
      if (request_hash !== undefined) c.contentTag = numbers.contentTag(c.request, request_hash)
    },
  },
  confirmQuote: { op: ParlayOp.confirmSelection, write: lastLook },
  declineQuote: { op: ParlayOp.declineSelection, write: lastLook },
  listMakerQuotes: reading(ReadRoute.makerQuotes),
  listMakerPositions: reading(ReadRoute.makerPositions),
  readMakerPosition: reading(ReadRoute.makerPositions),
  openCashOut: {
    op: ParlayOp.openCashout,
    write: (c, call, numbers) => {
      c.position = numbers.positionOfRfq(c.account, (call.body as Body<'openCashout'>).rfq_id)
    },
  },
  readCashOut: reading(ReadRoute.quoteRequests),
  cancelCashOut: { op: ParlayOp.cancelCashout, write: onAuction },
  commitCashOut: {
    op: ParlayOp.commitCashout,
    write: (c, call, numbers) => {
      const { min_price_micro } = call.body as Body<'commitCashout'>
      onAuction(c, call, numbers)
      if (min_price_micro !== undefined) c.amountMicros = min_price_micro
    },
  },
  submitBid: {
    op: ParlayOp.submitBid,
    write: (c, call, numbers) => {
      const { price_micro, expires_in_ms } = call.body as Body<'submitBid'>
      onAuction(c, call, numbers)
      c.amountMicros = price_micro
      if (expires_in_ms !== undefined) c.validMs = expires_in_ms
    },
  },
  readPortfolio: reading(ReadRoute.portfolio),
  deposit: { op: ParlayOp.deposit, write: withAmount },
  withdraw: { op: ParlayOp.withdraw, write: withAmount },
  withdrawFromWallet: { op: ParlayOp.walletWithdraw, write: withAmount },
  submitTransaction: { op: ParlayOp.submitTransaction },
  listKeys: reading(ReadRoute.keys),
  createKey: {
    op: ParlayOp.createKey,
    write: (c, call, numbers) => {
      const { scopes, expires_at } = call.body as Body<'createKey'>
      c[CreateKey.scopes] = maskOf(SCOPE_NAMES, scopes)
      if (expires_at !== undefined && expires_at !== null) c.closeUs = numbers.instant(expires_at)
    },
  },
  revokeKey: {
    op: ParlayOp.revokeKey,
    write: (c, call, numbers) => {
      c[RevokeKey.keyNumber] = numbers.key(c.account, call.params['prefix']!)
    },
  },
  setWebhook: {
    op: ParlayOp.setEndpoint,
    always: toOwner(SetEndpoint.ownerKind),
    write: (c, call) => {
      c[SetEndpoint.events] = maskOf(WEBHOOK_EVENT_NAMES, (call.body as { readonly events: readonly string[] }).events)
    },
  },
  readWebhook: readingEndpoint,
  rotateSecret: { op: ParlayOp.rotateSecret, always: toOwner(RotateSecret.ownerKind) },
  listDeliveries: readingEndpoint,
  redeliver: {
    op: ParlayOp.redeliver,
    always: toOwner(Redeliver.ownerKind),
    write: (c, call, numbers) => {
      c[Redeliver.delivery] = numbers.delivery(call.params['id']!)
    },
  },
  openMakerStream: { op: ParlayOp.openStream },
  openStream: reading(ReadRoute.parlays),
}

/** Makes `c` the command of a route's call by an account. Its credential and its source are the caller's to set. */
export function writeCommand(c: ParlayCommand, name: string, account: number, call: Call, numbers: WireNumbers): void {
  const { op, always, write } = MEANINGS[name]!
  c.reset(op, account)
  always?.(c, call.query)
  write?.(c, call, numbers)
}

/**
 * The command of a call whose shape is wrong. It is counted and authenticated like any other and does nothing, since nothing is set in it.
 * Unless the gate refuses it, its answer is VALIDATION_ERROR with the issues, whatever its reply says.
 */
export function writeMisshapen(c: ParlayCommand, name: string, account: number, query: Call['query']): void {
  const { op, always } = MEANINGS[name]!
  c.reset(op, account)
  always?.(c, query)
}
