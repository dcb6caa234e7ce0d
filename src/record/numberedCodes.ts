/** Codes of a column's dictionary by the numbers of a protocol, whose values it names. */
export class NumberedCodes {
  private declare readonly codes: Float64Array

  /** @param codes by number; a number that it lacks has no code. */
  constructor(codes: ReadonlyMap<number, number>) {
    this.codes = new Float64Array(Math.max(-1, ...codes.keys()) + 1).fill(NaN)
    for (const [number, code] of codes) this.codes[number] = code
  }

  /** The code of any number, as a cell: NaN where it has none. */
  of(number: number): number {
    const index = number | 0
    return index === number && index >= 0 && index < this.codes.length ? this.codes[index]! : NaN
  }
}
