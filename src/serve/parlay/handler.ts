import { CatalogueIndex } from '../../market/catalogue.ts'
import type { TickHistory } from '../../market/tickSource.ts'
import { assert } from '../../unit/assert.ts'
import { MS_US } from '../../unit/time.ts'
import { NONE } from '../../unit/none.ts'
import type { Row } from '../../venue/eventCells.ts'
import type { EventRows } from '../../venue/eventRows.ts'
import { SCOPE_NAMES, ScopeBit } from '../../venue/parlay/protocol/access.ts'
import type { ParlayGateView } from '../../venue/parlay/protocol/gate.ts'
import type { ParlayProfile } from '../../venue/parlay/protocol/profile.ts'
import { type ErrorAnswer, errorAnswer } from '../../venue/parlay/wire/errors.ts'
import { WireIdentity } from '../../venue/parlay/wire/identity.ts'
import type { SplitKey } from '../../venue/wire/sessionDigests.ts'
import type { Answer, Channel, Exchange } from '../exchange.ts'
import { RouteMatcher } from '../routeMatcher.ts'
import type { DeskNames, ExternalSeat, HandlerSite, MakeHandler, SeatMessage, ServiceHandler } from '../serviceHandler.ts'
import { bucketOfPath } from './buckets.ts'
import { type Caller, callerOf, NOBODY } from './caller.ts'
import { DeliveryEnds } from './deliveryEnds.ts'
import { errorWith } from './edge.ts'
import { ChannelTexts } from './channels/channelTexts.ts'
import { MakerStreams } from './channels/makerStreams.ts'
import { Sockets } from './channels/sockets.ts'
import { Streams } from './channels/streams.ts'
import { type SelectedTiding, type StreamTiding, Tidings } from './channels/tidings.ts'
import { type Incoming, IncomingReader } from './incoming.ts'
import { InputLegs } from './inputLegs.ts'
import { ParlayLive } from './live.ts'
import { KnownNames, namesOf } from './records/names.ts'
import { ParlayReads } from './records/reads.ts'
import { ParlayRecords } from './records/records.ts'
import { parlayRoutes } from './routes.ts'
import { requestSchemas } from './schemas/requests.ts'
import { EndpointUrls, type Served, ServedMarkets } from './served.ts'
import { SentCalls } from './sentCalls.ts'
import { type PostWebhook, WebhookSends } from './webhookSends.ts'

/** Stands in the place of a maker for streams that are told things as they happen. */
const EVERYBODY = -1
const USDC_MICROS = 1_000_000

/** What a handler needs besides the session. */
export interface ParlayTerms {
  readonly profile: ParlayProfile
  readonly startUs: number
  /** How long the gate knows a delivery of a webhook that has ended, ms. */
  readonly deliveryRetentionMs: number
  /** The prices that the list of markets shows. */
  readonly ticks: TickHistory
  /** What every id, key and secret on the wire is derived from. */
  readonly sessionKey: string | SplitKey
  /** Webhook endpoints may be plain HTTP, and in private networks. */
  readonly allowsLocalWebhooks: boolean
  readonly postWebhook: PostWebhook
}

/** The handler of the parlay quote service. */
export const parlayHandler = ({ sessionKey, ...terms }: Omit<ParlayTerms, 'profile' | 'startUs' | 'deliveryRetentionMs'>): MakeHandler => (site) => {
  const { services: { parlay }, history } = site.resolved
  assert(parlay?.gate !== undefined, 'clients call a service that stands behind its gate')
  const { settings: profile, gate: { profile: { deliveryRetentionMs } } } = parlay
  return new ParlayHandler(site, { ...terms, sessionKey, profile, deliveryRetentionMs, startUs: history.fromUs })
}

export type ParlaySite = Omit<HandlerSite, 'resolved'>

/** Answers what clients of the parlay quote service send, over a session that is being played (docs/conformance/parlay-wire.md). */
export class ParlayHandler implements ServiceHandler {
  private declare readonly site: ParlaySite
  private declare readonly terms: ParlayTerms
  private declare readonly served: Served
  private declare readonly gate: ParlayGateView
  private declare readonly names: KnownNames
  private declare readonly reader: IncomingReader
  private declare readonly calls: SentCalls
  private declare readonly texts: ChannelTexts
  private readonly tidings = new Tidings()
  private readonly streams = new Streams()
  private declare readonly makerStreams: MakerStreams
  private declare readonly sockets: Sockets
  private declare readonly webhooks: WebhookSends
  private declare readonly deliveryEnds: DeliveryEnds
  /** Accounts of makers' seats: they are told when a message has come down the way to them, everybody else when something happens. */
  private declare readonly makers: ReadonlySet<number>

  constructor(site: ParlaySite, terms: ParlayTerms) {
    const { session: { parlay }, catalogue, seats } = site
    assert(parlay !== null && parlay.gateView !== null, 'clients call a service that stands behind its gate')
    const { profile, sessionKey, ticks, allowsLocalWebhooks } = terms
    const index = new CatalogueIndex(catalogue)
    const nameOf = namesOf(index)
    const identity = new WireIdentity(sessionKey, site.shiftUs)
    const inputLegs = new InputLegs()
    this.site = site
    this.terms = terms
    this.gate = parlay.gateView
    this.makers = new Set(seats.filter(({ role }) => role === 'maker').map(({ account }) => account))
    const clients = new Set(seats.map(({ account }) => account))
    this.names = new KnownNames(identity, new Set([...clients, ...parlay.desks().map(({ account }) => account)]))
    const { names, tidings } = this
    const records = new ParlayRecords(clients, profile, {
      requestKnown: (request) => names.requestKnown(request),
      parlayKnown: (request) => names.parlayKnown(request),
      quoteKnown: (quote) => names.quoteKnown(quote),
      auctionKnown: (auction) => names.auctionKnown(auction),
      requestForgotten(request, isHeld) {
        names.requestForgotten(request, isHeld)
        tidings.requestForgotten(request.number)
        inputLegs.requestForgotten(request.number)
      },
      auctionForgotten(auction) {
        names.auctionForgotten(auction)
        tidings.auctionForgotten(auction)
      },
    })
    this.served = {
      identity, nameOf, records, inputLegs, view: parlay.venue.view, gate: this.gate, reads: new ParlayReads(records, names, identity),
      markets: new ServedMarkets(catalogue, ticks, records.markets, site.shiftUs), endpoints: new EndpointUrls(), startUs: terms.startUs,
    }
    const shapes = requestSchemas(profile, { allowsLocal: allowsLocalWebhooks })
    this.reader = new IncomingReader(new RouteMatcher(parlayRoutes(shapes)), shapes, names.numbers(records, index))
    this.calls = new SentCalls(site, this.served)
    this.texts = new ChannelTexts(identity, nameOf, inputLegs)
    this.makerStreams = new MakerStreams((account) => this.calls.closeStream(account))
    this.sockets = new Sockets(site, names, this.gate, identity)
    this.webhooks = new WebhookSends(site, identity, this.served.endpoints, terms.postWebhook)
    this.deliveryEnds = new DeliveryEnds(terms.deliveryRetentionMs * MS_US, (delivery) => {
      names.deliveryForgotten(delivery)
      this.webhooks.forgotten(delivery)
    })
  }

  call(exchange: Exchange, answer: (answer: Answer) => void): void {
    const { incoming, caller } = this.read(exchange, null)
    this.calls.send(incoming, caller, exchange.remote, (finished) => answer(finished.answer))
  }

  open(exchange: Exchange, channel: Channel): void {
    const { incoming, caller } = this.read(exchange, channel.kind)
    const isMakers = incoming.kind === 'call' && incoming.route.name === 'openMakerStream'
    let isClosed = false
    let closed = (): void => {}
    channel.onFrame = (data) => this.sockets.frame(channel, data)
    channel.onClose = () => {
      isClosed = true
      closed()
    }
    const { account } = caller
    if (this.site.isOpening === true) return this.attach(incoming, caller, channel, (ended) => { closed = ended })
    if (isMakers) this.makerStreams.hold(account)
    this.calls.send(incoming, caller, exchange.remote, ({ mayOpen, answer, limits }) => {
      if (mayOpen && isMakers) this.makerStreams.opened(account)
      if (!mayOpen || isClosed) {
        if (isMakers) this.makerStreams.release(account)
        if (!isClosed) channel.refuse(answer)
        return
      }
      channel.accept(undefined, limits)
      const undo = this.opened(channel, caller, isMakers)
      closed = () => {
        undo()
        if (isMakers) this.makerStreams.release(account)
      }
    })
  }

  marketName(market: number): string {
    return this.site.catalogue.markets[market]!.ticker
  }

  get deskNames(): DeskNames {
    const { served: { identity } } = this
    return {
      market: (market) => this.marketName(market), request: (request) => identity.request(request), quote: (quote) => identity.quote(quote),
      auction: (auction) => identity.auction(auction), position: (position) => identity.position(position), parlay: (request) => identity.rfq(request),
      amount: (micros) => micros / USDC_MICROS,
    }
  }

  accountOf(exchange: Exchange): number {
    return callerOf(exchange, this.site.nowUs + this.site.shiftUs, this.names).account
  }

  readerOf(exchange: Exchange, atUs: number): number {
    const { account, credential } = callerOf(exchange, atUs + this.site.shiftUs, this.names)
    return this.names.hasEnded(credential, atUs) ? NONE : account
  }

  deskScopesLacking(exchange: Exchange, roles: readonly ExternalSeat['role'][]): readonly string[] {
    const { account, credential } = callerOf(exchange, this.site.nowUs + this.site.shiftUs, this.names)
    const held = Math.max(0, this.gate.scopesHeld(account, credential))
    const needed = (roles.includes('maker') ? ScopeBit.mmQuote : 0) | (roles.includes('bettor') ? ScopeBit.positionsRead : 0)
    return SCOPE_NAMES.filter((_, bit) => (needed & ~held & (1 << bit)) !== 0)
  }

  /**
   * Opens a channel of a client before time begins. No call is made: the gate has opened the streams of the seats with those of all makers,
   * and counts nothing.
   */
  private attach(incoming: Incoming, caller: Caller, channel: Channel, whenClosed: (closed: () => void) => void): void {
    const { account, credential } = caller
    const refuse = (error: ErrorAnswer): void => { channel.refuse(errorWith(error, [])) }
    if (incoming.kind === 'unknown' || incoming.kind === 'misshapen') return refuse(incoming.error)
    const { route } = incoming
    const held = this.gate.scopesHeld(account, credential)
    if (route.channel === 'body') return refuse(errorAnswer('SERVICE_UNAVAILABLE'))
    if (held < 0 && (route.channel === 'events' || caller.isNamed)) return refuse(errorAnswer('UNAUTHORIZED'))
    const isMakers = route.name === 'openMakerStream'
    if (route.channel === 'events' && (held & (isMakers ? ScopeBit.mmQuote : ScopeBit.positionsRead)) === 0) return refuse(errorAnswer('FORBIDDEN'))
    channel.accept()
    whenClosed(this.opened(channel, caller, isMakers))
  }

  /** A channel has been accepted. Returns what its end undoes. */
  private opened(channel: Channel, caller: Caller, isMakers: boolean): () => void {
    const { account } = caller
    if (channel.kind === 'socket') this.sockets.add(channel, caller.isNamed ? caller : null)
    else this.streams.add(channel, isMakers && this.makers.has(account) ? account : EVERYBODY)
    return () => {
      this.streams.remove(channel)
      this.sockets.remove(channel)
    }
  }

  take(events: EventRows, row: Row): void {
    this.names.take(events, row)
    this.served.records.take(events, row)
    this.webhooks.take(events, row)
    this.deliveryEnds.take(events, row)
    const tiding = this.tidings.take(events, row)
    if (tiding === null) return
    if (tiding.kind === 'request') this.served.inputLegs.take(tiding.row)
    if (tiding.kind !== 'selected') this.tellStreams(EVERYBODY, tiding)
    // Nothing comes down the way of a maker whose stream is closed; its sockets are no part of that.
    else if (!this.makers.has(tiding.maker) || !this.gate.isLive(tiding.maker)) this.tellSockets(tiding)
  }

  told({ account }: ExternalSeat, { kind, view }: SeatMessage): void {
    switch (kind) {
      case 'onRequest': return this.tellStreams(account, this.tidings.version(view.request, view.version))
      case 'onBest': return this.tellStreams(account, this.tidings.best(view.request, view.bookChanges))
      case 'onCashOut': return this.tellStreams(account, this.tidings.auction(view.auction))
      case 'onSelected': return this.tellSockets(this.tidings.selection(view.request, view.quote))
      default:
    }
  }

  credentialsOf({ account }: ExternalSeat): Readonly<Record<string, string>> {
    const { gate, served: { identity } } = this
    const key = gate.keysOf(account).find(({ state }) => state === 'active')
    assert(key !== undefined, `account ${account} has a key`)
    return { api_key: identity.apiKey(key.number), user_id: identity.account(account) }
  }

  hasEndpoints(): boolean {
    return this.served.endpoints.areUsed
  }

  live(): ParlayLive {
    const { terms: { profile }, served: { view, identity } } = this
    return new ParlayLive(view, profile, ({ isAuction, number }) => (isAuction ? identity.auction(number) : identity.request(number)))
  }

  drain(): void {
    this.calls.drain()
    this.streams.closeAll()
    this.sockets.closeAll()
  }

  private read(exchange: Exchange, channel: Channel['kind'] | null): { readonly incoming: Incoming; readonly caller: Caller } {
    const incoming = this.reader.read(exchange, channel)
    const isPublic = incoming.kind === 'unknown' ? bucketOfPath(exchange.path) === 'public' : incoming.route.auth === 'public'
    return { incoming, caller: isPublic ? NOBODY : callerOf(exchange, this.site.nowUs + this.site.shiftUs, this.names) }
  }

  private tellStreams(maker: number, tiding: StreamTiding | undefined): void {
    if (tiding !== undefined) this.streams.tell(maker, () => this.texts.event(tiding))
  }

  private tellSockets(tiding: SelectedTiding | undefined): void {
    if (tiding !== undefined) this.sockets.tellMaker(tiding.maker, () => this.texts.frames(tiding))
  }
}
