import type { VaultCall } from './vaultCall.ts'

/**
 * A vault on a chain, as the mirror drives it. Amounts are microUSDC. The same code serves a chain inside the process, a chain that
 * the process starts, and any other chain by URL.
 */
export interface SettlementChain {
  readonly name: 'svm' | 'evm'
  /** How many calls the adapter puts into one transaction at most. */
  readonly callsPerBundle: number
  /** Whether bundles that land do so in the order of their broadcast, and no earlier process has sent any. */
  readonly landsInOrder: boolean
  /** How long no call may land before a chain that is not ours is given up, in milliseconds. */
  readonly patienceMs: number
  /**
   * Registers accounts of a session, with their wallets, authorities and first quote signers, and gives each wallet `fundsMicros` of
   * USDC. An account that is named again gets that much more (its deposits are not known beforehand).
   */
  admit(accounts: readonly AdmittedAccount[]): Promise<void>
  /** Sets the chain's clock, whole seconds of Unix time, never back. A chain that keeps its own time ignores it. */
  advance(atS: number): Promise<void>
  /**
   * Signs calls as transactions, in order. A bundle is one transaction. Sent again, it takes effect only once. All bundles must be
   * broadcast, in order, before anything that is prepared later: where nonces rule, a missing one holds up all that follow.
   */
  prepare(calls: readonly VaultCall[]): Promise<readonly Bundle[]>
  /** Hands bundles over, in order, without waiting for their outcomes. */
  broadcast(bundles: readonly Bundle[]): Promise<void>
  /** The outcomes of bundles, in their order. */
  statuses(bundles: readonly Bundle[]): Promise<readonly BundleStatus[]>
  /** Money of accounts in the vault besides positions: balance, and reductions that wait. */
  balances(accounts: readonly number[]): Promise<readonly bigint[]>
  /** Money in positions. Zeros for a position that is over or never was. */
  positions(positions: readonly number[]): Promise<readonly ChainPosition[]>
  /** Fees that the house has earned. */
  house(): Promise<bigint>
  tokens(): Promise<VaultTokens>
  /** USDC in wallets out of the funds that they were admitted with. On a chain that is not ours a wallet may have had more before. */
  wallets(accounts: readonly number[]): Promise<readonly bigint[]>
  /** Plays faults on the chain. Null for a chain that is not ours. */
  readonly faults: ChainFaultPort | null
  close(): Promise<void>
}

/** All USDC of a vault. */
export interface VaultTokens {
  /** What the vault owes. */
  readonly owedMicros: bigint
  /** What its token account has: as much, plus whatever strangers sent to it. */
  readonly heldMicros: bigint
}

export interface AdmittedAccount {
  readonly account: number
  /** What its wallet gets now, 0 or more. */
  readonly fundsMicros: number
  /** The number of the account's first quote signer on the outcome service. Those that follow come with the trades (`SignedTrade`). */
  readonly quoteSigner: number
}

/** A signed transaction. */
export interface Bundle {
  /** Signature or hash, as the chain writes it. */
  readonly id: string
  /** The calls, as the same objects that were given to be signed. */
  readonly calls: readonly VaultCall[]
  readonly bytes: Uint8Array
}

export type BundleStatus =
  | { readonly state: 'final' }
  /** Not on the chain: it never arrived, was dropped, or a reorganisation undid it. It may be sent again. */
  | { readonly state: 'absent' }
  /** Has not landed and never can (its blockhash or nonce is spent), so that its calls have to be signed anew. */
  | { readonly state: 'expired' }
  /** The vault refused it: which call of the bundle, and why. `done` says that the call had landed before. */
  | { readonly state: 'refused'; readonly call: number; readonly reason: string; readonly done: boolean }

export interface ChainPosition {
  readonly potMicros: bigint
  readonly escrowMicros: bigint
  /** Account number of the holder, −1 when there is no open position, −2 when it is none of the session's accounts. */
  readonly holder: number
}

/** What a scenario may do to a chain of its own. */
export interface ChainFaultPort {
  /**
   * Remembers the state. The result brings the state back, once, like a reorganisation, and the clock too, so that `advance` may name
   * the undone instants again. A later checkpoint replaces this one. The mirror admits no accounts in between.
   */
  checkpoint(): Promise<() => Promise<void>>
  /** While on, bundles are taken but never land. */
  drop(on: boolean): void
  /** The sponsor of network fees has none left, or has again. */
  sponsor(funded: boolean): Promise<void>
}
