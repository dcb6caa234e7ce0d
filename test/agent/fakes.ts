import { FACADES } from '../../src/agent/facades/facades.ts'
import { MakerBook } from '../../src/agent/makerBook.ts'
import type { MakerDesk } from '../../src/agent/makerDesk.ts'
import type { MakerPort } from '../../src/agent/makerPort.ts'
import { AuctionRow, LegsRow, PositionRow, RefusalRow, RequestRow, SelectionRow } from '../../src/agent/rows.ts'
import { type ShownTo, UNNUMBERED } from '../../src/agent/seatNumbers.ts'
import type { AuctionView, PositionView, RefusalView, RequestView, SelectionView } from '../../src/agent/views.ts'
import type { Action, Refusal } from '../../src/agent/vocabulary.ts'
import { PriceBoard } from '../../src/market/priceBoard.ts'
import type { Ticks } from '../../src/market/ticks.ts'

/** Ticks of [µs, market, bid cents, ask cents], −1 for an empty side. There are 700 contracts at each bid and 300 at each ask. */
export function ticksOf(rows: readonly (readonly [number, number, number, number])[]): Ticks {
  const cents = (value: number): number => (value < 0 ? -1 : value * 10_000)
  const column = (value: (row: readonly [number, number, number, number]) => number): Int32Array => Int32Array.from(rows, value)
  return {
    count: rows.length, atUs: Float64Array.from(rows, (r) => r[0]), market: column((r) => r[1]), bidE6: column((r) => cents(r[2])),
    askE6: column((r) => cents(r[3])), bidSize: column(() => 700), askSize: column(() => 300), lastE6: column(() => -1),
  }
}

/** A port that keeps what a desk commands. */
export class PortLog implements MakerPort {
  readonly calls: unknown[][] = []
  readonly reasons: string[] = []

  /** What quotes gave as the product of leg prices, in their order. */
  readonly products: number[] = []

  submitQuote(seat: number, request: RequestRow, oddsE4: number, validUs: number, memoE9: number, _: number, productE9: number): void {
    this.products.push(productE9)
    this.calls.push(['quote', seat, request.request, oddsE4, validUs, memoE9])
  }
  withdrawQuote(seat: number, request: number): void {
    this.calls.push(['withdraw', seat, request])
  }
  submitBid(seat: number, auction: AuctionRow, priceMicros: number, validUs: number, memoE9: number): void {
    this.calls.push(['bid', seat, auction.auction, priceMicros, validUs, memoE9])
  }
  openCashOut(seat: number, position: PositionRow): void {
    this.calls.push(['open', seat, position.position])
  }
  takeBid(seat: number, position: PositionRow, minPriceMicros: number): void {
    this.calls.push(['take', seat, position.position, minPriceMicros])
  }
  cancelCashOut(seat: number, position: PositionRow): void {
    this.calls.push(['cancel', seat, position.position])
  }
  checkIn(seat: number, position: PositionRow, delayUs: number): void {
    this.calls.push(['check', seat, position.position, delayUs])
  }
  decide(seat: number, selection: SelectionRow, confirm: boolean): void {
    this.calls.push([confirm ? 'confirm' : 'decline', seat, selection.quote])
  }
  decideLater(seat: number, selection: SelectionRow, delayUs: number): void {
    this.calls.push(['decideLater', seat, selection.quote, delayUs])
  }
  later(seat: number, request: RequestRow, delayUs: number): void {
    this.calls.push(['later', seat, request.request, delayUs])
  }
  layOff(seat: number, position: PositionRow, betMicros: number, minOddsE4: number, decideInUs: number): boolean {
    this.calls.push(['layOff', seat, position.position, betMicros, minOddsE4, decideInUs])
    return true
  }
  passed(_seat: number, reason: string): void {
    this.reasons.push(reason)
  }
  watch(): void {}
  watchPosition(): void {}
  after(): void {}
  logged(): void {}
}

/** A refusal as a strategy is shown it. */
export function refusedWith(action: Action, refusal: Refusal, retryAfterUs = NaN): RefusalView {
  const row = new RefusalRow()
  row.set(action, refusal, retryAfterUs)
  row.isShown = true
  return FACADES.refusal(row)
}

type Leg = readonly [market: number, side: number]

function setLegs(row: LegsRow, legs: readonly Leg[]): LegsRow {
  row.count = legs.length
  legs.forEach(([market, side], i) => {
    row.markets[i] = market
    row.sides[i] = side
  })
  return row
}

export const legsRowOn = (...legs: readonly Leg[]): LegsRow => setLegs(new LegsRow(), legs)

/** Fills a row and shows it. */
function shown<R extends { readonly legs: LegsRow; show(to: ShownTo): void }>(row: R, legs: readonly Leg[], fields: object): R {
  Object.assign(row, fields)
  setLegs(row.legs, legs)
  row.show(UNNUMBERED)
  return row
}

/** Request number 9 on the legs, as a maker gets it. */
export const requestOn = (legs: readonly Leg[], fields: Partial<RequestView> = {}): RequestView =>
  FACADES.request(shown(new RequestRow(), legs, { request: 9, version: 1, betMicros: 10_000_000, netStakeMicros: 10_000_000, ...fields }))

/** A selection of quote number 4 on the legs. */
export const selectionOn = (legs: readonly Leg[], quotedProbability: number, fields: Partial<SelectionView> = {}): SelectionView =>
  FACADES.selection(shown(new SelectionRow(), legs, { request: 9, version: 1, quote: 4, quotedProbability, ...fields }))

/** Auction number 6 of a position on the legs: 10 USDC that pay 100, profit fee 1 %. */
export const auctionOn = (legs: readonly Leg[], fields: Partial<AuctionView> = {}): AuctionView => FACADES.auction(shown(new AuctionRow(), legs, {
  auction: 6, position: 5, netStakeMicros: 10_000_000, payoutMicros: 100_000_000, maxPriceMicros: 100_000_000, profitFeeBps: 100, ...fields,
}))

/** Position number 5 that the maker bought for 20 USDC: 10 USDC that pay 100 on the legs, profit fee 1 % of what is above 20. */
export const heldOn = (legs: readonly Leg[], fields: Partial<PositionView> = {}): PositionView => FACADES.position(heldRowOn(legs, fields))

export const heldRowOn = (legs: readonly Leg[], fields: Partial<PositionView> = {}): PositionRow => shown(new PositionRow(), legs, {
  position: 5, request: 9, netStakeMicros: 10_000_000, riskMicros: 90_000_000, isHolder: true, costMicros: 20_000_000,
  payoutMicros: 100_000_000, profitFeeBps: 100, costBasisMicros: 20_000_000, canCashOut: true, ...fields,
})

/** Market 0 at 40/42 cents and market 1 at 50/54 since 1 s, market 2 without an ask since 1 s, market 3 without any price. */
export const FAKE_TICKS = ticksOf([[1_000_000, 0, 40, 42], [1_000_000, 1, 50, 54], [1_000_000, 2, 90, -1]])

/** A desk over a book that is in a handler, and is shown whatever is shown. */
export function deskOf(book: MakerBook): MakerDesk {
  book.isCalled = true
  book.isShown = () => true
  return FACADES.makerDesk(book)
}

/** A desk of seat 3 with 1000 USDC over the fake prices, at 2 s. */
export function fakeDesk(): { desk: MakerDesk; book: MakerBook; port: PortLog } {
  const port = new PortLog()
  const book = new MakerBook(3, 'me', 1_000_000_000, new PriceBoard(FAKE_TICKS, 4, 0), 4, port)
  book.wake(2_000_000)
  return { desk: deskOf(book), book, port }
}
