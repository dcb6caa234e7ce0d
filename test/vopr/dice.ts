import { type Draw, drawsOf, oneOf } from '../draws.ts'

/** What is drawn, as it is written: YAML is made of it. */
export interface Written { [key: string]: Json }
export type Json = string | number | boolean | Json[] | Written

/** What the grammars draw with. */
export class Dice {
  private readonly draw: Draw

  constructor(seed: number) {
    this.draw = drawsOf(seed)
  }

  chance(percent: number): boolean {
    return this.draw(100) < percent
  }

  /** A whole number from `low` to `high`. */
  from(low: number, high: number): number {
    return low + this.draw(high - low + 1)
  }

  of<T>(items: readonly T[]): T {
    return oneOf(this.draw, items)
  }

  /** The same map without the keys that the dice leave out. */
  some(percent: number, map: Written): Written {
    return Object.fromEntries(Object.entries(map).filter(() => this.chance(percent)))
  }
}
