import { assert } from '../../unit/assert.ts'
import { type Row, rowOfKind } from '../../venue/eventCells.ts'
import type { EventRows } from '../../venue/eventRows.ts'
import { BidRow, FeesChanged, ParlayEvent, type ParlayKind, QuoteRow, QuoteSubmitted, RequestCreated, RequestEnded } from '../../venue/parlay/protocol/events.ts'

/** What a bettor and a maker agreed on, in the words of an `open` call. */
export interface FillTerms {
  readonly holder: number
  readonly backer: number
  readonly stakeMicros: number
  readonly riskMicros: number
  readonly takerFeeMicros: number
  readonly takerFeeBps: number
  readonly profitFeeBps: number
}

/** What a seller and a maker agreed on. */
export interface SaleTerms {
  readonly buyer: number
  readonly priceMicros: number
}

interface Offer extends Omit<FillTerms, 'profitFeeBps'> {}

interface Body {
  readonly owner: number
  readonly betMicros: number
}

/**
 * What the sides of trades of the parlay service agreed on before any money moved: the bet of a request, odds and fee rate of a quote, the
 * price of a bid. A vault gets these and never the amounts that the engine computed, so that a wrong amount of the engine shows as a
 * difference. What ends without a trade is forgotten.
 */
export class ParlayTerms {
  /** The rate in force, bps. */
  private profitFeeBps: number
  /** Open requests, live quotes and live bids, by number. */
  private readonly requests = new Map<number, Body>()
  private readonly quotes = new Map<number, Offer>()
  private readonly bids = new Map<number, SaleTerms>()
  /** Sales that a bid has won and no call has told yet, by auction. */
  private readonly sales = new Map<number, SaleTerms>()

  /** @param profitFeeBps in force at the begin of the session, before any row */
  constructor(profitFeeBps: number) {
    this.profitFeeBps = profitFeeBps
  }

  /** How many requests, quotes, bids and sales are kept. */
  get size(): number {
    return this.requests.size + this.quotes.size + this.bids.size + this.sales.size
  }

  note(events: EventRows, row: Row): void {
    const kind = events.kindOf(row) as ParlayKind
    switch (kind) {
      case ParlayEvent.feesChanged:
        this.profitFeeBps = events.read(rowOfKind(row, kind), FeesChanged.profitFeeBps)
        return
      case ParlayEvent.requestCreated:
      case ParlayEvent.requestUpdated: {
        const made = rowOfKind(row, kind)
        const [owner, betMicros] = [events.read(made, RequestCreated.owner), events.read(made, RequestCreated.betMicros)]
        this.requests.set(events.read(made, RequestCreated.request), { owner, betMicros })
        return
      }
      case ParlayEvent.requestCancelled:
      case ParlayEvent.requestExpired:
      case ParlayEvent.requestCommitted:
        this.requests.delete(events.read(rowOfKind(row, kind), RequestEnded.request))
        return
      case ParlayEvent.quoteSubmitted: return this.quoted(events, rowOfKind(row, kind))
      case ParlayEvent.quoteReplaced:
      case ParlayEvent.quoteWithdrawn:
      case ParlayEvent.quoteExpired:
      case ParlayEvent.quoteInvalidated:
      case ParlayEvent.quoteFailed:
        this.quotes.delete(events.read(rowOfKind(row, kind), QuoteRow.quote))
        return
      case ParlayEvent.bidSubmitted: {
        const made = rowOfKind(row, kind)
        const [buyer, priceMicros] = [events.read(made, BidRow.maker), events.read(made, BidRow.priceMicros)]
        this.bids.set(events.read(made, BidRow.bid), { buyer, priceMicros })
        return
      }
      case ParlayEvent.bidWon: {
        const won = rowOfKind(row, kind)
        const bid = events.read(won, BidRow.bid)
        this.sales.set(events.read(won, BidRow.auction), this.bidOf(bid))
        this.bids.delete(bid)
        return
      }
      case ParlayEvent.bidReplaced:
      case ParlayEvent.bidExpired:
      case ParlayEvent.bidInvalidated:
      case ParlayEvent.bidFailed:
        this.bids.delete(events.read(rowOfKind(row, kind), BidRow.bid))
        return
      default:
    }
  }

  /** The terms of the quote that is filled now, and is over then. */
  takeFill(quote: number): FillTerms {
    const offer = this.quotes.get(quote)
    assert(offer !== undefined, `quote ${quote} was filled and never submitted`)
    this.quotes.delete(quote)
    return { ...offer, profitFeeBps: this.profitFeeBps }
  }

  /** The terms of the auction that was sold now, and is over then. */
  takeSale(auction: number): SaleTerms {
    const sale = this.sales.get(auction)
    assert(sale !== undefined, `auction ${auction} was sold to no bid`)
    this.sales.delete(auction)
    return sale
  }

  private quoted(events: EventRows, row: Row<'parlay.quoteSubmitted'>): void {
    const [request, quote] = [events.read(row, QuoteSubmitted.request), events.read(row, QuoteSubmitted.quote)]
    const body = this.requests.get(request)
    assert(body !== undefined, `request ${request} was quoted and is not open`)
    const [takerFeeBps, oddsE4] = [events.read(row, QuoteSubmitted.takerFeeBps), events.read(row, QuoteSubmitted.oddsE4)]
    const takerFeeMicros = shareFloor(body.betMicros, takerFeeBps)
    const stakeMicros = body.betMicros - takerFeeMicros
    this.quotes.set(quote, {
      holder: body.owner, backer: events.read(row, QuoteSubmitted.maker), stakeMicros, riskMicros: shareFloor(stakeMicros, oddsE4) - stakeMicros,
      takerFeeMicros, takerFeeBps,
    })
  }

  private bidOf(bid: number): SaleTerms {
    const terms = this.bids.get(bid)
    assert(terms !== undefined, `bid ${bid} won and was not live`)
    return terms
  }
}

/** amount · share / 10,000, rounded down, for a rate in bps or for odds (PQ-087, PQ-418). It does not use the engine's arithmetic, which it checks. */
const shareFloor = (amountMicros: number, share: number): number => Number((BigInt(amountMicros) * BigInt(share)) / 10_000n)
