import type { DepthPiece, DepthRows, DepthSource } from '../../market/depth.ts'
import { CHUNKS_KEPT, Recent } from '../../market/tickSource.ts'
import type { OpenStore } from '../store/openStore.ts'
import { timeOrder } from '../timeOrder.ts'
import { picked } from '../tickBuffer.ts'

/** The depth of a store as sessions are made of it. Its rows are read when they are needed. */
export interface DepthHistory {
  /** How many levels of a side the store keeps. */
  readonly levels: number
  /**
   * The depth of a session: of parts that end before `foldUs` what they leave behind, and all batches of the others. From `foldUs` on books are
   * as if everything had been read. Rows from `untilUs` on are not shown.
   */
  readonly between: (foldUs: number, untilUs: number) => DepthSource
}

/** Null for a store that keeps none. */
export function depthHistoryOf(store: Pick<OpenStore, 'depth' | 'depthBatchesOf' | 'readDepth' | 'lastDepthOf'>): DepthHistory | null {
  const { depth } = store
  if (depth === null) return null
  return {
    levels: depth.levels,
    between: (foldUs, untilUs) => {
      const read: (() => DepthRows)[] = []
      const recent = new Recent(CHUNKS_KEPT, (place) => read[place]!())
      const pieces = depth.parts.filter(({ firstUs }) => firstUs < untilUs).flatMap((part): DepthPiece[] => {
        const pieceOf = ({ firstUs, lastUs }: { readonly firstUs: number; readonly lastUs: number }, rows: () => DepthRows): DepthPiece => {
          const place = read.push(rows) - 1
          return { firstUs, lastUs, rank: part.import, rows: () => recent.of(place) }
        }
        if (part.lastUs < foldUs) return [pieceOf(part, () => inTimeOrder(store.lastDepthOf(part)))]
        return store.depthBatchesOf(part).map((batch, i) => pieceOf(batch, () => store.readDepth(part, i)))
      })
      // The sort keeps the order of batches that begin at one instant.
      return { levels: depth.levels, pieces: pieces.sort((a, b) => a.firstUs - b.firstUs), untilUs }
    },
  }
}

function inTimeOrder(rows: DepthRows): DepthRows {
  const order = timeOrder(rows.atUs, rows.count)
  if (order === null) return rows
  return { count: rows.count, atUs: picked(rows.atUs, order), market: picked(rows.market, order), cells: rows.cells.map((column) => picked(column, order)) }
}
