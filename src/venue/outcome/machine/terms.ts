import { BPS } from '../../../unit/micros.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import { type OutcomeCommand, OutcomeFault } from '../protocol/commands.ts'
import { FaultChanged, FeesChanged, OutcomeEvent } from '../protocol/events.ts'
import { refuseField, reply } from './rows.ts'
import type { OutcomeState } from './state.ts'

const FAULT_NAMES = Object.keys(OutcomeFault) as (keyof typeof OutcomeFault)[]

const isRate = (bps: number): boolean => Number.isInteger(bps) && bps >= 0 && bps <= BPS

/** Sets the rates of quotes made from now on (OM-252, OM-253). */
export function setFees(s: OutcomeState, c: OutcomeCommand): void {
  if (!isRate(c.value)) return refuseField(s, c, InvalidField.value)
  if (!isRate(c.value2)) return refuseField(s, c, InvalidField.value2)
  // −0 becomes 0, because the digest sees the bits of a number.
  s.terms.takerFeeBps = c.value + 0
  s.terms.feeBps = c.value2 + 0
  const row = s.events.open(s.nowUs, OutcomeEvent.feesChanged, s.cause)
  s.events.write(row, FeesChanged.takerFeeBps, s.terms.takerFeeBps)
  s.events.write(row, FeesChanged.profitFeeBps, s.terms.feeBps)
  reply(s, c, OutcomeCode.ok)
}

export function setFault(s: OutcomeState, c: OutcomeCommand): void {
  const { value, value2 } = c
  const fault = FAULT_NAMES.find((name) => OutcomeFault[name] === value)
  if (fault === undefined) return refuseField(s, c, InvalidField.value)
  if (value2 !== 0 && value2 !== 1) return refuseField(s, c, InvalidField.value2)
  s.terms[fault] = value2 === 1
  const row = s.events.open(s.nowUs, OutcomeEvent.faultChanged, s.cause)
  s.events.write(row, FaultChanged.fault, value)
  s.events.write(row, FaultChanged.isOn, value2 + 0)
  reply(s, c, OutcomeCode.ok)
}
