import { sequenceSearch } from '../unit/sequenceSearch.ts'
import { NO_TICKS, type Ticks } from './ticks.ts'
import { CHUNKS_KEPT, Recent, type TickSource } from './tickSource.ts'

/** Index of the first tick stamped at or after `us`, or `count` when there is none. */
export const firstTickAt = ({ atUs, count }: Ticks, us: number): number => sequenceSearch(count, (i) => atUs[i]! >= us)

const columnsOf = (ticks: Ticks, column: <A extends Float64Array | Int32Array>(of: A) => A, count: number): Ticks => ({
  count, atUs: column(ticks.atUs), market: column(ticks.market), bidE6: column(ticks.bidE6), askE6: column(ticks.askE6),
  bidSize: column(ticks.bidSize), askSize: column(ticks.askSize), lastE6: column(ticks.lastE6),
})

/** The ticks of places from one up to, not including, another: views of the same columns. */
export const ticksOfPlaces = (ticks: Ticks, from: number, until: number): Ticks =>
  (from === 0 && until === ticks.count ? ticks : columnsOf(ticks, <A extends Float64Array | Int32Array>(of: A) => of.subarray(from, until) as A, until - from))

/** The ticks from one instant up to, not including, another: views of the same columns. */
export function ticksBetween(ticks: Ticks, fromUs: number, untilUs: number): Ticks {
  const from = firstTickAt(ticks, fromUs)
  return ticksOfPlaces(ticks, from, Math.max(from, firstTickAt(ticks, untilUs)))
}

/** The ticks without those of markets marked with 1, from an instant on. */
export function ticksUnless(marked: Uint8Array, ticks: Ticks, fromUs: number): Ticks {
  const from = firstTickAt(ticks, fromUs)
  const kept: number[] = []
  for (let i = from; i < ticks.count; i++) if (marked[ticks.market[i]!] !== 1) kept.push(i)
  if (kept.length === ticks.count - from) return ticks
  return columnsOf(ticks, <A extends Float64Array | Int32Array>(of: A): A => {
    const picked = of.slice(0, from + kept.length) as A
    for (const [k, i] of kept.entries()) picked[from + k] = of[i]!
    return picked
  }, from + kept.length)
}

/** What a source is but for the ticks of its chunks, which `change` gives of the source's own. Numbers of ticks stay those of the source. */
function changed(source: TickSource, change: (ticks: Ticks, chunk: number) => Ticks): TickSource {
  const recent = new Recent(CHUNKS_KEPT, (chunk) => change(source.chunk(chunk), chunk))
  return {
    chunkCount: source.chunkCount, count: source.count,
    firstUs: (chunk) => source.firstUs(chunk), lastUs: (chunk) => source.lastUs(chunk), startOf: (chunk) => source.startOf(chunk),
    chunk: (index) => recent.of(index),
    ...(source.has && { has: (chunk: number, market: number) => source.has!(chunk, market) }),
  }
}

/** A source whose chunks are changed tick by tick: the same ticks with other prices. */
export const sourceWith = (source: TickSource, change: (ticks: Ticks) => Ticks): TickSource => changed(source, change)

/** The ticks before an instant. Loads the chunk in which it lies. */
export function sourceBefore(source: TickSource, untilUs: number): TickSource {
  const isBefore = (chunk: number): boolean => source.lastUs(chunk) < untilUs
  const whole = sequenceSearch(source.chunkCount, (chunk) => !isBefore(chunk))
  if (whole === source.chunkCount) return source
  // Bounds of stamps may be wide: chunks that may be cut are looked at.
  let last = whole
  let cut = NO_TICKS
  for (; last < source.chunkCount && source.firstUs(last) < untilUs; last++) {
    const ticks = source.chunk(last)
    cut = ticksBetween(ticks, -Infinity, untilUs)
    if (cut.count < ticks.count) break
    cut = NO_TICKS
  }
  const chunkCount = cut.count === 0 ? last : last + 1
  const count = source.startOf(last) + cut.count
  return {
    chunkCount, count,
    firstUs: (chunk) => source.firstUs(chunk),
    lastUs: (chunk) => (chunk === last ? cut.atUs[cut.count - 1]! : Math.min(source.lastUs(chunk), untilUs)),
    startOf: (chunk) => (chunk === chunkCount ? count : source.startOf(chunk)),
    chunk: (index) => (index === last ? cut : source.chunk(index)),
    ...(source.has && { has: (chunk: number, market: number) => source.has!(chunk, market) }),
    ...(source.digestAt && {
      digestAt: (chunk: number) => {
        const digest = source.digestAt!(chunk)
        return digest !== undefined && digest.end <= last ? digest : undefined
      },
    }),
  }
}

/** A source without the ticks of markets marked with 1, from an instant on. Their numbers stay free. */
export function sourceUnless(marked: Uint8Array, source: TickSource, fromUs: number): TickSource {
  if (!marked.includes(1)) return source
  return changed(source, (ticks, chunk) => (source.lastUs(chunk) < fromUs ? ticks : ticksUnless(marked, ticks, fromUs)))
}
