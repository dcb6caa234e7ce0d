import type { Image, Snapshot } from '../unit/snapshot.ts'

const ABSENT = -1

/** The markets that can be traded now, as far as the public list says: a dense array with constant-time changes. */
export class LiveMarkets implements Snapshot {
  count = 0
  private declare readonly markets: Int32Array
  private declare readonly places: Int32Array

  constructor(marketCount: number) {
    this.markets = new Int32Array(marketCount)
    this.places = new Int32Array(marketCount).fill(ABSENT)
  }

  /** The i-th live market, 0 ≤ i < count, in an order that depends only on the changes made. */
  at(i: number): number {
    return this.markets[i]!
  }

  has(market: number): boolean {
    return this.places[market] !== ABSENT
  }

  add(market: number): void {
    if (this.has(market)) return
    this.places[market] = this.count
    this.markets[this.count++] = market
  }

  remove(market: number): void {
    const place = this.places[market]!
    if (place === ABSENT) return
    const last = this.markets[--this.count]!
    this.markets[place] = last
    this.places[last] = place
    this.places[market] = ABSENT
  }

  snapshot(): Image {
    return { count: this.count, markets: this.markets.slice(), places: this.places.slice() }
  }

  restore(image: Image): void {
    const from = image as unknown as { count: number; markets: Int32Array; places: Int32Array }
    this.count = from.count
    this.markets.set(from.markets)
    this.places.set(from.places)
  }
}
