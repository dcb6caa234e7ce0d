import type { Catalogue } from '../../market/market.ts'
import type { Ticks } from '../../market/ticks.ts'
import type { ImportReport } from '../importReport.ts'
import { columnsFrom, inTimeOrder, tickColumns } from '../tickBuffer.ts'
import { openStore, type OpenStore, type StorePart } from './openStore.ts'

/** A price history that has been read. */
export interface Store {
  readonly path: string
  readonly catalogue: Catalogue
  readonly ticks: Ticks
  readonly report: ImportReport
  /** SHA-256 over markets and ticks, hex. */
  readonly dataHash: string
}

/** Reads a store whole, under the conditions of `openStore`. */
export function readStore(path: string, options: { readonly verify?: boolean } = {}): Store {
  const store = openStore(path, options)
  return { path, catalogue: store.catalogue, ticks: allTicks(store), report: store.report(), dataHash: store.head.dataHash }
}

/** All ticks of a store in order of time, and of one instant in order of import and row. */
function allTicks(store: OpenStore): Ticks {
  const { parts } = store
  const follows = (part: StorePart, before: StorePart): boolean =>
    part.firstUs > before.lastUs || (part.firstUs === before.lastUs && part.import > before.import)
  if (parts.every((part, i) => i === 0 || follows(part, parts[i - 1]!))) return ticksOf(store, parts)
  return inTimeOrder(ticksOf(store, [...parts].sort((a, b) => a.import - b.import)))
}

/** Ticks of parts, one after the other. */
function ticksOf(store: OpenStore, parts: readonly StorePart[]): Ticks {
  const { ticks: count } = store.head
  const columns = tickColumns(count)
  let from = 0
  for (const part of parts) {
    store.batchesOf(part).forEach(({ ticks }, batch) => {
      store.readBatch(part, batch, columnsFrom(columns, from, from + ticks))
      from += ticks
    })
  }
  return { count, ...columns }
}
