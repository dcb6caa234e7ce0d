import { Side } from '../../../market/sides.ts'
import type { RowCells } from '../../eventCells.ts'
import { EventCell, readCell } from '../../eventRows.ts'
import type { LegView } from '../protocol/view.ts'

/** What a market is called outside, where its number has no meaning. */
export interface MarketName {
  readonly market_ticker: string
  readonly event_ticker: string
  readonly venue: 'venue_a' | 'venue_b'
}

/** Name of the market with a number. */
export type NameOf = (market: number) => MarketName

/** A leg without the id that it has in a quote request. */
export interface PositionLeg extends MarketName {
  readonly side: 'yes' | 'no'
}

export const legBody = (leg: LegView, nameOf: NameOf): PositionLeg =>
  ({ ...nameOf(leg.market), side: leg.side === Side.yes ? 'yes' : 'no' })

/** Legs in the list of a row, which holds market, side pairs. */
export function legsOfRow(row: RowCells & { readonly pool: ArrayLike<number> }): LegView[] {
  const start = readCell(row, EventCell.listStart)
  const legs: LegView[] = []
  for (let at = start; at < start + readCell(row, EventCell.listLength); at += 2) legs.push({ market: row.pool[at]!, side: row.pool[at + 1]! })
  return legs
}
