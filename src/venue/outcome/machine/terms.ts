import { BPS } from '../../../unit/micros.ts'
import { SetFault } from '../../contract.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import { type OutcomeCommand, OutcomeFault, SetFees } from '../protocol/commands.ts'
import { FaultChanged, FeesChanged, OutcomeEvent } from '../protocol/events.ts'
import { refuseField, reply } from './rows.ts'
import type { OutcomeState } from './state.ts'

const FAULT_NAMES = Object.keys(OutcomeFault) as (keyof typeof OutcomeFault)[]

const isRate = (bps: number): boolean => Number.isInteger(bps) && bps >= 0 && bps <= BPS

/** Sets the rates of quotes made from now on (OM-252, OM-253). */
export function setFees(s: OutcomeState, c: OutcomeCommand): void {
  const { [SetFees.takerFeeBps]: takerFeeBps, [SetFees.feeBps]: feeBps } = c
  if (!isRate(takerFeeBps)) return refuseField(s, c, InvalidField.value)
  if (!isRate(feeBps)) return refuseField(s, c, InvalidField.value2)
  // −0 becomes 0, because the digest sees the bits of a number.
  s.terms.takerFeeBps = takerFeeBps + 0
  s.terms.feeBps = feeBps + 0
  const row = s.events.open(s.nowUs, OutcomeEvent.feesChanged, s.cause)
  s.events.write(row, FeesChanged.takerFeeBps, s.terms.takerFeeBps)
  s.events.write(row, FeesChanged.profitFeeBps, s.terms.feeBps)
  reply(s, c, OutcomeCode.ok)
}

export function setFault(s: OutcomeState, c: OutcomeCommand): void {
  const { [SetFault.fault]: fault, [SetFault.isOn]: isOn } = c
  const name = FAULT_NAMES.find((known) => OutcomeFault[known] === fault)
  if (name === undefined) return refuseField(s, c, InvalidField.value)
  if (isOn !== 0 && isOn !== 1) return refuseField(s, c, InvalidField.value2)
  s.terms[name] = isOn === 1
  const row = s.events.open(s.nowUs, OutcomeEvent.faultChanged, s.cause)
  s.events.write(row, FaultChanged.fault, fault)
  s.events.write(row, FaultChanged.isOn, isOn + 0)
  reply(s, c, OutcomeCode.ok)
}
