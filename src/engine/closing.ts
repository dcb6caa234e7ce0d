import { DAY_US } from '../unit/time.ts'
import type { SessionTerms } from './config.ts'

/**
 * Participants are heard for so long after the last input of their session, µs. A strategy that asks to be called again for ever, or sends what
 * is refused again and again, would keep a session alive that is over.
 */
export const HEARD_US = DAY_US

/** The last instant at which participants are heard: calls that they ask for do not come after it, and what they send then reaches nobody. */
export const closesAtUs = ({ startUs, arrivalsUntilUs, operator }: Pick<SessionTerms, 'startUs' | 'arrivalsUntilUs' | 'operator'>): number =>
  Math.max(startUs, arrivalsUntilUs, operator.at(-1)?.atUs ?? startUs) + HEARD_US
