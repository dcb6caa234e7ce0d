import type { Ticks } from '../../market/ticks.ts'
import { tickColumns } from '../tickBuffer.ts'
import { LatestTicks } from './latestTicks.ts'

/** What a part leaves behind, by market: the markets that have ticks in it, ascending. */
export interface PartLast {
  readonly markets: Int32Array
  /** Ticks of each, and the stamps of its first and its last one. */
  readonly ticks: Float64Array
  readonly firstUs: Float64Array
  readonly lastUs: Float64Array
  /** The last tick of each market. */
  readonly latest: Ticks
  /** The last tick with a bid or an ask, of each market that has one. */
  readonly withBook: Ticks
  /** The last tick with a bid, an ask or a last price, of each market that has one. */
  readonly withPrice: Ticks
}

/** What batches that follow each other leave behind. */
export function lastByTicks(batches: readonly (() => Ticks)[], marketCount: number): PartLast {
  const latest = new LatestTicks(marketCount)
  for (const read of batches) {
    const { count, atUs, market, bidE6, askE6, bidSize, askSize, lastE6 } = read()
    for (let i = 0; i < count; i++) latest.take(market[i]!, atUs[i]!, bidE6[i]!, askE6[i]!, bidSize[i]!, askSize[i]!, lastE6[i]!)
  }
  const [markets, ticks, first, last]: [number[], number[], number[], number[]] = [[], [], [], []]
  latest.each((market, count, firstUs, lastUs) => {
    markets.push(market)
    ticks.push(count)
    first.push(firstUs)
    last.push(lastUs)
  })
  const ticksOf = (kind: 'latest' | 'book' | 'price'): Ticks => ticksBy(markets, (market) => latest.tickOf(kind, market))
  return {
    markets: Int32Array.from(markets), ticks: Float64Array.from(ticks), firstUs: Float64Array.from(first), lastUs: Float64Array.from(last),
    latest: ticksOf('latest'), withBook: ticksOf('book'), withPrice: ticksOf('price'),
  }
}

/** One tick of each market, those left out whose stamp is NaN. */
export function ticksBy(markets: ArrayLike<number>, tickOf: (market: number) => ArrayLike<number>): Ticks {
  const found = Array.from(markets).filter((market) => !Number.isNaN(tickOf(market)[0]))
  const columns = tickColumns(found.length)
  found.forEach((market, i) => {
    const tick = tickOf(market)
    columns.atUs[i] = tick[0]!
    columns.market[i] = market
    columns.bidE6[i] = tick[1]!
    columns.askE6[i] = tick[2]!
    columns.bidSize[i] = tick[3]!
    columns.askSize[i] = tick[4]!
    columns.lastE6[i] = tick[5]!
  })
  return { count: found.length, ...columns }
}
