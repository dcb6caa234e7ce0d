const C1 = 0xcc9e2d51
const C2 = 0x1b873593
const TWO_32 = 4_294_967_296

/** MurmurHash3 (x86, 32 bits) of a sequence of 32-bit words, read as little-endian bytes. */
export function murmur3(words: readonly number[], seed: number): number {
  let h = seed | 0
  for (const word of words) {
    let k = Math.imul(word, C1)
    k = Math.imul((k << 15) | (k >>> 17), C2)
    h ^= k
    h = Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64
  }
  h ^= words.length * 4
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/**
 * Draws of one purpose of one entity: the i-th is a hash of (seed, entity, purpose, i), so that one more entity changes
 * nobody's draws. They are for made-up histories. Sessions draw from `kernel`.
 */
export class CounterDraws {
  private declare readonly key: [entity: number, purpose: number, index: number]
  private declare readonly seed: number

  constructor(seed: number, entity: number, purpose: number) {
    this.seed = seed
    this.key = [entity, purpose, 0]
  }

  /** The next draw, uniform in [0, 1) on a grid of 2⁻³². */
  uniform(): number {
    const draw = murmur3(this.key, this.seed) / TWO_32
    this.key[2]++
    return draw
  }

  /** The next draw, a whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.uniform() * (high - low + 1))
  }
}
