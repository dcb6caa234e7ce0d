import { type Address, encodeFunctionData, type Hex, hexToBigInt, prepareEncodeFunctionData } from 'viem'
import { InputError } from '../../unit/inputError.ts'
import { TEST_USDC } from './abi.ts'
import type { EvmNode } from './evmNode.ts'
import type { Sender, SignedTransaction } from './sender.ts'
import type { EvmKeys } from './signer.ts'

const MINT_GAS = 120_000n
const MINT = prepareEncodeFunctionData({ abi: TEST_USDC.abi, functionName: 'mint' })
const BALANCE = prepareEncodeFunctionData({ abi: TEST_USDC.abi, functionName: 'balanceOf' })
const MINTER = encodeFunctionData({ abi: TEST_USDC.abi, functionName: 'minter' })

const balanceData = (address: Address): Hex => encodeFunctionData({ ...BALANCE, args: [address] } as never)

/** USDC in the wallets of a session, which have no gas and never send. */
export class EvmWallets {
  private readonly node: EvmNode
  private readonly keys: EvmKeys
  private readonly usdc: Address
  private readonly deployer: Sender
  /** Whether the session's deployer mints the token. */
  private readonly mints: boolean

  private constructor(node: EvmNode, keys: EvmKeys, usdc: Address, deployer: Sender, mints: boolean) {
    this.node = node
    this.keys = keys
    this.usdc = usdc
    this.deployer = deployer
    this.mints = mints
  }

  static async open(node: EvmNode, keys: EvmKeys, usdc: Address, deployer: Sender): Promise<EvmWallets> {
    const [answer] = await node.rpc.batch([{ method: 'eth_call', params: [{ to: usdc, data: MINTER }, 'latest'] }])
    const mints = 'result' in answer! && node.rpc.read(answer.result, `eth_call of ${usdc}`, (minter: Hex) => hexToBigInt(minter)) === BigInt(deployer.address)
    return new EvmWallets(node, keys, usdc, deployer, mints)
  }

  async balances(accounts: readonly number[]): Promise<readonly bigint[]> {
    return this.balancesOf(accounts.map((account) => this.keys.signer(account).address))
  }

  async balanceOf(address: Address): Promise<bigint> {
    const [balance] = await this.balancesOf([address])
    return balance!
  }

  /** Gives wallets USDC. Throws InputError when we cannot mint the token and a wallet has less than it needs. */
  async fund(funds: readonly { readonly account: number; readonly fundsMicros: number }[]): Promise<void> {
    const wanted = funds.filter(({ fundsMicros }) => fundsMicros > 0)
    if (!this.mints) {
      const balances = await this.balances(wanted.map(({ account }) => account))
      const poor = wanted.findIndex(({ fundsMicros }, i) => balances[i]! < BigInt(fundsMicros))
      if (poor < 0) return
      const { account, fundsMicros } = wanted[poor]!
      throw new InputError(`account ${account} has ${balances[poor]} microUSDC in its wallet and needs ${fundsMicros}`, {
        hint: `send ${this.usdc} to ${this.keys.signer(account).address}, of a network without real money only: its key follows from the seed`,
      })
    }
    const transactions = wanted.map(({ account, fundsMicros }): SignedTransaction => this.deployer.sign({
      to: this.usdc, gas: MINT_GAS,
      data: encodeFunctionData({ ...MINT, args: [this.keys.signer(account).address, BigInt(fundsMicros)] } as never),
    }))
    const receipts = await this.deployer.land(transactions)
    const failed = receipts.findIndex((receipt) => receipt?.ok !== true)
    if (failed >= 0) throw new InputError(`the wallet of account ${wanted[failed]!.account} could not be funded: its transaction is in no block, or reverted`)
  }

  private async balancesOf(addresses: readonly Address[]): Promise<readonly bigint[]> {
    return this.node.read(this.usdc, addresses.map(balanceData), (word) => hexToBigInt(word))
  }
}
