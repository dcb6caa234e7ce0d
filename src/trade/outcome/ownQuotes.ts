/** The quotes of a maker on one RFQ. */
interface Own {
  /** How many are not answered yet. */
  underWay: number
  /** The last one that the service took, null: none. */
  quote: { readonly id: string; readonly expiresUs: number } | null
  /** Withdrawals that wait, in their order: how many answers each waits for. */
  waiting: readonly number[]
}

/**
 * A maker's quotes by the numbers of their RFQs. A withdrawal names its quote, so that it waits until every quote that was under way before it is
 * answered, and then names the last one that the service took. Where the service took none it names nothing, and the service refuses it.
 */
export class OwnQuotes {
  private readonly of = new Map<number, Own>()

  /** A quote goes on its way. */
  sent(rfq: number): void {
    const own = this.of.get(rfq)
    if (own === undefined) this.of.set(rfq, { underWay: 1, quote: null, waiting: [] })
    else own.underWay++
  }

  /** A quote is answered; `quote` is null where it was refused. Returns what each withdrawal names that has waited for this answer: the id of a quote, or null for none. */
  answered(rfq: number, quote: Own['quote']): readonly (string | null)[] {
    const own = this.of.get(rfq)
    if (own === undefined) return []
    own.underWay--
    if (quote !== null) own.quote = quote
    const left = own.waiting.map((answers) => answers - 1)
    own.waiting = left.filter((answers) => answers > 0)
    return left.filter((answers) => answers === 0).map(() => own.quote?.id ?? null)
  }

  /** Returns what the withdrawal names, as `answered` does, or nothing where it waits. */
  withdraw(rfq: number): readonly (string | null)[] {
    const own = this.of.get(rfq)
    if (own === undefined || own.underWay === 0) return [own?.quote?.id ?? null]
    own.waiting = [...own.waiting, own.underWay]
    return []
  }

  /** What was under way is answered by nobody any more. */
  cameBack(): void {
    for (const own of this.of.values()) Object.assign(own, { underWay: 0, waiting: [] })
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
