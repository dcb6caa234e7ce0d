import type { DeskNote } from '../deskFeed.ts'
import type { Call } from '../link.ts'
import type { SaleTold, SaleWish } from '../maker/makerWords.ts'
import { outcomeNamed } from '../maker/makerSales.ts'
import type { Names } from '../names.ts'

const MICROS = 1_000_000
const PATH = '/v1/cashout-requests'

/** What a maker holds and may sell. */
interface Held {
  /** What the service opens an auction of it by. */
  readonly rfq: string
  /** Id of the running auction, null for none. */
  auction: string | null
  /** Number of the call whose answer names its auction; NaN when the desk has told of the end of that auction. */
  opening: number
}

/** The sales of what a maker took over, by the numbers of its positions: cash-out requests of the parlay service, as any holder makes them. */
export class SaleCalls {
  private readonly held = new Map<number, Held>()
  private readonly auctions: Names
  private openings = 0

  constructor(auctions: Names) {
    this.auctions = auctions
  }

  /** Takes what a note says of a position. Returns what it tells of the sale. */
  take(position: number, { what, ...note }: DeskNote): SaleTold | undefined {
    if (what === 'onBought') this.held.set(position, { rfq: note['rfq_id'] as string, auction: null, opening: NaN })
    if (what === 'onSettled' && note['is_holder'] === true) this.held.delete(position)
    const bestPriceMicros = microsOf(note['best_price'])
    if (what === 'onBid') {
      const auction = note['auction'] as string
      this.set(position, { auction })
      return { auction: this.auctions.of(auction), bestPriceMicros }
    }
    if (what !== 'onAuctionEnded') return undefined
    const outcome = outcomeNamed(note['outcome'])
    if (note['outcome'] === 'sold') this.held.delete(position)
    else this.set(position, { auction: null, opening: NaN })
    return { auction: NaN, bestPriceMicros, outcome }
  }

  private set(position: number, changed: Partial<Pick<Held, 'auction' | 'opening'>>): void {
    const held = this.held.get(position)
    if (held !== undefined) Object.assign(held, changed)
  }

  /** Number of a call that is about to open an auction of a position. */
  opens(position: number): number {
    const opening = ++this.openings
    this.set(position, { opening })
    return opening
  }

  /** Whether anybody waits for the answer to call `opening`: its auction may be over by then, and another one be opened. */
  awaits(position: number, opening: number): boolean {
    const held = this.held.get(position)
    return held === undefined || held.opening === opening
  }

  /** The answer to a call that is awaited names its auction. */
  opened(position: number, auction: string): void {
    this.set(position, { auction })
  }

  /** Number of the running auction of a position, NaN for none. */
  auctionOf(position: number): number {
    const auction = this.held.get(position)?.auction ?? null
    return auction === null ? NaN : this.auctions.of(auction)
  }

  /** The call of a wish, null where there is nothing of the kind. */
  callOf(wish: SaleWish): Omit<Call, 'tag'> | null {
    const held = this.held.get(wish.position)
    if (held === undefined) return null
    if (wish.kind === 'openCashOut') return { method: 'POST', path: PATH, body: JSON.stringify({ rfq_id: held.rfq }) }
    if (held.auction === null) return null
    const path = `${PATH}/${held.auction}`
    if (wish.kind === 'takeBid') return { method: 'POST', path: `${path}/commit`, body: JSON.stringify({ min_price_micro: wish.minPriceMicros }) }
    return { method: 'POST', path: `${path}/cancel` }
  }

  /** Positions whose auctions run. */
  running(): readonly number[] {
    return [...this.held].flatMap(([position, { auction }]) => (auction === null ? [] : [position]))
  }
}

const microsOf = (usdc: unknown): number => (typeof usdc === 'number' ? Math.round(usdc * MICROS) : NaN)
