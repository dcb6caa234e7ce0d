import type { Venue } from '../contract.ts'
import type { OutcomeCommand } from './protocol/commands.ts'
import type { OutcomeView } from './protocol/view.ts'

/** The outcome-market RFQ service: RFQs, quotes, acceptances, operations, positions, capital, settlement. */
export interface OutcomeVenue extends Venue<OutcomeCommand> {
  readonly view: OutcomeView
}
