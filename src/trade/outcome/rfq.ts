import { INTENT_EXCLUDED_MAX } from '../../agent/intents.ts'

const ODDS_ONE = 10_000n

/** A maker's offer. */
export interface Quote {
  readonly id: string
  readonly maker: string
  /** µUSDC: what a bet pays, or the price of a position. */
  readonly payout: bigint
  readonly netStake: bigint
  readonly expiresUs: number
}

/** A position of the bettor. */
export interface Held {
  readonly arrival: number
  readonly position: string
  readonly feeBps: number
  /** The RFQ that sells it, null for none. */
  auction: Rfq | null
}

/** An RFQ of the bettor, with the last quote of each maker. It asks for a bet of `stake` microUSDC, or sells a position: `held` is then not null. */
export class Rfq {
  readonly arrival: number
  readonly held: Held | null
  readonly stake: number
  id = ''
  /** The best quote, as the bettor was last told. */
  best: Quote | null = null
  /** A quote is accepted, and what becomes of that is not known. */
  isAccepting = false
  /** Its window is over: no quote comes any more. */
  isClosed = false
  /** The last one of each maker, in the order in which they came. */
  private readonly quotes = new Map<string, Quote>()
  private readonly excluded = new Set<string>()
  /** Makers whose quote came since the bettor was back. */
  private readonly since = new Set<string>()

  constructor(arrival: number, held: Held | null, stake: number) {
    this.arrival = arrival
    this.held = held
    this.stake = stake
  }

  /** Takes a quote, in the place of the maker's former one. */
  take(quote: Quote): void {
    // Set alone would leave it in the order of the former one.
    this.quotes.delete(quote.maker)
    this.quotes.set(quote.maker, quote)
    this.since.add(quote.maker)
  }

  /** The bettor was away, and may not have heard of quotes. */
  away(): void {
    this.since.clear()
  }

  /** Takes the quotes that the service lists, in the place of those that came before the bettor was away. What has come since is newer. */
  relist(listed: readonly Quote[]): void {
    const newer = [...this.quotes.values()].filter(({ maker }) => this.since.has(maker))
    this.quotes.clear()
    for (const quote of [...listed.filter(({ maker }) => !this.since.has(maker)), ...newer]) this.quotes.set(quote.maker, quote)
  }

  /** The quote is no offer any more. Its maker may have sent another since. */
  drop(quote: Quote): void {
    if (this.quotes.get(quote.maker)?.id === quote.id) this.quotes.delete(quote.maker)
  }

  /** Leaves a maker that did not confirm out from now on, as a desk promises for the first of them. */
  exclude(maker: string): void {
    if (this.excluded.size < INTENT_EXCLUDED_MAX) this.excluded.add(maker)
  }

  /** Finds the best quote: the highest payout that can still be had, of two equal ones the earlier. True when it is another than before. */
  look(nowUs: number): boolean {
    let best: Quote | null = null
    for (const quote of this.quotes.values()) {
      if (quote.expiresUs > nowUs && !this.excluded.has(quote.maker) && (best === null || quote.payout > best.payout)) best = quote
    }
    const isNew = best?.id !== this.best?.id
    this.best = best
    return isNew
  }

  /** When the last of its quotes expires. −Infinity without one. */
  get lastUs(): number {
    return Math.max(...[...this.quotes.values()].map(({ expiresUs }) => expiresUs))
  }
}

/** Odds of an offer for a bet, four decimals, rounded down. */
export const oddsE4Of = ({ payout, netStake }: Quote): number => Number((payout * ODDS_ONE) / netStake)
