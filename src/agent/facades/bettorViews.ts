import type { CohortBook } from '../cohortBook.ts'
import type { Cursor } from '../cursor.ts'
import { HoldingCell, type Holdings, HoldingState, HoldingWord } from '../holdings.ts'
import { INTENT_LEGS_MAX, IntentCell, type Intents, IntentWord } from '../intents.ts'
import { type Method, refuse } from '../refuse.ts'
import { orUnknown } from '../rows.ts'
import type { HoldingView, IntentView, LegsView } from '../views.ts'
import { hidden, isObject, NO_LEGS, noView, OTHERS_LEGS, othersView, seal, UNSET } from './facade.ts'
import { checkLeg, copied } from './legs.ts'

/** The views that bettors' handlers are given, over a cursor that the engine moves. They are frozen, like those of makers (makerViews.ts). */

type AnyCursor = Cursor<Intents | Holdings>

/** The cursor behind legs that are shown to the cohort of `book`. */
export let shownLegs: (legs: LegsView, book: CohortBook, method: Method) => AnyCursor

class SlotLegsFacade implements LegsView {
  readonly #cursor: AnyCursor = UNSET

  static {
    shownLegs = (legs, book, method) => {
      if (!(isObject(legs) && #cursor in legs)) refuse(NO_LEGS, method)
      const cursor = legs.#cursor
      if (cursor.slot < 0) refuse(cursor.hiddenMessage, method)
      if (!book.isShown(cursor)) refuse(OTHERS_LEGS, method)
      return cursor
    }
  }

  constructor(cursor: AnyCursor) {
    this.#cursor = cursor
    Object.freeze(this)
  }

  get count(): number {
    const cursor = this.#cursor
    return cursor.slot < 0 ? hidden(cursor.hiddenMessage) : cursor.legCount
  }

  get markets(): readonly number[] {
    return copied((i) => this.market(i), this.count)
  }

  get sides(): readonly number[] {
    return copied((i) => this.side(i), this.count)
  }

  market(leg: number): number {
    checkLeg(leg, this.count, this.market)
    const cursor = this.#cursor
    return cursor.columns.legMarkets[cursor.legsFrom + leg]!
  }

  side(leg: number): number {
    checkLeg(leg, this.count, this.side)
    const cursor = this.#cursor
    return cursor.columns.legSides[cursor.legsFrom + leg]!
  }
}
seal(SlotLegsFacade)

/** The slot of the intent that a view shows to the cohort of `book`. */
export let intentSlot: (view: IntentView, book: CohortBook, method: Method) => number
/** The same, whoever it is shown to. */
let ownSlot: (view: IntentView, method: Method) => number
const isIntentSide = (side: number): boolean => side === 0 || side === 1

export class IntentFacade implements IntentView {
  readonly #cursor: Cursor<Intents> = UNSET
  readonly #legs: LegsView = UNSET

  static {
    ownSlot = (view, method) => {
      if (!(isObject(view) && #cursor in view)) refuse(noView('intent'), method)
      const { slot, hiddenMessage } = view.#cursor
      if (slot < 0) refuse(hiddenMessage, method)
      return slot
    }
    intentSlot = (view, book, method) => {
      const slot = ownSlot(view, method)
      if (!book.isShown((view as IntentFacade).#cursor)) refuse(othersView('intent'), method)
      return slot
    }
  }

  constructor(cursor: Cursor<Intents>) {
    this.#cursor = cursor
    this.#legs = new SlotLegsFacade(cursor)
    Object.freeze(this)
  }

  get arrival(): number { return this.#cell(IntentCell.arrival) }
  get betMicros(): number { return this.#cell(IntentCell.betMicros) }
  get minOddsE4(): number { return this.#cell(IntentCell.minOddsE4) }
  get bestOddsE4(): number { return orUnknown(this.#cell(IntentCell.bestOddsE4)) }
  get legs(): LegsView { return this.#legs }

  get decisions(): number {
    const { slot, columns, hiddenMessage } = this.#cursor
    return slot < 0 ? hidden(hiddenMessage) : columns.words[slot + IntentWord.decisions]!
  }

  #cell(cell: number): number {
    const { slot, columns, hiddenMessage } = this.#cursor
    return slot < 0 ? hidden(hiddenMessage) : columns.cells[slot + cell]!
  }

  setSide(i: number, side: number): void {
    const slot = ownSlot(this, this.setSide)
    if (!(Number.isInteger(i) && i >= 0 && i < INTENT_LEGS_MAX)) refuse(`an intent has no leg ${i}`, this.setSide)
    if (!isIntentSide(side)) refuse(`a leg has a Side, not ${side}`, this.setSide)
    const { columns } = this.#cursor
    columns.legSides[columns.legsFrom(slot) + i] = side
  }

  setLeg(i: number, market: number, side: number): void {
    const slot = ownSlot(this, this.setLeg)
    if (!(Number.isInteger(i) && i >= 0 && i < INTENT_LEGS_MAX)) refuse(`an intent has no leg ${i}`, this.setLeg)
    const { columns } = this.#cursor
    if (!columns.hasMarket(market)) refuse(`there is no market ${market}`, this.setLeg)
    if (!isIntentSide(side)) refuse(`a leg has a Side, not ${side}`, this.setLeg)
    columns.legMarkets[columns.legsFrom(slot) + i] = market
    columns.legSides[columns.legsFrom(slot) + i] = side
  }

  setLegCount(legs: number): void {
    const slot = ownSlot(this, this.setLegCount)
    if (!(Number.isInteger(legs) && legs >= 0 && legs <= INTENT_LEGS_MAX)) refuse(`an intent cannot have ${legs} legs`, this.setLegCount)
    this.#cursor.columns.words[slot + IntentWord.legCount] = legs
  }
}
seal(IntentFacade)

/** The slot of the holding that a view shows to the cohort of `book`. */
export let holdingSlot: (view: HoldingView, book: CohortBook, method: Method) => number
/** Number of the arrival that led to an intent or a holding. */
export let arrivalOf: (view: IntentView | HoldingView, book: CohortBook, method: Method) => number
/** Account of the bettor of an intent or a holding. */
export let bettorOf: (view: IntentView | HoldingView, book: CohortBook, method: Method) => number

export class HoldingFacade implements HoldingView {
  readonly #cursor: Cursor<Holdings> = UNSET
  readonly #legs: LegsView = UNSET

  static {
    holdingSlot = (view, book, method) => {
      if (!(isObject(view) && #cursor in view)) refuse(noView('holding'), method)
      const cursor = view.#cursor
      if (cursor.slot < 0) refuse(cursor.hiddenMessage, method)
      if (!book.isShown(cursor)) refuse(othersView('holding'), method)
      return cursor.slot
    }
    arrivalOf = (view, book, method) => {
      if (isObject(view) && #cursor in view) return view.#cursor.columns.cells[holdingSlot(view, book, method) + HoldingCell.arrival]!
      intentSlot(view as IntentView, book, method)
      return view.arrival
    }
    bettorOf = (view, book, method) => {
      if (isObject(view) && #cursor in view) return view.#cursor.columns.words[holdingSlot(view, book, method) + HoldingWord.bettor]!
      return book.intents.words[intentSlot(view as IntentView, book, method) + IntentWord.bettor]!
    }
  }

  constructor(cursor: Cursor<Holdings>) {
    this.#cursor = cursor
    this.#legs = new SlotLegsFacade(cursor)
    Object.freeze(this)
  }

  get arrival(): number { return this.#cell(HoldingCell.arrival) }
  // The service's own numbers would tell how much others ask for. Each arrival makes at most one request, and that at most one position.
  get position(): number { return this.arrival }
  get request(): number { return this.arrival }
  get costMicros(): number { return this.#cell(HoldingCell.costMicros) }
  get netStakeMicros(): number { return this.#cell(HoldingCell.stakeMicros) }
  get payoutMicros(): number { return this.#cell(HoldingCell.payoutMicros) }
  get openedAtUs(): number { return this.#cell(HoldingCell.openedAtUs) }
  get returnedMicros(): number { return orUnknown(this.#cell(HoldingCell.returnedMicros)) }
  get askedAtUs(): number { return orUnknown(this.#cell(HoldingCell.askedAtUs)) }
  get bestPriceMicros(): number { return orUnknown(this.#cell(HoldingCell.bestPriceMicros)) }
  get auctions(): number { return this.#word(HoldingWord.auctions) }
  get checks(): number { return this.#word(HoldingWord.checks) }
  get canCashOut(): boolean { return this.#word(HoldingWord.state) === HoldingState.held }
  get isAuctioned(): boolean { return this.#word(HoldingWord.state) === HoldingState.auctioned }
  get legs(): LegsView { return this.#legs }

  #cell(cell: number): number {
    const { slot, columns, hiddenMessage } = this.#cursor
    return slot < 0 ? hidden(hiddenMessage) : columns.cells[slot + cell]!
  }

  #word(word: number): number {
    const { slot, columns, hiddenMessage } = this.#cursor
    return slot < 0 ? hidden(hiddenMessage) : columns.words[slot + word]!
  }
}
seal(HoldingFacade)
