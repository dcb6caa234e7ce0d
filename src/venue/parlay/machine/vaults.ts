import * as ledgerModule from '../../../ledger/ledger.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as codesModule from '../protocol/codes.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import * as eventsModule from '../protocol/events.ts'
import { NET_DEPOSITS_MAX_MICROS } from '../protocol/profile.ts'
import { CountedColumns } from './countedColumns.ts'
import { reply } from './rows.ts'
import type { ParlayState } from './state.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { AccountKind, PostingCause } = ledgerModule
const { Field, NONE } = eventRowsModule
const { ParlayCode } = codesModule
const { ParlayEvent } = eventsModule

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

export function deposit(s: ParlayState, c: ParlayCommand): void {
  if (!amountWithin(c.amountMicros, s.profile.depositMaxMicros)) return reply(s, c, ParlayCode.invalid)
  const { account, amountMicros } = c
  if (s.ledger.netDepositsMicros() + amountMicros > NET_DEPOSITS_MAX_MICROS) return reply(s, c, ParlayCode.invalid)
  openVault(s, account)
  const { external, free } = AccountKind
  s.ledger.post(s.nowUs, PostingCause.deposit, external, external, free, account, amountMicros, NONE, NONE)
  openFundsRow(s, ParlayEvent.fundsDeposited, c)
  reply(s, c, ParlayCode.ok)
}

/** Moves free balance out; what is reserved or in pots stays (PQ-218, PQ-219). */
export function withdraw(s: ParlayState, c: ParlayCommand): void {
  const { account, amountMicros } = c
  if (!amountWithin(amountMicros, s.profile.withdrawMaxMicros)) return reply(s, c, ParlayCode.invalid)
  if (!s.vaults.has(account)) return reply(s, c, ParlayCode.noVault)
  if (s.ledger.freeMicros(account) < amountMicros) return reply(s, c, ParlayCode.insufficientFunds)
  const { external, free } = AccountKind
  s.ledger.post(s.nowUs, PostingCause.withdraw, free, account, external, external, amountMicros, NONE, NONE)
  openFundsRow(s, ParlayEvent.fundsWithdrawn, c)
  reply(s, c, ParlayCode.ok)
}

const amountWithin = (amount: number, max: number): boolean => Number.isInteger(amount) && amount >= 1 && amount <= max

function openFundsRow(s: ParlayState, event: number, c: ParlayCommand): void {
  s.events.open(s.nowUs, event, s.cause)
  s.events.set(Field.account, c.account)
  s.events.set(Field.amountA, c.amountMicros)
  s.events.set(Field.amountB, s.ledger.freeMicros(c.account))
}
