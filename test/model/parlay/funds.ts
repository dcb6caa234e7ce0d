import { PostingCause } from '../../../src/ledger/ledger.ts'
import { NONE } from '../../../src/unit/none.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { ParlayFault, ParlayOp, Token } from '../../../src/venue/parlay/protocol/commands.ts'
import { VaultEffect, VaultStatus } from '../../../src/venue/parlay/protocol/events.ts'
import type { ModelCommand } from './command.ts'
import type { Answer } from './namedRows.ts'
import { isIntegerIn } from './numbers.ts'
import { external, free, move, reserved, type Turn } from './rows.ts'
import { freeOf, isFaultOn, isFenced, pendingTransactions, sumOf } from './state.ts'
import { credit, writeWithdrawn } from './vaults.ts'
import { startTransaction } from './vaultTransactions.ts'

const NET_DEPOSITS_MAX_MICROS = 4_000_000_000_000_000

export function deposit(turn: Turn, command: ModelCommand): Answer {
  const { state } = turn
  const { account, amountMicros, value: token } = command
  if (!isIntegerIn(amountMicros, 1, turn.profile.depositMaxMicros) || !isIntegerIn(token, NONE, Token.other)) {
    return { code: ParlayCode.invalid }
  }
  const pending = pendingTransactions(state).filter((transaction) => transaction.effect === VaultEffect.deposit)
  const awaited = sumOf(pending, (transaction) => transaction.amountMicros)
  if (state.netDepositsMicros + awaited + amountMicros > NET_DEPOSITS_MAX_MICROS) return { code: ParlayCode.invalid }
  if (token === Token.bridgedUsdc || token === Token.other) return { code: ParlayCode.tokenNotCredited }
  if (isFaultOn(state, ParlayFault.chainDisabled)) return { code: ParlayCode.chainDisabled }
  if (isFenced(state, account)) return { code: ParlayCode.vaultFenced }
  const transaction = startTransaction(turn, { effect: VaultEffect.deposit, account, amountMicros })
  if (transaction === null) {
    credit(turn, account, amountMicros)
    return { code: ParlayCode.ok }
  }
  const code = transaction.status === VaultStatus.chainPending ? ParlayCode.chainPending : ParlayCode.balancePending
  return { code, transaction: transaction.number }
}

/** A wallet withdrawal is the same, for wallets are held to be empty. One that fails at the wallet has left the vault. */
export function withdraw(turn: Turn, command: ModelCommand): Answer {
  const { state } = turn
  const { account, amountMicros } = command
  if (!isIntegerIn(amountMicros, 1, turn.profile.withdrawMaxMicros)) return { code: ParlayCode.invalid }
  if (!state.accounts.get(account)?.hasVault) return { code: ParlayCode.noVault }
  if (isFaultOn(state, ParlayFault.chainDisabled)) return { code: ParlayCode.chainDisabled }
  if (isFenced(state, account)) return { code: ParlayCode.vaultFenced }
  if (amountMicros > freeOf(state, account)) return { code: ParlayCode.insufficientFunds }
  if (isFaultOn(state, ParlayFault.withdrawalFails)) return { code: ParlayCode.withdrawalFailed }
  const transaction = startTransaction(turn, { effect: VaultEffect.withdrawal, account, amountMicros })
  if (transaction !== null) {
    move(turn, PostingCause.hold, free(account), reserved(account), amountMicros)
    return { code: ParlayCode.recoveryPending, transaction: transaction.number }
  }
  move(turn, PostingCause.withdraw, free(account), external, amountMicros)
  writeWithdrawn(turn, account, amountMicros)
  if (command.op === ParlayOp.walletWithdraw && isFaultOn(state, ParlayFault.walletFails)) return { code: ParlayCode.partialVaultOnly, amountMicros }
  return { code: ParlayCode.ok }
}

export const submitTransaction = (turn: Turn): Answer =>
  ({ code: isFaultOn(turn.state, ParlayFault.chainDisabled) ? ParlayCode.chainDisabled : ParlayCode.ok })
