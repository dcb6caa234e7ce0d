import type { TERMS } from '../score/attribution.ts'

/** What the terms of a profit are called. */
export const TERM_NAMES: Readonly<Record<(typeof TERMS)[number], string>> = {
  margin: 'margin', selection: 'selection', model: 'model', lastLook: 'last look', drift: 'drift', fees: 'fees', luck: 'luck',
}

/** What they are (docs/scorecard.md). */
export const TERMS_ABOUT = 'V is what a parlay was worth by the recorded prices, F the maker’s own fair value. Margin: price over F. Selection: the maker’s leg prices over those of V at submission. Model: its price of dependence over that of V. Last look: V falling until the decision. Drift: V falling from there to the closes. '
  + 'Fees: profit fees on the maker; what bettors pay is not among them. Luck: the last value over what was paid. They add up to the profit, to the micro-unit.'
