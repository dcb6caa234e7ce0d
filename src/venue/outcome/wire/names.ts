import type { Hex } from 'viem'
import { NONE } from '../../../unit/none.ts'
import type { OutcomeLegView } from '../protocol/view.ts'
import { named, SIDE_NAMES } from './encoding.ts'
import type { WireIdentity } from './identity.ts'

/** What the wire calls the numbers of a session. */
export interface WireNames {
  readonly identity: WireIdentity
  /** Decimal outcome_id of an outcome's number. */
  outcomeId(outcome: number): string
  /** Lowercase address of a signer's number. */
  address(signer: number): Hex
}

/** A leg as it goes out (OM-024): an outcome_id of any size as a decimal string, a side in upper case. */
export interface LegBody {
  readonly outcome_id: string
  readonly side: string
}

export const legBody = (names: WireNames, leg: OutcomeLegView): LegBody =>
  ({ outcome_id: names.outcomeId(leg.outcome), side: named(SIDE_NAMES, leg.side) })

export const legBodies = (names: WireNames, legs: readonly OutcomeLegView[]): LegBody[] => legs.map((leg) => legBody(names, leg))

/** The id of an entity, or null where there is none (−1). */
export const idOrNull = (number: number, idOf: (number: number) => string): string | null => (number === NONE ? null : idOf(number))
