import type { VaultCall } from './vaultCall.ts'

/**
 * A vault on a chain, as the mirror drives it. Amounts read back are microUSDC. One code path serves the chain that runs inside
 * the process or is started by it, and any other by URL.
 */
export interface SettlementChain {
  readonly name: 'svm' | 'evm'
  /** Of the adapter: how many calls one transaction takes at most. */
  readonly callsPerBundle: number
  /** Bundles land in the order in which they are broadcast, as far as they land, and no process before this one has sent any. */
  readonly landsInOrder: boolean
  /**
   * Registers accounts of a session, with their wallets, authorities and first quote signers, and gives each wallet `fundsMicros` of
   * USDC. An account that is named again gets that much more (its deposits are not known beforehand).
   */
  admit(accounts: readonly AdmittedAccount[]): Promise<void>
  /** Sets the chain's clock, whole seconds of Unix time, never back. A chain that keeps its own time ignores it. */
  advance(atS: number): Promise<void>
  /**
   * Signs calls as transactions, in order. A bundle is one transaction; sent again it has the same effect once. All of them are
   * broadcast, in order, before anything that is prepared later: where nonces rule, one that is left out holds up what follows.
   */
  prepare(calls: readonly VaultCall[]): Promise<readonly Bundle[]>
  /** Hands bundles over, in order, without waiting for what becomes of them. */
  broadcast(bundles: readonly Bundle[]): Promise<void>
  /** What became of them, in their order. */
  statuses(bundles: readonly Bundle[]): Promise<readonly BundleStatus[]>
  /** Money of accounts in the vault besides positions: balance, and reductions that wait. */
  balances(accounts: readonly number[]): Promise<readonly bigint[]>
  /** Money in positions; of one that is over, or never was, zeros. */
  positions(positions: readonly number[]): Promise<readonly ChainPosition[]>
  /** Fees that the house has earned. */
  house(): Promise<bigint>
  /** USDC that the vault owes in all. Its token account holds so much, and what strangers sent it besides. */
  tokens(): Promise<bigint>
  /** USDC in wallets, of the funds that they were admitted with: a wallet on a chain that is not ours may have held more. */
  wallets(accounts: readonly number[]): Promise<readonly bigint[]>
  /** Whether faults can be played on it: the chain is ours. */
  readonly faults: ChainFaultPort | null
  close(): Promise<void>
}

export interface AdmittedAccount {
  readonly account: number
  /** What its wallet gets now, 0 or more. */
  readonly fundsMicros: number
  /** Of the outcome service: the number of its first quote signer. Those that follow come with the trades (`SignedTrade`). */
  readonly quoteSigner: number
}

/** A signed transaction. */
export interface Bundle {
  /** Signature or hash, as the chain writes it. */
  readonly id: string
  /** The very objects that were given to be signed. */
  readonly calls: readonly VaultCall[]
  readonly bytes: Uint8Array
}

export type BundleStatus =
  | { readonly state: 'final' }
  /** Not on the chain: never came, was dropped, or a reorganisation took it out. It may be sent again. */
  | { readonly state: 'absent' }
  /** Can never land as it is (its blockhash or nonce is spent) and has not: its calls have to be signed anew. */
  | { readonly state: 'expired' }
  /** The vault said no: which call of the bundle, and its reason. `done` says that the call had landed before. */
  | { readonly state: 'refused'; readonly call: number; readonly reason: string; readonly done: boolean }

export interface ChainPosition {
  readonly potMicros: bigint
  readonly escrowMicros: bigint
  /** Account number of the holder, or −1 when there is no open position. */
  readonly holder: number
}

/** What a scenario may do to a chain of its own. */
export interface ChainFaultPort {
  /**
   * Remembers the state; the result brings it back, once, as a reorganisation does: the clock too, so that `advance` may name
   * the undone instants again. A later checkpoint takes its place. The mirror admits nobody in between.
   */
  checkpoint(): Promise<() => Promise<void>>
  /** From now on bundles are taken and never land. */
  drop(on: boolean): void
  /** The sponsor of network fees has none left, or has again. */
  sponsor(funded: boolean): Promise<void>
}
