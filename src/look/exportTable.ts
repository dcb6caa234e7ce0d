import type { ParquetColumn } from '../arrow/parquetColumns.ts'
import { depthHistoryOf } from '../feed/history/depthHistory.ts'
import { levelColumns } from '../feed/store/depthTable.ts'
import type { OpenStore } from '../feed/store/openStore.ts'
import type { DepthRows } from '../market/depth.ts'
import { DepthCursor } from '../market/depthCursor.ts'
import { NO_PRICE } from '../market/ticks.ts'
import { InputError } from '../unit/inputError.ts'
import { runsOf, type Stretch } from './storeRuns.ts'
import { type Chosen, eachTick, TICK_COLUMNS } from './tickTable.ts'

type Row = (atUs: number, market: number, cells: readonly (number | null)[]) => void

/** Rows of a store that follow each other. */
export interface ExportRun {
  /** How many were read for it, also such as are not chosen. */
  readonly rows: number
  /** Calls back for rows `from`…`to`−1 of it that are chosen. */
  each(from: number, to: number, call: Row): void
}

/** What is exported: stamp, market and other columns, in order of time. */
export interface ExportTable {
  readonly columns: readonly ParquetColumn[]
  runs(): Iterable<ExportRun>
}

/** The prices of a store. */
export const tickExport = (store: OpenStore, stretch: Stretch, chosen: Chosen): ExportTable => ({
  columns: TICK_COLUMNS,
  * runs() {
    for (const { ticks, from, to } of runsOf(store, stretch)) yield { rows: to - from, each: (first, end, call) => { eachTick({ ticks, from: from + first, to: from + end }, chosen, call) } }
  },
})

/** The levels of books of a store. Throws InputError for one that keeps none. */
export function depthExport(store: OpenStore, { fromUs, toUs }: Stretch, chosen: Chosen): ExportTable {
  const history = depthHistoryOf(store)
  if (history === null) throw new InputError('the store keeps the best prices of books alone', { position: { file: store.path }, hint: 'import it again with --depth N' })
  const columns = [...TICK_COLUMNS.slice(0, 2), ...levelColumns(history.levels).map((name): ParquetColumn => ({ name, type: 'int32', isNullable: true }))]
  return {
    columns,
    * runs() {
      const pieces = history.between(-Infinity, toUs).pieces.filter(({ lastUs }) => lastUs >= fromUs)
      const cursor = new DepthCursor({ pieces })
      cursor.seek(fromUs - 1)
      let found: ExportRun[] = []
      const give = (rows: DepthRows, from: number, to: number): void => { found.push(runOf(rows, from, to, chosen)) }
      for (const untilUs of [...pieces.map(({ firstUs }) => Math.max(fromUs, firstUs)), toUs]) {
        cursor.take(untilUs - 1, give)
        yield* found
        found = []
      }
    },
  }
}

function runOf({ atUs, market, cells }: DepthRows, start: number, until: number, chosen: Chosen): ExportRun {
  const cell = (value: number): number | null => (value === NO_PRICE ? null : value)
  return {
    rows: until - start,
    each: (from, to, call) => {
      for (let row = start + from; row < start + to; row++) if (chosen === null || chosen[market[row]!] === 1) call(atUs[row]!, market[row]!, cells.map((column) => cell(column[row]!)))
    },
  }
}
