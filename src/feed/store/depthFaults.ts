import { Level, LEVEL_CELLS } from '../../market/depth.ts'
import { NO_PRICE, PRICE_ONE_E6 } from '../../market/ticks.ts'
import type { DepthColumns } from './depthColumns.ts'
import { levelColumns } from './depthTable.ts'

/** The first row that the depth of a store may not have, or −1. Instants ascend unless `isByMarket`. */
export function firstDepthFault(columns: DepthColumns, count: number, markets: number, isByMarket = false): number {
  const { atUs, market, cells } = columns
  let before = -Infinity
  for (let row = 0; row < count; row++) {
    const at = atUs[row]!
    if (!(at >= before) || market[row]! >>> 0 >= markets || !isBook(cells, row)) return row
    if (!isByMarket) before = at
  }
  return -1
}

/** What is wrong with a row that `firstDepthFault` found. */
export function depthFaultOf(columns: DepthColumns, row: number, markets: number): string {
  const { atUs, market, cells } = columns
  if (!(market[row]! >= 0 && market[row]! < markets)) return `it names market ${market[row]} of ${markets}`
  if (isBook(cells, row)) return `the instant ${atUs[row]} is earlier than the one before`
  const names = levelColumns(cells.length / LEVEL_CELLS)
  const [bid, bidSize, ask, askSize] = [Level.bidE6, Level.bidSize, Level.askE6, Level.askSize]
  for (const [price, size, isAsk] of [[bid, bidSize, false], [ask, askSize, true]] as const) {
    for (let at = 0; at < cells.length; at += LEVEL_CELLS) {
      if (!isLevel(cells, row, at, price, size, isAsk)) return `${names[at + price]} ${cells[at + price]![row]} with ${names[at + size]} ${cells[at + size]![row]} is no level that may stand there`
    }
  }
  return `${names[bid]} is ${cells[bid]![row]}, and ${names[ask]} is ${cells[ask]![row]}: the book is crossed`
}

function isBook(cells: readonly Int32Array[], row: number): boolean {
  for (let at = 0; at < cells.length; at += LEVEL_CELLS) {
    if (!isLevel(cells, row, at, Level.bidE6, Level.bidSize, false) || !isLevel(cells, row, at, Level.askE6, Level.askSize, true)) return false
  }
  const [bid, ask] = [cells[Level.bidE6]![row]!, cells[Level.askE6]![row]!]
  return bid === NO_PRICE || ask === NO_PRICE || bid <= ask
}

/** Whether a level is empty, or has a price that is worse than the one before and a size. After an empty level all are empty. */
function isLevel(cells: readonly Int32Array[], row: number, at: number, price: number, size: number, isAsk: boolean): boolean {
  const [here, contracts] = [cells[at + price]![row]!, cells[at + size]![row]!]
  if (here === NO_PRICE) return contracts === NO_PRICE
  if (!(here >= 0 && here <= PRICE_ONE_E6 && contracts >= 0)) return false
  if (at === 0) return true
  const before = cells[at - LEVEL_CELLS + price]![row]!
  return before !== NO_PRICE && (isAsk ? here > before : here < before)
}
