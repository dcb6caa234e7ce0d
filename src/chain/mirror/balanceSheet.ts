import { AccountKind } from '../../ledger/ledger.ts'
import { assert } from '../../unit/assert.ts'
import type { Movement } from './settlementStep.ts'

/** Money of a position, microUSDC. */
export interface PositionMoney {
  readonly potMicros: number
  readonly escrowMicros: number
}

const NOTHING: PositionMoney = { potMicros: 0, escrowMicros: 0 }

/** Sums of movements, microUSDC: what stands where. What is free and what is reserved of an account is one balance. */
export class BalanceSheet {
  readonly balances = new Map<number, number>()
  /** Positions with money in them. */
  readonly positions = new Map<number, PositionMoney>()
  /** What came out of each account's wallet (below zero) or back into it. */
  readonly wallets = new Map<number, number>()
  houseMicros = 0
  /** Everything but wallets: what came in less what went out. */
  heldMicros = 0

  balanceMicros(account: number): number {
    return this.balances.get(account) ?? 0
  }

  positionMoney(position: number): PositionMoney {
    return this.positions.get(position) ?? NOTHING
  }

  move(movement: Movement): void {
    const { debitKind, debitOwner, creditKind, creditOwner, amountMicros } = movement
    this.add(debitKind, debitOwner, creditOwner, -amountMicros)
    this.add(creditKind, creditOwner, debitOwner, amountMicros)
  }

  /** Between the account's wallet and its balance; below zero out of the vault. */
  deposit(account: number, amountMicros: number): void {
    this.add(AccountKind.external, account, account, -amountMicros)
    this.add(AccountKind.free, account, account, amountMicros)
  }

  /** Σ over every place, the slow way. */
  sumMicros(): number {
    let sum = this.houseMicros
    for (const balance of this.balances.values()) sum += balance
    for (const { potMicros, escrowMicros } of this.positions.values()) sum += potMicros + escrowMicros
    return sum
  }

  /** `other` is the account on the other side, which is whose wallet `external` means. */
  private add(kind: number, owner: number, other: number, amountMicros: number): void {
    switch (kind) {
      case AccountKind.free:
      case AccountKind.reserved:
        this.balances.set(owner, exact(this.balanceMicros(owner) + amountMicros))
        break
      case AccountKind.pot:
      case AccountKind.escrow:
        this.addToPosition(owner, kind === AccountKind.pot, amountMicros)
        break
      case AccountKind.house:
        this.houseMicros = exact(this.houseMicros + amountMicros)
        break
      default:
        this.wallets.set(other, exact((this.wallets.get(other) ?? 0) + amountMicros))
        this.heldMicros = exact(this.heldMicros - amountMicros)
    }
  }

  private addToPosition(position: number, isPot: boolean, amountMicros: number): void {
    let { potMicros, escrowMicros } = this.positionMoney(position)
    if (isPot) potMicros = exact(potMicros + amountMicros)
    else escrowMicros = exact(escrowMicros + amountMicros)
    if (potMicros === 0 && escrowMicros === 0) this.positions.delete(position)
    else this.positions.set(position, { potMicros, escrowMicros })
  }
}

function exact(sum: number): number {
  assert(Number.isSafeInteger(sum), 'money overflow')
  return sum
}
