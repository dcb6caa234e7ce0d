import { marketValue } from './marketValue.ts'
import type { Ticks } from './ticks.ts'
import type { MarketLasts, TickSource } from './tickSource.ts'

/** What a fold takes of a source: chunks, and in their place digests where those say enough. */
interface Fold {
  readonly chunk: (ticks: Ticks) => void
  /** False where the digest does not say enough, so that its chunks are taken. */
  readonly digest: (lasts: MarketLasts) => boolean
  /** Whether ticks of these stamps matter. */
  readonly matters: (firstUs: number, lastUs: number) => boolean
  /** Whether a digest of chunks with these stamps may be taken. */
  readonly isCovered: (firstUs: number, lastUs: number) => boolean
}

function foldSource(source: TickSource, { chunk, digest, matters, isCovered }: Fold): void {
  for (let at = 0; at < source.chunkCount;) {
    const known = source.digestAt?.(at)
    const end = known?.end ?? at + 1
    const [firstUs, lastUs] = [source.firstUs(at), source.lastUs(end - 1)]
    if (matters(firstUs, lastUs) && (known === undefined || !isCovered(firstUs, lastUs) || !digest(known.lasts()))) {
      for (let i = at; i < end; i++) if (matters(source.firstUs(i), source.lastUs(i))) chunk(source.chunk(i))
    }
    at = end
  }
}

/** By market, the stamps of its first and last tick from one instant up to, not including, another; −1 where there is none. */
export function tickSpans(marketCount: number, source: TickSource, startUs: number, endUs: number): { firstUs: Float64Array; lastUs: Float64Array } {
  const firstUs = new Float64Array(marketCount).fill(-1)
  const lastUs = new Float64Array(marketCount).fill(-1)
  foldSource(source, {
    matters: (first, last) => last >= startUs && first < endUs,
    isCovered: (first, last) => first >= startUs && last < endUs,
    digest: (lasts) => {
      for (const [row, m] of lasts.markets.entries()) {
        if (firstUs[m]! < 0) firstUs[m] = lasts.firstUs[row]!
        lastUs[m] = lasts.lastUs[row]!
      }
      return true
    },
    chunk: ({ count, atUs, market }) => {
      for (let i = 0; i < count; i++) {
        if (atUs[i]! < startUs || atUs[i]! >= endUs) continue
        const m = market[i]!
        if (firstUs[m]! < 0) firstUs[m] = atUs[i]!
        lastUs[m] = atUs[i]!
      }
    },
  })
  return { firstUs, lastUs }
}

/** By market, the value of YES by its last price before an instant (`marketValue`), 0…1, and the price's stamp; −1 where there is none. */
export function lastPrices(marketCount: number, source: TickSource, untilUs: number): { price: Float64Array; atUs: Float64Array } {
  const price = new Float64Array(marketCount).fill(-1)
  const stampUs = new Float64Array(marketCount).fill(-1)
  const take = (ticks: Ticks, i: number, m: number): void => {
    const value = marketValue(ticks, i)
    if (Number.isNaN(value)) return
    price[m] = value
    stampUs[m] = ticks.atUs[i]!
  }
  foldSource(source, {
    matters: (first) => first < untilUs,
    isCovered: (_, last) => last < untilUs,
    digest: ({ withPrice }) => {
      for (let i = 0; i < withPrice.count; i++) take(withPrice, i, withPrice.market[i]!)
      return true
    },
    chunk: (ticks) => { for (let i = 0; i < ticks.count && ticks.atUs[i]! < untilUs; i++) take(ticks, i, ticks.market[i]!) },
  })
  return { price, atUs: stampUs }
}

/** Up to when the prices of markets count, by market. */
export interface ClosingBounds {
  /** Only ticks before it count. */
  readonly settledUs: Float64Array
  /** Only ticks up to it count, null where it is unknown everywhere. */
  readonly tradedUntilUs: Float64Array | null
  /** Marks with 1 the markets that are asked for. Absent: all. */
  readonly wanted?: Uint8Array
}

/** By market, the value of YES by its last price that counts, 0…1, and NaN where there is none or it is not asked for. */
export function closingValues(source: TickSource, { settledUs, tradedUntilUs, wanted }: ClosingBounds): Float64Array {
  const yes = new Float64Array(settledUs.length).fill(NaN)
  const isWanted = (m: number): boolean => wanted === undefined || wanted[m] === 1
  const counts = (m: number, atUs: number): boolean => atUs < settledUs[m]! && (tradedUntilUs === null || atUs <= tradedUntilUs[m]!)
  let latestUs = -Infinity
  for (let m = 0; m < yes.length; m++) if (isWanted(m)) latestUs = Math.max(latestUs, Math.min(settledUs[m]!, tradedUntilUs?.[m] ?? Infinity))
  const take = (ticks: Ticks, i: number, m: number): void => {
    const value = marketValue(ticks, i)
    if (value === value) yes[m] = value
  }
  foldSource(source, {
    matters: (first) => first <= latestUs,
    isCovered: () => true,
    digest: ({ markets, firstUs, withPrice }) => {
      let isEnough = true
      for (let i = 0, row = 0; i < withPrice.count; i++) {
        const m = withPrice.market[i]!
        while (markets[row] !== m) row++
        if (!isWanted(m)) continue
        if (counts(m, withPrice.atUs[i]!)) take(withPrice, i, m)
        // Its last price came too late, and an earlier one may have come in time.
        else if (counts(m, firstUs[row]!)) isEnough = false
      }
      return isEnough
    },
    chunk: (ticks) => {
      for (let i = 0; i < ticks.count; i++) {
        const m = ticks.market[i]!
        if (isWanted(m) && counts(m, ticks.atUs[i]!)) take(ticks, i, m)
      }
    },
  })
  return yes
}
