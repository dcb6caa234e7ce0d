/** Numbers of the addresses that clients come from, in the order of their first calls. */
export class Addresses {
  private readonly numbers = new Map<string, number>()

  numberOf(remote: string): number {
    const known = this.numbers.get(remote)
    if (known !== undefined) return known
    const number = this.numbers.size
    this.numbers.set(remote, number)
    return number
  }
}
