import seedrandom from 'seedrandom'
import { log } from '../math/log.ts'
import { normalQuantile } from '../math/normal.ts'
import { Bug } from '../unit/assert.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { threefry } from './threefry.ts'

/** What a draw is for. Each purpose has draws of its own. A number that was used once keeps its meaning for good. */
export const Purpose = {
  arrivals: 1,
  legs: 2,
  legCount: 3,
  side: 4,
  stake: 5,
  floor: 6,
  tolerance: 7,
  decisionDelay: 8,
  signalNoise: 9,
  makerLatency: 10,
  makerResponse: 11,
  confirmDelay: 12,
  feedLatency: 13,
  faults: 14,
  cashOut: 15,
  settlement: 16,
  endpoints: 17,
  chainFaults: 18,
  externalCalls: 19,
  redraws: 20,
} as const

/** 64 bits, as two signed words. */
export interface RandomKey {
  readonly word0: number
  readonly word1: number
}

/** The root of all draws of a session. Any text is a seed, and seedrandom (ARC4) spreads it over the key. */
export function rootKey(seed: string): RandomKey {
  const generator = seedrandom(seed)
  return { word0: generator.int32(), word1: generator.int32() }
}

const TO_HIGH = 2 ** -32

/** Keeps the derivation of keys apart from the draws. */
const PURPOSE_DOMAIN = 0x243f6a88
const HIGH_WORDS_DOMAIN = 0x13198a2e

/**
 * Draws of one purpose. Each is a function of (key, purpose, entity, index) alone (design.md, decision 9): draws depend on
 * no order of events, and one more entity changes nobody's draws. Entities and indices are safe integers from 0.
 * Two draws with the same entity and index share their bits, whatever their distribution.
 */
export class Draws {
  private declare readonly key0: number
  private declare readonly key1: number
  private readonly words = new Int32Array(2)

  constructor(key: RandomKey, purpose: number) {
    threefry(key.word0, key.word1, purpose, PURPOSE_DOMAIN, this.words)
    this.key0 = this.words[0]!
    this.key1 = this.words[1]!
  }

  /** Uniform over 0 … 2³² − 1. */
  uint32(entity: number, index: number): number {
    return this.draw(entity, index) >>> 0
  }

  /** Uniform over the multiples of 2⁻⁵³ in [0, 1). */
  uniform(entity: number, index: number): number {
    const word0 = this.draw(entity, index)
    return (word0 >>> 5) * 2 ** -27 + (this.words[1]! >>> 6) * 2 ** -53
  }

  /** Uniform over 0 … n − 1 for an integer 1 ≤ n ≤ 2⁵³. The probability of a value is off by less than 2⁻⁵³. */
  below(entity: number, index: number, n: number): number {
    return Math.floor(this.uniform(entity, index) * n)
  }

  /** Exponential with the given mean, from 0 to about 36.7 means. */
  exponential(entity: number, index: number, mean: number): number {
    return -mean * log(1 - this.uniform(entity, index))
  }

  /** Standard normal, by inversion at the midpoints of 2⁵² equal cells: finite, and symmetric about 0. */
  normal(entity: number, index: number): number {
    const word0 = this.draw(entity, index)
    return normalQuantile(((word0 >>> 6) * 67108864 + (this.words[1]! >>> 6) + 0.5) * 2 ** -52)
  }

  /** Leaves both words in `words` and returns the first. */
  private draw(entity: number, index: number): number {
    if (entity >>> 0 === entity && index >>> 0 === index) return threefry(this.key0, this.key1, entity | 0, index | 0, this.words)
    return this.drawFar(entity, index)
  }

  /** A draw with an entity or index of 2³² or more: the high words make a key of their own. */
  private drawFar(entity: number, index: number): number {
    if (!(Number.isSafeInteger(entity) && entity >= 0 && Number.isSafeInteger(index) && index >= 0)) {
      throw new Bug(`not a draw: entity ${entity}, index ${index}`)
    }
    const { words } = this
    threefry(this.key0 ^ HIGH_WORDS_DOMAIN, this.key1, (entity * TO_HIGH) | 0, (index * TO_HIGH) | 0, words)
    return threefry(words[0]!, words[1]!, entity | 0, index | 0, words)
  }
}

/** A strategy's own generator: uniform in [0, 1), with 32 bits to a draw. It is part of a checkpoint. */
export interface StrategyRandom extends Snapshot {
  (): number
}

/** The generator of the strategy instance `name`: a sequence of its own for each seed and name. */
export function strategyRandom(seed: string, name: string): StrategyRandom {
  let generator = seedrandom.alea(JSON.stringify([seed, name]), { state: true })
  return Object.assign(() => generator(), {
    snapshot: (): Image => ({ ...generator.state() }) as unknown as Image,
    restore(image: Image): void {
      generator = seedrandom.alea('', { state: image as unknown as seedrandom.State.Alea })
    },
  })
}
