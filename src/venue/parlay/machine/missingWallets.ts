import { CountedColumns } from '../../../unit/countedColumns.ts'

/** The accounts whose wallet is off record, ascending. They have no rows by number, because an operator may name any account. */
export class MissingWallets extends CountedColumns {
  count = 0
  account = new Int32Array(this.capacity)

  protected override rowCount(): number {
    return this.count
  }

  has(account: number): boolean {
    return this.isAt(this.placeOf(account), account)
  }

  add(account: number): void {
    const place = this.placeOf(account)
    if (this.isAt(place, account)) return
    this.ensure(this.count + 1)
    this.account.copyWithin(place + 1, place, this.count++)
    this.account[place] = account
  }

  remove(account: number): void {
    const place = this.placeOf(account)
    if (!this.isAt(place, account)) return
    this.account.copyWithin(place, place + 1, this.count--)
    this.account[this.count] = 0
  }

  private isAt(place: number, account: number): boolean {
    return place < this.count && this.account[place] === account
  }

  /** The first place whose account is not below `account`. */
  private placeOf(account: number): number {
    let from = 0
    let to = this.count
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.account[middle]! < account) from = middle + 1
      else to = middle
    }
    return from
  }
}
