import favourite from '../agent/bettors/favourite.ts'
import impatient from '../agent/bettors/impatient.ts'
import informed from '../agent/bettors/informed.ts'
import noise from '../agent/bettors/noise.ts'
import priceSensitive from '../agent/bettors/priceSensitive.ts'
import stopLoss from '../agent/bettors/stopLoss.ts'
import takeProfit from '../agent/bettors/takeProfit.ts'
import cashOutBidder from '../agent/makers/cashOutBidder.ts'
import copula from '../agent/makers/copula.ts'
import exposureLimited from '../agent/makers/exposureLimited.ts'
import fixedMargin from '../agent/makers/fixedMargin.ts'
import inventory from '../agent/makers/inventory.ts'
import lastLook from '../agent/makers/lastLook.ts'
import layOff from '../agent/makers/layOff.ts'
import logisticDemand from '../agent/makers/logisticDemand.ts'
import random from '../agent/makers/random.ts'
import recorded from '../agent/makers/recorded.ts'
import shade from '../agent/makers/shade.ts'
import silent from '../agent/makers/silent.ts'
import { RECORDED } from './recordedSchema.ts'

/** Maker strategies by the name that `use` gives. */
export const BUILT_IN_MAKERS = {
  'fixed-margin': fixedMargin, 'exposure-limited': exposureLimited, shade, 'cashout-bidder': cashOutBidder, 'lay-off': layOff,
  copula, inventory, 'logistic-demand': logisticDemand, 'last-look': lastLook, silent, random, recorded,
} as const

/** Bettor strategies by the name that `kind` gives. */
export const BUILT_IN_BETTORS = {
  noise, informed, 'price-sensitive': priceSensitive, favourite, impatient, 'stop-loss': stopLoss, 'take-profit': takeProfit,
} as const

export { RECORDED }

/** The kind of a cohort that follows a script instead of a strategy. */
export const SCRIPTED = 'scripted'

export const BETTOR_KINDS: readonly string[] = [...Object.keys(BUILT_IN_BETTORS), SCRIPTED, RECORDED]
