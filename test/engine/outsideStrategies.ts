import { type MakerStrategy, maker } from '../../src/agent/maker.ts'
import fixedMargin from '../../src/agent/makers/fixedMargin.ts'
import shade from '../../src/agent/makers/shade.ts'

/** Makers that come with parlor. They play inside and outside of a session, and leave the same rows. */
export const BOTH = [fixedMargin, shade] as unknown as MakerStrategy[]
/** It withdraws, asks to be called again, and confirms, declines, puts off or lets lapse what was selected. */
export const hesitant = maker({}, () => ({
  onRequest(request, desk) {
    const fair = desk.price(request.legs, { priceType: 'ask', maxAgeUs: 30_000_000 })
    if (fair) desk.quote(request, { probability: Math.min(0.99, fair * 1.01), validUs: 15_000_000 })
    if (request.request % 5 === 0) desk.withdrawQuote(request.request)
    desk.later(request, 3_000_000)
  },
  onLater(request, desk) {
    if (request.request % 3 === 0) desk.withdrawQuote(request.request)
  },
  onSelected(selection, desk) {
    if (selection.request % 4 === 0) desk.decideLater(selection, selection.request % 8 === 0 ? 1_500_000 : 40_000_000)
    else if (selection.request % 4 === 1) desk.decline(selection)
    else if (selection.request % 4 === 2) desk.confirm(selection)
  },
  onDecision(selection, desk) {
    desk.confirm(selection)
  },
})) as unknown as MakerStrategy
