import { assert } from '../../unit/assert.ts'
import { type EventRows, Field } from '../../venue/eventRows.ts'
import { ParlayEvent } from '../../venue/parlay/protocol/events.ts'

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
 * price of a bid. A vault is told these and never what the engine made of them, so that an amount which the engine has wrong is a
 * difference. What ends without a trade is forgotten.
 */
export class ParlayTerms {
  /** In force, in bps. */
  private profitFeeBps: number
  /** Open requests, live quotes and live bids, by number. */
  private readonly requests = new Map<number, Body>()
  private readonly quotes = new Map<number, Offer>()
  private readonly bids = new Map<number, SaleTerms>()
  /** By auction: won, and yet to be told of. */
  private readonly sales = new Map<number, SaleTerms>()

  /** @param profitFeeBps in force at the begin of the session, before any row */
  constructor(profitFeeBps: number) {
    this.profitFeeBps = profitFeeBps
  }

  /** How many requests, quotes, bids and sales are kept. */
  get size(): number {
    return this.requests.size + this.quotes.size + this.bids.size + this.sales.size
  }

  note(events: EventRows, row: number): void {
    const of = (field: number): number => events.get(row, field)
    switch (of(Field.kind)) {
      case ParlayEvent.feesChanged:
        this.profitFeeBps = of(Field.amountB)
        return
      case ParlayEvent.requestCreated:
      case ParlayEvent.requestUpdated:
        this.requests.set(of(Field.request), { owner: of(Field.account), betMicros: of(Field.amountA) })
        return
      case ParlayEvent.requestCancelled:
      case ParlayEvent.requestExpired:
      case ParlayEvent.requestCommitted:
        this.requests.delete(of(Field.request))
        return
      case ParlayEvent.quoteSubmitted: return this.quoted(events, row)
      case ParlayEvent.quoteReplaced:
      case ParlayEvent.quoteWithdrawn:
      case ParlayEvent.quoteExpired:
      case ParlayEvent.quoteInvalidated:
      case ParlayEvent.quoteFailed:
        this.quotes.delete(of(Field.quote))
        return
      case ParlayEvent.bidSubmitted:
        this.bids.set(of(Field.quote), { buyer: of(Field.account), priceMicros: of(Field.amountA) })
        return
      case ParlayEvent.bidWon:
        this.sales.set(of(Field.auction), this.bidOf(of(Field.quote)))
        this.bids.delete(of(Field.quote))
        return
      case ParlayEvent.bidReplaced:
      case ParlayEvent.bidExpired:
      case ParlayEvent.bidInvalidated:
      case ParlayEvent.bidFailed:
        this.bids.delete(of(Field.quote))
        return
      default:
    }
  }

  /** Of the quote that is filled now, which is over. */
  takeFill(quote: number): FillTerms {
    const offer = this.quotes.get(quote)
    assert(offer !== undefined, `quote ${quote} was filled and never submitted`)
    this.quotes.delete(quote)
    return { ...offer, profitFeeBps: this.profitFeeBps }
  }

  /** Of the auction that was sold now, which is over. */
  takeSale(auction: number): SaleTerms {
    const sale = this.sales.get(auction)
    assert(sale !== undefined, `auction ${auction} was sold to no bid`)
    this.sales.delete(auction)
    return sale
  }

  private quoted(events: EventRows, row: number): void {
    const [request, quote] = [events.get(row, Field.request), events.get(row, Field.quote)]
    const body = this.requests.get(request)
    assert(body !== undefined, `request ${request} was quoted and is not open`)
    const [takerFeeBps, oddsE4] = [events.get(row, Field.amountB), events.get(row, Field.oddsE4)]
    const takerFeeMicros = shareFloor(body.betMicros, takerFeeBps)
    const stakeMicros = body.betMicros - takerFeeMicros
    this.quotes.set(quote, {
      holder: body.owner, backer: events.get(row, Field.account), stakeMicros, riskMicros: shareFloor(stakeMicros, oddsE4) - stakeMicros,
      takerFeeMicros, takerFeeBps,
    })
  }

  private bidOf(bid: number): SaleTerms {
    const terms = this.bids.get(bid)
    assert(terms !== undefined, `bid ${bid} won and was not live`)
    return terms
  }
}

/** amount · share / 10,000, rounded down, of a rate in bps or of odds (PQ-087, PQ-418): not the engine's arithmetic, which is to be checked. */
const shareFloor = (amountMicros: number, share: number): number => Number((BigInt(amountMicros) * BigInt(share)) / 10_000n)
