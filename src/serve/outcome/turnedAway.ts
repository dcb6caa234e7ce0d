import { SCOPE_OF_OP } from '../../venue/outcome/protocol/access.ts'
import type { OutcomeCommand } from '../../venue/outcome/protocol/commands.ts'
import type { OutcomeGateView } from '../../venue/outcome/protocol/gate.ts'
import type { HandlerSite } from '../serviceHandler.ts'
import type { KnownNames } from './records/names.ts'

/**
 * Whether the gate refuses a call for its credential, its scope or its limit, all of which come before its terms: then nobody need find out who
 * signed them, which takes far longer. Virtual time that waits lets a call be on its way, and only what can never become right counts: a limit
 * may have room when the call arrives.
 */
export function isTurnedAway(
  { account, op, credential }: Pick<OutcomeCommand, 'account' | 'op' | 'credential'>, { gate, known }: { readonly gate: OutcomeGateView; readonly known: KnownNames },
  { nowUs, isInTurns }: Pick<HandlerSite, 'nowUs' | 'isInTurns'>,
): boolean {
  const held = known.holderOf(credential) === account ? gate.credential(credential) : null
  if (held === null || held.state !== 'active' || ((SCOPE_OF_OP[op] ?? 0) & ~held.scopes) !== 0) return true
  return isInTurns !== true && !gate.hasRoom(account, op, nowUs)
}
