import { assert } from '../unit/assert.ts'

const CARRY = 2 ** 40
const LOW_MAX = 2 ** 52

/**
 * Cells of exact sums of safe integers (money, money × time), far beyond 2⁵³. A sum is the same in every order. A cell is
 * high · 2⁴⁰ + low.
 */
export class IntegerSums {
  readonly length: number
  private readonly high: Float64Array
  private readonly low: Float64Array

  constructor(length: number) {
    this.length = length
    this.high = new Float64Array(length)
    this.low = new Float64Array(length)
  }

  /** Adds a safe integer to a cell. */
  add(cell: number, integer: number): void {
    assert(Number.isSafeInteger(integer), 'only safe integers have exact sums')
    const whole = Math.trunc(integer / CARRY)
    let low = this.low[cell]! + (integer - whole * CARRY)
    let high = this.high[cell]! + whole
    if (low >= LOW_MAX || low <= -LOW_MAX) {
      const carried = Math.trunc(low / CARRY)
      high += carried
      low -= carried * CARRY
    }
    this.low[cell] = low
    this.high[cell] = high
  }

  /** The exact sum. */
  exact(cell: number): bigint {
    return BigInt(this.high[cell]!) * BigInt(CARRY) + BigInt(this.low[cell]!)
  }

  /** The sum as the nearest double. */
  number(cell: number): number {
    return this.high[cell] === 0 ? this.low[cell]! : Number(this.exact(cell))
  }
}

/** Integral over time of an integer amount that changes in steps: Σ amount · span, exactly. */
export class StepIntegral {
  private amount = 0
  private sinceUs: number
  private readonly products = new IntegerSums(1)
  private beyond = 0n

  constructor(startUs: number) {
    this.sinceUs = startUs
  }

  /** The amount since the last change. */
  get current(): number {
    return this.amount
  }

  /** The amount changes by `by` at `atUs`. Precondition: no earlier call had a later instant. */
  change(atUs: number, by: number): void {
    this.advance(atUs)
    this.amount += by
    assert(Number.isSafeInteger(this.amount), 'the amount leaves the safe integers')
  }

  /** Σ amount · µs up to `untilUs`, which no later change may precede. */
  value(untilUs: number): bigint {
    this.advance(untilUs)
    return this.products.exact(0) + this.beyond
  }

  private advance(atUs: number): void {
    const spanUs = atUs - this.sinceUs
    assert(spanUs >= 0, 'time runs backwards')
    const product = this.amount * spanUs
    if (Number.isSafeInteger(product)) this.products.add(0, product)
    else this.beyond += BigInt(this.amount) * BigInt(spanUs)
    this.sinceUs = atUs
  }
}
