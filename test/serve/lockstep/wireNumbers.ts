/** Numbers of what has names on the wire, in the order in which they are heard of. */
export class Numbers {
  private readonly numbers = new Map<string, number>()
  private readonly names: string[] = []

  of(name: string): number {
    const known = this.numbers.get(name)
    if (known !== undefined) return known
    this.numbers.set(name, this.names.length)
    return this.names.push(name) - 1
  }

  name(number: number): string {
    return this.names[number]!
  }
}

/** An instant of the wire, to the microsecond. */
export const instantOf = (text: string): number => Date.parse(`${text.slice(0, 19)}Z`) * 1000 + Number((/\.(\d+)/.exec(text)?.[1] ?? '').padEnd(6, '0'))
