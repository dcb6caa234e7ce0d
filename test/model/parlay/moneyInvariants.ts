import { AccountKind } from '../../../src/ledger/ledger.ts'
import { ParlayEvent, PositionOutcome, QuoteState, VaultEffect } from '../../../src/venue/parlay/protocol/events.ts'
import { profitFeeOf, termsOf } from './money.ts'
import type { Invariant } from './moment.ts'
import { isOfKind, rowsOfKind } from './namedRows.ts'
import { freeOf, houseOf, isFenced, openPositions, pendingRequests, pendingTransactions, sumOf } from './state.ts'

/** INV-01: what the venue shows as held, in pots, in escrow and at the house is what came in. */
export const conservation: Invariant = ({ after, view, accounts, rows, before }, claim) => {
  const totals = view.totals()
  const held = sumOf(accounts, (account) => view.balance(account).freeMicros + view.balance(account).reservedMicros)
  const positions = openPositions(after).map((position) => view.position(position.number)!)
  const pots = sumOf(positions, (position) => position.payoutMicros)
  const escrow = sumOf(positions, (position) => position.takerFeeMicros)
  const house = houseOf(after)
  claim(totals.heldMicros === held && totals.potMicros === pots && totals.escrowMicros === escrow && totals.houseMicros === house,
    `totals ${JSON.stringify(totals)} are not held ${held}, pots ${pots}, escrow ${escrow}, house ${house}`)
  claim(held + pots + escrow + house === totals.netDepositsMicros, `${held + pots + escrow + house} is held of ${totals.netDepositsMicros}`)
  const moved = sumOf(rowsOfKind(rows, ParlayEvent.fundsDeposited), (row) => row.amountMicros) -
    sumOf(rowsOfKind(rows, ParlayEvent.fundsWithdrawn), (row) => row.amountMicros)
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

/** INV-06: a pot and its escrow are paid out once and in full, at a settlement, a buyback or the failure of the fill. */
export const paidOnceInFull: Invariant = ({ before, after, rows, postings }, claim) => {
  for (const row of rowsOfKind(rows, ParlayEvent.positionSettled, ParlayEvent.positionBoughtBack, ParlayEvent.positionFailed)) {
    const { payoutMicros, takerFeeMicros, end } = after.positions.get(row.position)!
    const whole = payoutMicros + takerFeeMicros
    const isBoughtBack = row.kind === ParlayEvent.positionBoughtBack
    const shownFees = isOfKind(row, ParlayEvent.positionSettled) ? row.profitFeeMicros + row.takerFeeKeptMicros : 0
    const fees = isBoughtBack ? end!.profitFeeMicros + end!.takerFeeKeptMicros : shownFees
    const shown = row.toHolderMicros + row.toBackerMicros + fees
    claim((before.positions.get(row.position)?.end ?? null) === null, `position ${row.position} ended twice`)
    claim(shown === whole, `position ${row.position} did not pay out ${whole}`)
    const paid = postings.filter(({ debitKind, debitOwner }) =>
      debitOwner === row.position && (debitKind === AccountKind.pot || debitKind === AccountKind.escrow))
    claim(sumOf(paid, (posting) => posting.amountMicros) === whole, `postings of position ${row.position} do not move ${whole}`)
  }
}

/** INV-07: a winner gets at most the total payout, less the fee on its profit alone; a seller at most the price. */
export const winnersGetNoMore: Invariant = ({ after, rows, profile }, claim) => {
  for (const row of rowsOfKind(rows, ParlayEvent.positionSettled)) {
    const { payoutMicros, stakeMicros, profitFeeBps, holdings } = after.positions.get(row.position)!
    const profit = row.outcome === PositionOutcome.won ? payoutMicros - holdings.at(-1)!.basisMicros
      : row.outcome === PositionOutcome.lost && profile.profitFeeOnMaker === 1 ? stakeMicros : 0
    claim(row.outcome !== PositionOutcome.won || row.toHolderMicros <= payoutMicros, `winner of position ${row.position}`)
    claim(row.profitFeeMicros === profitFeeOf(profit, profitFeeBps), `profit fee of position ${row.position}`)
  }
  for (const row of rowsOfKind(rows, ParlayEvent.auctionCommitted)) {
    const { payoutMicros } = after.positions.get(row.position)!
    const isFeeOfPrice = row.profitFeeMicros >= 0 && row.profitFeeMicros <= row.priceMicros
    claim(row.priceMicros <= payoutMicros && isFeeOfPrice, `price in auction ${row.auction}`)
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
  ParlayEvent.positionOpened, ParlayEvent.positionSettled, ParlayEvent.positionBoughtBack, ParlayEvent.positionTransferred,
  ParlayEvent.positionFailed, ParlayEvent.fundsDeposited, ParlayEvent.fundsWithdrawn,
]
const HOLDS: readonly number[] = [ParlayEvent.quoteSelected, ParlayEvent.vaultTransactionStarted, ParlayEvent.vaultTransactionChanged]

/** INV-10: a failed commit leaves gross balances alone and gives back what was held. */
export const failedCommitMovesNothing: Invariant = ({ rows, view, grossBefore, after, before }, claim) => {
  const failed = rowsOfKind(rows, ParlayEvent.quoteFailed)
  if (failed.length === 0 || rows.some((row) => MOVES_GROSS.includes(row.kind))) return
  for (const [account, gross] of grossBefore) claim(view.balance(account).grossMicros === gross, `gross balance of account ${account}`)
  const holdsElse = rows.some((row) => HOLDS.includes(row.kind))
  for (const row of failed) {
    const quote = before.quotes.get(row.quote)!
    claim(quote.state === QuoteState.reserved, `quote ${row.quote} failed without being selected`)
    if (holdsElse) continue
    const released = (account: number) => sumOf(failed, (one) => {
      const other = before.quotes.get(one.quote)!
      return (one.owner === account ? before.requests.get(one.request)!.betMicros : 0) + (other.maker === account ? other.riskMicros : 0)
    })
    for (const account of [row.maker, row.owner]) {
      const freed = (after.accounts.get(account)?.freeMicros ?? 0) - (before.accounts.get(account)?.freeMicros ?? 0)
      claim(freed === released(account), `account ${account} got ${freed} back of ${released(account)}`)
    }
  }
}

/**
 * INV-23: a withdrawal takes no more than was free, or was held for it. No call takes free money out of a vault that is fenced
 * before it, and no deadline any at all; what is held, and pots, move under a fence too.
 */
export const withdrawalsAreFree: Invariant = ({ rows, middle, view, command, postings, ownPostings, before }, claim) => {
  for (const row of rowsOfKind(rows, ParlayEvent.fundsWithdrawn)) {
    if (row.cause === command?.seq) {
      claim(row.amountMicros <= freeOf(middle, row.account), `withdrawal of account ${row.account}`)
      claim(row.grossBalanceMicros === view.balance(row.account).grossMicros, `balance after the withdrawal of account ${row.account}`)
    } else {
      const held = pendingTransactions(before).some(({ effect, account, amountMicros }) =>
        effect === VaultEffect.withdrawal && account === row.account && amountMicros === row.amountMicros)
      claim(held, `withdrawal of account ${row.account} that nothing held`)
    }
  }
  for (const posting of postings.filter((one) => one.debitKind === AccountKind.free)) {
    const isCalls = ownPostings.includes(posting)
    claim(isCalls && !isFenced(middle, posting.debitOwner), `free money of account ${posting.debitOwner} under a fence, or at a deadline`)
  }
}

/** A vault is fenced exactly while transactions of it, counted from the rows, are pending. */
export const fencesCount: Invariant = ({ view, accounts, tally }, claim) => {
  for (const account of accounts) {
    const pending = tally.pendingTransactions.get(account) ?? 0
    claim(view.balance(account).fenced === pending > 0, `fence of account ${account} with ${pending} pending transactions`)
  }
}

/** free + reserved + backed risk + Σ cost of held = deposits − withdrawals + realized_pnl + maker's line, and the counts add up. */
export const portfolioAddsUp: Invariant = ({ view, accounts, tally }, claim) => {
  for (const account of accounts) {
    const { balance, stats, counts, summary } = view.portfolio(account)
    const positions = view.positionsOf(account).map((number) => view.position(number)!)
    const held = positions.filter((one) => one.holder === account)
    const risk = sumOf(positions.filter((one) => one.backer === account), (one) => one.payoutMicros - one.stakeMicros)
    const cost = sumOf(held, (one) => one.costMicros)
    const net = tally.netDepositsMicros.get(account) ?? 0
    claim(balance.freeMicros + balance.reservedMicros + risk + cost === net + stats.realizedPnlMicros + stats.makerRealizedMicros,
      `portfolio of account ${account}`)
    claim(summary.activeBetMicros === cost && summary.portfolioMicros === balance.grossMicros + cost, `value of portfolio ${account}`)
    claim(summary.activeCount === held.length && counts.confirmed + counts.executed === held.length, `positions of portfolio ${account}`)
    claim(stats.totalParlays === held.length + counts.totalSettled + counts.totalFailed, `parlays of portfolio ${account}`)
    claim(stats.wins + stats.losses <= counts.totalSettled && stats.totalWageredMicros >= cost, `statistics of portfolio ${account}`)
  }
}

const LAST_CAUSE = 11

/** INV-29: every posting names two different ledger accounts, a cause and a positive amount. */
export const postingsBalance: Invariant = ({ postings }, claim) => {
  for (const posting of postings) {
    claim(posting.cause >= 1 && posting.cause <= LAST_CAUSE, `cause ${posting.cause} of a posting`)
    claim(Number.isSafeInteger(posting.amountMicros) && posting.amountMicros > 0, `amount ${posting.amountMicros} of a posting`)
    claim(posting.debitKind !== posting.creditKind || posting.debitOwner !== posting.creditOwner, 'a posting from an account to itself')
  }
}
