import type { Ticks } from '../../market/ticks.ts'
import type { ChunkDigest, TickSource } from '../../market/tickSource.ts'
import type { StoreSource } from './storeSource.ts'

/** What has been read of a run of parts: of `lasts` only what its parts leave behind. */
const Reading = { nothing: 0, lasts: 1, ticks: 2 } as const

/** A store's ticks that keep a record of what is asked of them, whether the source had it in memory or not. So the record is a matter of one session. */
export class RecordedSource implements TickSource {
  declare readonly count: number
  declare readonly chunkCount: number
  private declare readonly source: StoreSource
  /** By run. */
  private declare readonly reading: Uint8Array

  constructor(source: StoreSource) {
    this.source = source
    this.count = source.count
    this.chunkCount = source.chunkCount
    // Where the manifest of the store does not say where batches begin, the part did.
    this.reading = Uint8Array.from(source.runs, (_, run) => (source.isReadAtOpening(run) ? Reading.ticks : Reading.nothing))
  }

  firstUs(chunk: number): number {
    return this.source.firstUs(chunk)
  }

  lastUs(chunk: number): number {
    return this.source.lastUs(chunk)
  }

  startOf(chunk: number): number {
    // To count the ticks before a cut, batches that it cuts are looked at.
    if (chunk < this.chunkCount && this.source.runs[this.source.runNumber(chunk)]!.parts.length > 1) this.note(chunk, Reading.ticks)
    return this.source.startOf(chunk)
  }

  chunk(index: number): Ticks {
    this.note(index, Reading.ticks)
    return this.source.chunk(index)
  }

  has(chunk: number, market: number): boolean {
    this.note(chunk, Reading.lasts)
    return this.source.has(chunk, market)
  }

  digestAt(chunk: number): ChunkDigest | undefined {
    const digest = this.source.digestAt(chunk)
    return digest && { end: digest.end, lasts: () => {
      this.note(chunk, Reading.lasts)
      return digest.lasts()
    } }
  }

  /** The files of parts that have been read so far. Parts whose times overlap are read together. */
  filesRead(): string[] {
    return this.source.runs.flatMap(({ parts }, run) => parts.flatMap((part) => {
      if (this.reading[run] === Reading.nothing) return []
      const last = this.source.lastFileOf(part)
      if (last === null) return [part.name]
      return this.reading[run] === Reading.ticks ? [part.name, last] : [last]
    }))
  }

  private note(chunk: number, what: number): void {
    const run = this.source.runNumber(chunk)
    this.reading[run] = Math.max(this.reading[run]!, what)
  }
}
