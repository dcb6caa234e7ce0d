import { PostingCause } from '../../../src/ledger/ledger.ts'
import { NONE } from '../../../src/unit/none.ts'
import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { AccountRole } from '../../../src/venue/outcome/protocol/commands.ts'
import { OperationKind, OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import type { Call } from './call.ts'
import type { ModelCommand } from './command.ts'
import { isInteger, isIntegerIn, usOfMs, usOfSecond } from './numbers.ts'
import { startOperation } from './operations.ts'
import { external, free, invalid, move, OK, reserved, type Turn, write } from './rows.ts'
import { reductionTag, refusalOfSignature, walletOf, withdrawalTag } from './signatures.ts'
import { coreOf, freeOf, heldOf, put, type Reduction } from './state.ts'

/** A participant takes money out, with or without an Exit. */
export const withdraw: Call = {
  role: AccountRole.participant,
  stopsWithFinancialActions: true,
  fieldsRefusal({ profile, atUs }, { amountMicros, exitUntilS, validAfterS, validBeforeS }) {
    if (!isIntegerIn(amountMicros, 1, profile.withdrawMaxMicros)) return invalid('amount')
    const [leastUs, mostUs] = exitWindowOf(profile, atUs)
    const isExit = exitUntilS !== NONE
    const isExitInWindow = isInteger(exitUntilS) && usOfSecond(exitUntilS) >= leastUs && usOfSecond(exitUntilS) <= mostUs
    if (isExit && !isExitInWindow) return invalid('exitExpiry')
    if (!isIntegerIn(validAfterS, 0, Number.MAX_SAFE_INTEGER) || usOfSecond(validAfterS) > atUs) return invalid('validAfter')
    const isInSpan = isInteger(validBeforeS) &&
      usOfSecond(validBeforeS) <= usOfSecond(validAfterS) + usOfMs(profile.payoutSpanMaxMs) &&
      usOfSecond(validBeforeS) >= (isExit ? usOfSecond(exitUntilS) : atUs) + usOfMs(profile.payoutAfterMs)
    return isInSpan ? null : invalid('validBefore')
  },
  perform(turn, command) {
    const { state } = turn
    const { account, amountMicros, exitUntilS, validBeforeS } = command
    const refusal = refusalOfSignature(command, withdrawalTag(state, account, command), walletOf(account))
    if (refusal !== null) return refusal
    const core = coreOf(state, account)
    if (core === 'moving') return { code: OutcomeCode.coreMoveInFlight }
    if (core === 'funding') return { code: OutcomeCode.coreFundingConflict }
    if (freeOf(state, account) < amountMicros) return { code: OutcomeCode.stateConflict }
    move(turn, PostingCause.hold, free(account), reserved(account), amountMicros)
    const start = { kind: OperationKind.withdrawal, account, amountMicros, validBeforeS, exitUntilS, fill: null }
    const { number, stepAtUs } = startOperation(turn, start)
    return { ...OK, operation: number, nextStepAtUs: stepAtUs! }
  },
}

/** Nearest and furthest instant of an Exit's expiry; the margin narrows the one end or the other (readings B15). */
export function exitWindowOf(profile: OutcomeProfile, atUs: number): [leastUs: number, mostUs: number] {
  const { exitAheadMinMs, exitAheadMaxMs, exitMarginMs, exitMarginAtNear } = profile
  return exitMarginAtNear === 1
    ? [atUs + usOfMs(exitAheadMinMs + exitMarginMs), atUs + usOfMs(exitAheadMaxMs)]
    : [atUs + usOfMs(exitAheadMinMs), atUs + usOfMs(exitAheadMaxMs - exitMarginMs)]
}

/** A maker lowers its collateral: the money is no capital any more, and leaves after the delay. */
export const reduceCollateral: Call = {
  role: AccountRole.maker,
  stopsWithFinancialActions: true,
  fieldsRefusal: ({ profile }, { amountMicros }) => (isIntegerIn(amountMicros, 1, profile.withdrawMaxMicros) ? null : invalid('amount')),
  perform(turn: Turn, command: ModelCommand) {
    const { state, profile } = turn
    const { account, amountMicros } = command
    const refusal = refusalOfSignature(command, reductionTag(state, account, command), walletOf(account))
    if (refusal !== null) return refusal
    if (freeOf(state, account) < amountMicros) return { code: OutcomeCode.stateConflict }
    move(turn, PostingCause.hold, free(account), reserved(account), amountMicros)
    const { number, releasesAtUs } = put(state.reductions, {
      number: ++state.lastReduction, maker: account, amountMicros, releasesAtUs: turn.atUs + usOfMs(profile.reductionDelayMs),
    })
    write(turn, OutcomeEvent.reductionStarted, { account, amountMicros, reduction: number, releaseAtUs: releasesAtUs })
    return { ...OK, reduction: number, releaseAtUs: releasesAtUs }
  },
}

/** The delay of a reduction is over. */
export function release(turn: Turn, { number, maker, amountMicros }: Reduction): void {
  move(turn, PostingCause.withdraw, reserved(maker), external, amountMicros)
  turn.state.reductions.delete(number)
  write(turn, OutcomeEvent.fundsWithdrawn, {
    account: maker, amountMicros, accountBalanceMicros: heldOf(turn.state, maker), reduction: number,
  })
}
