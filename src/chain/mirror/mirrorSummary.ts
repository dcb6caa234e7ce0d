import { thousands } from '../../unit/numberText.ts'
import type { VaultCall } from '../vaultCall.ts'
import type { RelayerCounts } from './relayer.ts'

/** Positions by what became of them on the chain; one may be transferred several times before it ends. */
export interface PositionCounts {
  opened: number
  won: number
  lost: number
  void: number
  boughtBack: number
  transferred: number
}

/** What a mirror has settled and compared. */
export interface MirrorSummary {
  readonly service: 'parlay' | 'outcome'
  readonly chain: 'svm' | 'evm'
  readonly positions: PositionCounts
  /** Positions that are open on the chain. */
  readonly open: number
  readonly accounts: number
  /** Fills, deposits and withdrawals that ledger and chain still differ by. */
  readonly pending: number
  readonly recovery: RelayerCounts
}

export const emptyCounts = (): PositionCounts => ({ opened: 0, won: 0, lost: 0, void: 0, boughtBack: 0, transferred: 0 })

/** Counts a call that is about a position. */
export function count(counts: PositionCounts, call: VaultCall): void {
  switch (call.kind) {
    case 'open':
      counts.opened++
      break
    case 'settle':
      counts[call.outcome]++
      break
    case 'buyback':
      counts.boughtBack++
      break
    case 'transfer':
      counts.transferred++
      break
    default:
  }
}

/** The line of a run whose chain and ledger are equal. */
export function reconciledLine({ positions, open, accounts }: MirrorSummary): string {
  const { opened, won, lost, boughtBack, transferred } = positions
  const ends = [
    `${thousands(won)} won`, `${thousands(lost)} lost`, `${thousands(positions.void)} void`, `${thousands(boughtBack)} bought back`,
    `${thousands(transferred)} transferred`, ...(open === 0 ? [] : [`${thousands(open)} open`]),
  ]
  return `reconciled: ${thousands(opened)} positions (${ends.join(', ')}), ${thousands(accounts)} accounts, 0 differences`
}

/** What it took, or null when everything went well at once. */
export function recoveryLine({ recovery }: MirrorSummary): string | null {
  const { resent, signedAnew, doneBefore, reorganisations, undone, sponsorOutages, unfunded } = recovery
  const parts = [
    [resent, 'bundles sent again'], [signedAnew, 'signed anew'], [doneBefore, 'calls already done'],
    [reorganisations, `reorganisations (${thousands(undone)} batches undone)`], [sponsorOutages, 'sponsor outages'], [unfunded, 'late fundings'],
  ] as const
  const told = parts.filter(([number]) => number > 0).map(([number, what]) => `${thousands(number)} ${what}`)
  return told.length === 0 ? null : `recovered: ${told.join(', ')}`
}
