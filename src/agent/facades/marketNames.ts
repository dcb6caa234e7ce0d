import type { MarketNames, PublicList } from '../../market/publicList.ts'
import { type Method, refuse, shownValue } from '../refuse.ts'

/** Taken before strategies can touch anything. */
const { freeze } = Object

/** A copy of what the list says of a market by now, which a strategy may keep. Null of one that has not opened. Without a list it refuses. */
export function shownNames(list: PublicList | null, market: number, nowUs: number, method: Method): MarketNames | null {
  if (!(Number.isSafeInteger(market) && market >= 0)) refuse(`a market has a whole number from 0 on, not ${shownValue(market)}`, method)
  if (list === null) refuse('desk.market: no service tells the client of a maker what markets are called, and the maker can be played inside', method)
  const names = list.namesOf(market, nowUs)
  if (names === null) return null
  const { ticker, title, event, game, category, venue } = names
  return freeze({ ticker, title, event, game, category, venue })
}
