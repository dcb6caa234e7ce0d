import type { SignedTerms } from '../venue/outcome/protocol/terms.ts'

/**
 * A call of a vault on a chain, in the words of the ledger: accounts and positions by number, money in microUSDC. Every call can be
 * sent again: the vault refuses a call that has landed before as done (by its `id`, or by the state of its position).
 */
export type VaultCall = DepositCall | WithdrawCall | OpenCall | SettleCall | BuybackCall | TransferCall | ReduceCall | ReleaseCall

interface Caused {
  /** Sequence number of the event row that the call comes from. A difference is traced back to this row. */
  readonly seq: number
  readonly atUs: number
}

/** USDC out of the account's wallet into its balance in the vault. */
export interface DepositCall extends Caused {
  readonly kind: 'deposit'
  readonly account: number
  readonly amountMicros: number
}

/** Free balance out of the vault into the account's wallet. */
export interface WithdrawCall extends Caused {
  readonly kind: 'withdraw'
  readonly account: number
  readonly amountMicros: number
  /** What the account signed, on the outcome service. */
  readonly signed: SignedTerms | null
}

/** Stake, fee and risk out of the balances of holder and backing maker into a new position. */
export interface OpenCall extends Caused {
  readonly kind: 'open'
  readonly position: number
  readonly holder: number
  readonly backer: number
  /** The net stake, without the taker fee. */
  readonly stakeMicros: number
  readonly riskMicros: number
  /** On the parlay service the fee waits with the position, on the outcome service the house has it at once. */
  readonly takerFeeMicros: number
  readonly takerFeeBps: number
  readonly profitFeeBps: number
  /** Part of stake and fee that comes out of the holder's wallet in the same step, 0 on the parlay service. */
  readonly coreMicros: number
  readonly signed: SignedTrade | null
}

/** The settlement of a position by results: it is paid in full and ends. */
export interface SettleCall extends Caused {
  readonly kind: 'settle'
  readonly position: number
  readonly outcome: 'lost' | 'won' | 'void'
}

/** The backing maker takes its position back at a price: the seller gets it out of the pot, the maker the rest. */
export interface BuybackCall extends Caused {
  readonly kind: 'buyback'
  readonly position: number
  readonly priceMicros: number
  readonly signed: SignedTrade | null
}

/** Another maker takes the position over. It pays the price out of its balance and is the holder from then on. */
export interface TransferCall extends Caused {
  readonly kind: 'transfer'
  readonly position: number
  readonly buyer: number
  readonly priceMicros: number
  readonly signed: SignedTrade | null
}

/** A maker's collateral leaves its balance and waits for its delay (outcome service). */
export interface ReduceCall extends Caused {
  readonly kind: 'reduce'
  readonly reduction: number
  readonly account: number
  readonly amountMicros: number
  readonly signed: SignedTerms
}

/** The delay is over: the reduced collateral leaves the vault for the maker's wallet. */
export interface ReleaseCall extends Caused {
  readonly kind: 'release'
  readonly reduction: number
  readonly account: number
  readonly amountMicros: number
}

/** An account's quote signer from a second of Unix time on. Before the first change its wallet signs. */
export interface SignerChange {
  readonly signer: number
  readonly sinceS: number
}

/** Terms of a trade of the outcome service, and when its acceptance came in: until then the quote had to live. */
export interface SignedTrade {
  readonly quote: SignedTerms
  readonly acceptance: SignedTerms
  readonly confirmation: SignedTerms
  /** Numbers of the signers: of the quote and its confirmation the maker's quote signer at the accept. */
  readonly quoteSigner: number
  /** All changes of the maker's quote signer until the accept, in order. */
  readonly signerChanges: readonly SignerChange[]
  readonly takerSigner: number
  readonly acceptedAtS: number
}
