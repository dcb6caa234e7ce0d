import type { LiveVenue, Noted, OfferFacts, RequestFacts, RequestName, SaleTerms } from './liveVenue.ts'

/** A request that a page shows, and what was known of it last: a service forgets what has ended. */
export interface RecentRequest extends RequestName {
  readonly key: string
  /** When it came, µs; −1 when it came before anybody looked. */
  readonly atUs: number
  facts: RequestFacts | null
  readonly sale: SaleTerms | null
  /** Numbers of the makers' last offers, by maker. */
  readonly offers: Map<number, number>
  /** The offer that was taken, once there is one. */
  taken: OfferFacts | null
  /** The offers as they were known last. */
  readonly known: Map<number, OfferFacts>
}

export const keyOf = ({ isAuction, number }: RequestName): string => `${isAuction ? 'a' : 'r'}${number}`

/** The newest requests of a service, at most so many, and those that somebody has opened. Its memory is bounded by these and the makers. */
export class RecentRequests {
  /** The oldest first. */
  private readonly entries = new Map<string, RecentRequest>()
  private declare readonly venue: LiveVenue
  private declare readonly countMax: number
  private opened: ReadonlySet<string> = new Set()

  /** Begins with what the service still knows of offers of some makers. */
  constructor(venue: LiveVenue, makers: readonly number[], countMax: number) {
    this.venue = venue
    this.countMax = countMax
    for (const noted of venue.known(makers)) {
      if (!this.entries.has(keyOf(noted))) this.add(noted, -1)
      this.offered(noted)
    }
  }

  take(noted: Noted, atUs: number): void {
    if (noted.isNew) this.add(noted, atUs)
    else this.offered(noted)
  }

  /** Requests that somebody has opened stay. */
  keep(keys: ReadonlySet<string>): void {
    this.opened = keys
    this.dropOldest()
  }

  get(key: string): RecentRequest | null {
    const entry = this.entries.get(key)
    return entry === undefined ? null : this.renewed(entry)
  }

  /** The newest first, each as it is now. */
  newest(): RecentRequest[] {
    return [...this.entries.values()].reverse().map((entry) => this.renewed(entry))
  }

  /** The offers for a request as they are now, or as they were known last. */
  offersFor(entry: RecentRequest): (OfferFacts & { readonly number: number })[] {
    return [...entry.offers].flatMap(([maker, number]) => {
      const facts = this.venue.offer(entry, number) ?? entry.known.get(maker)
      if (facts === undefined) return []
      entry.known.set(maker, facts)
      return [{ ...facts, number }]
    })
  }

  /** The best offer, or the one that was taken. */
  bestOf(entry: RecentRequest): OfferFacts | null {
    const { facts } = entry
    if (facts === null) return null
    if (facts.best >= 0) {
      const best = this.venue.offer(entry, facts.best) ?? this.offersFor(entry).find(({ number }) => number === facts.best) ?? null
      // The service forgets it.
      if (!facts.isOpen) entry.taken = best ?? entry.taken
      return best ?? entry.taken
    }
    if (!facts.isOpen) entry.taken ??= this.offersFor(entry).find(({ isTaken }) => isTaken) ?? null
    return entry.taken
  }

  private add({ isAuction, number, sale }: Noted, atUs: number): void {
    const key = keyOf({ isAuction, number })
    this.entries.set(key, { isAuction, number, key, atUs, sale: sale ?? null, facts: null, taken: null, offers: new Map(), known: new Map() })
    this.dropOldest()
  }

  private offered(noted: Noted): void {
    if (noted.offer !== null) this.entries.get(keyOf(noted))?.offers.set(noted.offer.maker, noted.offer.number)
  }

  private dropOldest(): void {
    for (const key of this.entries.keys()) {
      if (this.entries.size <= this.countMax) return
      if (!this.opened.has(key)) this.entries.delete(key)
    }
  }

  private renewed(entry: RecentRequest): RecentRequest {
    const { sale, facts: before } = entry
    const facts = this.venue.request(entry)
    // What is sold goes with its position.
    entry.facts = facts !== null && sale !== null ? { ...facts, ...sale } : facts ?? before
    return entry
  }
}
