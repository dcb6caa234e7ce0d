import { createHash } from 'node:crypto'
import type { CatalogueIndex } from '../../../market/catalogue.ts'
import { NONE } from '../../../unit/none.ts'
import { MS_US } from '../../../unit/time.ts'
import { type Row, rowOfKind } from '../../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../venue/eventRows.ts'
import { DeliveryQueued, KeyChanged, ParlayEvent, type ParlayKind } from '../../../venue/parlay/protocol/events.ts'
import { prefixOfApiKey } from '../../../venue/parlay/wire/apiKey.ts'
import type { WireIdentity } from '../../../venue/parlay/wire/identity.ts'
import { legBody, type MarketName, type NameOf } from '../../../venue/parlay/wire/legBody.ts'
import { requestHash } from '../../../venue/parlay/wire/requestHash.ts'
import { CredentialEnds } from '../../credentialEnds.ts'
import type { WireNumbers } from '../commands.ts'
import type { ParlayRecords, Told } from './records.ts'
import type { RequestContent, RequestRecord } from './requests.ts'

/** The content tag of a hash that no version has. A request has it by chance once in 2⁵², and then its version is compared too. */
const NO_CONTENT = 0

/** Keys are found by the hash of their text, so that how long a look-up takes tells nothing about a key. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64')

function hashOf(content: RequestContent, nameOf: NameOf): string {
  if (content.hash === '') content.hash = requestHash(content.legs.map((leg) => legBody(leg, nameOf)), content.betMicros)
  return content.hash
}

interface KnownKey {
  readonly account: number
  readonly number: number
  readonly prefix: string
}

/** Names of markets by number. */
export const namesOf = (index: CatalogueIndex): NameOf => (number): MarketName => {
  const { ticker, event, venue } = index.catalogue.markets[number]!
  return { market_ticker: ticker, event_ticker: event, venue }
}

/** Numbers by the names that clients use. Names are functions of numbers and cannot be turned round, so each is entered when it can be named. */
export class KnownNames implements Told {
  private readonly requests = new Map<string, number>()
  private readonly parlays = new Map<string, number>()
  private readonly quotes = new Map<string, number>()
  private readonly auctions = new Map<string, number>()
  private readonly deliveries = new Map<string, number>()
  private readonly accounts = new Map<string, number>()
  private readonly keys = new Map<string, KnownKey>()
  private readonly ends = new CredentialEnds()
  private declare readonly identity: WireIdentity

  /** @param accounts every account of the session, since a bettor may exclude any maker. */
  constructor(identity: WireIdentity, accounts: Iterable<number>) {
    this.identity = identity
    for (const account of accounts) this.accounts.set(identity.account(account), account)
  }

  requestKnown(request: number): void {
    this.requests.set(this.identity.request(request), request)
    this.parlayKnown(request)
  }

  /** A parlay outlives its request. */
  parlayKnown(request: number): void {
    this.parlays.set(this.identity.rfq(request), request)
  }

  quoteKnown(quote: number): void {
    this.quotes.set(this.identity.quote(quote), quote)
  }

  auctionKnown(auction: number): void {
    this.auctions.set(this.identity.auction(auction), auction)
  }

  requestForgotten(request: RequestRecord, isHeld: boolean): void {
    this.requests.delete(this.identity.request(request.number))
    if (!isHeld) this.parlays.delete(this.identity.rfq(request.number))
    for (const quote of request.quotes) this.quotes.delete(this.identity.quote(quote))
  }

  auctionForgotten(auction: number): void {
    this.auctions.delete(this.identity.auction(auction))
  }

  deliveryForgotten(delivery: number): void {
    this.deliveries.delete(this.identity.event(delivery))
  }

  /** Takes the rows that make keys and deliveries, and that end keys. */
  take(events: EventRows, row: Row): void {
    const kind = events.kindOf(row) as ParlayKind
    switch (kind) {
      case ParlayEvent.keyCreated: {
        const created = rowOfKind(row, kind)
        const number = events.read(created, KeyChanged.credential)
        const text = this.identity.apiKey(number)
        this.keys.set(digestOf(text), { account: events.read(created, KeyChanged.account), number, prefix: prefixOfApiKey(text) })
        break
      }
      case ParlayEvent.keyRevoked: case ParlayEvent.keyExpired: return this.ends.ended(events.read(rowOfKind(row, kind), KeyChanged.credential), events.read(row, EventCell.atUs))
      case ParlayEvent.deliveryQueued: {
        const number = events.read(rowOfKind(row, kind), DeliveryQueued.delivery)
        this.deliveries.set(this.identity.event(number), number)
        break
      }
      default:
    }
  }

  /** A request by its id, or −1. */
  request(id: string): number {
    return this.requests.get(id.toLowerCase()) ?? NONE
  }

  /** An auction by its id, or −1. */
  auction(id: string): number {
    return this.auctions.get(id.toLowerCase()) ?? NONE
  }

  /** Request of an `rfq_id`, or −1. */
  parlay(rfqId: string): number {
    return this.parlays.get(rfqId.toLowerCase()) ?? NONE
  }

  /** An account by its user's id, or −1. */
  account(userId: string): number {
    return this.accounts.get(userId) ?? NONE
  }

  /** A key by its whole text. */
  keyOfText(text: string): KnownKey | undefined {
    return this.keys.get(digestOf(text))
  }

  /** Whether a key had ended by an instant of the session, µs. */
  hasEnded(credential: number, atUs: number): boolean {
    return this.ends.hasEnded(credential, atUs)
  }

  /** What a call's names mean, of requests whose contents `records` has and of markets of a catalogue. */
  numbers(records: ParlayRecords, index: CatalogueIndex): WireNumbers {
    const { requests, quotes, auctions, deliveries, accounts, keys } = this
    const nameOf = namesOf(index)
    const find = (names: ReadonlyMap<string, number>) => (name: string): number => names.get(name.toLowerCase()) ?? NONE
    return {
      request: find(requests), quote: find(quotes), auction: find(auctions), delivery: find(deliveries), account: find(accounts),
      positionOfRfq: (account, rfqId) => records.trades.heldBy(account, this.parlay(rfqId)),
      key: (account, prefix) => [...keys.values()].find((key) => key.account === account && key.prefix === prefix)?.number ?? NONE,
      instant: (iso) => Date.parse(iso) * MS_US - this.identity.shiftUs,
      market: (ticker, venue) => {
        const market = index.ofTicker(ticker)
        return market?.venue === venue ? market.number : NONE
      },
      contentTag: (request, hash) => records.request(request)?.contents.findLast((content) => hashOf(content, nameOf) === hash)?.tag ?? NO_CONTENT,
    }
  }
}
