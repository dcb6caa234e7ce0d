import { PostingCause } from '../../../src/ledger/ledger.ts'
import { NONE } from '../../../src/unit/none.ts'
import { ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import { external, free, move, reserved, type Turn, write } from './rows.ts'
import { type Account, grossOf, type State } from './state.ts'

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

export function writeWithdrawn(turn: Turn, account: number, amountMicros: number): void {
  turn.state.netDepositsMicros -= amountMicros
  write(turn, ParlayEvent.fundsWithdrawn, { account, amountMicros, grossBalanceMicros: grossOf(turn.state, account) })
}

/** The account with its vault, made by a deposit or by a filled position (readings A35). */
export function vaultOf(state: State, number: number): Account {
  const account = state.accounts.get(number) ?? { number, freeMicros: 0, hasVault: true, updatedAtUs: NONE }
  state.accounts.set(number, account)
  return account
}
