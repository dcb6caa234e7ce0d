import {
  type Abi, type Address, concatHex, decodeErrorResult, decodeEventLog, decodeFunctionResult, encodeDeployData, encodeFunctionData, type Hex, hashTypedData,
} from 'viem'
import { type ContractArtifact, TEST_USDC, VAULT, type VaultSettings } from '../../../src/chain/evm/abi.ts'
import { type Anvil, startAnvil } from '../../../src/chain/evm/anvil.ts'
import { EvmRpc, type RpcAnswer } from '../../../src/chain/evm/rpc.ts'
import { EvmSigner } from '../../../src/chain/evm/signer.ts'
import {
  AUTHORIZATION_TYPES, depositHashOf, digestOfStruct, idOfText, separatorOf, VAULT_TYPES, vaultDomainOf,
} from '../../../src/chain/evm/terms.ts'
import type { TypedDomain } from '../../../src/venue/outcome/wire/eip712Types.ts'
import { privateKeyOf } from '../../../src/venue/outcome/wire/signing.ts'

/** `PositionState` of the contract. */
export const VaultPositionState = { none: 0, open: 1, won: 2, lost: 3, void: 4, claimed: 5, closed: 6 } as const

/** When the tests' chain stands at its first block. */
export const START_S = 1_750_291_200
/** What each wallet is given, of which some is deposited. */
export const WALLET_MICROS = 1_000_000_000n
/** Later than any authorization of the tests is used. */
export const FAR_S = BigInt(START_S + 10_000_000)
export const SETTINGS: VaultSettings = { acceptDelayMax: 600n, reductionDelay: 86_400n, feeOnCashout: false, profitOverGross: false }
export const ZERO_ADDRESS: Address = '0x0000000000000000000000000000000000000000'

const GAS = '0x1c9c380'
const RICH = '0x3635c9adc5dea00000'

/** An account of the service with its wallet and the key of its quotes. */
export interface Party {
  readonly name: string
  readonly accountText: string
  readonly accountId: Hex
  readonly wallet: EvmSigner
  readonly quoteSigner: EvmSigner
}

/** Signer by number under the seed of these tests. */
export const signerOf = (number: number): EvmSigner => new EvmSigner(privateKeyOf('vault tests', number))

export function partyOf(name: string, number: number): Party {
  const accountText = `a0000000-0000-8000-8000-${String(number).padStart(12, '0')}`
  return { name, accountText, accountId: idOfText(accountText), wallet: signerOf(number * 2), quoteSigner: signerOf(number * 2 + 1) }
}

/** EIP-712 digest by viem, which knows nothing of the vault's own way to it. */
export const digestBy = (domain: TypedDomain, types: object, primaryType: string, message: object): Hex =>
  hashTypedData({ domain, types, primaryType, message } as Parameters<typeof hashTypedData>[0])

/** A call that a contract refused: its error by name, with its arguments. */
export interface Refusal {
  readonly name: string
  readonly args: readonly unknown[]
}

/** What a contract says of a call. */
export type VaultEvent = readonly [name: string, args: Readonly<Record<string, unknown>>]

/** A contract on the chain. */
export interface Deployed {
  readonly address: Address
  readonly abi: Abi
}

export const hexOf = (value: number | bigint): Hex => `0x${value.toString(16)}`

/** A chain of the tests' own, whose clock they set, and on it a USDC and a vault. */
export class VaultStage {
  readonly rpc: EvmRpc
  readonly usdc: Deployed
  readonly vault: Deployed
  readonly operator: Address
  nowS: number
  private readonly anvil: Anvil

  private constructor(anvil: Anvil, rpc: EvmRpc, usdc: Deployed, vault: Deployed, operator: Address, nowS: number) {
    this.anvil = anvil
    this.rpc = rpc
    this.usdc = usdc
    this.vault = vault
    this.operator = operator
    this.nowS = nowS
  }

  static async open(): Promise<VaultStage> {
    const anvil = await startAnvil({ genesisS: START_S, automine: true })
    const rpc = new EvmRpc(anvil.ipcPath)
    const operator = signerOf(900).address
    const nobody: Deployed = { address: ZERO_ADDRESS, abi: [] }
    const bare = new VaultStage(anvil, rpc, nobody, nobody, operator, START_S)
    await bare.takeOn(operator)
    const usdc = await bare.deploy(TEST_USDC.abi, TEST_USDC.bytecode, [])
    const vault = await bare.deployVault(usdc.address)
    return new VaultStage(anvil, rpc, usdc, vault, operator, bare.nowS)
  }

  /** The same chain with another vault. */
  with(vault: Deployed, usdc: Deployed = this.usdc): VaultStage {
    return new VaultStage(this.anvil, this.rpc, usdc, vault, this.operator, this.nowS)
  }

  async close(): Promise<void> {
    await this.rpc.close()
    await this.anvil.close()
  }

  /** Lets an address send transactions without its key, and pays its gas. */
  async takeOn(address: Address): Promise<void> {
    await this.rpc.call('anvil_impersonateAccount', [address])
    await this.rpc.call('anvil_setBalance', [address, RICH])
  }

  /** Sets the clock, and makes a block then, so that reads see it. */
  async at(nowS: number): Promise<void> {
    this.nowS = nowS
    await this.rpc.call('evm_setNextBlockTimestamp', [nowS])
    await this.rpc.call('evm_mine')
  }

  async checkpoint(): Promise<() => Promise<void>> {
    const { nowS } = this
    const id = await this.rpc.call('evm_snapshot')
    return async () => {
      await this.rpc.call('evm_revert', [id])
      this.nowS = nowS
    }
  }

  async deploy(abi: Abi, bytecode: Hex, args: readonly unknown[]): Promise<Deployed> {
    const receipt = await this.transact(this.operator, undefined, encodeDeployData({ abi, bytecode, args }))
    if (receipt.status !== '0x1') throw new Error('the contract was not deployed')
    return { address: receipt.contractAddress, abi }
  }

  deployVault(usdc: Address, settings: Partial<VaultSettings> = {}): Promise<Deployed> {
    return this.deploy(VAULT.abi, VAULT.bytecode, [usdc, this.operator, { ...SETTINGS, ...settings }])
  }

  /** Sends a call in a transaction; throws when it is refused. Returns the gas it took. */
  async send(functionName: string, args: readonly unknown[], from: Address = this.operator, to: Deployed = this.vault): Promise<number> {
    const data = encodeFunctionData({ abi: to.abi, functionName, args })
    const receipt = await this.transact(from, to.address, data)
    if (receipt.status !== '0x1') {
      const refusal = await this.refusalOf(data, from, to)
      throw new Error(`${functionName} was refused: ${refusal?.name}(${refusal?.args.map(String).join(', ')})`)
    }
    return Number(receipt.gasUsed)
  }

  /** Sends a call, and tells what the contract says of it: names of its events, with their arguments by name. */
  async eventsOf(functionName: string, args: readonly unknown[], from: Address = this.operator): Promise<readonly VaultEvent[]> {
    await this.send(functionName, args, from)
    const [block] = await this.rpc.call('eth_getBlockReceipts', ['latest']) as readonly Receipt[]
    const logs = block!.logs.filter(({ address }) => address.toLowerCase() === this.vault.address.toLowerCase())
    return logs.map(({ topics, data }) => {
      const { eventName, args: values } = decodeEventLog({ abi: this.vault.abi, topics, data, strict: true })
      return [eventName!, values as unknown as Readonly<Record<string, unknown>>]
    })
  }

  /** Why a call is refused, as a transaction now would be; null when it is not. */
  refusal(functionName: string, args: readonly unknown[], from: Address = this.operator, to: Deployed = this.vault): Promise<Refusal | null> {
    return this.refusalOf(encodeFunctionData({ abi: to.abi, functionName, args }), from, to)
  }

  async refusalOf(data: Hex, from: Address = this.operator, to: Deployed = this.vault): Promise<Refusal | null> {
    const [answer] = await this.rpc.batch([{ method: 'eth_call', params: [{ from, to: to.address, data, gas: GAS }, 'latest'] }])
    return refusalIn(answer!, [...to.abi, ...this.usdc.abi] as Abi)
  }

  /** Why a contract cannot be deployed so, or null. */
  async refusalOfDeployment({ abi, bytecode }: ContractArtifact, args: readonly unknown[]): Promise<Refusal | null> {
    const data = encodeDeployData({ abi, bytecode, args })
    const [answer] = await this.rpc.batch([{ method: 'eth_call', params: [{ from: this.operator, data, gas: GAS }, 'latest'] }])
    return refusalIn(answer!, abi)
  }

  dataOf(functionName: string, args: readonly unknown[]): Hex {
    return encodeFunctionData({ abi: this.vault.abi, functionName, args })
  }

  async read<T>(functionName: string, args: readonly unknown[] = [], of: Deployed = this.vault): Promise<T> {
    const data = encodeFunctionData({ abi: of.abi, functionName, args })
    return decodeFunctionResult({ abi: of.abi, functionName, data: await this.rpc.hex('eth_call', [{ to: of.address, data }, 'latest']) }) as T
  }

  tokensOf(address: Address): Promise<bigint> {
    return this.read<bigint>('balanceOf', [address], this.usdc)
  }

  async transact(from: Address, to: Address | undefined, data: Hex): Promise<Receipt> {
    await this.rpc.call('evm_setNextBlockTimestamp', [this.nowS])
    const hash = await this.rpc.hex('eth_sendTransaction', [{ from, to, data, gas: GAS }])
    // A receipt is sometimes missing for a moment.
    for (;;) {
      const receipt = await this.rpc.call('eth_getTransactionReceipt', [hash]) as Receipt | null
      if (receipt !== null) return receipt
    }
  }

  get domain(): TypedDomain {
    return vaultDomainOf(this.vault.address)
  }

  get usdcDomain(): TypedDomain {
    return { name: 'USD Coin', version: '2', chainId: 999, verifyingContract: this.usdc.address }
  }

  registrationOf({ accountText, wallet, quoteSigner }: Party): Hex {
    const message = { account: accountText, owner: wallet.address, quoteSigner: quoteSigner.address }
    return wallet.sign(digestBy(this.domain, VAULT_TYPES, 'Registration', message))
  }

  /** Arguments of a change of a party's quote signer, who signs from the second on, after `nonce` changes before. */
  signerChangeOf({ accountId, accountText, wallet }: Party, quoteSigner: Address, sinceS: number, nonce = 0): readonly [Hex, Address, bigint, Hex] {
    const message = { account: accountText, quoteSigner, since: BigInt(sinceS), nonce: BigInt(nonce) }
    return [accountId, quoteSigner, message.since, wallet.sign(digestBy(this.domain, VAULT_TYPES, 'QuoteSignerChange', message))]
  }

  /** Signature over USDC that the vault may take from a wallet. */
  authorizationOf(wallet: EvmSigner, value: bigint, validBefore: bigint, nonce: Hex): Hex {
    const message = { from: wallet.address, to: this.vault.address, value, validAfter: 0n, validBefore, nonce }
    return wallet.sign(digestBy(this.usdcDomain, AUTHORIZATION_TYPES, 'ReceiveWithAuthorization', message))
  }

  depositNonceOf(accountId: Hex, depositId: Hex): Hex {
    return digestOfStruct(separatorOf(this.domain), depositHashOf(accountId, depositId))
  }

  /** Arguments of a deposit by authorization. */
  depositOf({ accountId, wallet }: Party, amountMicros: bigint, depositId: string): readonly unknown[] {
    const id = idOfText(depositId)
    const signature = this.authorizationOf(wallet, amountMicros, FAR_S, this.depositNonceOf(accountId, id))
    return [accountId, amountMicros, id, FAR_S, signature]
  }

  /** Gives the wallet its USDC, registers the account and deposits. The wallet has no gas, here as ever. */
  async admit(party: Party, depositMicros: bigint): Promise<void> {
    const { accountId, wallet, quoteSigner } = party
    await this.send('mint', [wallet.address, WALLET_MICROS], this.operator, this.usdc)
    await this.send('register', [accountId, wallet.address, quoteSigner.address, this.registrationOf(party)])
    if (depositMicros > 0n) await this.send('depositWithAuthorization', this.depositOf(party, depositMicros, `first of ${party.name}`))
  }

  /** Money of accounts in the vault, then the house's, what the vault owes, and the tokens that it has. */
  async books(...parties: readonly Party[]): Promise<readonly bigint[]> {
    const money = await this.read<readonly bigint[]>('moneyOf', [parties.map(({ accountId }) => accountId)])
    return [...money, await this.read<bigint>('house'), await this.read<bigint>('owed'), await this.tokensOf(this.vault.address)]
  }
}

interface Receipt {
  readonly logs: readonly { readonly address: Address; readonly topics: [Hex, ...Hex[]]; readonly data: Hex }[]
  readonly status: Hex
  readonly contractAddress: Address
  readonly gasUsed: Hex
}

/** The contract's error in an answer, however it is wrapped by a batch. */
function refusalIn(answer: RpcAnswer, abi: Abi): Refusal | null {
  if ('result' in answer) return null
  const { data, message } = answer.refusal
  if (data === null || data === '0x') return { name: 'no reason', args: [message] }
  const { errorName, args = [] } = decodeErrorResult({ abi, data })
  return { name: errorName, args }
}

/** A signature with s in the upper half: the twin of one that is in the lower half. */
export function twinOf(signature: Hex): Hex {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  return concatHex([`0x${signature.slice(2, 66)}`, `0x${s.toString(16).padStart(64, '0')}`, signature.endsWith('1b') ? '0x1c' : '0x1b'])
}
