import { assert } from '../../../unit/assert.ts'
import * as ledgerModule from '../../../ledger/ledger.ts'
import { feeFloor, type Micros } from '../../../unit/micros.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as codesModule from '../protocol/codes.ts'
import * as commandsModule from '../protocol/commands.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import * as eventsModule from '../protocol/events.ts'
import { openMarketRow } from './markets.ts'
import { countLeg, releasePosition } from './positions.ts'
import { reply } from './rows.ts'
import type { ParlayState } from './state.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { AccountKind, PostingCause } = ledgerModule
const { Field, NONE } = eventRowsModule
const { ParlayCode } = codesModule
const { MarketResult } = commandsModule
const { ParlayEvent, PositionOutcome } = eventsModule

/** Gives a market its result; the positions that it decides settle as deadlines of this instant. */
export function resolveMarket(s: ParlayState, c: ParlayCommand): void {
  const { markets, positions } = s
  const { market, value } = c
  if (value !== MarketResult.no && value !== MarketResult.yes && value !== MarketResult.void) return reply(s, c, ParlayCode.invalid)
  if (!Number.isInteger(market)) return reply(s, c, ParlayCode.invalid)
  if (!markets.known(market)) return reply(s, c, ParlayCode.notFound)
  if (markets.resolved[market] === 1) return reply(s, c, ParlayCode.conflict)

  markets.resolved[market] = 1
  markets.result[market] = value
  openMarketRow(s, ParlayEvent.marketResolved, market)
  s.events.set(Field.amountB, value)
  for (let node = markets.firstLeg[market]!; node !== NONE; node = positions.legAfter[node]!) countLeg(s, node)
  reply(s, c, ParlayCode.ok)
}

/** Deadline: position `number`, which results of this instant decided, is paid out. A loss beats a void (readings A23). */
export function settlementDue(s: ParlayState, number: number): void {
  const { positions, vaults, ledger } = s
  const p = positions.index.slotOf(number)
  if (positions.lostLegs[p]! > 0) payLost(s, p)
  else if (positions.voidLegs[p]! > 0) payVoid(s, p)
  else payWon(s, p)
  assert(ledger.potMicros(p) === 0 && ledger.escrowMicros(p) === 0, `position ${number} is not paid out in full`)
  vaults.backedMicros[positions.backer[p]!]! -= positions.riskMicros[p]!
  releasePosition(s, p)
}

function payLost(s: ParlayState, p: number): void {
  const positions = s.positions
  const payoutMicros = positions.stakeMicros[p]! + positions.riskMicros[p]!
  const takerFeeMicros = positions.takerFeeMicros[p]!
  pay(s, p, PostingCause.settle, AccountKind.pot, AccountKind.free, positions.backer[p]!, payoutMicros)
  pay(s, p, PostingCause.takerFee, AccountKind.escrow, AccountKind.house, AccountKind.house, takerFeeMicros)
  openSettledRow(s, p, PositionOutcome.lost, 0, payoutMicros, 0, takerFeeMicros)
}

function payVoid(s: ParlayState, p: number): void {
  const positions = s.positions
  const holder = positions.holder[p]!
  const stakeMicros = positions.stakeMicros[p]!
  const riskMicros = positions.riskMicros[p]!
  const takerFeeMicros = positions.takerFeeMicros[p]!
  pay(s, p, PostingCause.void, AccountKind.pot, AccountKind.free, holder, stakeMicros)
  pay(s, p, PostingCause.void, AccountKind.pot, AccountKind.free, positions.backer[p]!, riskMicros)
  pay(s, p, PostingCause.void, AccountKind.escrow, AccountKind.free, holder, takerFeeMicros)
  openSettledRow(s, p, PositionOutcome.void, stakeMicros + takerFeeMicros, riskMicros, 0, 0)
}

function payWon(s: ParlayState, p: number): void {
  const positions = s.positions
  // The holder's profit is total_payout − user_stake, which is the maker's risk.
  const profitFeeMicros = feeFloor(positions.riskMicros[p] as Micros, positions.profitFeeBps[p]!)
  const receivedMicros = positions.stakeMicros[p]! + positions.riskMicros[p]! - profitFeeMicros
  const takerFeeMicros = positions.takerFeeMicros[p]!
  pay(s, p, PostingCause.settle, AccountKind.pot, AccountKind.free, positions.holder[p]!, receivedMicros)
  pay(s, p, PostingCause.profitFee, AccountKind.pot, AccountKind.house, AccountKind.house, profitFeeMicros)
  pay(s, p, PostingCause.takerFee, AccountKind.escrow, AccountKind.house, AccountKind.house, takerFeeMicros)
  openSettledRow(s, p, PositionOutcome.won, receivedMicros, 0, profitFeeMicros, takerFeeMicros)
}

/** Pays out of the position's pot or escrow; the ledger indexes the house by its kind. */
function pay(s: ParlayState, p: number, cause: number, from: number, to: number, toIndex: number, amountMicros: number): void {
  const { positions, ledger } = s
  ledger.post(s.nowUs, cause, from, p, to, toIndex, amountMicros, positions.request[p]!, positions.number[p]!)
}

function openSettledRow(
  s: ParlayState, p: number, outcome: number, toHolderMicros: number, toBackerMicros: number, profitFeeMicros: number,
  takerFeeMicros: number,
): void {
  const { positions, events } = s
  events.open(s.nowUs, ParlayEvent.positionSettled, s.cause)
  events.set(Field.account, positions.holder[p]!)
  events.set(Field.other, positions.backer[p]!)
  events.set(Field.request, positions.request[p]!)
  events.set(Field.version, positions.version[p]!)
  events.set(Field.position, positions.number[p]!)
  events.set(Field.code, outcome)
  events.set(Field.amountA, toHolderMicros)
  events.set(Field.amountB, toBackerMicros)
  events.set(Field.amountC, profitFeeMicros)
  events.set(Field.amountD, takerFeeMicros)
}
