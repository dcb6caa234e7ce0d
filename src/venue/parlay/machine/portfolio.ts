import { NONE } from '../../../unit/none.ts'
import { PositionState, RequestState } from '../protocol/events.ts'
import type { BalanceView, PortfolioView } from '../protocol/view.ts'
import type { ParlayState } from './state.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { RequestWord } from './requestRows.ts'

/** The account's portfolio (PQ-071…074), from its counters, its open positions and its active requests. */
export function portfolioOf(s: ParlayState, account: number, balance: BalanceView): PortfolioView {
  const { accounts } = s
  const held = heldBy(s, account)
  const known = account < accounts.count
  const counter = (column: Int32Array | Float64Array): number => (known ? column[account]! : 0)
  return {
    balance,
    stats: {
      totalParlays: counter(accounts.parlays),
      wins: counter(accounts.wins),
      losses: counter(accounts.losses),
      totalWageredMicros: counter(accounts.wageredMicros),
      realizedPnlMicros: counter(accounts.realizedMicros),
      makerRealizedMicros: counter(accounts.makerRealizedMicros),
      updatedAtUs: known && accounts.changed[account] === 1 ? accounts.changedAtUs[account]! : NONE,
    },
    counts: {
      ...requestsOf(s, account),
      confirmed: held.confirmed,
      executed: held.count - held.confirmed,
      totalSettled: counter(accounts.settled),
      totalCancelled: counter(accounts.cancelled),
      totalExpired: counter(accounts.expired),
      totalFailed: counter(accounts.failed),
    },
    summary: {
      activeCount: held.count,
      activeBetMicros: held.costMicros,
      portfolioMicros: balance.grossMicros + held.costMicros,
    },
  }
}

/** The positions that the account holds: how many, how many of them are not funded yet, and their cost. */
function heldBy(s: ParlayState, account: number): { count: number; confirmed: number; costMicros: number } {
  const { positions } = s
  const held = { count: 0, confirmed: 0, costMicros: 0 }
  positions.forEachLive((p) => {
    if (positions.words[p + PositionWord.holder] !== account) return
    held.count++
    if (positions.words[p + PositionWord.state] === PositionState.confirmed) held.confirmed++
    held.costMicros += positions.cells[p + PositionCell.costMicros]!
  })
  return held
}

/** The account's active requests by what they wait for: a quote, a commit, a confirmation. */
function requestsOf(s: ParlayState, account: number): { open: number; quoted: number; accepted: number } {
  const { requests } = s
  const counts = { open: 0, quoted: 0, accepted: 0 }
  requests.forEachLive((r) => {
    if (requests.words[r + RequestWord.owner] !== account || requests.words[r + RequestWord.state] !== RequestState.active) return
    if (requests.words[r + RequestWord.pendingQuote] !== NONE) counts.accepted++
    else if (requests.words[r + RequestWord.bestQuote] !== NONE) counts.quoted++
    else counts.open++
  })
  return counts
}
