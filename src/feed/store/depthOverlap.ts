import type { DepthRows } from '../../market/depth.ts'
import type { DepthColumns } from './depthColumns.ts'
import type { DepthPart, OpenStore } from './openStore.ts'
import type { OverlapRule } from './overlap.ts'

/** The rows that a part of a store's depth has, in order. */
class OldDepth {
  private declare readonly store: OpenStore
  private declare readonly part: DepthPart
  private rows: DepthRows | null = null
  private batch = 0
  private at = 0

  constructor(store: OpenStore, part: DepthPart) {
    this.store = store
    this.part = part
  }

  /** Calls back for each row of an instant. Instants never fall from call to call. */
  each(us: number, call: (rows: DepthRows, at: number) => void): void {
    const heads = this.store.depthBatchesOf(this.part)
    for (;;) {
      if (this.rows === null) {
        while (this.batch < heads.length && heads[this.batch]!.lastUs < us) this.batch++
        if (this.batch === heads.length || heads[this.batch]!.firstUs > us) return
        this.rows = this.store.readDepth(this.part, this.batch++)
        this.at = 0
      }
      const { rows } = this
      while (this.at < rows.count && rows.atUs[this.at]! < us) this.at++
      while (this.at < rows.count && rows.atUs[this.at]! === us) call(rows, this.at++)
      if (this.at < rows.count) return
      this.rows = null
    }
  }
}

/**
 * Leaves out, of the depth that an import brings of a day in order, what the store has already, and finds books that are others at the same
 * market and instant. An import has one book of a market at an instant.
 */
export class DepthOverlap {
  /** Rows that are as the store has them, and those that differ. */
  equal = 0
  different = 0
  /** The first that differs: its place in the import, and its instant. */
  first: { readonly market: number; readonly atUs: number } | null = null
  private declare readonly old: readonly OldDepth[]
  private declare readonly numberOf: Int32Array
  private declare readonly rule: OverlapRule
  private nowUs = -Infinity
  /** Books of the store of the instant, by its number of the market. */
  private readonly now = new Map<number, number[][]>()

  /** @param numberOf the number of a market in the store by its place in the import, −1 where the store does not have it. */
  constructor(store: OpenStore, parts: readonly DepthPart[], numberOf: Int32Array, rule: OverlapRule) {
    this.old = parts.map((part) => new OldDepth(store, part))
    this.numberOf = numberOf
    this.rule = rule
  }

  /** Whether a row is to be kept. Instants never fall from call to call. */
  isNew({ atUs, market, cells }: DepthColumns, row: number): boolean {
    const at = atUs[row]!
    if (at !== this.nowUs) this.advance(at)
    const known = this.now.get(this.numberOf[market[row]!]!)
    if (known === undefined) return true
    const isSame = (book: readonly number[]): boolean => cells.every((column, cell) => column[row] === book[cell])
    // By `last` the last book has to be this one, so that it stands.
    if (this.rule === 'last' ? isSame(known.at(-1)!) : known.some(isSame)) {
      this.equal++
      return false
    }
    this.different++
    this.first ??= { market: market[row]!, atUs: at }
    return this.rule === 'last'
  }

  private advance(us: number): void {
    this.nowUs = us
    this.now.clear()
    for (const old of this.old) {
      old.each(us, ({ market, cells }, at) => {
        const books = this.now.get(market[at]!) ?? []
        this.now.set(market[at]!, books)
        books.push(cells.map((column) => column[at]!))
      })
    }
  }
}
