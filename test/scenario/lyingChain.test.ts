import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeErrorResult } from 'viem/utils'
import { beforeAll, describe, expect, it } from 'vitest'
import { VAULT } from '../../src/chain/evm/abi.ts'
import { type Anvil, startAnvil } from '../../src/chain/evm/anvil.ts'
import { EvmRpc } from '../../src/chain/evm/rpc.ts'
import { CallRefused, SettlementDifference } from '../../src/chain/mirror/settlementDifference.ts'
import type { LoadedScenario } from '../../src/scenario/load.ts'
import { reconcileRun } from '../../src/scenario/reconcile.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { noAnvil, skipped } from '../chain/evm/bundledAnvil.ts'
import {
  changed, every, from, honest, late, type Lie, lyingNode, only, overtaken, patiently, type RpcRequest, type RpcResponse, silent, Silence, to, toAny, withoutPort, withoutSeconds,
} from '../chain/lyingNode.ts'
import { parlor } from '../cli/parlor.ts'
import { fewOnChain, played, type PlayedRun } from './finishedRun.ts'
import { newFolder } from './small.ts'

/** A session of a few minutes. */
const session = (...set: string[]): LoadedScenario => fewOnChain(4, ['arrivals.max=24', ...set])

/** Long enough for a quiet machine, and no longer, since who hangs is waited for. */
const PATIENCE_MS = 5_000

/** Selector of `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231'
const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`

const [SEND, SET_CLOCK] = ['eth_sendRawTransaction', 'evm_setNextBlockTimestamp'] as const
/** Between the sending of a transaction and its coming: while its block is waited for, and after that. */
const LATE_MS = 300
/** A share of the patience: of a block a fifth of it is waited for. */
const OVERDUE_SHARE = 0.3
/** For chains of which no request hangs, but some are answered late. */
const LATE_PATIENCE_MS = 10_000
/** A share of the patience: after 0.32 of it a request is sent again. */
const ANSWER_SHARE = 0.5
const HOUR_S = 3_600

/** The hash of no transaction. */
const NO_HASH = `0x${'1'.repeat(64)}`

const same = (answers: RpcResponse[]): RpcResponse[] => answers

const plusOne = (result: unknown): string => `${String(result).slice(0, -1)}${((Number.parseInt(String(result).at(-1)!, 16) + 1) % 16).toString(16)}`

/** Does what it is asked at once, and answers when the same request has come again. */
const slowly = (answerMs: number): Lie => async (_, truth) => {
  const response = await truth()
  await sleep(answerMs)
  return { ...response }
}

/** The second wait for an answer outlasts the first answer, which is counted as a lie when it is told. */
const twice = (before: number): boolean => before === 3 || before === 8

/** Says that transactions reverted, each because of its call 99. */
const refusing: Lie = (request, truth, before) => {
  if (request.method === 'eth_getTransactionReceipt' && before >= 33) return changed((receipt) => (receipt === null ? null : { ...receipt, status: '0x0' }))(request, truth, before)
  if (request.method !== 'debug_traceTransaction') return truth()
  return Promise.resolve({ id: request.id, result: { output: encodeErrorResult({ abi: VAULT.abi, errorName: 'CallFailed', args: [99n, '0x'] }) } })
}

describe.skipIf(noAnvil)(`an EVM chain by URL that lies${skipped}`, () => {
  let run: PlayedRun
  beforeAll(async () => { run = await played(session()) })

  /** What comes of settling by the URL of a chain before which this lie stands. */
  async function behind<Came>(lieBefore: (anvil: Anvil) => Lie, settling: (url: string) => Promise<Came>, inOrder?: typeof same): Promise<Came> {
    const anvil = await startAnvil({ genesisS: Math.floor(run.resolved.history.fromUs / SECOND_US), http: true, automine: true, limitsBlocks: true })
    const lie = lieBefore(anvil)
    const node = await lyingNode(anvil.httpUrl!, lie, inOrder)
    try {
      const came = await settling(node.url)
      if (lie !== honest) expect(node.lies).toBeGreaterThan(0)
      return came
    } finally {
      await node.close()
      await anvil.close()
    }
  }

  const settled = (lieBefore: (anvil: Anvil) => Lie, patienceMs: number, inOrder?: typeof same): Promise<string> => behind(lieBefore, async (url) => {
    const { settlement: { chains: [chain] } } = await reconcileRun(run.path, { chains: ['evm'], rpc: { evm: url }, patienceMs })
    expect(chain!.positions.opened).toBeGreaterThan(3)
    return `${chain!.differences} differences`
  }, inOrder)

  const live = (lie: Lie, folder: string, patienceMs: number): Promise<PlayedRun> =>
    behind(() => lie, (url) => played(session(`chain={ on: evm, rpc: { evm: "${url}" }, patience: ${patienceMs}ms }`), folder))

  /** The error with which settling ends. @param message what it is expected to say */
  const failure = async (lieBefore: (anvil: Anvil) => Lie, message: string): Promise<Error> => {
    const came = await patiently(PATIENCE_MS, (patienceMs) => settled(lieBefore, patienceMs), (one) => one instanceof Error && withoutSeconds(withoutPort(one.message)).includes(message))
    return came instanceof Error ? came : new Error(`no failure: ${came}`)
  }

  it.concurrent.each<readonly [string, (patienceMs: number) => Lie, (answers: RpcResponse[]) => RpcResponse[]]>([
    ['in nothing', () => honest, same],
    ['about the order of the answers in a batch', () => honest, (answers) => answers.toReversed()],
    ['in breaking connections', () => (_, truth, before) => (before % 50 === 49 ? Promise.resolve(Silence.breaks) : truth()), same],
    ['in taking a transaction twice', () => to(SEND, () => true, async (_, truth) => {
      const first = await truth()
      await truth()
      return first
    }), same],
    ['in taking a transaction and never sending it', () => to(SEND, every(15), async ({ id }) => ({ id, result: NO_HASH })), same],
    ['in being slow to know receipts', () => to('eth_getTransactionReceipt', every(2), async ({ id }) => ({ id, result: null })), same],
    ['in answering with pages of errors', () => toAny(every(40), silent(Silence.garbles)), same],
    ['in answering with pages of a welcome', () => toAny(every(40), silent(Silence.greets)), same],
    ['in hanging now and then', () => toAny(only(20), silent(Silence.hangs)), same],
    ['in sending a transaction late', () => to(SEND, every(15), late(LATE_MS, NO_HASH)), same],
    ['in sending a transaction when nobody waits for its block any more', (patienceMs) => to(SEND, every(15), late(OVERDUE_SHARE * patienceMs, NO_HASH)), same],
    ['in sending transactions in another order', (patienceMs) => overtaken(SEND, patienceMs, NO_HASH), same],
    ['about the time of its blocks', () => to('eth_getBlockByNumber', () => true, changed((block) => ({ ...block as object, timestamp: '0x1' }))), same],
  ])('%s, comes to the ledger', async (_, lie, inOrder) => {
    expect(await patiently(PATIENCE_MS, (patienceMs) => settled(() => lie(patienceMs), patienceMs, inOrder))).toBe('0 differences')
  })

  it.concurrent.each([['transactions', SEND], ['its clock', SET_CLOCK]])('in answering about %s after the request has come again, comes to the ledger', async (_, method) => {
    expect(await patiently(LATE_PATIENCE_MS, (patienceMs) => settled(() => to(method, twice, slowly(ANSWER_SHARE * patienceMs)), patienceMs, same))).toBe('0 differences')
  })

  it.concurrent.each<readonly [string, Lie, string]>([
    ['hangs from the beginning', silent(Silence.hangs), 'no answer to eth_chainId from URL within its patience'],
    ['hangs later', to(SEND, from(20), silent(Silence.hangs)), 'no answer to eth_sendRawTransaction from URL within its patience'],
    ['answers with pages of errors later', to(SEND, from(20), silent(Silence.garbles)), `the chain at URL answers ${SEND} with status 502: "<html><h1>Bad Gateway</h1></html>"`],
    ['answers with pages of a welcome later', to(SEND, from(20), silent(Silence.greets)), `the chain at URL answers ${SEND} with what is no JSON: Unexpected token '<', "<html>`],
    ['breaks every connection', silent(Silence.breaks), 'no answer to eth_chainId from URL'],
    ['has a clock that runs ahead', to(SET_CLOCK, from(3), async ({ id }) => ({ id, error: { code: -32_602, message: 'Timestamp error' } })), 'the clock of the chain at URL cannot be set: Timestamp error'],
    ['takes transactions and never sends one', to(SEND, from(15), async ({ id }) => ({ id, result: NO_HASH })), 'evm has not taken'],
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
    expect(withoutSeconds(withoutPort((await failure(() => lie, message)).message))).toContain(message)
  })

  it.concurrent('that only says that it has set its clock refuses what comes later than its blocks', async () => {
    const error = await failure(() => to(SET_CLOCK, from(3), async ({ id }) => ({ id, result: null })), 'evm refused')
    expect(error).toBeInstanceOf(CallRefused)
    expect(error.message).toMatch(/^evm refused open position \d+, .*: AcceptedAtWrong\(acceptedAt \d+, timestamp \d+\)$/)
  })

  it.concurrent('that sets its clock an hour later than it is told is named with both times', async () => {
    const ahead = (anvil: Anvil): Lie => to(SET_CLOCK, only(3), async ({ id, params }) => {
      const rpc = new EvmRpc(anvil.httpUrl!)
      await rpc.call(SET_CLOCK, [Number(params![0]) + HOUR_S])
      await rpc.close()
      return { id, result: null }
    })
    const error = await failure(ahead, 'stands at')
    const [, standsAtS, sessionAtS] = /^the clock of the chain at URL stands at (\d+), and the session is at (\d+)$/.exec(withoutPort(error.message)) ?? []
    expect(Number(standsAtS) - Number(sessionAtS)).toBeGreaterThan(HOUR_S / 2)
  })

  it.concurrent('that tells a balance of a micro-unit more is a difference, by account', async () => {
    const error = await failure(() => to('eth_call', from(30), changed(plusOne)), 'differ')
    expect(error).toBeInstanceOf(SettlementDifference)
    expect(error.message).toMatch(/^evm and the outcome ledger differ in /)
  })

  it.concurrent('that tells of a token account with less than the vault owes is a difference', async () => {
    // Only of the vault is the balance read before the end.
    const isBalance = ({ method, params }: RpcRequest): boolean => method === 'eth_call' && JSON.stringify(params).includes(BALANCE_OF)
    const error = await failure(() => (request, truth, before) => (before >= 30 && isBalance(request) ? changed(() => word(1))(request, truth, before) : truth()), 'differ')
    expect(error).toBeInstanceOf(SettlementDifference)
    expect(error.message).toMatch(/^evm and the outcome ledger differ in the token account of the vault: chain 1 microUSDC, ledger \d{9,} microUSDC\n/)
  })

  it.concurrent.each<readonly [string, string, number]>([
    ['a call', 'eth_call', 30], ['a transaction', SEND, 15], ['the time', SET_CLOCK, 3],
  ])('that refuses %s in 100,000 letters, some of them unseen, is quoted in part, and visibly', async (_, method, before) => {
    const message = `\u001b[2J\n${'x'.repeat(100_000)}`
    const error = await failure(() => to(method, from(before), async ({ id }) => ({ id, error: { code: -32_000, message } })), ' letters … ')
    expect(error).toBeInstanceOf(InputError)
    expect(withoutPort(error.message)).toMatch(/^the (clock of the )?chain at URL [^\n]*: \\u001b\[2J x{900,1000} … 98,0\d\d letters … x{1000}$/)
  })

  it.concurrent('whose process is killed is missed', async () => {
    const error = await failure((anvil) => {
      let ended: Promise<void> | undefined
      return async (_, truth, before) => {
        if (before > 40) await (ended ??= anvil.close())
        return truth()
      }
    }, 'no answer to ')
    expect(error.message).toContain('no answer to ')
  })

  it.concurrent('in breaking connections and hanging now and then, changes nothing of a run that is settled while it is played', async () => {
    const lie = toAny((before) => before === 20 || every(40)(before), async (_request, _truth, before) => (before === 20 ? Silence.hangs : Silence.breaks))
    const came = await patiently(PATIENCE_MS, (patienceMs) => live(lie, newFolder(), patienceMs))
    if (came instanceof Error) throw came
    expect(came.digest).toBe(run.digest)
    expect(JSON.parse(readFileSync(join(came.path, 'settlement.json'), 'utf8'))).toMatchObject({ chains: [{ chain: 'evm', differences: 0, pending: 0 }] })
  })

  it.concurrent('that tells a balance of a micro-unit more ends a run that is being played, of which nothing is left', async () => {
    const folder = newFolder()
    expect(await patiently(PATIENCE_MS, (patienceMs) => live(to('eth_call', from(30), changed(plusOne)), folder, patienceMs))).toBeInstanceOf(SettlementDifference)
    expect(readdirSync(folder)).toEqual([])
  })

  it.concurrent('that hangs later ends a command by name after ten seconds, if nobody says how patient to be', async () => {
    const ended = await behind(() => to(SEND, from(20), silent(Silence.hangs)), (url) => parlor(newFolder(), 'reconcile', run.path, '--chain', 'evm', '--rpc', `evm=${url}`, '--quiet'))
    expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringContaining(`error: no answer to ${SEND} from`) })
    expect(ended.err).toContain('within 10 s\n')
  })
})
