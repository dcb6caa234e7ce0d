import { ticksOfPlaces } from '../../src/market/tickWindow.ts'
import type { Ticks } from '../../src/market/ticks.ts'
import type { ChunkDigest, MarketLasts, TickSource } from '../../src/market/tickSource.ts'

/** The last ticks by market, read off the definition. */
export function lastsOf(ticks: Ticks): MarketLasts {
  const rows = Array.from({ length: ticks.count }, (_, i) => i)
  const markets = Int32Array.from(new Set(ticks.market.subarray(0, ticks.count))).sort()
  const of = (m: number): number[] => rows.filter((i) => ticks.market[i] === m)
  const lastWhere = (holds: (i: number) => boolean): Ticks => {
    const found = [...markets].flatMap((m) => of(m).filter(holds).slice(-1))
    const words = (column: Int32Array): Int32Array => Int32Array.from(found, (i) => column[i]!)
    return {
      count: found.length, atUs: Float64Array.from(found, (i) => ticks.atUs[i]!), market: words(ticks.market), bidE6: words(ticks.bidE6), askE6: words(ticks.askE6),
      bidSize: words(ticks.bidSize), askSize: words(ticks.askSize), lastE6: words(ticks.lastE6),
    }
  }
  const hasBook = (i: number): boolean => ticks.bidE6[i]! >= 0 || ticks.askE6[i]! >= 0
  return {
    markets, firstUs: Float64Array.from(markets, (m) => ticks.atUs[of(m)[0]!]!), lastUs: Float64Array.from(markets, (m) => ticks.atUs[of(m).at(-1)!]!),
    latest: lastWhere(() => true), withBook: lastWhere(hasBook), withPrice: lastWhere((i) => hasBook(i) || ticks.lastE6[i]! >= 0),
  }
}

/** A history in chunks of so many ticks. `digests`: every so many chunks have a digest. `loaded` hears of each chunk that is loaded. */
export function chunkedTicks(ticks: Ticks, size: number, { digests = 0, loaded = () => {} }: { digests?: number; loaded?: (chunk: number) => void } = {}): TickSource {
  const chunkCount = Math.ceil(ticks.count / size)
  const startOf = (chunk: number): number => Math.min(ticks.count, chunk * size)
  const places = (from: number, end: number): Ticks => ticksOfPlaces(ticks, startOf(from), startOf(end))
  const digestAt = (chunk: number): ChunkDigest | undefined => {
    if (chunk % digests !== 0) return undefined
    const end = Math.min(chunkCount, chunk + digests)
    return { end, lasts: () => lastsOf(places(chunk, end)) }
  }
  return {
    chunkCount, count: ticks.count, startOf, firstUs: (chunk) => ticks.atUs[startOf(chunk)]!, lastUs: (chunk) => ticks.atUs[startOf(chunk + 1) - 1]!,
    chunk: (chunk) => {
      loaded(chunk)
      return places(chunk, chunk + 1)
    },
    ...(digests > 0 && { digestAt }),
  }
}
