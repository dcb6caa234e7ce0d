import { sequenceSearch } from '../unit/sequenceSearch.ts'
import { NEVER_US } from '../unit/time.ts'
import { Price, PRICE_STRIDE, type PriceBoard, type PriceHow } from './priceBoard.ts'
import type { Ticks } from './ticks.ts'
import { chunkOfTick, Recent, sourceOf, type TickHistory, type TickSource } from './tickSource.ts'
import { Side } from './sides.ts'

/** Twice a price of a leg in millionths, as prices of a middle are halves of a millionth. Below 0 for none. */
const NONE_TWICE_E6 = -1

/**
 * Twice the price of YES that decides about a leg's, in millionths, below 0 for none. A leg on NO has the mirror of it, which moves as far.
 * It is the price of `legPrice`, of whatever age (priceBoard.ts).
 */
function twiceE6(bidE6: number, askE6: number, lastE6: number, hasBook: boolean, side: number, how: PriceHow): number {
  const atLast = !hasBook || how === 'mid' ? lastE6 * 2 : NONE_TWICE_E6
  if (how === 'mid') return bidE6 >= 0 && askE6 >= 0 ? bidE6 + askE6 : atLast
  const e6 = (how === 'ask') === (side === Side.yes) ? askE6 : bidE6
  return e6 >= 0 ? e6 * 2 : atLast
}

/** The same as a board shows it now. */
export function shownTwiceE6({ cells }: PriceBoard, market: number, side: number, how: PriceHow): number {
  const row = market * PRICE_STRIDE
  return twiceE6(cells[row + Price.bidE6]!, cells[row + Price.askE6]!, cells[row + Price.lastE6]!, cells[row + Price.hasBook] === 1, side, how)
}

/** Whether a price has moved so far, or has come or gone. All are twice a price in millionths. */
export const hasMoved = (from: number, to: number, byTwiceE6: number): boolean => (from < 0 || to < 0 ? (from < 0) !== (to < 0) : Math.abs(to - from) >= byTwiceE6)

/** Chunks whose places are kept: a market is looked for from where its watcher stands, which is seldom far from where the others stand. */
const PLACES_KEPT = 4

/** Where the ticks of each market are in a chunk. */
interface ChunkPlaces {
  /** Ascending. */
  readonly markets: Int32Array
  /** Places of all ticks of the chunk, market by market, in their order; those of `markets[k]` begin at `start[k]`. */
  readonly places: Int32Array
  readonly start: Int32Array
  /** Where the last search among the places of `markets[k]` ended. The next one seldom ends far behind it. */
  readonly found: Int32Array
}

/** A price of a market that stands when its instant is over, and which a later tick of the instant would replace. */
const NOTHING_OPEN = -1

/**
 * When prices move next. Whoever is to be called at a move is told of none before it: an instant that is found here is that of a message, which
 * hangs on no tick behind it. So no board has to be looked at between two moves.
 */
export class PriceMoves {
  private declare readonly source: TickSource
  private declare readonly recent: Recent<ChunkPlaces>
  /** By chunk, its markets, once it has been looked at: who looks for another market then passes over it. */
  private readonly marketsOf: (Int32Array | undefined)[] = []
  /** By market, where it stood in the last list of markets in which it was found: in the next one it seldom stands elsewhere. */
  private declare readonly stood: Int32Array
  /** Where the last search began. */
  private beginChunk = 0

  constructor(ticks: TickHistory, marketCount: number) {
    this.source = sourceOf(ticks)
    this.stood = new Int32Array(marketCount)
    const counts = new Int32Array(marketCount)
    this.recent = new Recent(PLACES_KEPT, (chunk) => {
      const places = placesOf(this.source.chunk(chunk), counts)
      this.marketsOf[chunk] = places.markets
      return places
    })
  }

  /**
   * The first instant before `untilUs` at which the board shows a price of one of the legs that is at least `byTwiceE6` / 2 millionths from what
   * the board shows of it now, or that is there where none is, or the other way round. NEVER_US where there is no such instant. Of several ticks
   * of an instant the last one counts.
   */
  firstMoveUs(
    board: PriceBoard, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number, count: number, how: PriceHow, byTwiceE6: number, untilUs: number,
  ): number {
    let foundUs = untilUs
    for (let i = from; i < from + count; i++) foundUs = this.legMoveUs(board, markets[i]!, sides[i]!, how, byTwiceE6, foundUs)
    return foundUs === untilUs ? NEVER_US : foundUs
  }

  /** The same of one leg; `untilUs` where there is none before it. */
  private legMoveUs(board: PriceBoard, market: number, side: number, how: PriceHow, byTwiceE6: number, untilUs: number): number {
    const { source } = this
    const { cells, lagUs, applied } = board
    let hasBook = cells[market * PRICE_STRIDE + Price.hasBook] === 1
    const now = shownTwiceE6(board, market, side, how)
    // The market's last tick of a chunk whose instant goes on in the next chunk.
    let openUs = NOTHING_OPEN
    let openE6 = NOTHING_OPEN
    for (let chunk = this.chunkOf(applied); chunk < source.chunkCount && source.firstUs(chunk) + lagUs < untilUs; chunk++) {
      if (openUs !== NOTHING_OPEN && source.firstUs(chunk) > openUs) {
        if (hasMoved(now, openE6, byTwiceE6)) return openUs + lagUs
        openUs = NOTHING_OPEN
      }
      if (!this.mayHave(chunk, market)) continue
      const { markets, places, start, found } = this.recent.of(chunk)
      const k = this.indexIn(markets, market)
      if (k < 0) continue
      const { atUs, bidE6, askE6, lastE6 } = source.chunk(chunk)
      const end = start[k + 1]!
      const first = firstFrom(places, start[k]!, end, applied - source.startOf(chunk), found[k]!)
      found[k] = first
      for (let at = first; at < end; at++) {
        const tick = places[at]!
        const stampUs = atUs[tick]!
        if (openUs !== NOTHING_OPEN && stampUs > openUs && hasMoved(now, openE6, byTwiceE6)) return openUs + lagUs
        openUs = NOTHING_OPEN
        if (stampUs + lagUs >= untilUs) return untilUs
        hasBook ||= bidE6[tick]! >= 0 || askE6[tick]! >= 0
        if (at + 1 < end && atUs[places[at + 1]!] === stampUs) continue
        const shown = twiceE6(bidE6[tick]!, askE6[tick]!, lastE6[tick]!, hasBook, side, how)
        if (at + 1 === end && chunk + 1 < source.chunkCount && source.firstUs(chunk + 1) <= stampUs) [openUs, openE6] = [stampUs, shown]
        else if (hasMoved(now, shown, byTwiceE6)) return stampUs + lagUs
      }
    }
    return openUs !== NOTHING_OPEN && hasMoved(now, openE6, byTwiceE6) ? openUs + lagUs : untilUs
  }

  /** The chunk that has the tick of this number, as a rule the one of the last search. */
  private chunkOf(tick: number): number {
    const { source, beginChunk } = this
    if (source.startOf(beginChunk) <= tick && tick < source.startOf(beginChunk + 1)) return beginChunk
    return (this.beginChunk = chunkOfTick(source, tick))
  }

  private mayHave(chunk: number, market: number): boolean {
    const known = this.marketsOf[chunk]
    return known === undefined ? this.source.has?.(chunk, market) !== false : this.indexIn(known, market) >= 0
  }

  /** Where a market stands in an ascending list, below 0 where it does not. */
  private indexIn(markets: Int32Array, market: number): number {
    const { stood } = this
    if (markets[stood[market]!] === market) return stood[market]!
    const at = sequenceSearch(markets.length, (i) => markets[i]! >= market)
    if (markets[at] !== market) return -1
    return (stood[market] = at)
  }
}

/** @param counts by market, all 0 before and after. */
function placesOf({ market, count }: Ticks, counts: Int32Array): ChunkPlaces {
  const seen: number[] = []
  for (let i = 0; i < count; i++) if (counts[market[i]!]!++ === 0) seen.push(market[i]!)
  const markets = Int32Array.from(seen.sort((a, b) => a - b))
  const start = new Int32Array(markets.length + 1)
  for (let k = 0; k < markets.length; k++) {
    start[k + 1] = start[k]! + counts[markets[k]!]!
    counts[markets[k]!] = start[k]!
  }
  const places = new Int32Array(count)
  for (let i = 0; i < count; i++) places[counts[market[i]!]!++] = i
  for (const one of markets) counts[one] = 0
  return { markets, places, start, found: start.slice() }
}

/** Places that are looked at one by one behind where a search before ended. */
const NEAR = 4

/** Where the places from `low` up to `high` begin that are at least `place`. `near`, from `low` to `high`, is where a search before ended. */
function firstFrom(places: Int32Array, low: number, high: number, place: number, near: number): number {
  let from = near > low && places[near - 1]! < place ? near : low
  for (const until = Math.min(from + NEAR, high); from < until; from++) if (places[from]! >= place) return from
  return from + sequenceSearch(high - from, (i) => places[from + i]! >= place)
}

/** Twice a distance of prices in millionths, rounded up, for a distance of 0…1. */
export const twiceE6Of = (distance: number): number => Math.ceil(distance * 2e6 - 1e-6)

