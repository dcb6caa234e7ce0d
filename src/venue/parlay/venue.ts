import type { PostingRows } from '../../ledger/postingRows.ts'
import { assert } from '../../unit/assert.ts'
import { NONE } from '../../unit/none.ts'
import { isOperators, type Venue } from '../contract.ts'
import { type EventRows } from '../eventRows.ts'
import { Machine } from '../machine.ts'
import { setWallet } from './machine/accounts.ts'
import { auctionDue, cancelCashout, openCashout } from './machine/auctions.ts'
import { bidExpiryDue, submitBid } from './machine/bids.ts'
import { commitCashout } from './machine/cashOutSales.ts'
import { deposit, submitTransaction, withdraw } from './machine/funds.ts'
import { changeMarket, listMarket } from './machine/markets.ts'
import { quoteExpiryDue, submitQuote, withdrawQuote } from './machine/quotes.ts'
import { cancelRequest, createRequest, evictionDue, requestExpiryDue, updateRequest } from './machine/requests.ts'
import { openReply, reply } from './machine/rows.ts'
import { commitRequest, confirmationDue, confirmSelection, declineSelection } from './machine/selections.ts'
import { resolveMarket, settlementDue } from './machine/settlement.ts'
import { DeadlineRank, ParlayState } from './machine/state.ts'
import { setFault, setFees } from './machine/terms.ts'
import { vaultTransactionDue } from './machine/vaultTransactions.ts'
import { StateView } from './machine/view.ts'
import { ParlayCode } from './protocol/codes.ts'
import { ACCOUNT_MAX, type ParlayCommand, ParlayOp } from './protocol/commands.ts'
import { ParlayEvent } from './protocol/events.ts'
import type { ParlayProfile } from './protocol/profile.ts'
import type { ParlayView } from './protocol/view.ts'

/** The parlay quote service, main line: requests, quotes, selections, positions, cash-outs, settlement, vaults. */
export interface ParlayVenue extends Venue<ParlayCommand> {
  readonly view: ParlayView
}

/** A parlay venue that writes what happens into `events` and movements of money into `postings`. */
export const parlayVenue = (profile: ParlayProfile, events: EventRows, postings: PostingRows): ParlayVenue =>
  new ParlayMachine(new ParlayState(profile, events, postings))

class ParlayMachine extends Machine<ParlayCommand, ParlayState> implements ParlayVenue {
  declare readonly view: ParlayView

  constructor(state: ParlayState) {
    super(state)
    this.view = new StateView(state)
  }

  protected override play(c: ParlayCommand): void {
    const s = this.s
    if (!isAccountOf(c)) return refuseAccount(s, c)
    switch (c.op) {
      case ParlayOp.listMarket: return listMarket(s, c)
      case ParlayOp.haltMarket: return changeMarket(s, c, ParlayEvent.marketHalted)
      case ParlayOp.resumeMarket: return changeMarket(s, c, ParlayEvent.marketResumed)
      case ParlayOp.delistMarket: return changeMarket(s, c, ParlayEvent.marketDelisted)
      case ParlayOp.resolveMarket: return resolveMarket(s, c)
      case ParlayOp.setFees: return setFees(s, c)
      case ParlayOp.setFault: return setFault(s, c)
      case ParlayOp.setWallet: return setWallet(s, c)
      case ParlayOp.deposit: return deposit(s, c)
      case ParlayOp.withdraw: return withdraw(s, c)
      case ParlayOp.walletWithdraw: return withdraw(s, c)
      case ParlayOp.submitTransaction: return submitTransaction(s, c)
      case ParlayOp.createRequest: return createRequest(s, c)
      case ParlayOp.updateRequest: return updateRequest(s, c)
      case ParlayOp.cancelRequest: return cancelRequest(s, c)
      case ParlayOp.commitRequest: return commitRequest(s, c)
      case ParlayOp.openCashout: return openCashout(s, c)
      case ParlayOp.cancelCashout: return cancelCashout(s, c)
      case ParlayOp.commitCashout: return commitCashout(s, c)
      case ParlayOp.submitQuote: return submitQuote(s, c)
      case ParlayOp.withdrawQuote: return withdrawQuote(s, c)
      case ParlayOp.confirmSelection: return confirmSelection(s, c)
      case ParlayOp.declineSelection: return declineSelection(s, c)
      case ParlayOp.submitBid: return submitBid(s, c)
      default: return reply(s, c, ParlayCode.invalid)
    }
  }

  protected override runDeadline(rank: number, number: number): void {
    const s = this.s
    switch (rank) {
      case DeadlineRank.vaultTransaction: return vaultTransactionDue(s, number)
      case DeadlineRank.quoteExpiry: return quoteExpiryDue(s, number)
      case DeadlineRank.confirmation: return confirmationDue(s, number)
      case DeadlineRank.requestExpiry: return requestExpiryDue(s, number)
      case DeadlineRank.settlement: return settlementDue(s, number)
      case DeadlineRank.eviction: return evictionDue(s, number)
      case DeadlineRank.bidExpiry: return bidExpiryDue(s, number)
      case DeadlineRank.auction: return auctionDue(s, number)
      default: assert(false, `unknown deadline rank ${rank}`)
    }
  }
}

/** Whether the account's number is in range. Account −1, nobody, only sends operator commands. */
const isAccountOf = ({ account, op }: ParlayCommand): boolean =>
  Number.isInteger(account) && account <= ACCOUNT_MAX && (account >= 0 || (account === NONE && isOperators(op)))

/** The reply shows the account as sent, and nobody (−1) in place of NaN. */
function refuseAccount(s: ParlayState, c: ParlayCommand): void {
  openReply(s, s.cause, Number.isNaN(c.account) ? NONE : c.account, c.op, ParlayCode.invalid, NONE)
}
