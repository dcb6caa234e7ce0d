import { HoldingState } from '../../agent/holdings.ts'
import { LOOKS_AGAIN_MAX, withoutEnd } from '../../agent/looksAgain.ts'
import { refuse } from '../../agent/refuse.ts'
import type { PositionRow } from '../../agent/rows.ts'
import { Action, AuctionOutcome, isKnown, Refusal } from '../../agent/vocabulary.ts'
import type { MakerAck, MakerTold, SaleTold } from './makerWords.ts'

/** A position that the maker took over. Money is microUSDC, NaN for what is not known. */
interface Held {
  /** The purchase: what every view of the position shows. */
  readonly bought: MakerTold
  /** A `HoldingState`. */
  state: number
  /** How many auctions of it the maker has opened. */
  auctions: number
  checks: number
  askedAtUs: number
  bestPriceMicros: number
  /** The running auction, NaN for none. */
  auction: number
}

type Method = (...values: never[]) => unknown

const { held, opening, auctioned, selling, sold } = HoldingState

/** What a maker outside sells again of what it took over: where each position stands, as far as its client has been told. */
export class MakerSales {
  private readonly positions = new Map<number, Held>()
  /** The position that a handler is looking at. */
  private shown: Held | null = null

  bought(told: MakerTold): void {
    this.positions.set(positionOf(told), { bought: told, state: held, auctions: 0, checks: 0, askedAtUs: NaN, bestPriceMicros: NaN, auction: NaN })
  }

  /** The purchase of a position that the maker still holds. */
  purchase(position: number): MakerTold | undefined {
    return this.positions.get(position)?.bought
  }

  /** The position has ended, or is sold. Its view still shows that. */
  ended(position: number, receivedMicros = NaN): void {
    const one = this.positions.get(position)
    this.positions.delete(position)
    if (one !== undefined) Object.assign(one, { state: sold, auction: NaN, bestPriceMicros: receivedMicros })
    this.shown = one ?? null
  }

  /** A time that the strategy asked for has come. */
  checked(position: number): void {
    this.positions.get(position)!.checks++
  }

  /** The best bid of its auction is another one. An auction of which the answer was lost is known by it. */
  bid(position: number, { auction, bestPriceMicros }: SaleTold): void {
    const one = this.positions.get(position)
    if (one === undefined) return
    if (one.state === held || one.state === opening) this.began(one, auction)
    one.bestPriceMicros = bestPriceMicros
  }

  /** Its auction is over without a sale. */
  unsold(position: number): void {
    const one = this.positions.get(position)
    if (one === undefined) return
    // One that ended before the answer to its call, and without a bid, is known by its end alone.
    if (one.state === opening) one.auctions++
    Object.assign(one, { state: held, auction: NaN, bestPriceMicros: NaN })
  }

  /** The service has answered a wish about a position. Returns whether the strategy is to hear of it: of a refusal, while it waits for the answer. */
  answered({ action, refusal, auction, isOfferGone }: MakerAck, position: number): boolean {
    const one = this.positions.get(position)
    if (one === undefined) return false
    // The desk may have told the end of an auction before its number comes.
    if (action === Action.openCashOut && one.state !== opening) return false
    if (refusal === Refusal.none) {
      if (action === Action.openCashOut) this.began(one, auction)
      return false
    }
    if (action === Action.openCashOut) one.state = held
    else if (one.auction !== auction) return false
    else if (action === Action.takeBid) one.state = auctioned
    if (isOfferGone === true) one.bestPriceMicros = NaN
    return true
  }

  /** Wishes whose answers are lost, as if the service had not worked: what came of them the desk tells. */
  lost(): readonly { readonly position: number; readonly action: Action }[] {
    const wishes: { readonly position: number; readonly action: Action }[] = []
    for (const [position, one] of this.positions) {
      if (one.state !== opening && one.state !== selling) continue
      const isOpening = one.state === opening
      one.state = isOpening ? held : auctioned
      wishes.push({ position, action: isOpening ? Action.openCashOut : Action.takeBid })
    }
    return wishes
  }

  /** Writes what a view shows of the sale of a position; of what the maker backs, nothing. */
  fill(row: PositionRow, position: number): void {
    const one = row.isHolder ? this.positions.get(position) ?? this.shown : null
    this.shown = one
    Object.assign(row, one === null ? NOT_HELD : {
      canCashOut: one.state === held, isAuctioned: one.state === auctioned, auctions: one.auctions, askedAtUs: one.askedAtUs, bestPriceMicros: one.bestPriceMicros, checks: one.checks,
    })
  }

  hide(): void {
    this.shown = null
  }

  opens(row: PositionRow, nowUs: number, method: Method): void {
    Object.assign(this.shownFor(method), { state: opening, askedAtUs: nowUs })
    row.askedAtUs = nowUs
    row.canCashOut = false
  }

  sells(row: PositionRow, method: Method): void {
    this.shownFor(method).state = selling
    row.isAuctioned = false
  }

  /** The strategy looks at it once more later. Throws past the limit. */
  looksAgain(method: Method): MakerTold {
    const { checks, bought } = this.shownFor(method)
    if (checks >= LOOKS_AGAIN_MAX) throw withoutEnd(LOOKS_AGAIN_MAX, 'position', method)
    return bought
  }

  private shownFor(method: Method): Held {
    return this.shown ?? refuse('only a held position that is being shown can be told what to do with', method)
  }

  private began(one: Held, auction: number): void {
    // A bid may have told of it before.
    if (one.auction === auction) return
    one.state = auctioned
    one.auction = auction
    one.auctions++
  }
}

const NOT_HELD = { canCashOut: false, isAuctioned: false, auctions: 0, askedAtUs: NaN, bestPriceMicros: NaN, checks: 0 } as const

export const positionOf = ({ numbers }: Pick<MakerTold, 'numbers'>): number => numbers['position'] as number

/** How an auction ended that a note names. */
export const outcomeNamed = (name: unknown): AuctionOutcome => AuctionOutcome[name as keyof typeof AuctionOutcome]

/** Whether a wish is about the sale of what the maker holds. */
export const isAboutSale = ({ position = NaN }: MakerAck): boolean => isKnown(position)
