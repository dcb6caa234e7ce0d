import { NO_PRICE, PRICE_ONE_E6, type Ticks } from '../market/ticks.ts'
import type { TickSource } from '../market/tickSource.ts'
import { sourceWith } from '../market/tickWindow.ts'

/** How legs are priced in what participants see of a book. */
export const LEG_PRICES = ['executable', 'mid', 'bid', 'ask', 'devigged'] as const

/**
 * The history as participants see it. `executable`: both sides of each book. The others are one price for both sides: the
 * middle rounded down to a millionth, the bid, the ask, or the ask over the sum of both sides' asks (proportional de-vigging),
 * rounded to a millionth; where the book is one-sided, the last price stands.
 */
export function legTicks(ticks: Ticks, legs: (typeof LEG_PRICES)[number]): Ticks {
  if (legs === 'executable') return ticks
  const price = new Int32Array(ticks.count)
  for (let i = 0; i < ticks.count; i++) {
    const bid = ticks.bidE6[i]!
    const ask = ticks.askE6[i]!
    const isWhole = bid !== NO_PRICE && ask !== NO_PRICE
    if (legs === 'bid' && bid !== NO_PRICE) price[i] = bid
    else if (legs === 'ask' && ask !== NO_PRICE) price[i] = ask
    else if (legs === 'mid' && isWhole) price[i] = Math.floor((bid + ask) / 2)
    // The ask of NO is what is left of one dollar above the bid of YES.
    else if (legs === 'devigged' && isWhole) price[i] = Math.round((ask / (ask + PRICE_ONE_E6 - bid)) * PRICE_ONE_E6)
    else price[i] = ticks.lastE6[i]!
  }
  return { ...ticks, bidE6: price, askE6: price }
}

/** The same of a source. */
export const legSource = (source: TickSource, legs: (typeof LEG_PRICES)[number]): TickSource =>
  (legs === 'executable' ? source : sourceWith(source, (ticks) => legTicks(ticks, legs)))
