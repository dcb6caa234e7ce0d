import { PostingCause } from '../../../src/ledger/ledger.ts'
import { MarketResult } from '../../../src/market/sides.ts'
import { NONE } from '../../../src/unit/none.ts'
import { OutcomeFault } from '../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent, PositionOutcome } from '../../../src/venue/outcome/protocol/events.ts'
import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import { feeOf } from './money.ts'
import { usOfMs } from './numbers.ts'
import { cancelDecided } from './rfqs.ts'
import { free, house, move, pot, type Turn, write } from './rows.ts'
import { change, isFaultOn, itemsOf, type Leg, type Position, riskOf, type State } from './state.ts'

/** A lost leg decides, then a void one, then all legs won; null while undecided. A PositionOutcome. */
export function outcomeOf(state: State, legs: readonly Leg[]): number | null {
  const results = legs.map(({ outcome, side }) => {
    const { result } = state.outcomes.get(outcome)!
    if (result === NONE) return null
    if (result === MarketResult.void) return PositionOutcome.void
    return result === side ? PositionOutcome.won : PositionOutcome.lost
  })
  if (results.includes(PositionOutcome.lost)) return PositionOutcome.lost
  if (results.includes(PositionOutcome.void)) return PositionOutcome.void
  return results.includes(null) ? null : PositionOutcome.won
}

/** The first batch at or after an instant: batches are at whole multiples of their span since the epoch, plus the phase. */
export function batchOf({ settlementEveryMs, settlementPhaseMs }: OutcomeProfile, atUs: number): number {
  const everyUs = usOfMs(settlementEveryMs)
  const phaseUs = usOfMs(settlementPhaseMs)
  return phaseUs + Math.ceil((atUs - phaseUs) / everyUs) * everyUs
}

/** Gives every position that is decided now, and was not before, its batch, and ends its sale. */
export function decidePositions(turn: Turn): void {
  const { state, profile, atUs } = turn
  for (const position of itemsOf(state.positions, ({ settlesAtUs, legs }) => settlesAtUs === null && outcomeOf(state, legs) !== null)) {
    change(state.positions, position.number, { settlesAtUs: batchOf(profile, atUs) })
    cancelDecided(turn, position)
  }
}

/** A batch comes to a decided position: it is paid, or waits for the next one while it is closing or the chain stalls. */
export function settle(turn: Turn, position: Position): void {
  const { state, profile } = turn
  const { number, rfq, holder, backer, legs } = position
  if (position.closing || isFaultOn(state, OutcomeFault.chainStalled)) {
    change(state.positions, number, { settlesAtUs: turn.atUs + usOfMs(profile.settlementEveryMs) })
    return
  }
  const outcome = outcomeOf(state, legs)!
  const { toHolderMicros, toBackerMicros, feeMicros } = pay(turn, position, outcome)
  state.positions.delete(number)
  const about = { holder, backer, rfq, position: number, toHolderMicros, profitFeeMicros: feeMicros }
  write(turn, OutcomeEvent.positionSettled, { ...about, outcome, toBackerMicros, takerFeeKeptMicros: 0 })
  if (outcome === PositionOutcome.won) write(turn, OutcomeEvent.positionClaimed, about)
}

/** Moves the money of a position by its outcome. */
function pay(turn: Turn, position: Position, outcome: number) {
  const { number, rfq, holder, backer, netStakeMicros, payoutMicros, basisMicros, feeBps } = position
  if (outcome === PositionOutcome.void) {
    move(turn, PostingCause.void, pot(number), free(holder), netStakeMicros, rfq)
    move(turn, PostingCause.void, pot(number), free(backer), riskOf(position), rfq)
    return { toHolderMicros: netStakeMicros, toBackerMicros: riskOf(position), feeMicros: 0 }
  }
  if (outcome === PositionOutcome.lost) {
    move(turn, PostingCause.settle, pot(number), free(backer), payoutMicros, rfq)
    return { toHolderMicros: 0, toBackerMicros: payoutMicros, feeMicros: 0 }
  }
  const feeMicros = feeOf(payoutMicros - basisMicros, feeBps)
  move(turn, PostingCause.settle, pot(number), free(holder), payoutMicros - feeMicros, rfq)
  move(turn, PostingCause.profitFee, pot(number), house, feeMicros, rfq)
  return { toHolderMicros: payoutMicros - feeMicros, toBackerMicros: 0, feeMicros }
}
