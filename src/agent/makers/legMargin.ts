import { pct } from '../parameters.ts'

/** Legs of the shortest parlay, which the margin itself is for. */
const FEWEST = 2

/** The parameter that makes a margin one by the number of legs. */
export const MARGIN_PER_LEG = pct(0, { max: 100, about: 'mark-up added to the margin for each leg beyond two' })

/** The margin on so many legs: `margin` on one or two, and `marginPerLeg` more for each further leg. */
export const marginOn = (legs: number, { margin, marginPerLeg }: { readonly margin: number; readonly marginPerLeg: number }): number =>
  margin + marginPerLeg * Math.max(0, legs - FEWEST)
