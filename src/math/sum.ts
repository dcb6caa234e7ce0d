/**
 * A sum of doubles that does not depend on their order: the exact sum, rounded once (J. R. Shewchuk, "Adaptive precision
 * floating-point arithmetic", 1997, as in Python's math.fsum). It keeps the sum so far as doubles of rising size whose bits
 * do not overlap. Precondition: finite terms, and no partial sum beyond 2¹⁰²³.
 */
export class ExactSum {
  private parts = new Float64Array(8)
  private count = 0

  add(term: number): void {
    let x = term
    let kept = 0
    for (let i = 0; i < this.count; i++) {
      let y = this.parts[i]!
      if (Math.abs(x) < Math.abs(y)) {
        const swap = x
        x = y
        y = swap
      }
      const high = x + y
      const low = y - (high - x)
      if (low !== 0) this.parts[kept++] = low
      x = high
    }
    if (kept === this.parts.length) {
      const wider = new Float64Array(kept * 2)
      wider.set(this.parts)
      this.parts = wider
    }
    this.parts[kept++] = x
    this.count = kept
  }

  /** The exact sum, rounded to the nearest double, ties to even. */
  value(): number {
    const { parts } = this
    let i = this.count
    if (i === 0) return 0
    let high = parts[--i]!
    let low = 0
    while (i > 0) {
      const x = high
      const y = parts[--i]!
      high = x + y
      low = y - (high - x)
      if (low !== 0) break
    }
    // Half an ulp is left over, and lower parts have its sign: it was no tie, and rounds the other way.
    if (i > 0 && ((low < 0 && parts[i - 1]! < 0) || (low > 0 && parts[i - 1]! > 0))) {
      const twice = low * 2
      const rounded = high + twice
      if (rounded - high === twice) high = rounded
    }
    return high
  }

  clear(): void {
    this.count = 0
  }
}

/** Exact sum of the terms, rounded once. It is the same in every order. */
export function exactSum(terms: Iterable<number>): number {
  const sum = new ExactSum()
  for (const term of terms) sum.add(term)
  return sum.value()
}
