import type { AdmittedAccount } from '../settlementChain.ts'
import type { VaultCall } from '../vaultCall.ts'

/** Which accounts a chain knows, and what USDC their wallets were given: what deposits need that withdrawals have not brought. */
export class Admissions {
  /** By account number, microUSDC. */
  private readonly given = new Map<number, number>()
  /** What is left in the wallet. */
  private readonly wallets = new Map<number, number>()
  private readonly quoteSignerOf: (account: number) => number

  constructor(quoteSignerOf: (account: number) => number) {
    this.quoteSignerOf = quoteSignerOf
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
    for (const account of named) if (!this.given.has(account)) missing.set(account, 0)
    for (const call of calls) {
      const [account, microsIn] = walletMove(call)
      if (account === -1) continue
      const left = (this.wallets.get(account) ?? 0) + microsIn
      if (left < 0) missing.set(account, (missing.get(account) ?? 0) - left)
      this.wallets.set(account, Math.max(0, left))
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
