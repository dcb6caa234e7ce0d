import { NO_PRICE, type Ticks } from '../market/ticks.ts'

/**
 * The history as participants see it. `executable`: both sides of each book. `mid` and `bid`: one price for both sides,
 * the middle rounded down to a millionth or the bid; where the book is one-sided, the last price stands.
 */
export function legTicks(ticks: Ticks, legs: 'executable' | 'mid' | 'bid'): Ticks {
  if (legs === 'executable') return ticks
  const price = new Int32Array(ticks.count)
  for (let i = 0; i < ticks.count; i++) {
    const bid = ticks.bidE6[i]!
    const ask = ticks.askE6[i]!
    if (legs === 'bid' && bid !== NO_PRICE) price[i] = bid
    else if (legs === 'mid' && bid !== NO_PRICE && ask !== NO_PRICE) price[i] = Math.floor((bid + ask) / 2)
    else price[i] = ticks.lastE6[i]!
  }
  return { ...ticks, bidE6: price, askE6: price }
}
