import type { Address } from 'viem'
import { decodeFunctionResult, encodeDeployData, encodeFunctionData } from 'viem/utils'
import { InputError } from '../../unit/inputError.ts'
import { CHAIN_ID } from '../../venue/outcome/protocol/terms.ts'
import { type ContractArtifact, TEST_USDC, VAULT, type VaultSettings } from './abi.ts'
import type { EvmNode } from './evmNode.ts'
import { Sender } from './sender.ts'
import type { EvmKeys } from './signer.ts'
import { separatorOf } from './terms.ts'
import type { Deployment } from './vaultIds.ts'

const DEPLOY_GAS = 8_000_000n
/** What an address of ours gets for gas, where the chain gives it: 10²⁴ wei. */
export const GAS_FUNDS = 10n ** 24n

/** Contracts that exist on a chain already. */
export interface Standing {
  readonly usdcAddress?: Address | undefined
  readonly vaultAddress?: Address | undefined
}

/** Gives an address gas where the chain allows it. Elsewhere the address must have some: throws InputError when it has none. */
export async function fundGas(node: EvmNode, address: Address, role: string): Promise<void> {
  if (node.isOurs || await node.gasOf(address) === 0n) {
    if (await node.setGas(address, GAS_FUNDS)) return
    throw new InputError(`the session's ${role} ${address} has no gas on the chain`, {
      hint: 'send it some, on a network without real money only: its key follows from the seed',
    })
  }
}

/** The token and the vault of a session. They are deployed, unless they are given and exist on the chain. */
export async function deploy(
  node: EvmNode, keys: EvmKeys, deployer: Sender, settings: VaultSettings, { usdcAddress, vaultAddress }: Standing,
): Promise<Deployment> {
  const operator = keys.party('operator').address
  if (vaultAddress !== undefined) {
    const usdc = await readContract(node, vaultAddress, VAULT, 'usdc') as Address
    const authority = await readContract(node, vaultAddress, VAULT, 'operator') as Address
    if (authority.toLowerCase() !== operator) {
      throw new InputError(`the vault ${vaultAddress} is driven by ${authority}`, { hint: `this session's operator is ${operator}` })
    }
    return deploymentOf(node, vaultAddress, usdc)
  }
  const usdc = usdcAddress ?? await create(deployer, TEST_USDC, [])
  return deploymentOf(node, await create(deployer, VAULT, [usdc, operator, settings]), usdc)
}

async function create(deployer: Sender, { abi, bytecode }: ContractArtifact, args: readonly unknown[]): Promise<Address> {
  const transaction = deployer.sign({ to: null, data: encodeDeployData({ abi, bytecode, args }), gas: DEPLOY_GAS })
  const [receipt] = await deployer.land([transaction])
  if (receipt == null || !receipt.ok || receipt.created === null) throw new InputError('the chain did not deploy a contract', { hint: `is a chain with id ${CHAIN_ID} for the session alone running there?` })
  return receipt.created
}

async function deploymentOf(node: EvmNode, vault: Address, usdc: Address): Promise<Deployment> {
  const name = await readContract(node, usdc, TEST_USDC, 'name') as string
  const version = await readContract(node, usdc, TEST_USDC, 'version') as string
  return { vault, usdc, usdcSeparator: separatorOf({ name, version, chainId: CHAIN_ID, verifyingContract: usdc }) }
}

/** What a contract answers to a function without arguments. Throws InputError when it does not. */
export async function readContract(node: EvmNode, address: Address, { abi }: ContractArtifact, functionName: string): Promise<unknown> {
  try {
    const [value] = await node.read(address, [encodeFunctionData({ abi, functionName })], (data) => decodeFunctionResult({ abi, functionName, data }))
    return value
  } catch (error) {
    throw new InputError(`the contract at ${address} does not answer ${functionName}()`, { hint: 'is it on this chain?', cause: error })
  }
}
