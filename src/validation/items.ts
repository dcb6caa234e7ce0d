import type { ValidationItem } from './figure.ts'
import { bestOfMany } from './items/bestOfMany.ts'
import { commonNumbers } from './items/commonNumbers.ts'
import { coverage } from './items/coverage.ts'
import { correlatedLegs } from './items/correlatedLegs.ts'
import { correlatedMakers } from './items/correlatedMakers.ts'
import { holdOfParlays } from './items/holdOfParlays.ts'
import { informedTakers } from './items/informedTakers.ts'
import { lastLook } from './items/lastLook.ts'
import { martingale } from './items/martingale.ts'
import { optimalQuote } from './items/optimalQuote.ts'
import { queues } from './items/queues.ts'
import { selection } from './items/selection.ts'
import { winnersCurse } from './items/winnersCurse.ts'

/** Every known result that parlor is measured against, in the order in which they are shown. */
export const VALIDATION_ITEMS: readonly ValidationItem[] = [
  winnersCurse, selection, informedTakers, optimalQuote, correlatedLegs, holdOfParlays, queues, lastLook, commonNumbers, correlatedMakers, bestOfMany, martingale, coverage,
]
