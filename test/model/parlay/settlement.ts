import { PostingCause } from '../../../src/ledger/ledger.ts'
import { NONE } from '../../../src/venue/eventRows.ts'
import { MarketResult } from '../../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent, PositionOutcome } from '../../../src/venue/parlay/protocol/events.ts'
import { profitFeeOf } from './money.ts'
import { escrow, free, house, move, pot, type Turn, write } from './rows.ts'
import { openPositions, type Position, type Settlement, type State } from './state.ts'

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

/** Pays a decided position out. */
export function settle(turn: Turn, position: Position): void {
  const outcome = outcomeOf(turn.state, position)!
  const settlement = SETTLEMENTS[outcome]!(position)
  const { number, holder, backer, request } = position
  const moves = { turn, number, request }
  if (outcome === PositionOutcome.won) {
    payFromPot(moves, PostingCause.settle, free(holder), settlement.toHolderMicros)
    payFromPot(moves, PostingCause.profitFee, house, settlement.profitFeeMicros)
    payFromEscrow(moves, PostingCause.takerFee, house, settlement.takerFeeKeptMicros)
  } else if (outcome === PositionOutcome.lost) {
    payFromPot(moves, PostingCause.settle, free(backer), settlement.toBackerMicros)
    payFromEscrow(moves, PostingCause.takerFee, house, settlement.takerFeeKeptMicros)
  } else {
    payFromPot(moves, PostingCause.void, free(holder), position.stakeMicros)
    payFromPot(moves, PostingCause.void, free(backer), position.riskMicros)
    payFromEscrow(moves, PostingCause.void, free(holder), position.takerFeeMicros)
  }
  position.settlement = settlement
  write(turn, ParlayEvent.positionSettled, {
    account: holder, other: backer, request, version: position.version, position: number, code: outcome,
    amountA: settlement.toHolderMicros, amountB: settlement.toBackerMicros, amountC: settlement.profitFeeMicros,
    amountD: settlement.takerFeeKeptMicros,
  })
}

interface Moves {
  readonly turn: Turn
  readonly number: number
  readonly request: number
}

const payFromPot = ({ turn, number, request }: Moves, cause: number, to: Parameters<typeof move>[3], amountMicros: number): void =>
  move(turn, cause, pot(number), to, amountMicros, request)

const payFromEscrow = ({ turn, number, request }: Moves, cause: number, to: Parameters<typeof move>[3], amountMicros: number): void =>
  move(turn, cause, escrow(number), to, amountMicros, request)

const SETTLEMENTS: Readonly<Record<number, (position: Position) => Settlement>> = {
  [PositionOutcome.lost]: (position) => ({
    outcome: PositionOutcome.lost, toHolderMicros: 0, toBackerMicros: position.payoutMicros, profitFeeMicros: 0,
    takerFeeKeptMicros: position.takerFeeMicros,
  }),
  [PositionOutcome.won]: (position) => {
    const profitFeeMicros = profitFeeOf(position.payoutMicros - position.stakeMicros, position.profitFeeBps)
    return {
      outcome: PositionOutcome.won, toHolderMicros: position.payoutMicros - profitFeeMicros, toBackerMicros: 0, profitFeeMicros,
      takerFeeKeptMicros: position.takerFeeMicros,
    }
  },
  [PositionOutcome.void]: (position) => ({
    outcome: PositionOutcome.void, toHolderMicros: position.stakeMicros + position.takerFeeMicros, toBackerMicros: position.riskMicros,
    profitFeeMicros: 0, takerFeeKeptMicros: 0,
  }),
}
