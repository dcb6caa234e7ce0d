/** Half a megabyte, which is more than the nearest caches of any machine. */
const CELLS = 65_536

const cells = new Float64Array(CELLS)
const links = Int32Array.from({ length: CELLS }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 16)

/** Steps with integers, doubles and typed arrays, as fast as the machine is at the moment. The result keeps the compiler from leaving them out. */
export function loop(steps: number): number {
  let at = 0
  let sum = 0
  for (let step = 0; step < steps; step++) {
    at = links[(at ^ Math.imul(step, 0x85ebca6b)) & (CELLS - 1)]!
    const value = cells[at]! * 0.5 + step
    sum += Math.floor(value)
    cells[at] = value
  }
  return sum
}
