import { OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import type { ModelCommand } from './command.ts'
import type { Answer } from './namedRows.ts'
import { isIntegerIn } from './numbers.ts'
import { invalid, OK, type Turn, write } from './rows.ts'

const BPS_MAX = 10_000
const FAULT_MAX = 5

/** Fee rates of quotes made from now on. */
export function setFees(turn: Turn, { value, value2 }: ModelCommand): Answer {
  if (!isIntegerIn(value, 0, BPS_MAX)) return invalid('value')
  if (!isIntegerIn(value2, 0, BPS_MAX)) return invalid('value2')
  // Rates of −0 are 0; faults as well.
  const takerFeeBps = value + 0
  const feeBps = value2 + 0
  turn.state.takerFeeBps = takerFeeBps
  turn.state.feeBps = feeBps
  write(turn, OutcomeEvent.feesChanged, { takerFeeBps, profitFeeBps: feeBps })
  return OK
}

export function setFault(turn: Turn, { value, value2 }: ModelCommand): Answer {
  if (!isIntegerIn(value, 1, FAULT_MAX)) return invalid('value')
  if (!isIntegerIn(value2, 0, 1)) return invalid('value2')
  const others = turn.state.faults.filter((fault) => fault !== value)
  turn.state.faults = value2 === 1 ? [...others, value] : others
  write(turn, OutcomeEvent.faultChanged, { fault: value, isOn: value2 + 0 })
  return OK
}
