import type { Abi, Hex } from 'viem'
import testUsdc from './contract/TestUsdc.json' with { type: 'json' }
import vault from './contract/Vault.json' with { type: 'json' }

/** A compiled contract, as `tools/vaultContract/compile.ts` leaves it beside its source. */
export interface ContractArtifact {
  readonly abi: Abi
  /** Code that deploys; constructor arguments follow it. */
  readonly bytecode: Hex
}

const artifactOf = ({ abi, bytecode }: { readonly abi: readonly unknown[]; readonly bytecode: string }): ContractArtifact =>
  ({ abi: abi as Abi, bytecode: bytecode as Hex })

/** The vault: constructor (usdc, operator, {@link VaultSettings}). */
export const VAULT: ContractArtifact = artifactOf(vault)

/** USDC of local chains: no constructor arguments, minted by its deployer. */
export const TEST_USDC: ContractArtifact = artifactOf(testUsdc)

/** What a vault is deployed with and keeps, in seconds. */
export interface VaultSettings {
  /** How long after its acceptance a trade may reach the chain. */
  readonly acceptDelayMax: bigint
  readonly reductionDelay: bigint
  /** As the profile settings of these names (docs/conformance/outcome.md). */
  readonly feeOnCashout: boolean
  readonly profitOverGross: boolean
}

/** `Outcome` of the contract. */
export const VaultOutcome = { lost: 0, won: 1, void: 2 } as const

/** Errors of the vault that say that a call has landed before. */
export const DONE_ERRORS: ReadonlySet<string> = new Set([
  'AlreadyRegistered', 'AcceptanceUsed', 'RequestUsed', 'DepositUsed', 'AlreadyResolved', 'AlreadyClaimed', 'AlreadyReleased',
])
