/** Chance to call a share too low that is not. */
const SIGNIFICANCE = 0.01

/**
 * Whether `noticed` of `tried` are too few for a share of `least`: where that share is true, so few or fewer come out of a sample with less
 * than one chance in a hundred. The tail of the binomial distribution, summed.
 */
export function isBelow(noticed: number, tried: number, least: number): boolean {
  let chance = (1 - least) ** tried
  let tail = chance
  for (let k = 0; k < noticed; k++) {
    chance *= ((tried - k) / (k + 1)) * (least / (1 - least))
    tail += chance
  }
  return tail < SIGNIFICANCE
}
