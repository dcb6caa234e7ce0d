import type { z } from 'zod'
import { isRejection } from '../../market/marketQuery.ts'
import { Bug } from '../../unit/assert.ts'
import { type RowCells, rowAs } from '../../venue/eventCells.ts'
import { readCell } from '../../venue/eventRows.ts'
import { ParlayCode } from '../../venue/parlay/protocol/codes.ts'
import {
  AuctionReply, CommitReply, KeyReply, LastLookReply, QuoteReply, Reply, SaleReply, SecretReply,
} from '../../venue/parlay/protocol/events.ts'
import type { EndpointView } from '../../venue/parlay/protocol/gate.ts'
import { OwnerKind } from '../../venue/parlay/protocol/webhooks.ts'
import { apiKeyBody, createdApiKeyBody } from '../../venue/parlay/wire/apiKey.ts'
import { bidBody, cashOutBody } from '../../venue/parlay/wire/cashOutBody.ts'
import { commitBody } from '../../venue/parlay/wire/commitBody.ts'
import { deliveryRecord } from '../../venue/parlay/wire/deliveryRecord.ts'
import { endpointBody, rotatedSecretBody } from '../../venue/parlay/wire/endpointBody.ts'
import type { Issue } from '../../venue/parlay/wire/errors.ts'
import { parlayBody } from '../../venue/parlay/wire/parlayBody.ts'
import { portfolioBody } from '../../venue/parlay/wire/portfolioBody.ts'
import { makerPositionBody } from '../../venue/parlay/wire/positionBody.ts'
import { ALREADY_EXPIRED, quoteBody } from '../../venue/parlay/wire/quoteBody.ts'
import { quoteRequestBody } from '../../venue/parlay/wire/quoteRequestBody.ts'
import { vaultBody, walletWithdrawalBody } from '../../venue/parlay/wire/vaultBody.ts'
import type { Call } from './calls.ts'
import { type Page, pageOf } from './pages.ts'
import { isRefused, type Refused } from './records/reads.ts'
import type { RequestRecord } from './records/requests.ts'
import { microsOf } from './schemas/fields.ts'
import { type ownerKind, type RequestSchemas, SIGNED_TRANSACTION } from './schemas/requests.ts'
import type { Served } from './served.ts'
import { signatureOfTransaction } from './signedTransaction.ts'

/** A call that the service let through, with the reply to its command. */
export interface Admitted {
  readonly account: number
  readonly call: Call
  readonly reply: RowCells<'parlay.reply'>
  /** The instant of the reply, µs. */
  readonly nowUs: number
}

/** What a call is answered with: a body, nothing, or a fault that only the read itself showed. */
export type Outcome =
  | { readonly body: object; /** The status, where it is not the route's usual one. */ readonly status?: number }
  | { readonly body: null }
  | { readonly issues: readonly Issue[] }
  | Refused

type Render = (served: Served, admitted: Admitted) => Outcome
type Body<S extends keyof RequestSchemas> = RequestSchemas[S] extends z.ZodType ? z.output<RequestSchemas[S]> : never

const NOTHING: Outcome = { body: null }
const data = (resource: object): Outcome => ({ body: { data: resource } })

const signatures = new WeakMap<Call, string | null>()

/** The signature of a call's transaction, null without one. A packet has up to nineteen to verify: that is done once for each call. */
function signatureOf(call: Call): string | null {
  const known = signatures.get(call)
  if (known !== undefined) return known
  const signature = signatureOfTransaction((call.body as Body<'submitTransaction'>).transaction)
  signatures.set(call, signature)
  return signature
}
const UNSIGNED: readonly Issue[] = [{ path: ['transaction'], message: SIGNED_TRANSACTION }]

/** What is wrong with a call that takes long to find out: only calls that the gate has let through are looked at. Null: nothing is. */
export const issuesBehindGate = (name: string, call: Call): readonly Issue[] | null => (name === 'submitTransaction' && signatureOf(call) === null ? UNSIGNED : null)

const queryOf = <T>({ call }: Admitted): T => call.query as T
const ownerOf = (admitted: Admitted): 0 | 1 => (queryOf<z.output<typeof ownerKind>>(admitted).owner_kind === 'mm' ? OwnerKind.maker : OwnerKind.user)

/** The resource of a read that found one. */
const read = <T extends object>(found: T | Refused, render: (record: T) => object): Outcome => (isRefused(found) ? found : data(render(found)))

/** A page of a list, under its name. */
const paged = <T>(page: Page<T> | { readonly issues: readonly Issue[] }, name: string, render: (entry: T) => object): Outcome =>
  ('issues' in page ? page : { body: { data: { [name]: page.entries.map(render) }, meta: page.meta } })

const known = <T>(record: T | null, what: string): T => {
  if (record === null) throw new Bug(`an answer names ${what} that nobody knows`)
  return record
}

const requestBody = ({ identity, nameOf, inputLegs }: Served, request: RequestRecord) =>
  ({ quote_request: quoteRequestBody(identity, request, nameOf, inputLegs.of(request.number, request.version)) })
/** The request that a reply is about. */
const repliedRequest: Render = (served, { reply }) =>
  data(requestBody(served, known(served.records.request(readCell(rowAs(Reply, reply), Reply.request)), 'a request')))
const auctionOf = (served: Served, number: number): Outcome =>
  data({ cashout_request: cashOutBody(served.identity, known(served.records.auctions.auction(number), 'an auction')) })
const repliedAuction: Render = (served, { reply }) => auctionOf(served, readCell(rowAs(AuctionReply, reply), AuctionReply.auction))
const quoteOf = ({ identity, records }: Served, number: number): Outcome => data(quoteBody(identity, known(records.quotes.quote(number), 'a quote')))
const lastLook: Render = (served, { reply }) => quoteOf(served, readCell(rowAs(LastLookReply, reply), LastLookReply.quote))
const moved: Render = ({ identity }, { reply, call }) => data(vaultBody(identity, reply, microsOf((call.body as Body<'deposit'>).amount)))

/** Bodies of successes by name of the route. */
const RENDERS: Readonly<Record<string, Render>> = {
  listMarkets: ({ markets }, { call, nowUs }) => {
    const page = markets.read(call.query, nowUs)
    return isRejection(page) ? { issues: page.issues } : { body: page }
  },

  createQuoteRequest: repliedRequest, updateQuoteRequest: repliedRequest, cancelQuoteRequest: repliedRequest,
  readQuoteRequest: (served, { account, call }) => read(served.reads.request(account, call.params['id']!), (request) => requestBody(served, request)),
  commitQuoteRequest: ({ identity }, { reply }) => data(commitBody(identity, rowAs(CommitReply, reply))),
  listParlays: ({ records, identity, nameOf }, admitted) => {
    const { status, limit, cursor } = queryOf<Body<'parlays'>>(admitted)
    const parlays = records.trades.holdingsOf(admitted.account).filter((parlay) => status === undefined || parlay.status === status)
    return paged(pageOf(parlays, ({ request }) => request, ['parlays', admitted.account, status ?? ''], { limit, cursor }), 'parlays',
      (parlay) => parlayBody(identity, parlay, nameOf))
  },
  readParlay: ({ reads, identity, nameOf }, { account, call }) =>
    read(reads.parlay(account, call.params['id']!), (parlay) => ({ parlay: parlayBody(identity, parlay, nameOf) })),

  submitQuote: (served, { reply }) => quoteOf(served, readCell(rowAs(QuoteReply, reply), QuoteReply.quote)),
  withdrawQuote: (_, { reply }) =>
    (readCell(rowAs(Reply, reply), Reply.code) === ParlayCode.alreadyExpired ? { status: 200, body: { data: ALREADY_EXPIRED } } : NOTHING),
  confirmQuote: lastLook, declineQuote: lastLook,
  listMakerQuotes: ({ records, identity }, admitted) =>
    paged(pageOf(records.quotes.of(admitted.account), ({ number }) => number, ['quotes', admitted.account], queryOf(admitted)), 'quotes',
      (quote) => quoteBody(identity, quote)),
  listMakerPositions: ({ records, identity, nameOf }, admitted) =>
    paged(pageOf(records.trades.backedBy(admitted.account), ({ number }) => number, ['positions', admitted.account], queryOf(admitted)), 'positions',
      (position) => makerPositionBody(identity, position, nameOf)),
  readMakerPosition: ({ reads, identity, nameOf }, { account, call }) =>
    read(reads.position(account, call.params['id']!), (position) => ({ position: makerPositionBody(identity, position, nameOf) })),

  openCashOut: repliedAuction, cancelCashOut: repliedAuction,
  readCashOut: ({ reads, identity }, { account, call }) =>
    read(reads.auction(account, call.params['id']!), (auction) => ({ cashout_request: cashOutBody(identity, auction) })),
  commitCashOut: (served, { reply }) => auctionOf(served, readCell(rowAs(SaleReply, reply), SaleReply.auction)),
  submitBid: ({ records, identity }, { reply }) =>
    data(bidBody(identity, known(records.auctions.bid(readCell(rowAs(AuctionReply, reply), AuctionReply.bid)), 'a bid'))),

  readPortfolio: ({ identity, view, startUs }, { account }) => data(portfolioBody(identity, account, view.portfolio(account), startUs)),
  deposit: moved, withdraw: moved,
  withdrawFromWallet: ({ identity }, { reply, call }) => {
    const { amount, address } = call.body as Body<'walletWithdraw'>
    return data(walletWithdrawalBody(identity, reply, microsOf(amount), address))
  },
  submitTransaction: (_, { call }) => data({ signature: signatureOf(call)! }),

  listKeys: ({ gate, identity }, { account }) => data({ api_keys: gate.keysOf(account).map((key) => apiKeyBody(identity, key)) }),
  createKey: ({ gate, identity }, { reply }) =>
    data(createdApiKeyBody(identity, known(gate.key(readCell(rowAs(KeyReply, reply), KeyReply.credential)), 'a key'))),
  revokeKey: () => NOTHING,

  setWebhook: ({ gate, endpoints }, admitted) => {
    const { account, call } = admitted
    const owner = ownerOf(admitted)
    endpoints.set(account, owner, (call.body as { readonly url: string }).url)
    return data(endpointBody(known(gate.endpoint(account, owner), 'an endpoint'), endpoints.of(account, owner)))
  },
  readWebhook: ({ gate, endpoints }, admitted) => {
    const { account } = admitted
    const owner = ownerOf(admitted)
    return read<EndpointView>(gate.endpoint(account, owner) ?? { refused: ParlayCode.notFound }, (endpoint) => endpointBody(endpoint, endpoints.of(account, owner)))
  },
  rotateSecret: ({ identity }, admitted) =>
    data(rotatedSecretBody(identity, admitted.account, ownerOf(admitted), readCell(rowAs(SecretReply, admitted.reply), SecretReply.secretGeneration))),
  listDeliveries: ({ gate, identity }, admitted) => {
    const { limit } = queryOf<Body<'deliveries'>>(admitted)
    return data({ deliveries: gate.deliveriesOf(admitted.account, ownerOf(admitted)).slice(0, limit).map((delivery) => deliveryRecord(identity, delivery)) })
  },
  redeliver: ({ gate, identity }, admitted) => {
    const { account, call } = admitted
    const sent = gate.deliveriesOf(account, ownerOf(admitted)).find(({ number }) => identity.event(number) === call.params['id']!.toLowerCase())
    return data(deliveryRecord(identity, known(sent ?? null, 'a delivery')))
  },
}

/** What a call to a route is answered with, once the service has let it through. */
export const outcomeOf = (name: string, served: Served, admitted: Admitted): Outcome => RENDERS[name]!(served, admitted)
