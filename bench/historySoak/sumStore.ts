import { openStore } from '../../src/feed/store/openStore.ts'
import { DAY_US } from '../../src/unit/time.ts'
import { ASK, ASK_SIZE, BID, BID_SIZE, type DaySum, INSTANTS, type MarketCounts, NUMBERS, SUM_MODULUS } from './plan.ts'

/** What a store has, as a reader of it adds it up. */
export interface StoreSums {
  readonly days: readonly DaySum[]
  readonly counts: MarketCounts
}

export function sumStore(path: string): StoreSums {
  const store = openStore(path)
  const { markets } = store.catalogue
  const numberOf = Int32Array.from(markets, ({ ticker }) => Number(ticker.slice('MKT-'.length)) % NUMBERS + 1)
  const days = new Map<number, { ticks: number; sum: number }>()
  for (const part of store.parts) {
    for (let batch = 0; batch < store.batchesOf(part).length; batch++) {
      const { count, atUs, market, bidE6, askE6, bidSize, askSize } = store.readBatch(part, batch)
      for (let i = 0; i < count; i++) {
        const day = Math.floor(atUs[i]! / DAY_US)
        let sums = days.get(day)
        if (sums === undefined) days.set(day, sums = { ticks: 0, sum: 0 })
        const value = bidE6[i]! * BID + askE6[i]! * ASK + bidSize[i]! * BID_SIZE + askSize[i]! * ASK_SIZE
        sums.ticks++
        sums.sum = (sums.sum + value * (atUs[i]! % INSTANTS + 1) * numberOf[market[i]!]!) % SUM_MODULUS
      }
    }
  }
  const counted = (result: string): number => markets.filter(({ outcome }) => outcome === result).length
  return { days: [...days].map(([day, sums]) => ({ day, ...sums })).sort((a, b) => a.day - b.day), counts: { markets: markets.length, yes: counted('yes'), no: counted('no') } }
}
