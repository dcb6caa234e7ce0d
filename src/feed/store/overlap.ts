import type { Ticks } from '../../market/ticks.ts'
import type { OpenStore, StorePart } from './openStore.ts'
import { type Origin, type Origins } from './origins.ts'
import { listOf, RunBuffer, type RunColumns } from './runColumns.ts'

/**
 * What becomes of ticks of a market and an instant that are others than the store has, or than an earlier file of the import has: those
 * stay, or the new ones come after them.
 */
export type OverlapRule = 'refuse' | 'first' | 'last'

/** The first tick that is another than an earlier one. */
export interface Difference {
  /** Its place in the import. */
  readonly market: number
  readonly atUs: number
  readonly origin: Origin | null
  /** The earlier one's, null for one of the store. */
  readonly earlier: Origin | null
}

/** The ticks that a part of a store has, in order. */
class OldTicks {
  private declare readonly store: OpenStore
  private declare readonly part: StorePart
  private ticks: Ticks | null = null
  private batch = -1
  private at = 0

  constructor(store: OpenStore, part: StorePart) {
    this.store = store
    this.part = part
  }

  /** Calls back for each tick of an instant. Instants never fall from call to call. */
  each(us: number, call: (ticks: Ticks, at: number) => void): void {
    for (;;) {
      while (this.ticks !== null && this.at < this.ticks.count && this.ticks.atUs[this.at]! < us) this.at++
      while (this.ticks !== null && this.at < this.ticks.count && this.ticks.atUs[this.at]! === us) call(this.ticks, this.at++)
      if (this.ticks !== null && this.at < this.ticks.count) return
      if (!this.next(us)) return
    }
  }

  /** Reads the next batch that does not end before an instant. False where there is none, or where it begins after it. */
  private next(us: number): boolean {
    const heads = this.store.batchesOf(this.part)
    let batch = this.batch + 1
    while (batch < heads.length && heads[batch]!.lastUs < us) batch++
    if (batch === heads.length || heads[batch]!.firstUs > us) {
      this.batch = batch - 1
      this.ticks = null
      return false
    }
    this.batch = batch
    this.ticks = this.store.readBatch(this.part, batch)
    this.at = 0
    return true
  }
}

type Tick = readonly [bidE6: number, askE6: number, bidSize: number, askSize: number, lastE6: number]
type Emit = (block: RunColumns, from: number, to: number) => void

const isSame = (a: Tick, b: Tick): boolean => a.every((value, i) => value === b[i])

/** Whether ticks stand in this order, one after the other, among others: from a place on. */
const standAt = (ticks: readonly Tick[], others: readonly Tick[], from: number): boolean => from >= 0 && ticks.every((tick, i) => from + i < others.length && isSame(tick, others[from + i]!))

/** With how many of its last ticks a list begins another one. */
function shared(known: readonly Tick[], ticks: readonly Tick[]): number {
  for (let count = Math.min(known.length, ticks.length); count > 0; count--) if (standAt(ticks.slice(0, count), known, known.length - count)) return count
  return 0
}

/** How many of the first ticks of a list are known. By `last` what is known has to end with them, so that the last one stands. */
const hadOf = (known: readonly Tick[], ticks: readonly Tick[], rule: OverlapRule): number =>
  (rule !== 'last' && known.some((_, from) => standAt(ticks, known, from)) ? ticks.length : shared(known, ticks))

/** Ticks of one market, of one instant and of one file, in order of arrival. */
interface Group {
  readonly file: number
  readonly ticks: Tick[]
  /** Where they stand among the ticks of the instant. */
  readonly rows: number[]
}

/** What an import brings to overlap with. */
export interface OverlapWith {
  readonly store: OpenStore | null
  readonly parts: readonly StorePart[]
  /** The number of a market in the store by its place in the import, −1 where the store does not have it. */
  readonly numberOf: Int32Array
  readonly origins: Origins
  readonly rule: OverlapRule
}

/**
 * Leaves out, of the ticks that an import brings of a day in order, those that the store or an earlier file of the import has already, and
 * finds those that are others at the same market and instant. What a market has at an instant is a sequence, of which the last one stands.
 */
export class Overlap {
  private declare readonly with: OverlapWith
  private declare readonly emit: Emit
  private declare readonly old: readonly OldTicks[]
  /** Ticks of the store of the instant, by market. */
  private readonly now = new Map<number, Tick[]>()
  /** Ticks of an instant of which more may come. */
  private readonly held = new RunBuffer(64)
  /** Ticks that are as the store has them, and as an earlier file has them. */
  equal = 0
  twice = 0
  /** Ticks that differ, and the first of them. */
  different = 0
  first: Difference | null = null

  constructor(given: OverlapWith, emit: Emit) {
    this.with = given
    this.emit = emit
    this.old = given.store === null ? [] : given.parts.map((part) => new OldTicks(given.store!, part))
  }

  /** Takes rows `from`…`to`−1 of a block, in order of time. */
  take(block: RunColumns, from: number, to: number): void {
    const { held } = this
    let plain = from
    for (let at = from; at < to;) {
      // The held instant is complete, and every earlier row of this block has been emitted.
      if (held.count > 0 && block.atUs[at] !== held.atUs[0]) this.settleHeld()
      let end = at + 1
      while (end < to && block.atUs[end] === block.atUs[at]) end++
      const isWhole = end < to && held.count === 0
      if (isWhole && this.isPlain(block, at, end)) {
        at = end
        continue
      }
      if (at > plain) this.emit(block, plain, at)
      if (isWhole) this.settle(block, at, end)
      else this.hold(block, at, end)
      plain = at = end
    }
    if (to > plain) this.emit(block, plain, to)
  }

  /** Call this when all have come. */
  end(): void {
    if (this.held.count > 0) this.settleHeld()
  }

  private hold(block: RunColumns, from: number, to: number): void {
    const { held } = this
    held.ensure(held.count + to - from)
    const columns = listOf(held)
    listOf(block).forEach((column, i) => { columns[i]!.set(column.subarray(from, to), held.count) })
    held.count += to - from
  }

  private settleHeld(): void {
    const { held } = this
    if (this.isPlain(held, 0, held.count)) this.emit(held, 0, held.count)
    else this.settle(held, 0, held.count)
    held.count = 0
  }

  /** Whether the ticks of an instant meet none of the store, and come from one file. Instants rise from call to call. */
  private isPlain({ atUs, origin }: RunColumns, from: number, to: number): boolean {
    this.advance(atUs[from]!)
    if (this.now.size > 0) return false
    const { origins } = this.with
    const file = origins.fileOf(origin[from]!)
    for (let at = from + 1; at < to; at++) if (origins.fileOf(origin[at]!) !== file) return false
    return true
  }

  /** Emits what is new of the ticks of an instant. */
  private settle(block: RunColumns, from: number, to: number): void {
    const isLeft = new Uint8Array(to - from)
    for (const [market, groups] of this.groupsOf(block, from, to)) this.settleMarket(block, market, groups, (row) => { isLeft[row - from] = 1 })
    for (let at = from; at < to; at++) if (isLeft[at - from] === 0) this.emit(block, at, at + 1)
  }

  private groupsOf({ market, bidE6, askE6, bidSize, askSize, lastE6, origin }: RunColumns, from: number, to: number): Map<number, Group[]> {
    const byMarket = new Map<number, Group[]>()
    for (let at = from; at < to; at++) {
      const groups = byMarket.get(market[at]!) ?? []
      byMarket.set(market[at]!, groups)
      const file = this.with.origins.fileOf(origin[at]!)
      let group = groups.find((one) => one.file === file)
      if (group === undefined) groups.push(group = { file, ticks: [], rows: [] })
      group.ticks.push([bidE6[at]!, askE6[at]!, bidSize[at]!, askSize[at]!, lastE6[at]!])
      group.rows.push(at)
    }
    return byMarket
  }

  private settleMarket(block: RunColumns, market: number, groups: readonly Group[], leave: (row: number) => void): void {
    const { rule, origins, numberOf } = this.with
    const atUs = block.atUs[groups[0]!.rows[0]!]!
    const stored = this.now.get(numberOf[market]!)
    let known = stored ?? []
    const earlier: Group[] = []
    for (const { file, ticks, rows } of groups) {
      // What nobody named a row of is held against the store alone.
      const compared = file === 0 ? stored ?? [] : stored !== undefined || earlier.length > 0 ? known : []
      const count = hadOf(compared, ticks, rule)
      if (stored === undefined) this.twice += count
      else this.equal += count
      rows.slice(0, count).forEach(leave)
      const isOther = compared.length > 0 && count < ticks.length && (stored !== undefined || !origins.follows(file, earlier.map((one) => one.file), atUs))
      if (isOther) {
        this.different += ticks.length - count
        this.first ??= { market, atUs, origin: origins.of(block.origin[rows[count]!]!), earlier: stored === undefined ? origins.of(block.origin[earlier[0]!.rows[0]!]!) : null }
        if (rule !== 'last') rows.slice(count).forEach(leave)
      }
      if (!isOther || rule === 'last') known = [...known, ...ticks.slice(count)]
      if (file > 0) earlier.push({ file, ticks, rows })
    }
  }

  private advance(us: number): void {
    this.now.clear()
    for (const old of this.old) {
      old.each(us, ({ market, bidE6, askE6, bidSize, askSize, lastE6 }, at) => {
        const stored = this.now.get(market[at]!) ?? []
        this.now.set(market[at]!, stored)
        stored.push([bidE6[at]!, askE6[at]!, bidSize[at]!, askSize[at]!, lastE6[at]!])
      })
    }
  }
}
