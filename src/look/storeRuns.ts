import type { OpenStore, StorePart } from '../feed/store/openStore.ts'
import { DAY_US } from '../unit/time.ts'
import type { Ticks } from '../market/ticks.ts'

/** Ticks that follow each other in a store: `ticks[from…to−1]`. Markets are numbered as in the store's catalogue. */
export interface TickRun {
  readonly ticks: Ticks
  readonly from: number
  readonly to: number
}

/** Instants of a stretch of time, µs since the epoch: `fromUs` belongs to it, and `toUs` does not. */
export interface Stretch {
  readonly fromUs: number
  readonly toUs: number
}

export const ALL_TIME: Stretch = { fromUs: -Infinity, toUs: Infinity }

/** Is told, between batches, how far a reading is. It may keep the reading waiting, and what it throws ends the reading. */
export type Proceed = (count: number) => void | Promise<void>

/**
 * The ticks of a store within a stretch, in order of time, and of one instant in order of import and row. One batch of each part of a day is
 * in memory. Throws InputError, with file and row, for ticks that a store may not have.
 */
export function* runsOf(store: OpenStore, { fromUs, toUs }: Stretch = ALL_TIME): Generator<TickRun, void> {
  const parts = store.parts.filter((part) => part.lastUs >= fromUs && part.firstUs < toUs)
  for (let i = 0; i < parts.length;) {
    const day = Math.floor(parts[i]!.firstUs / DAY_US)
    let end = i + 1
    while (end < parts.length && Math.floor(parts[end]!.firstUs / DAY_US) === day) end++
    yield* merged(parts.slice(i, end).map((part) => new PartCursor(store, part, { fromUs, toUs })))
    i = end
  }
}

/** Parts of one day, of which several may have ticks of one time. */
function* merged(cursors: readonly PartCursor[]): Generator<TickRun, void> {
  for (;;) {
    const [first, second] = earliest(cursors)
    if (first === null) return
    yield first.take(second)
  }
}

/** The two cursors that come first, by time and then by import. */
function earliest(cursors: readonly PartCursor[]): readonly [PartCursor | null, PartCursor | null] {
  let [first, second]: [PartCursor | null, PartCursor | null] = [null, null]
  for (const cursor of cursors) {
    if (cursor.isDone) continue
    if (first === null || cursor.isBefore(first)) [first, second] = [cursor, first]
    else if (second === null || cursor.isBefore(second)) second = cursor
  }
  return [first, second]
}

class PartCursor {
  private declare readonly store: OpenStore
  private declare readonly part: StorePart
  private declare readonly stretch: Stretch
  private declare readonly batches: readonly number[]
  private place = 0
  private ticks: Ticks | null = null
  private row = 0
  private end = 0

  constructor(store: OpenStore, part: StorePart, stretch: Stretch) {
    this.store = store
    this.part = part
    this.stretch = stretch
    this.batches = store.batchesOf(part).flatMap(({ firstUs, lastUs }, batch) => (lastUs >= stretch.fromUs && firstUs < stretch.toUs ? [batch] : []))
    this.load()
  }

  get isDone(): boolean {
    return this.ticks === null
  }

  isBefore(other: PartCursor): boolean {
    return this.atUs < other.atUs || (this.atUs === other.atUs && this.part.import < other.part.import)
  }

  /** Takes the ticks that come before those of another cursor, as far as the present batch has them. */
  take(other: PartCursor | null): TickRun {
    const { row: from, end } = this
    const ticks = this.ticks!
    let to = end
    if (other !== null) {
      const limitUs = other.atUs
      const goesOn = this.part.import < other.part.import ? (atUs: number) => atUs <= limitUs : (atUs: number) => atUs < limitUs
      to = from
      while (to < end && goesOn(ticks.atUs[to]!)) to++
    }
    this.row = to
    if (to === end) this.load()
    return { ticks, from, to }
  }

  private get atUs(): number {
    return this.ticks!.atUs[this.row]!
  }

  /** Goes on to the next batch that has ticks of the stretch. */
  private load(): void {
    const { fromUs, toUs } = this.stretch
    while (this.place < this.batches.length) {
      const ticks = this.store.readBatch(this.part, this.batches[this.place++]!)
      const [row, end] = [firstFrom(ticks, fromUs), firstFrom(ticks, toUs)]
      if (row < end) {
        this.ticks = ticks
        this.row = row
        this.end = end
        return
      }
    }
    this.ticks = null
  }
}

/** The first row at an instant or after it. */
function firstFrom({ atUs, count }: Ticks, fromUs: number): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (atUs[middle]! < fromUs) low = middle + 1
    else high = middle
  }
  return low
}
