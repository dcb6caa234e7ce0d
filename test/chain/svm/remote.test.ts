import { readFileSync } from 'node:fs'
import { PublicKey } from '@solana/web3.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VaultProgram, configAddress } from '../../../src/chain/svm/instructions.ts'
import { SvmKeys } from '../../../src/chain/svm/keys.ts'
import { USDC_MINT } from '../../../src/chain/svm/layout.ts'
import { LiteValidator } from '../../../src/chain/svm/liteValidator.ts'
import { mintAccount, tokenAccount, tokenAddress } from '../../../src/chain/svm/splToken.ts'
import { openSvmChain } from '../../../src/chain/svm/svmChain.ts'
import { sponsorAccount } from '../../../src/chain/svm/vaultSite.ts'
import { InputError } from '../../../src/unit/inputError.ts'
import { admitted, Calls, land, landWell } from './calls.ts'
import { serveRpc, type RpcServer } from './rpcServer.ts'

const SEED = 'by url'
const USDC = 1_000_000
const PROGRAM = new URL('../../../src/chain/svm/program/vault.so', import.meta.url)
const RENT = 2_039_280n
const [BETTOR, MAKER, BUYER] = [0, 1, 2]
const ALL = [BETTOR, MAKER, BUYER]
const keys = new SvmKeys(SEED)

let validator: LiteValidator
let server: RpcServer
let calls: Calls

beforeEach(async () => {
  validator = new LiteValidator()
  calls = new Calls()
  server = await serveRpc((request) => validator.answer(request))
})

afterEach(() => server.close())

const open = (seed = SEED) => openSvmChain({ seed, rpcUrl: server.url, patienceMs: 0 })

/** What somebody else does to a validator before the session comes: deploys, funds. */
function deploy(): void {
  validator.addProgram(keys.program.address, readFileSync(PROGRAM))
}

const clone = (): void => validator.setAccount(USDC_MINT, mintAccount(10n ** 15n, 6, RENT))
const sponsor = (lamports: bigint): void => validator.setAccount(keys.sponsor.address, sponsorAccount(lamports))

function fund(account: number, micros: number): void {
  const { address } = keys.wallet(account)
  validator.setAccount(tokenAddress(address), tokenAccount(address, BigInt(micros), RENT))
}

function makeReady(): void {
  deploy()
  clone()
  sponsor(10n ** 10n)
  for (const account of ALL) fund(account, 1_000 * USDC)
}

async function complaint(what: Promise<unknown>): Promise<string> {
  const error = await what.then(() => null, (caught: unknown) => caught)
  expect(error).toBeInstanceOf(InputError)
  return (error as InputError).describe()
}

describe('a validator by URL', () => {
  it('comes to the same sums as the chain in the process', async () => {
    makeReady()
    const chain = await open()
    expect(chain.faults).toBeNull()
    await chain.advance(1)
    await chain.admit(ALL.map((account) => admitted(account, 500 * USDC)))
    await landWell(
      chain, ...ALL.map((account) => calls.deposit(account, 500 * USDC)), calls.open(0, BETTOR, MAKER), calls.open(1, BETTOR, MAKER),
      calls.transfer(0, BUYER, 60 * USDC), calls.settle(0, 'won'), calls.buyback(1, 40 * USDC), calls.withdraw(BETTOR, 100 * USDC),
    )
    // Bettor 500 − 25 − 25 + 60 + 39.8475 − 100, maker 500 − 74.25 − 74.25 + 59, buyer 500 − 60 + 98.2575.
    expect((await chain.balances(ALL)).map(Number)).toEqual([449_847_500, 410_500_000, 538_257_500])
    // Twice the taker fee, 0.7425 and 0.1525.
    expect(Number(await chain.house())).toBe(1_395_000)
    expect(Number(await chain.tokens())).toBe(1_400_000_000)
    expect((await chain.wallets(ALL)).map(Number)).toEqual([600_000_000, 500_000_000, 500_000_000])
    expect(new Set(server.methods)).toEqual(new Set([
      'getGenesisHash', 'getMultipleAccounts', 'getAccountInfo', 'getLatestBlockhash', 'sendTransaction', 'isBlockhashValid', 'getSignatureStatuses',
    ]))
  })

  it('is given the program, byte for byte, when it has none', async () => {
    clone()
    sponsor(10n ** 10n)
    const chain = await open()
    const { connection } = chain.site.network
    const [data] = PublicKey.findProgramAddressSync([keys.program.address.toBuffer()], new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111'))
    // After a head of 45 bytes: state, slot, authority.
    expect((await connection.getAccountInfo(data))?.data.subarray(45).equals(readFileSync(PROGRAM))).toBe(true)
    fund(BETTOR, 5)
    await chain.admit([admitted(BETTOR, 5)])
    await landWell(chain, calls.deposit(BETTOR, 5))
    expect((await chain.balances([BETTOR])).map(Number)).toEqual([5])
  })

  it('says what was refused', async () => {
    makeReady()
    const chain = await open()
    await chain.admit([admitted(BETTOR, 0)])
    const { statuses } = await land(chain, [calls.deposit(BETTOR, 5), calls.withdraw(BETTOR, 6)])
    expect(statuses).toEqual([{ state: 'refused', call: 1, reason: 'insufficientBalance', done: false }])
  })

  it('is found again as it was left, where all calls of the session are done', async () => {
    makeReady()
    const deposit = calls.deposit(BETTOR, 500 * USDC)
    const first = await open()
    await first.admit([admitted(BETTOR, 500 * USDC)])
    await landWell(first, deposit)
    const second = await open()
    await second.admit([admitted(BETTOR, 500 * USDC)])
    expect((await land(second, [deposit])).statuses).toEqual([{ state: 'refused', call: 0, reason: 'sequenceDone', done: true }])
    expect((await second.balances([BETTOR])).map(Number)).toEqual([500 * USDC])
  })

  it('sends what touches the same balance only after what came before has landed, and nothing after what has not', async () => {
    makeReady()
    const chain = await openSvmChain({ seed: SEED, rpcUrl: server.url, patienceMs: 0, callsPerBundle: 1 })
    await chain.admit(ALL.map((account) => admitted(account, 500 * USDC)))
    const bundles = await chain.prepare([calls.deposit(BETTOR, 5), calls.deposit(MAKER, 6), calls.withdraw(BETTOR, 5), calls.withdraw(MAKER, 6)])
    server.methods.length = 0
    await chain.broadcast(bundles)
    expect(server.methods).toEqual([
      'sendTransaction', 'sendTransaction', 'getSignatureStatuses', 'sendTransaction', 'getSignatureStatuses', 'sendTransaction',
    ])
    validator.drop(true)
    server.methods.length = 0
    await chain.broadcast(await chain.prepare([calls.deposit(BETTOR, 7), calls.withdraw(BETTOR, 7), calls.deposit(MAKER, 8)]))
    expect(server.methods).toEqual(['getLatestBlockhash', 'sendTransaction', 'getSignatureStatuses'])
  })
})

describe('a validator that takes its time', () => {
  /** Lets the first answers about statuses be others than the true one. */
  async function slow(...early: readonly ((status: object) => object | null)[]): Promise<RpcServer> {
    let asked = 0
    return serveRpc((request) => {
      const answer = validator.answer(request)
      if ((JSON.parse(request) as { method: string }).method !== 'getSignatureStatuses') return answer
      const change = early[asked++]
      const told = JSON.parse(answer) as { result: { value: (object | null)[] } }
      if (change !== undefined) told.result.value = told.result.value.map((status) => status && change(status))
      return JSON.stringify(told)
    })
  }

  const asProcessed = (status: object) => ({ ...status, confirmations: 0, confirmationStatus: 'processed' })
  const asConfirmed = (status: object) => ({ ...status, confirmations: 7, confirmationStatus: 'confirmed' })
  const unseen = () => null

  async function statusesAsked(commitment: 'confirmed' | 'finalized', patienceMs: number, ...early: readonly ((status: object) => object | null)[]) {
    makeReady()
    const before = await open()
    await before.admit([admitted(BETTOR, 5)])
    const slowly = await slow(...early)
    try {
      const chain = await openSvmChain({ seed: SEED, rpcUrl: slowly.url, commitment, patienceMs })
      const { statuses } = await land(chain, [calls.deposit(BETTOR, 5)])
      return { state: statuses[0]!.state, asked: slowly.methods.filter((method) => method === 'getSignatureStatuses').length }
    } finally {
      await slowly.close()
    }
  }

  it.each([
    { told: 'processed, then confirmed', commitment: 'finalized', patienceMs: 0, early: [asProcessed, asConfirmed], state: 'final', asked: 3 },
    { told: 'processed, then confirmed', commitment: 'confirmed', patienceMs: 0, early: [asProcessed, asConfirmed], state: 'final', asked: 2 },
    { told: 'nothing', commitment: 'finalized', patienceMs: 0, early: [unseen], state: 'absent', asked: 1 },
    { told: 'nothing, with patience', commitment: 'finalized', patienceMs: 10_000, early: [unseen, asProcessed], state: 'final', asked: 3 },
  ] as const)('is asked until it is $commitment: $told', async ({ commitment, patienceMs, early, state, asked }) => {
    expect(await statusesAsked(commitment, patienceMs, ...early)).toEqual({ state, asked })
  })
})

describe('a validator that is not ready', () => {
  it('says that nobody answers', async () => {
    await server.close()
    expect(await complaint(open())).toContain(`no Solana validator answers at ${server.url}`)
  })

  it('says that an address is none', async () => {
    expect(await complaint(openSvmChain({ seed: SEED, rpcUrl: 'localhost:8899' }))).toContain('localhost:8899 is no address')
  })

  it('is never the main network, where money is real', async () => {
    makeReady()
    const main = await serveRpc((request) => {
      const { id, method } = JSON.parse(request) as { id: string; method: string }
      return method !== 'getGenesisHash' ? validator.answer(request)
        : JSON.stringify({ jsonrpc: '2.0', id, result: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' })
    })
    try {
      expect(await complaint(openSvmChain({ seed: SEED, rpcUrl: main.url }))).toContain('main network')
      expect(main.methods).toEqual(['getGenesisHash'])
    } finally {
      await main.close()
    }
  })

  it('says that the mint is missing', async () => {
    deploy()
    expect(await complaint(open())).toContain('no USDC mint EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
  })

  it('says whom to send SOL', async () => {
    deploy()
    clone()
    sponsor(900_000_000n)
    expect(await complaint(open())).toContain(`the sponsor ${keys.sponsor.address.toBase58()} has 0.9 SOL`)
  })

  it('names wallets that lack USDC, and how much', async () => {
    makeReady()
    fund(MAKER, 20 * USDC)
    const chain = await open()
    const said = await complaint(chain.admit([...ALL, 3, 4, 5, 6, 7, 8].map((account) => admitted(account, 70 * USDC))))
    expect(said).toContain(`wallet ${keys.wallet(MAKER).address.toBase58()} of account 1 lacks 50`)
    expect(said).toContain(`wallet ${keys.wallet(3).address.toBase58()} of account 3 lacks 70`)
    expect(said).toContain('and 2 more')
    expect(said).not.toContain(keys.wallet(BETTOR).address.toBase58())
  })

  it('refuses a vault of another operator', async () => {
    makeReady()
    const stranger = new SvmKeys('another').operator
    const vault = tokenAddress(configAddress(keys.program.address))
    const program = new VaultProgram(keys.program.address, stranger.address, vault)
    const first = await open()
    const config = await first.site.network.connection.getAccountInfo(program.config)
    stranger.address.toBuffer().copy(config!.data, 8)
    validator.setAccount(program.config, { lamports: BigInt(config!.lamports), data: config!.data, owner: config!.owner })
    expect(await complaint(open())).toContain('another operator')
  })
})
