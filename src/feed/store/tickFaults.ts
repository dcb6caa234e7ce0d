import { NO_PRICE, PRICE_ONE_E6 } from '../../market/ticks.ts'
import { inBlocks } from '../../unit/rowBlocks.ts'
import type { TickColumns } from '../tickBuffer.ts'

const MOST_PRICE = PRICE_ONE_E6 + 1

/** The first row that a store may not have, or −1. */
export function firstFault(columns: TickColumns, count: number, markets: number): number {
  let fault = -1
  inBlocks(count, (from, to) => { if (fault < 0) fault = faultIn(columns, from, to, markets) })
  return fault
}

function faultIn({ atUs, market, bidE6, askE6, bidSize, askSize, lastE6 }: TickColumns, from: number, to: number, markets: number): number {
  let before = from === 0 ? -Infinity : atUs[from - 1]!
  for (let i = from; i < to; i++) {
    const at = atUs[i]!
    // As numbers without sign, −1 and what is less would be the largest.
    const isSound = at >= before && market[i]! >>> 0 < markets && bidSize[i]! >= NO_PRICE && askSize[i]! >= NO_PRICE
      && (bidE6[i]! + 1) >>> 0 <= MOST_PRICE && (askE6[i]! + 1) >>> 0 <= MOST_PRICE && (lastE6[i]! + 1) >>> 0 <= MOST_PRICE
    if (!isSound) return i
    before = at
  }
  return -1
}

/** What is wrong with a row that `firstFault` found. */
export function faultOf(columns: TickColumns, row: number, markets: number): string {
  const { atUs, market } = columns
  if (row > 0 && atUs[row]! < atUs[row - 1]!) return `the instant ${atUs[row]} is earlier than the one before`
  if (!(market[row]! >= 0 && market[row]! < markets)) return `it names market ${market[row]} of ${markets}`
  return faultOfPrices(columns, row, '')!
}

/** What is wrong with the prices and sizes of a row, null where nothing is. @param prefix of the names of their columns. */
export function faultOfPrices({ bidE6, askE6, bidSize, askSize, lastE6 }: Omit<TickColumns, 'atUs' | 'market'>, row: number, prefix: string): string | null {
  for (const [name, price] of [['bid_e6', bidE6], ['ask_e6', askE6], ['last_e6', lastE6]] as const) {
    if (price[row]! < NO_PRICE || price[row]! > PRICE_ONE_E6) return `${prefix}${name} is ${price[row]}, not within −1…1,000,000`
  }
  return bidSize[row]! >= NO_PRICE && askSize[row]! >= NO_PRICE ? null : `the sizes ${bidSize[row]} and ${askSize[row]} are not −1 or more`
}
