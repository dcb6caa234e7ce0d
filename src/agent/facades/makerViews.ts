import type { MakerBook } from '../makerBook.ts'
import { type Method, refuse } from '../refuse.ts'
import type { AckRow, AuctionRow, PositionRow, RefusalRow, RequestRow, SelectionRow } from '../rows.ts'
import type { AckView, AuctionView, LegsView, PositionView, RefusalView, RequestView, SelectionView } from '../views.ts'
import type { SeatNumbers, ShownTo } from '../seatNumbers.ts'
import { type Action, isKnown, type Refusal } from '../vocabulary.ts'
import { HIDDEN, hidden, isObject, noView, othersView, seal, UNSET } from './facade.ts'
import { LegsFacade } from './legs.ts'

/**
 * The views that makers' handlers are given, over rows that the engine writes. They are frozen, and only numbers can be reached through
 * them. The function beside a class gives the row behind a view. It refuses what is no view, a view whose handler is over, and
 * a view that is not shown to the maker of `book`, such as one of a fake.
 */

/** By what the maker that a row is shown to knows things. */
const numbersOf = ({ to }: { readonly to: ShownTo }): SeatNumbers => to.numbers

export let requestRow: (view: RequestView, book: MakerBook, method: Method) => RequestRow

export class RequestFacade implements RequestView {
  readonly #row: RequestRow = UNSET
  readonly #legs: LegsView = UNSET

  static {
    requestRow = (view, book, method) => {
      if (!(isObject(view) && #row in view)) refuse(noView('request'), method)
      const row = view.#row
      if (!row.isShown) refuse(HIDDEN, method)
      if (!book.isShown(row)) refuse(othersView('request'), method)
      return row
    }
  }

  constructor(row: RequestRow) {
    this.#row = row
    this.#legs = new LegsFacade(row.legs)
    Object.freeze(this)
  }

  get request(): number { return this.#row.isShown ? numbersOf(this.#row).requests.shown(this.#row.request) : hidden() }
  get version(): number { return this.#row.isShown ? this.#row.version : hidden() }
  get deliveredAtUs(): number { return this.#row.isShown ? this.#row.deliveredAtUs : hidden() }
  get expiresAtUs(): number { return this.#row.isShown ? this.#row.expiresAtUs : hidden() }
  get betMicros(): number { return this.#row.isShown ? this.#row.betMicros : hidden() }
  get netStakeMicros(): number { return this.#row.isShown ? this.#row.netStakeMicros : hidden() }
  get bestOddsE4(): number { return this.#row.isShown ? this.#row.bestOddsE4 : hidden() }
  get bookChanges(): number { return this.#row.isShown ? this.#row.bookChanges : hidden() }
  get legs(): LegsView { return this.#legs }
}
seal(RequestFacade)

export let selectionRow: (view: SelectionView, book: MakerBook, method: Method) => SelectionRow

export class SelectionFacade implements SelectionView {
  readonly #row: SelectionRow = UNSET
  readonly #legs: LegsView = UNSET

  static {
    selectionRow = (view, book, method) => {
      if (!(isObject(view) && #row in view)) refuse(noView('selection'), method)
      const row = view.#row
      if (!row.isShown) refuse(HIDDEN, method)
      if (!book.isShown(row)) refuse(othersView('selection'), method)
      return row
    }
  }

  constructor(row: SelectionRow) {
    this.#row = row
    this.#legs = new LegsFacade(row.legs)
    Object.freeze(this)
  }

  get request(): number { return this.#row.isShown ? numbersOf(this.#row)[isKnown(this.#row.position) ? 'auctions' : 'requests'].shown(this.#row.request) : hidden() }
  get version(): number { return this.#row.isShown ? this.#row.version : hidden() }
  get quote(): number { return this.#row.isShown ? numbersOf(this.#row)[isKnown(this.#row.position) ? 'bids' : 'quotes'].shown(this.#row.quote) : hidden() }
  get deliveredAtUs(): number { return this.#row.isShown ? this.#row.deliveredAtUs : hidden() }
  get deadlineAtUs(): number { return this.#row.isShown ? this.#row.deadlineAtUs : hidden() }
  get oddsE4(): number { return this.#row.isShown ? this.#row.oddsE4 : hidden() }
  get quotedProbability(): number { return this.#row.isShown ? this.#row.quotedProbability : hidden() }
  get netStakeMicros(): number { return this.#row.isShown ? this.#row.netStakeMicros : hidden() }
  get riskMicros(): number { return this.#row.isShown ? this.#row.riskMicros : hidden() }
  get payoutMicros(): number { return this.#row.isShown ? this.#row.payoutMicros : hidden() }
  get position(): number { return this.#row.isShown ? numbersOf(this.#row).positions.shown(this.#row.position) : hidden() }
  get legs(): LegsView { return this.#legs }
}
seal(SelectionFacade)

export let auctionRow: (view: AuctionView, book: MakerBook, method: Method) => AuctionRow

export class AuctionFacade implements AuctionView {
  readonly #row: AuctionRow = UNSET
  readonly #legs: LegsView = UNSET

  static {
    auctionRow = (view, book, method) => {
      if (!(isObject(view) && #row in view)) refuse(noView('auction'), method)
      const row = view.#row
      if (!row.isShown) refuse(HIDDEN, method)
      if (!book.isShown(row)) refuse(othersView('auction'), method)
      return row
    }
  }

  constructor(row: AuctionRow) {
    this.#row = row
    this.#legs = new LegsFacade(row.legs)
    Object.freeze(this)
  }

  get auction(): number { return this.#row.isShown ? numbersOf(this.#row).auctions.shown(this.#row.auction) : hidden() }
  get position(): number { return this.#row.isShown ? numbersOf(this.#row).positions.shown(this.#row.position) : hidden() }
  get deliveredAtUs(): number { return this.#row.isShown ? this.#row.deliveredAtUs : hidden() }
  get endsAtUs(): number { return this.#row.isShown ? this.#row.endsAtUs : hidden() }
  get netStakeMicros(): number { return this.#row.isShown ? this.#row.netStakeMicros : hidden() }
  get payoutMicros(): number { return this.#row.isShown ? this.#row.payoutMicros : hidden() }
  get profitFeeBps(): number { return this.#row.isShown ? this.#row.profitFeeBps : hidden() }
  get makerFeeBps(): number { return this.#row.isShown ? this.#row.makerFeeBps : hidden() }
  get costBasisMicros(): number { return this.#row.isShown ? this.#row.costBasisMicros : hidden() }
  get isSeller(): boolean { return this.#row.isShown ? this.#row.isSeller : hidden() }
  get isBackingMaker(): boolean { return this.#row.isShown ? this.#row.isBackingMaker : hidden() }
  get maxPriceMicros(): number { return this.#row.isShown ? this.#row.maxPriceMicros : hidden() }
  get bestPriceMicros(): number { return this.#row.isShown ? this.#row.bestPriceMicros : hidden() }
  get legs(): LegsView { return this.#legs }
}
seal(AuctionFacade)

export let positionRow: (view: PositionView, book: MakerBook, method: Method) => PositionRow

export class PositionFacade implements PositionView {
  readonly #row: PositionRow = UNSET
  readonly #legs: LegsView = UNSET

  static {
    positionRow = (view, book, method) => {
      if (!(isObject(view) && #row in view)) refuse(noView('position'), method)
      const row = view.#row
      if (!row.isShown) refuse(HIDDEN, method)
      if (!book.isShown(row)) refuse(othersView('position'), method)
      return row
    }
  }

  constructor(row: PositionRow) {
    this.#row = row
    this.#legs = new LegsFacade(row.legs)
    Object.freeze(this)
  }

  get position(): number { return this.#row.isShown ? numbersOf(this.#row).positions.shown(this.#row.position) : hidden() }
  get request(): number { return this.#row.isShown ? numbersOf(this.#row).requests.shown(this.#row.request) : hidden() }
  get quote(): number { return this.#row.isShown ? numbersOf(this.#row).quotes.shown(this.#row.quote) : hidden() }
  get deliveredAtUs(): number { return this.#row.isShown ? this.#row.deliveredAtUs : hidden() }
  get oddsE4(): number { return this.#row.isShown ? this.#row.oddsE4 : hidden() }
  get netStakeMicros(): number { return this.#row.isShown ? this.#row.netStakeMicros : hidden() }
  get riskMicros(): number { return this.#row.isShown ? this.#row.riskMicros : hidden() }
  get isHolder(): boolean { return this.#row.isShown ? this.#row.isHolder : hidden() }
  get costMicros(): number { return this.#row.isShown ? this.#row.costMicros : hidden() }
  get profitMicros(): number { return this.#row.isShown ? this.#row.profitMicros : hidden() }
  get isBoughtBack(): boolean { return this.#row.isShown ? this.#row.isBoughtBack : hidden() }
  get payoutMicros(): number { return this.#row.isShown ? this.#row.payoutMicros : hidden() }
  get profitFeeBps(): number { return this.#row.isShown ? this.#row.profitFeeBps : hidden() }
  get costBasisMicros(): number { return this.#row.isShown ? this.#row.costBasisMicros : hidden() }
  get canCashOut(): boolean { return this.#row.isShown ? this.#row.canCashOut : hidden() }
  get isAuctioned(): boolean { return this.#row.isShown ? this.#row.isAuctioned : hidden() }
  get auctions(): number { return this.#row.isShown ? this.#row.auctions : hidden() }
  get askedAtUs(): number { return this.#row.isShown ? this.#row.askedAtUs : hidden() }
  get bestPriceMicros(): number { return this.#row.isShown ? this.#row.bestPriceMicros : hidden() }
  get checks(): number { return this.#row.isShown ? this.#row.checks : hidden() }
  get legs(): LegsView { return this.#legs }
}
seal(PositionFacade)

export class AckFacade implements AckView {
  readonly #row: AckRow = UNSET

  constructor(row: AckRow) {
    this.#row = row
    Object.freeze(this)
  }

  get action(): Action { return this.#row.isShown ? this.#row.action : hidden() }
  get refusal(): Refusal { return this.#row.isShown ? this.#row.refusal : hidden() }
  get request(): number { return this.#row.isShown ? numbersOf(this.#row).requests.shown(this.#row.request) : hidden() }
  get quote(): number { return this.#row.isShown ? numbersOf(this.#row)[isKnown(this.#row.auction) ? 'bids' : 'quotes'].shown(this.#row.quote) : hidden() }
  get auction(): number { return this.#row.isShown ? numbersOf(this.#row).auctions.shown(this.#row.auction) : hidden() }
  get deliveredAtUs(): number { return this.#row.isShown ? this.#row.deliveredAtUs : hidden() }
  get retryAfterUs(): number { return this.#row.isShown ? this.#row.retryAfterUs : hidden() }
}
seal(AckFacade)

export class RefusalFacade implements RefusalView {
  readonly #row: RefusalRow = UNSET

  constructor(row: RefusalRow) {
    this.#row = row
    Object.freeze(this)
  }

  get action(): Action { return this.#row.isShown ? this.#row.action : hidden() }
  get refusal(): Refusal { return this.#row.isShown ? this.#row.refusal : hidden() }
  get retryAfterUs(): number { return this.#row.isShown ? this.#row.retryAfterUs : hidden() }
}
seal(RefusalFacade)
