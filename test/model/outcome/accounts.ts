import { PostingCause } from '../../../src/ledger/ledger.ts'
import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { ACCOUNT_MAX, AccountRole, SIGNER_MAX } from '../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import { NET_DEPOSITS_MAX_MICROS } from '../../../src/venue/outcome/protocol/profile.ts'
import type { Call } from './call.ts'
import type { ModelCommand } from './command.ts'
import type { Answer } from './namedRows.ts'
import { isIntegerIn } from './numbers.ts'
import { external, free, invalid, move, OK, type Turn, write } from './rows.ts'
import { walletOf } from './signatures.ts'
import { awaitedCoreOf, change, heldOf, put, type State } from './state.ts'

/** Gives an account its venue identity, once. */
export function bindAccount(turn: Turn, command: ModelCommand): Answer {
  if (!isIntegerIn(command.value, 0, ACCOUNT_MAX)) return invalid('value')
  if (!isIntegerIn(command.value2, AccountRole.participant, AccountRole.maker)) return invalid('value2')
  const account = command.value + 0
  const role = command.value2 + 0
  if (turn.state.accounts.has(account)) return { code: OutcomeCode.stateConflict }
  put(turn.state.accounts, { number: account, role, freeMicros: 0, signer: walletOf(account) })
  write(turn, OutcomeEvent.accountBound, { account, role })
  return OK
}

export const deposit: Call = {
  role: null,
  stopsWithFinancialActions: false,
  fieldsRefusal: ({ state, profile }, { amountMicros }) =>
    (isIntegerIn(amountMicros, 1, profile.depositMaxMicros) && fits(state, amountMicros) ? null : invalid('amount')),
  perform(turn, { account, amountMicros }) {
    move(turn, PostingCause.deposit, external, free(account), amountMicros)
    const heldMicros = heldOf(turn.state, account)
    write(turn, OutcomeEvent.fundsDeposited, { account, amountMicros, accountBalanceMicros: heldMicros })
    return { ...OK, accountBalanceMicros: heldMicros }
  },
}

/** Whether the vault takes so much more, with the core parts that are on their way. */
export const fits = (state: State, amountMicros: number): boolean =>
  state.netDepositsMicros + awaitedCoreOf(state) + amountMicros <= NET_DEPOSITS_MAX_MICROS

/** Gives a maker another quote signer. */
export const setSigner: Call = {
  role: AccountRole.maker,
  stopsWithFinancialActions: false,
  fieldsRefusal: (_turn, { value }) => (isIntegerIn(value, 0, SIGNER_MAX) ? null : invalid('value')),
  perform(turn, { account, value }) {
    const { signer } = change(turn.state.accounts, account, { signer: value + 0 })
    write(turn, OutcomeEvent.signerChanged, { account, signer })
    return OK
  },
}
