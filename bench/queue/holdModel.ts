import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mixedUnit } from '../mix.ts'

/** Events in the queue. */
export const HOLD_SIZES = [100, 10_000, 1_000_000] as const
/** Delays of a model, taken in turn; a power of two. */
export const DELAYS = 65_536
const START_US = 1_750_000_000_000_000
const DELAYS_FILE = 'delays.bin'

export interface HoldModel {
  /** When each of the events that fill the queue is due, µs; its payload is its index. */
  readonly initialUs: Float64Array
  /** From an event's instant to that of the one that replaces it, µs. */
  readonly delaysUs: Float64Array
}

/** As in a session: 80 % messages on their way (5–400 ms), 15 % decisions and expiries (1–20 s), 5 % ends of positions (1–31 minutes). */
function delayUs(i: number): number {
  const kind = mixedUnit(i, 0)
  const [leastUs, spanUs] = kind < 0.8 ? [5_000, 395_000] : kind < 0.95 ? [1_000_000, 19_000_000] : [60_000_000, 1_800_000_000]
  return leastUs + Math.floor(mixedUnit(i, 1) * spanUs)
}

/**
 * The hold model: a queue of constant size, from which the earliest event is taken and put back a delay later. It begins in its state after
 * a long time, in which long delays wait more often than short ones, each somewhere within its delay.
 */
export function holdModel(size: number): HoldModel {
  const delaysUs = Float64Array.from({ length: DELAYS }, (_, i) => delayUs(i))
  let totalUs = 0
  const endsUs = delaysUs.map((us) => (totalUs += us))
  const initialUs = Float64Array.from({ length: size }, (_, i) => {
    const place = Math.floor(mixedUnit(i, 2) * totalUs)
    return START_US + endsUs[firstAbove(endsUs, place)]! - place
  })
  return { initialUs, delaysUs }
}

/** Index of the first of the rising values that is above `value`. Precondition: there is one. */
function firstAbove(values: Float64Array, value: number): number {
  let [low, high] = [0, values.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! > value) high = middle
    else low = middle + 1
  }
  return low
}

const initialFile = (size: number): string => `initial-${size}.bin`

/** Puts the models into a folder as plain doubles, which the C++ program reads. */
export function writeHoldModels(folder: string): void {
  for (const size of HOLD_SIZES) {
    const { initialUs, delaysUs } = holdModel(size)
    writeFileSync(join(folder, initialFile(size)), initialUs)
    writeFileSync(join(folder, DELAYS_FILE), delaysUs)
  }
}
