import type { ValidationItem } from './figure.ts'
import { informedTakers } from './items/informedTakers.ts'
import { selection } from './items/selection.ts'
import { winnersCurse } from './items/winnersCurse.ts'

/** Every known result that parlor is measured against, in the order in which they are shown. */
export const VALIDATION_ITEMS: readonly ValidationItem[] = [winnersCurse, selection, informedTakers]
