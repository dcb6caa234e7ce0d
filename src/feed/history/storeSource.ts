import type { Ticks } from '../../market/ticks.ts'
import { type MarketLasts, Recent, type TickSource } from '../../market/tickSource.ts'
import { firstTickAt, ticksOfPlaces } from '../../market/tickWindow.ts'
import { sequenceSearch } from '../../unit/sequenceSearch.ts'
import type { OpenStore, StorePart } from '../store/openStore.ts'
import { lastName, type PartBatch, type PartHead } from '../store/storeHead.ts'
import { foldLasts } from './foldLasts.ts'
import { joinTicks } from './joinTicks.ts'

/** Decoded batches that a store keeps: some 128 MB. Sessions of a small store, which come one after the other, decode it once. */
const BATCHES_KEPT = 16
/** Lasts of runs that are kept: plans, closes and the state at the begin ask for the same ones. */
const LASTS_KEPT = 16

/** A record batch of a part. */
interface Batch extends PartBatch {
  readonly part: StorePart
  /** Its number in the part, and its place in the list of all of the store. */
  readonly index: number
  readonly place: number
}

/** Parts whose times overlap each other, and those of no other part. */
interface Run {
  readonly parts: readonly StorePart[]
  readonly firstUs: number
  readonly lastUs: number
  readonly firstTick: number
  readonly firstChunk: number
  /** Each chunk begins where a batch of one of the parts begins. */
  readonly cutsUs: readonly number[]
  /** By part, in order of import, its batches. */
  readonly batches: readonly (readonly Batch[])[]
}

/** How batches are read: by each reader for itself, or into memory that several share. */
export type ReadBatch = (part: StorePart, batch: number) => Ticks

/** The ticks of a store, batch by batch. Parts that overlap in time are merged: ticks of one instant are in order of import and row. */
export class StoreSource implements TickSource {
  declare readonly count: number
  declare readonly chunkCount: number
  private declare readonly store: OpenStore
  declare readonly runs: readonly Run[]
  private declare readonly batches: Recent<Ticks>
  private declare readonly merged: Recent<Ticks>
  private declare readonly lasts: Recent<MarketLasts>
  private readonly marketsOf = new Map<number, Int32Array>()
  private readonly starts = new Map<number, number>()

  constructor(store: OpenStore, read: ReadBatch = (part, batch) => store.readBatch(part, batch)) {
    const all: Batch[] = []
    this.store = store
    this.runs = runsOf(store, all)
    this.count = store.parts.reduce((sum, { ticks }) => sum + ticks, 0)
    const last = this.runs.at(-1)
    this.chunkCount = last === undefined ? 0 : last.firstChunk + last.cutsUs.length
    this.batches = new Recent(BATCHES_KEPT, (place) => read(all[place]!.part, all[place]!.index))
    this.merged = new Recent(BATCHES_KEPT, (chunk) => this.merge(chunk))
    this.lasts = new Recent(LASTS_KEPT, (run) => foldLasts(this.runs[run]!.parts.toSorted(byImport).map((part) => store.lastOf(part)), store.catalogue.markets.length))
  }

  firstUs(chunk: number): number {
    const run = this.runOf(chunk)
    return run.cutsUs[chunk - run.firstChunk]!
  }

  lastUs(chunk: number): number {
    const { firstChunk, cutsUs, lastUs, batches } = this.runOf(chunk)
    const at = chunk - firstChunk
    if (batches.length === 1) return batches[0]![at]!.lastUs
    return at + 1 < cutsUs.length ? cutsUs[at + 1]! - 1 : lastUs
  }

  startOf(chunk: number): number {
    if (chunk >= this.chunkCount) return this.count
    let start = this.starts.get(chunk)
    if (start === undefined) this.starts.set(chunk, start = this.countBefore(chunk))
    return start
  }

  chunk(index: number): Ticks {
    const { batches, firstChunk } = this.runOf(index)
    return batches.length === 1 ? this.batches.of(batches[0]![index - firstChunk]!.place) : this.merged.of(index)
  }

  has(chunk: number, market: number): boolean {
    const run = this.runNumber(chunk)
    let markets = this.marketsOf.get(run)
    if (markets === undefined) this.marketsOf.set(run, markets = this.lastsOf(run).markets)
    return markets[sequenceSearch(markets.length, (i) => markets[i]! >= market)] === market
  }

  digestAt(chunk: number): { readonly end: number; readonly lasts: () => MarketLasts } | undefined {
    const number = this.runNumber(chunk)
    const run = this.runs[number]!
    return run.firstChunk === chunk ? { end: chunk + run.cutsUs.length, lasts: () => this.lastsOf(number) } : undefined
  }

  /** Whether the parts of a run were read to know where their batches begin. */
  isReadAtOpening(run: number): boolean {
    return this.runs[run]!.parts.some((part) => headOf(this.store, part)?.batches === undefined)
  }

  /** The file of what a part leaves behind, null where the store has none. */
  lastFileOf({ name }: StorePart): string | null {
    return this.store.head.files[lastName(name)] === undefined ? null : lastName(name)
  }

  /** Of the run in which a chunk lies. */
  runNumber(chunk: number): number {
    return sequenceSearch(this.runs.length, (i) => this.runs[i]!.firstChunk > chunk) - 1
  }

  private lastsOf(run: number): MarketLasts {
    return this.lasts.of(run)
  }

  private runOf(chunk: number): Run {
    return this.runs[this.runNumber(chunk)]!
  }

  /** Ticks of all parts before a chunk. A batch that the chunk's begin cuts is looked at. */
  private countBefore(chunk: number): number {
    const { firstTick, firstChunk, cutsUs, batches } = this.runOf(chunk)
    const at = chunk - firstChunk
    if (batches.length === 1) return batches[0]!.slice(0, at).reduce((sum, { ticks }) => sum + ticks, firstTick)
    const fromUs = cutsUs[at]!
    let count = firstTick
    for (const batch of batches.flat()) {
      if (batch.lastUs < fromUs) count += batch.ticks
      else if (batch.firstUs < fromUs) count += firstTickAt(this.batches.of(batch.place), fromUs)
    }
    return count
  }

  private merge(chunk: number): Ticks {
    const { firstChunk, cutsUs, batches } = this.runOf(chunk)
    const fromUs = cutsUs[chunk - firstChunk]!
    const untilUs = cutsUs[chunk - firstChunk + 1] ?? Infinity
    return joinTicks(batches.flat().filter(({ firstUs, lastUs }) => firstUs < untilUs && lastUs >= fromUs).map(({ place }) => {
      const ticks = this.batches.of(place)
      return ticksOfPlaces(ticks, firstTickAt(ticks, fromUs), firstTickAt(ticks, untilUs))
    }))
  }
}

/** The batches of a part: as the store's manifest says, else as the part does. */
export const batchesOf = (store: Pick<OpenStore, 'head' | 'batchesOf'>, part: StorePart): readonly PartBatch[] =>
  headOf(store, part)?.batches ?? store.batchesOf(part)

const headOf = ({ head }: Pick<OpenStore, 'head'>, { name }: StorePart): PartHead | undefined => head.parts.find((one) => one.name === name)

const byImport = (a: StorePart, b: StorePart): number => a.import - b.import

/** The runs of a store. Puts all batches into `all`, in the order in which they are read. */
function runsOf(store: OpenStore, all: Batch[]): Run[] {
  const groups: StorePart[][] = []
  let untilUs = -Infinity
  for (const part of store.parts) {
    if (part.firstUs <= untilUs) groups.at(-1)!.push(part)
    else groups.push([part])
    untilUs = Math.max(untilUs, part.lastUs)
  }
  let [firstChunk, firstTick] = [0, 0]
  return groups.map((parts) => {
    const batches = parts.toSorted(byImport).map((part) => batchesOf(store, part).map((batch, index): Batch => {
      const placed = { ...batch, part, index, place: all.length }
      all.push(placed)
      return placed
    }))
    const starts = batches.flat().map(({ firstUs }) => firstUs)
    // Chunks of one part are its batches, even where one begins at the instant at which the one before ends.
    const cutsUs = parts.length === 1 ? starts : [...new Set(starts)].sort((a, b) => a - b)
    const run = { parts, batches, cutsUs, firstChunk, firstTick, firstUs: parts[0]!.firstUs, lastUs: Math.max(...parts.map(({ lastUs }) => lastUs)) }
    firstChunk += cutsUs.length
    firstTick += parts.reduce((sum, { ticks }) => sum + ticks, 0)
    return run
  })
}
