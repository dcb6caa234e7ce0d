import type { CounterDraws } from './counterDraws.ts'

/**
 * Chances of a fair coin walk: `above(r, d)` is the chance that d plus r further steps of ±1 ends above 0. It is found by
 * averaging backwards, so that a price that follows it is a martingale by construction and the same on every machine.
 */
export class WalkChances {
  /** rows[r][d + r] for |d| ≤ r. */
  private readonly rows: Float64Array[] = [Float64Array.of(0)]

  above(remaining: number, distance: number): number {
    if (distance > remaining) return 1
    if (distance < -remaining) return 0
    for (let r = this.rows.length; r <= remaining; r++) this.rows.push(this.nextRow(r))
    return this.rows[remaining]![distance + remaining]!
  }

  private nextRow(r: number): Float64Array {
    const before = this.rows[r - 1]!
    const row = new Float64Array(2 * r + 1)
    const at = (d: number): number => (d > r - 1 ? 1 : d < 1 - r ? 0 : before[d + r - 1]!)
    for (let d = -r; d <= r; d++) row[d + r] = (at(d + 1) + at(d - 1)) / 2
    return row
  }
}

/** A walk over the slots of a session: one step in every fourth slot while it is quiet, one in every slot while it is live. */
export class CoinWalk {
  declare readonly liveSlot: number
  /** The slot of the last step. */
  declare readonly endSlot: number
  /** Steps in all. */
  declare readonly steps: number
  private declare readonly taken: Int32Array
  private declare readonly positions: Int32Array

  /** `shared` has a sign for each slot. A step takes that sign with the chance `loading`, and otherwise a sign of its own. */
  constructor(liveSlot: number, endSlot: number, draws: CounterDraws, shared: Int8Array, loading: number) {
    this.liveSlot = liveSlot
    this.endSlot = endSlot
    this.taken = new Int32Array(endSlot + 1)
    this.positions = new Int32Array(endSlot + 1)
    for (let slot = 1; slot <= endSlot; slot++) {
      const moves = slot >= liveSlot || slot % 4 === 0
      const joins = draws.uniform() < loading
      const own = draws.uniform() < 0.5 ? -1 : 1
      const step = moves ? (joins ? shared[slot % shared.length]! : own) : 0
      this.taken[slot] = this.taken[slot - 1]! + (moves ? 1 : 0)
      this.positions[slot] = this.positions[slot - 1]! + step
    }
    this.steps = this.taken[endSlot]!
  }

  remaining(slot: number): number {
    return this.steps - this.taken[Math.min(slot, this.endSlot)]!
  }

  position(slot: number): number {
    return this.positions[Math.min(slot, this.endSlot)]!
  }

  /** The whole number at or one above `distance` from which the walk cannot end on 0. */
  tieless(distance: number): number {
    return (distance + this.steps) % 2 === 0 ? distance + 1 : distance
  }
}
