import type { Kind, KindOf, Row } from '../../eventCells.ts'
import { NONE } from '../../../unit/none.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { isListCount, type ParlayCommand } from '../protocol/commands.ts'
import { MarketChanged, MarketListed, ParlayEvent } from '../protocol/events.ts'
import { PositionWord } from './positionRows.ts'
import { RequestWord } from './requestRows.ts'
import { reply } from './rows.ts'
import type { ParlayState } from './state.ts'

const MARKET_NUMBER_MAX = 1_048_575

/** The first error of the command's legs, or ok (PQ-356…358): first each leg's existence and state, then every pair. */
export function codeOfLegs(s: ParlayState, c: ParlayCommand): number {
  const { markets, keys } = s
  for (let i = 0; i < c.legCount; i++) {
    const market = c.legMarkets[i]!
    if (!markets.listed(market)) return ParlayCode.legMarketNotFound
    if (markets.over(market, s.nowUs)) return ParlayCode.legMarketExpired
  }
  for (let i = 1; i < c.legCount; i++) {
    const market = c.legMarkets[i]!
    for (let j = 0; j < i; j++) {
      const other = c.legMarkets[j]!
      if (market === other || keys.intersect(markets.firstKey[market]!, markets.firstKey[other]!)) return ParlayCode.legsExcluded
    }
  }
  return ParlayCode.ok
}

/** Whether every leg of the request can still be traded (PQ-181, PQ-360). */
export function legsLive(s: ParlayState, r: number): boolean {
  const { markets, requests } = s
  const from = requests.legsFrom(r)
  for (let i = from; i < from + requests.words[r + RequestWord.legCount]!; i++) {
    const market = requests.legMarkets[i]!
    if (!markets.listed(market) || markets.halted[market] === 1 || markets.over(market, s.nowUs)) return false
  }
  return true
}

/** Whether cash-outs of the position are cut off (PQ-417, readings A33). */
export function isNearClose(s: ParlayState, p: number): boolean {
  const { positions, markets, profile, nowUs } = s
  const from = positions.legsFrom(p)
  for (let i = from; i < from + positions.words[p + PositionWord.legCount]!; i++) {
    const market = positions.legMarkets[i]!
    if (profile.cutoffSkipsResolvedLegs === 1 && markets.resolved[market] === 1) continue
    if (nowUs >= markets.closeUs[market]! - s.cashOutCutoffUs) return true
  }
  return false
}

export function listMarket(s: ParlayState, c: ParlayCommand): void {
  const { markets, keys, events } = s
  const { market, closeUs } = c
  if (!(Number.isInteger(market) && market >= 0 && market <= MARKET_NUMBER_MAX)) return reply(s, c, ParlayCode.invalid)
  if (!(Number.isInteger(closeUs) && closeUs > 0 && isListCount(c.listCount))) return reply(s, c, ParlayCode.invalid)
  const known = markets.known(market)
  if (known && markets.resolved[market] === 1) return reply(s, c, ParlayCode.conflict)

  if (known) keys.release(markets.firstKey[market]!)
  markets.list(market, closeUs)
  let first = NONE
  for (let i = 0; i < c.listCount; i++) first = keys.insert(first, c.list[i]!)
  markets.firstKey[market] = first
  const row = openMarketRow(s, ParlayEvent.marketListed, market)
  events.write(row, MarketListed.closeUs, closeUs)
  for (let i = 0; i < c.listCount; i++) events.push(c.list[i]!)
  reply(s, c, ParlayCode.ok)
}

/** Halts, resumes or delists a market, as the opcode's event says. */
export function changeMarket(s: ParlayState, c: ParlayCommand, event: Kind<KindOf<typeof MarketChanged>>): void {
  const { markets } = s
  const market = c.market
  if (!Number.isInteger(market)) return reply(s, c, ParlayCode.invalid)
  if (!markets.listed(market)) return reply(s, c, ParlayCode.notFound)
  if (markets.resolved[market] === 1) return reply(s, c, ParlayCode.conflict)

  if (event === ParlayEvent.marketDelisted) markets.delist(market)
  else markets.halted[market] = event === ParlayEvent.marketHalted ? 1 : 0
  openMarketRow(s, event, market)
  reply(s, c, ParlayCode.ok)
}

/** Opens a row about a market. */
export function openMarketRow<N extends KindOf<typeof MarketChanged>>(s: ParlayState, kind: Kind<N>, market: number): Row<N> {
  const row = s.events.open(s.nowUs, kind, s.cause)
  // −0 names market 0, and the digest sees the bits of a number.
  s.events.write(row, MarketChanged.market, market + 0)
  return row
}
