/** So many names are known at a time: far more than what is open on a service, or stands. */
const NAMES_KEPT = 100_000

/** Numbers of a client's own for the names on the wire, from 1 on in the order in which it met them. The name that has been of no use for longest is forgotten first. */
export class Names {
  private readonly most: number
  /** By name, the one that was met last at the end. */
  private readonly numbers = new Map<string, number>()
  private readonly texts = new Map<number, string>()
  private last = 0

  constructor(most = NAMES_KEPT) {
    this.most = most
  }

  of(name: string): number {
    const number = this.numbers.get(name) ?? ++this.last
    this.numbers.delete(name)
    this.numbers.set(name, number)
    this.texts.set(number, name)
    if (this.numbers.size > this.most) this.forget(this.numbers.keys().next().value!)
    return number
  }

  /** Empty for a name that was forgotten: there is nothing of that name any more. */
  name(number: number): string {
    return this.texts.get(number) ?? ''
  }

  private forget(name: string): void {
    this.texts.delete(this.numbers.get(name)!)
    this.numbers.delete(name)
  }
}
