import { CountedColumns } from '../../../unit/countedColumns.ts'
import { Field } from '../../eventRows.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import { ACCOUNT_MAX, AccountRole, type OutcomeCommand, OutcomeOp } from '../protocol/commands.ts'
import { OutcomeEvent } from '../protocol/events.ts'
import { refuseField, reply } from './rows.ts'
import type { OutcomeState } from './state.ts'

/**
 * What an account's core wallet is doing: `funding` while a core-funded acceptance is pending, `moving` while its fill or a
 * withdrawal is a pending operation. At most one of either at a time (OM-209, OM-211).
 */
export const CoreState = { idle: 0, funding: 1, moving: 2 } as const

/** Accounts by their number; their money is in the ledger. */
export class AccountColumns extends CountedColumns {
  /** One more than the highest account bound so far. */
  count = 0
  /** 1 once bound. */
  bound = new Uint8Array(this.capacity)
  /** An `AccountRole`. */
  role = new Uint8Array(this.capacity)
  /** Current quote signer; its wallet, which signs as the account's number, until `setSigner`. */
  signer = new Int32Array(this.capacity)
  /** A `CoreState`. */
  core = new Uint8Array(this.capacity)
  /** RFQs that are open or in flight (OM-218). */
  openRfqs = new Int32Array(this.capacity)
  /** Risk of its live quotes together, in microUSDC (OM-220). */
  quotedMicros = new Float64Array(this.capacity)
  /** Core parts of all pending acceptances and fills of the vault, in microUSDC. */
  pendingCoreMicros = 0

  protected override rowCount(): number {
    return this.count
  }

  /** Whether the account has a venue identity. */
  has(account: number): boolean {
    return account < this.count && this.bound[account] === 1
  }
}

export function bindAccount(s: OutcomeState, c: OutcomeCommand): void {
  const { accounts, events } = s
  const { value: account, value2: role } = c
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
  events.open(s.nowUs, OutcomeEvent.accountBound, s.cause)
  // An account of −0 is account 0, whose bits the digest sees; so is a role.
  events.set(Field.account, account + 0)
  events.set(Field.code, role + 0)
  reply(s, c, OutcomeCode.ok)
}

const ANY = -1
/** Of an opcode that is none of a participants' command of the venue: the gate's too. */
export const NOBODY = -2

/** Why the sender may not send a command that is for `role`, or ok: its identity, then its role (OM-015). */
export function refusalOfSender(s: OutcomeState, c: OutcomeCommand, role: number): number {
  const { accounts } = s
  if (!accounts.has(c.account)) return OutcomeCode.identityNotFound
  return role === ANY || accounts.role[c.account] === role ? OutcomeCode.ok : OutcomeCode.forbidden
}

/** The role that a participants' command is for: an `AccountRole`, any or nobody's. */
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
