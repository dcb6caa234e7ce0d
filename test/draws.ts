/** A random integer in 0…below − 1. */
export type Draw = (below: number) => number

/** The generator of all tests that draw for themselves (mulberry32): the same numbers from a seed in every run. */
export function drawsOf(seed: number): Draw {
  let state = seed | 0
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let x = Math.imul(state ^ (state >>> 15), 1 | state)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return Math.floor((((x ^ (x >>> 14)) >>> 0) / 4294967296) * below)
  }
}

/** One of the items. */
export const oneOf = <T>(draw: Draw, items: readonly T[]): T => items[draw(items.length)]!
