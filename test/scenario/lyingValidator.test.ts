import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PublicKey } from '@solana/web3.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { SettlementDifference } from '../../src/chain/mirror/settlementDifference.ts'
import { fundedWallets } from '../../src/scenario/chain.ts'
import type { LoadedScenario } from '../../src/scenario/load.ts'
import { reconcileRun } from '../../src/scenario/reconcile.ts'
import {
  changed, every, from, honest, late, type Lie, lyingNode, only, overtaken, patiently, type RpcRequest, silent, Silence, swallowed, to, toAny, withoutPort, withoutSeconds,
} from '../chain/lyingNode.ts'
import { RemoteStage } from '../chain/svm/remoteStage.ts'
import { serveRpc } from '../chain/svm/rpcServer.ts'
import { parlor } from '../cli/parlor.ts'
import { fewOnChain, played, type PlayedRun } from './finishedRun.ts'
import { newFolder } from './small.ts'

/** Long enough for a quiet machine, and no longer, since who hangs is waited for. */
const PATIENCE_MS = 4_000
/** The day before the session, on which nothing of it depends. */
const BEFORE_S = 1_700_000_000
const DAY_S = 86_400

/** A session of a few minutes. */
const session = (...set: string[]): LoadedScenario => fewOnChain(6, ['arrivals.max=30', ...set])

let run: PlayedRun
beforeAll(async () => { run = await played(session()) })

/** Lies that need to do something to the chain. */
type LieOn = (stage: RemoteStage, close: () => Promise<void>) => Lie

/** What comes of settling by the URL of a validator before which this lie stands. */
async function behind<Came>(lieOn: LieOn, settling: (url: string) => Promise<Came>): Promise<Came> {
  const stage = new RemoteStage(run.resolved.seed)
  const { count, micros } = fundedWallets(run.resolved)
  stage.deploy()
  stage.makeEmpty()
  for (let account = 0; account < count; account++) stage.fund(account, Number(micros))
  stage.validator.setClock(BEFORE_S)
  const server = await serveRpc((request) => stage.validator.answer(request))
  const lie = lieOn(stage, () => server.close())
  const node = await lyingNode(server.url, lie)
  try {
    const came = await settling(node.url)
    if (lie !== honest) expect(node.lies).toBeGreaterThan(0)
    return came
  } finally {
    await node.close()
    await server.close()
  }
}

const settled = (lieOn: LieOn, patienceMs: number): Promise<string> => behind(lieOn, async (url) => {
  const { settlement: { chains: [chain] } } = await reconcileRun(run.path, { chains: ['svm'], rpc: { svm: url }, patienceMs })
  expect(chain!.positions.opened).toBeGreaterThan(5)
  return `${chain!.differences} differences`
})

const live = (lie: Lie, folder: string, patienceMs: number): Promise<PlayedRun> =>
  behind(() => lie, (url) => played(session(`chain={ on: svm, rpc: { svm: "${url}" }, patience: ${patienceMs}ms }`), folder))

/** The error with which settling ends. @param message what it is expected to say */
const failure = async (lieOn: LieOn, message: string | RegExp): Promise<Error> => {
  const told = ({ message }: Error): string => withoutSeconds(withoutPort(message))
  const isExpected = (came: Error | string): boolean => came instanceof Error && (typeof message === 'string' ? told(came).includes(message) : message.test(told(came)))
  const came = await patiently(PATIENCE_MS, (patienceMs) => settled(lieOn, patienceMs), isExpected)
  return came instanceof Error ? came : new Error(`no failure: ${came}`)
}

const [SEND, STATUSES, ACCOUNTS, BLOCKHASH, IS_VALID] = [
  'sendTransaction', 'getSignatureStatuses', 'getMultipleAccounts', 'getLatestBlockhash', 'isBlockhashValid',
] as const

/** The signature of no transaction. */
const NO_SIGNATURE = '1'.repeat(64)
const lost = swallowed(NO_SIGNATURE)
/** Between the sending of a transaction and its coming. */
const LATE_MS = 300

interface Told {
  readonly context: { readonly slot: number }
  readonly value: unknown
}

const value = (change: (value: unknown) => unknown) => changed((result) => ({ ...result as Told, value: change((result as Told).value) }))

/** Knows of no transaction. */
const unseen = value((statuses) => (statuses as unknown[]).map(() => null))
/** Answers with a blockhash that nobody gave out. */
const noBlockhash = value((told) => ({ ...told as object, blockhash: new PublicKey(Buffer.alloc(32, 7)).toBase58() }))
const processed = value((statuses) => (statuses as (object | null)[]).map((status) => status && { ...status, confirmations: 0, confirmationStatus: 'processed' }))
const final = value((statuses) => (statuses as unknown[]).map(() => ({ slot: 1, confirmations: null, err: null, confirmationStatus: 'finalized' })))

/** A micro-unit more in every balance of the vault: a user account has 80 bytes, and its balance at byte 40. */
const richer = value((accounts) => (accounts as ({ data: [string, string] } | null)[]).map((account) => {
  const data = Buffer.from(account?.data[0] ?? '', 'base64')
  if (account === null || data.length !== 80) return account
  data.writeBigUInt64LE(data.readBigUInt64LE(40) + 1n, 40)
  return { ...account, data: [data.toString('base64'), 'base64'] }
}))

/** The clock of the chain jumps, so that no blockhash is good any more. */
const jumps = (which: (before: number) => boolean): LieOn => (stage) => {
  let atS = BEFORE_S
  return to(SEND, which, async (_, truth) => {
    stage.validator.setClock(atS += DAY_S)
    return { ...await truth() }
  })
}

const plain = (lie: Lie): LieOn => () => lie

describe('a Solana validator by URL that lies', () => {
  // At the same time, because most of them wait.
  it.concurrent.each<readonly [string, LieOn]>([
    ['in nothing', plain(honest)],
    ['in breaking connections', plain(toAny(every(40), silent(Silence.breaks)))],
    ['in answering with pages', plain(toAny(every(40), silent(Silence.garbles)))],
    ['in hanging now and then', plain(to(ACCOUNTS, only(20), silent(Silence.hangs)))],
    ['in sending a transaction twice', plain(to(SEND, () => true, async (_, truth) => {
      const first = await truth()
      await truth()
      return first
    }))],
    ['in sending a transaction late', plain(to(SEND, every(6), late(LATE_MS, NO_SIGNATURE)))],
    ['in sending transactions in another order', () => overtaken(SEND, LATE_MS, NO_SIGNATURE)],
    ['in taking a transaction and never sending it', plain(to(SEND, every(6), lost))],
    ['in losing transactions and telling that blockhashes are over', plain(async (request: RpcRequest, truth, before) => {
      if (request.method === IS_VALID) return value(() => false)(request, truth, before)
      return to(SEND, every(6), lost)(request, truth, before)
    })],
    ['in giving out blockhashes of nobody', plain(to(BLOCKHASH, every(6), noBlockhash))],
    ['in a clock that jumps', jumps(every(6))],
    ['in being slow to know transactions', plain(to(STATUSES, every(8), unseen))],
    ['about its slots', plain(toAny(() => true, changed((result) => (
      typeof result === 'object' && result !== null ? { ...result, context: { slot: 1_000_000_000_000 } } : result))))],
  ])('%s, comes to the ledger', async (_, lieOn) => {
    expect(await patiently(PATIENCE_MS, (patienceMs) => settled(lieOn, patienceMs))).toBe('0 differences')
  })

  it.concurrent.each<readonly [string, LieOn, string]>([
    ['hangs from the beginning', plain(silent(Silence.hangs)), 'no Solana validator answers at URL'],
    ['breaks every connection', plain(silent(Silence.breaks)), 'no Solana validator answers at URL'],
    ['hangs later', plain(to(SEND, from(10), silent(Silence.hangs))), 'no answer to sendTransaction from URL within its patience'],
    ['answers with pages later', plain(to(STATUSES, from(10), silent(Silence.garbles))), 'the validator at URL has refused a request'],
    ['takes transactions and never sends one', plain(to(SEND, from(10), lost)), 'svm has not taken'],
    ['loses the accounts that it admits', plain(to(SEND, from(0), lost)), 'the vault cannot be made ready on URL: '],
    ['knows no transactions', plain(to(STATUSES, from(10), unseen)), 'svm has not taken'],
    ['makes nothing final', plain(to(STATUSES, from(10), processed)), 'transactions on URL do not become finalized: for its patience they are processed'],
    ['gives out no blockhash that is good', plain(to(BLOCKHASH, from(6), noBlockhash)), 'svm has not taken'],
    ['has a clock that jumps before each transaction', jumps(from(10)), 'svm has not taken'],
  ])('that %s ends the settlement, by name', async (_, lieOn, message) => {
    expect(withoutSeconds(withoutPort((await failure(lieOn, message)).message))).toContain(message)
  })

  it.concurrent('that tells a balance of a micro-unit more is a difference, by account', async () => {
    const error = await failure(plain(to(ACCOUNTS, from(30), richer)), 'differ')
    expect(error).toBeInstanceOf(SettlementDifference)
    expect(error.message).toMatch(/^svm and the parlay ledger differ in the balance of account \d+/)
  })

  it.concurrent('that calls final what it never sends is a difference', async () => {
    const error = await failure(plain(async (request, truth, before) => (
      request.method === SEND && before >= 10 ? lost(request, truth, before)
        : request.method === STATUSES && before >= 9 ? final(request, truth, before) : truth())), 'differ')
    expect(error).toBeInstanceOf(SettlementDifference)
  })

  it.concurrent('that undoes what it called final is a difference, or is named', async () => {
    const error = await failure((stage) => {
      let undo: (() => void) | null = null
      return async ({ method }, truth, before) => {
        if (method === SEND && before === 10) undo = stage.validator.checkpoint()
        if (method === SEND && before === 14) undo!()
        return truth()
      }
    }, /differ|refused/)
    expect(error.message).toMatch(/^svm and the parlay ledger differ in |^svm refused /)
  })

  it.concurrent('that refuses in 100,000 letters, some of them unseen, is quoted in part, and visibly', async () => {
    const message = `\u001b[2J\n${'x'.repeat(100_000)}`
    const error = await failure(plain(to(STATUSES, from(10), async ({ id }) => ({ id, error: { code: -32_005, message } }))), 'has refused a request')
    expect(withoutPort(error.message)).toMatch(/^the validator at URL has refused a request \d+ times: .*\\u001b\[2J x{800,1000} … 98,\d{3} letters … x{900,1000}/)
    expect(error.message.length).toBeLessThan(2_200)
  })

  it.concurrent('that goes away is missed', async () => {
    const error = await failure((_, close) => {
      let closed: Promise<void> | undefined
      return async ({ method }, truth, before) => {
        if (method === SEND && before >= 10) await (closed ??= close())
        return truth()
      }
    }, 'the validator at URL has refused a request')
    expect(withoutPort(error.message)).toContain('the validator at URL has refused a request')
  })

  it.concurrent('in breaking connections and losing transactions, changes nothing of a run that is settled while it is played', async () => {
    const came = await patiently(PATIENCE_MS, (patienceMs) => live((request, truth, before) => (
      request.method === SEND ? to(SEND, every(6), lost)(request, truth, before) : toAny(every(40), silent(Silence.breaks))(request, truth, before)), newFolder(), patienceMs))
    if (came instanceof Error) throw came
    expect(came.digest).toBe(run.digest)
    expect(JSON.parse(readFileSync(join(came.path, 'settlement.json'), 'utf8'))).toMatchObject({ chains: [{ chain: 'svm', differences: 0, pending: 0 }] })
  })

  it.concurrent('that tells a balance of a micro-unit more ends a run that is being played, of which nothing is left', async () => {
    const folder = newFolder()
    expect(await patiently(PATIENCE_MS, (patienceMs) => live(to(ACCOUNTS, from(30), richer), folder, patienceMs))).toBeInstanceOf(SettlementDifference)
    expect(readdirSync(folder)).toEqual([])
  })

  it.concurrent('that hangs later ends a command by name after ten seconds, if nobody says how patient to be', async () => {
    const ended = await behind(plain(to(SEND, from(10), silent(Silence.hangs))), (url) => parlor(newFolder(), 'reconcile', run.path, '--chain', 'svm', '--rpc', `svm=${url}`, '--quiet'))
    expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringContaining(`error: no answer to ${SEND} from`) })
    expect(ended.err).toContain('within 10 s\n')
  })
})
