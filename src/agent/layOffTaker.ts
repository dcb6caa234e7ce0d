import { bettor } from './bettor.ts'

/**
 * What a maker's account on the other service does with a bet that the maker lays off: when its time is over, it takes the best offer at or
 * above the lowest odds, or lets the bet go. It tries once: when an offer cannot be had, it does not try another.
 */
export const layOffTaker = bettor({}, () => ({
  onArrival() {},
  onDecision(intent, desk) {
    if (intent.bestOddsE4 >= intent.minOddsE4) desk.commit(intent)
    else desk.cancelRequest(intent)
  },
  onRefused: (intent, _refusal, desk) => desk.cancelRequest(intent),
}))
