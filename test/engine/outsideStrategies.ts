import type { Latency } from '../../src/agent/latency.ts'
import { type MakerStrategy, maker } from '../../src/agent/maker.ts'
import fixedMargin from '../../src/agent/makers/fixedMargin.ts'
import shade from '../../src/agent/makers/shade.ts'
import { Action, Refusal } from '../../src/agent/vocabulary.ts'
import type { MakerEntry } from '../../src/engine/config.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { makerEntry, NO_FAULTS } from './world.ts'

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

/** Offers less after each refusal, and withdraws one quote in four as soon as it knows that it stands. */
export const answering = maker({}, () => {
  const state = { refusals: 0 }
  return {
    state,
    onRequest(request, desk) {
      desk.quote(request, { probability: 0.3 + 0.01 * (state.refusals % 50), validUs: 15_000_000 })
    },
    onAck({ action, refusal, request, quote }, desk) {
      if (action === Action.submitQuote && refusal !== Refusal.none) state.refusals++
      else if (action === Action.submitQuote && quote % 4 === 0) desk.withdrawQuote(request)
    },
  }
}) as unknown as MakerStrategy

const NO_WAY = { baseUs: 0, jitterUs: 0 }
export const AT_ONCE: Latency = { feedUs: 0, broadcast: NO_WAY, submit: NO_WAY, confirm: NO_WAY }
const WAY = { baseUs: 1_000, jitterUs: 0 }
export const TIED: Latency = { feedUs: 0, broadcast: WAY, submit: WAY, confirm: WAY }
/** Auctions are over when makers hear of them, and what is sent about them is drawn a way all the same. */
export const LATE: Latency = { feedUs: 0, broadcast: { baseUs: 16 * SECOND_US, jitterUs: 0 }, submit: { baseUs: 1_000, jitterUs: 3 * SECOND_US }, confirm: WAY }
/** The maker hears late of what it answers soon. */
export const FAR: Latency = { feedUs: 0, broadcast: { baseUs: 4 * SECOND_US, jitterUs: 0 }, submit: { baseUs: 1_000, jitterUs: SECOND_US }, confirm: { baseUs: 100_000, jitterUs: SECOND_US } }

/** @param ways of all, or of the first ones. */
export const seatsOf = (strategies: readonly MakerStrategy[], ways?: Latency | readonly Latency[]): MakerEntry[] => strategies.map((strategy, i) => {
  const latency = Array.isArray(ways) ? (ways as readonly Latency[])[i] : ways as Latency | undefined
  const entry = makerEntry(`outside ${i}`, strategy)
  return { ...entry, faults: NO_FAULTS, ...(latency === undefined ? {} : { latency }), ...('bid' in entry.values ? { values: { ...entry.values, bid: 0.05 } } : {}) }
})
