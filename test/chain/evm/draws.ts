/** Numbers drawn from a fixed seed (mulberry32): the same in every run. */
export interface Draws {
  /** An integer in 0…n − 1. */
  below(n: number): number
  of<T>(items: readonly T[]): T
}

export function draws(seed: number): Draws {
  let state = seed >>> 0
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (n: number): number => Math.floor(unit() * n)
  return { below, of: (items) => items[below(items.length)]! }
}
