import { NONE } from '../../../src/unit/none.ts'
import { RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import type { BalanceView, PortfolioView } from '../../../src/venue/parlay/protocol/view.ts'
import {
  freeOf, heldBy, type Holding, holdingOf, isFenced, liveQuotesOf, lockedOf, type Position, type Request, reservedOf, type State, sumOf,
} from './state.ts'

export function balanceOf(state: State, account: number): BalanceView {
  const freeMicros = freeOf(state, account)
  const lockedMicros = lockedOf(state, account)
  return {
    freeMicros, reservedMicros: reservedOf(state, account), lockedMicros, grossMicros: freeMicros + lockedMicros,
    hasVault: state.accounts.get(account)?.hasVault ?? false, fenced: isFenced(state, account),
  }
}

/** Counted from every holding that the account ever had, every position that it backed and every request that it made. */
export function portfolioOf(state: State, account: number): PortfolioView {
  const positions = [...state.positions.values()]
  const holdings = positions.flatMap((position) => position.holdings).filter((holding) => holding.account === account)
  const left = holdings.filter((holding) => holding.left !== null)
  const leftBy = (...ways: readonly string[]): Holding[] => left.filter((holding) => ways.includes(holding.left!.how))
  const backed = positions.filter((position) => position.backer === account && position.end !== null)
  const held = heldBy(state, account)
  const balance = balanceOf(state, account)
  const activeBetMicros = sumOf(held, (position) => holdingOf(position).costMicros)
  return {
    balance,
    stats: {
      totalParlays: holdings.length,
      wins: leftBy('won').length,
      losses: leftBy('lost').length,
      totalWageredMicros: sumOf(holdings, (holding) => holding.costMicros),
      realizedPnlMicros: sumOf(leftBy('won', 'lost', 'void', 'boughtBack', 'sold'), (one) => one.left!.receivedMicros - one.costMicros),
      makerRealizedMicros: sumOf(backed, (position) => position.end!.toBackerMicros - position.riskMicros),
      updatedAtUs: state.accounts.get(account)?.updatedAtUs ?? NONE,
    },
    counts: {
      ...countsOfRequests(state, account), ...countsOfHeld(held),
      totalSettled: leftBy('won', 'lost', 'void', 'boughtBack', 'sold').length, totalFailed: leftBy('failed').length,
    },
    summary: { activeCount: held.length, activeBetMicros, portfolioMicros: balance.grossMicros + activeBetMicros },
  }
}

function countsOfRequests(state: State, account: number) {
  const active = [...state.requests.values()].filter((one) => one.owner === account && one.state === RequestState.active)
  const isQuoted = (request: Request) => liveQuotesOf(state, request.number).length > 0
  const waiting = active.filter((request) => request.selection === null)
  const ended = (stands: number): number => state.endedRequests.filter((one) => one.owner === account && one.state === stands).length
  return {
    open: waiting.filter((request) => !isQuoted(request)).length, quoted: waiting.filter(isQuoted).length,
    accepted: active.length - waiting.length, totalCancelled: ended(RequestState.cancelled), totalExpired: ended(RequestState.expired),
  }
}

function countsOfHeld(held: readonly Position[]) {
  const confirmed = held.filter((position) => !position.isFunded).length
  return { confirmed, executed: held.length - confirmed }
}
