import type { AdmittedAccount } from '../settlementChain.ts'
import type { VaultCall } from '../vaultCall.ts'

/** A million USDC: more than a wallet of a session needs, so that it needs no further funds. */
export const PLENTY_MICROS = 1e12

/**
 * The accounts that a chain knows, and the USDC that their wallets were given: what deposits need beyond what withdrawals have brought,
 * and the advance that is asked for.
 */
export class Admissions {
  /** By account number, microUSDC. */
  private readonly given = new Map<number, number>()
  /** What is left in the wallet. */
  private readonly wallets = new Map<number, number>()
  private readonly quoteSignerOf: (account: number) => number

  private readonly aheadMicros: number

  constructor(quoteSignerOf: (account: number) => number, aheadMicros = 0) {
    this.quoteSignerOf = quoteSignerOf
    this.aheadMicros = aheadMicros
  }

  /** Numbers of the accounts that the chain knows. */
  accounts(): number[] {
    return [...this.given.keys()]
  }

  givenMicros(account: number): number {
    return this.given.get(account) ?? 0
  }

  /** Whom to admit, and with what, before these calls. `named` accounts are known afterwards whatever happens to their wallets. */
  needed(calls: readonly VaultCall[], named: Iterable<number>): AdmittedAccount[] {
    const missing = new Map<number, number>()
    const give = (account: number, micros: number): void => {
      missing.set(account, (missing.get(account) ?? 0) + micros + this.aheadMicros)
      this.wallets.set(account, this.aheadMicros)
    }
    for (const account of named) if (!this.given.has(account)) give(account, 0)
    for (const call of calls) {
      const [account, microsIn] = walletMove(call)
      if (account === -1) continue
      const left = (this.wallets.get(account) ?? 0) + microsIn
      if (left < 0) give(account, -left)
      else this.wallets.set(account, left)
    }
    for (const [account, micros] of missing) this.given.set(account, this.givenMicros(account) + micros)
    return [...missing].map(([account, fundsMicros]) => ({ account, fundsMicros, quoteSigner: this.quoteSignerOf(account) }))
  }
}

/** Whose wallet a call moves, or −1, and what comes into it. */
function walletMove(call: VaultCall): readonly [number, number] {
  switch (call.kind) {
    case 'deposit': return [call.account, -call.amountMicros]
    case 'withdraw':
    case 'release': return [call.account, call.amountMicros]
    case 'open': return [call.holder, -call.coreMicros]
    default: return [-1, 0]
  }
}
