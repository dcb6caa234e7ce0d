/** The quotes of a maker on one RFQ. */
interface Own {
  /** How many are not answered yet. */
  underWay: number
  /** The last one that the service took, null: none. */
  quote: { readonly id: string; readonly expiresUs: number } | null
  isWithdrawn: boolean
}

/**
 * A maker's quotes by the numbers of their RFQs. A withdrawal names its quote, so that it waits until every quote that was under way before it is
 * answered. A quote that the service refused has no name: there is nothing to withdraw.
 */
export class OwnQuotes {
  private readonly of = new Map<number, Own>()

  /** A quote goes on its way. */
  sent(rfq: number): void {
    const own = this.of.get(rfq)
    if (own === undefined) this.of.set(rfq, { underWay: 1, quote: null, isWithdrawn: false })
    else own.underWay++
  }

  /** A quote is answered; `quote` is null where it was refused. Returns the id of a quote that is to be withdrawn now. */
  answered(rfq: number, quote: Own['quote']): string | null {
    const own = this.of.get(rfq)
    if (own === undefined) return null
    own.underWay--
    if (quote !== null) own.quote = quote
    if (own.underWay > 0 || !own.isWithdrawn) return null
    own.isWithdrawn = false
    return own.quote?.id ?? null
  }

  /** Returns the id of the quote that is to be withdrawn now, or null where that waits, or where there is none. */
  withdraw(rfq: number): string | null {
    const own = this.of.get(rfq)
    if (own === undefined) return null
    if (own.underWay === 0) return own.quote?.id ?? null
    own.isWithdrawn = true
    return null
  }

  /** What was under way is answered by nobody any more. */
  cameBack(): void {
    for (const own of this.of.values()) own.underWay = 0
  }

  /** Ids of the quotes that may be live at an instant. */
  live(nowUs: number): readonly string[] {
    return [...this.of.values()].flatMap(({ quote }) => (quote !== null && quote.expiresUs > nowUs ? [quote.id] : []))
  }

  /** Nothing is wished of an RFQ any more. */
  forget(rfq: number): void {
    if (this.of.get(rfq)?.underWay === 0) this.of.delete(rfq)
  }
}
