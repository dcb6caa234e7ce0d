import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import { ACCOUNT_MAX, AccountRole, BindAccount, type OutcomeCommand, OutcomeOp } from '../protocol/commands.ts'
import { AccountBound, OutcomeEvent } from '../protocol/events.ts'
import { refuseField, reply } from './rows.ts'
import type { OutcomeState } from './state.ts'

export function bindAccount(s: OutcomeState, c: OutcomeCommand): void {
  const { accounts, events } = s
  const { [BindAccount.bound]: account, [BindAccount.role]: role } = c
  if (!(Number.isInteger(account) && account >= 0 && account <= ACCOUNT_MAX)) return refuseField(s, c, InvalidField.value)
  if (role !== AccountRole.participant && role !== AccountRole.maker) return refuseField(s, c, InvalidField.value2)
  if (accounts.has(account)) return reply(s, c, OutcomeCode.stateConflict)

  if (account >= accounts.count) {
    accounts.count = account + 1
    accounts.ensure(accounts.count)
    s.ledger.ensureAccounts(accounts.count)
  }
  accounts.bound[account] = 1
  accounts.role[account] = role
  accounts.signer[account] = account
  const row = events.open(s.nowUs, OutcomeEvent.accountBound, s.cause)
  // −0 names account 0, and the digest sees the bits of a number. The same holds for a role.
  events.write(row, AccountBound.account, account + 0)
  events.write(row, AccountBound.role, role + 0)
  reply(s, c, OutcomeCode.ok)
}

const ANY = -1
/** Stands for an opcode that is no participants' command of the venue, such as the gate's. */
export const NOBODY = -2

/** Why the sender may not send a command that is for `role`, or ok. Checks its identity, then its role (OM-015). */
export function refusalOfSender(s: OutcomeState, c: OutcomeCommand, role: number): number {
  const { accounts } = s
  if (!accounts.has(c.account)) return OutcomeCode.identityNotFound
  return role === ANY || accounts.role[c.account] === role ? OutcomeCode.ok : OutcomeCode.forbidden
}

/** The role that a participants' command is for: an `AccountRole`, any role or none. */
export function roleOf(op: number): number {
  switch (op) {
    case OutcomeOp.deposit:
    case OutcomeOp.cancelRfq:
    case OutcomeOp.openCashout:
    case OutcomeOp.acceptQuote:
      return ANY
    case OutcomeOp.withdraw:
    case OutcomeOp.createRfq:
      return AccountRole.participant
    case OutcomeOp.reduceCollateral:
    case OutcomeOp.setSigner:
    case OutcomeOp.submitQuote:
    case OutcomeOp.cancelQuote:
    case OutcomeOp.confirmQuote:
    case OutcomeOp.declineQuote:
      return AccountRole.maker
    default:
      return NOBODY
  }
}
