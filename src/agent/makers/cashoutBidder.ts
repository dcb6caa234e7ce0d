import { maker } from '../maker.ts'
import { pct, seconds } from '../parameters.ts'
import { bidAtMargin } from './bidding.ts'

/** A yardstick for auctions: never quotes, and bids for every position what it is worth at the bids of its legs, less `margin`. */
export default maker({
  margin: pct(5, { max: 100, about: 'mark-down of its bids' }),
  maxAge: seconds(30, { max: 1e6, about: 'oldest leg price used' }),
}, (p) => ({
  onCashout: (auction, desk) => bidAtMargin(auction, desk, p.margin, p.maxAge),
}))
