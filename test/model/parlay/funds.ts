import { PostingCause } from '../../../src/ledger/ledger.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import type { ModelCommand } from './command.ts'
import { isIntegerIn } from './operator.ts'
import { type Answer, external, free, move, type Turn, write } from './rows.ts'
import { type Account, freeOf, type State } from './state.ts'

export function deposit(turn: Turn, command: ModelCommand): Answer {
  const { account, amountMicros } = command
  if (!isIntegerIn(amountMicros, 1, turn.profile.depositMaxMicros)) return { code: ParlayCode.invalid }
  if (turn.state.netDepositsMicros + amountMicros > 4_000_000_000_000_000) return { code: ParlayCode.invalid }
  vaultOf(turn.state, account)
  move(turn, PostingCause.deposit, external, free(account), amountMicros)
  turn.state.netDepositsMicros += amountMicros
  write(turn, ParlayEvent.fundsDeposited, { account, amountA: amountMicros, amountB: freeOf(turn.state, account) })
  return { code: ParlayCode.ok }
}

export function withdraw(turn: Turn, command: ModelCommand): Answer {
  const { account, amountMicros } = command
  if (!isIntegerIn(amountMicros, 1, turn.profile.withdrawMaxMicros)) return { code: ParlayCode.invalid }
  if (!turn.state.accounts.get(account)?.hasVault) return { code: ParlayCode.noVault }
  if (amountMicros > freeOf(turn.state, account)) return { code: ParlayCode.insufficientFunds }
  move(turn, PostingCause.withdraw, free(account), external, amountMicros)
  turn.state.netDepositsMicros -= amountMicros
  write(turn, ParlayEvent.fundsWithdrawn, { account, amountA: amountMicros, amountB: freeOf(turn.state, account) })
  return { code: ParlayCode.ok }
}

/** The account with its vault, made by a deposit or by a filled position (readings A35). */
export function vaultOf(state: State, number: number): Account {
  const account = state.accounts.get(number) ?? { number, freeMicros: 0, hasVault: true }
  state.accounts.set(number, account)
  return account
}
