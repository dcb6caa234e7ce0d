import { OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import { type Row, rowsOfKind } from './namedRows.ts'
import type { Posting } from './rows.ts'

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

/** Adds further rows and postings. */
export function count(tally: Tally, rows: readonly Row[], postings: readonly Posting[]): void {
  const { positionOpened, positionSettled, positionClosed, positionTransferred } = OutcomeEvent
  for (const { amountMicros } of rowsOfKind(rows, OutcomeEvent.fundsDeposited)) tally.netDepositsMicros += amountMicros
  for (const { amountMicros } of rowsOfKind(rows, OutcomeEvent.fundsWithdrawn)) tally.netDepositsMicros -= amountMicros
  for (const { takerFeeMicros } of rowsOfKind(rows, positionOpened)) tally.feesMicros += takerFeeMicros
  for (const { profitFeeMicros } of rowsOfKind(rows, positionSettled, positionClosed, positionTransferred)) tally.feesMicros += profitFeeMicros
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
