import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { rpcOf } from '../../src/cli/reconcile.ts'
import { putExecutable, putValidator } from '../chain/svm/fakeValidator.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { parlor, parlorHere, start } from './parlor.ts'
import { PATIENCE_MS } from '../patience.ts'

const folder = newFolder()
/** Few accounts and positions, each of which costs transactions: 22 bettors, 3 makers. */
const FEW = SMALL.replace('max: 200', 'max: 60').replace('n: 100, every: 10m', 'n: 16, every: 2m').replace('n: 20, every: 10m', 'n: 6, every: 2m')

beforeAll(async () => {
  put(folder, 'small.yaml', FEW)
  await parlorHere(folder, 'run', 'small.yaml', '--quiet', '--no-report')
})

describe('parlor run on a chain', () => {
  it('ends with the chain\'s line, and leaves what the chain held beside the tables', async () => {
    const { code, out, err } = await parlor(folder, 'run', 'small.yaml', '--quiet', '--no-report', '--set', 'chain={ on: svm, faults: { dropped: 20% } }', '--out', 'onchain')
    expect([code, err]).toEqual([0, ''])
    const [digest, reconciled, recovered, ...more] = out.trim().split('\n')
    expect(digest).toMatch(/^onchain: digest [0-9a-f]{12}/)
    expect(reconciled).toMatch(/^svm {2}reconciled: \d+ positions \(.*\), 25 accounts, 0 differences$/)
    expect(recovered).toMatch(/^ {5}recovered: \d+ bundles sent again/)
    expect(more).toEqual([])
    expect(readdirSync(join(folder, 'onchain')).toSorted()).toEqual(['manifest.json', 'settlement.json', 'sources.json', 'summary.json', 'tables'])
    const digestOf = (run: string): string => JSON.parse(readFileSync(join(folder, run, 'manifest.json'), 'utf8')).digest
    expect(digestOf('onchain')).toBe(digestOf('runs/small'))
    expect(JSON.parse(readFileSync(join(folder, 'onchain', 'manifest.json'), 'utf8')).record.chains).toEqual(['svm'])
    expect(await parlorHere(folder, 'verify', 'onchain', '--quiet')).toMatchObject({ code: 0 })
  })

  it('tells machines too', async () => {
    const { code, out } = await parlorHere(folder, 'run', 'small.yaml', '--json', '--no-report', '--set', 'chain=svm', '--out', 'told')
    const { settlement } = JSON.parse(out)
    expect([code, settlement]).toEqual([0, JSON.parse(readFileSync(join(folder, 'told', 'settlement.json'), 'utf8')).chains])
    expect(settlement).toMatchObject([{ service: 'parlay', chain: 'svm', differences: 0, accounts: 25 }])
  })

  it('leaves nothing when the chain cannot be had', async () => {
    const { code, err } = await parlorHere(folder, 'run', 'small.yaml', '--set', 'chain={ on: svm, rpc: { svm: "http://127.0.0.1:1" } }', '--out', 'nowhere')
    expect([code, existsSync(join(folder, 'nowhere'))]).toEqual([2, false])
    expect(err).toContain('no Solana validator answers at http://127.0.0.1:1')
  })
})

/** A node that takes requests and answers none. */
async function silentNode(): Promise<{ readonly server: Server; readonly url: string; readonly asked: Promise<void> }> {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const server = createServer(() => { resolve() })
  await new Promise<void>((listening) => { server.listen(0, '127.0.0.1', listening) })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

it.each([['run', ['small.yaml', '--out', 'waiting', '--set']], ['reconcile', ['runs/small', '--chain', 'svm', '--rpc']]] as const)(
  'Ctrl-C ends parlor %s while a chain does not answer', async (command, args) => {
    const { server, url, asked } = await silentNode()
    const { child, ended } = start(folder, [command, ...args, command === 'run' ? `chain={ on: svm, rpc: { svm: "${url}" } }` : url, '--quiet'])
    await asked
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ signal: 'SIGINT', err: 'interrupted: nothing was left\n' })
    expect(existsSync(join(folder, 'waiting'))).toBe(false)
    server.closeAllConnections()
    server.close()
  },
)

describe('a validator that is started', () => {
  const validator = newFolder()
  const listing = join(validator, 'arguments')
  beforeEach(() => {
    mkdirSync(join(validator, 'good'), { recursive: true })
    putValidator(join(validator, 'good'))
    vi.stubEnv('PATH', putExecutable(validator, 'solana-test-validator', `printf '%s\\n' "$@" > ${listing}; exec ${join(validator, 'good', 'solana-test-validator')} "$@"`))
  })
  afterEach(() => { vi.unstubAllEnvs() })
  const room = (): string => {
    const given = readFileSync(listing, 'utf8').split('\n')
    return dirname(given[given.indexOf('--ledger') + 1]!)
  }

  it('settles a run and a reconciliation, and is gone afterwards', async () => {
    const { code, out, err } = await parlor(folder, 'run', 'small.yaml', '--quiet', '--no-report', '--set', 'chain={ on: svm, start: solana-test-validator }', '--out', 'validated')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^svm {2}reconciled: \d+ positions \(.*\), 25 accounts, 0 differences$/m)
    expect(existsSync(room())).toBe(false)
    const again = await parlorHere(folder, 'reconcile', 'validated', '--start', 'solana-test-validator')
    expect(again).toMatchObject({ code: 0, out: expect.stringMatching(/^svm {2}reconciled: .*, 25 accounts, 0 differences\n$/) })
    expect(existsSync(room())).toBe(false)
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('is gone after %s of a run for which it does not answer', async (signal) => {
    vi.stubEnv('FAKE_SILENCE', 'yes')
    rmSync(listing, { force: true })
    const { child, ended } = start(folder, ['run', 'small.yaml', '--quiet', '--set', 'chain={ on: svm, start: solana-test-validator }', '--out', 'ended'])
    const limits = { timeout: PATIENCE_MS }
    await expect.poll(() => existsSync(listing) && existsSync(join(room(), 'asked')), limits).toBe(true)
    child.kill(signal)
    expect((await ended).signal).toBe(signal)
    await expect.poll(() => existsSync(room()), limits).toBe(false)
    expect(existsSync(join(folder, 'ended', 'manifest.json'))).toBe(false)
  })

  it('is one that parlor knows', async () => {
    const { code, err } = await parlorHere(folder, 'reconcile', 'runs/small', '--start', 'surfpool')
    expect([code, err]).toEqual([2, expect.stringContaining('expected --start solana-test-validator, got surfpool')])
  })
})

describe('the URLs of chains', () => {
  const [A, B] = ['http://127.0.0.1:8899', 'https://chain.example']

  it('are those of the only chain, or name theirs', () => {
    expect([rpcOf([], null), rpcOf([A], 'svm'), rpcOf([B], 'evm'), rpcOf([`evm=${B}`], 'evm')]).toEqual([{}, { svm: A }, { evm: B }, { evm: B }])
    for (const choice of ['both', null] as const) expect(rpcOf([`evm=${B}`, `svm=${A}`], choice)).toEqual({ svm: A, evm: B })
  })

  it.each([
    [['localhost'], 'svm', 'expected a URL such as http://127.0.0.1:8545, got localhost'], [['svm=ftp://x'], 'svm', 'got ftp://x'],
    [[A], 'both', `which chain is at ${A}?`], [[`evm=${A}`], 'svm', '--rpc names a chain evm, but --chain is svm'],
    [[`svm=${A}`, A], 'svm', '--rpc names the chain svm twice'],
  ] as const)('are mistakes: %j of %s', (urls, choice, said) => {
    expect(() => rpcOf(urls, choice)).toThrow(said)
  })
})

describe('parlor reconcile', () => {
  it('settles a finished run from its journal, and says so', async () => {
    const { code, out, err } = await parlor(folder, 'reconcile', 'runs/small', '--chain', 'svm')
    expect([code, err]).toEqual([0, ''])
    expect(out.trim()).toMatch(/^svm {2}reconciled: \d+ positions \(.*\), 25 accounts, 0 differences$/)
    const told = await parlorHere(folder, 'reconcile', 'runs/small', '--json')
    const { digest } = JSON.parse(readFileSync(join(folder, 'runs/small/manifest.json'), 'utf8'))
    expect(JSON.parse(told.out)).toMatchObject({ run: 'runs/small', digest, same_run: true, chains: [{ chain: 'svm', differences: 0, pending: 0 }] })
  })

  const MISTAKES = [
    ['a chain whose service the run does not have', ['runs/small', '--chain', 'evm'], 'evm settles the outcome service, which the run does not have'],
    ['a chain that there is not', ['runs/small', '--chain', 'solana'], 'expected --chain svm or evm or both, got solana'],
    ['a URL of nobody\'s', ['runs/small', '--rpc', 'http://127.0.0.1:1'], 'which chain is at http://127.0.0.1:1?'],
    ['no run', ['.'], 'not a complete run'],
  ] as const

  it('ends with 2 for what cannot be, and says what is wrong', async () => {
    const told: unknown[] = []
    for (const [what, args, said] of MISTAKES) {
      const { code, err } = await parlorHere(folder, 'reconcile', ...args)
      told.push([what, code, err.includes(said) ? said : err])
    }
    expect(told).toEqual(MISTAKES.map(([what, , said]) => [what, 2, said]))
  })

  it('ends with 2 for a journal that was changed', async () => {
    cpSync(join(folder, 'runs', 'small'), join(folder, 'changed'), { recursive: true })
    const journal = join('changed', 'tables', 'journal.arrow')
    put(folder, journal, `${readFileSync(join(folder, journal), 'latin1')} `)
    const { code, err } = await parlorHere(folder, 'reconcile', 'changed')
    expect([code, err]).toEqual([2, expect.stringContaining('was changed since the run')])
  })
})
