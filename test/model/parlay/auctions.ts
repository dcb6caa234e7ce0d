import { NONE } from '../../../src/unit/none.ts'
import { aboutPosition } from './positions.ts'
import type { Turn } from './rows.ts'
import type { Auction, Position } from './state.ts'

/** Whether the earliest close of the legs' markets, as they are known now, is within the cutoff (readings A33). */
export function isNearClose({ state, profile, atUs }: Pick<Turn, 'state' | 'profile' | 'atUs'>, position: Position): boolean {
  const markets = position.legs.map((leg) => state.markets.get(leg.market)!)
  const counted = profile.cutoffSkipsResolvedLegs === 1 ? markets.filter((market) => market.result === NONE) : markets
  return atUs >= Math.min(...counted.map((market) => market.closeUs)) - profile.cashoutCutoffMs * 1000
}

export const aboutAuction = (turn: Turn, auction: Auction) =>
  ({ ...aboutPosition(turn.state.positions.get(auction.position)!), auction: auction.number })
