import { PostingCause } from '../../../src/ledger/ledger.ts'
import { NONE } from '../../../src/unit/none.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { ParlayFault, Token } from '../../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent, VaultEffect, VaultStatus } from '../../../src/venue/parlay/protocol/events.ts'
import type { ModelCommand } from './command.ts'
import type { Answer } from './namedRows.ts'
import { isIntegerIn } from './operator.ts'
import { external, free, move, reserved, type Turn, write } from './rows.ts'
import { type Account, freeOf, grossOf, isFaultOn, isFenced, pendingTransactions, type State, sumOf } from './state.ts'
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

/** A wallet withdrawal is the same: wallets are held to be empty. */
export function withdraw(turn: Turn, command: ModelCommand): Answer {
  const { state } = turn
  const { account, amountMicros } = command
  if (!isIntegerIn(amountMicros, 1, turn.profile.withdrawMaxMicros)) return { code: ParlayCode.invalid }
  if (!state.accounts.get(account)?.hasVault) return { code: ParlayCode.noVault }
  if (isFaultOn(state, ParlayFault.chainDisabled)) return { code: ParlayCode.chainDisabled }
  if (isFenced(state, account)) return { code: ParlayCode.vaultFenced }
  if (amountMicros > freeOf(state, account)) return { code: ParlayCode.insufficientFunds }
  const transaction = startTransaction(turn, { effect: VaultEffect.withdrawal, account, amountMicros })
  if (transaction !== null) {
    move(turn, PostingCause.hold, free(account), reserved(account), amountMicros)
    return { code: ParlayCode.recoveryPending, transaction: transaction.number }
  }
  move(turn, PostingCause.withdraw, free(account), external, amountMicros)
  writeWithdrawn(turn, account, amountMicros)
  return { code: ParlayCode.ok }
}

export const submitTransaction = (turn: Turn): Answer =>
  ({ code: isFaultOn(turn.state, ParlayFault.chainDisabled) ? ParlayCode.chainDisabled : ParlayCode.ok })

/** A deposit arrives; it makes the vault then. */
export function credit(turn: Turn, account: number, amountMicros: number): void {
  vaultOf(turn.state, account)
  move(turn, PostingCause.deposit, external, free(account), amountMicros)
  turn.state.netDepositsMicros += amountMicros
  write(turn, ParlayEvent.fundsDeposited, { account, amountMicros, grossBalanceMicros: grossOf(turn.state, account) })
}

/** A held withdrawal leaves the vault. */
export function payOut(turn: Turn, account: number, amountMicros: number): void {
  move(turn, PostingCause.withdraw, reserved(account), external, amountMicros)
  writeWithdrawn(turn, account, amountMicros)
}

export function putBack(turn: Turn, account: number, amountMicros: number): void {
  move(turn, PostingCause.release, reserved(account), free(account), amountMicros)
}

function writeWithdrawn(turn: Turn, account: number, amountMicros: number): void {
  turn.state.netDepositsMicros -= amountMicros
  write(turn, ParlayEvent.fundsWithdrawn, { account, amountMicros, grossBalanceMicros: grossOf(turn.state, account) })
}

/** The account with its vault, made by a deposit or by a filled position (readings A35). */
export function vaultOf(state: State, number: number): Account {
  const account = state.accounts.get(number) ?? { number, freeMicros: 0, hasVault: true, updatedAtUs: NONE }
  state.accounts.set(number, account)
  return account
}
