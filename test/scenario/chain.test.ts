import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ChainSettlement, fundedWallets, openMirrors } from '../../src/scenario/chain.ts'
import { NO_CHAIN } from '../../src/scenario/chainSchema.ts'
import { type LoadedScenario, loadScenario } from '../../src/scenario/load.ts'
import { ScenarioMistakes } from '../../src/scenario/mistakes.ts'
import { reconcileRun } from '../../src/scenario/reconcile.ts'
import { identityOf, playInto, prepareScenario, type PreparedScenario, runScenario } from '../../src/scenario/run.ts'
import { noAnvil, skipped } from '../chain/evm/bundledAnvil.ts'
import { putValidator } from '../chain/svm/fakeValidator.ts'
import { mistakes as mistakesOfSmall, newFolder, prepared, QUICKSTART_STORE, SMALL } from './small.ts'

const ONCHAIN = fileURLToPath(new URL('../../scenarios/onchain.yaml', import.meta.url))

interface Ready {
  readonly loaded: LoadedScenario
  readonly prepared: PreparedScenario
}

/** The scenario of the repository, with fewer bettors and requests. */
async function onchain(...set: string[]): Promise<Ready> {
  const fewer = [0, 1, 2, 3].flatMap((cohort) => [`bettors.${cohort}.n=30`, `bettors.${cohort}.every=1m`])
  const loaded = loadScenario(ONCHAIN, { set: ['arrivals.max=200', `history.store=${QUICKSTART_STORE}`, ...fewer, ...set] })
  return { loaded, prepared: await prepareScenario(loaded) }
}

const runInto = ({ loaded, prepared: of }: Ready) =>
  runScenario(loaded, of, { target: { path: join(newFolder(), 'run'), numbered: false, force: false } })

const positionsOf = ({ positions: { opened, won, lost, boughtBack, ...rest }, open }: ChainSettlement): [opened: number, ended: number] =>
  [opened, won + lost + rest.void + boughtBack + open]

describe('chain of a scenario', () => {
  it('is read in both forms, and is none by default', async () => {
    const read = async (text: string) => (await prepared(SMALL + text)).prepared.chain
    expect(await read('')).toEqual(NO_CHAIN)
    expect(await read('chain: none\n')).toEqual(await read(''))
    expect(await read('chain: svm\n')).toEqual({ ...NO_CHAIN, chains: ['svm'] })
    expect(await read('chain: { on: svm, rpc: { svm: "http://127.0.0.1:8899" }, batch: 5, patience: 1500ms }\n'))
      .toEqual({ ...NO_CHAIN, chains: ['svm'], rpc: { svm: 'http://127.0.0.1:8899' }, callsPerBundle: 5, patienceMs: 1500 })
    expect(await read('chain: { on: svm, start: solana-test-validator }\n')).toEqual({ ...NO_CHAIN, chains: ['svm'], start: 'solana-test-validator' })
    expect(await read('chain: { on: svm, faults: { dropped: 2%, unconfirmed: 3%, unfunded: 4%, reorganisations: { every: 20, depth: 3 }, sponsorOutages: 9 } }\n'))
      .toEqual({ ...NO_CHAIN, chains: ['svm'], faults: {
        droppedShare: 0.02, unconfirmedShare: 0.03, unfundedShare: 0.04, reorganisations: { everyBatches: 20, depthBatches: 3 }, sponsorOutageEveryBatches: 9,
      } })
    expect((await onchain()).prepared.chain.chains).toEqual(['svm', 'evm'])
  })

  it('by a URL leaves nothing of the URL in what a manifest says', async () => {
    const { prepared: of } = await prepared(`${SMALL}chain: { on: svm, rpc: { svm: "https://me:secret@example.com/v3/secret" } }\n`)
    expect(of.chain.rpc.svm).toContain('secret')
    expect(JSON.stringify(identityOf(of))).not.toMatch(/secret|example\.com/)
  })

  it.each([
    ['chain: evm\n', '13 chain: evm settles the outcome service, which the scenario does not have'],
    ['chain: { on: both }\n', '13 chain: evm settles the outcome service, which the scenario does not have'],
    ['chain: solana\n', '13 chain: expected svm or evm or both or none, got "solana"'],
    ['chain: [svm]\n', '13 chain: expected svm or evm or both or none, or {on, rpc, start, patience, batch, faults}, got a list'],
    ['chain: { on: svm, rpc: { svm: localhost } }\n', '13 chain.rpc.svm: expected a URL such as http://127.0.0.1:8545, got "localhost"'],
    ['chain: { on: svm, rpc: { evm: "http://localhost:1" } }\n', '13 chain.rpc.evm: is the URL of a chain that nothing is settled on'],
    ['chain: { on: svm, rpc: { svm: "http://localhost:1" }, faults: { dropped: 1% } }\n', '13 chain.faults: faults happen on chains of our own only'],
    ['chain: { on: svm, start: agave-validator }\n', '13 chain.start: expected solana-test-validator, got "agave-validator"'],
    ['chain: { on: none, start: solana-test-validator }\n', '13 chain.start: makes a chain that nothing is settled on'],
    ['chain: { on: svm, start: solana-test-validator, rpc: { svm: "http://localhost:1" } }\n', '13 chain.start: a chain is started or runs already, not both'],
    ['chain: { on: svm, start: solana-test-validator, faults: { dropped: 1% } }\n', '13 chain.faults: a validator cannot be made to fail'],
    ['chain: { on: svm, start: solana-test-validator, patience: 5s }\n', '13 chain.patience: is had with chains by URL only'],
    ['chain: { on: none, batch: 5 }\n', '13 chain.batch: is of a chain that nothing is settled on'],
    ['chain: { on: none, faults: { dropped: 1% } }\n', '13 chain.faults: is of a chain that nothing is settled on'],
    ['chain: { on: svm, faults: { reorganisations: { every: 2, depth: 3 } } }\n',
      '13 chain.faults.reorganisations.depth: is above every: one reorganisation would undo what another has undone'],
    ['chain: { on: svm, faults: { droped: 1% } }\n', '13 chain.faults: unknown key droped; did you mean dropped?'],
  ])('is a mistake: %s', async (text, expected) => {
    expect(await mistakesOfSmall(/$/, text)).toEqual([expected])
  })

  it('hints at the chain that would fit', async () => {
    const error = await prepared(`${SMALL}chain: evm\n`).catch((caught: unknown) => caught) as ScenarioMistakes
    expect(error.mistakes[0]!.hint).toBe('expected svm')
  })

  it('is no part of what the rows are a function of', async () => {
    const [none, svm] = [await onchain('chain=none'), await onchain('chain=svm')]
    expect(identityOf(svm.prepared)).toEqual(identityOf(none.prepared))
    expect(JSON.stringify(svm.prepared.resolved)).not.toContain('svm')
  })
})

describe('a run on the chain of the parlay service', () => {
  it('comes to the ledger\'s sums, twice the same, and has the digest that it has without', async () => {
    const on = await onchain('chain.on=svm', 'record.tables=false', 'chain.faults.reorganisations={every: 20, depth: 3}')
    const [first, second] = [await runInto(on), await runInto(on)]
    const alone = await playInto(newFolder(), on.prepared)
    expect([first.manifest.digest, second.manifest.digest]).toEqual([alone.digest, alone.digest])
    const textOf = (path: string): string => readFileSync(join(path, 'settlement.json'), 'utf8')
    expect(textOf(second.path)).toBe(textOf(first.path))
    const { chains: [chain] } = JSON.parse(textOf(first.path)) as { chains: ChainSettlement[] }
    expect(chain).toMatchObject({ service: 'parlay', chain: 'svm', differences: 0, pending: 0, open: 0, accounts: 63 })
    const [opened, ended] = positionsOf(chain!)
    expect(ended).toBe(opened)
    expect(opened).toBeGreaterThan(20)
    expect(chain!.recovery!.reorganisations).toBeGreaterThan(2)
    expect(first.settlement!.lines[0]).toMatch(/^svm {2}reconciled: \d+ positions \(.*\), 63 accounts, 0 differences$/)
  })

  it('is reconciled from its journal afterwards, to the same sums', async () => {
    const run = await runInto(await onchain('chain={ on: svm }'))
    const { settlement, isSameRun } = await reconcileRun(run.path, { chains: ['svm'], rpc: {} })
    expect(isSameRun).toBe(true)
    expect(settlement).toEqual(JSON.parse(readFileSync(join(run.path, 'settlement.json'), 'utf8')))
  })

  it('lets go of a chain whose session is given up', async () => {
    const { prepared: { resolved, chain } } = await onchain('chain=svm')
    const mirrors = await openMirrors(resolved, chain)
    await mirrors.abort()
    await mirrors.abort()
    await expect(mirrors.sinks[0]!.settled()).resolves.toBeUndefined()
  })
})

describe('a run on a validator that is started', () => {
  beforeAll(() => { vi.stubEnv('PATH', putValidator(newFolder())) })
  afterAll(() => { vi.unstubAllEnvs() })

  it('has a wallet for each account, with as much as the richest deposits', async () => {
    const { prepared: { resolved } } = await onchain()
    // Four cohorts of 30, five makers; street has 300,000 USDC.
    expect(fundedWallets(resolved)).toEqual({ count: 125, micros: 300_000_000_000n })
    const [first, ...makers] = resolved.makers
    const layOff = { service: 'outcome', account: 'other', bankrollMicros: 400_000_000_000, latency: first!.latency } as const
    const bettors = [{ ...resolved.bettors[0]!, bettors: 1, account: first!.name }, ...resolved.bettors.slice(1)]
    // A bettor with the account of a maker has none of its own; one more is for laying off.
    expect(fundedWallets({ bettors, makers: [{ ...first!, layOff }, ...makers] })).toEqual({ count: 96, micros: 400_000_000_000n })
  })

  it('comes to the ledger, is reconciled on another one, and says nothing about recovery that depends on its time', async () => {
    const run = await runInto(await onchain('chain={ on: svm, start: solana-test-validator }'))
    const [chain] = run.settlement!.record.chains
    expect(chain).toMatchObject({ service: 'parlay', chain: 'svm', differences: 0, pending: 0, open: 0, accounts: 63, recovery: null })
    expect(chain!.positions.opened).toBeGreaterThan(20)
    const { settlement } = await reconcileRun(run.path, { chains: ['svm'], rpc: {}, start: 'solana-test-validator' })
    expect(settlement).toEqual(run.settlement!.record)
    const inProcess = await reconcileRun(run.path, { chains: ['svm'], rpc: {} })
    expect(inProcess.settlement.chains.map((of) => ({ ...of, recovery: null }))).toEqual(settlement.chains)
  })

  it('is reconciled on one chain only', async () => {
    const { path } = await runInto(await onchain('chain=none'))
    const start = 'solana-test-validator'
    await expect(reconcileRun(path, { chains: ['evm'], rpc: {}, start })).rejects.toThrow('makes a chain that nothing is settled on')
    await expect(reconcileRun(path, { chains: ['svm'], rpc: { svm: 'http://127.0.0.1:1' }, start })).rejects.toThrow('started or runs already, not both')
  })
})

/** There are as many requests as it takes for a void and a transfer, and they do not come all at once. */
const SPREAD = ['arrivals.max=800', ...[0, 1, 2, 3].map((cohort) => `bettors.${cohort}.every=4m`)]

describe.skipIf(noAnvil)(`a run on both chains${skipped}`, () => {
  it('settles every kind of position through faults of services and chains, and is reconciled from its journal', async () => {
    const run = await runInto(await onchain(...SPREAD, 'chain.faults.reorganisations={every: 40, depth: 3}'))
    const { record, lines } = run.settlement!
    expect(lines.filter((line) => line.includes('reconciled')).map((line) => line.slice(0, 3))).toEqual(['svm', 'evm'])
    for (const chain of record.chains) {
      const [opened, ended] = positionsOf(chain)
      expect([ended, chain.differences, chain.pending]).toEqual([opened, 0, 0])
      expect(opened).toBeGreaterThan(20)
      expect(chain.recovery!.undone).toBeGreaterThan(2)
    }
    const kinds = Object.keys(record.chains[0]!.positions) as (keyof ChainSettlement['positions'])[]
    expect(kinds.filter((kind) => record.chains.every(({ positions }) => positions[kind] === 0))).toEqual([])
    const { settlement } = await reconcileRun(run.path, { chains: null, rpc: {} })
    const plain = (of: ChainSettlement) => ({ ...of, recovery: null })
    expect(settlement.chains.map(plain)).toEqual(record.chains.map(plain))
  })
})
