import { Action, Refusal } from '../../agent/vocabulary.ts'
import type { DeskNote } from '../deskFeed.ts'
import type { Answer, Call } from '../link.ts'
import { outcomeNamed } from '../maker/makerSales.ts'
import type { MakerAck, SaleTold, SaleWish } from '../maker/makerWords.ts'
import type { Names } from '../names.ts'
import { errorOf, readObject } from './errors.ts'
import { idempotencyKey } from './idempotencyKey.ts'
import { signedTerms, type Signer } from './typedTerms.ts'

/** A quote_id that no quote has. */
export const NO_QUOTE = `0x${'0'.repeat(64)}`

interface Bid {
  readonly id: string
  readonly priceMicros: number
}

/** What a maker holds and may sell. */
interface Held {
  readonly id: string
  /** The position's rate for life. */
  readonly feeBps: number
  /** The RFQ that sells it, null for none. */
  rfq: string | null
  best: Bid | null
  /** Number of the call whose answer names its RFQ; NaN when the desk has told of the end of that RFQ. */
  opening: number
}

/** Who sells: the account that the wallet signs for. */
export interface Seller extends Signer {
  readonly makerId: string
}

/** What a call about a sale comes back with. */
export interface SaleTag {
  readonly action: Action
  /** Numbers of the position and of its RFQ, which is NaN where the call opens it. */
  readonly position: number
  readonly auction: number
  /** The bid that is taken, null for none. */
  readonly bid: string | null
  /** Number of a call that opens an RFQ; otherwise absent. */
  readonly opening?: number
}

/** The sales of what a maker took over, by the numbers of its positions: cash-out RFQs, as any holder asks them, and acceptances of their quotes. */
export class OutcomeSales {
  private readonly held = new Map<number, Held>()
  private readonly seller: Seller
  private readonly rfqs: Names
  private openings = 0

  constructor(seller: Seller, rfqs: Names) {
    this.seller = seller
    this.rfqs = rfqs
  }

  /** Takes what a note says of a position. Returns what it tells of the sale. */
  take(position: number, { what, ...note }: DeskNote): SaleTold | undefined {
    if (what === 'onBought') this.held.set(position, { id: note['position'] as string, feeBps: note['profit_fee_bps'] as number, rfq: null, best: null, opening: NaN })
    if (what === 'onSettled' && note['is_holder'] === true) this.held.delete(position)
    if (what !== 'onBid' && what !== 'onAuctionEnded') return undefined
    const bestPriceMicros = note['best_price'] === null ? NaN : Number(note['best_price'])
    if (what === 'onBid') {
      const rfq = note['auction'] as string
      const bid = note['bid'] as string | null
      this.set(position, { rfq, best: bid === null ? null : { id: bid, priceMicros: bestPriceMicros } })
      return { auction: this.rfqs.of(rfq), bestPriceMicros }
    }
    if (note['outcome'] === 'sold') this.held.delete(position)
    else this.set(position, { rfq: null, best: null, opening: NaN })
    return { auction: NaN, bestPriceMicros, outcome: outcomeNamed(note['outcome']) }
  }

  private set(position: number, changed: Partial<Pick<Held, 'rfq' | 'best' | 'opening'>>): void {
    const held = this.held.get(position)
    if (held !== undefined) Object.assign(held, changed)
  }

  /** The call of a wish, or none where there is nothing of the kind. */
  callOf(wish: SaleWish, nowUs: number): readonly Call[] {
    const held = this.held.get(wish.position)
    if (held === undefined) return []
    const { kind, position } = wish
    const key = idempotencyKey(nowUs)
    const command = (path: string, body: object, tag: Partial<SaleTag>): readonly Call[] => [{
      method: 'POST', path, headers: { 'idempotency-key': key }, body: JSON.stringify(body),
      tag: { action: Action[kind], position, auction: held.rfq === null ? NaN : this.rfqs.of(held.rfq), bid: null, ...tag } satisfies SaleTag,
    }]
    if (kind === 'openCashOut') {
      held.opening = ++this.openings
      return command(`/v1/me/positions/${held.id}/cashout`, {}, { auction: NaN, opening: held.opening })
    }
    if (held.rfq === null) return []
    if (wish.kind !== 'takeBid') return command(`/v1/rfqs/${held.rfq}/cancel`, {}, {})
    // A bid that is not good enough is none: the service refuses it as it refuses a strategy inside.
    const bid = held.best !== null && held.best.priceMicros >= wish.minPriceMicros ? held.best.id : null
    return command(`/v1/quotes/${bid ?? NO_QUOTE}/accept`, { signature: this.signature(held, bid ?? NO_QUOTE, key) }, { bid })
  }

  private signature({ id, feeBps, rfq, best }: Held, bid: string, key: string): string {
    return signedTerms(this.seller, 'CashoutAcceptance', {
      seller: this.seller.makerId, rfqId: rfq, quoteId: bid, acceptanceId: key, price: String(best?.priceMicros ?? 0), feeBps, positionId: id,
    })
  }

  /** Null: nobody waits for the answer any more, since the RFQ that the call opened is over. */
  answered({ action, position, auction, bid, opening }: SaleTag, answer: Answer): MakerAck | null {
    if (opening !== undefined && (this.held.get(position)?.opening ?? opening) !== opening) return null
    const about = { action, request: NaN, quote: NaN, position }
    const isDone = answer.status < 300
    if (isDone && action === Action.openCashOut) {
      const { rfq_id } = readObject(answer.body) as { readonly rfq_id: string }
      const isKnown = this.held.get(position)?.rfq === rfq_id
      if (!isKnown) this.set(position, { rfq: rfq_id, best: null })
      return { ...about, auction: this.rfqs.of(rfq_id), refusal: Refusal.none, retryAfterUs: NaN }
    }
    const refused = isDone ? this.untaken(action, answer) : this.refused(action, bid, answer)
    if (refused === null) return { ...about, auction, refusal: Refusal.none, retryAfterUs: NaN }
    return { ...about, auction, ...refused, isOfferGone: bid !== null && this.drop(position, bid) }
  }

  private refused(action: Action, bid: string | null, answer: Answer): Pick<MakerAck, 'refusal' | 'retryAfterUs' | 'code'> {
    const error = errorOf(action, answer)
    return action === Action.takeBid && bid === null && error.code === 'QUOTE_NOT_FOUND' ? { ...error, refusal: Refusal.noQuote } : error
  }

  /** An acceptance that its maker did not confirm is answered with its status. */
  private untaken(action: Action, { body }: Answer): Pick<MakerAck, 'refusal' | 'retryAfterUs' | 'code'> | null {
    const { status } = readObject(body) as { readonly status?: string }
    if (action !== Action.takeBid || (status !== 'DECLINED' && status !== 'TIMED_OUT')) return null
    return { refusal: Refusal.notConfirmed, retryAfterUs: NaN, code: status }
  }

  /** A bid that was refused is no offer any more. Returns whether it was the best one. */
  private drop(position: number, bid: string): boolean {
    const isBest = this.held.get(position)?.best?.id === bid
    if (isBest) this.set(position, { best: null })
    return isBest
  }

  /** Positions whose auctions run. */
  running(): readonly number[] {
    return [...this.held].flatMap(([position, { rfq }]) => (rfq === null ? [] : [position]))
  }
}
