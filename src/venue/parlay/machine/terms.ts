import { BPS } from '../../../unit/micros.ts'
import { SetFault } from '../../contract.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { type ParlayCommand, ParlayFault, SetFees } from '../protocol/commands.ts'
import { FaultChanged, FeesChanged, ParlayEvent } from '../protocol/events.ts'
import { reply } from './rows.ts'
import type { ParlayState } from './state.ts'

const FAULT_NAMES = Object.keys(ParlayFault) as (keyof typeof ParlayFault)[]

const isRate = (bps: number): boolean => Number.isInteger(bps) && bps >= 0 && bps <= BPS

/** Sets the fee rates of everything that is made from now on (readings A43, PQ-424). */
export function setFees(s: ParlayState, c: ParlayCommand): void {
  const { [SetFees.takerFeeBps]: takerFeeBps, [SetFees.profitFeeBps]: profitFeeBps } = c
  if (!isRate(takerFeeBps) || !isRate(profitFeeBps)) return reply(s, c, ParlayCode.invalid)
  // −0 becomes 0, because the digest sees the bits of a number.
  s.terms.takerFeeBps = takerFeeBps + 0
  s.terms.profitFeeBps = profitFeeBps + 0
  const row = s.events.open(s.nowUs, ParlayEvent.feesChanged, s.cause)
  s.events.write(row, FeesChanged.takerFeeBps, s.terms.takerFeeBps)
  s.events.write(row, FeesChanged.profitFeeBps, s.terms.profitFeeBps)
  reply(s, c, ParlayCode.ok)
}

export function setFault(s: ParlayState, c: ParlayCommand): void {
  const { [SetFault.fault]: fault, [SetFault.isOn]: isOn } = c
  const name = FAULT_NAMES.find((known) => ParlayFault[known] === fault)
  if (name === undefined || (isOn !== 0 && isOn !== 1)) return reply(s, c, ParlayCode.invalid)
  s.terms[name] = isOn === 1
  const row = s.events.open(s.nowUs, ParlayEvent.faultChanged, s.cause)
  s.events.write(row, FaultChanged.fault, fault)
  s.events.write(row, FaultChanged.isOn, isOn + 0)
  reply(s, c, ParlayCode.ok)
}
