import { NONE } from '../../../unit/none.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { ACCOUNT_MAX, type ParlayCommand, SetDeliveries } from '../protocol/commands.ts'
import { reply } from './rows.ts'
import type { GateState } from './state.ts'

/** The operator switches an account's deliveries. */
export function setDeliveries(s: GateState, c: ParlayCommand): void {
  const { [SetDeliveries.deliveriesOf]: account, [SetDeliveries.isOn]: isOn } = c
  if (!Number.isInteger(account) || account < 0 || account > ACCOUNT_MAX || (isOn !== 0 && isOn !== 1)) return reply(s, c, ParlayCode.invalid)
  const { deliverySwitches } = s
  const known = deliverySwitches.rowOf(account)
  const row = known === NONE ? deliverySwitches.add(account + 0) : known
  deliverySwitches.off[row] = isOn === 0 ? 1 : 0
  reply(s, c, ParlayCode.ok)
}
