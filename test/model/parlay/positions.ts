import { PostingCause } from '../../../src/ledger/ledger.ts'
import { CancelReason, ParlayEvent, ParlayStatus } from '../../../src/venue/parlay/protocol/events.ts'
import { escrow, free, house, move, type Place, pot, type Turn, write } from './rows.ts'
import { holderOf, holdingOf, type Leaving, type Position, type PositionEnd } from './state.ts'

/** Rows about a position show the request's version that was committed, also after the request's eviction. */
export const aboutPosition = ({ number, request, version }: Position) => ({ request, version, position: number })

export function writeStatus(turn: Turn, owner: number, { request, version, quote }: Position, status: number): void {
  write(turn, ParlayEvent.statusChanged, { owner, request, version, quote, status })
}

/** The chain has funded the position. */
export function executeFill(turn: Turn, position: Position): void {
  position.isFunded = true
  writeStatus(turn, holderOf(position), position, ParlayStatus.executed)
}

/** The chain did not fund it: everything goes back. */
export function failFill(turn: Turn, position: Position): void {
  const holder = holderOf(position)
  const { backer, stakeMicros, takerFeeMicros, riskMicros } = position
  payBack(turn, position)
  endPosition(turn, position, { how: 'failed', receivedMicros: stakeMicros + takerFeeMicros, saleFeeMicros: 0 }, {
    how: 'failed', toHolderMicros: stakeMicros + takerFeeMicros, toBackerMicros: riskMicros, profitFeeMicros: 0, takerFeeKeptMicros: 0,
  })
  writeStatus(turn, holder, position, ParlayStatus.cancelled)
  const { request, version } = position
  write(turn, ParlayEvent.positionCancelled, { owner: holder, backer, request, version, reason: CancelReason.chainFailed })
  write(turn, ParlayEvent.positionFailed, {
    ...aboutPosition(position), holder, backer, toHolderMicros: stakeMicros + takerFeeMicros, toBackerMicros: riskMicros,
  })
}

/** Stake and taker fee to the holder, risk to the backing maker. */
export function payBack(turn: Turn, position: Position): void {
  const holder = holderOf(position)
  payFromPot(turn, position, PostingCause.void, free(holder), position.stakeMicros)
  payFromPot(turn, position, PostingCause.void, free(position.backer), position.riskMicros)
  payFromEscrow(turn, position, PostingCause.void, free(holder), position.takerFeeMicros)
}

export const keepTakerFee = (turn: Turn, position: Position): void =>
  payFromEscrow(turn, position, PostingCause.takerFee, house, position.takerFeeMicros)

export const payFromPot = (turn: Turn, { number, request }: Position, cause: number, to: Place, amountMicros: number): void =>
  move(turn, cause, pot(number), to, amountMicros, request)

const payFromEscrow = (turn: Turn, { number, request }: Position, cause: number, to: Place, amountMicros: number): void =>
  move(turn, cause, escrow(number), to, amountMicros, request)

/** The holder leaves and the position is over. */
export function endPosition(turn: Turn, position: Position, left: Leaving, end: PositionEnd): void {
  leave(position, left)
  position.end = end
  touch(turn, holderOf(position), position.backer)
}

/** The present holder leaves. */
export function leave(position: Position, left: Leaving): void {
  position.holdings = [...position.holdings.slice(0, -1), { ...holdingOf(position), left }]
}

/** The statistics of the accounts change now. */
export function touch(turn: Turn, ...accounts: number[]): void {
  for (const account of accounts) turn.state.accounts.get(account)!.updatedAtUs = turn.atUs
}
