import { AccountKind, PostingCause } from '../../../ledger/ledger.ts'
import { rowAs } from '../../eventCells.ts'
import { NONE } from '../../../unit/none.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { Deposit, type ParlayCommand, ParlayOp, Token } from '../protocol/commands.ts'
import { ParlayEvent, PartialReply, VaultEffect, VaultReply, VaultStatus } from '../protocol/events.ts'
import { NET_DEPOSITS_MAX_MICROS } from '../protocol/profile.ts'
import { isFenced } from './accounts.ts'
import { openReply, reply } from './rows.ts'
import type { ParlayState } from './state.ts'
import { startTransaction } from './vaultTransactions.ts'
import { credit, tellFunds } from './vaults.ts'

export function deposit(s: ParlayState, c: ParlayCommand): void {
  const refusal = refusalOfDeposit(s, c)
  if (refusal !== ParlayCode.ok) return reply(s, c, refusal)
  const { account, amountMicros } = c
  if (s.terms.chainFault()) {
    const t = startTransaction(s, VaultEffect.deposit, account, amountMicros)
    const onChain = s.vaultTransactions.status[t] === VaultStatus.chainPending
    return replyPending(s, c, onChain ? ParlayCode.chainPending : ParlayCode.balancePending, t)
  }
  credit(s, account, amountMicros)
  tellFunds(s, ParlayEvent.fundsDeposited, account, amountMicros)
  reply(s, c, ParlayCode.ok)
}

/**
 * Moves free balance out. What is reserved or in pots stays (PQ-218, PQ-219). Wallets are empty, so that a wallet withdrawal
 * does the same (PQ-216). Where the wallet fails, what left the vault is in the wallet, and so outside (PQ-352).
 */
export function withdraw(s: ParlayState, c: ParlayCommand): void {
  const refusal = refusalOfWithdrawal(s, c)
  if (refusal !== ParlayCode.ok) return reply(s, c, refusal)
  const { account, amountMicros } = c
  const { external, free, reserved } = AccountKind
  if (s.terms.chainFault()) {
    s.ledger.post(s.nowUs, PostingCause.hold, free, account, reserved, account, amountMicros, NONE, NONE)
    const t = startTransaction(s, VaultEffect.withdrawal, account, amountMicros)
    return replyPending(s, c, ParlayCode.recoveryPending, t)
  }
  s.ledger.post(s.nowUs, PostingCause.withdraw, free, account, external, external, amountMicros, NONE, NONE)
  tellFunds(s, ParlayEvent.fundsWithdrawn, account, amountMicros)
  if (c.op !== ParlayOp.walletWithdraw || !s.terms.walletFails) return reply(s, c, ParlayCode.ok)
  const row = rowAs(PartialReply, openReply(s, s.cause, account, c.op, ParlayCode.partialVaultOnly, NONE))
  s.events.write(row, PartialReply.amountMicros, amountMicros)
}

/** The network takes the transaction that the client signed, unless the chain is off (PQ-217, PQ-225). */
export function submitTransaction(s: ParlayState, c: ParlayCommand): void {
  reply(s, c, s.terms.chainDisabled ? ParlayCode.chainDisabled : ParlayCode.ok)
}

function refusalOfDeposit(s: ParlayState, c: ParlayCommand): number {
  const { account, amountMicros, [Deposit.token]: token } = c
  if (!amountWithin(amountMicros, s.profile.depositMaxMicros)) return ParlayCode.invalid
  if (token !== NONE && token !== Token.usdc && token !== Token.bridgedUsdc && token !== Token.other) return ParlayCode.invalid
  const comingMicros = s.ledger.netDepositsMicros() + s.vaultTransactions.pendingDepositsMicros + amountMicros
  if (comingMicros > NET_DEPOSITS_MAX_MICROS) return ParlayCode.invalid
  if (token === Token.bridgedUsdc || token === Token.other) return ParlayCode.tokenNotCredited
  if (s.terms.chainDisabled) return ParlayCode.chainDisabled
  return isFenced(s, account) ? ParlayCode.vaultFenced : ParlayCode.ok
}

function refusalOfWithdrawal(s: ParlayState, c: ParlayCommand): number {
  const { account, amountMicros } = c
  if (!amountWithin(amountMicros, s.profile.withdrawMaxMicros)) return ParlayCode.invalid
  if (!s.vaults.has(account)) return ParlayCode.noVault
  if (s.terms.chainDisabled) return ParlayCode.chainDisabled
  if (isFenced(s, account)) return ParlayCode.vaultFenced
  if (s.ledger.freeMicros(account) < amountMicros) return ParlayCode.insufficientFunds
  return s.terms.withdrawalFails ? ParlayCode.withdrawalFailed : ParlayCode.ok
}

const amountWithin = (amount: number, max: number): boolean => Number.isInteger(amount) && amount >= 1 && amount <= max

function replyPending(s: ParlayState, c: ParlayCommand, code: number, t: number): void {
  const row = rowAs(VaultReply, openReply(s, s.cause, c.account, c.op, code, NONE))
  s.events.write(row, VaultReply.transaction, s.vaultTransactions.number[t]!)
}
