import type { Ticks } from '../../src/market/ticks.ts'
import { sourceOf, type TickHistory } from '../../src/market/tickSource.ts'

/** All ticks of a history as one array. */
export function wholeTicks(history: TickHistory): Ticks {
  const source = sourceOf(history)
  const chunks = Array.from({ length: source.chunkCount }, (_, i) => source.chunk(i))
  if (chunks.length === 1) return chunks[0]!
  const words = (of: (ticks: Ticks) => Int32Array): Int32Array => Int32Array.from(chunks.flatMap((ticks) => [...of(ticks).subarray(0, ticks.count)]))
  return {
    count: chunks.reduce((sum, { count }) => sum + count, 0), atUs: Float64Array.from(chunks.flatMap(({ atUs, count }) => [...atUs.subarray(0, count)])),
    market: words(({ market }) => market), bidE6: words(({ bidE6 }) => bidE6), askE6: words(({ askE6 }) => askE6),
    bidSize: words(({ bidSize }) => bidSize), askSize: words(({ askSize }) => askSize), lastE6: words(({ lastE6 }) => lastE6),
  }
}
