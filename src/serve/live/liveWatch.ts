import type { Row } from '../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../venue/eventRows.ts'
import type { LiveClock, LiveFrame, LiveState, ShownBook, ShownBookOffer, ShownLeg, ShownMaker, ShownOffer, ShownRequest } from './liveFrames.ts'
import type { LegFacts, LiveVenue, OfferFacts } from './liveVenue.ts'
import { markedAt, type ValueOf } from './makerMoney.ts'
import { PaidIn } from './paidIn.ts'
import { type RecentRequest, RecentRequests } from './recentRequests.ts'

const REQUESTS_MAX = 40
const POSITIONS_MAX = 30
const YES = 1

/** What a page needs to know of a session besides the service. */
export interface LiveSite {
  readonly venue: LiveVenue
  /** Accounts that may quote on the service. Of those that are bettors' only the ones that back something are shown. */
  readonly makers: readonly { readonly account: number; readonly name: string; readonly isClient: boolean; readonly isBettor: boolean }[]
  readonly nameOf: (account: number) => string
  readonly tickerOf: (market: number) => string
  /** Made when somebody looks first. */
  readonly openValues: () => ValueOf
  /** Every instant on the wire is the session's plus this, µs. */
  readonly shiftUs: number
}

/**
 * What a page shows of one service, gathered from its rows while somebody looks, and nothing but what was paid in while nobody does. It reads
 * the service and changes nothing.
 */
export class LiveWatch {
  private declare readonly site: LiveSite
  private declare readonly paidIn: PaidIn
  private recent: RecentRequests | null = null
  private valueOf: ValueOf | null = null
  /** The latest instant of a look, µs of the session. */
  private seenUs = -Infinity

  constructor(site: LiveSite) {
    this.site = site
    this.paidIn = new PaidIn(site.venue)
  }

  /** Takes every row of the service, in order. */
  take(events: EventRows, row: Row): void {
    this.paidIn.take(events, row)
    const noted = this.recent === null ? null : this.site.venue.note(events, row)
    if (noted !== null) this.recent!.take(noted, events.read(row, EventCell.atUs))
  }

  /** What there is to see at an instant of the session, with the books of some requests. Precondition: the session stands. */
  look(nowUs: number, keys: readonly string[]): Pick<LiveFrame, 'state' | 'books'> {
    const { site, site: { venue, makers } } = this
    this.seenUs = Math.max(this.seenUs, nowUs)
    this.valueOf ??= site.openValues()
    const recent = this.recent ??= new RecentRequests(venue, makers.map(({ account }) => account), REQUESTS_MAX)
    recent.keep(new Set(keys))
    const books = keys.flatMap((key) => {
      const entry = recent.get(key)
      return entry === null ? [] : [[key, this.book(entry, recent)] as const]
    })
    const { makers: money, positions } = markedAt(this.seenUs, makers.map(({ account }) => account), venue, this.paidIn, this.valueOf)
    const state: LiveState = {
      requests: recent.newest().slice(0, REQUESTS_MAX).map((entry) => this.request(entry, recent)),
      makers: makers.flatMap(({ name, isClient, isBettor }, i): ShownMaker[] => (isBettor && money[i]!.backed === 0 ? [] : [{ name, isClient, ...money[i]! }])),
      positions: positions.slice(-POSITIONS_MAX).reverse().map(({ number, holder, backer, legs, stakeMicros, payoutMicros, value }) => ({
        number, holder: site.nameOf(holder), backer: site.nameOf(backer), legs: this.legs(legs), stakeMicros, payoutMicros, value: Number.isNaN(value) ? null : value,
      })),
      positionCount: positions.length,
    }
    return { state, books: Object.fromEntries(books) }
  }

  /** Nobody looks any more. */
  leave(): void {
    this.recent = null
  }

  private request(entry: RecentRequest, recent: RecentRequests): ShownRequest {
    const { site } = this
    const { key, atUs, facts, offers, isAuction } = entry
    const best = recent.bestOf(entry)
    return {
      key, atUs: this.wireUs(atUs), isCashOut: facts?.isCashOut ?? isAuction, owner: facts === null ? '' : site.nameOf(facts.owner), legs: this.legs(facts?.legs ?? []),
      amountMicros: presentOf(facts?.amountMicros), state: facts?.state ?? '', isOpen: facts?.isOpen ?? false, offers: offers.size, best: best === null ? null : this.shown(best),
    }
  }

  private book(entry: RecentRequest, recent: RecentRequests): ShownBook {
    const offers = recent.offersFor(entry).sort((a, b) => Number(b.isLive) - Number(a.isLive) || b.oddsE4 - a.oddsE4 || b.priceMicros - a.priceMicros || a.number - b.number)
    return {
      key: entry.key, id: this.site.venue.id(entry), request: this.request(entry, recent), untilUs: this.wireUs(entry.facts?.untilUs ?? -1),
      offers: offers.map((offer): ShownBookOffer => ({
        ...this.shown(offer), state: offer.state, isLive: offer.isLive, isBest: offer.isTaken || offer.number === entry.facts?.best, riskMicros: presentOf(offer.riskMicros),
        untilUs: this.wireUs(offer.untilUs),
      })),
    }
  }

  private shown({ maker, oddsE4, priceMicros }: OfferFacts): ShownOffer {
    return { maker: this.site.nameOf(maker), oddsE4: presentOf(oddsE4), priceMicros: presentOf(priceMicros) }
  }

  private legs(legs: readonly LegFacts[]): ShownLeg[] {
    return legs.map(({ market, side }) => ({ ticker: this.site.tickerOf(market), side: side === YES ? 'yes' : 'no' }))
  }

  private wireUs(us: number): number | null {
    return us < 0 ? null : us + this.site.shiftUs
  }
}

const presentOf = (value: number | undefined): number | null => (value === undefined || value < 0 ? null : value)

/** A look, with where time was and how long it took by a clock of the wall, ms. */
export function frameOf(watch: LiveWatch, nowUs: number, keys: readonly string[], clock: LiveClock, readMs: () => number): LiveFrame {
  const fromMs = readMs()
  const seen = watch.look(nowUs, keys)
  return { clock, ...seen, tookMs: readMs() - fromMs }
}
