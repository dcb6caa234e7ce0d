import { bettor } from './bettor.ts'

/**
 * What a maker's account on the other service does with what the maker lays off: when its time is over it takes the best offer at or
 * above the lowest odds, else it lets the matter go. It is tried once: an offer that cannot be had is no other's.
 */
export const layOffTaker = bettor({}, () => ({
  onArrival() {},
  onDecision(intent, desk) {
    if (intent.bestOddsE4 >= intent.minOddsE4) desk.commit(intent)
    else desk.cancelRequest(intent)
  },
  onRefused: (intent, _refusal, desk) => desk.cancelRequest(intent),
}))
