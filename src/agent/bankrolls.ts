import type { Image, Snapshot } from '../unit/snapshot.ts'

/** What the bettors of a cohort have free, microUSDC, as far as they have been told. A cohort keeps it that hears of settlements. */
export class Bankrolls implements Snapshot {
  private declare readonly firstAccount: number
  private declare readonly freeMicros: Float64Array

  /** The bettors have the accounts from `firstAccount` on, and begin with `bankrollMicros` each. */
  constructor(firstAccount: number, bettors: number, bankrollMicros: number) {
    this.firstAccount = firstAccount
    this.freeMicros = new Float64Array(bettors).fill(bankrollMicros)
  }

  of(account: number): number {
    return this.freeMicros[account - this.firstAccount]!
  }

  /** Whether it is the account of one of these bettors. */
  has(account: number): boolean {
    return account >= this.firstAccount && account < this.firstAccount + this.freeMicros.length
  }

  /** The bettor of an account has so much more, or less. */
  add(account: number, micros: number): void {
    this.freeMicros[account - this.firstAccount]! += micros
  }

  snapshot(): Image {
    return this.freeMicros.slice()
  }

  restore(image: Image): void {
    this.freeMicros.set(image as Float64Array)
  }
}
