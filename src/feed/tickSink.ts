import type { Ticks } from '../market/ticks.ts'

/** Ticks of a file that were read together. */
export interface FileTicks {
  /** Ticks in order of arrival, with their rows as origin. */
  readonly columns: Omit<Ticks, 'count'> & { readonly origin: Float64Array }
  readonly count: number
  /** Of each market as the columns name it. */
  readonly numberOf: Int32Array
  readonly file: string
  /** What is added to the rows. */
  readonly rowsBefore: number
}

/** Ticks in columns, as they were read. Prices, sizes and markets are those of `add`. */
export interface TickRows {
  readonly atUs: Float64Array
  readonly market: Int32Array
  readonly bidE6: Float64Array
  readonly askE6: Float64Array
  readonly bidSize: Float64Array
  readonly askSize: Float64Array
  readonly lastE6: Float64Array
}

/** Where importers put ticks, in order of arrival. Markets are places in the importer's own list of drafts. */
export interface TickSink {
  readonly count: number
  /** Prices are millionths of a dollar, sizes whole contracts, and −1 where there is nothing (src/market/ticks.ts). */
  add(atUs: number, market: number, bidE6: number, askE6: number, bidSize: number, askSize: number, lastE6: number): void
  /** How many levels of both sides it keeps of books. Absent or 0: none. */
  readonly depthLevels?: number | undefined
  /** Takes the best levels of a book as they are from an instant on (src/market/depth.ts). Precondition: a tick of the market was added before. `levels` is used again after the call. */
  addDepth?(atUs: number, market: number, levels: Int32Array): void
  /** Names the row of a file that the next ticks come from, or none (`''`). Importers that never call it read what one recorder wrote. */
  comeFrom?(file: string, row: number): void
  /** Adds rows `from`…`to`−1 of columns. `numbers` are those of rows of the file, from `first` on. */
  addRows?(rows: TickRows, numbers: ArrayLike<number>, from: number, to: number, first: number): void
  /** The same as to name the row of each tick and to add it, faster. */
  addAll?(ticks: FileTicks): void
}

export function addAllTo(sink: TickSink, ticks: FileTicks): void {
  if (sink.addAll !== undefined) return sink.addAll(ticks)
  const { columns: { atUs, market, bidE6, askE6, bidSize, askSize, lastE6, origin }, count, numberOf, file, rowsBefore } = ticks
  for (let i = 0; i < count; i += 1) {
    sink.comeFrom?.(file, rowsBefore + origin[i]!)
    sink.add(atUs[i]!, numberOf[market[i]!]!, bidE6[i]!, askE6[i]!, bidSize[i]!, askSize[i]!, lastE6[i]!)
  }
}
