import { AccountKind } from '../../../src/ledger/ledger.ts'
import { ParlayEvent, PositionOutcome, QuoteState } from '../../../src/venue/parlay/protocol/events.ts'
import { profitFeeOf, termsOf } from './money.ts'
import { type Invariant, rowsOfKind } from './moment.ts'
import { openPositions, pendingRequests, sumOf } from './state.ts'

/** INV-01: what the venue shows as held, in pots, in escrow and at the house is what came in. */
export const conservation: Invariant = ({ after, view, accounts, rows, before }, claim) => {
  const totals = view.totals()
  const held = sumOf(accounts, (account) => view.balance(account).freeMicros + view.balance(account).reservedMicros)
  const positions = openPositions(after).map((position) => view.position(position.number)!)
  const pots = sumOf(positions, (position) => position.payoutMicros)
  const escrow = sumOf(positions, (position) => position.takerFeeMicros)
  const house = sumOf([...after.positions.values()], ({ settlement }) =>
    settlement === null ? 0 : settlement.profitFeeMicros + settlement.takerFeeKeptMicros)
  claim(totals.heldMicros === held && totals.potMicros === pots && totals.escrowMicros === escrow && totals.houseMicros === house,
    `totals ${JSON.stringify(totals)} are not held ${held}, pots ${pots}, escrow ${escrow}, house ${house}`)
  claim(held + pots + escrow + house === totals.netDepositsMicros, `${held + pots + escrow + house} is held of ${totals.netDepositsMicros}`)
  const moved = sumOf(rowsOfKind(rows, ParlayEvent.fundsDeposited), (row) => row.amountA) -
    sumOf(rowsOfKind(rows, ParlayEvent.fundsWithdrawn), (row) => row.amountA)
  claim(totals.netDepositsMicros === before.netDepositsMicros + moved, 'net deposits are not those that the events show')
}

/** INV-02: gross = free + locked, reserved is part of locked, and none is negative. */
export const balancesAddUp: Invariant = ({ view, accounts }, claim) => {
  for (const account of accounts) {
    const { freeMicros, reservedMicros, lockedMicros, grossMicros } = view.balance(account)
    claim(freeMicros + lockedMicros === grossMicros, `gross of account ${account}`)
    claim(freeMicros >= 0 && reservedMicros >= 0 && lockedMicros >= reservedMicros, `sign of a balance of account ${account}`)
    claim([freeMicros, reservedMicros, lockedMicros].every(Number.isSafeInteger), `balance of account ${account} is no integer`)
  }
}

/** INV-03: a maker's locked money covers the risk of its open positions and pending selections. */
export const riskIsLocked: Invariant = ({ after, view, accounts }, claim) => {
  for (const account of accounts) {
    const backed = openPositions(after).map((position) => view.position(position.number)!).filter((one) => one.backer === account)
    const selected = pendingRequests(after).map((request) => view.quote(request.selection.quote)!).filter((one) => one.maker === account)
    const risk = sumOf(backed, (one) => one.payoutMicros - one.stakeMicros) + sumOf(selected, (one) => one.riskMicros)
    claim(view.balance(account).lockedMicros >= risk, `account ${account} locks less than ${risk}`)
  }
}

/** INV-04 and INV-05: pot = user_stake + mm_risk = total_payout; stake + fee = bet, by the floor formulas. */
export const termsOfPositions: Invariant = ({ after, view }, claim) => {
  for (const position of openPositions(after)) {
    const shown = view.position(position.number)!
    const terms = termsOf(position.betMicros, shown.takerFeeBps, position.oddsE4)
    claim(shown.stakeMicros + shown.takerFeeMicros === position.betMicros, `stake and fee of position ${position.number}`)
    claim(shown.takerFeeMicros === terms.takerFeeMicros, `taker fee of position ${position.number}`)
    claim(shown.payoutMicros === terms.payoutMicros, `payout of position ${position.number}`)
    claim(position.stakeMicros + position.riskMicros === shown.payoutMicros, `pot of position ${position.number}`)
  }
}

/** INV-06: a pot and its escrow are paid out once and in full. */
export const paidOnceInFull: Invariant = ({ before, after, rows, postings }, claim) => {
  for (const row of rowsOfKind(rows, ParlayEvent.positionSettled)) {
    const position = after.positions.get(row.position)!
    const whole = position.payoutMicros + position.takerFeeMicros
    claim((before.positions.get(row.position)?.settlement ?? null) === null, `position ${row.position} settled twice`)
    claim(row.amountA + row.amountB + row.amountC + row.amountD === whole, `position ${row.position} did not pay out ${whole}`)
    const paid = postings.filter(({ debitKind, debitOwner }) =>
      debitOwner === row.position && (debitKind === AccountKind.pot || debitKind === AccountKind.escrow))
    claim(sumOf(paid, (posting) => posting.amountMicros) === whole, `postings of position ${row.position} do not move ${whole}`)
  }
}

/** INV-07: a winner gets at most the total payout, less the fee on its profit alone. */
export const winnersGetNoMore: Invariant = ({ after, rows }, claim) => {
  for (const row of rowsOfKind(rows, ParlayEvent.positionSettled)) {
    const { payoutMicros, stakeMicros, profitFeeBps } = after.positions.get(row.position)!
    const profit = row.code === PositionOutcome.won ? payoutMicros - stakeMicros : 0
    claim(row.code !== PositionOutcome.won || row.amountA <= payoutMicros, `winner of position ${row.position}`)
    claim(row.amountC === profitFeeOf(profit, profitFeeBps), `profit fee of position ${row.position}`)
  }
}

/** INV-08: the fee rates of a position are those at its creation. */
export const feeRatesStay: Invariant = ({ before, view }, claim) => {
  for (const { number, takerFeeBps, profitFeeBps } of openPositions(before)) {
    const shown = view.position(number)
    claim(shown === null || (shown.takerFeeBps === takerFeeBps && shown.profitFeeBps === profitFeeBps), `fee rates of position ${number}`)
  }
}

const MOVES_GROSS: readonly number[] = [
  ParlayEvent.positionOpened, ParlayEvent.positionSettled, ParlayEvent.fundsDeposited, ParlayEvent.fundsWithdrawn,
]

/** INV-10: a failed commit leaves gross balances alone and gives back what was held. */
export const failedCommitMovesNothing: Invariant = ({ rows, view, grossBefore, after, before }, claim) => {
  const failed = rowsOfKind(rows, ParlayEvent.quoteFailed)
  if (failed.length === 0 || rows.some((row) => MOVES_GROSS.includes(row.kind))) return
  for (const [account, gross] of grossBefore) claim(view.balance(account).grossMicros === gross, `gross balance of account ${account}`)
  const selectsAgain = rows.some((row) => row.kind === ParlayEvent.quoteSelected)
  for (const row of failed) {
    const quote = before.quotes.get(row.quote)!
    claim(quote.state === QuoteState.reserved, `quote ${row.quote} failed without being selected`)
    if (selectsAgain) continue
    const released = (account: number) => sumOf(failed, (one) => {
      const other = before.quotes.get(one.quote)!
      return (one.other === account ? before.requests.get(one.request)!.betMicros : 0) + (other.maker === account ? other.riskMicros : 0)
    })
    for (const account of [row.account, row.other]) {
      const freed = (after.accounts.get(account)?.freeMicros ?? 0) - (before.accounts.get(account)?.freeMicros ?? 0)
      claim(freed === released(account), `account ${account} got ${freed} back of ${released(account)}`)
    }
  }
}

/** INV-23: a withdrawal takes no more than was free. */
export const withdrawalsAreFree: Invariant = ({ rows, middle, view }, claim) => {
  for (const row of rowsOfKind(rows, ParlayEvent.fundsWithdrawn)) {
    claim(row.amountA <= middle.accounts.get(row.account)!.freeMicros, `withdrawal of account ${row.account}`)
    claim(row.amountB === view.balance(row.account).freeMicros, `balance after the withdrawal of account ${row.account}`)
  }
}

const LAST_CAUSE = 9

/** INV-29: every posting names two different ledger accounts, a cause of the main line and a positive amount. */
export const postingsBalance: Invariant = ({ postings }, claim) => {
  for (const posting of postings) {
    claim(posting.cause >= 1 && posting.cause <= LAST_CAUSE, `cause ${posting.cause} of a posting`)
    claim(Number.isSafeInteger(posting.amountMicros) && posting.amountMicros > 0, `amount ${posting.amountMicros} of a posting`)
    claim(posting.debitKind !== posting.creditKind || posting.debitOwner !== posting.creditOwner, 'a posting from an account to itself')
  }
}
