import type { PostingRows } from '../../ledger/postingRows.ts'
import { assert } from '../../unit/assert.ts'
import { NONE } from '../../unit/none.ts'
import { isOperators, type Venue } from '../contract.ts'
import { rowAs } from '../eventCells.ts'
import { type EventRows } from '../eventRows.ts'
import { Machine } from '../machine.ts'
import { acceptQuote, confirmationDue, confirmQuote, declineQuote } from './machine/acceptances.ts'
import { bindAccount, NOBODY, refusalOfSender, roleOf } from './machine/accounts.ts'
import { openCashout } from './machine/cashOuts.ts'
import { Forgotten } from './machine/forgetting.ts'
import { operationDue } from './machine/operationSteps.ts'
import { changeOutcome, listOutcome } from './machine/outcomes.ts'
import { cancelQuote, quoteExpiryDue, quoteHiddenDue, submitQuote } from './machine/quotes.ts'
import { resolveOutcome } from './machine/results.ts'
import { cancelRfq, createRfq, rfqForgettingDue, rfqWindowDue } from './machine/rfqs.ts'
import { openReply, refuseField, reply } from './machine/rows.ts'
import { settlementDue } from './machine/settlement.ts'
import { DeadlineRank, OutcomeState } from './machine/state.ts'
import { setFault, setFees } from './machine/terms.ts'
import { deposit, reduceCollateral, reductionDue, setSigner, withdraw } from './machine/vault.ts'
import { StateView } from './machine/view.ts'
import { InvalidField, OutcomeCode } from './protocol/codes.ts'
import { ACCOUNT_MAX, type OutcomeCommand, OutcomeOp } from './protocol/commands.ts'
import { FieldRefusal, OutcomeEvent } from './protocol/events.ts'
import type { OutcomeProfile } from './protocol/profile.ts'
import { cheapTermsTag, type TermsDigest } from './protocol/terms.ts'
import type { OutcomeView } from './protocol/view.ts'

/** The outcome-market RFQ service: RFQs, quotes, acceptances, operations, positions, capital, settlement. */
export interface OutcomeVenue extends Venue<OutcomeCommand> {
  readonly view: OutcomeView
}

/**
 * An outcome venue that writes what happens into `events` and what money moves into `postings`. Signed commands carry the
 * fingerprint that `digest` makes of their terms.
 */
export const outcomeVenue = (
  profile: OutcomeProfile, events: EventRows, postings: PostingRows, digest: TermsDigest = cheapTermsTag,
): OutcomeVenue => new OutcomeMachine(new OutcomeState(profile, events, postings, digest))

class OutcomeMachine extends Machine<OutcomeCommand, OutcomeState> implements OutcomeVenue {
  declare readonly view: OutcomeView

  constructor(state: OutcomeState) {
    super(state)
    this.view = new StateView(state)
  }

  protected override play(c: OutcomeCommand): void {
    const { s } = this
    if (!isAccountOf(c)) return refuseAccount(s, c)
    if (isOperators(c.op)) playOperator(s, c)
    else playParticipant(s, c)
  }

  protected override runDeadline(rank: number, number: number): void {
    const { s } = this
    switch (rank) {
      case DeadlineRank.operation: return operationDue(s, number)
      case DeadlineRank.quoteHidden: return quoteHiddenDue(s, number)
      case DeadlineRank.quoteExpiry: return quoteExpiryDue(s, number)
      case DeadlineRank.confirmation: return confirmationDue(s, number)
      case DeadlineRank.rfqWindow: return rfqWindowDue(s, number)
      case DeadlineRank.settlement: return settlementDue(s, number)
      case DeadlineRank.reduction: return reductionDue(s, number)
      case DeadlineRank.forgetting: return forgettingDue(s, number)
      default: assert(false, `unknown deadline rank ${rank}`)
    }
  }
}

function playParticipant(s: OutcomeState, c: OutcomeCommand): void {
  const role = roleOf(c.op)
  if (role === NOBODY) return refuseField(s, c, InvalidField.op)
  const refusal = refusalOfSender(s, c, role)
  if (refusal !== OutcomeCode.ok) return reply(s, c, refusal)
  switch (c.op) {
    case OutcomeOp.deposit: return deposit(s, c)
    case OutcomeOp.withdraw: return withdraw(s, c)
    case OutcomeOp.reduceCollateral: return reduceCollateral(s, c)
    case OutcomeOp.setSigner: return setSigner(s, c)
    case OutcomeOp.createRfq: return createRfq(s, c)
    case OutcomeOp.cancelRfq: return cancelRfq(s, c)
    case OutcomeOp.openCashout: return openCashout(s, c)
    case OutcomeOp.acceptQuote: return acceptQuote(s, c)
    case OutcomeOp.submitQuote: return submitQuote(s, c)
    case OutcomeOp.cancelQuote: return cancelQuote(s, c)
    case OutcomeOp.confirmQuote: return confirmQuote(s, c)
    case OutcomeOp.declineQuote: return declineQuote(s, c)
    default: assert(false, `opcode ${c.op} without a transition`)
  }
}

function playOperator(s: OutcomeState, c: OutcomeCommand): void {
  switch (c.op) {
    case OutcomeOp.listOutcome: return listOutcome(s, c)
    case OutcomeOp.haltOutcome: return changeOutcome(s, c, OutcomeEvent.outcomeHalted)
    case OutcomeOp.resumeOutcome: return changeOutcome(s, c, OutcomeEvent.outcomeResumed)
    case OutcomeOp.delistOutcome: return changeOutcome(s, c, OutcomeEvent.outcomeDelisted)
    case OutcomeOp.resolveOutcome: return resolveOutcome(s, c)
    case OutcomeOp.setFees: return setFees(s, c)
    case OutcomeOp.setFault: return setFault(s, c)
    case OutcomeOp.bindAccount: return bindAccount(s, c)
    default: return refuseField(s, c, InvalidField.op)
  }
}

/** Deadline: a retention is over. It leaves no rows. */
function forgettingDue(s: OutcomeState, coded: number): void {
  const kind = coded % 2
  const number = (coded - kind) / 2
  if (kind === Forgotten.rfq) rfqForgettingDue(s, number)
  else s.operations.index.release(number)
}

/** Whether the account's number is in range; nobody's, −1, only sends operator commands. */
const isAccountOf = ({ account, op }: OutcomeCommand): boolean =>
  Number.isInteger(account) && account <= ACCOUNT_MAX && (account >= 0 || (account === NONE && isOperators(op)))

/** The reply shows the account as sent, nobody in place of NaN. */
function refuseAccount(s: OutcomeState, c: OutcomeCommand): void {
  const row = openReply(s, s.cause, Number.isNaN(c.account) ? NONE : c.account, c.op, OutcomeCode.invalidRequest)
  s.events.write(rowAs(FieldRefusal, row), FieldRefusal.invalidField, InvalidField.account)
}
