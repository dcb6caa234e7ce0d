import type { PortfolioView } from '../protocol/view.ts'
import { type JsonNumber, usdcJson } from './decimalUsdc.ts'
import type { WireIdentity } from './identity.ts'

/** A portfolio (PQ-071…074). The addresses of a vault are derived from its account, so that they are there before it is. */
export interface PortfolioBody {
  readonly balance: {
    readonly gross_balance: JsonNumber
    readonly locked_collateral: JsonNumber
    readonly free_balance: JsonNumber
    readonly vault_pda: string
    readonly vault_token_account: string
  }
  readonly stats: {
    readonly total_parlays: number
    readonly wins: number
    readonly losses: number
    readonly total_wagered: JsonNumber
    readonly realized_pnl: JsonNumber
    readonly updated_at: string
  }
  readonly counts: Readonly<Record<
    'open' | 'quoted' | 'accepted' | 'confirmed' | 'executed' | 'total_settled' | 'total_cancelled' | 'total_expired' | 'total_failed', number
  >>
  readonly summary: { readonly active_count: number; readonly active_bet_total: JsonNumber; readonly portfolio_value: JsonNumber }
}

/** @param sinceUs since when the account is known: its `updated_at` until something changes. */
export function portfolioBody(identity: WireIdentity, account: number, portfolio: PortfolioView, sinceUs: number): PortfolioBody {
  const { balance, stats, counts, summary } = portfolio
  const { open, quoted, accepted, confirmed, executed } = counts
  return {
    balance: {
      gross_balance: usdcJson(balance.grossMicros),
      locked_collateral: usdcJson(balance.lockedMicros),
      free_balance: usdcJson(balance.freeMicros),
      vault_pda: identity.vault(account),
      vault_token_account: identity.vaultTokens(account),
    },
    stats: {
      total_parlays: stats.totalParlays,
      wins: stats.wins,
      losses: stats.losses,
      total_wagered: usdcJson(stats.totalWageredMicros),
      realized_pnl: usdcJson(stats.realizedPnlMicros),
      updated_at: identity.instant(stats.updatedAtUs < 0 ? sinceUs : stats.updatedAtUs),
    },
    counts: {
      open, quoted, accepted, confirmed, executed, total_settled: counts.totalSettled, total_cancelled: counts.totalCancelled,
      total_expired: counts.totalExpired, total_failed: counts.totalFailed,
    },
    summary: {
      active_count: summary.activeCount, active_bet_total: usdcJson(summary.activeBetMicros), portfolio_value: usdcJson(summary.portfolioMicros),
    },
  }
}
