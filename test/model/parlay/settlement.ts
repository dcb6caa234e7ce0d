import { PostingCause } from '../../../src/ledger/ledger.ts'
import { MarketResult } from '../../../src/market/sides.ts'
import { NONE } from '../../../src/unit/none.ts'
import { AuctionEnd, ParlayEvent, PositionOutcome } from '../../../src/venue/parlay/protocol/events.ts'
import { cancelAuction } from './cashOut.ts'
import { profitFeeOf } from './money.ts'
import { aboutPosition, endPosition, keepTakerFee, payBack, payFromPot } from './positions.ts'
import { free, house, type Turn, write } from './rows.ts'
import {
  activeAuctionOn, chainFaultOf, holderOf, holdingOf, openPositions, type Position, type PositionEnd, type State,
} from './state.ts'

/** Gives every open position that is decided now, and was not before, this instant to settle at. */
export function scheduleSettlements({ state, atUs }: Turn): void {
  for (const position of openPositions(state)) {
    if (position.settlesAtUs === null && outcomeOf(state, position) !== null) position.settlesAtUs = atUs
  }
}

/** A lost leg decides, then a void one, then all legs won (readings A23, A25); null while undecided. */
function outcomeOf(state: State, position: Position): number | null {
  const results = position.legs.map((leg) => {
    const { result } = state.markets.get(leg.market)!
    if (result === NONE) return null
    if (result === MarketResult.void) return PositionOutcome.void
    return result === leg.side ? PositionOutcome.won : PositionOutcome.lost
  })
  if (results.includes(PositionOutcome.lost)) return PositionOutcome.lost
  if (results.includes(PositionOutcome.void)) return PositionOutcome.void
  return results.includes(null) ? null : PositionOutcome.won
}

/** Pays a decided position out, or later while the chain is at fault or has not funded it. Its first try fixes the outcome. */
export function settle(turn: Turn, position: Position): void {
  position.outcome ??= outcomeOf(turn.state, position)!
  const auction = activeAuctionOn(turn.state, position.number)
  if (auction !== undefined) cancelAuction(turn, auction, AuctionEnd.positionDecided)
  const about = { ...aboutPosition(position), holder: holderOf(position), backer: position.backer, outcome: position.outcome }
  if (chainFaultOf(turn.state) !== null || !position.isFunded) {
    position.settlesAtUs = turn.atUs + turn.profile.settlementRetryMs * 1000
    write(turn, ParlayEvent.settlementDelayed, { ...about, nextTryAtUs: position.settlesAtUs })
    return
  }
  const end = pay(turn, position)
  const how = (['lost', 'won', 'void'] as const)[position.outcome]!
  endPosition(turn, position, { how, receivedMicros: end.toHolderMicros, saleFeeMicros: 0 }, end)
  write(turn, ParlayEvent.positionSettled, {
    ...about, toHolderMicros: end.toHolderMicros, toBackerMicros: end.toBackerMicros, profitFeeMicros: end.profitFeeMicros,
    takerFeeKeptMicros: end.takerFeeKeptMicros,
  })
}

/** Moves the money of a position by its outcome. */
function pay(turn: Turn, position: Position): PositionEnd {
  const { backer, stakeMicros, riskMicros, payoutMicros, takerFeeMicros, profitFeeBps, outcome } = position
  const holder = holderOf(position)
  if (outcome === PositionOutcome.void) {
    payBack(turn, position)
    return {
      how: 'settled', toHolderMicros: stakeMicros + takerFeeMicros, toBackerMicros: riskMicros, profitFeeMicros: 0, takerFeeKeptMicros: 0,
    }
  }
  const isWon = outcome === PositionOutcome.won
  const profitFeeMicros = isWon ? profitFeeOf(payoutMicros - holdingOf(position).basisMicros, profitFeeBps)
    : turn.profile.profitFeeOnMaker === 1 ? profitFeeOf(stakeMicros, profitFeeBps) : 0
  const restMicros = payoutMicros - profitFeeMicros
  payFromPot(turn, position, PostingCause.settle, free(isWon ? holder : backer), restMicros)
  payFromPot(turn, position, PostingCause.profitFee, house, profitFeeMicros)
  keepTakerFee(turn, position)
  return {
    how: 'settled', toHolderMicros: isWon ? restMicros : 0, toBackerMicros: isWon ? 0 : restMicros, profitFeeMicros,
    takerFeeKeptMicros: takerFeeMicros,
  }
}
