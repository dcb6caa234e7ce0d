import { NO_PRICE, PRICE_ONE_E6 } from '../market/ticks.ts'

/** Sizes are kept in 32 bits: this stands for so many contracts, or more. */
export const SIZE_MAX = 2 ** 31 - 1

/** The price levels of one side of a book, in order of price. Prices and sizes are millionths. */
export class BookSide {
  private prices = new Int32Array(256)
  private sizesE6 = new Float64Array(256)
  private levels = 0
  private declare readonly best: 'highest' | 'lowest'

  constructor(best: 'highest' | 'lowest') {
    this.best = best
  }

  clear(): void {
    this.levels = 0
  }

  /** Best price, −1 when the side is empty. */
  bestE6(): number {
    return this.levels === 0 ? NO_PRICE : this.prices[this.bestLevel()]!
  }

  /** Whole contracts at the best price, −1 when the side is empty. */
  bestSize(): number {
    return this.levels === 0 ? NO_PRICE : this.wholeSize(this.bestLevel())
  }

  /**
   * Puts price and size of the best levels into cells, those of a level `stride` after those of the one before; −1 where there are fewer
   * levels. `at` is where the first price goes, and its size goes after it.
   */
  bestLevels(levels: number, into: Int32Array, at: number, stride: number): void {
    const step = this.best === 'highest' ? -1 : 1
    let level = this.bestLevel()
    for (let i = 0, to = at; i < levels; i++, to += stride, level += step) {
      const isThere = i < this.levels
      into[to] = isThere ? this.prices[level]! : NO_PRICE
      into[to + 1] = isThere ? this.wholeSize(level) : NO_PRICE
    }
  }

  /** Sets a level. A size of 0 removes it. */
  set(priceE6: number, sizeE6: number): void {
    const at = this.find(priceE6)
    const here = at < this.levels && this.prices[at] === priceE6
    if (sizeE6 <= 0) {
      if (here) this.remove(at)
    } else if (here) this.sizesE6[at] = sizeE6
    else this.insert(at, priceE6, sizeE6)
  }

  /** Changes a level and returns its new size. A level that falls to 0 or below is removed. */
  add(priceE6: number, deltaE6: number): number {
    const at = this.find(priceE6)
    const size = (at < this.levels && this.prices[at] === priceE6 ? this.sizesE6[at]! : 0) + deltaE6
    this.set(priceE6, size)
    return size
  }

  private wholeSize(level: number): number {
    return Math.min(SIZE_MAX, Math.floor(this.sizesE6[level]! / PRICE_ONE_E6))
  }

  private bestLevel(): number {
    return this.best === 'highest' ? this.levels - 1 : 0
  }

  /** First level at or above the price. */
  private find(priceE6: number): number {
    let low = 0
    let high = this.levels
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.prices[middle]! < priceE6) low = middle + 1
      else high = middle
    }
    return low
  }

  private insert(at: number, priceE6: number, sizeE6: number): void {
    if (this.levels === this.prices.length) this.grow()
    this.prices.copyWithin(at + 1, at, this.levels)
    this.sizesE6.copyWithin(at + 1, at, this.levels)
    this.prices[at] = priceE6
    this.sizesE6[at] = sizeE6
    this.levels += 1
  }

  private remove(at: number): void {
    this.prices.copyWithin(at, at + 1, this.levels)
    this.sizesE6.copyWithin(at, at + 1, this.levels)
    this.levels -= 1
  }

  private grow(): void {
    const prices = new Int32Array(this.prices.length * 2)
    const sizes = new Float64Array(prices.length)
    prices.set(this.prices)
    sizes.set(this.sizesE6)
    this.prices = prices
    this.sizesE6 = sizes
  }
}
