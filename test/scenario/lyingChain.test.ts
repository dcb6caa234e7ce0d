import { encodeErrorResult } from 'viem/utils'
import { beforeAll, describe, expect, it } from 'vitest'
import { VAULT } from '../../src/chain/evm/abi.ts'
import { type Anvil, startAnvil } from '../../src/chain/evm/anvil.ts'
import { SettlementDifference } from '../../src/chain/mirror/settlementDifference.ts'
import { reconcileRun } from '../../src/scenario/reconcile.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { noAnvil, skipped } from '../chain/evm/bundledAnvil.ts'
import { changed, every, from, honest, type Lie, lyingNode, type RpcRequest, type RpcResponse, silent, Silence, to, withoutPort } from '../chain/lyingNode.ts'
import { fewOnChain, played } from './finishedRun.ts'

/** A session of the outcome service alone, of a few minutes. */
async function finishedRun(): Promise<{ readonly path: string; readonly genesisS: number }> {
  const { path, resolved } = await played(fewOnChain(4, ['arrivals.max=24']))
  return { path, genesisS: Math.floor(resolved.history.fromUs / SECOND_US) }
}

/** Long enough for a busy machine, and no longer, since who hangs is waited for. */
const PATIENCE_MS = 5_000

/** Selector of `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231'
const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`

/** The hash of no transaction. */
const NO_HASH = `0x${'1'.repeat(64)}`

const same = (answers: RpcResponse[]): RpcResponse[] => answers

const plusOne = (result: unknown): string => `${String(result).slice(0, -1)}${((Number.parseInt(String(result).at(-1)!, 16) + 1) % 16).toString(16)}`

/** Says that transactions reverted, each because of its call 99. */
const refusing: Lie = (request, truth, before) => {
  if (request.method === 'eth_getTransactionReceipt' && before >= 33) return changed((receipt) => (receipt === null ? null : { ...receipt, status: '0x0' }))(request, truth, before)
  if (request.method !== 'debug_traceTransaction') return truth()
  return Promise.resolve({ id: request.id, result: { output: encodeErrorResult({ abi: VAULT.abi, errorName: 'CallFailed', args: [99n, '0x'] }) } })
}

describe.skipIf(noAnvil)(`an EVM chain by URL that lies${skipped}`, () => {
  let run: Awaited<ReturnType<typeof finishedRun>>
  beforeAll(async () => { run = await finishedRun() })

  /** What comes of settling the run on a chain before which this lie stands. */
  async function settled(lieBefore: (anvil: Anvil) => Lie, inOrder?: (answers: RpcResponse[]) => RpcResponse[]): Promise<string> {
    const anvil = await startAnvil({ genesisS: run.genesisS, http: true, automine: true, limitsBlocks: true })
    const lie = lieBefore(anvil)
    const node = await lyingNode(anvil.httpUrl!, lie, inOrder)
    try {
      const { settlement } = await reconcileRun(run.path, { chains: ['evm'], rpc: { evm: node.url }, patienceMs: PATIENCE_MS })
      const [chain] = settlement.chains
      if (lie !== honest) expect(node.lies).toBeGreaterThan(0)
      expect(chain!.positions.opened).toBeGreaterThan(3)
      return `${chain!.differences} differences`
    } finally {
      await node.close()
      await anvil.close()
    }
  }

  it.concurrent.each<readonly [string, Lie, (answers: RpcResponse[]) => RpcResponse[]]>([
    ['in nothing', honest, same],
    ['about the order of the answers in a batch', honest, (answers) => answers.toReversed()],
    ['in breaking connections', (_, truth, before) => (before % 50 === 49 ? Promise.resolve(Silence.breaks) : truth()), same],
    ['in taking a transaction twice', to('eth_sendRawTransaction', () => true, async (_, truth) => {
      const first = await truth()
      await truth()
      return first
    }), same],
    ['in taking a transaction and never sending it', to('eth_sendRawTransaction', every(15), async ({ id }) => ({ id, result: NO_HASH })), same],
    ['in being slow to know receipts', to('eth_getTransactionReceipt', every(2), async ({ id }) => ({ id, result: null })), same],
  ])('%s, comes to the ledger', async (_, lie, inOrder) => {
    expect(await settled(() => lie, inOrder)).toBe('0 differences')
  })

  it.concurrent.each<readonly [string, Lie, string]>([
    ['hangs from the beginning', silent(Silence.hangs), 'no answer to eth_chainId from URL within 5 s'],
    ['hangs later', to('eth_sendRawTransaction', from(20), silent(Silence.hangs)), 'no answer to eth_sendRawTransaction from URL within 5 s'],
    ['breaks every connection', silent(Silence.breaks), 'no answer to eth_chainId from URL'],
    ['has a clock that runs ahead', to('evm_setNextBlockTimestamp', from(3), async ({ id }) => ({ id, error: { code: -32_602, message: 'Timestamp error' } })), 'the clock of the chain at URL cannot be set: Timestamp error'],
    ['takes transactions and never sends one', to('eth_sendRawTransaction', from(15), async ({ id }) => ({ id, result: NO_HASH })), 'evm has not taken'],
    ['has receipts of another transaction', to('eth_getTransactionReceipt', from(20), changed((receipt) => ({ ...receipt as object, transactionHash: NO_HASH, blockNumber: '0x1' }))), `the chain at URL answers eth_getTransactionReceipt with {`],
    ['tells balances as JSON numbers', to('eth_call', from(30), async ({ id }) => ({ id, result: 7 })), 'with 7, which cannot be read'],
    ['tells balances of no digits', to('eth_call', from(30), async ({ id }) => ({ id, result: '0x' })), 'with 0x, which cannot be read'],
    ['answers calls in letters', to('eth_call', from(2), async ({ id }) => ({ id, result: '0xg' })), 'with 0xg, which cannot be read'],
    ['tells receipts in letters', to('eth_getTransactionReceipt', from(20), async ({ id }) => ({ id, result: 'mined' })), 'the chain at URL answers eth_getTransactionReceipt with mined, which cannot be read'],
    ['tells no block', to('eth_getBlockByNumber', from(0), async ({ id }) => ({ id, result: null })), 'the chain at URL answers eth_getBlockByNumber with null, which cannot be read'],
    ['tells a price of gas without digits', to('eth_gasPrice', from(0), async ({ id }) => ({ id, result: '0x' })), 'the chain at URL answers eth_gasPrice with 0x, which cannot be read'],
    ['refuses a call that the transaction does not have', refusing, 'reverted without a reason'],
    ['knows no receipts', to('eth_getTransactionReceipt', from(0), async ({ id }) => ({ id, result: null })), 'the chain did not deploy a contract'],
  ])('that %s ends the settlement, by name', async (_, lie, message) => {
    const error = await settled(() => lie).catch((caught: unknown) => caught) as Error
    expect(withoutPort(error.message)).toContain(message)
  })

  it.concurrent('that tells a balance of a micro-unit more is a difference, by account', async () => {
    const error = await settled(() => to('eth_call', from(30), changed(plusOne))).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(SettlementDifference)
    expect((error as Error).message).toMatch(/^evm and the outcome ledger differ in /)
  })

  it.concurrent('that tells of a token account with less than the vault owes is a difference', async () => {
    // Only of the vault is the balance read before the end.
    const isBalance = ({ method, params }: RpcRequest): boolean => method === 'eth_call' && JSON.stringify(params).includes(BALANCE_OF)
    const error = await settled(() => (request, truth, before) => (before >= 30 && isBalance(request) ? changed(() => word(1))(request, truth, before) : truth())).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(SettlementDifference)
    expect((error as Error).message).toMatch(/^evm and the outcome ledger differ in the token account of the vault: chain 1 microUSDC, ledger \d{9,} microUSDC\n/)
  })

  it.concurrent.each<readonly [string, string, number]>([
    ['a call', 'eth_call', 30], ['a transaction', 'eth_sendRawTransaction', 15], ['the time', 'evm_setNextBlockTimestamp', 3],
  ])('that refuses %s in 100,000 letters, some of them unseen, is quoted in part, and visibly', async (_, method, before) => {
    const message = `\u001b[2J\n${'x'.repeat(100_000)}`
    const error = await settled(() => to(method, from(before), async ({ id }) => ({ id, error: { code: -32_000, message } }))).catch((caught: unknown) => caught) as Error
    expect(error).toBeInstanceOf(InputError)
    expect(withoutPort(error.message)).toMatch(/^the (clock of the )?chain at URL [^\n]*: \\u001b\[2J x{900,1000} … 98,0\d\d letters … x{1000}$/)
  })

  it.concurrent('whose process is killed is missed', async () => {
    const killed = settled((anvil) => {
      let ended: Promise<void> | undefined
      return async (_, truth, before) => {
        if (before > 40) await (ended ??= anvil.close())
        return truth()
      }
    })
    await expect(killed).rejects.toThrow('no answer to ')
  })
})
