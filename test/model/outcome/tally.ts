import { OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import type { Posting, Row } from './rows.ts'

/** Sums over all rows and postings of a run so far, in microUSDC. */
export interface Tally {
  /** Deposits less withdrawals, as event rows show them. */
  netDepositsMicros: number
  /** Fees, as event rows show them. */
  feesMicros: number
  /** Balances by `kind/owner` of the ledger account, from the postings alone. */
  readonly balances: Map<string, number>
}

export const newTally = (): Tally => ({ netDepositsMicros: 0, feesMicros: 0, balances: new Map() })

const FEE_ROWS: readonly number[] = [
  OutcomeEvent.positionOpened, OutcomeEvent.positionSettled, OutcomeEvent.positionClosed, OutcomeEvent.positionTransferred,
]

/** Adds further rows and postings. */
export function count(tally: Tally, rows: readonly Row[], postings: readonly Posting[]): void {
  for (const { kind, amountA, amountC } of rows) {
    if (kind === OutcomeEvent.fundsDeposited) tally.netDepositsMicros += amountA
    if (kind === OutcomeEvent.fundsWithdrawn) tally.netDepositsMicros -= amountA
    if (FEE_ROWS.includes(kind)) tally.feesMicros += amountC
  }
  for (const { debitKind, debitOwner, creditKind, creditOwner, amountMicros } of postings) {
    bump(tally.balances, keyOf(debitKind, debitOwner), -amountMicros)
    bump(tally.balances, keyOf(creditKind, creditOwner), amountMicros)
  }
}

export const balanceIn = (tally: Tally, kind: number, owner: number): number => tally.balances.get(keyOf(kind, owner)) ?? 0

const keyOf = (kind: number, owner: number): string => `${kind}/${owner}`

function bump(sums: Map<string, number>, key: string, by: number): void {
  sums.set(key, (sums.get(key) ?? 0) + by)
}
