import { PRICE_ONE_E6 } from '../../market/ticks.ts'
import { type Method, refuse, shownValue } from '../refuse.ts'
import type { ShownDepth } from '../shownDepth.ts'
import type { DepthView, LevelView } from '../views.ts'
import { Side } from '../vocabulary.ts'
import { HIDDEN, hidden, seal, UNSET } from './facade.ts'

/** Taken before strategies can touch anything. */
const { freeze } = Object

function checkSide(side: number, method: Method): void {
  if (side !== Side.yes && side !== Side.no) refuse(`a side is Side.yes or Side.no, not ${shownValue(side)}`, method)
}

/** The book that a desk shows, over the desk's own. */
export class DepthFacade implements DepthView {
  readonly #depth: ShownDepth = UNSET

  constructor(depth: ShownDepth) {
    this.#depth = depth
    freeze(this)
  }

  get market(): number { return this.#depth.isShown ? this.#depth.market : hidden() }
  get ageUs(): number { return this.#depth.isShown ? this.#depth.ageUs : hidden() }

  bids(side: number): readonly LevelView[] {
    return this.#levels(side, true, this.bids)
  }

  asks(side: number): readonly LevelView[] {
    return this.#levels(side, false, this.asks)
  }

  depthOf(side: number, size: number): number | undefined {
    if (!this.#depth.isShown) refuse(HIDDEN, this.depthOf)
    checkSide(side, this.depthOf)
    if (!(typeof size === 'number' && size > 0 && size < Infinity)) refuse(`a size is a number of contracts above 0, not ${shownValue(size)}`, this.depthOf)
    const costE6 = this.#depth.costE6(side, size)
    return costE6 !== costE6 ? undefined : costE6 / size / PRICE_ONE_E6
  }

  #levels(side: number, isBid: boolean, method: Method): readonly LevelView[] {
    if (!this.#depth.isShown) refuse(HIDDEN, method)
    checkSide(side, method)
    const depth = this.#depth
    const levelOf = (_: unknown, level: number): LevelView => freeze({ price: depth.priceE6(side, isBid, level) / PRICE_ONE_E6, size: depth.size(side, isBid, level) })
    return freeze(Array.from({ length: depth.count(side, isBid) }, levelOf))
  }
}
seal(DepthFacade)

/** The facade of a market's book as a desk shows it now, or undefined where it is not known. */
export function shownDepth(depth: ShownDepth | null, facade: DepthView | null, market: number, nowUs: number, method: Method): DepthView | undefined {
  if (!(Number.isSafeInteger(market) && market >= 0)) refuse(`a market has a whole number from 0 on, not ${shownValue(market)}`, method)
  if (depth === null) refuse('nobody is shown the levels of books here: a scenario with history.depth shows them, from a store that keeps them', method)
  return depth.look(market, nowUs) ? facade! : undefined
}
