import type { VaultCall } from '../vaultCall.ts'

/** A posting of the ledger that moves money which a chain knows of, amounts in microUSDC. */
export interface Movement {
  readonly seq: number
  readonly atUs: number
  /** A `PostingCause`. */
  readonly cause: number
  /** `AccountKind`s and their owners, as in posting rows. */
  readonly debitKind: number
  readonly debitOwner: number
  readonly creditKind: number
  readonly creditOwner: number
  readonly amountMicros: number
  /** Position that the money belongs to, or −1. */
  readonly position: number
}

/** One thing that a service's rows say to its chain, in the order of seq. A posting stands before the call of the row that tells it. */
export type StepEntry =
  | { readonly kind: 'posting'; readonly movement: Movement }
  /** `event` is the name of the row that the call comes from. */
  | { readonly kind: 'call'; readonly call: VaultCall; readonly event: string }
  | { readonly kind: 'waits'; readonly position: number }
  | { readonly kind: 'failed'; readonly position: number; readonly seq: number; readonly atUs: number; readonly event: string }
  | { readonly kind: 'ahead'; readonly transaction: number; readonly account: number; readonly amountMicros: number }
  | { readonly kind: 'caughtUp'; readonly transaction: number }

/** What the rows of one simulated second say: what is sent to the chain at once. */
export interface SettlementStep {
  readonly atS: number
  readonly entries: readonly StepEntry[]
}

/** The calls of a step, in their order. */
export const callsOf = (step: SettlementStep): VaultCall[] =>
  step.entries.flatMap((entry) => (entry.kind === 'call' ? [entry.call] : []))
