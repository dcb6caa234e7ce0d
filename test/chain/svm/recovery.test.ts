import { Keypair, PublicKey } from '@solana/web3.js'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ChainFaultPort } from '../../../src/chain/settlementChain.ts'
import { VaultProgram } from '../../../src/chain/svm/instructions.ts'
import { mintAccount, tokenAccount, tokenAddress } from '../../../src/chain/svm/splToken.ts'
import { openSvmChain, type SvmChain } from '../../../src/chain/svm/svmChain.ts'
import { TransactionDraft } from '../../../src/chain/svm/transactionDraft.ts'
import { landAll } from '../../../src/chain/svm/transactionWatch.ts'
import type { VaultCall } from '../../../src/chain/vaultCall.ts'
import { admitted, Calls, land, landWell, START_S } from './calls.ts'

const BETTOR = 0
const MAKER = 1
const BUYER = 2
const ALL = [BETTOR, MAKER, BUYER]
const USDC = 1_000_000

let chain: SvmChain
let calls: Calls
let faults: ChainFaultPort

beforeEach(async () => {
  chain = await openSvmChain({ seed: 'recovery' })
  calls = new Calls()
  faults = chain.faults!
  await chain.advance(START_S)
  await chain.admit(ALL.map((account) => admitted(account, 1_000 * USDC)))
  await landWell(chain, ...ALL.map((account) => calls.deposit(account, 500 * USDC)))
})

const sums = async () => [...await chain.balances(ALL), await chain.house()].map(Number)

/** Each kind of call once; what they come to: bettor 475 + 30 + 3 − 7, maker 425.75 + 99, buyer 500 − 30, house 0.25. */
const story = (): VaultCall[] => [
  calls.open(0, BETTOR, MAKER), calls.transfer(0, BUYER, 30 * USDC), calls.deposit(BETTOR, 3 * USDC), calls.withdraw(BETTOR, 7 * USDC),
  calls.settle(0, 'lost'),
]
const STORY_SUMS = [501_000_000, 524_750_000, 470_000_000, 250_000]

describe('what comes again', () => {
  it('as the same bytes has its effect once', async () => {
    const { bundles } = await land(chain, story())
    await chain.broadcast(bundles)
    await chain.broadcast(bundles)
    expect(await chain.statuses(bundles)).toEqual(bundles.map(() => ({ state: 'final' })))
    expect(await sums()).toEqual(STORY_SUMS)
  })

  it('signed anew is done, each call by itself', async () => {
    const told = story()
    await landWell(chain, ...told)
    await chain.advance(START_S + 100)
    for (const call of told) {
      const { statuses } = await land(chain, [call])
      expect(statuses).toEqual([{ state: 'refused', call: 0, done: true, reason: expect.any(String) }])
    }
    expect(await sums()).toEqual(STORY_SUMS)
  })

  it('signed anew before it landed lands once', async () => {
    const told = story()
    const never = await chain.prepare(told)
    expect(await chain.statuses(never)).toEqual(never.map(() => ({ state: 'absent' })))
    await landWell(chain, ...told)
    await chain.broadcast(never)
    expect((await chain.statuses(never))[0]).toMatchObject({ state: 'refused', call: 0, done: true })
    expect(await sums()).toEqual(STORY_SUMS)
  })
})

describe('faults', () => {
  it('drop: absent while the blockhash is good, expired afterwards, and signed anew it lands', async () => {
    const told = story()
    faults.drop(true)
    const { bundles, statuses } = await land(chain, told)
    expect(statuses).toEqual(bundles.map(() => ({ state: 'absent' })))
    faults.drop(false)
    await chain.advance(START_S + 59)
    expect(await chain.statuses(bundles)).toEqual(bundles.map(() => ({ state: 'absent' })))
    await chain.advance(START_S + 60)
    await chain.broadcast(bundles)
    expect(await chain.statuses(bundles)).toEqual(bundles.map(() => ({ state: 'expired' })))
    expect(await sums()).toEqual([500_000_000, 500_000_000, 500_000_000, 0])
    await landWell(chain, ...bundles.flatMap((bundle) => bundle.calls))
    expect(await sums()).toEqual(STORY_SUMS)
  })

  it('drop: sent again in time the same bytes land', async () => {
    faults.drop(true)
    const { bundles } = await land(chain, story())
    faults.drop(false)
    await chain.broadcast(bundles)
    expect(await chain.statuses(bundles)).toEqual(bundles.map(() => ({ state: 'final' })))
    expect(await sums()).toEqual(STORY_SUMS)
  })

  it('a status stays final after its blockhash has run out', async () => {
    const { bundles } = await land(chain, story())
    await chain.advance(START_S + 3_600)
    expect(await chain.statuses(bundles)).toEqual(bundles.map(() => ({ state: 'final' })))
  })

  it('a sponsor without lamports: nothing lands until it has some', async () => {
    await faults.sponsor(false)
    const { bundles, statuses } = await land(chain, story())
    expect(statuses).toEqual(bundles.map(() => ({ state: 'absent' })))
    await faults.sponsor(true)
    await chain.broadcast(bundles)
    expect(await chain.statuses(bundles)).toEqual(bundles.map(() => ({ state: 'final' })))
    expect(await sums()).toEqual(STORY_SUMS)
  })

  it('a reorganisation takes out what landed since, and all of it lands again', async () => {
    const early = await chain.prepare([calls.deposit(MAKER, 10 * USDC)])
    const undo = await faults.checkpoint()
    await chain.broadcast(early)
    await chain.advance(START_S + 1_000)
    const { bundles } = await land(chain, story())
    await undo()
    expect(await sums()).toEqual([500_000_000, 500_000_000, 500_000_000, 0])
    expect((await chain.wallets(ALL)).map(Number)).toEqual([500_000_000, 500_000_000, 500_000_000])
    expect(Number((await chain.tokens()).owedMicros)).toBe(1_500_000_000)
    expect((await chain.positions([0]))[0]!.holder).toBe(-1)
    // What was signed before the fork can be sent as it is, what was signed on it cannot.
    expect(await chain.statuses(early)).toEqual([{ state: 'absent' }])
    expect(await chain.statuses(bundles)).toEqual(bundles.map(() => ({ state: 'expired' })))
    await chain.broadcast(early)
    await chain.advance(START_S + 1_000)
    await landWell(chain, ...bundles.flatMap((bundle) => bundle.calls))
    expect(await sums()).toEqual([STORY_SUMS[0], STORY_SUMS[1]! + 10 * USDC, STORY_SUMS[2], STORY_SUMS[3]])
    expect(Number((await chain.tokens()).owedMicros)).toBe(1_506_000_000)
  })
})

describe('money that is not the vault’s', () => {
  const lite = () => chain.site.validator!
  /** The rent of any token account, lamports. */
  const RENT = 2_039_280n

  it.each([
    ['another mint', Keypair.fromSeed(Buffer.alloc(32, 77)).publicKey],
    ['a bridged token', new PublicKey('A9mUU4qviSctJVPJdJWkb28deg915LYJKrzQ19ji3FM')],
  ])('of %s credits nothing, whichever way it comes', async (_, mint) => {
    const { wallet, user } = chain.addresses.account(BETTOR)
    const { program, network } = chain.site
    const [from, to] = [tokenAddress(wallet.address, mint), tokenAddress(program.config, mint)]
    lite().setAccount(mint, mintAccount(10n ** 12n, 6, RENT))
    lite().setAccount(from, tokenAccount(wallet.address, 900_000_000n, RENT, mint))
    lite().setAccount(to, tokenAccount(program.config, 0n, RENT, mint))
    for (const vault of [program.vault, to]) {
      const draft = new TransactionDraft(chain.keys.sponsor.address)
      draft.add(new VaultProgram(program.programId, program.operator, vault).deposit(wallet.address, user, from, 5_000_000n, 2n))
      await expect(landAll(network, [{ draft, signers: [chain.keys.sponsor, wallet] }])).rejects.toThrow(/Custom/)
    }
    expect(await sums()).toEqual([500_000_000, 500_000_000, 500_000_000, 0])
    expect(Number((await chain.tokens()).owedMicros)).toBe(1_500_000_000)
    await landWell(chain, calls.deposit(BETTOR, 5 * USDC))
    expect(await sums()).toEqual([505_000_000, 500_000_000, 500_000_000, 0])
  })

  it('sent to the vault’s account by the way credits nobody', async () => {
    lite().setAccount(chain.site.program.vault, tokenAccount(chain.site.program.config, 1_600_000_000n, RENT))
    await landWell(chain, ...story())
    expect(await sums()).toEqual(STORY_SUMS)
  })
})

describe('a wallet without SOL', () => {
  it('completes everything, and has none afterwards', async () => {
    await landWell(chain, ...story())
    await landWell(chain, calls.withdraw(BETTOR, 501 * USDC))
    expect((await chain.wallets(ALL)).map(Number)).toEqual([1_005_000_000, 500_000_000, 500_000_000])
    for (const account of ALL) {
      expect(await chain.site.network.connection.getBalance(chain.addresses.account(account).wallet.address)).toBe(0)
    }
  })
})

describe('admission', () => {
  it('of an account again gives its wallet that much more, and leaves its balance', async () => {
    await chain.admit([admitted(BETTOR, 20 * USDC), admitted(9, 5 * USDC), admitted(9, 1)])
    expect((await chain.wallets([BETTOR, 9])).map(Number)).toEqual([520_000_000, 5_000_001])
    expect((await chain.balances([BETTOR, 9])).map(Number)).toEqual([500_000_000, 0])
    await landWell(chain, calls.deposit(9, 5 * USDC))
    expect((await chain.balances([9])).map(Number)).toEqual([5_000_000])
  })

  it('of more accounts than fit into a transaction', async () => {
    await chain.admit(Array.from({ length: 25 }, (_, i) => admitted(50 + i, 2 * USDC)))
    await landWell(chain, ...Array.from({ length: 25 }, (_, i) => calls.deposit(50 + i, USDC + i)))
    expect((await chain.balances(Array.from({ length: 25 }, (_, i) => 50 + i))).map(Number)).toEqual(Array.from({ length: 25 }, (_, i) => USDC + i))
  })
})
