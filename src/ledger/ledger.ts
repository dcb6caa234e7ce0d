import { assert, Bug } from '../unit/assert.ts'
import type { Micros } from '../unit/micros.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import type { PostingRows } from './postingRows.ts'
import { widened } from '../unit/widened.ts'

/**
 * Kinds of ledger account. A participant owns `free` and `reserved`, a position its `pot` (user_stake + mm_risk) and
 * its `escrow` (taker fee until the position ends); `house` and `external` exist once.
 */
export const AccountKind = { external: 0, free: 1, reserved: 2, pot: 3, escrow: 4, house: 5 } as const
export const ACCOUNT_KIND_NAMES = ['external', 'free', 'reserved', 'pot', 'escrow', 'house'] as const

/** Why money moved; every posting names one (INV-29). */
export const PostingCause = {
  deposit: 1, withdraw: 2, hold: 3, release: 4, commit: 5, settle: 6, void: 7, takerFee: 8, profitFee: 9,
  buyback: 10, transfer: 11,
} as const
export const POSTING_CAUSE_NAMES = [
  '', 'deposit', 'withdraw', 'hold', 'release', 'commit', 'settle', 'void', 'takerFee', 'profitFee', 'buyback', 'transfer',
] as const

/**
 * Double-entry ledger of one vault, in integer microUSDC. Every change of a balance is one posting that debits one
 * account and credits another, so that the sum over all accounts is zero after each posting. The balance of `external` is
 * minus what came in. Every other balance stays at or above zero: venues check before they post, and a breach stops the run.
 */
export class Ledger implements Snapshot {
  private declare free: Float64Array
  private declare reserved: Float64Array
  private declare pot: Float64Array
  private declare escrow: Float64Array
  private readonly single = new Float64Array(6)
  private declare readonly rows: PostingRows

  constructor(rows: PostingRows, capacity = 1024) {
    this.rows = rows
    this.free = new Float64Array(capacity)
    this.reserved = new Float64Array(capacity)
    this.pot = new Float64Array(capacity)
    this.escrow = new Float64Array(capacity)
  }

  /** Makes room for participants with account numbers below `count`. */
  ensureAccounts(count: number): void {
    if (count > this.free.length) this.free = widened(this.free, count)
    if (count > this.reserved.length) this.reserved = widened(this.reserved, count)
  }

  /** Makes room for positions with slots below `count`. */
  ensurePositions(count: number): void {
    if (count > this.pot.length) this.pot = widened(this.pot, count)
    if (count > this.escrow.length) this.escrow = widened(this.escrow, count)
  }

  freeMicros(account: number): Micros {
    return (this.free[account] ?? 0) as Micros
  }

  reservedMicros(account: number): Micros {
    return (this.reserved[account] ?? 0) as Micros
  }

  potMicros(slot: number): Micros {
    return (this.pot[slot] ?? 0) as Micros
  }

  escrowMicros(slot: number): Micros {
    return (this.escrow[slot] ?? 0) as Micros
  }

  houseMicros(): Micros {
    return this.single[AccountKind.house] as Micros
  }

  /** Deposits minus withdrawals so far. */
  netDepositsMicros(): Micros {
    return (0 - this.single[AccountKind.external]!) as Micros
  }

  /**
   * Moves `amountMicros` ≥ 0 from the debited to the credited account and appends the posting. For `pot` and `escrow`
   * the index is the position's slot, and `position` is the number that the row shows. For `external` and `house` neither
   * has a meaning. A zero amount leaves no row.
   */
  post(
    atUs: number, cause: number, debitKind: number, debitIndex: number, creditKind: number, creditIndex: number,
    amountMicros: number, request: number, position: number,
  ): void {
    if (amountMicros === 0) return
    if (!(amountMicros > 0 && Number.isSafeInteger(amountMicros))) throw new Bug(`not an amount to post: ${amountMicros}`)
    const from = this.column(debitKind)
    const to = this.column(creditKind)
    const debit = cellOf(debitKind, debitIndex)
    const credit = cellOf(creditKind, creditIndex)
    const left = from[debit]! - amountMicros
    if (!(left >= 0 || debitKind === AccountKind.external)) throw new Bug(`posting overdraws account kind ${debitKind} of ${debitIndex}`)
    assert(Number.isSafeInteger(to[credit]! + amountMicros) && Number.isSafeInteger(left), 'money overflow')
    from[debit] = left
    to[credit]! += amountMicros
    this.rows.append(
      atUs, cause, debitKind, ownerOf(debitKind, debitIndex, position), creditKind, ownerOf(creditKind, creditIndex, position),
      amountMicros, request,
    )
  }

  /** Sum over every account, zero at all times (INV-01, INV-29). The order does not matter, because the terms are integers. */
  totalMicros(): number {
    let sum = 0
    for (const column of [this.free, this.reserved, this.pot, this.escrow, this.single]) {
      for (let i = 0; i < column.length; i++) sum += column[i]!
    }
    return sum
  }

  private column(kind: number): Float64Array {
    switch (kind) {
      case AccountKind.free: return this.free
      case AccountKind.reserved: return this.reserved
      case AccountKind.pot: return this.pot
      case AccountKind.escrow: return this.escrow
      default: return this.single
    }
  }

  snapshot(): Image {
    return {
      free: this.free.slice(), reserved: this.reserved.slice(), pot: this.pot.slice(), escrow: this.escrow.slice(),
      single: this.single.slice(),
    }
  }

  restore(image: Image): void {
    const from = image as unknown as Record<'free' | 'reserved' | 'pot' | 'escrow' | 'single', Float64Array<ArrayBuffer>>
    this.free = from.free.slice()
    this.reserved = from.reserved.slice()
    this.pot = from.pot.slice()
    this.escrow = from.escrow.slice()
    this.single.set(from.single)
  }
}

/** The cell of an account in its column. An account that exists once lies at the number of its kind. */
const cellOf = (kind: number, index: number): number =>
  kind === AccountKind.external || kind === AccountKind.house ? kind : index

const NO_OWNER = -1

/** The owner that a row shows: the account number, or the position's number in place of its private slot. */
function ownerOf(kind: number, index: number, position: number): number {
  if (kind === AccountKind.free || kind === AccountKind.reserved) return index
  return kind === AccountKind.pot || kind === AccountKind.escrow ? position : NO_OWNER
}
