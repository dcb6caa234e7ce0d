import type { ColumnSpec, TableSpec } from '../../arrow/tableSchema.ts'
import { Level, LEVEL_CELLS } from '../../market/depth.ts'

/** The version of depth alone: raised when its files say something else. */
export const DEPTH_VERSION = 1
/** The most rows of a record batch. */
export const DEPTH_BATCH_ROWS = 65_536

const NAMES: readonly (readonly [offset: number, name: (level: number) => string, about: string])[] = [
  [Level.bidE6, (level) => `bid_${level}_e6`, 'bid, millionths of a dollar'],
  [Level.bidSize, (level) => `bid_${level}_size`, 'contracts at that bid'],
  [Level.askE6, (level) => `ask_${level}_e6`, 'ask, millionths of a dollar'],
  [Level.askSize, (level) => `ask_${level}_size`, 'contracts at that ask'],
]

/** The names of the columns of levels, in the order of their cells. Levels count from 1 there. */
export const levelColumns = (levels: number): string[] =>
  Array.from({ length: levels * LEVEL_CELLS }, (_, cell) => NAMES[cell % LEVEL_CELLS]![1](Math.floor(cell / LEVEL_CELLS) + 1))

const levelSpecs = (levels: number): ColumnSpec[] => levelColumns(levels).map((name, cell): ColumnSpec => {
  const level = Math.floor(cell / LEVEL_CELLS) + 1
  return { name, type: 'int32', about: `${level === 1 ? 'best' : `number ${level}`} ${NAMES[cell % LEVEL_CELLS]![2]}` }
})

/** A part of a store's depth, and what it leaves behind. @param tickers of its markets, by code. */
export const depthTableOf = (levels: number, tickers: readonly string[]): TableSpec => ({
  name: 'depth',
  about: 'best levels of the books of YES, one row per change; -1 where there is no level',
  columns: [{ name: 'at', type: 'timeUs', about: 'when the change could be seen' }, { name: 'market', type: 'enum', isWide: true, values: tickers, about: 'ticker of the market' }, ...levelSpecs(levels)],
})
