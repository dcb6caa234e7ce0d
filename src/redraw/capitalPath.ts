import { addWhere } from './bets.ts'
import type { RedrawBook, TimedLeg } from './book.ts'
import { type OutcomeBits, WORD_BITS } from './outcomeBits.ts'

/** A claim of the maker, with the number of the first check at or after its payment: by the leg that loses it, and where it is won. It is the number of checks where no check comes after. */
interface Receipt {
  readonly legs: readonly TimedLeg[]
  readonly lostMicros: number
  readonly wonMicros: number
  readonly lostBefore: Int32Array
  readonly wonBefore: number
}

/**
 * The free balance of a maker after each of its fills, in a redraw. It is the recorded balance, less what redrawn positions had paid by then in the
 * recorded night, plus what they have paid by then in the redraw. In both nights, what is paid at the instant of a fill counts as paid. A fill whose
 * balance is below zero is not carried: the fill risks more than was free before it.
 */
export class CapitalPath {
  /** By check: the balance without anything that redrawn positions pay. */
  private readonly bareMicros: Float64Array
  private readonly receipts: readonly Receipt[]
  /** By check and bit. */
  private readonly paid: Float64Array
  private readonly running = new Float64Array(WORD_BITS)

  constructor({ positions, claims, checks }: RedrawBook, owner: number) {
    const own = checks.filter((check) => check.owner === owner)
    const atUs = own.map((check) => check.atUs)
    const recorded = new Float64Array(own.length + 1)
    const receipts: Receipt[] = []
    for (const claim of claims) {
      if (claim.owner !== owner) continue
      const { legs, rightUs, lagUs } = positions[claim.position]!
      recorded[firstFrom(atUs, claim.recordedUs)]! += claim.recordedMicros
      const before = legs.map(({ decidedUs }) => firstFrom(atUs, decidedUs + lagUs))
      receipts.push({ legs, lostMicros: claim.lostMicros, wonMicros: claim.wonMicros, lostBefore: Int32Array.from(before), wonBefore: firstFrom(atUs, rightUs + lagUs) })
    }
    let paid = 0
    this.bareMicros = Float64Array.from(own, ({ freeMicros }, i) => freeMicros - (paid += recorded[i]!))
    // Where no balance is below zero without these payments, every redraw carries every fill.
    this.receipts = this.bareMicros.some((micros) => micros < 0) ? receipts : []
    this.paid = new Float64Array(this.receipts.length === 0 ? 0 : (own.length + 1) * WORD_BITS)
  }

  /** Counts by outcome the fills that were not carried. `from` is the count of the first outcome drawn. */
  count(bits: OutcomeBits, count: number, uncarried: Int32Array, from: number): void {
    if (this.receipts.length === 0) return
    for (let word = 0; word * WORD_BITS < count; word++) {
      this.paid.fill(0)
      for (const receipt of this.receipts) this.pay(bits, receipt, word)
      this.countWord(Math.min(WORD_BITS, count - word * WORD_BITS), uncarried, from + word * WORD_BITS)
    }
  }

  private pay({ bits, words }: OutcomeBits, { legs, lostMicros, wonMicros, lostBefore, wonBefore }: Receipt, word: number): void {
    let open = -1
    for (let i = 0; i < legs.length && open !== 0; i++) {
      const { market, isYes } = legs[i]!
      const yes = bits[market * words + word]!
      const right = isYes ? yes : ~yes
      if (lostMicros !== 0) addWhere(open & ~right, lostMicros, this.paid, lostBefore[i]! * WORD_BITS)
      open &= right
    }
    if (wonMicros !== 0) addWhere(open, wonMicros, this.paid, wonBefore * WORD_BITS)
  }

  private countWord(outcomes: number, uncarried: Int32Array, from: number): void {
    const { bareMicros, paid, running } = this
    running.fill(0)
    for (let check = 0; check < bareMicros.length; check++) {
      for (let bit = 0; bit < outcomes; bit++) {
        running[bit]! += paid[check * WORD_BITS + bit]!
        if (bareMicros[check]! + running[bit]! < 0) uncarried[from + bit]!++
      }
    }
  }
}

/** The first of rising instants that is at or after one; their number where none is. */
function firstFrom(atUs: readonly number[], instantUs: number): number {
  let [low, high] = [0, atUs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (atUs[middle]! < instantUs) low = middle + 1
    else high = middle
  }
  return low
}
