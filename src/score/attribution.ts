/**
 * The terms of a profit, in the order in which they are shown. They add up to the profit, to the micro-unit. The table is for a
 * maker that backs a position, whose price is the stake s. A value v stands for round(v·P). For a holder every sign is reversed.
 *
 * | term | for a position that a result ended |
 * |---|---|
 * | margin | s − F |
 * | selection | (D − Π)·u at the quote's submission |
 * | model | Π·u − V at the submission |
 * | last look | V at submission − V at the decision |
 * | drift | V at the decision − V at the closes of the legs |
 * | fees | − the profit fees that fell on the maker |
 * | luck | V at the closes − what was paid |
 *
 * D is the maker's own product of the legs' prices, Π the product of the legs' values, and u = F ∕ D the dependence that the maker priced in.
 * Selection and model add up to F − V.
 *
 * When a bid of the maker's own ends the position, drift leads to V at the sale, and the bid's four terms follow with reversed
 * signs. When the position is sold to another's bid, the whole difference of the price from V at the sale is margin
 * (docs/scorecard.md).
 */
export const TERMS = ['margin', 'selection', 'model', 'lastLook', 'drift', 'fees', 'luck'] as const
export type Terms = Record<(typeof TERMS)[number], number>

/** A quote or a bid of a maker that was taken. NaN where a value is not known. */
export interface Deal {
  /** The stake of a quote, or the price of a bid. */
  readonly priceMicros: number
  /** F, the maker's own fair value at submission. */
  readonly fair: number
  /** D, its own product of the legs' prices at submission. */
  readonly fairProduct: number
  /** V at submission and the product of the legs' values then, and V when the deal was done. */
  readonly submitted: number
  readonly product: number
  readonly decided: number
  /** Live quotes or bids of other makers at submission. */
  readonly rivals: number
}

/** How a position, or a holding of it, ended. */
export type DealEnd =
  /** A result ended it. */
  | { readonly kind: 'result'; readonly paidMicros: number; readonly closing: number }
  /** A bid of the maker's own ended it. */
  | { readonly kind: 'bid'; readonly deal: Deal }
  /** Another maker's bid ended it. */
  | { readonly kind: 'sale'; readonly priceMicros: number; readonly reference: number }

/** What was won or lost with one position. */
export interface Outcome {
  readonly entry: Deal
  readonly end: DealEnd
  readonly payoutMicros: number
  /** Whether the maker backs the position. Otherwise it holds the position. */
  readonly backs: boolean
  readonly profitMicros: number
  /** Profit fees that fell on the maker. */
  readonly feeMicros: number
}

/** The terms of one profit, and which values were not known. */
export interface Split {
  readonly terms: Terms
  /** A quote or bid came without F. V at its submission stands in for F, so that the margin includes the selection. */
  readonly withoutFair: boolean
  /** A quote or bid came with F and without D, on legs that are drawn together: selection includes the model. */
  readonly withoutProduct: boolean
  /** V is unknown at one instant at least. The nearest earlier known V stands in for it, or else the nearest later one. */
  readonly withoutReference: boolean
  /** P·V(1 − V) at the decision, which is what was uncertain, and at the last V that the terms go by, which is what of it was left to luck. */
  readonly uncertainMicros: number
  readonly undecidedMicros: number
}

/** Splits a profit. Where no V is known at all, the price stands in for every V and for F, so that luck or the margin of the sale has everything. */
export function splitProfit({ entry, end, payoutMicros, backs, profitMicros, feeMicros }: Outcome): Split {
  const own = end.kind === 'bid' ? [end.deal.submitted, end.deal.decided] : [end.kind === 'sale' ? end.reference : end.closing]
  const read = [entry.submitted, entry.decided, ...own]
  const values = filled(read, entry.priceMicros / payoutMicros)
  const isBlind = read.every(Number.isNaN)
  const [submitted, decided, third, fourth] = values.map((value) => Math.round(value * payoutMicros)) as [number, number, number, number]
  const fairOf = (deal: Deal, atSubmission: number): number =>
    (Number.isNaN(deal.fair) || isBlind ? atSubmission : Math.round(deal.fair * payoutMicros))
  const fair = fairOf(entry, submitted)
  const model = modelMicros(entry, payoutMicros)
  const gross = { margin: entry.priceMicros - fair, selection: fair - submitted - model, model, lastLook: submitted - decided, drift: decided - third }
  if (end.kind === 'sale') gross.margin += third - end.priceMicros
  else if (end.kind === 'bid') {
    const fairOfBid = fairOf(end.deal, third)
    const modelOfBid = modelMicros(end.deal, payoutMicros)
    gross.drift = decided - fourth
    gross.lastLook += fourth - third
    gross.model -= modelOfBid
    gross.selection += third - fairOfBid + modelOfBid
    gross.margin += fairOfBid - end.deal.priceMicros
  }
  const signed = (micros: number): number => (backs ? micros : 0 - micros)
  const { margin, selection, lastLook, drift } = gross
  const explained = signed(margin + selection + gross.model + lastLook + drift) - feeMicros
  return {
    terms: {
      margin: signed(margin), selection: signed(selection), model: signed(gross.model), lastLook: signed(lastLook), drift: signed(drift),
      fees: 0 - feeMicros, luck: profitMicros - explained,
    },
    withoutFair: Number.isNaN(entry.fair) || (end.kind === 'bid' && Number.isNaN(end.deal.fair)),
    withoutProduct: isUnsplit(entry) || (end.kind === 'bid' && isUnsplit(end.deal)),
    withoutReference: read.some(Number.isNaN),
    uncertainMicros: Math.round(values[1]! * (1 - values[1]!) * payoutMicros),
    undecidedMicros: Math.round(values.at(-1)! * (1 - values.at(-1)!) * payoutMicros),
  }
}

/** What the maker's price of dependence was above that of the reference. 0 where F, D or V is not known. */
function modelMicros({ fair, fairProduct, submitted, product }: Deal, payoutMicros: number): number {
  return fair >= 0 && fairProduct > 0 && submitted >= 0 && product >= 0 ? Math.round((Math.min(1, product * (fair / fairProduct)) - submitted) * payoutMicros) : 0
}

/** Whether the legs are drawn together, and the maker did not say what it would have asked for independent ones. */
const isUnsplit = ({ fair, fairProduct, submitted, product }: Deal): boolean => fair >= 0 && !(fairProduct > 0) && submitted >= 0 && product >= 0 && product !== submitted

/** The values, with unknown ones taken from the nearest earlier known value, or else the nearest later one, or else `otherwise`. */
function filled(values: readonly number[], otherwise: number): number[] {
  let last = values.find((value) => !Number.isNaN(value)) ?? otherwise
  return values.map((value) => (last = Number.isNaN(value) ? last : value))
}
