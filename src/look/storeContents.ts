import type { ImportReport } from '../feed/importReport.ts'
import { openStore } from '../feed/store/openStore.ts'
import { importsOf } from '../feed/store/storeHead.ts'
import { readReport } from '../feed/store/storeReports.ts'
import { byText } from '../feed/marketDraft.ts'

/** Markets of one venue and category, by what they resolved to. */
export interface MarketsOfKind {
  readonly venue: string
  readonly category: string
  readonly markets: number
  readonly ticks: number
  readonly yes: number
  readonly no: number
  readonly void: number
  readonly scalar: number
  readonly unresolved: number
}

/** What is in a store of the present version. */
export interface StoreContents {
  /** Files of ticks. */
  readonly parts: number
  /** How many levels of books it keeps, and of how many books; absent where it keeps the best prices alone. */
  readonly depth?: { readonly levels: number; readonly books: number }
  /** In order of venue and category. */
  readonly kinds: readonly MarketsOfKind[]
  /** What each import reported, in the order in which they came. */
  readonly imports: readonly ImportReport[]
}

type Counts = { -readonly [K in keyof MarketsOfKind]: MarketsOfKind[K] }

/** Reads the markets of a store, and what its parts leave behind. Throws InputError for a store that is damaged, or of an older version. */
export function contentsOf(path: string): StoreContents {
  const store = openStore(path)
  const { markets } = store.catalogue
  const ticks = new Float64Array(markets.length)
  for (const part of store.parts) {
    const last = store.lastOf(part)
    last.markets.forEach((market, i) => { ticks[market]! += last.ticks[i]! })
  }
  const kinds = new Map<string, Counts>()
  for (const { number, venue, category, outcome } of markets) {
    const key = `${venue} ${category}`
    let counts = kinds.get(key)
    if (counts === undefined) kinds.set(key, counts = { venue, category, markets: 0, ticks: 0, yes: 0, no: 0, void: 0, scalar: 0, unresolved: 0 })
    counts.markets++
    counts.ticks += ticks[number]!
    counts[outcome ?? 'unresolved']++
  }
  return {
    parts: store.parts.length, ...(store.depth && { depth: { levels: store.depth.levels, books: store.depth.parts.reduce((sum, { rows }) => sum + rows, 0) } }), kinds: [...kinds].sort(([a], [b]) => byText(a, b)).map(([, counts]) => counts),
    imports: importsOf(store.head).map((name) => readReport(path, name)),
  }
}
