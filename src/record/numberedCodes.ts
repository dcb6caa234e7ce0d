/** Codes of a column's dictionary, by the numbers of the protocol that the dictionary names. */
export class NumberedCodes {
  private declare readonly codes: Float64Array

  /** @param codes the codes by number. Other numbers have no code. */
  constructor(codes: ReadonlyMap<number, number>) {
    this.codes = new Float64Array(Math.max(-1, ...codes.keys()) + 1).fill(NaN)
    for (const [number, code] of codes) this.codes[number] = code
  }

  /** The code of any number as a cell, NaN where the number has none. */
  of(number: number): number {
    const index = number | 0
    return index === number && index >= 0 && index < this.codes.length ? this.codes[index]! : NaN
  }
}
