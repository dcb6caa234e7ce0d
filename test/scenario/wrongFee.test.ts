import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import type { SettlementDifference } from '../../src/chain/mirror/settlementDifference.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { noAnvil, skipped } from '../chain/evm/bundledAnvil.ts'
import { newFolder, QUICKSTART_STORE } from './small.ts'

const ONCHAIN = fileURLToPath(new URL('../../scenarios/onchain.yaml', import.meta.url))
/** The rate of the profit fee on both services, which no other fee has. */
const PROFIT_FEE_BPS = 150

const wrong = vi.hoisted(() => ({ micros: 0 }))

/** The engine's fees; that on profit is `wrong.micros` too high. */
vi.mock('../../src/unit/micros.ts', async (original) => {
  const real = await original<typeof import('../../src/unit/micros.ts')>()
  return {
    ...real, feeFloor: (...[amount, bps]: Parameters<typeof real.feeFloor>) => {
      const fee = real.feeFloor(amount, bps)
      return bps === PROFIT_FEE_BPS && fee > 0 ? fee + wrong.micros : fee
    },
  }
})

/** Plays without sales: the first fee on profit is that of the first position that is won. */
async function run(chain: 'none' | 'svm' | 'evm') {
  const sellers = ['bettors.1.n=1', 'bettors.1.every=90d', 'bettors.3.n=1', 'bettors.3.every=90d']
  const loaded = loadScenario(ONCHAIN, { set: [
    'arrivals.max=150', `history.store=${QUICKSTART_STORE}`, 'bettors.0.n=30', 'bettors.0.every=1m', 'bettors.2.n=30', 'bettors.2.every=1m', ...sellers,
    'withdrawals=[]', 'services.parlay.set={ profitFee: 1.5% }', 'services.outcome.set={ fee: 1.5% }', `chain=${chain}`,
  ] })
  return runScenario(loaded, await prepareScenario(loaded), { target: { path: join(newFolder(), 'run'), numbered: false, force: false } })
}

const SERVICE = { svm: 'parlay', evm: 'outcome' } as const

it.each(['svm', ...(noAnvil ? [] : ['evm' as const])] as const)(
  `a fee that the engine has wrong by a micro-unit stops the run at the first settlement that has it, on %s${skipped}`, async (chain) => {
    wrong.micros = 0
    const { path, manifest } = await run('none')
    const table = readTable(join(path, manifest.tables['settlements']!.file))
    const [fees, positions, services] = [table.numbers('profit_fee_micros', 'micros'), table.numbers('position', 'int64'), table.column('service')]
    const first = Array.from(fees).findIndex((fee, row) => fee > 0 && services.values![services.codes![row]!] === SERVICE[chain])
    expect(first).toBeGreaterThanOrEqual(0)

    wrong.micros = 1
    const error = await run(chain).then(() => null, (reason: unknown) => reason) as SettlementDifference
    expect(error.name).toBe('SettlementDifference')
    const { difference: { ofChain, ofLedger }, causes: [cause] } = error
    // The chain has what is right: the ledger took a micro-unit more from the holder, for the house.
    expect([ofChain - ofLedger, cause!.event, cause!.call]).toMatchObject([
      1n, 'positionSettled', { kind: 'settle', outcome: 'won', position: positions[first]! },
    ])
  },
)
