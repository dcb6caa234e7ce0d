import { AccountKind, PostingCause } from '../../../ledger/ledger.ts'
import { CountedColumns } from '../../../unit/countedColumns.ts'
import { Field, NONE } from '../../eventRows.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { type ParlayCommand, Token } from '../protocol/commands.ts'
import { ParlayEvent, VaultEffect, VaultStatus } from '../protocol/events.ts'
import { NET_DEPOSITS_MAX_MICROS } from '../protocol/profile.ts'
import { isFenced } from './accounts.ts'
import { reply } from './rows.ts'
import type { ParlayState } from './state.ts'
import { startTransaction } from './vaultTransactions.ts'

/** Vaults by account number; their money is in the ledger. */
export class VaultColumns extends CountedColumns {
  /** One more than the highest account with a vault. */
  count = 0
  exists = new Uint8Array(this.capacity)
  /** Σ mm_risk of the open positions that the account backs, in microUSDC. */
  backedMicros = new Float64Array(this.capacity)

  protected override rowCount(): number {
    return this.count
  }

  has(account: number): boolean {
    return account < this.count && this.exists[account] === 1
  }
}

/** Makes the account's vault if it has none: with a deposit or its first filled position (PQ-223, readings A35). */
export function openVault(s: ParlayState, account: number): void {
  const vaults = s.vaults
  if (account >= vaults.count) {
    vaults.count = account + 1
    vaults.ensure(vaults.count)
    s.ledger.ensureAccounts(vaults.count)
  }
  vaults.exists[account] = 1
}

/** Credits the account's vault, made if there is none (readings A35). */
export function credit(s: ParlayState, account: number, amountMicros: number): void {
  openVault(s, account)
  const { external, free } = AccountKind
  s.ledger.post(s.nowUs, PostingCause.deposit, external, external, free, account, amountMicros, NONE, NONE)
}

/** What the account has reserved and what it backs open positions with, in microUSDC. */
export function lockedMicros(s: ParlayState, account: number): number {
  return s.ledger.reservedMicros(account) + (s.vaults.has(account) ? s.vaults.backedMicros[account]! : 0)
}

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
  openFundsRow(s, ParlayEvent.fundsDeposited, account, amountMicros)
  reply(s, c, ParlayCode.ok)
}

/**
 * Moves free balance out; what is reserved or in pots stays (PQ-218, PQ-219). A wallet holds nothing, so a wallet withdrawal
 * does the same (PQ-216).
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
  openFundsRow(s, ParlayEvent.fundsWithdrawn, account, amountMicros)
  reply(s, c, ParlayCode.ok)
}

/** The network takes what the client signed, unless it is off (PQ-217, PQ-225). */
export function submitTransaction(s: ParlayState, c: ParlayCommand): void {
  reply(s, c, s.terms.chainDisabled ? ParlayCode.chainDisabled : ParlayCode.ok)
}

/** Opens a row about money that reached or left the vault, with the gross balance after it (PQ-297, PQ-298). */
export function openFundsRow(s: ParlayState, event: number, account: number, amountMicros: number): void {
  s.events.open(s.nowUs, event, s.cause)
  s.events.set(Field.account, account)
  s.events.set(Field.amountA, amountMicros)
  s.events.set(Field.amountB, s.ledger.freeMicros(account) + lockedMicros(s, account))
}

function refusalOfDeposit(s: ParlayState, c: ParlayCommand): number {
  const { account, amountMicros, value } = c
  if (!amountWithin(amountMicros, s.profile.depositMaxMicros)) return ParlayCode.invalid
  if (value !== NONE && value !== Token.usdc && value !== Token.bridgedUsdc && value !== Token.other) return ParlayCode.invalid
  const comingMicros = s.ledger.netDepositsMicros() + s.vaultTransactions.pendingDepositsMicros + amountMicros
  if (comingMicros > NET_DEPOSITS_MAX_MICROS) return ParlayCode.invalid
  if (value === Token.bridgedUsdc || value === Token.other) return ParlayCode.tokenNotCredited
  if (s.terms.chainDisabled) return ParlayCode.chainDisabled
  return isFenced(s, account) ? ParlayCode.vaultFenced : ParlayCode.ok
}

function refusalOfWithdrawal(s: ParlayState, c: ParlayCommand): number {
  const { account, amountMicros } = c
  if (!amountWithin(amountMicros, s.profile.withdrawMaxMicros)) return ParlayCode.invalid
  if (!s.vaults.has(account)) return ParlayCode.noVault
  if (s.terms.chainDisabled) return ParlayCode.chainDisabled
  if (isFenced(s, account)) return ParlayCode.vaultFenced
  return s.ledger.freeMicros(account) < amountMicros ? ParlayCode.insufficientFunds : ParlayCode.ok
}

const amountWithin = (amount: number, max: number): boolean => Number.isInteger(amount) && amount >= 1 && amount <= max

function replyPending(s: ParlayState, c: ParlayCommand, code: number, t: number): void {
  reply(s, c, code)
  s.events.set(Field.amountC, s.vaultTransactions.number[t]!)
}
