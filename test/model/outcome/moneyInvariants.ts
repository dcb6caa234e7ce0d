import { AccountKind, PostingCause } from '../../../src/ledger/ledger.ts'
import { NONE } from '../../../src/unit/none.ts'
import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { OperationKind, OperationStatus, OutcomeEvent, PositionOutcome } from '../../../src/venue/outcome/protocol/events.ts'
import { netStakeOf } from './money.ts'
import { changedOf, type Invariant } from './moment.ts'
import { rowsOfKind } from './namedRows.ts'
import { freeOf, heldOf, pendingAcceptances, pendingOperations, potsOf, reservedOf, sumOf } from './state.ts'
import { balanceIn } from './tally.ts'

/** INV-01: what is held, in pots and at the house is what came in, as the rows tell it. */
export const conservation: Invariant = ({ after, tally }, claim) => {
  const heldMicros = sumOf([...after.accounts.keys()], (account) => heldOf(after, account))
  claim(heldMicros + potsOf(after) + after.houseMicros === after.netDepositsMicros, `${heldMicros} held of ${after.netDepositsMicros}`)
  const { netDepositsMicros } = after
  claim(netDepositsMicros === tally.netDepositsMicros, `net deposits ${netDepositsMicros}, by the rows ${tally.netDepositsMicros}`)
  claim(after.houseMicros === tally.feesMicros, `house ${after.houseMicros}, fees by the rows ${tally.feesMicros}`)
  claim(after.houseMicros === balanceIn(tally, AccountKind.house, -1), 'the house by the postings')
}

/** INV-02: free and reserved money are what the postings made them, and none is negative. */
export const balancesAddUp: Invariant = ({ after, tally }, claim) => {
  for (const account of after.accounts.keys()) {
    const free = freeOf(after, account)
    const reserved = reservedOf(after, account)
    claim(free >= 0 && free === balanceIn(tally, AccountKind.free, account), `free money ${free} of account ${account}`)
    claim(reserved >= 0 && reserved === balanceIn(tally, AccountKind.reserved, account), `reserved money ${reserved} of account ${account}`)
  }
}

/** INV-03: a maker's risk is reserved while its acceptances and fills are pending, and in the pot then. */
export const riskIsLocked: Invariant = ({ after, tally }, claim) => {
  const risks = new Map<number, number>()
  const add = (maker: number, riskMicros: number) => risks.set(maker, (risks.get(maker) ?? 0) + riskMicros)
  for (const { maker, riskMicros } of pendingAcceptances(after)) add(maker, riskMicros)
  for (const { fill } of pendingOperations(after)) if (fill !== null) add(fill.maker, fill.riskMicros)
  for (const [maker, riskMicros] of risks) claim(balanceIn(tally, AccountKind.reserved, maker) >= riskMicros, `risk of maker ${maker}`)
}

/** INV-04: an open position's pot is its net stake and risk. INV-05: net stake and entry fee are the stake, the fee by its formula. */
export const termsOfPositions: Invariant = ({ before, after, rows, tally }, claim) => {
  for (const [, { number, payoutMicros }] of changedOf(before.positions, after.positions)) {
    claim(balanceIn(tally, AccountKind.pot, number) === payoutMicros, `pot of position ${number}`)
  }
  for (const [former, position] of changedOf(before.positions, after.positions)) {
    if (former !== undefined) continue
    const { number, netStakeMicros, entryFeeMicros, costMicros, payoutMicros, quote } = position
    claim(costMicros === netStakeMicros + entryFeeMicros || rows.some((row) => row.kind === OutcomeEvent.positionTransferred),
      `stake of position ${number}`)
    const bps = rowsOfKind(rows, OutcomeEvent.positionOpened).length > 0 ? after.quotes.get(quote)?.takerFeeBps : undefined
    if (bps !== undefined) claim(netStakeMicros === netStakeOf(netStakeMicros + entryFeeMicros, bps), `entry fee of position ${number}`)
    claim(payoutMicros > netStakeMicros, `payout of position ${number}`)
  }
}

/** INV-06: the pot of a position that ended is empty, and was paid out in full. */
export const paidOnceInFull: Invariant = ({ before, after, rows, postings, tally }, claim) => {
  for (const { number, payoutMicros } of before.positions.values()) {
    if (after.positions.has(number)) continue
    const paid = postings.filter(({ debitKind, debitOwner }) => debitKind === AccountKind.pot && debitOwner === number)
    claim(sumOf(paid, (posting) => posting.amountMicros) === payoutMicros, `paid of position ${number}`)
    claim(balanceIn(tally, AccountKind.pot, number) === 0, `rest of position ${number}`)
    const ends = rowsOfKind(rows, OutcomeEvent.positionSettled, OutcomeEvent.positionClosed).filter((row) => row.position === number)
    claim(ends.length === 1, `${ends.length} ends of position ${number}`)
  }
}

/** INV-07: a winner gets no more than the payout; without profit there is no fee. */
export const winnersGetNoMore: Invariant = ({ before, rows }, claim) => {
  for (const row of rowsOfKind(rows, OutcomeEvent.positionSettled)) {
    const position = before.positions.get(row.position)
    if (position === undefined) continue
    claim(row.toHolderMicros + row.toBackerMicros + row.profitFeeMicros === position.payoutMicros, `amounts of settled position ${row.position}`)
    const isFree = row.outcome !== PositionOutcome.won || position.payoutMicros <= position.basisMicros
    claim(!isFree || row.profitFeeMicros === 0, `fee of position ${row.position}`)
  }
  for (const row of rowsOfKind(rows, OutcomeEvent.positionClaimed)) {
    const settled = rowsOfKind(rows, OutcomeEvent.positionSettled).find((one) => one.position === row.position)
    claim(settled?.outcome === PositionOutcome.won, `claim of position ${row.position} that did not win`)
  }
}

/** INV-08: a position's fee rate is that of its quote, for life. */
export const feeRatesStay: Invariant = ({ before, after }, claim) => {
  for (const [former, position] of changedOf(before.positions, after.positions)) {
    const feeBps = former?.feeBps ?? after.quotes.get(position.quote)?.feeBps
    claim(feeBps === undefined || position.feeBps === feeBps, `fee rate of position ${position.number}`)
  }
}

/** INV-10: a failed acceptance, fill, cash-out or withdrawal gives back exactly what it held. */
export const failureMovesNothing: Invariant = ({ before, middle, rows, postings }, claim) => {
  const released = (account: number, request: number): number => sumOf(postings.filter((posting) => posting.cause === PostingCause.release &&
    posting.creditOwner === account && posting.debitOwner === account && posting.request === request), (posting) => posting.amountMicros)
  for (const row of rowsOfKind(rows, OutcomeEvent.quoteFailed)) {
    const acceptance = before.acceptances.get(row.acceptance)
    if (acceptance === undefined) continue
    const { taker, maker, riskMicros, stakeMicros, coreMicros, rfq } = acceptance
    claim(released(taker, rfq) === Math.max(0, stakeMicros - coreMicros), `released to the taker of acceptance ${row.acceptance}`)
    claim(released(maker, rfq) === riskMicros, `released to the maker of acceptance ${row.acceptance}`)
  }
  for (const row of rowsOfKind(rows, OutcomeEvent.operationUpdated)) {
    if (row.status !== OperationStatus.failed) continue
    const { account, kind, amountMicros, fill } = (before.operations.get(row.operation) ?? middle.operations.get(row.operation))!
    const stakeMicros = kind === OperationKind.fill ? fill!.stakeMicros - fill!.coreMicros : 0
    claim(released(account, fill?.rfq ?? NONE) === (fill === null ? amountMicros : stakeMicros), `released of operation ${row.operation}`)
    if (fill !== null) claim(released(fill.maker, fill.rfq) === fill.riskMicros, `released to the maker of operation ${row.operation}`)
    const moved = postings.some(({ debitKind, request }) => debitKind === AccountKind.pot && request === (fill?.rfq ?? NONE))
    claim(fill === null || !moved, `pot money of operation ${row.operation}, which failed`)
  }
}

const OUTWARD: readonly number[] = [OutcomeOp.withdraw, OutcomeOp.reduceCollateral]

/** INV-23: nothing leaves but what was free when it was asked for. */
export const withdrawalsAreFree: Invariant = ({ command, middle, rows, postings }, claim) => {
  if (command !== null && OUTWARD.includes(command.op)) {
    const isTaken = rowsOfKind(rows, OutcomeEvent.reply).some((row) => row.cause === command.seq && row.code === OutcomeCode.ok)
    if (isTaken) claim(command.amountMicros <= freeOf(middle, command.account), `withdrawal of account ${command.account}`)
  }
  const outward = postings.filter(({ creditKind }) => creditKind === AccountKind.external)
  for (const { debitKind } of outward) claim(debitKind === AccountKind.reserved, 'money went out that was not held')
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
