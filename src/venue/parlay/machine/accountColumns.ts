import { CountedColumns } from '../../../unit/countedColumns.ts'

/** What a portfolio counts, by account number (docs/conformance/parlay.md, Portfolio). Money is in microUSDC. */
export class AccountColumns extends CountedColumns {
  /** One more than the highest account that anything was counted for. */
  count = 0
  /** Positions that it opened or took over, and what it paid for them. */
  parlays = new Int32Array(this.capacity)
  wageredMicros = new Float64Array(this.capacity)
  wins = new Int32Array(this.capacity)
  losses = new Int32Array(this.capacity)
  realizedMicros = new Float64Array(this.capacity)
  makerRealizedMicros = new Float64Array(this.capacity)
  settled = new Int32Array(this.capacity)
  cancelled = new Int32Array(this.capacity)
  expired = new Int32Array(this.capacity)
  failed = new Int32Array(this.capacity)
  /** Pending transactions of its vault. */
  fences = new Int32Array(this.capacity)
  /** 1 once one of its stats has changed. `changedAtUs` is then the instant of the last change. */
  changed = new Uint8Array(this.capacity)
  changedAtUs = new Float64Array(this.capacity)

  protected override rowCount(): number {
    return this.count
  }

  /** Makes room for the account's row. */
  makeRoomFor(account: number): void {
    if (account < this.count) return
    this.count = account + 1
    this.ensure(this.count)
  }
}
