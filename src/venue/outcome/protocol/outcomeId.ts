/**
 * An outcome_id is a decimal integer of any size (OM-023). Inside the process it is a list of limbs in base 10⁹, the most significant
 * first, without leading zeros. 0 is one limb 0.
 */
export const LIMB = 1_000_000_000
/** Most limbs of an outcome_id, which is more than any known market needs (a uint256 has 9 limbs). */
export const OUTCOME_LIMBS_MAX = 16
const LIMB_DIGITS = 9

/** Limbs of a decimal text. Null for a text that is empty, signed, has leading zeros or is longer than 16 limbs. */
export function limbsOfDecimal(text: string): number[] | null {
  if (!/^(0|[1-9][0-9]*)$/.test(text) || text.length > OUTCOME_LIMBS_MAX * LIMB_DIGITS) return null
  const limbs: number[] = []
  for (let end = text.length; end > 0; end -= LIMB_DIGITS) limbs.unshift(Number(text.slice(Math.max(0, end - LIMB_DIGITS), end)))
  return limbs
}

/** The decimal text of limbs. */
export const decimalOfLimbs = (limbs: ArrayLike<number>): string =>
  Array.from(limbs, (limb, i) => (i === 0 ? String(limb) : String(limb).padStart(LIMB_DIGITS, '0'))).join('')

/** Compares as integers, not as texts (readings B13): below 0, 0 or above 0 when `a` is below, equal to or above `b`. */
export function compareLimbs(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return a.length - b.length
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return 0
}

/** Whether the first `count` entries are limbs as this module writes them. */
export function areLimbs(list: ArrayLike<number>, count: number): boolean {
  if (!(Number.isInteger(count) && count >= 1 && count <= OUTCOME_LIMBS_MAX)) return false
  if (count > 1 && list[0] === 0) return false
  for (let i = 0; i < count; i++) if (!(Number.isInteger(list[i]) && list[i]! >= 0 && list[i]! < LIMB)) return false
  return true
}
