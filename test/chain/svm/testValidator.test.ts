import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { genesisAccounts, writeAccounts } from '../../../src/chain/svm/genesisAccounts.ts'
import { SvmKeys } from '../../../src/chain/svm/keys.ts'
import { type TestValidatorOptions, executableOnPath, startTestValidator } from '../../../src/chain/svm/testValidator.ts'
import { openSvmChain, type SvmChain } from '../../../src/chain/svm/svmChain.ts'
import { admitted, Calls, landWell } from './calls.ts'
import { putExecutable, putValidator } from './fakeValidator.ts'
import { complaint, PROGRAM, USDC } from './remoteStage.ts'

const SEED = 'started'
const NAME = 'solana-test-validator'
const [BETTOR, MAKER, BUYER] = [0, 1, 2]
const ALL = [BETTOR, MAKER, BUYER]
const WALLETS = { count: 3, micros: BigInt(1_000 * USDC) }
// Tests of processes may take long on a busy machine.
const LONG_MS = 300_000

let folder: string

beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'parlor-path-')) })
afterEach(() => { vi.unstubAllEnvs() })

const keys = new SvmKeys(SEED)

function options(changes: Partial<TestValidatorOptions> = {}): TestValidatorOptions {
  return {
    sponsor: keys.sponsor.address, program: { address: keys.program.address, file: fileURLToPath(PROGRAM) },
    accounts: genesisAccounts(keys, WALLETS), ...changes,
  }
}

/** What the executable at the place of the validator was given, by name. */
const given = (name: string): string => {
  const all = readFileSync(join(folder, 'arguments'), 'utf8').split('\n')
  return all[all.indexOf(name) + 1]!
}

/** Puts a script at the place of the validator that writes down its arguments first. */
const put = (script: string): void => {
  vi.stubEnv('PATH', putExecutable(folder, NAME, `printf '%s\\n' "$@" > ${folder}/arguments\n${script}`))
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('the accounts of a genesis', () => {
  it('are a file each, as the solana command writes accounts', () => {
    const into = join(folder, 'accounts')
    writeAccounts(into, genesisAccounts(keys, { count: 2, micros: 7n }))
    const files = readdirSync(into).map((name) => [name, JSON.parse(readFileSync(join(into, name), 'utf8'))] as const)
    expect(files).toHaveLength(3)
    for (const [name, { pubkey, account }] of files) {
      expect(name).toBe(`${pubkey}.json`)
      expect(account).toMatchObject({ owner: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', executable: false, rentEpoch: 0, lamports: 10_000_000 })
      expect(account.data[1]).toBe('base64')
      expect(Buffer.from(account.data[0], 'base64')).toHaveLength(account.space)
    }
    const mint = files.find(([name]) => name === 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v.json')![1].account
    // Byte 36 begins the supply, which is twice seven. Byte 44 says six decimals, and byte 45 that the mint is initialized.
    const data = Buffer.from(mint.data[0], 'base64')
    expect([data.length, data.readBigUInt64LE(36), data[44], data[45]]).toEqual([82, 14n, 6, 1])
    const wallets = files.filter(([, { account }]) => account.space === 165).map(([, { account }]) => Buffer.from(account.data[0], 'base64'))
    expect(wallets.map((bytes) => bytes.readBigUInt64LE(64))).toEqual([7n, 7n])
    const owners = wallets.map((bytes) => bytes.subarray(32, 64).toString('hex')).toSorted()
    expect(owners).toEqual([0, 1].map((account) => keys.wallet(account).address.toBuffer().toString('hex')).toSorted())
  })

  it('are of a mint whose supply stays within 64 bits', () => {
    const [mint] = genesisAccounts(keys, { count: 2, micros: 2n ** 63n })
    expect(Buffer.from(mint!.data).readBigUInt64LE(36)).toBe(2n ** 64n - 1n)
    const [whole] = genesisAccounts(keys, { count: 2, micros: 2n ** 63n - 1n })
    expect(Buffer.from(whole!.data).readBigUInt64LE(36)).toBe(2n ** 64n - 2n)
  })
})

describe('an executable on PATH', () => {
  it('is the first file of that name that can be run', () => {
    const folders = ['none', 'folder', 'text', 'first', 'second'].map((name) => join(folder, name))
    for (const path of folders) mkdirSync(path)
    mkdirSync(join(folders[1]!, NAME))
    writeFileSync(join(folders[2]!, NAME), '')
    for (const path of folders.slice(3)) putExecutable(path, NAME, 'exit 0')
    expect(executableOnPath(NAME, ['', ...folders].join(':'))).toBe(join(folder, 'first', NAME))
    expect(executableOnPath(NAME, folders.slice(0, 3).join(':'))).toBeNull()
    // Whoever wrote the folder that one works in chooses no program.
    expect(executableOnPath(NAME, ['', '.', relative('.', folders[3]!)].join(':'))).toBeNull()
  })

  it('that is missing is a mistake with a hint', async () => {
    vi.stubEnv('PATH', folder)
    const said = await complaint(openSvmChain({ seed: SEED, start: WALLETS }))
    expect(said).toContain('there is no solana-test-validator on PATH')
    expect(said).toContain('docs/chain-svm.md says how it is built; without chain.start the chain runs inside the process')
  })
})

describe('a validator that does not start', () => {
  it('is told with what it wrote, wherever it wrote it, and leaves nothing', async () => {
    put('echo "Error: failed to start validator"; echo "no such port" >&2; exit 1')
    const said = await complaint(startTestValidator(options()))
    expect(said).toMatch(/solana-test-validator did not start: (Error: failed to start validator|no such port)\n/)
    expect(said).toContain('Error: failed to start validator')
    expect(said).toContain(`does ${join(folder, NAME)} --version run?`)
    expect(existsSync(dirname(given('--ledger')))).toBe(false)
  })

  it('because it hangs is ended, with its folder', async () => {
    put(`echo $$ > ${folder}/pid; exec sleep 1000`)
    const said = await complaint(startTestValidator(options({ startLimitMs: 2_000 })))
    expect(said).toContain('solana-test-validator did not start within 2 s: it said nothing')
    expect(existsSync(dirname(given('--ledger')))).toBe(false)
    expect(isAlive(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toBe(false)
  })

  it('was told to make its ledger in a new folder, to take these accounts, and to listen on free ports', async () => {
    put('exit 1')
    await complaint(startTestValidator(options()))
    const port = Number(given('--rpc-port'))
    expect([given('--mint'), given('--bpf-program'), given('--faucet-port'), given('--dynamic-port-range'), given('--gossip-port')]).toEqual([
      keys.sponsor.address.toBase58(), keys.program.address.toBase58(), String(port + 2), `${port + 3}-${port + 103}`, '0',
    ])
    expect(dirname(given('--account-dir'))).toBe(dirname(given('--ledger')))
  })
})

/** A session of three accounts that ends with 449.8475, 410.5 and 538.2575 USDC, and 1.395 for the house (remote.test.ts has the sums). */
async function play(chain: SvmChain): Promise<void> {
  const calls = new Calls()
  await chain.admit(ALL.map((account) => admitted(account, 500 * USDC)))
  await landWell(
    chain, ...ALL.map((account) => calls.deposit(account, 500 * USDC)), calls.open(0, BETTOR, MAKER), calls.open(1, BETTOR, MAKER),
    calls.transfer(0, BUYER, 60 * USDC), calls.settle(0, 'won'), calls.buyback(1, 40 * USDC), calls.withdraw(BETTOR, 100 * USDC),
  )
  expect((await chain.balances(ALL)).map(Number)).toEqual([449_847_500, 410_500_000, 538_257_500])
  expect([Number(await chain.house()), Number((await chain.tokens()).owedMicros)]).toEqual([1_395_000, 1_400_000_000])
  expect((await chain.wallets(ALL)).map(Number)).toEqual([100_000_000, 0, 0])
}

const folderOf = (chain: SvmChain): string => chain.site.network.process!.folder

describe('a validator that was started', () => {
  it('has the vault and funded wallets from the start, and leaves nothing when it is closed', async () => {
    vi.stubEnv('PATH', putValidator(folder))
    const chain = await openSvmChain({ seed: SEED, start: WALLETS })
    expect([chain.faults, chain.landsInOrder]).toEqual([null, false])
    await play(chain)
    expect(existsSync(join(folderOf(chain), 'ledger'))).toBe(true)
    await chain.close()
    await chain.close()
    expect(existsSync(folderOf(chain))).toBe(false)
  })

  it('is ended when it is no chain for a session', async () => {
    vi.stubEnv('FAKE_GENESIS_HASH', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d')
    vi.stubEnv('PATH', putExecutable(folder, NAME, `printf '%s\\n' "$@" > ${folder}/arguments; echo $$ > ${folder}/pid; exec ${putScript()} "$@"`))
    expect(await complaint(openSvmChain({ seed: SEED, start: WALLETS }))).toContain('main network')
    expect(existsSync(dirname(given('--ledger')))).toBe(false)
    expect(isAlive(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toBe(false)
  })

  it('that ends by itself is missed at once, by name and with its last words', async () => {
    vi.stubEnv('PATH', putExecutable(folder, NAME, `echo $$ > ${folder}/pid; echo 'thread panicked' >&2; exec ${putScript()} "$@"`))
    const chain = await openSvmChain({ seed: SEED, start: WALLETS })
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL')
    const said = await complaint(chain.balances(ALL))
    expect(said).toContain('the solana-test-validator of this run has ended: its process is gone')
    expect(said).toContain('thread panicked')
    await chain.close()
    expect(existsSync(folderOf(chain))).toBe(false)
  })
})

/** The script of a validator that works. */
function putScript(): string {
  mkdirSync(join(folder, 'good'))
  putValidator(join(folder, 'good'))
  return join(folder, 'good', NAME)
}

/** A process of its own that starts a validator, says where, and then does `next`. */
async function validatorOf(next: string): Promise<{ readonly child: ChildProcess, readonly room: string }> {
  const source = fileURLToPath(new URL('../../../src/chain/svm/svmChain.ts', import.meta.url))
  const child = spawn(process.execPath, ['--input-type=module', '-e', `
    const { openSvmChain } = await import(${JSON.stringify(source)})
    const { site } = await openSvmChain({ seed: 'orphan', start: { count: 1, micros: 1n } })
    await new Promise((resolve) => process.stdout.write(site.network.process.folder + '\\n', resolve))
    ${next}`], { stdio: ['ignore', 'pipe', 'ignore'], detached: true, env: { ...process.env, PATH: putValidator(folder) } })
  const [said] = await once(child.stdout!, 'data') as [Buffer]
  return { child, room: said.toString().trim() }
}

it.each([
  ['is killed', '', 'SIGKILL'],
  ['gets Ctrl-C', '', 'SIGINT'],
  ['is told to end', '', 'SIGTERM'],
  ['ends without closing it', 'process.exit(0)', null],
] as const)('a validator leaves no orphan and no folder when the process %s', async (_, next, signal) => {
  const { child, room } = await validatorOf(next === '' ? 'setInterval(() => {}, 1000)' : next)
  if (signal !== null) {
    expect(existsSync(room)).toBe(true)
    // The terminal sends Ctrl-C to the whole group.
    process.kill(-child.pid!, signal)
  }
  await expect.poll(() => existsSync(room), { timeout: LONG_MS }).toBe(false)
})
