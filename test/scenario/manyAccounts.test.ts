import { expect, it } from 'vitest'
import { startAnvil } from '../../src/chain/evm/anvil.ts'
import { reconcileRun } from '../../src/scenario/reconcile.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { noAnvil, skipped } from '../chain/evm/bundledAnvil.ts'
import { fewOnChain, played } from './finishedRun.ts'

/** In each of the two cohorts of the outcome service, and each has an account. So has each of the two makers. */
const BETTORS = 500
const MAKERS = 2

it.skipIf(noAnvil)(`a session of 1,002 accounts comes to the ledger on a chain by URL${skipped}`, async () => {
  const { path, resolved } = await played(fewOnChain(BETTORS, ['bettors.0.n=1', 'bettors.1.n=1', 'arrivals.max=60']))
  const anvil = await startAnvil({ genesisS: Math.floor(resolved.history.fromUs / SECOND_US), http: true, automine: true, limitsBlocks: true })
  try {
    const { settlement: { chains: [chain] } } = await reconcileRun(path, { chains: ['evm'], rpc: { evm: anvil.httpUrl! } })
    expect(chain).toMatchObject({ accounts: 2 * BETTORS + MAKERS, differences: 0, pending: 0 })
    expect(chain!.positions.opened).toBeGreaterThan(3)
  } finally {
    await anvil.close()
  }
})
