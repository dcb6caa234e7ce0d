/** Numbers of a client's own for the names on the wire, from 1 on in the order in which it met them. */
export class Names {
  private readonly numbers = new Map<string, number>()
  private readonly texts: string[] = ['']

  of(name: string): number {
    let number = this.numbers.get(name)
    if (number === undefined) {
      number = this.texts.length
      this.numbers.set(name, number)
      this.texts.push(name)
    }
    return number
  }

  /** Precondition: the number was given by `of`. */
  name(number: number): string {
    return this.texts[number]!
  }
}
