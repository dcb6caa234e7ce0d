import { readFileSync } from 'node:fs'
import { PublicKey } from '@solana/web3.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { configAddress } from '../../../src/chain/svm/instructions.ts'
import { SvmKey } from '../../../src/chain/svm/keys.ts'
import { openSvmChain, type SvmChain } from '../../../src/chain/svm/svmChain.ts'
import { sponsorAccount } from '../../../src/chain/svm/vaultSite.ts'
import { admitted, Calls, landWell } from './calls.ts'
import { complaint, PROGRAM, RemoteStage, USDC } from './remoteStage.ts'
import { serveRpc } from './rpcServer.ts'

const SEED = 'by a bad line'
const LOADER = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111')
const [BETTOR, MAKER] = [0, 1]
const ALL = Array.from({ length: 20 }, (_, account) => account)

let stage: RemoteStage

beforeEach(() => {
  stage = new RemoteStage(SEED)
})

/** What becomes of a request, by its method and how many of that method came before. */
type Fault = (method: string, before: number) => 'lost' | 'refused' | 'none'

/** Serves the validator over a line with faults: lost transactions are taken and never land, refused requests get an error. */
async function over<T>(fault: Fault, use: (rpcUrl: string) => Promise<T>): Promise<T> {
  const asked = new Map<string, number>()
  const server = await serveRpc((request) => {
    const { id, method } = JSON.parse(request) as { id: string; method: string }
    const before = asked.get(method) ?? 0
    asked.set(method, before + 1)
    const what = fault(method, before)
    if (what === 'refused') return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32005, message: 'Node is behind by 42 slots' } })
    stage.validator.drop(what === 'lost')
    return stage.validator.answer(request)
  })
  try {
    return await use(server.url)
  } finally {
    await server.close()
  }
}

const sendsLost = (...which: number[]): Fault => (method, before) => (method === 'sendTransaction' && which.includes(before) ? 'lost' : 'none')
const well: Fault = () => 'none'

const open = (rpcUrl: string): Promise<SvmChain> => openSvmChain({ seed: SEED, rpcUrl, patienceMs: 0 })

/** A vault that takes a deposit. */
async function expectWorking(chain: SvmChain): Promise<void> {
  stage.fund(BETTOR, 5)
  await chain.admit([admitted(BETTOR, 5)])
  await landWell(chain, new Calls().deposit(BETTOR, 5))
  expect((await chain.balances([BETTOR])).map(Number)).toEqual([5])
}

/** The bytes that lie at the program's address, and whether somebody can replace them. */
async function deployed(chain: SvmChain): Promise<{ readonly elf: Buffer; readonly isFinal: boolean }> {
  const [address] = PublicKey.findProgramAddressSync([stage.keys.program.address.toBuffer()], LOADER)
  const { data } = (await chain.site.network.connection.getAccountInfo(address))!
  return { elf: data.subarray(45), isFinal: data[12] === 0 }
}

describe('a deployment', () => {
  it('sends what was lost again', async () => {
    stage.makeEmpty()
    // The making of the buffer, two writes, one of them twice, and the deployment.
    await over(sendsLost(0, 3, 7, 21, 24), async (url) => {
      const chain = await open(url)
      expect(await deployed(chain)).toEqual({ elf: readFileSync(PROGRAM), isFinal: true })
      await expectWorking(chain)
    })
  })

  // One makes the buffer, 19 fill it, one deploys, and one initializes.
  it.each([0, 1, 2, 9, 20, 21])('that was broken off after %d transactions is gone on with', async (sent) => {
    stage.makeEmpty()
    const said = await over((method, before) => (method === 'sendTransaction' && before >= sent ? 'lost' : 'none'), async (url) => complaint(open(url)))
    expect(said).toContain('were lost 4 times')
    await over(well, async (url) => {
      const chain = await open(url)
      expect(await deployed(chain)).toEqual({ elf: readFileSync(PROGRAM), isFinal: true })
      await expectWorking(chain)
    })
  })

  it('is not kept from its addresses by lamports that somebody has sent there', async () => {
    for (const lamports of [1n, 10n ** 9n]) {
      stage = new RemoteStage(SEED)
      stage.makeEmpty()
      const { program } = stage.keys
      const hash = readFileSync(new URL('vault.so.sha256', PROGRAM), 'utf8').slice(0, 64)
      const buffer = new SvmKey(stage.keys.seed(`program buffer ${hash}`))
      for (const address of [program.address, buffer.address, configAddress(program.address)]) {
        stage.validator.setAccount(address, sponsorAccount(lamports))
      }
      await over(well, async (url) => expectWorking(await open(url)))
    }
  })

  it('says what the validator refuses', async () => {
    stage.makeEmpty()
    // There the loader makes an account itself, and takes none that is there.
    const [data] = PublicKey.findProgramAddressSync([stage.keys.program.address.toBuffer()], LOADER)
    stage.validator.setAccount(data, sponsorAccount(10n ** 9n))
    const said = await over(well, (url) => complaint(open(url)))
    expect(said).toMatch(/the vault cannot be made ready on .*InstructionError/)
    expect(said).toContain('take another seed')
  })
})

describe('users that are made in the middle of a session', () => {
  it('are made though transactions are lost', async () => {
    stage.makeReady(ALL)
    await over(sendsLost(1, 2, 4), async (url) => {
      const chain = await open(url)
      await chain.admit(ALL.map((account) => admitted(account, 5)))
      await landWell(chain, ...ALL.map((account) => new Calls().deposit(account, 5)))
      expect((await chain.balances(ALL)).map(Number)).toEqual(ALL.map(() => 5))
    })
  })

  it('are made though somebody has made one of them at the same time', async () => {
    stage.makeReady(ALL)
    const made = await over(well, async (url) => {
      const chain = await open(url)
      await chain.admit([admitted(2, 5)])
      const { user } = chain.addresses.account(2)
      return { user, account: (await chain.site.network.connection.getAccountInfo(user))! }
    })
    stage = new RemoteStage(SEED)
    stage.makeReady(ALL)
    const race: Fault = (method, before) => {
      // The first transaction initializes the vault.
      const { lamports, data, owner } = made.account
      if (method === 'sendTransaction' && before === 1) stage.validator.setAccount(made.user, { lamports: BigInt(lamports), data, owner })
      return 'none'
    }
    await over(race, async (url) => {
      const chain = await open(url)
      await chain.admit(ALL.slice(0, 4).map((account) => admitted(account, 5)))
      await landWell(chain, ...[0, 1, 2, 3].map((account) => new Calls().deposit(account, 5)))
      expect((await chain.balances([0, 1, 2, 3])).map(Number)).toEqual([5, 5, 5, 5])
    })
  })
})

describe('a validator that refuses requests', () => {
  it('is asked again: every third request of a session fails, of any kind', async () => {
    stage.makeReady(ALL)
    let requests = 0
    const calls = new Calls()
    await over(() => (++requests % 3 === 0 ? 'refused' : 'none'), async (url) => {
      const chain = await open(url)
      await chain.admit([BETTOR, MAKER].map((account) => admitted(account, 500 * USDC)))
      await landWell(
        chain, calls.deposit(BETTOR, 500 * USDC), calls.deposit(MAKER, 500 * USDC), calls.open(0, BETTOR, MAKER), calls.settle(0, 'won'),
      )
      // 500 − 25 + 99 − 0.7425.
      expect((await chain.balances([BETTOR, MAKER])).map(Number)).toEqual([573_257_500, 425_750_000])
    })
    expect(requests).toBeGreaterThan(15)
  })

  it.each(['sendTransaction', 'getSignatureStatuses', 'getMultipleAccounts'])(
    'for good, by %s, ends the session with its last answer', async (bad) => {
      stage.makeReady(ALL)
      let isBad = false
      await over((method) => (isBad && method === bad ? 'refused' : 'none'), async (url) => {
        const chain = await open(url)
        await chain.admit([admitted(BETTOR, 5)])
        isBad = true
        const work = async () => {
          await landWell(chain, new Calls().deposit(BETTOR, 5))
          await chain.balances([BETTOR])
        }
        const said = await complaint(work())
        expect(said).toContain(`the validator at ${url} has refused a request 4 times`)
        expect(said).toContain('Node is behind by 42 slots')
      })
    },
  )

  it('by closing the line, is told by its address', async () => {
    stage.makeReady(ALL)
    const chain = await over(well, open)
    expect(await complaint(chain.balances([BETTOR]))).toMatch(/has refused a request 4 times: .*(ECONNREFUSED|fetch failed)/)
  })
})
