/** The first number from 0 on, below `count`, for which `holds`, and `count` where there is none. Precondition: it holds for all numbers after one for which it holds. */
export function sequenceSearch(count: number, holds: (i: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
