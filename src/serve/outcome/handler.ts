import type { TickHistory } from '../../market/tickSource.ts'
import { assert } from '../../unit/assert.ts'
import { NONE } from '../../unit/none.ts'
import type { Row } from '../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../venue/eventRows.ts'
import { ALL_SCOPES, SCOPE_NAMES, ScopeBit } from '../../venue/outcome/protocol/access.ts'
import { OutcomeCode } from '../../venue/outcome/protocol/codes.ts'
import { OutcomeOp, RevokeKey } from '../../venue/outcome/protocol/commands.ts'
import type { OutcomeGateProfile } from '../../venue/outcome/protocol/gate.ts'
import type { OutcomeProfile } from '../../venue/outcome/protocol/profile.ts'
import { CHAIN_ID } from '../../venue/outcome/protocol/terms.ts'
import { WireIdentity } from '../../venue/outcome/wire/identity.ts'
import { keyText } from '../../venue/outcome/wire/keyText.ts'
import { OriginLog } from '../../venue/outcome/wire/originLog.ts'
import type { SplitKey } from '../../venue/wire/sessionDigests.ts'
import { Addresses } from '../addresses.ts'
import type { Answer, Channel, Exchange } from '../exchange.ts'
import { RouteMatcher } from '../routeMatcher.ts'
import type { DeskNames, ExternalSeat, HandlerSite, MakeHandler, SeatMessage, ServiceHandler } from '../serviceHandler.ts'
import { AcceptJournal } from './acceptJournal.ts'
import { type Caller, callerOf } from './caller.ts'
import { ClientKeyBook } from './clientKeys.ts'
import { IncomingReader } from './incoming.ts'
import { OriginBook } from './origins.ts'
import { MarketPrices } from './prices.ts'
import { OutcomeLive } from './live.ts'
import { KnownNames } from './records/names.ts'
import { OutcomeRecords } from './records/records.ts'
import { outcomeRoutes } from './routes.ts'
import { SentCalls } from './sentCalls.ts'
import type { Served } from './served.ts'
import { SignInCalls } from './signIns.ts'
import { StreamSockets } from './streams/sockets.ts'
import { isTurnedAway } from './turnedAway.ts'
import { WalletSignIns } from './walletSignIns.ts'
import { Wallets } from './wallets.ts'

/** What a handler needs besides the session. */
export interface OutcomeTerms {
  readonly profile: OutcomeProfile
  readonly gateProfile: OutcomeGateProfile
  /** Decimal outcome_ids by market. */
  readonly outcomeIds: readonly string[]
  /** The prices that the markets show. */
  readonly ticks: TickHistory
  /** What every id, key, secret and wallet of the wire is derived from. */
  readonly sessionKey: string | SplitKey
  /** Pages whose users may issue keys. */
  readonly pages: readonly string[]
  /** Names of the seats whose wallets the service's own app holds. */
  readonly embeddedWallets: readonly string[]
}

/** The handler of the outcome-market RFQ service. */
export const outcomeHandler = (terms: Omit<OutcomeTerms, 'profile' | 'gateProfile' | 'embeddedWallets'>): MakeHandler => (site) => {
  const { services: { outcome } } = site.resolved
  assert(outcome?.gate !== undefined, 'clients call a service that stands behind its gate')
  return new OutcomeHandler(site, { ...terms, profile: outcome.settings, gateProfile: outcome.gate.profile, embeddedWallets: outcome.embeddedWallets ?? [] })
}

export type OutcomeSite = Omit<HandlerSite, 'resolved'>

/** Answers what clients of the outcome-market RFQ service send, over a session that is being played (docs/conformance/outcome-wire.md). */
export class OutcomeHandler implements ServiceHandler {
  private declare readonly site: OutcomeSite
  private declare readonly served: Served
  private declare readonly reader: IncomingReader
  private declare readonly calls: SentCalls
  private declare readonly signIns: SignInCalls
  private declare readonly sockets: StreamSockets
  private declare readonly accepts: AcceptJournal
  private readonly addresses = new Addresses()
  private declare readonly pages: readonly string[]

  constructor(site: OutcomeSite, { profile, gateProfile, outcomeIds, ticks, sessionKey, pages, embeddedWallets }: OutcomeTerms) {
    const { session: { outcome }, catalogue, seats } = site
    assert(outcome !== null && outcome.gateView !== null, 'clients call a service that stands behind its gate')
    this.site = site
    this.pages = pages
    const clients = new Set(seats.map(({ account }) => account))
    const makers = new Set(seats.filter(({ role }) => role === 'maker').map(({ account }) => account))
    const origins = new OriginLog()
    const keys = new ClientKeyBook(gateProfile)
    const identity = new WireIdentity(sessionKey, origins, keys, site.shiftUs)
    const wallets = new Wallets(sessionKey, clients)
    const known = new KnownNames(identity, clients, outcomeIds)
    const accepts = this.accepts = new AcceptJournal(outcome.batch.journal)
    const records = new OutcomeRecords(clients, profile, {
      acceptTerms: (seq) => {
        const terms = accepts.accept(seq)
        keys.accepted(terms.taker, terms.key)
        return terms
      },
      rfqPast: (rfq) => { this.sockets.rfqPast(rfq) },
      rfqForgotten: (rfq) => { known.rfqForgotten(rfq) },
    })
    this.served = {
      profile, gateProfile, identity, origins, known, records, catalogue, keys, wallets, view: outcome.venue.view, gate: outcome.gateView,
      names: { identity, outcomeId: (number) => outcomeIds[number]!, address: (signer) => wallets.address(signer) }, termsTag: outcome.termsTag,
      prices: new MarketPrices(ticks, catalogue.markets.length), pages: new OriginBook(pages, gateProfile.allowedOrigins), signIns: new WalletSignIns(identity),
      embedded: new Set(seats.filter(({ name }) => embeddedWallets.includes(name)).map(({ account }) => account)),
      isTurnedAway: (command) => isTurnedAway(command, this.served, site),
    }
    this.reader = new IncomingReader(new RouteMatcher(outcomeRoutes(gateProfile)), this.served)
    this.calls = new SentCalls(site, this.served, this.reader)
    this.signIns = new SignInCalls(this.served, this.calls)
    this.sockets = new StreamSockets(site, this.served, this.calls, { clients, makers, ticks })
  }

  call(exchange: Exchange, answer: (answer: Answer) => void): void {
    const read = this.reader.read(exchange)
    if (read === null) return answer(this.calls.refusal(OutcomeCode.notFound))
    const { incoming: { route } } = read
    const { headers, remote } = exchange
    if (route.auth === 'origin') {
      return this.signIns.answer(route, { ...read.incoming, value: read.value }, { headers, address: this.addresses.numberOf(remote) }, this.site.nowUs, answer)
    }
    this.calls.send(read, exchange, this.callerOf(exchange), answer)
  }

  open(exchange: Exchange, channel: Channel): void {
    const read = this.reader.read(exchange)
    if (channel.kind !== 'socket' || read?.incoming.route.channel !== 'socket') return this.call(exchange, (answer) => { channel.refuse(answer) })
    this.sockets.upgrade(read.incoming, exchange, this.callerOf(exchange), channel)
  }

  accountOf({ headers }: Exchange): number {
    const { account, isKnown } = callerOf(headers, 0, this.served)
    return isKnown ? account : NONE
  }

  readerOf({ headers }: Exchange, atUs: number): number {
    const { account, credential, isKnown } = callerOf(headers, 0, this.served)
    return isKnown && !this.served.known.hasEnded(credential, atUs) ? account : NONE
  }

  deskScopesLacking({ headers }: Exchange, roles: readonly ExternalSeat['role'][]): readonly string[] {
    const { credential } = callerOf(headers, 0, this.served)
    const held = this.served.gate.credential(credential)?.scopes ?? ALL_SCOPES
    const needed = ScopeBit.accountRead | ScopeBit.rfqRead | (roles.includes('maker') ? ScopeBit.capitalRead : 0)
    return SCOPE_NAMES.filter((_, bit) => (needed & ~held & (1 << bit)) !== 0)
  }

  marketName(market: number): string {
    return this.served.names.outcomeId(market)
  }

  get deskNames(): DeskNames {
    const { served: { identity } } = this
    const rfq = (number: number): string => identity.rfq(number)
    return {
      market: (market) => this.marketName(market), request: rfq, auction: rfq, quote: (quote) => identity.quote(quote), position: (position) => identity.position(position),
      bid: (bid) => identity.quote(bid),
      // A loss has its minus, which no amount of the service has.
      amount: (micros) => String(micros),
    }
  }

  private callerOf({ headers, remote }: Exchange): Caller {
    return callerOf(headers, this.addresses.numberOf(remote), this.served)
  }

  take(events: EventRows, row: Row): void {
    const { served } = this
    served.origins.take(events.rowCells(row), { acceptance: () => this.accepts.accept(events.read(row, EventCell.cause)) })
    served.records.take(events, row)
    served.known.take(events, row)
    this.sockets.take(events, row)
  }

  told({ account }: ExternalSeat, message: SeatMessage): void {
    // With the wall's clock it is told by the service's streams, when its rows are written.
    if (this.site.isInTurns === true) this.sockets.told(account, message)
  }

  rest(): void {
    this.sockets.drain()
    this.endCredentials()
  }

  credentialsOf({ account, role }: ExternalSeat): Readonly<Record<string, string>> {
    const { gate, identity, wallets } = this.served
    const [key] = gate.liveKeysOf(account)
    assert(key !== undefined, `account ${account} has a key`)
    return {
      api_key: keyText(identity, key), [role === 'maker' ? 'maker_id' : 'account_id']: identity.account(account), wallet_address: wallets.address(account),
      wallet_private_key: wallets.privateKey(account), chain_id: String(CHAIN_ID), vault: identity.vault(),
      // As OAuth writes them.
      scopes: SCOPE_NAMES.filter((_, bit) => (gate.credential(key)!.scopes & (1 << bit)) !== 0).join(' '), origin: this.pages[0] ?? '',
    }
  }

  live(): OutcomeLive {
    const { served: { view, identity } } = this
    return new OutcomeLive(view, ({ number }) => identity.rfq(number))
  }

  drain(): void {
    this.calls.drain()
    this.rest()
  }

  /** Ends what would end by itself, days after the session: no row is to come after its last one. */
  private endCredentials(): void {
    const { known, gate } = this.served
    for (const number of known.credentials()) {
      const credential = gate.credential(number)
      if (credential === null || credential.state !== 'active' || credential.expiresAtUs === NONE) continue
      const { account, origin } = credential
      if (credential.kind === 'session') this.calls.order(account, OutcomeOp.signOut, { origin }, number)
      else this.calls.order(account, OutcomeOp.revokeKey, { origin: 0, [RevokeKey.keyNumber]: number })
    }
  }
}
