import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { PublicKey } from '@solana/web3.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VaultProgram, configAddress } from '../../../src/chain/svm/instructions.ts'
import { SvmKeys } from '../../../src/chain/svm/keys.ts'
import { tokenAccount, tokenAddress } from '../../../src/chain/svm/splToken.ts'
import { openSvmChain } from '../../../src/chain/svm/svmChain.ts'
import { admitted, Calls, land, landWell } from './calls.ts'
import { complaint, PROGRAM, RemoteStage, USDC } from './remoteStage.ts'
import { serveRpc, type RpcServer } from './rpcServer.ts'

const SEED = 'by url'
const [BETTOR, MAKER, BUYER] = [0, 1, 2]
const ALL = [BETTOR, MAKER, BUYER]

let stage: RemoteStage
let server: RpcServer
let calls: Calls

beforeEach(async () => {
  stage = new RemoteStage(SEED)
  calls = new Calls()
  server = await serveRpc((request) => stage.validator.answer(request))
})

afterEach(() => server.close())

const open = () => openSvmChain({ seed: SEED, rpcUrl: server.url, patienceMs: 0 })

describe('a validator by URL', () => {
  it('comes to the same sums as the chain in the process', async () => {
    stage.makeReady(ALL)
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
    expect(Number((await chain.tokens()).owedMicros)).toBe(1_400_000_000)
    // The figures are of the 500 that each was to have. The other 500 of each wallet are none of the session's.
    expect((await chain.wallets(ALL)).map(Number)).toEqual([100_000_000, 0, 0])
    expect(new Set(server.methods)).toEqual(new Set([
      'getGenesisHash', 'getMultipleAccounts', 'getLatestBlockhash', 'sendTransaction', 'isBlockhashValid', 'getSignatureStatuses',
    ]))
  })

  it('is given the program, byte for byte, when it has none', async () => {
    stage.makeEmpty()
    const chain = await open()
    const { connection } = chain.site.network
    const [data] = PublicKey.findProgramAddressSync([stage.keys.program.address.toBuffer()], new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111'))
    // After a head of 45 bytes: state, slot, authority.
    const held = (await connection.getAccountInfo(data))!.data
    expect(held.subarray(45).equals(readFileSync(PROGRAM))).toBe(true)
    // No authority: not even the sponsor, who deployed it, can put another program there.
    expect(held[12]).toBe(0)
    stage.fund(BETTOR, 5)
    await chain.admit([admitted(BETTOR, 5)])
    await landWell(chain, calls.deposit(BETTOR, 5))
    expect((await chain.balances([BETTOR])).map(Number)).toEqual([5])
  })

  it('says what was refused', async () => {
    stage.makeReady(ALL)
    const chain = await open()
    await chain.admit([admitted(BETTOR, 0)])
    const { statuses } = await land(chain, [calls.deposit(BETTOR, 5), calls.withdraw(BETTOR, 6)])
    expect(statuses).toEqual([{ state: 'refused', call: 1, reason: 'insufficientBalance', done: false }])
  })

  it('counts what wallets need later, too, against what they held at first', async () => {
    stage.makeReady(ALL)
    const chain = await open()
    await chain.admit([admitted(BETTOR, 300 * USDC)])
    await landWell(chain, calls.deposit(BETTOR, 300 * USDC))
    expect((await chain.wallets([BETTOR, MAKER])).map(Number)).toEqual([0, 1_000_000_000])
    await chain.admit([admitted(BETTOR, 600 * USDC), admitted(MAKER, 0)])
    expect((await chain.wallets([BETTOR, MAKER])).map(Number)).toEqual([600_000_000, 0])
    await landWell(chain, calls.deposit(BETTOR, 550 * USDC), calls.withdraw(BETTOR, 100 * USDC))
    expect((await chain.wallets([BETTOR])).map(Number)).toEqual([150_000_000])
    // 100 of the first 1,000 are left, though 250 lie in the wallet: the other 150 are the session's already.
    expect(await complaint(chain.admit([admitted(BETTOR, 101 * USDC)]))).toContain('of account 0 lacks 1\n')
  })

  it('has tokens that nobody deposited, and owes them to nobody', async () => {
    stage.makeReady(ALL)
    const chain = await open()
    await chain.admit([admitted(BETTOR, 5)])
    await landWell(chain, calls.deposit(BETTOR, 5))
    const { program } = chain.site
    stage.validator.setAccount(program.vault, tokenAccount(program.config, 6n, 2_039_280n))
    expect(await chain.tokens()).toEqual({ owedMicros: 5n, heldMicros: 6n })
    stage.validator.setAccount(program.vault, tokenAccount(program.config, 4n, 2_039_280n))
    expect(await chain.tokens()).toEqual({ owedMicros: 5n, heldMicros: 4n })
  })

  it('sends what touches the same balance only after what came before has landed, and nothing after what has not', async () => {
    stage.makeReady(ALL)
    const chain = await openSvmChain({ seed: SEED, rpcUrl: server.url, patienceMs: 0, callsPerBundle: 1 })
    await chain.admit(ALL.map((account) => admitted(account, 500 * USDC)))
    const bundles = await chain.prepare([calls.deposit(BETTOR, 5), calls.deposit(MAKER, 6), calls.withdraw(BETTOR, 5), calls.withdraw(MAKER, 6)])
    server.methods.length = 0
    await chain.broadcast(bundles)
    expect(server.methods).toEqual([
      'sendTransaction', 'sendTransaction', 'getSignatureStatuses', 'sendTransaction', 'getSignatureStatuses', 'sendTransaction',
    ])
    stage.validator.drop(true)
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
      const answer = stage.validator.answer(request)
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
    stage.makeReady(ALL)
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
    { told: 'processed, then confirmed', commitment: 'finalized', patienceMs: 10_000, early: [asProcessed, asConfirmed], state: 'final', asked: 3 },
    { told: 'processed, then confirmed', commitment: 'confirmed', patienceMs: 10_000, early: [asProcessed, asConfirmed], state: 'final', asked: 2 },
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
    stage.makeReady(ALL)
    const main = await serveRpc((request) => {
      const { id, method } = JSON.parse(request) as { id: string; method: string }
      return method !== 'getGenesisHash' ? stage.validator.answer(request)
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
    stage.deploy()
    const said = await complaint(open())
    expect(said).toContain('no USDC mint EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
    expect(said).toContain('chain: { on: svm, start: solana-test-validator } starts a validator with the mint and funded wallets')
  })

  it('says whom to send SOL', async () => {
    stage.deploy()
    stage.clone()
    stage.sponsor(900_000_000n)
    expect(await complaint(open())).toContain(`the sponsor ${stage.keys.sponsor.address.toBase58()} has 0.9 SOL`)
  })

  it('names wallets that lack USDC, and how much', async () => {
    stage.makeReady(ALL)
    stage.fund(MAKER, 20 * USDC)
    const chain = await open()
    const said = await complaint(chain.admit([...ALL, 3, 4, 5, 6, 7, 8].map((account) => admitted(account, 70 * USDC))))
    expect(said).toContain(`wallet ${stage.keys.wallet(MAKER).address.toBase58()} of account 1 lacks 50`)
    expect(said).toContain(`wallet ${stage.keys.wallet(3).address.toBase58()} of account 3 lacks 70`)
    expect(said).toContain('and 2 more')
    expect(said).not.toContain(stage.keys.wallet(BETTOR).address.toBase58())
  })

  it('refuses a vault where the session has settled before, and says what to do', async () => {
    stage.makeReady(ALL)
    const first = await open()
    await first.admit([admitted(BETTOR, 5)])
    // Users alone are no settlement.
    const second = await open()
    await second.admit([admitted(BETTOR, 5)])
    await landWell(second, calls.deposit(BETTOR, 5), calls.withdraw(BETTOR, 5))
    const said = await complaint(open())
    expect(said).toContain('has settled before: it has taken 1 deposits')
    expect(said).toContain('reset the validator (solana-test-validator --reset), or take another seed')
  })

  it('refuses another program at its address', async () => {
    stage.makeEmpty()
    const elf = readFileSync(PROGRAM)
    const other = Buffer.concat([elf, Buffer.of(1)])
    stage.deploy(other)
    const [itsHash, ourHash] = [other, elf].map((bytes) => createHash('sha256').update(bytes).digest('hex'))
    expect(await complaint(open())).toContain(`is another than this vault: SHA-256 ${itsHash}, not ${ourHash}`)
  })

  it('refuses a program that somebody can replace', async () => {
    stage.makeReady(ALL)
    const { connection } = (await open()).site.network
    const loader = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111')
    const [address] = PublicKey.findProgramAddressSync([stage.keys.program.address.toBuffer()], loader)
    const { data, lamports, owner } = (await connection.getAccountInfo(address))!
    data[12] = 1
    stage.keys.sponsor.address.toBuffer().copy(data, 13)
    stage.validator.setAccount(address, { data, lamports: BigInt(lamports), owner })
    expect(await complaint(open())).toContain(`can be replaced by ${stage.keys.sponsor.address.toBase58()}`)
    // Nobody has the zero key, which --bpf-program of a validator names.
    data.fill(0, 13, 45)
    stage.validator.setAccount(address, { data, lamports: BigInt(lamports), owner })
    expect((await open()).site.program.programId).toEqual(stage.keys.program.address)
  })

  it('refuses a vault that keeps its USDC elsewhere', async () => {
    stage.makeReady(ALL)
    const { network, program } = (await open()).site
    const { data, lamports, owner } = (await network.connection.getAccountInfo(program.config))!
    stage.keys.operator.address.toBuffer().copy(data, 40)
    stage.validator.setAccount(program.config, { data, lamports: BigInt(lamports), owner })
    expect(await complaint(open())).toContain(`keeps its USDC at ${stage.keys.operator.address.toBase58()}`)
  })

  it('refuses a vault of another operator', async () => {
    stage.makeReady(ALL)
    const stranger = new SvmKeys('another').operator
    const vault = tokenAddress(configAddress(stage.keys.program.address))
    const program = new VaultProgram(stage.keys.program.address, stranger.address, vault)
    const first = await open()
    const config = await first.site.network.connection.getAccountInfo(program.config)
    stranger.address.toBuffer().copy(config!.data, 8)
    stage.validator.setAccount(program.config, { lamports: BigInt(config!.lamports), data: config!.data, owner: config!.owner })
    expect(await complaint(open())).toContain('another operator')
  })
})
