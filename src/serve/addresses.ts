/** Most addresses that are known at a time. */
const ADDRESSES_MAX = 65_536

/**
 * Numbers of the addresses that clients come from, in the order of their first calls. Of more addresses than are known at a time, the one that
 * has been silent for longest is forgotten: if a client comes from there again, the address has a new number, and its limits begin anew.
 */
export class Addresses {
  /** The address that called last is last. */
  private readonly numbers = new Map<string, number>()
  private declare readonly most: number
  private next = 0

  constructor(most = ADDRESSES_MAX) {
    this.most = most
  }

  numberOf(remote: string): number {
    const number = this.numbers.get(remote) ?? this.next++
    this.numbers.delete(remote)
    this.numbers.set(remote, number)
    if (this.numbers.size > this.most) this.numbers.delete(this.numbers.keys().next().value!)
    return number
  }
}
