import { PostingCause } from '../../../ledger/ledger.ts'
import { MarketResult } from '../../../market/sides.ts'
import { feeFloor, type Micros } from '../../../unit/micros.ts'
import { NONE } from '../../../unit/none.ts'
import { MS_US } from '../../../unit/time.ts'
import { Resolve } from '../../contract.ts'
import { ParlayCode } from '../protocol/codes.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import {
  MarketResolved, ParlayEvent, PositionOutcome, PositionSettled, PositionState, SettlementDelayed,
} from '../protocol/events.ts'
import { countBacked, countEnded, countLost, countWon } from './accounts.ts'
import { cancelAuctionOfDecided } from './auctions.ts'
import { openMarketRow } from './markets.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { closePosition, countLeg } from './positions.ts'
import { payFromPot, refundPot, takeProfitFee, takeTakerFee } from './pots.ts'
import { openPositionRow, reply } from './rows.ts'
import { DeadlineRank, type ParlayState } from './state.ts'

/** Gives a market its result; the positions that it decides settle as deadlines of this instant. */
export function resolveMarket(s: ParlayState, c: ParlayCommand): void {
  const { markets, positions, keys } = s
  const { market, [Resolve.result]: result } = c
  if (result !== MarketResult.no && result !== MarketResult.yes && result !== MarketResult.void) return reply(s, c, ParlayCode.invalid)
  if (!Number.isInteger(market)) return reply(s, c, ParlayCode.invalid)
  if (!markets.known(market)) return reply(s, c, ParlayCode.notFound)
  if (markets.resolved[market] === 1) return reply(s, c, ParlayCode.conflict)

  markets.resolved[market] = 1
  markets.result[market] = result
  // No parlay takes it any more, so that nothing is left to exclude.
  keys.release(markets.firstKey[market]!)
  markets.firstKey[market] = NONE
  const row = openMarketRow(s, ParlayEvent.marketResolved, market)
  // A result of −0 is 0, whose bits the digest sees.
  s.events.write(row, MarketResolved.result, result + 0)
  for (let node = markets.firstLeg[market]!; node !== NONE; node = positions.legAfter[node]!) countLeg(s, node)
  reply(s, c, ParlayCode.ok)
}

/**
 * Deadline: position `number`, which results have decided, is paid. Its outcome is fixed at the first try, at the instant
 * that decided it: a loss beats a void (readings A23). While the chain is at fault or the position is not funded yet, payment
 * is tried again later.
 */
export function settlementDue(s: ParlayState, number: number): void {
  const { positions, terms } = s
  const p = positions.rowOf(number)
  // A fill that failed between two tries has removed the position.
  if (p === NONE) return
  if (positions.words[p + PositionWord.judged] === 0) judge(s, p)
  if (terms.chainFault() || positions.words[p + PositionWord.state] === PositionState.confirmed) return delay(s, p)
  if (positions.words[p + PositionWord.outcome] === PositionOutcome.lost) payLost(s, p)
  else if (positions.words[p + PositionWord.outcome] === PositionOutcome.void) payVoid(s, p)
  else payWon(s, p)
  closePosition(s, p)
}

/** Fixes the outcome and ends the auction that the position may be in. */
function judge(s: ParlayState, p: number): void {
  const { positions } = s
  const { lost, void: voided, won } = PositionOutcome
  positions.words[p + PositionWord.judged] = 1
  positions.words[p + PositionWord.outcome] = positions.words[p + PositionWord.lostLegs]! > 0 ? lost : positions.words[p + PositionWord.voidLegs]! > 0 ? voided : won
  cancelAuctionOfDecided(s, p)
}

function delay(s: ParlayState, p: number): void {
  const { positions, events } = s
  const untilUs = s.nowUs + s.profile.settlementRetryMs * MS_US
  s.deadlines.push(untilUs, DeadlineRank.settlement, positions.cells[p + PositionCell.number]!)
  const row = openPositionRow(s, ParlayEvent.settlementDelayed, p)
  events.write(row, SettlementDelayed.outcome, positions.words[p + PositionWord.outcome]!)
  events.write(row, SettlementDelayed.nextTryAtUs, untilUs)
}

function payLost(s: ParlayState, p: number): void {
  const { positions, profile } = s
  const backer = positions.words[p + PositionWord.backer]!
  const stakeMicros = positions.cells[p + PositionCell.stakeMicros]!
  const feeMicros = profile.profitFeeOnMaker === 1 ? feeFloor(stakeMicros as Micros, positions.words[p + PositionWord.profitFeeBps]!) : 0
  const receivedMicros = stakeMicros + positions.cells[p + PositionCell.riskMicros]! - feeMicros
  payFromPot(s, p, PostingCause.settle, backer, receivedMicros)
  takeProfitFee(s, p, feeMicros)
  takeTakerFee(s, p)
  tellSettled(s, p, 0, receivedMicros, feeMicros, positions.cells[p + PositionCell.takerFeeMicros]!)
  countLost(s, positions.words[p + PositionWord.holder]!)
}

function payVoid(s: ParlayState, p: number): void {
  const positions = s.positions
  refundPot(s, p)
  tellSettled(s, p, positions.cells[p + PositionCell.stakeMicros]! + positions.cells[p + PositionCell.takerFeeMicros]!, positions.cells[p + PositionCell.riskMicros]!, 0, 0)
}

function payWon(s: ParlayState, p: number): void {
  const positions = s.positions
  const holder = positions.words[p + PositionWord.holder]!
  const payoutMicros = positions.cells[p + PositionCell.stakeMicros]! + positions.cells[p + PositionCell.riskMicros]!
  const profitMicros = Math.max(0, payoutMicros - positions.cells[p + PositionCell.basisMicros]!)
  const feeMicros = feeFloor(profitMicros as Micros, positions.words[p + PositionWord.profitFeeBps]!)
  payFromPot(s, p, PostingCause.settle, holder, payoutMicros - feeMicros)
  takeProfitFee(s, p, feeMicros)
  takeTakerFee(s, p)
  tellSettled(s, p, payoutMicros - feeMicros, 0, feeMicros, positions.cells[p + PositionCell.takerFeeMicros]!)
  countWon(s, holder)
}

/** Writes the row of the settlement and counts it for both parties. */
function tellSettled(
  s: ParlayState, p: number, toHolderMicros: number, toBackerMicros: number, profitFeeMicros: number, takerFeeMicros: number,
): void {
  const { positions, events } = s
  const row = openPositionRow(s, ParlayEvent.positionSettled, p)
  events.write(row, PositionSettled.outcome, positions.words[p + PositionWord.outcome]!)
  events.write(row, PositionSettled.toHolderMicros, toHolderMicros)
  events.write(row, PositionSettled.toBackerMicros, toBackerMicros)
  events.write(row, PositionSettled.profitFeeMicros, profitFeeMicros)
  events.write(row, PositionSettled.takerFeeKeptMicros, takerFeeMicros)
  countEnded(s, p, toHolderMicros)
  countBacked(s, p, toBackerMicros)
}
